// The search index has words. Who searches for a number is led to the ledger, which has them all.
document.addEventListener("DOMContentLoaded", () => {
  const results = document.getElementById("search-results");
  const asked = (new URLSearchParams(location.search).get("q") ?? "").trim();
  if (!results || !/^[-+−]?[0-9][0-9.,/]*%?$/.test(asked)) return;
  const link = document.createElement("a");
  link.href = `ledger.html?text=${encodeURIComponent(asked)}`;
  link.textContent = `Look ${asked} up in the ledger`;
  const line = document.createElement("p");
  line.className = "search-numbers";
  line.append(link, ", which has every printed figure beside the computed one.");
  results.before(line);
});
