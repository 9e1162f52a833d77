"""What Moodle's importer makes of a cloze question, after its own rules: the judge of what is exported.

It follows ``question/type/multianswer/questiontype.php`` (the expressions by which embedded answers are found and cut
up), ``qtype_multianswer_validate_question`` and ``format/xml``: written from those, not from the writer.
"""

import base64
import html
import re
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

FRACTION = r"=|%(-?[0-9]+(?:[.,][0-9]*)?)%"
ANSWER = r".+?(?<!\\|&)(?<!&amp;)(?=[~#}]|$)"
FEEDBACK = r".*?(?<!\\)(?=[~}]|$)"
ALTERNATIVE = rf"({FRACTION})?({ANSWER})(#({FEEDBACK}))?"
NUMBER = r"-?(?:(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?)"
NUMERICAL = re.compile(rf"^({NUMBER})(?::({NUMBER}))?$", re.DOTALL)
TYPES = (
    r"NUMERICAL|NM|MULTICHOICE|MC|MULTICHOICE_V|MCV|MULTICHOICE_H|MCH|SHORTANSWER|SA|MW|SHORTANSWER_C|SAC|MWC|"
    r"MULTICHOICE_S|MCS|MULTICHOICE_VS|MCVS|MULTICHOICE_HS|MCHS|MULTIRESPONSE|MR|MULTIRESPONSE_H|MRH|MULTIRESPONSE_S|"
    r"MRS|MULTIRESPONSE_HS|MRHS"
)
EMBEDDED = re.compile(rf"\{{([0-9]*):({TYPES}):({ALTERNATIVE}(~{ALTERNATIVE})*)\}}", re.DOTALL)
ONE = re.compile(rf"~?{ALTERNATIVE}", re.DOTALL)
#: Anything that begins like an embedded answer and was not read as one stays in the text for learners to see.
LEFT_OVER = re.compile(rf"\{{[0-9]*:(?:{TYPES}):")


@dataclass
class Answer:
    """One answer of a box: for numbers with its tolerance."""

    text: str
    fraction: float
    feedback: str
    tolerance: float | None = None


@dataclass
class Box:
    """One embedded question."""

    kind: str
    mark: int
    answers: list[Answer] = field(default_factory=list)

    def grade(self, typed: str) -> float:
        """The fraction that the first matching answer earns, as qtype_numerical and qtype_shortanswer do."""
        for answer in self.answers:
            if self.kind == "NUMERICAL":
                value, key = float(typed), float(answer.text)
                room = (answer.tolerance or 0.0) + 1e-14 * max(abs(answer.tolerance or 0.0), abs(key), 1e-14)
                if abs(value - key) <= room:
                    return answer.fraction
            elif fits(answer.text, typed):
                return answer.fraction
        return 0.0


@dataclass
class Cloze:
    """A question as it is imported; the text has ``{#1}`` in the place of the first box."""

    name: str
    text: str
    boxes: list[Box]
    feedback: str
    files: dict[str, bytes]
    idnumber: str
    tags: list[str]
    category: str


def fits(pattern: str, typed: str) -> bool:
    """Short answers: a star stands for any text unless it is escaped, and case makes no difference."""
    parts = re.split(r"(?<!\\)\*", pattern)
    wanted = ".*".join(re.escape(part.replace(r"\*", "*")) for part in parts)
    return re.fullmatch(wanted, typed.strip(), re.IGNORECASE | re.DOTALL) is not None


def read_cloze(text: str) -> tuple[str, list[Box]]:
    """The boxes of a text, and the text without them."""
    boxes: list[Box] = []
    while found := EMBEDDED.search(text):
        box = Box(found[2], int(found[1]) if found[1] else 1)
        rest = found[3]
        while one := ONE.match(rest):
            box.answers.append(_answer(one, box.kind))
            rest = rest[one.end() :]
        assert not rest, f"not read: {rest!r}"
        boxes.append(box)
        text = f"{text[: found.start()]}{{#{len(boxes)}}}{text[found.end() :]}"
    return text, boxes


def _answer(one: re.Match[str], kind: str) -> Answer:
    sign, percent, raw, said = one[1], one[2], one[3], one[5]
    fraction = 1.0 if sign == "=" else 0.01 * float(percent.replace(",", ".")) if percent else 0.0
    feedback = _undone(said) if said is not None else ""
    if kind in ("NUMERICAL", "NM") and (number := NUMERICAL.match(raw)):
        return Answer(number[1], fraction, feedback, float(number[2]) if number[2] else 0.0)
    return Answer(_undone(raw), fraction, feedback)


def _undone(text: str) -> str:
    return html.unescape(text).replace(r"\}", "}").replace(r"\#", "#")


def faults_of(boxes: list[Box]) -> list[str]:
    """Why the importer would refuse a question."""
    if not boxes:
        return ["there is no box in it"]
    found = []
    for place, box in enumerate(boxes, start=1):
        filled = [answer for answer in box.answers if answer.text.strip()]
        is_choice = box.kind.startswith(("MULTI", "MC", "MR"))
        several = box.kind.startswith(("MULTIRESPONSE", "MR"))
        if len(filled) < (2 if is_choice else 1):
            found.append(f"box {place} has too few answers")
        if not any(answer.fraction > 0 if several else answer.fraction == 1 for answer in filled):
            found.append(f"box {place} has no right answer")
        none = [answer.text for answer in filled if box.kind == "NUMERICAL" and answer.tolerance is None]
        found += [f"box {place}: {text!r} is no number" for text in none]
    return found


def read_quiz(content: bytes) -> list[Cloze]:
    """The questions of a Moodle XML file. Fails on anything that the importer does not accept."""
    root = ET.fromstring(content)
    assert root.tag == "quiz"
    found: list[Cloze] = []
    category = ""
    for question in root:
        assert question.tag == "question"
        if question.get("type") == "category":
            category = question.findtext("category/text") or ""
            assert category.startswith("$course$/top/")
            continue
        assert question.get("type") == "cloze"
        said = question.find("questiontext")
        assert said is not None
        assert said.get("format") == "html"
        text, boxes = read_cloze(said.findtext("text") or "")
        assert not faults_of(boxes), faults_of(boxes)
        assert not LEFT_OVER.search(text), text
        files = {}
        for file in said.findall("file"):
            assert file.get("encoding") == "base64"
            assert file.get("path") == "/"
            files[file.get("name") or ""] = base64.b64decode(file.text or "", validate=True)
        for name in re.findall(r"@@PLUGINFILE@@/([^\"]+)", text):
            assert name in files, name
        found.append(
            Cloze(
                name=question.findtext("name/text") or "",
                text=text,
                boxes=boxes,
                feedback=question.findtext("generalfeedback/text") or "",
                files=files,
                idnumber=question.findtext("idnumber") or "",
                tags=[tag.text or "" for tag in question.findall("tags/tag/text")],
                category=category,
            )
        )
    return found
