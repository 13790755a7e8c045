"use strict";
const map = document.querySelector("table.map"), body = map.tBodies[0], shown = document.getElementById("shown");
const named = document.getElementById("named"), who = document.getElementById("who");
const rows = Array.from(body.rows, row => ({row, name: row.cells[0].textContent}));
const key = (one, column) => {
  if (column === 0) return one.name;
  const found = parseFloat(one.row.cells[column].textContent);
  return Number.isNaN(found) ? -1 : found;
};
for (const [column, heading] of Array.from(map.tHead.rows[0].cells).entries()) {
  heading.querySelector("button").addEventListener("click", () => {
    const up = heading.getAttribute("aria-sort") !== "ascending";
    for (const other of map.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", up ? "ascending" : "descending");
    const keys = new Map(rows.map(one => [one, key(one, column)]));
    const compare = (a, b) => column === 0 ? a.localeCompare(b) : a - b;
    rows.sort((a, b) => (up ? 1 : -1) * compare(keys.get(a), keys.get(b)));
    body.append(...rows.map(one => one.row));
  });
}
const filter = () => {
  const text = named.value.toLowerCase(), column = Number(who.value);
  let count = 0;
  for (const one of rows) {
    const state = column ? one.row.cells[column].className : "f";
    const fits = one.name.toLowerCase().includes(text) && state !== "" && state !== "p";
    one.row.hidden = !fits;
    count += fits;
  }
  shown.textContent = shown.dataset.words.replace("#", count);
};
named.addEventListener("input", filter);
who.addEventListener("change", filter);
document.querySelector(".filters").hidden = false;
filter();
