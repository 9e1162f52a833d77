"""A small player of QTI 3: checks the structure of an item, draws its templates, and scores answers.

Written from the specification (information model and XML binding), not from the writer. It knows the elements that are
used and fails on any other.
"""

import math
import random
import re
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

Q = "{http://www.imsglobal.org/xsd/imsqtiasi_v3p0}"
M = "{http://www.w3.org/1998/Math/MathML}"
#: The children of an item in the order of the schema.
ORDER = (
    "qti-response-declaration", "qti-outcome-declaration", "qti-template-declaration", "qti-template-processing",
    "qti-item-body", "qti-response-processing", "qti-modal-feedback",
)  # fmt: skip
BLOCKS = frozenset(["p", "div", "ol", "ul", "table", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "hr"])
INLINE = frozenset(["em", "strong", "code", "br", "img", "a", "span", "sub", "sup"])
WITHIN = {
    "li": ("ol", "ul"),
    "tr": ("thead", "tbody"),
    "thead": ("table",),
    "tbody": ("table",),
    "td": ("tr",),
    "th": ("tr",),
}
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
#: How many operands an expression has: least and most.
OPERANDS = {
    "qti-sum": (1, 99), "qti-product": (1, 99), "qti-subtract": (2, 2), "qti-divide": (2, 2), "qti-power": (2, 2),
    "qti-min": (1, 99), "qti-max": (1, 99), "qti-math-operator": (1, 2), "qti-and": (1, 99), "qti-or": (1, 99),
    "qti-not": (1, 1), "qti-lt": (2, 2), "qti-lte": (2, 2), "qti-gt": (2, 2), "qti-gte": (2, 2), "qti-match": (2, 2),
    "qti-string-match": (2, 2), "qti-multiple": (0, 999), "qti-random": (1, 1), "qti-variable": (0, 0),
    "qti-base-value": (0, 0), "qti-random-integer": (0, 0), "qti-map-response": (0, 0),
}  # fmt: skip
MATH = {
    "abs": abs, "exp": math.exp, "ln": math.log, "floor": math.floor, "ceil": math.ceil,
    "signum": lambda x: (x > 0) - (x < 0),
}  # fmt: skip


def name_of(element: ET.Element) -> str:
    return element.tag.removeprefix(Q)


