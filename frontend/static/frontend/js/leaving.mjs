/* Asks before a form is left with something in it that is not kept yet. */

const form = document.querySelector("form[data-warns]");
const typed = () => JSON.stringify([...new FormData(form)]);

// A page may come with what was typed before and is not kept.
const kept = form.dataset.unsaved ? "" : typed();
let isSending = false;

form.addEventListener("submit", () => {
  isSending = true;
});
addEventListener("pageshow", () => {
  isSending = false;
});
addEventListener("beforeunload", (event) => {
  if (!isSending && typed() !== kept) event.preventDefault();
});
