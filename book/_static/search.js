// What the page of results shows. A question is its telling words; a page that is called so comes
// before one that has them somewhere, and of equal pages the earlier in the contents comes first.
"use strict";

(() => {
  const SAYS_NOTHING = new Set(
    ("a an and are as at be between by can do does for from how i if in into is it its me my not of on or should " +
      "so that the their there this to use using was we what when where why will with you").split(" "),
  );
  // Words that this book has others for. Both sides are turned into these.
  const SAME = { metric: "measure", metrics: "measure", measures: "measure", evaluate: "score", scoring: "score", license: "licence", licenses: "licence" };
  const MOST = 20; // excerpts are fetched from the pages that are listed
  const ENTRY = 100;
  const PAGE = 90;
  const TERM = 70; // a line of the glossary
  const SECTION = 50;
  const OBJECT = 40; // a name of the library
  const TEXT = 2; // times what Sphinx gives: 15 for a word of a title, 5 for one of the text

  const stemmer = () => new Stemmer();
  const split = (text) =>
    text.normalize("NFKC").toLowerCase().replace(/<[^>]*>/g, " ").match(/[\p{Letter}\p{Number}_]+/gu) ?? [];

  function telling(text) {
    const words = split(text).filter((word) => !SAYS_NOTHING.has(word));
    return words.length ? words : split(text);
  }

  const stems = (text) => new Set(telling(text).map((word) => stemmer().stemWord(SAME[word] ?? word)));

  // A word counts the more, the fewer pages have it.
  function weight(word) {
    const { docnames, terms, titleterms } = Search._index;
    const pages = new Set([terms[word] ?? [], titleterms[word] ?? []].flat()).size;
    return Math.log(1 + docnames.length / Math.max(pages, 1));
  }

  const sum = (words) => [...words].reduce((total, word) => total + weight(word), 0);

  // How much of both is the same, from 0 to 1.
  const likeness = (one, other) => (2 * sum([...one].filter((word) => other.has(word)))) / (sum(one) + sum(other));

  function ranked(query) {
    const { docnames, filenames, titles, alltitles, indexentries } = Search._index;
    const asked = stems(query);
    const best = new Map(); // the best hit of each page

    function hit(file, anchor, title, score, about = null) {
      const before = best.get(file);
      if (before && before[4] >= score) return;
      best.set(file, [docnames[file], title, anchor, about, score, filenames[file]]);
    }

    for (const [title, places] of Object.entries(alltitles)) {
      const like = likeness(asked, stems(title));
      for (const [file, id] of like >= 0.5 ? places : []) {
        if (id === null || titles[file].endsWith(title)) hit(file, "", titles[file], PAGE * like);
        else hit(file, `#${id}`, `${titles[file]} › ${title}`, SECTION * like);
      }
    }
    for (const [entry, places] of Object.entries(indexentries)) {
      const like = likeness(asked, stems(entry));
      for (const [file, id, isMain] of like >= 0.5 ? places : []) {
        if (!isMain) continue;
        hit(file, id ? `#${id}` : "", titles[file], (id.startsWith("term-") ? TERM : ENTRY) * like);
      }
    }
    const words = new Set(telling(query));
    for (const word of words) {
      for (const [doc, name, anchor, about, score] of Search.performObjectSearch(word, words)) {
        hit(docnames.indexOf(doc), anchor, name, Math.min(score, OBJECT), about);
      }
    }
    const found = new Map();
    for (const word of words) {
      const stem = stemmer().stemWord(word);
      for (const [doc, , , , score] of Search.performTermsSearch(new Set([stem]), new Set())) {
        const [held, scored] = found.get(doc) ?? [0, 0];
        found.set(doc, [held + weight(stem), scored + weight(stem) * score]);
      }
    }
    const whole = sum([...words].map((word) => stemmer().stemWord(word)));
    for (const [doc, [held, scored]] of found) {
      const file = docnames.indexOf(doc);
      if (held * 2 >= whole) hit(file, "", titles[file], (TEXT * scored) / whole);
    }
    return inOrder([...best.values()]);
  }

  // The last is shown first.
  function inOrder(hits) {
    const contents = [...document.querySelectorAll(".bd-docs-nav a")].map((link) => link.getAttribute("href"));
    const place = ([doc]) => {
      const at = contents.indexOf(`${doc}.html`);
      return at < 0 ? contents.length : at;
    };
    return hits.sort((a, b) => b[4] - a[4] || place(a) - place(b)).slice(0, MOST).reverse();
  }

  // The index has words. Who searches for a number is led to the ledger, which has them all.
  function leadToLedger() {
    const results = document.getElementById("search-results");
    const asked = (new URLSearchParams(location.search).get("q") ?? "").trim();
    if (!results || !/^[-+−]?[0-9][0-9.,/]*%?$/.test(asked)) return;
    const link = document.createElement("a");
    link.href = `ledger.html?text=${encodeURIComponent(asked)}`;
    link.textContent = `Look for ${asked} in the ledger`;
    const line = document.createElement("p");
    line.className = "search-numbers";
    line.append(link, ", which has every printed figure beside the computed one.");
    results.before(line);
  }

  document.addEventListener("DOMContentLoaded", () => {
    leadToLedger();
    if (typeof Search === "undefined") return;
    Search._performSearch = ranked;
    // An excerpt has no formulas: they would be LaTeX.
    const textOf = Search.htmlToText;
    Search.htmlToText = (...page) => textOf(...page).replace(/\\\[[^]*?\\\]|\\\([^]*?\\\)/g, "…");
  });
})();
