// What scripts add to pages that work without them: a list that scrolls through any number of
// trials, filters that answer while one types, keys, the theme, and runs that grow before one's
// eyes. Whatever comes from the server was escaped there.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const tell = (text) => { const box = byId("status"); if (box) box.textContent = text; };

  // Only pages and lines of this server are read as markup.
  const pass = (text) => text;
  const policy = window.trustedTypes
    ? window.trustedTypes.createPolicy("toolgauge", { createHTML: pass })
    : { createHTML: pass };
  const parse = (text) => new DOMParser().parseFromString(policy.createHTML(text), "text/html");
  const read = async (url) => {
    const answer = await fetch(url, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(`${answer.status} for ${url}`);
    return answer.text();
  };

  // The list of cases: only the lines in sight are in the page.
  const CHUNK = 100;
  // A list of so few lines takes the height it needs, rather than an empty frame.
  const SHORT = 12;
  const list = byId("list");
  const state = { total: 0, query: "", chunks: new Map(), marked: -1, generation: 0 };
  const body = () => list.querySelector("tbody");
  // How high a line is: the style sheet says so, and says otherwise on a narrow screen.
  const high = () => Number.parseFloat(getComputedStyle(list).getPropertyValue("--row")) || 34;

  const space = (height) => {
    const row = document.createElement("tr");
    row.className = "space";
    row.setAttribute("aria-hidden", "true");
    const cell = document.createElement("td");
    cell.colSpan = list.querySelectorAll("thead th").length;
    cell.style.height = `${height}px`;
    row.append(cell);
    return row;
  };

  const chunk = (number) => {
    if (!state.chunks.has(number)) {
      const generation = state.generation;
      const url = new URL(list.dataset.rows, location.href);
      url.search = state.query;
      url.searchParams.set("from", number * CHUNK);
      url.searchParams.set("count", CHUNK);
      const lines = read(url).then((text) => {
        if (generation !== state.generation) return [];
        const found = parse(text).querySelector("tbody");
        const lines = found ? [...found.rows] : [];
        state.chunks.set(number, lines);
        const total = Number(found?.dataset.total ?? 0);
        if (total !== state.total) { state.total = total; count(); }
        const note = byId("search-note");
        if (note) note.textContent = found?.dataset.note ?? "";
        // Transcripts are still being read: what they hold is asked for again.
        if (found?.dataset.searching) setTimeout(() => { if (generation === state.generation) again(); }, 1500);
        draw();
        return lines;
      }).catch(() => state.chunks.delete(number));
      state.chunks.set(number, lines);
    }
    return state.chunks.get(number);
  };

  const count = () => {
    const shown = byId("found-count");
    if (shown) shown.textContent = state.total.toLocaleString("en");
    list.querySelector("table").setAttribute("aria-rowcount", state.total + 1);
    tell(`${state.total} trials`);
  };

  const draw = () => {
    list.classList.toggle("short", state.total <= SHORT);
    const line = high();
    const first = Math.max(0, Math.floor(list.scrollTop / line) - 10);
    const last = Math.min(state.total, first + Math.ceil(list.clientHeight / line) + 30);
    const rows = [];
    for (let number = Math.floor(first / CHUNK); number * CHUNK < last; number++) {
      const lines = chunk(number);
      const start = number * CHUNK;
      const end = Math.min(start + CHUNK, state.total);
      if (Array.isArray(lines)) {
        rows.push(...lines.slice(Math.max(0, first - start), Math.max(0, last - start)));
      } else {
        const missing = Math.min(end, last) - Math.max(start, first);
        if (missing > 0) rows.push(space(missing * line));
      }
    }
    if (first > 0) rows.unshift(space(first * line));
    if (last < state.total) rows.push(space((state.total - last) * line));
    const focused = document.activeElement?.closest?.("#list tbody tr");
    body().replaceChildren(...rows);
    for (const row of rows) {
      row.classList.toggle("marked", Number(row.getAttribute("aria-rowindex")) - 2 === state.marked);
    }
    if (focused && focused.isConnected && !focused.contains(document.activeElement)) {
      focused.querySelector("a")?.focus({ preventScroll: true });
    }
  };

  const again = () => {
    state.generation += 1;
    state.chunks.clear();
    chunk(Math.floor(list.scrollTop / high() / CHUNK));
  };

  const reset = (query) => {
    state.query = query;
    state.generation += 1;
    state.chunks.clear();
    state.marked = -1;
    list.scrollTop = 0;
    chunk(0);
  };

  const mark = (place) => {
    state.marked = Math.max(0, Math.min(state.total - 1, place));
    const line = high();
    const top = state.marked * line;
    const head = list.querySelector("thead").offsetHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    if (top + line + head > list.scrollTop + list.clientHeight) {
      list.scrollTop = top + line + head - list.clientHeight;
    }
    draw();
    const row = body().querySelector("tr.marked");
    row?.querySelector("a")?.focus({ preventScroll: true });
  };

  const fields = (form) => {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value !== "") query.append(name, value);
    // The columns that are shown anyway need no mention.
    const usual = form.querySelector("[data-usual]")?.dataset.usual;
    if (usual && query.getAll("column").join(" ") === usual) query.delete("column");
    return query.toString();
  };

  if (list) {
    list.classList.add("scrolling");
    state.total = Number(list.dataset.total);
    state.query = location.search;
    const shown = body();
    const from = Number(shown.dataset.from ?? 0);
    if (from % CHUNK === 0) state.chunks.set(from / CHUNK, [...shown.rows]);
    if (from > 0) list.scrollTop = from * high();
    list.addEventListener("scroll", () => requestAnimationFrame(draw), { passive: true });
    addEventListener("resize", draw);
    draw();

    const form = byId("filters");
    let waiting = 0;
    const filter = () => {
      const query = fields(form);
      history.replaceState(null, "", query ? `?${query}` : location.pathname);
      reset(query);
    };
    form.addEventListener("input", (event) => {
      clearTimeout(waiting);
      // Other columns are another table.
      if (event.target.name === "column") waiting = setTimeout(() => location.assign(`?${fields(form)}`), 700);
      else waiting = setTimeout(filter, 120);
    });
    if (shown.dataset.searching) setTimeout(again, 1500);
    form.addEventListener("submit", (event) => {
      // A button that leads elsewhere takes what the filters say with it.
      if (event.submitter?.hasAttribute("formaction")) return;
      event.preventDefault();
      filter();
    });
    // The order is asked for together with what the filters say now.
    for (const link of all("a[data-sort-by]", list)) {
      link.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        const query = new URLSearchParams(fields(form));
        const wanted = new URL(link.href).searchParams;
        for (const name of ["sort", "reversed"]) {
          query.delete(name);
          if (wanted.has(name)) query.set(name, wanted.get(name));
        }
        location.assign(`${location.pathname}?${query}`);
      });
    }
  }

  // Tables of a page are sorted where they stand.
  const worth = (row, column) => {
    const cell = row.cells[column];
    const text = cell?.dataset.sort ?? cell?.textContent.trim() ?? "";
    const number = Number(text.replace(/[, %]/g, "").replace("−", "-"));
    return text !== "" && !Number.isNaN(number) ? number : text.toLowerCase();
  };
  const sortable = (within) => {
    for (const head of all("table.sortable thead th", within)) {
      if (!head.textContent.trim() || head.querySelector(".unseen, button")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const table = head.closest("table");
        const down = head.getAttribute("aria-sort") !== "descending";
        for (const other of all("th", table.tHead)) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = [...table.tBodies[0].rows];
        rows.sort((a, b) => {
          const [x, y] = [worth(a, head.cellIndex), worth(b, head.cellIndex)];
          const order = typeof x === typeof y ? (x < y ? -1 : x > y ? 1 : 0) : typeof x === "number" ? 1 : -1;
          return down ? -order : order;
        });
        table.tBodies[0].append(...rows);
      });
    }
  };
  sortable(document);

  // What scrolls inside the page can be reached by keyboard.
  const reachable = (within) => {
    for (const box of all(".scroll, pre.text", within)) {
      // A box that is folded away cannot be measured.
      if (!box.clientWidth) continue;
      const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
      if (scrolls) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  reachable(document);
  addEventListener("resize", () => reachable(document));
  document.addEventListener("toggle", () => reachable(document), true);

  // Texts have a button that copies them. A page that is not on this machine nor encrypted may not
  // write to the clipboard: there the text is marked, to be copied by hand.
  const copy = async (box, button) => {
    const text = [...box.childNodes].filter((node) => node !== button).map((node) => node.textContent).join("");
    try {
      await navigator.clipboard.writeText(text);
      tell("Copied.");
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(box);
      button.textContent = "Marked";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  };
  const copyable = (within) => {
    for (const box of all("pre.text", within)) {
      if (box.parentElement.classList.contains("copyable")) continue;
      const around = document.createElement("div");
      around.className = "copyable";
      box.replaceWith(around);
      const button = document.createElement("button");
      button.type = "button";
      button.className = "plain copy";
      button.textContent = "Copy";
      button.addEventListener("click", () => copy(box, button));
      around.append(box, button);
    }
  };
  copyable(document);

  // What was sent and received opens in its place.
  for (const link of all("a.raw")) {
    link.addEventListener("click", async (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const open = link.parentElement.querySelector("pre.raw");
      if (open) { open.remove(); link.setAttribute("aria-expanded", "false"); return; }
      const text = await read(link.href).catch((error) => String(error));
      const box = document.createElement("pre");
      box.className = "text raw";
      box.tabIndex = 0;
      box.textContent = text.length > 2e6 ? `${text.slice(0, 2e6)}\n…` : text;
      link.parentElement.append(box);
      link.setAttribute("aria-expanded", "true");
    });
  }

  // Runs that grow: when the server knows more, the parts of the page that change are replaced.
  const live = document.body.dataset.live;
  const refresh = async () => {
    const fresh = parse(await read(location.href));
    if (fresh.body.dataset.version === "building" || document.body.dataset.version === "building") {
      if (fresh.body.dataset.version !== "building") { location.reload(); return; }
      const [bar, news] = [byId("progress"), fresh.getElementById("progress")];
      if (bar && news) bar.value = Number(news.getAttribute("value"));
      return;
    }
    const chosen = new Set(all('input[name="run"]:checked').map((box) => box.value));
    for (const part of all("[data-swap]")) {
      const news = fresh.getElementById(part.id);
      if (!news) continue;
      part.replaceChildren(...news.childNodes);
      for (const box of all('input[name="run"]', part)) box.checked = chosen.has(box.value);
      sortable(part);
      reachable(part);
      copyable(part);
    }
    if (list) again();
    document.body.dataset.version = fresh.body.dataset.version ?? "";
    if (!fresh.body.dataset.live) delete document.body.dataset.live;
    tell("The page was brought up to date.");
  };
  const watch = async () => {
    try {
      if (document.body.dataset.version === "building") {
        await refresh();
      } else if (!document.hidden) {
        const { version } = JSON.parse(await read(document.body.dataset.live));
        if (version !== document.body.dataset.version) await refresh();
      }
    } catch { /* The server may be gone; it may come back. */ }
    if (document.body.dataset.live) setTimeout(watch, document.body.dataset.version === "building" ? 300 : 1000);
  };
  if (live) setTimeout(watch, document.body.dataset.version === "building" ? 150 : 1000);

  // The theme: as the system has it, light, dark.
  const turnTheme = () => {
    const order = ["", "light", "dark"];
    const next = order[(order.indexOf(document.documentElement.dataset.theme ?? "") + 1) % 3];
    if (next) document.documentElement.dataset.theme = next;
    else delete document.documentElement.dataset.theme;
    try { if (next) localStorage.setItem("theme", next); else localStorage.removeItem("theme"); } catch { /* Not kept, then. */ }
    tell(`Theme: ${next || "as the system has it"}`);
  };
  byId("theme-button")?.addEventListener("click", turnTheme);
  byId("help-button")?.addEventListener("click", () => byId("help").showModal());

  // Keys.
  const rows = () => all("table.runs tbody tr");
  let marked = -1;
  const markRun = (place) => {
    const lines = rows();
    if (!lines.length) return;
    marked = Math.max(0, Math.min(lines.length - 1, place));
    lines.forEach((line, number) => line.classList.toggle("marked", number === marked));
    lines[marked].scrollIntoView({ block: "nearest" });
    lines[marked].querySelector("th a")?.focus({ preventScroll: true });
  };
  const step = (by) => {
    if (list) mark(state.marked + by);
    else if (rows().length) markRun(marked + by);
    else byId(by > 0 ? "next" : "previous")?.click();
  };
  const thumb = (name) => {
    const box = byId(name);
    if (!box) return;
    box.checked = true;
    box.form.requestSubmit();
  };
  const places = Object.fromEntries(all("header.top a[data-key]").map((link) => [link.dataset.key, link.href]));
  let going = false;
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const field = event.target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select");
    if (event.key === "Escape") {
      if (field) field.blur();
      else if (!byId("help")?.open) byId("up")?.click();
      return;
    }
    if (field || byId("help")?.open) return;
    if (going) {
      going = false;
      if (places[event.key]) location.href = places[event.key];
      return;
    }
    const inList = event.target.closest?.("#list, table.runs");
    const keys = {
      j: () => step(1), k: () => step(-1), n: () => step(1), p: () => step(-1),
      ArrowRight: () => byId("next")?.click(), ArrowLeft: () => byId("previous")?.click(),
      ArrowDown: inList && (() => step(1)), ArrowUp: inList && (() => step(-1)),
      x: () => { const box = rows()[marked]?.querySelector("input"); if (box) box.checked = !box.checked; },
      c: () => { if (byId("comment")) byId("comment").focus(); else byId("choose")?.requestSubmit(); },
      u: () => thumb("thumb-up"), d: () => thumb("thumb-down"),
      g: () => { going = true; setTimeout(() => { going = false; }, 1500); },
      "/": () => byId("q")?.focus(), t: turnTheme, "?": () => byId("help")?.showModal(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
})();