@dataclass
class Item:
    """One item, checked."""

    root: ET.Element
    declared: dict[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        assert self.root.tag == f"{Q}qti-assessment-item"
        for key in ("identifier", "title", "time-dependent"):
            assert self.root.get(key), key
        assert IDENTIFIER.fullmatch(self.root.get("identifier") or "")
        places = [ORDER.index(name_of(child)) for child in self.root]
        assert places == sorted(places), "children of the item are out of order"
        for kind in ("response", "outcome", "template"):
            for one in self.root.findall(f"{Q}qti-{kind}-declaration"):
                identifier = one.get("identifier") or ""
                assert IDENTIFIER.fullmatch(identifier), identifier
                assert identifier not in self.declared, f"{identifier} is declared twice"
                self.declared[identifier] = (one.get("cardinality") or "", one.get("base-type") or "")
        self._body(self.root.find(f"{Q}qti-item-body"))
        for rules in ("qti-template-processing", "qti-response-processing"):
            for one in self.root.findall(f"{Q}{rules}"):
                for rule in one:
                    self._rule(rule)
        shown = [one.get("identifier") for one in self.root.findall(f"{Q}qti-modal-feedback")]
        assert len(set(shown)) == len(shown)
        for one in self.root.findall(f"{Q}qti-modal-feedback"):
            assert self.declared[one.get("outcome-identifier") or ""] == ("single", "identifier")
            assert one.get("show-hide") == "show"
            assert [name_of(child) for child in one] == ["qti-content-body"]
            self._content(one[0])

    def _body(self, body: ET.Element | None) -> None:
        assert body is not None
        self._content(body)
        asked = [one.get("response-identifier") for one in body.iter() if one.get("response-identifier")]
        responses = [one.get("identifier") for one in self.root.findall(f"{Q}qti-response-declaration")]
        assert sorted(filter(None, asked)) == sorted(filter(None, responses))

    def _content(self, holder: ET.Element) -> None:
        """Blocks within blocks, words within paragraphs; nothing that a body may not hold."""
        for child in holder:
            if child.tag == f"{M}math":
                continue
            name, parent = name_of(child), name_of(holder)
            if name in WITHIN:
                assert parent in WITHIN[name], f"{name} in {parent}"
            elif name == "qti-choice-interaction":
                assert parent in ("qti-item-body", "div")
                names = [one.get("identifier") for one in child.findall(f"{Q}qti-simple-choice")]
                assert len(set(names)) == len(names) >= 2
                assert child.get("max-choices") in ("0", "1")
            elif name in ("qti-text-entry-interaction", "qti-printed-variable"):
                assert parent in ("p", "li", "td", "em", "strong"), f"{name} in {parent}"
                assert (child.get("response-identifier") or child.get("identifier")) in self.declared
            elif name in BLOCKS:
                assert parent not in ("p", *INLINE), f"{name} in {parent}"
                assert parent != "qti-item-body" or not (holder.text or "").strip()
            else:
                assert name in INLINE | {"qti-prompt", "qti-simple-choice"}, name
            if name == "img":
                assert child.get("alt")
            self._content(child)

    def _rule(self, rule: ET.Element) -> None:
        name = name_of(rule)
        if name == "qti-response-condition":
            assert name_of(rule[0]) == "qti-response-if"
            for branch in rule:
                start = 0 if name_of(branch) == "qti-response-else" else 1
                if start:
                    self._expression(branch[0])
                for inner in branch[start:]:
                    self._rule(inner)
            return
        assert name in (
            "qti-set-outcome-value", "qti-set-template-value", "qti-set-correct-response", "qti-template-constraint",
        )  # fmt: skip
        assert len(rule) == 1
        if name != "qti-template-constraint":
            assert rule.get("identifier") in self.declared
        self._expression(rule[0])

    def _expression(self, node: ET.Element) -> None:
        name = name_of(node)
        least, most = OPERANDS[name]
        assert least <= len(node) <= most, f"{name} has {len(node)} operands"
        if name in ("qti-variable", "qti-map-response"):
            assert node.get("identifier") in self.declared, node.get("identifier")
        if name == "qti-base-value":
            assert node.get("base-type") in ("float", "integer", "identifier", "string")
        if name == "qti-math-operator":
            assert node.get("name") in MATH
        for child in node:
            self._expression(child)

    # Playing

    def drawn(self, seed: int) -> dict[str, object]:
        """Values of the template variables, drawn until every constraint holds."""
        chance = random.Random(seed)
        rules = self.root.find(f"{Q}qti-template-processing")
        for _ in range(500):
            values: dict[str, object] = {}
            if rules is None or all(self._run(rule, values, {}, chance) for rule in rules):
                return values
        raise AssertionError("no draw meets the constraints")

    def _run(
        self, rule: ET.Element, values: dict[str, object], answers: dict[str, object], chance: random.Random
    ) -> bool:
        found = self.value(rule[0], values, answers, chance)
        if name_of(rule) == "qti-template-constraint":
            return bool(found)
        if name_of(rule) == "qti-set-correct-response":
            values[f"correct {rule.get('identifier')}"] = found
        else:
            values[rule.get("identifier") or ""] = found
        return True

    def played(self, answers: dict[str, object], values: dict[str, object] | None = None) -> tuple[float, list[str]]:
        """The score and the feedback that these answers earn."""
        state: dict[str, object] = {**(values or {}), "SCORE": 0.0, "POINTS": 0.0}
        processing = self.root.find(f"{Q}qti-response-processing")
        assert processing is not None
        for rule in processing:
            self._process(rule, state, answers)
        shown = [
            one.get("identifier") or ""
            for one in self.root.findall(f"{Q}qti-modal-feedback")
            if state.get(one.get("outcome-identifier") or "") == one.get("identifier")
        ]
        return float(state["SCORE"]), shown  # type: ignore[arg-type]

    def _process(self, rule: ET.Element, state: dict[str, object], answers: dict[str, object]) -> None:
        if name_of(rule) != "qti-response-condition":
            state[rule.get("identifier") or ""] = self.value(rule[0], state, answers, random.Random(0))
            return
        for branch in rule:
            is_else = name_of(branch) == "qti-response-else"
            if is_else or self.value(branch[0], state, answers, random.Random(0)) is True:
                for inner in branch[0 if is_else else 1 :]:
                    self._process(inner, state, answers)
                return

    def value(
        self, node: ET.Element, values: dict[str, object], answers: dict[str, object], chance: random.Random
    ) -> object:
        """The value of an expression; None is NULL."""
        name = name_of(node)
        if name == "qti-base-value":
            words = node.text or ""
            return float(words) if node.get("base-type") in ("float", "integer") else words
        if name == "qti-variable":
            identifier = node.get("identifier") or ""
            return answers.get(identifier) if identifier in answers else values.get(identifier)
        if name == "qti-map-response":
            return self._mapped(node.get("identifier") or "", answers)
        if name == "qti-random-integer":
            low, high, step = (int(node.get(key) or 1) for key in ("min", "max", "step"))
            return float(chance.randrange(low, high + 1, step))
        parts = [self.value(child, values, answers, chance) for child in node]
        if name == "qti-multiple":
            return [one for part in parts for one in (part if isinstance(part, list) else [part])]
        if name == "qti-random":
            return chance.choice(parts[0])  # type: ignore[arg-type]
        if any(part is None for part in parts):
            return None
        return self._operated(name, node, parts)

    def _operated(self, name: str, node: ET.Element, parts: list[object]) -> object:
        if name == "qti-string-match":
            return str(parts[0]).lower() == str(parts[1]).lower()
        if name == "qti-match":
            return parts[0] == parts[1]
        if name in ("qti-and", "qti-or", "qti-not"):
            return {"qti-and": all, "qti-or": any, "qti-not": lambda them: not them[0]}[name](parts)
        x = [float(part) for part in parts]  # type: ignore[arg-type]
        simple = {
            "qti-sum": lambda: math.fsum(x), "qti-product": lambda: math.prod(x), "qti-subtract": lambda: x[0] - x[1],
            "qti-divide": lambda: x[0] / x[1] if x[1] else None, "qti-power": lambda: x[0] ** x[1],
            "qti-min": lambda: min(x), "qti-max": lambda: max(x), "qti-lt": lambda: x[0] < x[1],
            "qti-lte": lambda: x[0] <= x[1], "qti-gt": lambda: x[0] > x[1], "qti-gte": lambda: x[0] >= x[1],
            "qti-math-operator": lambda: MATH[node.get("name") or ""](x[0]),
        }  # fmt: skip
        return simple[name]()

    def _mapped(self, identifier: str, answers: dict[str, object]) -> float:
        [declaration] = [
            one for one in self.root.findall(f"{Q}qti-response-declaration") if one.get("identifier") == identifier
        ]
        mapping = declaration.find(f"{Q}qti-mapping")
        assert mapping is not None
        given = answers.get(identifier)
        given = given if isinstance(given, list) else [] if given is None else [given]
        total = 0.0
        for one in given:
            total += next(
                (
                    float(entry.get("mapped-value") or "nan")
                    for entry in mapping
                    if (entry.get("map-key") or "").lower() == str(one).lower()
                ),
                float(mapping.get("default-value") or 0),
            )
        return min(
            float(mapping.get("upper-bound") or math.inf), max(float(mapping.get("lower-bound") or -math.inf), total)
        )

    def correct(self) -> dict[str, object]:
        """The right answers as they are declared."""
        found: dict[str, object] = {}
        for one in self.root.findall(f"{Q}qti-response-declaration"):
            values = [value.text for value in one.findall(f"{Q}qti-correct-response/{Q}qti-value")]
            kind = one.get("base-type")
            read = [float(value or "nan") if kind == "float" else value for value in values]
            found[one.get("identifier") or ""] = read if one.get("cardinality") == "multiple" else (read or [None])[0]
        return found


def read_item(content: bytes) -> Item:
    """An item, whose structure has been checked."""
    return Item(ET.fromstring(content))
