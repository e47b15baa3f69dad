"use strict";
(() => {
  const PIECE = 6000; // UTF-16 units of text that are put on the page at once
  const LINE = { units: 85, pixels: 24.4 }; // how much of it fits into a line, to estimate heights before that
  const UNCUT = { name: "no method", mean: null, starts: [], ends: [], tokens: [], cut: [], broken: [], flags: [] };
  const $ = (id) => document.getElementById(id);
  const make = (tag, name, text) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const count = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
  document.documentElement.classList.add("live");

  // The filter over documents.
  const listed = [...document.querySelectorAll(".doc")].map((doc) => ({
    doc,
    text: (doc.querySelector(".name").textContent + " " + doc.querySelector(".best").textContent).toLowerCase(),
  }));
  $("filter").addEventListener("input", (event) => {
    const wanted = event.target.value.trim().toLowerCase();
    let found = 0;
    for (const { doc, text } of listed) {
      doc.hidden = !text.includes(wanted);
      found += doc.hidden ? 0 : 1;
    }
    $("matches").textContent = wanted ? count(found, "document") : "";
  });

  $("order").addEventListener("change", (event) => {
    const by = event.target.value; // what a document lacks comes last
    const key = ({ doc }) => (doc.dataset[by] === undefined ? Infinity : Number(doc.dataset[by]));
    const sorted = [...listed].sort((a, b) => key(a) - key(b) || a.doc.dataset.place - b.doc.dataset.place);
    for (const { doc } of sorted) doc.parentNode.append(doc);
  });

  // Heatmaps: the chunks of the chosen method.
  document.addEventListener("change", (event) => {
    const heat = event.target.closest(".heat");
    if (!heat) return;
    for (const kind of ["path", ".told"]) {
      heat.querySelectorAll(kind).forEach((one, index) => one.classList.toggle("shown", index === event.target.selectedIndex));
    }
  });

  // Which index of the sorted `starts` is the last one at or before `offset`; -1 if none.
  const lastAtOrBefore = (starts, offset) => {
    let low = 0, high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle + 1; else high = middle;
    }
    return low - 1;
  };

  // Stretches of text between neighbouring chunk edges, each with the chunks that hold it: none in a gap, two or more
  // where chunks overlap. Long ones go on in further rows.
  function layRows(doc, method) {
    const { starts, ends } = method;
    const edges = [...new Set([0, doc.text.length, ...starts, ...ends])].sort((a, b) => a - b);
    const cut = method.cut.map((index) => [doc.blocks[1][index], doc.blocks[2][index], doc.blocks[0][index]]);
    const cutStarts = cut.map((block) => block[0]);
    const rows = [];
    let next = 0, active = [];
    const push = (from, to, chunks, opens) => {
      const block = cut[lastAtOrBefore(cutStarts, from - 1)];
      const cuts = block && block[1] > from ? block[2] : null;
      rows.push({ from, to, chunks, opens, cuts, edge: true });
    };
    edges.forEach((from, index) => {
      active = active.filter((chunk) => ends[chunk] > from);
      const opens = [];
      for (; next < starts.length && starts[next] <= from; next++) {
        if (ends[next] > from) { active.push(next); opens.push(next); } else push(from, from, [next], [next]);
      }
      if (index + 1 < edges.length) push(from, edges[index + 1], active.slice(), opens);
    });
    return rows.flatMap((row) => continued(doc.text, row));
  }

  function continued(text, row) {
    const parts = [];
    let { from } = row;
    while (row.to - from > PIECE) {
      let at = text.lastIndexOf("\n", from + PIECE - 1) + 1;
      if (at <= from) at = from + PIECE;
      if (/[\uDC00-\uDFFF]/.test(text[at])) at -= 1; // never between the halves of one character
      parts.push({ ...row, from, to: at });
      from = at;
    }
    parts.push({ ...row, from });
    for (const part of parts.slice(1)) Object.assign(part, { opens: [], cuts: null, edge: false });
    return parts;
  }

  // Mentions of broken references as marks: where, which pair, which half.
  const marksOf = (doc, method) => method.broken.flatMap((pair) => [
    { from: doc.pairs[0][pair], to: doc.pairs[1][pair], pair, half: 0 },
    { from: doc.pairs[2][pair], to: doc.pairs[3][pair], pair, half: 1 },
  ]);

  const view = { run: 0, index: -1, doc: null, method: null, pieces: [], rows: [], here: 0, map: null };
  const dialog = $("viewer"), area = $("viewer-text"), map = $("viewer-map");

  function layPieces(doc, method) {
    const rows = layRows(doc, method);
    const pieces = [];
    let piece = null;
    for (const row of rows) {
      if (!piece || row.to - piece.from > PIECE || piece.rows.length >= 60) {
        piece = { from: row.from, to: row.from, rows: [], blocks: [], marks: [], element: null, filled: false };
        pieces.push(piece);
      }
      piece.rows.push(row);
      piece.to = row.to;
    }
    const starts = pieces.map((one) => one.from);
    const spread = (from, to, kind, mark) => {
      for (let at = Math.max(0, lastAtOrBefore(starts, from)); at < pieces.length && pieces[at].from < to; at++) {
        pieces[at][kind].push(mark);
      }
    };
    for (const block of method.cut) {
      const mark = { from: doc.blocks[1][block], to: doc.blocks[2][block] };
      spread(mark.from, mark.to, "blocks", mark);
    }
    for (const mark of marksOf(doc, method)) spread(mark.from, mark.to, "marks", mark);
    return { rows, pieces };
  }

  function pagesOf(doc, from, to) {
    const [numbers, ends] = doc.pages;
    const first = Math.min(numbers.length - 1, lastAtOrBefore(ends, from) + 1);
    const last = Math.max(first, Math.min(numbers.length - 1, lastAtOrBefore(ends, Math.max(from, to - 1)) + 1));
    return first === last ? `page ${numbers[first]}` : `pages ${numbers[first]}–${numbers[last]}`;
  }

  function titlesOf(doc, at) {
    const [texts, levels, starts, ends] = doc.titles;
    const over = texts.map((_, index) => index).filter((index) => starts[index] <= at && at < ends[index]);
    return over.sort((a, b) => levels[a] - levels[b]).map((index) => texts[index]);
  }

  function sideOf(row) {
    const { doc, method } = view;
    const side = make("div");
    for (const chunk of row.opens) {
      side.append(make("b", "", `chunk ${chunk}`));
      side.append(make("span", "", count(method.tokens[chunk], "token")));
      side.append(make("span", "", pagesOf(doc, method.starts[chunk], method.ends[chunk])));
      const titles = titlesOf(doc, method.starts[chunk]);
      if (titles.length) {
        const path = make("i", "", titles[titles.length - 1]);
        path.dir = "auto";
        path.title = titles.join(" › ");
        side.append(path);
      }
      for (const [flagged, reason] of method.flags) if (flagged === chunk) side.append(make("em", "", reason));
    }
    if (row.from === row.to) side.append(make("span", "", "empty"));
    else if (row.chunks.length === 0) side.append(make("span", "", "in no chunk"));
    else if (row.chunks.length > 1) side.append(make("span", "", `shared by chunks ${row.chunks.join(" and ")}`));
    else if (!row.opens.length && row.edge) side.append(make("span", "", `chunk ${row.chunks[0]}, rest`));
    if (row.cuts) side.append(make("em", "", `cuts a ${row.cuts}`));
    return side;
  }

  function referenceTitle(mark) {
    const { doc, method } = view;
    const [entityFrom, entityTo, pronounFrom, pronounTo] = doc.pairs.map((column) => column[mark.pair]);
    const quote = (from, to) => `“${doc.text.slice(from, Math.min(to, from + 60))}”`;
    const chunk = (at) => lastAtOrBefore(method.starts, at);
    return `Broken reference: ${quote(pronounFrom, pronounTo)} in chunk ${chunk(pronounFrom)} refers to `
      + `${quote(entityFrom, entityTo)} in chunk ${chunk(entityFrom)}. Enter or click goes there.`;
  }

  function wordsOf(row, blocks, marks) {
    const { text } = view.doc;
    const words = make("div", "words");
    words.dir = "auto";
    const inside = (mark) => mark.from < row.to && mark.to > row.from;
    const cut = blocks.filter(inside), refs = marks.filter(inside);
    const points = new Set([row.from, row.to]);
    for (const mark of [...cut, ...refs]) {
      points.add(Math.max(row.from, mark.from));
      points.add(Math.min(row.to, mark.to));
    }
    const ordered = [...points].sort((a, b) => a - b);
    for (let index = 0; index + 1 < ordered.length; index++) {
      const from = ordered[index], to = ordered[index + 1];
      const over = refs.filter((mark) => mark.from <= from && to <= mark.to);
      const isCut = cut.some((mark) => mark.from <= from && to <= mark.to);
      if (!over.length && !isCut) { words.append(text.slice(from, to)); continue; }
      const run = make("span", isCut ? "cut" : "", text.slice(from, to));
      if (over.length) {
        const ending = over.filter((mark) => mark.to === to);
        const narrowest = over.reduce((a, b) => (b.to - b.from < a.to - a.from ? b : a));
        run.classList.add("ref");
        if (ending.length) {
          run.dataset.pair = ending.slice(0, 2).map((mark) => mark.pair + 1).join(",")
            + (ending.length > 2 ? ` +${ending.length - 2}` : "");
        } else run.classList.add("part");
        run.dataset.goes = narrowest.half ? view.doc.pairs[0][narrowest.pair] : view.doc.pairs[2][narrowest.pair];
        run.dataset.at = narrowest.from;
        run.title = referenceTitle(narrowest);
        run.tabIndex = 0;
        run.setAttribute("role", "link");
      }
      words.append(run);
    }
    return words;
  }

  function fill(piece) {
    if (piece.filled) return;
    piece.filled = true;
    for (const row of piece.rows) {
      const element = make("div", "chunk");
      element.dataset.from = row.from;
      if (row.edge) element.classList.add("edge");
      if (row.cuts) element.classList.add("cuts");
      if (row.chunks.length === 0) element.classList.add("none");
      else if (row.chunks.length > 1) element.classList.add("overlap");
      else if (row.chunks[0] % 2) element.classList.add("odd");
      if (row.chunks.includes(view.here)) element.classList.add("here");
      element.dataset.chunks = row.chunks.join(" ");
      const side = make("div", "side");
      side.append(sideOf(row));
      element.append(side, wordsOf(row, piece.blocks, piece.marks));
      piece.element.append(element);
    }
    piece.element.style.minHeight = "";
  }

  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const piece = view.pieces[entry.target.dataset.piece];
      if (entry.isIntersecting && piece && piece.element === entry.target) {
        fill(piece);
        watcher.unobserve(entry.target);
      }
    }
  }, { root: area, rootMargin: "150% 0px" });

  const whenIdle = window.requestIdleCallback || ((work) => setTimeout(() => work({ timeRemaining: () => 8 }), 30));

  // The rest of the text follows while the browser is idle, so that searching the page finds it.
  function fillRest(run, from) {
    whenIdle((deadline) => {
      let index = from;
      while (run === view.run && index < view.pieces.length && deadline.timeRemaining() > 4) fill(view.pieces[index++]);
      if (run === view.run && index < view.pieces.length) fillRest(run, index);
    });
  }

  function showMethod(name, offset) {
    const { doc } = view;
    view.run += 1;
    view.method = doc.methods.find((method) => method.name === name) || doc.methods[0];
    Object.assign(view, layPieces(doc, view.method));
    view.here = Math.max(0, lastAtOrBefore(view.method.starts, offset));
    watcher.disconnect();
    area.replaceChildren(...view.pieces.map((piece, index) => {
      const lines = Math.max(piece.rows.length * 2, (piece.to - piece.from) / LINE.units);
      piece.element = make("div", "piece");
      piece.element.dataset.piece = index;
      piece.element.style.containIntrinsicBlockSize = `auto ${Math.round(lines * LINE.pixels)}px`;
      piece.element.style.minHeight = `${Math.round(lines * LINE.pixels)}px`;
      return piece.element;
    }));
    for (const piece of view.pieces) watcher.observe(piece.element);
    facts();
    drawLanes();
    scrollTo(offset);
    fillRest(view.run, 0);
    remember();
  }

  function facts() {
    const { doc, method } = view;
    const parts = [count(method.starts.length, "chunk")];
    if (doc.all_blocks) parts.push(`${method.cut.length.toLocaleString("en")} of ${count(doc.all_blocks, "block")} cut`);
    if (doc.all_pairs === null) parts.push(`references unknown: ${doc.no_pairs || "not resolved"}`);
    else parts.push(`${method.broken.length.toLocaleString("en")} of ${count(doc.all_pairs, "reference")} broken`);
    if (method.disqualified) parts.push(`disqualified: ${method.disqualified}`);
    $("viewer-facts").textContent = parts.join(" · ");
  }

  function elementAt(offset) {
    const index = Math.max(0, lastAtOrBefore(view.pieces.map((piece) => piece.from), offset));
    if (!view.pieces.length) return null;
    for (const near of [index, index + 1]) if (view.pieces[near]) fill(view.pieces[near]);
    const { element, rows } = view.pieces[index];
    return element.children[Math.max(0, lastAtOrBefore(rows.map((row) => row.from), offset))];
  }

  // `above`: which part of the view to leave for what comes before.
  function scrollTo(offset, inner, above = 0) {
    const run = view.run;
    const align = (again) => {
      if (run !== view.run) return;
      const row = elementAt(offset);
      if (!row) return;
      const target = (inner && row.querySelector(inner)) || row;
      const room = area.clientHeight * above;
      area.scrollTop += target.getBoundingClientRect().top - area.getBoundingClientRect().top - room;
      // Heights around the target were estimates until now.
      if (again) requestAnimationFrame(() => align(again - 1));
      else { if (target !== row) flash(target); pointAt(); }
    };
    align(3);
  }

  function flash(element) {
    element.classList.add("flash");
    element.focus({ preventScroll: true });
    setTimeout(() => element.classList.remove("flash"), 1600);
  }

  function topOffset() {
    const box = area.getBoundingClientRect();
    const row = document.elementFromPoint(box.left + 12, box.top + 6)?.closest(".chunk");
    return row ? Number(row.dataset.from) : 0;
  }

  function setHere(chunk) {
    view.here = chunk;
    for (const row of area.querySelectorAll(".chunk.here")) row.classList.remove("here");
    for (const row of area.querySelectorAll(`.chunk[data-chunks~="${chunk}"]`)) row.classList.add("here");
  }

  function goChunk(by) {
    const chunk = Math.min(view.method.starts.length - 1, Math.max(0, view.here + by));
    if (chunk < 0) return;
    view.stop = undefined;
    scrollTo(view.method.starts[chunk]);
    setHere(chunk);
    remember();
  }

  function goDefect(by) {
    const { doc, method } = view;
    const stops = view.rows.filter((row) => row.cuts).map((row) => ({ at: row.from, inner: null }));
    for (const pair of method.broken) {
      const at = Math.max(doc.pairs[0][pair], doc.pairs[2][pair]);
      stops.push({ at, inner: `.ref[data-at="${at}"]` });
    }
    stops.sort((a, b) => a.at - b.at);
    const from = view.stop === undefined ? topOffset() - 1 : view.stop;
    const stop = by > 0 ? stops.find((one) => one.at > from) : stops.reverse().find((one) => one.at < from);
    if (!stop) return;
    scrollTo(stop.at, stop.inner, 1 / 3);
    setHere(Math.max(0, lastAtOrBefore(method.starts, stop.at)));
    view.stop = stop.at;
  }

  // The map: one lane a method, a line at each chunk start, cut blocks and broken references in their colours.
  function drawLanes() {
    const ratio = window.devicePixelRatio || 1;
    const width = map.clientWidth, height = map.clientHeight;
    if (!width || !height) return;
    const lanes = document.createElement("canvas");
    for (const canvas of [map, lanes]) { canvas.width = width * ratio; canvas.height = height * ratio; }
    const pen = lanes.getContext("2d");
    pen.scale(ratio, ratio);
    const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
    const { doc } = view, lane = (width - 8) / doc.methods.length, scale = height / Math.max(1, doc.text.length);
    doc.methods.forEach((method, index) => {
      const left = 4 + index * lane;
      if (method === view.method) { pen.fillStyle = colour("--accent-bg"); pen.fillRect(left, 0, lane, height); }
      pen.globalAlpha = 0.5;
      pen.fillStyle = colour("--faint");
      for (const start of method.starts) pen.fillRect(left + 1, start * scale, lane - 2, 0.6);
      pen.globalAlpha = 1;
      pen.fillStyle = colour("--amber-line");
      for (const block of method.cut) pen.fillRect(left + 1, doc.blocks[1][block] * scale, (lane - 2) / 2, 1.2);
      pen.fillStyle = colour("--rose");
      for (const pair of method.broken) pen.fillRect(left + lane / 2, doc.pairs[2][pair] * scale, (lane - 2) / 2, 1.2);
    });
    view.map = lanes;
    pointAt();
  }

  function pointAt() {
    if (!view.map) return;
    const pen = map.getContext("2d");
    pen.clearRect(0, 0, map.width, map.height);
    pen.drawImage(view.map, 0, 0);
    pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--ink");
    pen.fillRect(0, topOffset() / Math.max(1, view.doc.text.length) * map.height - 1, map.width, 2);
  }

  function remember() {
    history.replaceState(null, "", `#view=${view.index},${encodeURIComponent(view.method.name)},${view.here}`);
  }

  function open(index, name, chunk) {
    const source = $(`text-${index}`);
    if (!source) return;
    view.index = index;
    view.doc = JSON.parse(source.textContent);
    if (!view.doc.methods.length) view.doc.methods.push(UNCUT);
    view.stop = undefined;
    $("viewer-name").textContent = view.doc.name;
    const choices = view.doc.methods.map((method) => {
      const label = make("label", method.name === view.doc.best ? "best" : "", method.name);
      label.append(make("span", "", method.mean === null ? "n/a" : method.mean.toFixed(3)));
      const radio = make("input");
      Object.assign(radio, { type: "radio", name: "method", value: method.name });
      label.append(radio);
      return label;
    });
    $("viewer-methods").replaceChildren($("viewer-methods").firstElementChild, ...choices);
    if (!dialog.open) dialog.showModal();
    const method = view.doc.methods.find((one) => one.name === (name || view.doc.best)) || view.doc.methods[0];
    const radio = $("viewer-methods").querySelectorAll("input")[view.doc.methods.indexOf(method)];
    radio.checked = true;
    showMethod(method.name, method.starts[chunk] || 0);
    area.focus();
  }

  function openFromAddress() {
    const [, index, name, chunk] = /^#view=(\d+)(?:,([^,]*))?(?:,(\d+))?$/.exec(location.hash) || [];
    if (index !== undefined) open(Number(index), name && decodeURIComponent(name), Number(chunk || 0));
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-view]");
    if (button) open(Number(button.dataset.view));
  });
  $("viewer-close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    view.run += 1;
    watcher.disconnect();
    area.replaceChildren();
    view.doc = view.map = null;
    history.replaceState(null, "", " ");
  });
  $("viewer-methods").addEventListener("change", (event) => {
    view.stop = undefined;
    showMethod(event.target.value, topOffset());
  });
  dialog.addEventListener("click", (event) => {
    const tool = event.target.closest("[data-go]");
    if (tool) (tool.dataset.go === "chunk" ? goChunk : goDefect)(Number(tool.dataset.by));
    const reference = event.target.closest("[data-goes]");
    if (reference) scrollTo(Number(reference.dataset.goes), `.ref[data-at="${reference.dataset.goes}"]`, 1 / 3);
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !view.method) return;
    if (event.key === "Enter" && event.target.dataset.goes) event.target.click();
    const act = { j: () => goChunk(1), k: () => goChunk(-1), n: () => goDefect(1), p: () => goDefect(-1) }[event.key];
    if (act) { act(); event.preventDefault(); }
    else if (!["Enter", "Tab", "Shift"].includes(event.key)) view.stop = undefined; // the text may scroll
  });
  let drawing = false;
  area.addEventListener("scroll", () => {
    if (drawing || !view.doc) return;
    drawing = true;
    requestAnimationFrame(() => {
      drawing = false;
      if (view.doc) pointAt();
    });
  });
  for (const kind of ["wheel", "touchmove", "pointerdown"]) {
    area.addEventListener(kind, () => {
      view.stop = undefined;
      requestAnimationFrame(() => view.doc && view.method && setHere(Math.max(0, lastAtOrBefore(view.method.starts, topOffset()))));
    }, { passive: true });
  }
  map.addEventListener("click", (event) => {
    view.stop = undefined;
    const offset = Math.round(event.offsetY / map.clientHeight * view.doc.text.length);
    setHere(Math.max(0, lastAtOrBefore(view.method.starts, offset)));
    scrollTo(offset);
  });
  window.addEventListener("resize", () => view.doc && view.method && drawLanes());
  window.addEventListener("hashchange", openFromAddress);
  openFromAddress();
})();
