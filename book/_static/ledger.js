// Search and filter of the ledger's table, which shows some rows at once. Without this the whole
// table is there all the same.
const AT_ONCE = matchMedia("(max-width: 640px)").matches ? 20 : 50;

const SYMBOLS = { kappa: "κ", bcubed: "b3", "b-cubed": "b3", bcub: "b3", phi: "φ" }; // as typed, as written

document.addEventListener("DOMContentLoaded", () => {
  const table = document.getElementById("figures");
  const tools = document.getElementById("ledger-tools");
  if (!table || !tools) return;

  const { text, paper, verdict } = tools.elements;
  const count = tools.querySelector("output");
  const more = document.getElementById("ledger-more");
  let most = AT_ONCE;
  const groupOf = Object.fromEntries(
    [...verdict.options].map((each) => [each.value, each.parentElement.label]),
  );
  const folded = (words) => words.normalize("NFKC").toLowerCase();
  const groups = [...table.tBodies].map((body) => ({
    body,
    rows: [...body.rows].slice(1).map((row) => ({
      row,
      words: folded(`${row.textContent} ${row.id} ${body.rows[0].textContent}`),
      verdict: row.querySelector(".verdict").textContent,
      group: groupOf[row.querySelector(".verdict").textContent],
    })),
  }));
  const all = groups.reduce((sum, group) => sum + group.rows.length, 0);

  const show = () => {
    const typed = folded(text.value).split(/\s+/).filter(Boolean);
    const wanted = typed.map((word) => SYMBOLS[word] ?? word);
    const linked = location.hash.slice(1); // a link to a row shows that row
    let fitting = 0;
    for (const { body, rows } of groups) {
      let inGroup = 0;
      for (const each of rows) {
        const fits =
          (!paper.value || paper.value === body.dataset.paper) &&
          (!verdict.value || [each.verdict, each.group].includes(verdict.value)) &&
          wanted.every((word) => each.words.includes(word));
        fitting += fits;
        const shown = (fits && fitting <= most) || each.row.id === linked;
        each.row.hidden = !shown;
        inGroup += shown;
      }
      body.hidden = !inGroup;
    }
    table.classList.add("chosen"); // before, custom.css shows the first sources
    const rest = Math.max(fitting - most, 0);
    more.hidden = !rest;
    more.textContent = `Show ${Math.min(rest, AT_ONCE)} more`;
    count.textContent =
      `${fitting} of ${all} figures` +
      (rest ? `, the first ${most} shown` : "") +
      (fitting ? "" : `: ${reason(wanted)}`);
  };

  // Why nothing is shown: no row has the words, the source has no such verdict, or was not seen.
  const unseen = Object.entries(JSON.parse(tools.dataset.unseen));
  const reason = (wanted) => {
    const known = unseen.find(([name]) => wanted.some((word) => folded(name).includes(word)));
    if (known) return `${known[0]} was not seen. This book has ${known[1]}.`;
    const anywhere = groups.some(({ rows }) =>
      rows.some(({ words }) => wanted.every((word) => words.includes(word))),
    );
    if (!anywhere) return `no figure has “${text.value.trim()}”`;
    const chosen = [paper, verdict].filter(({ value }) => value);
    const names = chosen.map((each) => each.selectedOptions[0].label);
    return `none of ${names.join(", ")}${wanted.length ? ` has “${text.value.trim()}”` : ""}`;
  };

  // What is chosen stands in the address, so that a view of the ledger can be linked to.
  const remember = () => {
    const chosen = [...new FormData(tools)].filter(([, value]) => value);
    const query = new URLSearchParams(chosen).toString();
    history.replaceState(null, "", (query ? `?${query}` : location.pathname) + location.hash);
  };
  const recall = () => {
    const asked = new URLSearchParams(location.search);
    for (const field of [text, paper, verdict]) field.value = asked.get(field.name) ?? "";
  };

  const changed = () => {
    most = AT_ONCE;
    show();
    remember();
  };
  tools.addEventListener("input", changed);
  tools.addEventListener("reset", () => setTimeout(changed));
  more.addEventListener("click", () => {
    most += AT_ONCE;
    show();
  });
  // A link to where a figure is derived takes along which one it is; folds.js shows it there.
  table.addEventListener("click", ({ target }) => {
    const link = target.closest("td:first-child > a");
    if (!link) return;
    const [, , figure, printed] = [...link.closest("tr").cells].map((cell) => cell.textContent);
    link.search = new URLSearchParams({ figure, printed });
  });
  tools.addEventListener("submit", (event) => event.preventDefault());
  const follow = () => {
    show();
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  recall();
  tools.hidden = false;
  follow();
});
