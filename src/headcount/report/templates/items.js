"use strict";
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const { labels, classifiers, said, slices, rows } = read("item-data");
  const colours = read("item-colours");
  const [ID, TEXT, COUNTS, ANSWERS, AGAINST, PARTS] = [0, 1, 2, 3, 4, 5];
  const at = (id) => document.getElementById(id);
  const [find, who, kind, label, order] = ["find", "who", "kind", "label", "order"].map(at);
  const chosen = [...document.querySelectorAll("select.slice")];
  const body = at("rows");
  const marked = new Set();
  const STEP = 20;
  let shown = 6;
  let found = rows;

  // Lower-cased once: a search is then a walk over strings.
  let texts;
  const search = (row) => {
    texts = texts || rows.map((each) => `${each[ID]} ${each[TEXT]}`.toLowerCase());
    return texts[row];
  };
  const number = new Map(rows.map((row, place) => [row, place]));
  const sum = (counts) => counts.reduce((one, other) => one + other, 0);
  const top = (row) => row[COUNTS].indexOf(Math.max(...row[COUNTS]));
  const divided = (row) => 1 - Math.max(...row[COUNTS]) / Math.max(1, sum(row[COUNTS]));
  const differ = (row) => new Set(row[ANSWERS]).size;
  const orders = {
    divided: (one, other) => divided(other) - divided(one),
    differ: (one, other) => differ(other) - differ(one) || number.get(one) - number.get(other),
  };
  // "Everyone agrees, it does not" first: for one classifier its own errors, surest first.
  const surest = (place) => (one, other) =>
    other[AGAINST][place] - one[AGAINST][place] ||
    divided(one) - divided(other) ||
    sum(other[COUNTS]) - sum(one[COUNTS]);

  const matches = () => {
    const words = find.value.toLowerCase().trim();
    const place = who.value === "any" ? null : Number(who.value);
    const least = Number(kind.value);
    const wanted = label.value === "" ? null : Number(label.value);
    const parts = chosen.map((each) => (each.value === "" ? null : Number(each.value)));
    return rows.filter((row, j) => {
      const against = place === null ? Math.max(...row[AGAINST]) : row[AGAINST][place];
      if (against < least) return false;
      if (wanted !== null && top(row) !== wanted) return false;
      if (parts.some((part, slice) => part !== null && row[PARTS][slice] !== part)) return false;
      return !words || search(j).includes(words);
    });
  };

  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const cell = (className) => {
    const made = element("td", className);
    made.setAttribute("role", "cell");
    return made;
  };
  const drawn = (row) => {
    const line = element("tr");
    line.setAttribute("role", "row");
    const item = cell("t");
    const mark = element("input", "mark");
    mark.type = "checkbox";
    mark.checked = marked.has(row);
    mark.setAttribute("aria-label", `Mark ${row[ID]}`);
    mark.addEventListener("change", () => {
      if (mark.checked) marked.add(row);
      else marked.delete(row);
      at("marked").disabled = !marked.size;
    });
    item.append(mark, row[TEXT] ? `${row[TEXT]} ` : "", element("span", "id", row[ID]));
    const people = cell("p");
    const shares = element("span", "shares");
    shares.setAttribute("aria-hidden", "true");
    const words = [];
    row[COUNTS].forEach((n, place) => {
      if (!n) return;
      const part = element("i", `l${place % 5}`);
      part.style.flexGrow = n;
      shares.append(part);
      words.push(`${n} × ${labels[place]}`);
    });
    people.append(shares, element("span", "small", words.join(" ")));
    line.append(item, people);
    row[ANSWERS].forEach((answer, place) => {
      const says = cell("a");
      says.dataset.label = classifiers[place];
      const against = row[AGAINST][place];
      const how = against === 2 ? " alone" : against === 1 ? " not" : "";
      says.append(element("span", `ans${how} ${colours[place]}`, (against ? "≠ " : "") + said[answer]));
      line.append(says);
    });
    return line;
  };
  const draw = () => {
    body.replaceChildren(...found.slice(0, shown).map(drawn));
    at("count").textContent = `${found.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} items`;
    at("more").hidden = shown >= found.length;
  };
  const update = () => {
    found = matches();
    const place = who.value;
    if (orders[order.value]) found = [...found].sort(orders[order.value]);
    else if (place !== "any") found = [...found].sort(surest(Number(place)));
    shown = 6;
    draw();
  };

  // A spreadsheet must not take a text for a formula.
  const plain = (text) => (/^([=@\t\r]|[-+](?![\d.]))/.test(text) ? `'${text}` : text);
  const line = (cells) => cells.map((text) => `"${plain(String(text)).replaceAll('"', '""')}"`).join(",");
  const save = (list, name) => {
    const heading = ["item", "text", ...slices.map((each) => each[0]), ...labels.map((each) => `people: ${each}`), ...classifiers];
    const lines = list.map((row) =>
      line([row[ID], row[TEXT], ...row[PARTS].map((part, j) => slices[j][1][part]), ...row[COUNTS], ...row[ANSWERS].map((answer) => said[answer])]),
    );
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["\ufeff", [line(heading), ...lines].join("\r\n")], { type: "text/csv" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };

  for (const each of [who, kind, label, order, ...chosen]) each.addEventListener("change", update);
  find.addEventListener("input", update);
  at("more").addEventListener("click", () => {
    shown += STEP;
    draw();
  });
  at("save").addEventListener("click", () => save(found, "items.csv"));
  at("marked").addEventListener("click", () => save(rows.filter((row) => marked.has(row)), "marked-items.csv"));
  for (const link of document.querySelectorAll("a[data-who]")) {
    link.addEventListener("click", () => {
      who.value = link.dataset.who;
      kind.value = link.dataset.kind;
      update();
    });
  }
  for (const hidden of document.querySelectorAll(".tools, .more")) hidden.hidden = false;
  update();
})();
