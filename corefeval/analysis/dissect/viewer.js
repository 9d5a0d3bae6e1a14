"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const SIDES = ["key", "response"];
const KINDS = { missed: "−", invented: "+", split: "÷", merged: "∪", boundary: "≈" };
const wanted = new Set(["missed", "invented", "split", "merged"]);
const get = (id) => document.getElementById(id);

let shown;      // the document that is seen
let joined;     // the places before which nothing stands between words
let spans;      // the elements of each of its mentions: several, if it has gaps or crosses another
let members;    // by side and entity, the numbers of its mentions, in the order of the text
let errors;     // the numbers of the mentions with a wanted error, in the order of the text
let here = -1;  // the mention that is looked at
let followed;   // the [side, entity] that is followed, if any

function element(name, text, ...classes) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  made.classList.add(...classes);
  return made;
}

// A document's text

function show(number) {
  shown = data.documents[number];
  here = -1;
  followed = undefined;
  spans = shown.mentions.map(() => []);
  const inOrder = shown.mentions.map((_, n) => n).sort((a, b) => before(a, b));
  members = shown.entities.map((side) => side.map(() => []));
  for (const n of inOrder) {
    shown.mentions[n].of.forEach((entity, side) => entity < 0 || members[side][entity].push(n));
  }
  shown.order = inOrder;
  get("text").replaceChildren(...paragraphs());
  get("text").scrollTop = 0;
  line(-1);
  countKinds();
  findErrors();
  tellCostliest();
  tellTotals();
  tell();
}

const before = (a, b) => {
  const [one, other] = [shown.mentions[a].at, shown.mentions[b].at];
  return one[0][0] - other[0][0] || other.at(-1)[1] - one.at(-1)[1];
};

// Mentions are elements inside one another. One that crosses another is cut at its end, and goes on.
function paragraphs() {
  const begins = new Map(), ends = new Map(), starts = new Set(shown.sentences);
  joined = new Set(shown.joined);
  shown.order.forEach((n) => shown.mentions[n].at.forEach(([first, last], part, { length }) => {
    add(begins, first, { n, last, isLast: part === length - 1 });
    add(ends, last, n);
  }));
  const made = [];
  let open = [], into;
  const word = (text) => {
    const last = into.lastChild;
    if (last && last.nodeType === Node.TEXT_NODE) last.data += text;
    else into.append(text);
  };
  const enter = (run) => {
    const span = mention(run.n);
    into.append(span);
    open.push({ ...run, span, outer: into });
    into = span;
  };
  const leave = () => {
    const run = open.pop();
    into = run.outer;
    return run;
  };
  shown.words.forEach((text, place) => {
    if (starts.has(place) || !into) {
      const goesOn = [];
      while (open.length) goesOn.unshift(leave());
      into = element("p");
      made.push(into);
      goesOn.forEach(enter);
    } else word(joined.has(place) ? "" : shown.between);
    (begins.get(place) || []).sort((a, b) => b.last - a.last).forEach(enter);
    word(text);
    for (let left = (ends.get(place) || []).length; left > 0;) {
      const crossing = [];
      while (open.at(-1).last !== place) crossing.unshift(leave());
      const ended = leave();
      left -= 1;
      crossing.forEach(enter);
    }
  });
  return made;
}

function add(map, place, what) {
  if (!map.has(place)) map.set(place, []);
  map.get(place).push(what);
}

function mention(n) {
  const { errors: wrong } = shown.mentions[n];
  const span = element("span", undefined, "m", ...wrong);
  span.dataset.n = n;
  if (!spans[n].length) span.append(...wrong.map((kind) => element("span", KINDS[kind], "sign", kind)));
  spans[n].push(span);
  return span;
}

// From error to error, and along an entity

function findErrors() {
  errors = shown.order.filter((n) => shown.mentions[n].errors.some((kind) => wanted.has(kind)));
  for (const kind of Object.keys(KINDS)) {
    get("text").classList.toggle(`with-${kind}`, wanted.has(kind));
  }
  tell();
}

function step(list, by) {
  if (!list.length) return;
  const at = list.indexOf(here);
  if (at >= 0) return look(list[(at + by + list.length) % list.length]);
  const after = list.findIndex((n) => here < 0 || before(n, here) > 0);
  if (by > 0) return look(list[after < 0 ? 0 : after]);
  look(list[after < 0 ? list.length - 1 : (after + list.length - 1) % list.length]);
}

