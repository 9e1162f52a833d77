/* What is offered while one types: asked of the service, which knows the schema and the names that stand in the file. */

import { send } from "gym/editor-keeping";

const TYPES = { key: "property", parameter: "variable", step: "variable", function: "function" };
const DETAILS = { parameter: "parameter", step: "step", words: "word list", skill: "skill" };
/* Their names may hold a hyphen; in a formula it is a minus sign. */
const HYPHENED = ["key", "skill", "words", "value"];

function offered(each) {
  return {
    label: each.label,
    type: TYPES[each.kind] ?? "enum",
    detail: DETAILS[each.kind],
    info: each.says || undefined,
    apply: each.insert,
  };
}

/* A source of completions for CodeMirror. */
export function completing(form) {
  return async (context) => {
    const word = context.matchBefore(/[\w-]*/);
    if (!context.explicit && word.from === word.to) return null;
    const line = context.state.doc.lineAt(context.pos);
    const place = { source: context.state.doc.toString(), line: line.number, column: context.pos - line.from + 1 };
    try {
      const { data } = await send(form, form.dataset.completions, place);
      if (!data?.completions.length || context.aborted) return null;
      const isHyphened = data.completions.some((each) => HYPHENED.includes(each.kind));
      const from = isHyphened ? word.from : context.pos - /\w*$/.exec(word.text)[0].length;
      if (!context.explicit && from === context.pos) return null;
      return { from, options: data.completions.map(offered), validFor: isHyphened ? /^[\w-]*$/ : /^\w*$/ };
    } catch {
      return null;
    }
  };
}
