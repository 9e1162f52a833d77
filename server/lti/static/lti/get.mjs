/* Fetches what was left with the platform when the launch began, and ends the launch with it. Where there is nothing,
   the page itself offers a tab of its own. */

import { ask } from "./storage.mjs";

const form = document.getElementById("storage");
const answer = await ask(form.dataset, "lti.get_data", { key: form.dataset.name });

if (answer && typeof answer.value === "string" && answer.value) {
  form.elements.kept.value = answer.value;
  form.submit();
}