function look(n, entity) {
  spans[here]?.forEach((span) => span.classList.remove("here"));
  here = n;
  const { of } = shown.mentions[n];
  const stays = followed && of[followed[0]] === followed[1];
  follow(entity || (stays ? followed : of[0] >= 0 ? [0, of[0]] : [1, of[1]]));
  spans[n].forEach((span) => span.classList.add("here"));
  spans[n][0].scrollIntoView({ block: "center", behavior: "instant" });
  tell();
}

function follow(entity) {
  followed = entity;
  line(here);
}

// The lines of the entities of a mention: below them the key's, above them the response's.
function line(n) {
  for (const name of ["in-key", "in-response"]) {
    for (const span of get("text").querySelectorAll(`.${name}`)) span.classList.remove(name);
  }
  const entities = n >= 0 ? shown.mentions[n].of : [-1, -1];
  entities.forEach((entity, side) => {
    if (entity < 0) return;
    for (const each of members[side][entity]) {
      for (const span of spans[each]) span.classList.add(`in-${SIDES[side]}`);
    }
  });
}

const mentionsOf = (entity) => (entity ? members[entity[0]][entity[1]] : []);

function other() {
  if (here < 0) return;
  const side = 1 - followed[0], entity = shown.mentions[here].of[side];
  if (entity >= 0) look(here, [side, entity]);
}

function none() {
  spans[here]?.forEach((span) => span.classList.remove("here"));
  here = -1;
  follow(undefined);
  tell();
}

// What is told

const written = (first, last) => shown.words.slice(first, last + 1)
  .map((word, n) => (n && !joined.has(first + n) ? shown.between : "") + word).join("");
const words = (n) => shown.mentions[n].at.map(([first, last]) => written(first, last)).join(" … ");
const counted = (n, name) => (n === 1 ? `1 ${name}` : `${n} ${name}s`);

function tell() {
  const along = mentionsOf(followed);
  const at = errors.indexOf(here);
  get("error-number").textContent =
    at < 0 ? counted(errors.length, "error") : `Error ${at + 1} of ${errors.length}`;
  for (const id of ["error-before", "error-after"]) get(id).disabled = !errors.length;
  const said = here < 0
    ? ["Click a mention to follow its entity."]
    : [`“${words(here)}”`, `: ${shown.mentions[here].errors.join(", ") || "right"}`];
  get("said").replaceChildren(...said.map((text) => element("span", text)));
  get("along").hidden = !followed;
  if (followed) {
    const [side, n] = followed;
    get("entity-name").textContent = shown.entities[side][n].name;
    get("entity-name").className = SIDES[side];
    get("mention-number").textContent = ` in the ${SIDES[side]}, ${along.indexOf(here) + 1} of ${along.length}`;
    get("other-side").textContent = `in the ${SIDES[1 - side]}`;
    get("other-side").disabled = here < 0 || shown.mentions[here].of.includes(-1);
  }
  tellEntity();
}

// What became of an entity, in a few words.
function fate({ kind, parts, alone }, side) {
  const lacking = alone ? `${alone} ${side ? "invented" : "missed"}` : "";
  const told = {
    equal: "right", whole: "whole", pure: "pure", missed: "missed", invented: "invented",
    partial: "in part", padded: "padded",
    split: `split over ${parts.length}`, merged: `merged from ${parts.length}`,
  }[kind];
  return parts.length && lacking ? `${told}, ${lacking}` : told;
}

function tellEntity() {
  const box = get("entity");
  box.replaceChildren();
  if (!followed) return;
  const [side, n] = followed;
  const entity = shown.entities[side][n];
  const size = counted(entity.size, "mention");
  box.append(element("h2", `${entity.name}, in the ${SIDES[side]}: ${size}, ${fate(entity, side)}`));
  const list = element("ul");
  entity.parts.forEach(([part, shared]) => {
    const there = shown.entities[1 - side][part];
    list.append(entry(`${shared} in “${there.name}”`, [1 - side, part]));
  });
  if (entity.parts.length) box.append(element("p", `In the ${SIDES[1 - side]}:`, "small"), list);
  const costs = element("table");
  data.measures.forEach((measure, m) => {
    const row = element("tr");
    row.append(element("th", measure), element("td", entity.cost[m].toFixed(2)));
    costs.append(row);
  });
  if (data.measures.length) {
    const lost = side ? "precision" : "recall";
    box.append(element("p", `What it costs in points of ${lost}:`, "small"), costs);
  }
}

