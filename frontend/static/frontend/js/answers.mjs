/* The answer form: keeps what is typed, offers the notation at hand, and lets Enter check the step it is pressed in. */

import htmx from "htmx";
import { forgetDraft, keepDraft, putBack, restoreDraft, typedIn, wasTypedIn } from "gym/drafts";

let lastBox = null;
let typedBeforeSwap = null;
let wasDone = null;

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
  const stands = document.activeElement?.classList.contains("answer-box") ? document.activeElement.id : lastBox?.id;
  lastBox = (stands && form.querySelector(`#${CSS.escape(stands)}`)) || form.querySelector(".answer-box");
  if (!form.querySelector("#check-all")) {
    // Closed: what was typed and never sent is not marked any more.
    forgetDraft(form.dataset.variant);
  } else if (typedBeforeSwap) {
    for (const box of putBack(form, typedBeforeSwap)) markOlder(stepOf(box));
    typedBeforeSwap = null;
  } else if (wasTypedIn(form)) {
    // Faster than the script was loaded: keep it and read it now.
    readAll(form);
    keepDraft(form);
  } else {
    const restored = restoreDraft(form);
    for (const box of restored) markOlder(stepOf(box));
    const note = document.getElementById("restored");
    if (restored.length && note) note.hidden = false;
    if (restored.length) readAll(form);
  }
  showWhatIsNew();
}

function showWhatIsNew() {
  // Whoever mends an early step of a long page would not see that this was the last one missing.
  const isDone = Boolean(document.getElementById("done"));
  if (isDone && wasDone === false) document.getElementById("done").scrollIntoView({ block: "nearest" });
  wasDone = isDone;
}

// Signs that turn the direction of writing come along with what is pasted, and would show another number than is there.
const TURNS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

function straighten(box) {
  if (box.value.search(TURNS) >= 0) box.value = box.value.replace(TURNS, "");
}

function readAll(form) {
  for (const box of form.querySelectorAll(".answer-box")) {
    straighten(box);
    if (box.value) htmx.trigger(box, "reread");
  }
}

document.addEventListener("focusin", (event) => {
  if (event.target.classList?.contains("answer-box")) lastBox = event.target;
});

document.addEventListener("input", (event) => {
  const form = event.target.closest?.("#answers");
  if (!form) return;
  if (event.target.classList.contains("answer-box")) straighten(event.target);
  keepDraft(form);
  markOlder(stepOf(event.target));
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.classList?.contains("answer-box")) return;
  const check = stepOf(event.target)?.querySelector("button[name='check']");
  if (!check) return;
  event.preventDefault();
  // A click and not requestSubmit: htmx sends the name of a button only if it was clicked.
  check.click();
});

document.addEventListener("mousedown", (event) => {
  // The box keeps the focus: the row of chips stays where it is as long as a box has it.
  if (event.target.closest?.("[data-insert]")) event.preventDefault();
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

function showRefusal(response) {
  // A whole page came instead of a part of this one: its words go above the form, and the form stays as it is.
  const words = new DOMParser().parseFromString(response, "text/html").querySelector("main");
  const notice = document.getElementById("notice");
  if (!notice) return;
  const box = document.createElement("div");
  box.className = "notice notice-error";
  for (const said of words?.querySelectorAll("h1, p:not(.crumbs):not(.actions)") ?? []) {
    const line = document.createElement("p");
    line.textContent = said.textContent;
    box.append(line);
  }
  if (!box.childElementCount) box.textContent = "The service did not understand this. What you typed is kept: reload the page.";
  notice.replaceChildren(box);
}

document.addEventListener("htmx:configRequest", (event) => {
  // Signing in again in another tab renews the token; the one in this form is then out of date, and the cookie is not.
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
  if (token && event.detail.verb !== "get") event.detail.parameters.csrfmiddlewaretoken = token;
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const form = document.getElementById("answers");
  const { xhr, target } = event.detail;
  if (xhr.status >= 400 && /<html/i.test(xhr.responseText)) {
    event.detail.shouldSwap = false;
    showRefusal(xhr.responseText);
    return;
  }
  if (target?.id !== "workbench" || !form) return;
  typedBeforeSwap = typedIn(form);
  // The server has stored it: the tab need not keep it any longer.
  if (xhr.status < 300) forgetDraft(form.dataset.variant);
});

for (const name of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(name, () => {
    const notice = document.getElementById("notice");
    if (!notice) return;
    const line = document.createElement("p");
    line.className = "notice notice-error";
    line.textContent = "The service cannot be reached. What you typed is kept: try again in a moment.";
    notice.replaceChildren(line);
  });
}
