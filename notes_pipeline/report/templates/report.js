// Sorts tables and copies ids; the page says everything without it.
for (const table of document.querySelectorAll("table.sortable")) {
  table.classList.add("ready");
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    head.tabIndex = 0;
    const sort = () => {
      const up = head.getAttribute("aria-sort") === "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const value = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
      const compare = (a, b) => value(a).localeCompare(value(b), undefined, { numeric: true });
      const rows = [...table.tBodies[0].rows].sort((a, b) => (up ? compare(a, b) : compare(b, a)));
      table.tBodies[0].append(...rows);
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(); });
  });
}
document.addEventListener("click", (event) => {
  if (event.target.matches("code.id")) navigator.clipboard?.writeText(event.target.textContent);
});
