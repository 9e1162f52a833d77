/* The answer form: keeps what is typed, offers the notation at hand, and lets Enter check the step it is pressed in. */

import htmx from "htmx";
import { forgetDraft, keepDraft, putBack, restoreDraft, typedIn } from "gym/drafts";

let lastBox = null;
let typedBeforeSwap = null;

function stepOf(element) {
  return element.closest("[data-step]");
}

function markOlder(step) {
  // The verdict below belongs to what was typed when it was asked for.
  step?.querySelector(".feedback")?.classList.add("feedback-older");
}

function insert(text) {
  if (!lastBox || !lastBox.isConnected || lastBox.readOnly) return;
  const start = lastBox.selectionStart ?? lastBox.value.length;
  lastBox.setRangeText(text, start, lastBox.selectionEnd ?? start, "end");
  if (text.endsWith(")")) lastBox.setSelectionRange(lastBox.selectionStart - 1, lastBox.selectionStart - 1);
  lastBox.focus();
  lastBox.dispatchEvent(new Event("input", { bubbles: true }));
}

export function tendAnswers(root) {
  const form = root.querySelector?.("#answers") ?? (root.id === "answers" ? root : null);
  if (!form || form.dataset.tended) return;
  form.dataset.tended = "yes";
  for (const helper of form.querySelectorAll("[data-needs-script]")) helper.hidden = false;
  lastBox = form.querySelector(".answer-box");
  if (typedBeforeSwap) {
    putBack(form, typedBeforeSwap);
    typedBeforeSwap = null;
  } else if (restoreDraft(form)) {
    const note = document.getElementById("restored");
    if (note) note.hidden = false;
    form.querySelectorAll(".answer-box").forEach((box) => box.value && htmx.trigger(box, "input"));
  }
}

document.addEventListener("focusin", (event) => {
  if (event.target.classList?.contains("answer-box")) lastBox = event.target;
});

document.addEventListener("input", (event) => {
  const form = event.target.closest?.("#answers");
  if (!form) return;
  keepDraft(form);
  markOlder(stepOf(event.target));
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.classList?.contains("answer-box")) return;
  const check = stepOf(event.target)?.querySelector("button[name='check']");
  if (!check) return;
  event.preventDefault();
  check.form.requestSubmit(check);
});

document.addEventListener("click", (event) => {
  const chip = event.target.closest?.("[data-insert]");
  if (!chip) return;
  if (chip.dataset.only) {
    const box = document.getElementById(chip.dataset.only);
    if (!box) return;
    lastBox = box;
    box.value = "";
  }
  insert(chip.dataset.insert);
});

document.body?.addEventListener("htmx:beforeSwap", (event) => {
  const form = document.getElementById("answers");
  if (event.detail.target?.id !== "workbench" || !form) return;
  typedBeforeSwap = typedIn(form);
  // The server has stored it: the tab need not keep it any longer.
  if (event.detail.xhr.status < 300) forgetDraft(form.dataset.variant);
});
