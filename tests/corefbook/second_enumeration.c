/* The lost MUC-6 text once more: which classes give the printed rows 4 to 6 of Tables 3 and 4 of
   Popescu-Belis? Shares nothing with book/corefbook/popescubelis/lost_text.py: no bound from cells of row 6,
   doubles instead of fractions, and every formula written out by hand.

   Every list of 15 sizes is built, tested against rows 4 and 5, and where it passes, the 50 pronouns
   fall on five of its classes in every way there is.

   stdout: the solutions of the reading "core", some order of ties, a line each: size/pronouns …
   stderr: how many lists and profiles are left as cells are added, and without one cell.
   Fails if a value comes so near to a rounding border that doubles cannot decide.

       cc -O2 -o second_enumeration tests/second_enumeration.c -lm
       ./second_enumeration 2> data/lost_text/counts.txt */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 147          /* mentions */
#define C 15           /* classes */
#define P 50           /* pronouns */
#define PC 5           /* classes with pronouns */
#define CELLS 13       /* of row 6: those that vary */

static const char *NAMES[CELLS] = {"CRS", "CPS", "C", "BRS", "BPS", "B3", "XRS",
                                   "XPS", "XC", "DMT", "HRS", "HPS", "H"};
static const char *READINGS[2] = {"core", "free"};
static int k[C], q[C];
static double nlogn[N + 1];
static long lists[6], profiles[2], cumulative[2][CELLS], without[2][CELLS], near;

static int met(int percent, double value) {
  double off = 100 * value - percent;
  if (fabs(fabs(off) - .5) < 1e-9) near++;
  return off >= -.5 && off < .5;
}

static double f(double r, double p) { return r > 0 && p > 0 ? 2 / (1 / r + 1 / p) : 0; }

/* Serves the classes in the set `left`, the largest first, equal ones in every order, and equal
   matches in every way. Bit s of the result: some way meets the cells s of {XRS, XPS, XC}. */
static int serve(int left, int taken, int correct, int wrong, int freely) {
  int largest = 0, result = 0;
  for (int i = 0; i < C; i++)
    if (left >> i & 1 && k[i] > largest) largest = k[i];
  if (!largest) {
    double r = correct / (double)N, p = 1 - wrong / (double)N;
    int cells = met(69, r) | met(84, p) << 1 | met(76, f(r, p)) << 2;
    for (int s = 0; s < 8; s++)
      if ((s & cells) == s) result |= 1 << s;
    return result;
  }
  for (int i = 0; i < C; i++) {
    if (!(left >> i & 1) || k[i] != largest) continue;
    int own = k[i] - q[i], rest = left & ~(1 << i);
    if (q[i] >= own) {
      if (!taken) result |= serve(rest, 1, correct + q[i], wrong + P - q[i], freely);
      else if (!freely) result |= serve(rest, 1, correct, wrong, freely);
    }
    if (own >= q[i] || (freely && taken)) result |= serve(rest, taken, correct + own, wrong, freely);
  }
  return result;
}

static void judge(void) {
  double brs = 0, bps = 0, key = nlogn[N], response = nlogn[N] - nlogn[P], joint = nlogn[N];
  int crs = 0, cps = 0, most = 0, distance = 0, correct = 0, shared = 0, r[C + 1];
  for (int i = 0; i < C; i++) {
    int own = k[i] - q[i];
    crs += own > q[i] ? own : q[i];
    cps += own;
    if (q[i] > most) most = q[i];
  }
  double cr = (crs - C) / (double)(N - C), cp = (cps + most - C - 1) / (double)(N - C - 1);
  int cores = met(67, cr) | met(82, cp) << 1;
  if (!cores) return; /* in none of the counts, which leave out one cell at most */
  for (int i = 0; i < C; i++) {
    int own = r[i] = k[i] - q[i];
    brs += (own * own + q[i] * q[i]) / (double)k[i];
    bps += own + q[i] * q[i] / (double)P;
    key -= nlogn[k[i]];
    response -= nlogn[own];
    joint -= nlogn[own] + nlogn[q[i]];
    if (q[i]) shared |= 1 << i;
    else correct += k[i];
  }
  r[C] = P;
  for (int i = 1; i <= C; i++) /* largest first */
    for (int j = i; j && r[j] > r[j - 1]; j--) {
      int swap = r[j];
      r[j] = r[j - 1];
      r[j - 1] = swap;
    }
  for (int i = 0; i <= C; i++) distance += abs(r[i] - (i < C ? k[i] : 0));
  double through = key + response - joint, hrs = through / response, hps = through / key;
  brs /= N;
  bps /= N;
  int cells = cores | met(73, f(cr, cp)) << 2
            | met(65, brs) << 3 | met(79, bps) << 4 | met(71, f(brs, bps)) << 5
            | met(86, 1 - distance / (2. * (N - 1))) << 9
            | met(76, hrs) << 10 | met(81, hps) << 11 | met(78, f(hrs, hps)) << 12;
  int missed = __builtin_popcount(~cells & ~(7 << 6) & ((1 << CELLS) - 1));
  int early = (cells & 63) == 63;
  for (int reading = 0; reading < 2; reading++) {
    /* XC is needed only where no more than one of the other cells could be left out. */
    int xc = early || missed < 2 ? serve(shared, 0, correct, 0, reading) : 0;
    for (int c = 0; c < CELLS; c++) {
      int first = (2 << c) - 1, others = ((1 << CELLS) - 1) & ~(1 << c), plain = ~(7 << 6);
      if ((cells & first & plain) == (first & plain) && (c < 6 || xc >> (first >> 6 & 7) & 1))
        cumulative[reading][c]++;
      if ((cells & others & plain) == (others & plain) && xc >> (others >> 6 & 7) & 1)
        without[reading][c]++;
    }
    if (!reading && !missed && xc >> 7 & 1)
      for (int i = 0; i < C; i++)
        printf(q[i] ? "%d/%d%c" : "%d%.0d%c", k[i], q[i], i < C - 1 ? ' ' : '\n');
  }
}

