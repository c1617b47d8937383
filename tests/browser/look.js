// What a reader sees of the open page: what sticks out, is cut off, or lies on other text.
const [slack] = arguments;
const page = document.scrollingElement;
const wide = page.clientWidth;
const short = text => text.trim().replace(/\s+/g, " ").slice(0, 60);
const named = element => `${element.tagName.toLowerCase()}.${element.getAttribute("class") || ""}`;

// A table that is too wide is scrolled by itself, and sticks out of nothing.
const scrolled = element => element.closest(".scroll");

const texts = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  if (!node.data.trim()) continue;
  const parent = node.parentElement;
  if (parent.closest("title, desc, style") || !parent.checkVisibility()) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  for (const at of range.getClientRects())
    if (at.width > 0 && at.height > 0) texts.push({ node, parent, at, text: short(node.data) });
}

const outside = texts
  .filter(({ parent, at }) => !scrolled(parent) && (at.left < -slack || at.right > wide + slack))
  .map(({ text }) => text);
if (page.scrollWidth > wide) outside.push(`page: ${page.scrollWidth} of ${wide}`);

// A word or a number that is parted for want of room; long names may be.
const parted = [];
for (const { node } of texts)
  for (const { 0: word, index } of node.data.matchAll(/(?<=\s|^)[\p{L}\d.,:%]{2,12}(?=\s|$)/gu)) {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const lines = new Set([...range.getClientRects()].map(at => Math.round(at.top)));
    if (lines.size > 1) parted.push(`${word} in ${short(node.data)}`);
  }

// Text that reaches beyond a box which hides what is beyond it.
const cut = [];
for (const { parent, at, text } of texts)
  for (let box = parent; box && box !== document.body; box = box.parentElement) {
    const style = getComputedStyle(box);
    if (style.overflowX === "visible" || box.matches(".scroll")) continue;
    const edge = box.getBoundingClientRect();
    if (at.left < edge.left - slack || at.right > edge.right + slack ||
        at.top < edge.top - slack || at.bottom > edge.bottom + slack) cut.push(text);
  }

const crossing = (a, b) =>
  a.left < b.right - slack && b.left < a.right - slack &&
  a.top < b.bottom - slack && b.top < a.bottom - slack;

// By their upper edges, so that each is held against its neighbours only.
const covered = [];
const sorted = [...texts].sort((a, b) => a.at.top - b.at.top);
sorted.forEach((one, place) => {
  for (let next = place + 1; next < sorted.length; next++) {
    const other = sorted[next];
    if (other.at.top >= one.at.bottom) break;
    if (one.node !== other.node && crossing(one.at, other.at))
      covered.push(`${one.text} / ${other.text}`);
  }
});

// In a drawing: words within their box, boxes within the box around them and beside each other.
const drawing = [];
let boxes = 0;
for (const svg of document.querySelectorAll("svg.drawing")) {
  if (!svg.getClientRects().length) continue;
  const whole = svg.getBoundingClientRect();
  const within = (inner, outer) =>
    inner.left >= outer.left - slack && inner.right <= outer.right + slack &&
    inner.top >= outer.top - slack && inner.bottom <= outer.bottom + slack;
  const inside = part => [...part.querySelectorAll(":scope > g[data-part]")];
  const body = group => group.querySelector(":scope > rect.body").getBoundingClientRect();
  const parts = [...svg.querySelectorAll("g[data-part]")];
  boxes += parts.length;
  for (const part of parts) {
    const own = body(part), key = part.dataset.part;
    const around = part.parentElement.closest("g[data-part]");
    // A slice of a group goes on in the next, and has its borders outside.
    const edge = around ? body(around) : whole;
    const open = svg.closest(".paper") && !around && inside(part).length;
    if (!within(open ? new DOMRect(own.x, whole.y, own.width, 0) : own, edge)) drawing.push(`${key} is outside`);
    for (const text of part.querySelectorAll(":scope > text"))
      if (!within(text.getBoundingClientRect(), own))
        drawing.push(`${key}: ${text.textContent} is outside`);
    for (const child of inside(part))
      for (const text of part.querySelectorAll(":scope > text"))
        if (crossing(text.getBoundingClientRect(), body(child)))
          drawing.push(`${child.dataset.part} lies on ${text.textContent}`);
  }
  for (const part of [svg, ...parts])
    inside(part).forEach((child, place, all) => {
      for (const other of all.slice(place + 1))
        if (crossing(body(child), body(other)))
          drawing.push(`${child.dataset.part} / ${other.dataset.part}`);
    });
}

return { outside, cut, parted, covered, drawing, boxes, texts: texts.length };
