/* The moving figure: mentions of one sentence are dragged between entities of the response.

   All scores and pictures come from living-data.js, which the book's build wrote with the library.
   The still drawing inside the element stays where this script does not run. */
"use strict";

(() => {
  const data = window.LIVING;
  const MISSING = "-";
  const SVG = "http://www.w3.org/2000/svg";
  const LINKS = "Below: the key's, above: the response's. A dashed link is one that the other side lacks.";
  const LINES = "thick lines are the best alignment.";
  const VIEWS = {
    muc: { read: LINKS, draw: (shown) => arcs(shown.spanning) },
    b3: {
      read: "Below: shares of the key's entities, for recall; above: of the response's, for precision.",
      draw: (shown) => credits(shown.credits),
    },
    ceafm: {
      read: `A line has the mentions that two entities share; ${LINES}`,
      draw: (shown, state) => alignment(shown.pairs, state, "ceafm"),
    },
    ceafe: {
      read: `A line has how similar two entities are; ${LINES}`,
      draw: (shown, state) => alignment(shown.pairs, state, "ceafe"),
    },
    blanc: {
      read: "Lower right half of a pair: the key; upper left half: the response.",
      draw: (shown) => grid(shown.grid),
    },
    lea: { read: LINKS, draw: (shown) => arcs(shown.links) },
    conll: { read: "Three different pictures in one number.", draw: (shown) => mean(shown.scores) },
  };
  const WIDE = 480;
  const X = [60, 180, 300, 420];

  const shortly = (score) => Number(score).toFixed(2);
  const words = (place) => data.mentions[place].replaceAll("_", " ");

  /* The state is the name of a response: a letter for each mention, see corefbook/pages/living.py. */

  function named(letters) {
    const met = [...new Set(letters)].filter((each) => each !== MISSING);
    return letters.map((each) => (each === MISSING ? MISSING : met.indexOf(each))).join("");
  }

  function entities(state) {
    const found = [];
    [...state].forEach((letter, place) => {
      if (letter !== MISSING) (found[letter] ??= []).push(place);
    });
    return found;
  }

  // Elements

  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  function shape(tag, attributes, text) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  const label = (x, y, text, kind = "") => shape("text", { x, y, class: kind }, text);

  function picture(height, described, shapes, wide = WIDE) {
    const svg = shape("svg", { viewBox: `0 0 ${wide} ${height}`, role: "img", "aria-label": described });
    svg.append(...shapes);
    return svg;
  }

  // What each measure counts

  function arcs({ key, response }) {
    const shapes = data.mentions.map((_, place) => label(X[place], 104, words(place), "mention"));
    const told = [];
    for (const [side, links, edge, sign] of [["key", key, 114, 1], ["response", response, 86, -1]]) {
      for (const [a, b, found] of links) {
        const wide = X[b] - X[a];
        const inset = wide ? 24 - wide / 15 : -20; // a longer link begins farther out, and is higher
        const [from, to] = [X[a] + inset, X[b] - inset];
        const deep = edge + sign * (wide ? 5 + 0.29 * wide : 40);
        const path = `M${from} ${edge} C${from} ${deep} ${to} ${deep} ${to} ${edge}`;
        shapes.push(shape("path", { d: path, class: `link ${side} ${found ? "found" : "lost"}` }));
        told.push(`${side}: ${words(a)} – ${words(b)}${found ? "" : " (the other side lacks it)"}`);
      }
    }
    return picture(200, `Links. ${told.join("; ")}.`, shapes);
  }

  function credits({ key, response }) {
    const shapes = [];
    const told = [];
    const value = (text) => text.split("/").reduce((above, below) => above / below);
    data.mentions.forEach((_, place) => {
      shapes.push(label(X[place], 104, words(place), "mention"));
      for (const [side, text, edge, sign] of [
        ["key", key[place], 116, 1],
        ["response", response[place], 84, -1],
      ]) {
        if (text === null) {
          shapes.push(label(X[place], edge + sign * 20 + 5, "missing", "small"));
          told.push(`${words(place)} is not in the ${side}`);
          continue;
        }
        const tall = 50 * value(text);
        const top = (height) => (sign > 0 ? edge : edge - height);
        shapes.push(
          shape("rect", { x: X[place] - 24, y: top(50), width: 48, height: 50, class: `room ${side}` }),
          shape("rect", { x: X[place] - 24, y: top(tall), width: 48, height: tall, class: `bar ${side}` }),
          label(X[place] + 42, edge + sign * 25 + 5, text),
        );
        told.push(`${words(place)}, ${side}: ${text}`);
      }
    });
    return picture(200, `Credits. ${told.join("; ")}.`, shapes);
  }

  function alignment(pairs, state, measure) {
    const sides = { key: entities(data.key), response: entities(state) };
    const at = (side, number) => (WIDE * (number + 0.5)) / sides[side].length;
    const shapes = [];
    const told = [];
    for (const pair of pairs) {
      const [from, to] = [at("key", pair.key), at("response", pair.response)];
      const chosen = pair.chosen.includes(measure);
      shapes.push(
        shape("line", { x1: from, y1: 150, x2: to, y2: 48, class: chosen ? "pair chosen" : "pair" }),
      );
      const [x, y] = [from + 0.34 * (to - from), 150 - 0.34 * 102];
      shapes.push(shape("circle", { cx: x, cy: y, r: 17, class: "ground" }), label(x, y + 5, pair[measure]));
      told.push(`K${pair.key + 1} and R${pair.response + 1}: ${pair[measure]}${chosen ? ", aligned" : ""}`);
    }
    for (const [side, y] of [["key", 150], ["response", 10]]) {
      sides[side].forEach((places, number) => {
        const text = places.map(words).join(", ");
        const wide = Math.min(WIDE / sides[side].length - 8, 20 + 9 * text.length);
        const x = at(side, number);
        shapes.push(
          shape("rect", { x: x - wide / 2, y, width: wide, height: 38, rx: 8, class: `box ${side}` }),
          label(x, y + 24, text, "mention"),
        );
      });
    }
    return picture(200, `Alignment. ${told.join("; ") || "No entities overlap"}.`, shapes);
  }

  function grid(cells) {
    const shapes = [];
    const told = [];
    const [left, top, wide, tall] = [108, 30, 122, 48];
    data.mentions.slice(1).forEach((_, column) => {
      shapes.push(label(left + wide * (column + 0.5), top - 10, words(column + 1), "mention"));
    });
    data.mentions.slice(0, -1).forEach((_, row) => {
      shapes.push(shape("text", { x: left - 10, y: top + tall * (row + 0.6), class: "mention end" }, words(row)));
    });
    const said = { 1: "linked", 0: "not linked", null: "missing" };
    for (const [a, b, key, response] of cells) {
      const [x, y] = [left + wide * (b - 1), top + tall * a];
      const half = (points, side, linked) =>
        shape("polygon", { points, class: `half ${side} ${said[linked].replace(" ", "-")}` });
      shapes.push(
        half(`${x},${y} ${x + wide},${y} ${x},${y + tall}`, "response", response),
        half(`${x + wide},${y} ${x + wide},${y + tall} ${x},${y + tall}`, "key", key),
        shape("rect", { x, y, width: wide, height: tall, class: "cell" }),
        label(x + wide * 0.27, y + tall * 0.42, { 1: "link", 0: "no link", null: "?" }[response], "small"),
        label(x + wide * 0.73, y + tall * 0.84, key ? "link" : "no link", "small"),
      );
      told.push(`${words(a)} and ${words(b)}: key ${said[key]}, response ${said[response]}`);
    }
    return picture(180, `Pairs. ${told.join("; ")}.`, shapes);
  }

  function mean(scores) {
    const names = ["muc", "b3", "ceafe", "conll"];
    const shapes = names.flatMap((name, place) => {
      const [y, { f1 }] = [36 * place, scores[name]];
      const bar = { x: 122, y: y + 6, width: 110 * f1, height: 24, fill: `var(--${name})` };
      const shown = label(114, y + 24, data.measures[name], "mention end");
      return [shown, shape("rect", bar), label(264, y + 24, f1)];
    });
    const told = names.map((name) => `${data.measures[name]} ${scores[name].f1}`);
    return picture(150, `F1. ${told.join("; ")}.`, shapes, 296);
  }

  // The figure

  class Figure {
    constructor(place) {
      this.measure = place.dataset.measure || "muc";
      this.rows = place.dataset.rows.split(" "); // the measures that the page's reader has met
      this.state = data.response;
      this.chosen = null; // the mention that was tapped
      this.boxes = element("div", { class: "entities" });
      this.boxes.addEventListener("click", (event) => this.tap(event));
      this.scores = element("tbody");
      this.says = element("p", { class: "says" });
      this.view = element("div", { class: "view" });
      this.told = element("p", { class: "visually-hidden", "aria-live": "polite" });
      this.bet = this.rows.length === Object.keys(data.measures).length ? this.question() : "";
      this.again = element("button", { type: "button", class: "again" }, "Start again");
      this.again.addEventListener("click", () => this.show(data.response, "As at first"));
      const head = ["measure", "recall", "precision", "F1"].map((text) =>
        element("th", { scope: "col", class: text.toLowerCase() }, text),
      );
      const table = element(
        "table",
        {},
        element("caption", {}, "Choose a measure to see what it counts."),
        element("thead", {}, element("tr", {}, ...head)),
        this.scores,
      );
      const instruction = element(
        "p",
        { class: "instruction" },
        "Drag a mention to another entity, or tap it and then the entity, or press the arrow keys on it.",
      );
      const controls = element("div", { class: "controls" }, instruction, this.again);
      const panels = element("div", { class: "panels" }, table, element("div", { class: "seen" }, this.says, this.view));
      this.sentence = element("p", { class: "sentence" });
      place.append(this.sentence, this.bet, controls, this.boxes, panels, this.told);
      place.classList.add("moves");
      this.show(this.state);
    }

    /* Before the first move, a guess. The figure then makes the move and says what came of it. */
    question() {
      const guesses = this.rows.map((name) => {
        const guess = element("button", { type: "button" }, data.measures[name]);
        guess.addEventListener("click", () => this.answer(name));
        return guess;
      });
      const asked = "First a guess: suppose that everybody is put into one entity. Which score will fall most?";
      return element("p", { class: "bet", tabindex: -1 }, asked, ...guesses);
    }

    answer(guess) {
      const together = data.response.replace(/./g, "0");
      const [before, after] = [data.response, together].map((state) => data.responses[state].scores);
      const fall = (name) => before[name].f1 - after[name].f1;
      const change = (name) => `from ${shortly(before[name].f1)} to ${shortly(after[name].f1)}`;
      const sorted = [...this.rows].sort((one, other) => fall(other) - fall(one));
      const [most, least] = [sorted[0], sorted.at(-1)];
      const begin = guess === most ? "Yes," : `Not ${data.measures[guess]}:`;
      const rise = fall(least) < 0 ? ` And ${data.measures[least]} even rises, ${change(least)}.` : "";
      this.show(together);
      this.bet.replaceChildren(`${begin} ${data.measures[most]} falls most, ${change(most)}.${rise} Now move mentions yourself.`);
      this.bet.focus();
    }

    /* Where a mention may go: each entity of the response, a new one, and out of it. */
    places() {
      const taken = entities(this.state).length;
      const room = taken < data.mentions.length ? [String(taken)] : [];
      return [...entities(this.state).keys()].map(String).concat(room, MISSING);
    }

    move(place, to) {
      const letters = [...this.state];
      if (letters[place] === to) return;
      if (this.bet) this.bet.remove();
      letters[place] = to;
      const next = named(letters);
      const where = next[place] === MISSING ? "left out" : `in entity R${Number(next[place]) + 1}`;
      this.show(next, `${words(place)} is ${where}`);
      this.boxes.querySelector(`[data-mention="${place}"]`).focus();
    }

    step(place, by) {
      const alone = this.state[place] !== MISSING && this.state.split(this.state[place]).length === 2;
      const isNew = (to) => to === String(entities(this.state).length);
      const places = this.places().filter((to) => !(alone && isNew(to))); // it is in a new one already
      const at = places.indexOf(this.state[place]) + by;
      this.move(place, places[(at + places.length) % places.length]);
    }

    chip(place) {
      const chip = element("button", { type: "button", class: "chip", "data-mention": place }, words(place));
      const there = this.state[place] === MISSING ? "left out" : `entity R${Number(this.state[place]) + 1}`;
      chip.setAttribute("aria-label", `${words(place)}: ${there}. Arrow keys move it.`);
      chip.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && this.chosen !== null) this.pick(this.chosen);
        const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        this.step(place, by);
      });
      chip.addEventListener("pointerdown", (event) => this.drag(event, chip, place));
      return chip;
    }

    /* A tap, a click or Enter chooses a mention; the next tap says which entity it goes to. There
       it may meet another mention: that stands for its entity, unless both are in one. */
    tap({ target }) {
      const [chip, entity] = [target.closest(".chip"), target.closest(".entity")?.dataset.entity];
      if (this.chosen !== null && entity !== undefined && entity !== this.state[this.chosen]) {
        const place = this.chosen;
        this.pick(place);
        this.move(place, entity);
      } else if (chip) this.pick(Number(chip.dataset.mention));
    }

    pick(place) {
      this.chosen = this.chosen === place ? null : place;
      for (const chip of this.boxes.querySelectorAll(".chip")) {
        chip.setAttribute("aria-pressed", Number(chip.dataset.mention) === this.chosen);
      }
      this.aim(this.chosen);
      if (this.chosen !== null) this.told.textContent = `${words(place)} is chosen: tap an entity.`;
    }

    /* While a mention is held, the entities that it may go to are lit. */
    aim(place) {
      for (const each of this.boxes.children) {
        each.classList.toggle("target", place !== null && each.dataset.entity !== this.state[place]);
      }
    }

    drag(event, chip, place) {
      const [startX, startY] = [event.clientX, event.clientY];
      const box = (x, y) => {
        chip.style.pointerEvents = "none";
        const found = document.elementFromPoint(x, y)?.closest(".entity");
        chip.style.pointerEvents = "";
        return this.boxes.contains(found) ? found : null;
      };
      const follow = (moved) => {
        chip.style.transform = `translate(${moved.clientX - startX}px, ${moved.clientY - startY}px)`;
        for (const each of this.boxes.children) each.classList.remove("over");
        box(moved.clientX, moved.clientY)?.classList.add("over");
      };
      const drop = (dropped) => {
        chip.removeEventListener("pointermove", follow);
        chip.classList.remove("dragged");
        chip.style.transform = "";
        this.aim(this.chosen);
        for (const each of this.boxes.children) each.classList.remove("over");
        const found = dropped.type === "pointerup" && box(dropped.clientX, dropped.clientY);
        if (found) this.move(place, found.dataset.entity);
      };
      chip.setPointerCapture(event.pointerId);
      chip.classList.add("dragged");
      this.aim(place);
      chip.addEventListener("pointermove", follow);
      chip.addEventListener("pointerup", drop, { once: true });
      chip.addEventListener("pointercancel", drop, { once: true });
    }

    show(state, told = "") {
      this.state = state;
      this.chosen = null;
      const shown = data.responses[state];
      const marked = data.mentions.flatMap((_, place) => [this.marked(place), data.text[place + 1]]);
      this.sentence.replaceChildren(data.text[0], ...marked);
      this.boxes.replaceChildren(...this.places().map((entity) => this.box(entity)));
      this.scores.replaceChildren(...this.rows.map((name) => this.row(name, shown.scores[name])));
      this.again.disabled = state === data.response;
      this.choose(this.measure);
      if (told) {
        const scores = shown.scores[this.measure];
        this.told.textContent = `${told}. ${data.measures[this.measure]} F1 ${scores.f1}.`;
      }
    }

    /* A mention in the sentence: below it its entity in the key, above it that in the response. */
    marked(place) {
      const [key, response] = [data.key[place], this.state[place]];
      const mark = element("span", { class: "told", "data-key": key, "data-response": response }, words(place));
      mark.append(element("sub", {}, `K${Number(key) + 1}`));
      if (response !== MISSING) mark.append(element("sup", {}, `R${Number(response) + 1}`));
      return mark;
    }

    box(entity) {
      const here = [...this.state].flatMap((letter, place) => (letter === entity ? [place] : []));
      const title =
        entity === MISSING ? "left out" : here.length ? `entity R${Number(entity) + 1}` : "new entity";
      const kind = entity === MISSING ? "entity out" : here.length ? "entity" : "entity new";
      const chips = here.map((place) => this.chip(place));
      return element(
        "div",
        { class: kind, "data-entity": entity, role: "group", "aria-label": title },
        element("span", { class: "title" }, title),
        ...chips,
      );
    }

    row(name, scores) {
      const chosen = element("button", { type: "button", "data-name": name }, data.measures[name]);
      chosen.addEventListener("click", () => this.choose(name));
      const cells = ["recall", "precision", "f1"].map((part) => {
        const exact = scores[`exact_${part}`];
        const cell = element("td", exact ? { title: exact } : {}, scores[part] ?? "—");
        if (part === "f1") cell.style.cssText = `--share: ${scores.f1}; --dot: var(--${name})`;
        return cell;
      });
      cells[2].classList.add("f1");
      return element("tr", {}, element("th", { scope: "row" }, chosen), ...cells);
    }

    choose(measure) {
      this.measure = measure;
      for (const button of this.scores.querySelectorAll("button")) {
        const chosen = button.dataset.name === measure;
        button.setAttribute("aria-pressed", chosen);
        button.closest("tr").classList.toggle("chosen", chosen);
      }
      const view = VIEWS[measure];
      this.says.textContent = `${data.says[measure]} ${view.read}`;
      this.view.replaceChildren(view.draw(data.responses[this.state], this.state));
    }
  }

  for (const place of document.querySelectorAll(".living")) new Figure(place);
})();
