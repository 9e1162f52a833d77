"""Moodle XML as starting points: numbers, choices, short answers and embedded answers."""

import re
import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from xml.etree.ElementTree import Element

from exercises.exchange.html_text import markdown_of
from exercises.exchange.moodle.embedded import embedded_answers
from exercises.exchange.report import Entry
from exercises.exchange.safe_xml import XmlRefused, read_xml
from exercises.exchange.starting import (
    MOST_ANSWERS,
    MOST_OF_ONE,
    SECONDS,
    TOO_LONG,
    Asked,
    NotTaken,
    Question,
    Start,
    Told,
    start_of,
)

HEADING = "Questions in Moodle XML"
MOST_QUESTIONS = 300
TOLERANCE = (
    "Its tolerance is not kept: here it follows from rounding to the digits asked for, three unless you say more."
)
_FIGURES = re.compile(r"[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d+)?")


def read_moodle(content: bytes, skill: str) -> list[Start | Entry]:
    """Every question in order: a problem to go on from, or why not. Raises XmlRefused for what is no Moodle XML."""
    root = read_xml(content)
    if root.tag != "quiz":
        raise XmlRefused("It is XML, and not Moodle’s: a file of questions begins with <quiz>.")
    questions = [one for one in root if one.tag == "question" and one.get("type") != "category"]
    if len(questions) > MOST_QUESTIONS:
        raise XmlRefused(f"It holds {len(questions)} questions; {MOST_QUESTIONS} are the most. Divide it.")
    ends = time.monotonic() + SECONDS
    return [_one(question, place, skill, ends) for place, question in enumerate(questions, start=1)]


def _one(question: Element, place: int, skill: str, ends: float) -> Start | Entry:
    kind = question.get("type") or "unnamed"
    title = " ".join((question.findtext("name/text") or f"Question {place}").split())[:200]
    read = _KINDS.get(kind)
    if read is None:
        return Entry(title, left=f"questions of the kind “{kind[:40]}” have no counterpart here.")
    try:
        _check_size(question, ends)
        said = markdown_of(_html(question.find("questiontext")))
        found = Question(title, said.words, [], lost=said.lost)
        _around(question, found)
        read(question, found)
        return start_of(found, skill)
    except NotTaken as refused:
        return Entry(title, left=str(refused))


def _check_size(question: Element, ends: float) -> None:
    """Raises NotTaken for a question that would take long to read."""
    if time.monotonic() > ends:
        raise NotTaken(TOO_LONG)
    if len(question.findall("answer")) > MOST_ANSWERS:
        raise NotTaken(f"it has more than {MOST_ANSWERS} answers.")
    files = {id(file) for file in question.iter("file")}
    if sum(len(one.text or "") for one in question.iter() if id(one) not in files) > MOST_OF_ONE:
        raise NotTaken(f"it is longer than {MOST_OF_ONE:,} characters.")


def _around(question: Element, found: Question) -> None:
    """What belongs to a question beside its answers."""
    if _html(question.find("generalfeedback")).strip():
        found.lost.append("The general feedback is not kept: here the worked solution follows from the formulas.")
    if hint := _html(question.find("hint")):
        found.hint = markdown_of(hint).words
    if len(question.findall("hint")) > 1:
        found.lost.append("Only the first hint is kept.")
    if question.find(".//file") is not None:
        found.lost.append("Files within the question, such as images, are left out.")
    if question.findall("tags/tag"):
        found.lost.append("Tags are not kept: problems have skills.")


def _numerical(question: Element, found: Question) -> None:
    right: float | None = None
    wrongs: list[Told] = []
    for answer in question.findall("answer"):
        value, credit, says = _number(answer.findtext("text")), _credit(answer), _says(answer, found)
        if value is None:
            found.lost.append("The answer “*” for everything else is not kept.")
        elif credit == 1 and right is None:
            right = value
        elif credit == 1:
            found.lost.append(f"Of several right answers the first is kept, and {value:g} is not.")
        else:
            wrongs.append(Told(value, max(credit, Fraction(0)), says))
    if right is None:
        raise NotTaken("it has no answer that is wholly right.")
    if any(_number(answer.findtext("tolerance")) for answer in question.findall("answer")):
        found.lost.append(TOLERANCE)
    if question.find("units/unit") is not None:
        found.lost.append("Units are not kept: say in the question which one is meant.")
    found.asked.append(Asked("number", "Your answer", right, wrongs=_apart(wrongs, right, found)))


def _multichoice(question: Element, found: Question) -> None:
    answers = question.findall("answer")
    texts = []
    for answer in answers:
        said = markdown_of(_html(answer))
        texts.append(said.words or "(empty)")
        found.lost += said.lost
    _options(found, texts, [_credit(answer) for answer in answers], [_says(answer, found) for answer in answers],
             is_single=(question.findtext("single") or "true").strip() in ("true", "1"))  # fmt: skip
    if (question.findtext("shuffleanswers") or "true").strip() in ("false", "0"):
        found.lost.append("The order of the options is drawn here; “shuffle: false” keeps it.")


