/* Entry of every page. Everything here makes a page that already works more pleasant; nothing depends on it. */

import "htmx";
import { drawMathematics } from "gym/mathematics";
import { tendAnswers } from "gym/answers";

function letReach(box) {
  // What can be scrolled must be reachable by keyboard, and nothing else should be a stop on the way.
  if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
}

// A window that is made narrower, or a phone that is turned, makes more of them scroll.
const narrowing = new ResizeObserver((changes) => changes.forEach(({ target }) => letReach(target)));

function showWhereOneIs(strip) {
  // On a phone the tab of this page may be beyond the edge. Sideways alone: the page itself stays where it is.
  const here = strip.querySelector("[aria-current]")?.getBoundingClientRect();
  if (!here) return;
  const seen = strip.getBoundingClientRect();
  if (here.left < seen.left || here.right > seen.right) {
    strip.scrollLeft += here.left + here.width / 2 - seen.left - seen.width / 2;
  }
}

function tend(root) {
  drawMathematics(root);
  root.querySelectorAll(".tabs").forEach(showWhereOneIs);
  for (const box of root.querySelectorAll(".table-scroll, .tex-block, .tex-row > .tex, .derivation")) {
    letReach(box);
    narrowing.observe(box);
  }
}

document.documentElement.classList.add("scripted");
tend(document);
// Registered after htmx's own, so that its triggers are set by then.
document.addEventListener("DOMContentLoaded", () => tendAnswers(document));
document.body.addEventListener("htmx:afterSwap", (event) => {
  tend(event.detail.elt);
  tendAnswers(event.detail.elt);
});
document.body.addEventListener("htmx:oobAfterSwap", (event) => tend(event.detail.elt));
