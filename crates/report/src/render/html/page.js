// Makes pages of toolgauge livelier. Everything is readable without it.
"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("has-scripts");

  // The theme: what the system says, until the reader says otherwise.
  const key = "toolgauge-theme";
  const remembered = () => { try { return localStorage.getItem(key); } catch { return null; } };
  const remember = (theme) => { try { localStorage.setItem(key, theme); } catch { /* from disk */ } };
  const known = remembered();
  if (known === "light" || known === "dark") root.dataset.theme = known;
  const button = document.getElementById("theme");
  if (button) {
    button.addEventListener("click", () => {
      const dark = root.dataset.theme
        ? root.dataset.theme === "dark"
        : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      remember(root.dataset.theme);
    });
  }

  // Tables: a click on a heading sorts by its column, another one turns the order.
  const value = (row, column) => {
    const cell = row.cells[column];
    if (!cell) return "";
    const text = cell.dataset.sort ?? cell.textContent.trim();
    const number = Number.parseFloat(text.replace(/,/g, "").replace("−", "-"));
    return Number.isNaN(number) ? text : number;
  };
  const order = (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
  const sort = (table, column, heading) => {
    const descending = heading.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => order(value(a, column), value(b, column)) * (descending ? -1 : 1));
    table.tBodies[0].append(...rows);
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    if (!table.tHead || table.tBodies.length === 0) continue;
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      if (heading.classList.contains("bar-column")) return;
      const press = document.createElement("button");
      press.type = "button";
      press.className = "sort";
      press.append(...heading.childNodes);
      heading.append(press);
      press.addEventListener("click", () => sort(table, column, heading));
    });
  }

  // What scrolls keeps its stop for the keyboard; what does not would only be in the way.
  const reachable = () => {
    for (const box of document.querySelectorAll(".scroll, pre.text")) {
      // A box that is folded away cannot be measured.
      if (!box.clientWidth) continue;
      const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
      if (scrolls) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  reachable();
  addEventListener("resize", reachable);
  document.addEventListener("toggle", reachable, true);

  // Browsers that cannot unfold by style alone unfold before they print, and fold afterwards.
  const unfolded = [];
  addEventListener("beforeprint", () => {
    for (const folded of document.querySelectorAll("details:not([open])")) {
      folded.open = true;
      unfolded.push(folded);
    }
  });
  addEventListener("afterprint", () => {
    for (const folded of unfolded.splice(0)) folded.open = false;
  });

  // Lists: words typed into the filter leave what holds all of them.
  for (const input of document.querySelectorAll("input[data-filters]")) {
    const list = document.getElementById(input.dataset.filters);
    if (!list) continue;
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const item of list.children) {
        const text = item.textContent.toLowerCase();
        item.hidden = !words.every((word) => text.includes(word));
      }
    });
  }

  // The figures as a file.
  const save = document.getElementById("save-data");
  const data = document.getElementById("data");
  if (save && data) {
    save.addEventListener("click", () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([data.textContent], { type: "application/json" }));
      link.download = "toolgauge-report.json";
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }
})();
