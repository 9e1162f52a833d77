/* Keys, focus and double clicks of the review page. Without it every button still works. */

import htmx from "htmx";
import { forgetDraft } from "gym/drafts";

const KEYS_OFF = "gym:single-keys-off";
// Milliseconds in which a new page takes no press: the second half of a double press was meant for the one before.
const FRESH = 250;

let cameAt = -FRESH;

const isFresh = () => performance.now() - cameAt < FRESH;
const stage = () => document.getElementById("card-stage");
const help = () => document.getElementById("keys");

function areKeysOff() {
  try {
    return localStorage.getItem(KEYS_OFF) === "yes";
  } catch {
    return false;
  }
}

function isTyping(element) {
  return Boolean(element.matches?.("textarea, select, input:not([type=radio], [type=checkbox])"));
}

function press(name) {
  const button = stage()?.querySelector(`[data-key~="${name}"]`);
  if (button) button.click();
  return Boolean(button);
}

function choose(place) {
  const option = stage()?.querySelectorAll(".choices input:not([type=hidden])")[place - 1];
  if (!option || option.disabled) return false;
  option.focus();
  option.click();
  return true;
}

function pressed(event) {
  // Space and Enter on something that can be pressed are that thing's own.
  const own = event.target.closest?.("a, button, summary, input, [tabindex='0']");
  if (event.key === " ") return own ? false : press("space");
  if (event.key === "Enter") return own && own.type !== "radio" && own.type !== "checkbox" ? false : press("Enter");
  if (areKeysOff()) return false;
  if (/^[1-9]$/.test(event.key)) return press(event.key) || choose(Number(event.key));
  return /^[hu?]$/i.test(event.key) && press(event.key.toLowerCase());
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (help()?.open || !stage()) return;
  if (isTyping(event.target)) {
    if (event.key === "Escape") {
      document.getElementById("card")?.focus();
    } else if (event.key === "Enter" && event.target.closest("#answers")) {
      event.preventDefault();
      if (!event.repeat) press("Enter");
    }
    return;
  }
  if ((event.repeat || (isFresh() && stage().contains(event.target))) && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    return;
  }
  if (!event.repeat && pressed(event)) event.preventDefault();
});

document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest?.("#card-stage button[type=submit]");
    if (!button || !event.isTrusted) return;
    if (event.detail > 1 || isFresh()) {
      event.preventDefault();
      event.stopPropagation();
    }
  },
  true,
);

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-opens='keys']")) help().showModal();
});

document.addEventListener("change", (event) => {
  if (event.target.id !== "single-keys") return;
  try {
    localStorage.setItem(KEYS_OFF, event.target.checked ? "no" : "yes");
  } catch {
    /* Then they stay as they are. */
  }
});

function tendStage() {
  const form = stage()?.querySelector("#answers");
  for (const helper of form?.querySelectorAll("[data-needs-script]") ?? []) helper.hidden = false;
  if (!stage()?.querySelector("#check-all")) forgetDraft(turnOf(stage()));
}

function turnOf(element) {
  return element?.dataset.turn ?? "";
}

function takeFocus() {
  const card = document.getElementById("card");
  const wanted = stage().querySelector("[data-focus]") ?? card;
  // On a phone a keyboard that slides in by itself would cover the card. Anywhere the front stays in sight.
  const target = wanted && isTyping(wanted) && matchMedia("(hover: none)").matches ? card : wanted;
  target?.focus({ preventScroll: true });
}

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target?.id === "card-stage" && event.detail.xhr.status < 300) forgetDraft(turnOf(stage()));
});

document.body.addEventListener("htmx:afterSwap", () => {
  const swapped = stage();
  if (!swapped || swapped.dataset.tended) return;
  swapped.dataset.tended = "yes";
  cameAt = performance.now();
  swapped.dataset.fresh = "";
  setTimeout(() => delete swapped.dataset.fresh, FRESH);
  history.replaceState(null, "", swapped.dataset.address);
  document.title = swapped.dataset.title;
  tendStage();
  takeFocus();
  // On a phone the card has the whole height; elsewhere the page only moves if the top of the card is out of sight.
  if (matchMedia("(max-width: 40rem)").matches || swapped.getBoundingClientRect().top < 0) swapped.scrollIntoView();
});

const box = document.getElementById("single-keys");
if (box) box.checked = !areKeysOff();
if (stage()) stage().dataset.tended = "yes";
document.addEventListener("DOMContentLoaded", () => {
  tendStage();
  // Before the browser does it by itself, which would scroll a long front out of sight.
  if (stage() && document.activeElement === document.body) takeFocus();
});
void htmx;
