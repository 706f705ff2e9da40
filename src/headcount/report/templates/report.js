"use strict";
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const theme = read("theme");
  const spoken = document.getElementById("spoken");

  // A legend does not wrap by itself: fewer columns where the page is narrow.
  const fitted = (box) => {
    const legend = { ...theme.legend, columns: Math.max(1, Math.floor(box.clientWidth / 150)) };
    return { ...theme, legend };
  };

  // Vega-Lite's own "container" width complains about charts with a row for each label, and
  // does not know stacked charts at all: there the first drawing tells what the axes take.
  const sized = (spec, width) => {
    if (spec.vconcat) return { ...spec, vconcat: spec.vconcat.map((part) => ({ ...part, width })) };
    if (spec.width !== "container") return spec;
    return { ...spec, width, autosize: { type: "fit-x", contains: "padding" } };
  };
  const embed = (box, width) =>
    window.vegaEmbed(box, sized(read(box.dataset.spec), width), {
      renderer: "svg",
      actions: false,
      ast: true,
      config: fitted(box),
      tooltip: { theme: "page", disableDefaultStyle: true },
    });
  const draw = async (box) => {
    const room = box.clientWidth;
    const { spec } = await embed(box, room);
    const over = box.querySelector("svg").width.baseVal.value - room;
    if (spec.vconcat && Math.abs(over) > 1) await embed(box, room - over);
    // Layers without a single mark have a role and nothing to say: assistive tools stumble on it.
    for (const layer of box.querySelectorAll('g[role="graphics-symbol"]:not([aria-label])')) {
      layer.removeAttribute("role");
      layer.removeAttribute("aria-roledescription");
    }
    box.dataset.drawn = "yes";
    box.dataset.width = room;
  };

  // Arrow keys walk through the values of a chart and show what hovering shows.
  const tooltip = (mark) => mark.__data__ && mark.__data__.tooltip;
  const values = (box) => [...box.querySelectorAll('[role="graphics-symbol"]')].filter(tooltip);
  const words = (said) =>
    typeof said === "object" ? Object.entries(said).map((pair) => pair.join(": ")).join("; ") : said;
  const hover = (mark, kind) => {
    const { x, y, width, height } = mark.getBoundingClientRect();
    const at = { bubbles: true, clientX: x + width / 2, clientY: y + height / 2 };
    mark.dispatchEvent(new PointerEvent(kind, at));
  };
  const step = (box, event) => {
    const marks = values(box);
    const now = marks.indexOf(document.activeElement);
    const to = {
      ArrowRight: now + 1, ArrowDown: now + 1,
      ArrowLeft: now < 0 ? marks.length - 1 : now - 1, ArrowUp: now < 0 ? marks.length - 1 : now - 1,
      Home: 0, End: marks.length - 1,
    }[event.key];
    if (event.key === "Escape" && now >= 0) {
      hover(marks[now], "pointerout");
      box.focus();
    }
    if (to === undefined || !marks.length) return;
    event.preventDefault();
    if (now >= 0) hover(marks[now], "pointerout");
    const mark = marks[(to + marks.length) % marks.length];
    mark.setAttribute("tabindex", "-1");
    mark.focus();
    hover(mark, "pointerover");
    hover(mark, "pointermove");
    spoken.textContent = words(tooltip(mark));
  };

  const drawIn = (root) => {
    for (const box of root.querySelectorAll(".chart")) {
      box.addEventListener("keydown", (event) => step(box, event));
      const shown = () =>
        draw(box).catch((error) => {
          console.error(error);
          box.textContent = "This chart could not be drawn; its numbers are in the table below.";
        });
      // What is folded has no width yet: it is drawn when it is opened.
      const fold = box.closest("details:not([open])");
      if (fold) fold.addEventListener("toggle", shown, { once: true });
      else shown();
    }
  };
  // Tables can be sorted by any column and saved as CSV; without a script they are as written.
  const number = (text) => {
    const found = /^[<>~]?\s*(?:more than |less than )?([-+−]?[\d,]*\.?\d+)/.exec(text.trim());
    return found ? Number(found[1].replaceAll(",", "").replace("−", "-")) : NaN;
  };
  const cells = (row) => [...row.children].map((cell) => cell.textContent.trim());
  const sortBy = (table, column, heading) => {
    const falls = heading.getAttribute("aria-sort") === "ascending";
    const rows = [...table.tBodies[0].rows];
    const keys = new Map(rows.map((row) => [row, cells(row)[column]]));
    const known = rows.filter((row) => !Number.isNaN(number(keys.get(row))));
    const numeric = known.length * 2 > rows.length;
    const compare = (one, other) => {
      if (!numeric) return keys.get(one).localeCompare(keys.get(other), undefined, { numeric: true });
      const [a, b] = [number(keys.get(one)), number(keys.get(other))];
      if (Number.isNaN(a) || Number.isNaN(b)) return (Number.isNaN(a) - Number.isNaN(b)) * (falls ? -1 : 1);
      return a - b;
    };
    rows.sort(compare);
    if (falls) rows.reverse();
    table.tBodies[0].append(...rows);
    for (const other of heading.parentNode.children) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", falls ? "descending" : "ascending");
  };
  // A spreadsheet must not take a label for a formula.
  const plain = (text) => (/^([=@\t\r]|[-+](?![\d.]))/.test(text) ? `'${text}` : text);
  const csv = (table) =>
    [table.tHead.rows[0], ...table.tBodies[0].rows]
      .map((row) => cells(row).map((text) => `"${plain(text).replaceAll('"', '""')}"`).join(","))
      .join("\r\n");
  const save = (table) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["\ufeff", csv(table)], { type: "text/csv" }));
    const title = table.caption.textContent.trim().toLowerCase();
    link.download = `${title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60)}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const sortableIn = (root) => {
    for (const table of root.querySelectorAll(".table table")) {
      if (table.tBodies[0].rows.length < 2) continue;
      const headings = [...table.tHead.rows[0].cells];
      for (const [column, heading] of headings.entries()) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = heading.textContent;
        button.addEventListener("click", () => sortBy(table, column, heading));
        heading.replaceChildren(button);
      }
      const button = document.createElement("button");
      button.type = "button";
      button.className = "save";
      button.textContent = "Save as CSV";
      button.setAttribute("aria-label", `Save as CSV: ${table.caption.textContent.trim()}`);
      button.addEventListener("click", () => save(table));
      table.parentNode.after(button);
    }
  };
  // A page that shows something new dresses that part again.
  const dress = (root) => {
    drawIn(root);
    sortableIn(root);
  };
  window.headcount = { dress };
  dress(document);

  let waiting;
  window.addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      for (const box of document.querySelectorAll(".chart")) {
        if (box.clientWidth && Number(box.dataset.width) !== box.clientWidth) draw(box).catch(console.error);
      }
    }, 200);
  });
})();
