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

  const charts = [...document.querySelectorAll(".chart")];
  for (const box of charts) {
    box.addEventListener("keydown", (event) => step(box, event));
    draw(box).catch((error) => {
      console.error(error);
      box.textContent = "This chart could not be drawn; its numbers are in the table below.";
    });
  }
  let waiting;
  window.addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      for (const box of charts) {
        if (Number(box.dataset.width) !== box.clientWidth) draw(box).catch(console.error);
      }
    }, 200);
  });
})();