/* The pronouns left fall on so many of the classes from i on; of equal classes, the first most. */
static void fall(int i, int classes, int left, int asked) {
  if (!classes) {
    if (left) return;
    profiles[asked]++;
    if (asked) judge();
    return;
  }
  if (i == C || left < classes || left > classes * (k[i] - 1)) return;
  int most = k[i] - 1;
  if (i && k[i] == k[i - 1] && q[i - 1] < most) most = q[i - 1];
  if (left < most) most = left;
  for (int here = most; here >= (classes > 1 ? 1 : left); here--) { /* the last has what is left */
    q[i] = here;
    fall(i + 1, classes - 1, left - here, asked);
  }
  q[i] = 0;
  fall(i + 1, classes, left, asked);
}

static void place(int asked) {
  for (int i = 0; i < C; i++) q[i] = 0;
  fall(0, PC, P, asked);
}

/* Every list of sizes, the largest first. */
static void grow(int i, int left, long squares, double logs) {
  if (i < C - 1) {
    int later = C - 1 - i, most = left - 2 * later;
    if (i && k[i - 1] < most) most = k[i - 1];
    for (int size = most; size >= 2 && size * (later + 1) >= left; size--) {
      k[i] = size;
      grow(i + 1, left - size, squares + size * size, logs + nlogn[size]);
    }
    return;
  }
  k[i] = left;
  squares += left * left;
  logs += nlogn[left];
  lists[0]++;
  double core = (k[0] - 1) / (N - 1.), share = k[0] / (double)N, dmt = core;
  if (!(met(31, core) && met(47, f(1, core)) && met(31, share) && met(31, dmt))) return;
  lists[1]++;
  double bps = squares / (double)(N * N), hrs = (nlogn[N] - logs) / nlogn[N];
  if (!met(19, bps)) return;
  lists[2]++;
  if (!met(33, f(1, bps))) return;
  lists[3]++;
  place(0);
  if (!met(40, hrs)) return;
  lists[4]++;
  if (!met(57, f(hrs, 1))) return;
  lists[5]++;
  place(1);
}

int main(void) {
  const char *steps[6] = {"all", "row 5: CPS, C, XRS, XPS, XC, DMT", "row 5: BPS", "row 5: B3",
                          "row 4: HRS", "row 4: H"};
  for (int n = 1; n <= N; n++) nlogn[n] = n * log(n);
  grow(0, N, 0, 0);
  for (int i = 0; i < 6; i++) fprintf(stderr, "lists\t%s\t%ld\n", steps[i], lists[i]);
  fprintf(stderr, "profiles\trow 5: B3\t%ld\n", profiles[0]);
  fprintf(stderr, "profiles\trow 4: H\t%ld\n", profiles[1]);
  for (int r = 0; r < 2; r++)
    for (int c = 0; c < CELLS; c++)
      fprintf(stderr, "profiles, %s\trow 6: %s\t%ld\n", READINGS[r], NAMES[c], cumulative[r][c]);
  for (int r = 0; r < 2; r++)
    for (int c = 0; c < CELLS; c++)
      fprintf(stderr, "without, %s\trow 6: %s\t%ld\n", READINGS[r], NAMES[c], without[r][c]);
  if (near) fprintf(stderr, "%ld values too near to a border\n", near);
  return near != 0;
}
