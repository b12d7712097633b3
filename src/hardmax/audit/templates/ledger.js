const table = document.querySelector("table.ledger");
const body = table.tBodies[0];
const filters = document.querySelector(".filters");
const status = document.querySelector("#shown");

function show() {
  const chosen = [...filters.querySelectorAll("select")].filter((s) => s.value);
  let shown = 0;
  for (const row of body.rows) {
    row.hidden = !chosen.every((s) => row.dataset[s.name] === s.value);
    shown += !row.hidden;
  }
  status.textContent = `${shown} of ${body.rows.length} claims shown`;
}

function order(header, button) {
  const column = header.cellIndex;
  const descending = header.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", descending ? "descending" : "ascending");
  const value = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
  const compare = (a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === "" || y === "") return (x === "") - (y === "");
    const sign = descending ? -1 : 1;
    return sign * x.localeCompare(y, "en", { numeric: true });
  };
  const numeric = (a, b) => {
    const [x, y] = [Number(value(a)), Number(value(b))];
    return (descending ? -1 : 1) * (x - y);
  };
  const rows = [...body.rows];
  const numbers = rows.every((row) => value(row) === "" || !Number.isNaN(Number(value(row))));
  rows.sort((a, b) => (numbers && value(a) !== "" && value(b) !== "" ? numeric(a, b) : compare(a, b)));
  body.append(...rows);
  status.textContent = `Sorted by ${button.textContent.trim()}, ${descending ? "descending" : "ascending"}`;
}

for (const header of table.tHead.rows[0].cells) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = header.textContent.trim();
  header.replaceChildren(button);
  button.addEventListener("click", () => order(header, button));
}
filters.hidden = false;
filters.addEventListener("change", show);
filters.addEventListener("reset", () => setTimeout(show));
