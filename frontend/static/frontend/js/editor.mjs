/* The editor of a problem file. The textarea is what is sent; without this file one types into it. */

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { forceLinting, lintGutter, lintKeymap, linter } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import {
  EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers,
} from "@codemirror/view";
import htmx from "htmx";
import { completing } from "gym/editor-completing";
import { Keeper, remembered, send } from "gym/editor-keeping";
import { looks } from "gym/editor-look";

const form = document.getElementById("problem-form");
const source = document.getElementById("source");
const status = document.getElementById("save-state");
const faults = document.getElementById("faults");

function says(state, text) {
  status.dataset.state = state;
  status.textContent = text;
  document.getElementById("stale").hidden = state !== "stale";
}

const keeper = new Keeper(form, says);

function showFaults(data) {
  faults.classList.remove("faults-older");
  faults.dataset.count = data.faults.length;
  faults.innerHTML = data.html;
}

function asDiagnostic(view, fault) {
  const line = view.state.doc.line(Math.min(Math.max(1, fault.line), view.state.doc.lines));
  const start = line.from + (line.text.length - line.text.trimStart().length);
  return { from: Math.min(start, line.to), to: line.to, severity: "error", message: `${fault.key ? `${fault.key}: ` : ""}${fault.message}` };
}

async function lint(view) {
  const text = view.state.doc.toString();
  try {
    const { data } = await send(form, form.dataset.faults, { source: text });
    if (!data || text !== view.state.doc.toString()) return [];
    showFaults(data);
    document.getElementById("preview").classList.toggle("preview-older", data.faults.length > 0);
    if (!data.faults.length && text !== lint.shown) htmx.trigger("#preview", "reread");
    lint.shown = data.faults.length ? lint.shown : text;
    return data.faults.map((fault) => asDiagnostic(view, fault));
  } catch {
    return [];
  }
}
lint.shown = source.value;

function mount() {
  const host = document.createElement("div");
  host.className = "editor-host";
  source.before(host);
  // Within a root of its own its styles are adopted sheets, which the page's policy allows; elsewhere they are inline.
  const root = host.attachShadow({ mode: "open" });
  const place = document.createElement("div");
  root.append(place);
  const view = new EditorView({
    root,
    parent: place,
    state: EditorState.create({
      doc: source.value,
      extensions: [
        lineNumbers(), highlightActiveLineGutter(), highlightActiveLine(), highlightSpecialChars(), history(), drawSelection(),
        bracketMatching(), closeBrackets(), highlightSelectionMatches(), yaml(), indentUnit.of("  "), EditorView.lineWrapping,
        autocompletion({ override: [completing(form)], activateOnTyping: true, icons: false }),
        linter(lint, { delay: 450 }), lintGutter(), looks,
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": "The problem file. Tab indents; Escape, then Tab, leaves the editor.", spellcheck: "false", tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          // Until the text as it is now was looked at, the list and its lines are those of the text before.
          faults.classList.add("faults-older");
          source.value = update.state.doc.toString();
          keeper.changed(source.value);
        }),
      ],
    }),
  });
  place.style.height = "100%";
  source.hidden = true;
  document.getElementById("source-label")?.removeAttribute("for");
  return view;
}

const view = mount();

function goTo(number) {
  const line = view.state.doc.line(Math.min(Math.max(1, number), view.state.doc.lines));
  view.dispatch({ selection: { anchor: line.from + (line.text.length - line.text.trimStart().length) }, scrollIntoView: true });
  view.focus();
}

function replaceAll(text) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-line]");
  if (!link) return;
  event.preventDefault();
  goTo(Number(link.dataset.line));
});

function offerKept() {
  const kept = remembered(keeper.key);
  if (!kept || kept.text === source.value) return;
  const offer = document.getElementById("kept-here");
  offer.hidden = false;
  offer.addEventListener("click", (event) => {
    const chosen = event.target.closest("button")?.value;
    if (!chosen) return;
    if (chosen === "back") replaceAll(kept.text);
    else keeper.forget();
    offer.hidden = true;
    view.focus();
  });
}

/* The buttons do here what they do without scripts, without leaving what one is writing. */
form.addEventListener("submit", async (event) => {
  const button = event.submitter;
  if (keeper.isLeaving || keeper.isStale) {
    keeper.isLeaving = true;
    return;
  }
  event.preventDefault();
  if (!(await keeper.settle())) return;
  says("saved", "Saved as your draft.");
  if (button?.value === "preview") {
    htmx.trigger("#preview", "reread");
    document.getElementById("preview").scrollIntoView({ block: "start" });
  } else if (button?.value === "check") {
    const values = { revision: form.elements.revision.value, learner: form.elements.learner.value };
    await htmx.ajax("POST", form.dataset.check, { source: form, target: "#check", swap: "outerHTML", values });
    document.getElementById("check").scrollIntoView({ block: "start" });
  } else if (button?.value === "publish") {
    keeper.isLeaving = true;
    // Not from within the event that it answers: browsers drop what is sent while they still ask about it.
    setTimeout(() => form.requestSubmit(button));
  }
});

for (const helper of document.querySelectorAll("[data-editor-only]")) helper.hidden = false;
if (form.dataset.unsaved) keeper.changed(source.value);
else offerKept();
if (Number(faults.dataset.count)) forceLinting(view);
if (/^#line-\d+$/.test(location.hash)) goTo(Number(location.hash.slice(6)));