function entry(text, entity) {
  const item = element("li"), button = element("button", text, SIDES[entity[0]]);
  button.addEventListener("click", () => {
    const [first] = mentionsOf(entity);
    if (first !== undefined) look(first, entity);
  });
  item.append(button);
  return item;
}

function tellCostliest() {
  const m = get("measures").selectedIndex;
  const all = shown.entities.flatMap((side, s) => side.map((entity, n) => [entity, [s, n]]));
  const costly = all.filter(([entity]) => entity.cost[m] > 0)
    .sort((a, b) => b[0].cost[m] - a[0].cost[m]).slice(0, 12);
  get("costliest").replaceChildren(...costly.map(([entity, [side, n]]) => {
    const points = entity.cost[m] < 0.05 ? "less than 0.1" : entity.cost[m].toFixed(1);
    return entry(`${entity.name}: ${points} points, ${fate(entity, side)}`, [side, n]);
  }));
}

function tellTotals() {
  get("totals").replaceChildren(...Object.entries(shown.totals).flatMap(([name, n]) => [
    element("dt", name.replace("_", " ")), element("dd", String(n)),
  ]));
}

function countKinds() {
  for (const kind of Object.keys(KINDS)) {
    const count = shown.mentions.filter((each) => each.errors.includes(kind)).length;
    get(`count-${kind}`).textContent = count;
  }
}

// What the reader does

for (const [kind, sign] of Object.entries(KINDS)) {
  const box = element("input"), said = element("label"), count = element("span");
  box.type = "checkbox";
  box.checked = wanted.has(kind);
  count.id = `count-${kind}`;
  box.addEventListener("change", () => {
    if (box.checked) wanted.add(kind); else wanted.delete(kind);
    findErrors();
  });
  const name = element("span", `${sign} ${kind}`, "swatch", kind);
  said.append(box, name, count);
  get("kinds").append(said);
}
data.documents.forEach((each) => get("documents").append(element("option", each.name)));
data.measures.forEach((each) => get("measures").append(element("option", each)));
get("measures").selectedIndex = Math.max(0, data.measures.indexOf("b3"));
get("documents").addEventListener("change", (event) => show(event.target.selectedIndex));
get("measures").addEventListener("change", tellCostliest);

const does = {
  "error-before": () => step(errors, -1), "error-after": () => step(errors, 1),
  "mention-before": () => step(mentionsOf(followed), -1),
  "mention-after": () => step(mentionsOf(followed), 1),
  "other-side": other,
};
for (const [id, act] of Object.entries(does)) get(id).addEventListener("click", act);
const keys = { p: "error-before", n: "error-after", b: "mention-before", f: "mention-after", o: "other-side" };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  if (event.key === "Escape") none();
  else if (keys[event.key]) does[keys[event.key]]();
});

// A second click on the same words goes to the other side, then to the mention around them.
get("text").addEventListener("click", (event) => {
  const span = event.target.closest(".m");
  if (!span) return;
  const n = Number(span.dataset.n), { of } = shown.mentions[n];
  if (n === here && followed[0] === 0 && of[1] >= 0) return look(n, [1, of[1]]);
  look(n, of[0] >= 0 ? [0, of[0]] : [1, of[1]]);
});

// Pointing at a mention shows its entities; leaving it, those of the mention that is looked at.
get("text").addEventListener("mouseover", (event) => {
  const span = event.target.closest(".m");
  line(span ? Number(span.dataset.n) : here);
});
get("text").addEventListener("mouseleave", () => line(here));

// On a phone the list is folded below the text.
const wide = matchMedia("(min-width: 48rem)");
const unfold = () => { get("aside").open = wide.matches; };
wide.addEventListener("change", unfold);
unfold();

get("signature").textContent = data.signature + (data.leftOut
  ? `; ${data.leftOut} more documents are left out here: to_html() has all` : "");
if (data.documents.length) show(0);