def _options(found: Question, texts: list[str], shares: list[Fraction], says: list[str], *, is_single: bool) -> None:
    """One choice, or several, of these options."""
    if len(texts) < 2:
        raise NotTaken("it has fewer than two options.")
    if not is_single:
        key = [int(credit > 0) for credit in shares]
        if not any(key):
            raise NotTaken("none of its options is right.")
        if any(says):
            found.lost.append("What was said of single options is not kept where several are to be chosen.")
        found.asked.append(Asked("choices", "Choose all that are right", key, options=texts))
        return
    best = max(shares)
    if best < 1:
        raise NotTaken("none of its options is wholly right.")
    right = shares.index(best)
    wrongs = [
        Told(place, max(credit, Fraction(0)), said)
        for place, (credit, said) in enumerate(zip(shares, says, strict=True))
        if place != right and (said or 0 < credit < 1)
    ]
    if shares.count(best) > 1:
        found.lost.append("Of several options that are wholly right the first is kept.")
    found.asked.append(Asked("choice", "Choose one", right, options=texts, wrongs=wrongs))


def _truefalse(question: Element, found: Question) -> None:
    shares, says = {}, {}
    for answer in question.findall("answer"):
        name = (answer.findtext("text") or "").strip().lower()
        shares[name], says[name] = _credit(answer), _says(answer, found)
    names = ("true", "false")
    _options(found, ["True", "False"], [shares.get(name, Fraction(0)) for name in names],
             [says.get(name, "") for name in names], is_single=True)  # fmt: skip


def _shortanswer(question: Element, found: Question) -> None:
    forms, wrongs = [], []
    for answer in question.findall("answer"):
        text, credit = (answer.findtext("text") or "").strip(), _credit(answer)
        says = _says(answer, found)
        if re.search(r"(?<!\\)\*", text):
            found.lost.append(f"“{text[:60]}” is not kept: a star does not stand for any text here.")
        elif text and credit == 1:
            forms.append(text.replace(r"\*", "*"))
        elif text:
            wrongs.append(Told(text.replace(r"\*", "*"), max(credit, Fraction(0)), says))
    if not forms:
        raise NotTaken("it has no answer that is wholly right.")
    if (question.findtext("usecase") or "0").strip() == "1":
        found.lost.append("Capital and small letters make no difference here.")
    found.asked.append(Asked("text", "Your answer", forms, wrongs=wrongs))


def _cloze(question: Element, found: Question) -> None:
    text, boxes = embedded_answers(_html(question.find("questiontext")))
    if sum(len(box.answers) for box in boxes) > MOST_ANSWERS * 8:
        raise NotTaken(f"it has more than {MOST_ANSWERS * 8} answers.")
    if not boxes:
        raise NotTaken("no embedded answer can be read in it.")
    said = markdown_of(text)
    found.text, found.lost = said.words, [*said.lost, *found.lost]
    for place, box in enumerate(boxes, start=1):
        before = len(found.asked)
        wrongs = [Told(one.value, one.credit, markdown_of(one.says).words) for one in box.answers]
        if box.kind == "number":
            rights = [told for told in wrongs if told.credit == 1]
            if not rights:
                raise NotTaken(f"its gap {place} has no right answer.")
            others = [told for told in wrongs if told.credit < 1]
            key = float(rights[0].value)
            found.asked.append(Asked("number", "", key, wrongs=_apart(others, key, found)))
            if TOLERANCE not in found.lost:
                found.lost.append(TOLERANCE)
        elif box.kind == "text":
            forms = [told.value for told in wrongs if told.credit == 1]
            if not forms:
                raise NotTaken(f"its gap {place} has no right answer.")
            found.asked.append(Asked("text", "", forms, wrongs=[told for told in wrongs if told.credit < 1]))
        else:
            _options(found, [markdown_of(str(told.value)).words for told in wrongs], [told.credit for told in wrongs],
                     [told.says for told in wrongs], is_single=box.kind == "choice")  # fmt: skip
        found.asked[before].ask = f"Gap {place}"
        found.asked[before].weight = Fraction(box.weight)


def _apart(wrongs: list[Told], right: float, found: Question) -> list[Told]:
    """Wrong numbers that can be told from the right one when three digits are given; each once."""
    kept: dict[float, Told] = {}
    for told in wrongs:
        value = float(told.value)
        if abs(value - right) <= 0.02 * abs(right) or (right == 0 == value):
            found.lost.append(f"The wrong answer {value:g} lies too near to the right one to be told apart.")
        elif told.says or told.credit:
            kept.setdefault(value, told)
    return list(kept.values())


def _html(element: Element | None) -> str:
    if element is None:
        return ""
    text = element.findtext("text") or ""
    return text if element.get("format", "html") in ("html", "moodle_auto_format", "") else escaped_html(text)


def escaped_html(text: str) -> str:
    """Plain text as HTML, its lines kept."""
    for sign, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(sign, entity)
    return text.replace("\n", "<br/>")


def _credit(answer: Element) -> Fraction:
    said = _number(answer.get("fraction"))
    return Fraction(said or 0).limit_denominator(10_000) / 100


def _says(answer: Element, found: Question) -> str:
    said = markdown_of(_html(answer.find("feedback")))
    found.lost += said.lost
    return said.words


def _number(said: str | None) -> float | None:
    words = (said or "").strip()
    if not _FIGURES.fullmatch(words) or len(words) > 40:
        return None
    value = float(words.replace(",", "."))
    return value if abs(value) < 1e300 else None


_KINDS: Mapping[str, Callable[[Element, Question], None]] = MappingProxyType(
    {
        "numerical": _numerical,
        "multichoice": _multichoice,
        "truefalse": _truefalse,
        "shortanswer": _shortanswer,
        "cloze": _cloze,
        "multianswer": _cloze,
    }
)
