// A form that asks Python. Its fields are keywords, its data-ask is a module of corefbook.pages; an
// element with data-answer shows what the module's function of that name returns of the fields: a
// sentence and its state, which go to the form's status, and HTML, in which Python has escaped what
// was typed.
// What stands in a closed fold is asked for when the fold is opened. A field with data-of belongs
// to one answer alone. What is chosen or typed stands in the page's address, but for files and for
// lines that belong to one answer.

"use strict";

const here = new URL(".", document.currentScript.src);
const form = document.querySelector("form[data-ask]");
const status = form.querySelector("[role=status]");
const waits = [...form.querySelectorAll(".waits")]; // one for the form, and one in each fold
const places = [...document.querySelectorAll("[data-answer]")];
const uploads = [...form.elements].filter(({ type, dataset }) => type === "file" && !dataset.of);
const examples = form.elements.example;
let [worker, ready, question, writing] = [null, false, 0, 0];

// The state is the status's colour: "said", "right", "wrong" or "refused".
function say(told, state = "said") {
  status.textContent = told;
  status.className = state;
}

const isLink = () => location.hash.includes("=");
const isAsked = (place) => place.ariaBusy === "true" && !place.closest("details:not([open])");

function showWaiting() {
  const asked = places.filter(isAsked);
  for (const line of waits) {
    const fold = line.closest("details");
    line.hidden = fold ? !asked.some((place) => fold.contains(place)) : ready && !asked.length;
    line.firstChild.textContent = ready ? "Computing … " : line.dataset.loading;
  }
}

function waitNoMore() {
  for (const line of waits) line.hidden = true;
}

// From now on an answer to what was asked before is not shown, neither one that is still to come.
function forget(only) {
  question += 1;
  for (const place of places.filter(({ dataset }) => !only || dataset.answer === only)) {
    place.ariaBusy = "true";
    place.since = question;
  }
  say("");
}

async function ask() {
  const [asked, names] = [question, places.filter(isAsked).map(({ dataset }) => dataset.answer)];
  showWaiting();
  if (!names.length) return;
  const chosen = uploads.filter(({ files }) => files.length);
  if (chosen.length && chosen.length < uploads.length) {
    waitNoMore();
    return say("Now the other file.");
  }
  const values = { theme: document.documentElement.dataset.theme };
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string") {
      values[name] = value;
      continue;
    }
    const example = form.elements[name].dataset.example;
    const isChosen = form.elements[name].files.length > 0;
    if (!isChosen && chosen.length) continue; // an example belongs to the other examples alone
    const file = isChosen ? value : await fetch(new URL(example, here));
    values[name] = new Uint8Array(await file.arrayBuffer());
    values[`${name}_name`] = isChosen ? value.name : example;
  }
  if (asked === question) worker.postMessage({ module: form.dataset.ask, names, values, asked });
}

function show({ name, found, asked }) {
  const place = places.find(({ dataset }) => dataset.answer === name);
  if (asked < place.since) return;
  const [told, html, state] = found;
  const before = [...place.querySelectorAll("details[id]")];
  place.innerHTML = html;
  for (const { id, open } of before) document.getElementById(id)?.toggleAttribute("open", open);
  place.ariaBusy = "false";
  if (told) say(told, state);
  showWaiting();
}

function fail(why) {
  ready = true;
  waitNoMore();
  say(`Python failed: ${why}. Change the input or load the page again.`, "refused");
}

// The form in the page's address, and an address in the form.

function write() {
  const kept = ({ name, type, value, tagName, dataset }) =>
    name && type !== "file" && !(dataset.of && tagName === "INPUT") && (value || tagName === "TEXTAREA");
  const state = [...form.elements].filter(kept).map(({ name, value }) => [name, value]);
  history.replaceState(null, "", `#${new URLSearchParams(state)}`);
}

function fill(state) {
  for (const [name, value] of new URLSearchParams(state)) {
    const field = form.elements[name];
    if (!field || field.type === "file") continue;
    field.value = value;
    if (field.selectedIndex === -1) field.selectedIndex = 0; // what a link names is not offered
    if (field === examples) fill(field.selectedOptions[0].dataset.fills);
  }
}

function fillFromLink() {
  form.reset();
  if (examples) examples.value = "";
  fill(location.hash.slice(1));
  forget();
}

function follow({ newURL }) {
  clearTimeout(writing);
  history.replaceState(null, "", newURL); // it may be that what was typed was written over it
  if (!isLink()) return openAimed();
  fillFromLink();
  ask();
}

// What a reader does. A line of text is asked for when it is left, all else at once.

function changed({ target, type }) {
  if (target === examples) {
    const { value } = examples;
    form.reset(); // the choices of an example are the defaults unless it has others
    fill(new URLSearchParams({ example: value }));
  }
  if (examples && target !== examples && !target.dataset.of) examples.value = "";
  if (type === "input") forget(target.dataset.of);
  const ofAnswers = form.querySelectorAll("input[data-of]:not([type=file])");
  if (!target.dataset.of) for (const field of ofAnswers) field.value = "";
  if ((type === "change") === (target.tagName === "INPUT")) ask();
  clearTimeout(writing);
  writing = setTimeout(write, 300); // browsers refuse one at every key
}

function drop(event) {
  const [one, other, ...more] = event.dataTransfer.files;
  if (!one || event.target.type === "file") return; // a text, or a file on its field
  event.preventDefault();
  forget();
  if (!other || more.length) return say("Drop two files, a key and a response, or each on its field.", "refused");
  const exchanged = /key|gold/i.test(other.name) && !/key|gold/i.test(one.name);
  for (const [i, file] of (exchanged ? [other, one] : [one, other]).entries()) {
    const list = new DataTransfer();
    list.items.add(file);
    uploads[i].files = list.files;
  }
  ask();
}

// A link to the section that tells of a fold leads to the fold.
function openAimed() {
  const aimed = [...form.querySelectorAll("details")].find(
    ({ dataset }) => dataset.section && location.hash === `#${dataset.section}`,
  );
  if (!aimed) return;
  aimed.open = true;
  aimed.scrollIntoView();
}

function begin() {
  worker = new Worker(new URL("worker.mjs", here), { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.failed !== undefined) return fail(data.failed);
    ready ||= data.ready;
    if (data.name) show(data);
    showWaiting();
  };
  worker.onerror = () => fail("the worker did not start; an older browser cannot run it");
  form.querySelector("fieldset").disabled = false;
  form.addEventListener("input", changed);
  form.addEventListener("change", changed);
  form.addEventListener("toggle", ask, true);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  addEventListener("hashchange", follow);
  if (uploads.length) {
    addEventListener("dragover", (event) => event.target.type === "file" || event.preventDefault());
    addEventListener("drop", drop);
  }
  openAimed();
  if (isLink()) fillFromLink();
  else if (uploads.some(({ files }) => files.length)) forget(); // the browser has kept them
  ask();
}

if (location.protocol === "file:") say(status.dataset.served, "refused");
else begin();
