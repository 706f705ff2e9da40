"use strict";
// Pages work without this script; it saves clicks: dropping files, waiting, copying, sliders.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // Files that are dropped go where they most likely belong; every field can still be changed.
  const ofClassifiers = /pred|model|classif|judge|llm|gpt|system/i;
  const ofGold = /gold|truth|adjudicat/i;
  const put = (input, files) => {
    const held = new DataTransfer();
    for (const file of files) held.items.add(file);
    input.files = held.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };
  for (const form of all("[data-upload]")) {
    const [ratings, predictions, gold] = ["ratings", "predictions", "gold"].map((name) => form.elements[name]);
    const drop = form.querySelector("[data-drop]");
    const problem = form.querySelector("[data-upload-problem]");
    const say = (sentence) => {
      problem.textContent = sentence;
      problem.hidden = !sentence;
    };
    const tooLarge = () => [ratings, predictions, gold].flatMap((input) => [...input.files]).find((file) => file.size > Number(form.dataset.limit));
    const check = () => {
      const large = tooLarge();
      say(large ? `${large.name} is larger than ${form.dataset.limitWords}, the most that is taken here: use the command line for it.` : "");
    };
    form.querySelector("[data-drop-words]").hidden = false;
    drop.addEventListener("dragover", (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
    drop.addEventListener("dragleave", () => drop.classList.remove("over"));
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      drop.classList.remove("over");
      const files = [...event.dataTransfer.files];
      const take = (known) => {
        const at = files.findIndex((file) => known.test(file.name));
        return at < 0 ? [] : files.splice(at, 1);
      };
      const right = take(ofGold);
      let machines = take(ofClassifiers);
      // Without a name that tells, a second file is the classifiers'; three or more are people's.
      if (!machines.length && files.length === 2) machines = files.splice(1, 1);
      if (!machines.length && files.length === 1 && ratings.files.length && !predictions.files.length) machines = files.splice(0, 1);
      if (right.length) put(gold, right);
      if (machines.length) put(predictions, machines);
      if (files.length) put(ratings, files);
    });
    form.addEventListener("change", check);
    form.addEventListener("submit", (event) => {
      check();
      if (tooLarge()) return event.preventDefault();
      const button = form.querySelector("button[type=submit]");
      button.textContent = "Sending …";
      setTimeout(() => (button.disabled = true));
    });
    window.addEventListener("pageshow", () => {
      const button = form.querySelector("button[type=submit]");
      button.disabled = false;
      button.textContent = "Look at the files";
    });
  }

  // A study that is being worked on is asked how far it is until it is done.
  for (const card of all("[data-watch]")) {
    const [step, count, bar] = ["[data-step]", "[data-count]", "progress"].map((part) => card.querySelector(part));
    const look = async () => {
      const answer = await fetch(card.dataset.watch, { headers: { accept: "application/json" } });
      const study = await answer.json();
      if (!answer.ok || !study.progress) return location.replace(location.pathname + location.search);
      const { progress } = study;
      if (step.textContent !== progress.step) step.textContent = progress.step;
      const words = progress.of > 1 ? ` (${progress.done} of ${progress.of} steps done)` : progress.before ? ` (${progress.before} before it)` : "";
      if (count.textContent !== words) count.textContent = words;
      if (progress.of > 1) {
        bar.max = progress.of;
        bar.value = progress.done;
      }
      setTimeout(again, 300);
    };
    // A server that was stopped is no reason to complain every third of a second.
    const again = () => look().catch(() => setTimeout(again, 3000));
    again();
  }

  // A button is pressed once: what it asked for is under way until the next page is there.
  for (const form of all('form[method="post"]:not([data-upload])')) {
    const buttons = () => [...form.elements].filter((each) => each.type === "submit");
    form.addEventListener("submit", () => setTimeout(() => buttons().forEach((each) => (each.disabled = true))));
    window.addEventListener("pageshow", () => buttons().forEach((each) => (each.disabled = false)));
  }

  const copyable = (root) => {
    for (const button of navigator.clipboard ? all("[data-copy]", root) : []) {
      button.hidden = false;
      button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(button.parentNode.querySelector("[data-copied]").textContent);
        button.textContent = "Copied";
      });
    }
  };
  copyable(document);

  // Once a role was changed, the files must be read anew before they can be evaluated.
  const evaluate = document.querySelector("[data-evaluate]");
  if (evaluate) {
    const look = document.querySelector("[data-look]");
    const roles = all("[data-role], [name^='reading-']");
    const state = () => roles.map((field) => field.value).join("\n");
    const before = state();
    const changed = () => {
      const differs = state() !== before;
      evaluate.hidden = differs;
      look.classList.toggle("primary", differs);
    };
    for (const field of roles) field.addEventListener("change", changed);
    window.addEventListener("pageshow", changed);
  }

  // Whoever comes back to a form sees what was written in it, also in parts that start closed.
  window.addEventListener("pageshow", () => {
    const written = (field) => (field.options ? field.selectedIndex > 0 && !field.options[field.selectedIndex].defaultSelected : field.value !== field.defaultValue);
    for (const box of all("details")) box.open ||= all("input, textarea, select", box).some(written);
  });

  // Calculators: a slider and a number are the same; the answer follows, and so does the address.
  for (const form of all("[data-calculator]")) {
    let asked = 0;
    const answer = document.getElementById("answer");
    const ask = async () => {
      const number = ++asked;
      const told = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
      const address = `${form.getAttribute("action")}?${told}`;
      answer.setAttribute("aria-busy", "true");
      const page = await (await fetch(address)).text();
      if (number !== asked) return;
      const found = new DOMParser().parseFromString(page, "text/html").getElementById("answer");
      history.replaceState(null, "", address);
      answer.replaceChildren(...found.childNodes);
      answer.removeAttribute("aria-busy");
      window.headcount.dress(answer);
      copyable(answer);
    };
    // Fields of another case are put away; what stands in them stays.
    const cases = () => {
      for (const choice of all("[data-case]", form)) {
        for (const part of all(`[data-form="${choice.name}"]`, form)) part.hidden = part.dataset.of !== choice.value;
      }
    };
    cases();
    let waiting;
    form.addEventListener("input", (event) => {
      const twin = event.target.dataset.twin && document.getElementById(event.target.dataset.twin);
      if (twin) twin.value = event.target.value;
      cases();
      clearTimeout(waiting);
      waiting = setTimeout(() => ask().catch(console.error), 150);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      clearTimeout(waiting);
      ask().catch(console.error);
    });
  }
})();
