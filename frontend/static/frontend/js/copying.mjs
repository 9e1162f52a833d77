/* Copies a secret with one press. Without scripts, or where the browser does not allow it, it is there to be marked. */

const told = document.getElementById("copied");

for (const button of document.querySelectorAll("[data-copies]")) {
  const source = document.getElementById(button.dataset.copies);
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = "Copied";
      told.textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(source);
      told.textContent = "It could not be copied. It is selected: copy it by hand.";
    }
  });
}
