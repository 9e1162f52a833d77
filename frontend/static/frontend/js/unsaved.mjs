/* What is typed and not saved yet stays in this browser, by learner, place and variant, until the service has it. */

const PREFIX = "gym:attempt:";

function placeOf(form) {
  const { attempt, position } = form.dataset;
  return `${PREFIX}${form.elements.learner.value}:${attempt}:${position}:${form.elements.variant.value}:`;
}

export function typedIn(form) {
  return [...new FormData(form)].filter(([name]) => name.startsWith("answer-"));
}

export function putInto(form, typed) {
  const waiting = new Map();
  for (const [name, value] of typed) waiting.set(name, [...(waiting.get(name) ?? []), value]);
  for (const box of form.querySelectorAll("[name^='answer-']")) {
    const values = waiting.get(box.name) ?? [];
    if (box.type === "checkbox" || box.type === "radio") box.checked = values.includes(box.value);
    else if (box.type !== "hidden") box.value = values.shift() ?? "";
  }
}

export function keepCopy(form) {
  const copy = { typed: typedIn(form), basedOn: form.elements.based_on.value, page: form.elements.form.value, at: Date.now() };
  try {
    localStorage.setItem(placeOf(form) + copy.page, JSON.stringify(copy));
  } catch {
    /* Storage may be full or forbidden; the form itself still holds the text. */
  }
}

export function forgetCopy(form, page = form.elements.form.value) {
  try {
    localStorage.removeItem(placeOf(form) + page);
  } catch {
    /* Nothing was kept then. */
  }
}

export function copiesOf(form) {
  const found = [];
  try {
    for (const key of Object.keys(localStorage).filter((each) => each.startsWith(placeOf(form)))) {
      found.push(JSON.parse(localStorage.getItem(key)));
    }
  } catch {
    return [];
  }
  return found.filter((copy) => Array.isArray(copy?.typed)).sort((one, other) => one.at - other.at);
}
