/* How the editor looks: the colours of the page, which are those of the theme in light and dark. */

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView, tooltips } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const look = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--sheet)", height: "100%", fontSize: "0.875rem", border: "1px solid var(--rule-strong)", borderRadius: "var(--radius)" },
  "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55", overflow: "auto", borderRadius: "var(--radius)" },
  ".cm-content": { caretColor: "var(--ink)", paddingBlock: "0.5rem" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--accent-line)", opacity: "0.45" },
  ".cm-gutters": { backgroundColor: "var(--sheet)", color: "var(--soft)", border: "0", borderRight: "1px solid var(--rule)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--accent-soft)", color: "var(--ink)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent-soft) 45%, transparent)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)", outline: "1px solid var(--accent-line)" },
  ".cm-tooltip": { backgroundColor: "var(--sheet)", color: "var(--ink)", border: "1px solid var(--rule-strong)", borderRadius: "var(--radius)", boxShadow: "0 4px 16px rgb(0 0 0 / 18%)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "0.85rem", maxHeight: "14rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.2rem 0.6rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { color: "inherit", opacity: "0.85" },
  ".cm-completionMatchedText": { textDecoration: "underline" },
  ".cm-completionIcon": { color: "inherit", opacity: "0.9" },
  ".cm-completionInfo": { font: "var(--small)/1.45 var(--sans)", padding: "0.5rem 0.75rem", maxWidth: "22rem" },
  ".cm-diagnostic": { font: "var(--small)/1.45 var(--sans)", padding: "0.4rem 0.75rem", borderLeft: "4px solid var(--wrong)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--wrong)", textUnderlineOffset: "0.25em", textDecorationSkipInk: "none" },
  ".cm-panels": { backgroundColor: "var(--paper)", color: "var(--ink)", fontFamily: "var(--sans)" },
  ".cm-panel.cm-search": { fontSize: "0.875rem" },
  ".cm-textfield": { backgroundColor: "var(--sheet)", color: "var(--ink)", border: "1px solid var(--rule-strong)", borderRadius: "4px" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--sheet)", color: "var(--ink)", border: "1px solid var(--rule-strong)", borderRadius: "4px" },
  ".cm-searchMatch": { backgroundColor: "var(--mistake-soft)", outline: "1px solid var(--mistake)" },
});

/* Four colours and no more: keys, words, numbers, and what is not read. */
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string), tags.content], color: "var(--ink)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.atom], color: "var(--carried)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.punctuation, tags.separator, tags.bracket, tags.squareBracket, tags.brace], color: "var(--soft)" },
  { tag: [tags.attributeValue], color: "var(--mistake)" },
  { tag: tags.invalid, color: "var(--wrong)" },
]);

/* What pops up keeps this many pixels away from the edges of the window. */
const EDGE = 8;

function roomInside(view) {
  const { clientWidth, clientHeight } = view.dom.ownerDocument.documentElement;
  return { top: 0, left: EDGE, bottom: clientHeight, right: clientWidth - EDGE };
}

export const looks = [look, syntaxHighlighting(colours), tooltips({ tooltipSpace: roomInside })];
