/* Replaces the server's MathML by KaTeX. What KaTeX refuses stays as it is: readable MathML. */

import katex from "katex";

const options = { trust: false, strict: "ignore", throwOnError: true, maxExpand: 200, maxSize: 20 };

export function drawMathematics(root) {
  for (const span of root.querySelectorAll(".tex[data-tex]")) {
    const holder = document.createElement("span");
    try {
      katex.render(span.dataset.tex, holder, { ...options, displayMode: span.dataset.display === "block" });
    } catch {
      continue;
    }
    span.removeAttribute("data-tex");
    // Moved as nodes, never as markup: the page's policy blocks style attributes in markup.
    span.replaceChildren(...holder.childNodes);
  }
}
