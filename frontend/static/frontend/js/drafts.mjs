/* What is typed survives an expired session, a lost connection and a closed page: it is kept in this tab, by variant. */

const PREFIX = "gym:draft:";

function boxes(form) {
  return [...form.querySelectorAll("[name^='answer-']")];
}

export function typedIn(form) {
  return boxes(form).map((box) => (box.type === "checkbox" || box.type === "radio" ? box.checked : box.value));
}

export function wasTypedIn(form) {
  return boxes(form).some((box) =>
    box.type === "checkbox" || box.type === "radio" ? box.checked !== box.defaultChecked : box.value !== box.defaultValue,
  );
}

export function putBack(form, typed) {
  const all = boxes(form);
  const changed = [];
  if (!Array.isArray(typed) || typed.length !== all.length) return changed;
  all.forEach((box, place) => {
    const key = box.type === "checkbox" || box.type === "radio" ? "checked" : "value";
    if (typeof typed[place] !== typeof box[key] || box[key] === typed[place]) return;
    box[key] = typed[place];
    changed.push(box);
  });
  return changed;
}

export function keepDraft(form) {
  try {
    sessionStorage.setItem(PREFIX + form.dataset.variant, JSON.stringify(typedIn(form)));
  } catch {
    /* Storage may be full or forbidden; the form itself still holds the text. */
  }
}

export function forgetDraft(variant) {
  try {
    sessionStorage.removeItem(PREFIX + variant);
  } catch {
    /* Nothing was kept then. */
  }
}

export function restoreDraft(form) {
  try {
    const kept = sessionStorage.getItem(PREFIX + form.dataset.variant);
    return kept ? putBack(form, JSON.parse(kept)) : [];
  } catch {
    return [];
  }
}
