"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const SIDES = ["key", "response"];
const LETTERS = ["K", "R"];
const KINDS = { missed: "−", invented: "+", split: "÷", merged: "∪", boundary: "≈" };
const COLOURS = 5, LINES = 4;
const wanted = new Set(Object.keys(KINDS));
const get = (id) => document.getElementById(id);

let shown;      // the document that is seen
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
  styles();
  get("text").replaceChildren(...paragraphs());
  get("text").scrollTop = 0;
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

// A response entity has the line of the key entity with which it shares most, while that is free.
function styles() {
  const [keys, responses] = shown.entities;
  keys.forEach((entity, n) => { entity.style = n; });
  let free = keys.length;
  const taken = new Set();
  const bySize = responses.map((_, n) => n).sort((a, b) => largest(b)[1] - largest(a)[1]);
  for (const n of bySize) {
    const [key] = largest(n);
    responses[n].style = key >= 0 && !taken.has(key) ? key : free++;
    taken.add(responses[n].style);
  }
  function largest(n) {
    return responses[n].parts.reduce((best, part) => (part[1] > best[1] ? part : best), [-1, 0]);
  }
}

// Mentions are elements inside one another. One that crosses another is cut at its end, and goes on.
function paragraphs() {
  const begins = new Map(), ends = new Map(), starts = new Set(shown.sentences);
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
    const span = mention(run.n, open.length);
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
    } else word(shown.between);
    (begins.get(place) || []).sort((a, b) => b.last - a.last).forEach(enter);
    word(text);
    for (let left = (ends.get(place) || []).length; left > 0;) {
      const crossing = [];
      while (open.at(-1).last !== place) crossing.unshift(leave());
      const ended = leave();
      if (ended.isLast) label(ended);
      left -= 1;
      crossing.forEach(enter);
    }
  });
  nested(made);
  return made;
}

function add(map, place, what) {
  if (!map.has(place)) map.set(place, []);
  map.get(place).push(what);
}

function mention(n, depth) {
  const { of, errors: wrong } = shown.mentions[n];
  const span = element("span", undefined, "m", ...wrong);
  span.dataset.n = n;
  span.style.setProperty("--deep", 0);
  of.forEach((entity, side) => {
    if (entity < 0) return;
    const { style } = shown.entities[side][entity];
    span.classList.add("kr"[side], "kr"[side] + (style % LINES));
    span.style[side ? "borderTopColor" : "borderBottomColor"] = `var(--c${style % COLOURS})`;
  });
  spans[n].push(span);
  return span;
}

function label({ n, span }) {
  const { of, errors: wrong } = shown.mentions[n];
  span.prepend(...wrong.map((kind) => element("span", KINDS[kind], "sign", kind)));
  of.forEach((entity, side) => {
    if (entity < 0) return;
    span.append(element(side ? "sup" : "sub", LETTERS[side] + shown.entities[side][entity].id));
  });
}

// The lines of a mention stand clear of those inside it.
function nested(made) {
  const deep = (node) => {
    let most = 0;
    for (const child of node.children) if (child.dataset.n) most = Math.max(most, deep(child) + 1);
    if (node.dataset.n) node.style.setProperty("--deep", most);
    return most;
  };
  made.forEach(deep);
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
  mentionsOf(followed).forEach((n) => mark(n, false));
  followed = entity;
  mentionsOf(followed).forEach((n) => mark(n, true));
}

const mentionsOf = (entity) => (entity ? members[entity[0]][entity[1]] : []);
const mark = (n, on) => spans[n].forEach((span) => span.classList.toggle("followed", on));

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

const words = (n) => shown.mentions[n].at
  .map(([first, last]) => shown.words.slice(first, last + 1).join(shown.between)).join(" … ");

function tell() {
  const along = mentionsOf(followed);
  const numbered = (list, name) => {
    const at = list.indexOf(here);
    return at < 0 ? `${list.length} ${name}` : `${at + 1} of ${list.length}`;
  };
  get("error-number").textContent = numbered(errors, errors.length === 1 ? "error" : "errors");
  get("mention-number").textContent = followed ? numbered(along, "mentions") : "no entity";
  for (const id of ["error-before", "error-after"]) get(id).disabled = !errors.length;
  for (const id of ["mention-before", "mention-after"]) get(id).disabled = !along.length;
  get("other-side").disabled = here < 0 || shown.mentions[here].of.includes(-1);
  get("said").textContent = here < 0
    ? "Click a mention to follow its entity."
    : `“${words(here)}”: ${shown.mentions[here].errors.join(", ") || "right"}`;
  tellEntity();
}

function tellEntity() {
  const box = get("entity");
  box.replaceChildren();
  if (!followed) return;
  const [side, n] = followed;
  const entity = shown.entities[side][n];
  box.append(element("h2", `${LETTERS[side]}${entity.id}, of the ${SIDES[side]}: ${counted(entity.size)}`));
  box.append(element("p", entity.told));
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
  const list = element("ul");
  entity.parts.forEach(([part, shared]) => {
    const there = shown.entities[1 - side][part];
    list.append(entry(`${shared} in ${LETTERS[1 - side]}${there.id}`, [1 - side, part]));
  });
  if (entity.parts.length) box.append(element("p", "On the other side:", "small"), list);
}

const counted = (n) => (n === 1 ? "1 mention" : `${n} mentions`);

function entry(text, entity) {
  const item = element("li"), button = element("button", text);
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
    const text = `${entity.cost[m].toFixed(2)} ${LETTERS[side]}${entity.id}: ${entity.told}`;
    return entry(text, [side, n]);
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
  box.checked = true;
  count.id = `count-${kind}`;
  box.addEventListener("change", () => {
    if (box.checked) wanted.add(kind); else wanted.delete(kind);
    findErrors();
  });
  const name = element("span", `${sign} ${kind} `, "swatch", kind);
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

get("signature").textContent = data.signature + (data.leftOut
  ? `; ${data.leftOut} more documents are left out here: to_html() has all` : "");
if (data.documents.length) show(0);
