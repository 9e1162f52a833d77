"""Elements of QTI 3 as text: attributes are escaped, contents are markup already."""

from html import escape

NAMESPACE = "http://www.imsglobal.org/xsd/imsqtiasi_v3p0"
PACKAGING = "http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1"
#: Whole points, of which the score is a share.
POINTS = "POINTS"
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def tag(element: str, /, *content: str, **attributes: str) -> str:
    """One element; ``_`` in the names of attributes becomes ``-``, and one at the end is dropped (``class_``)."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value, quote=True)}"' for key, value in attributes.items()
    )
    inner = "".join(content)
    return f"<{element}{written}>{inner}</{element}>" if inner else f"<{element}{written}/>"


def value(words: str) -> str:
    """One value of a declaration."""
    return tag("qti-value", escape(words, quote=False))


def base(kind: str, words: str) -> str:
    """A value within an expression."""
    return tag("qti-base-value", escape(words, quote=False), base_type=kind)


def number(x: float) -> str:
    """A float within an expression."""
    return base("float", number_text(x))


def number_text(x: float) -> str:
    """A float as XML writes it."""
    return str(int(x)) if x == int(x) and abs(x) < 1e15 else repr(float(x))


def variable(name: str) -> str:
    """The value of a variable."""
    return tag("qti-variable", identifier=name)


def response(name: str, cardinality: str, kind: str, *content: str) -> str:
    """The declaration of a response."""
    return tag("qti-response-declaration", *content, identifier=name, cardinality=cardinality, base_type=kind)


def outcome(name: str, cardinality: str, kind: str, *content: str, **more: str) -> str:
    """The declaration of an outcome."""
    return tag("qti-outcome-declaration", *content, identifier=name, cardinality=cardinality, base_type=kind, **more)


def add_points(*points: str) -> str:
    """Let the points grow by an expression."""
    return tag("qti-set-outcome-value", tag("qti-sum", variable(POINTS), *points), identifier=POINTS)


def score_of(most: float, total: int) -> str:
    """The score, once all points are there: whole points are added up, since players round each sum."""
    share = tag("qti-divide", tag("qti-product", variable(POINTS), number(most)), number(total or 1))
    return tag("qti-set-outcome-value", share, identifier="SCORE")


def tell(identifier: str) -> str:
    """Let one piece of feedback be shown."""
    return tag("qti-set-outcome-value", base("identifier", identifier), identifier=f"TELL_{identifier}")


def told(identifier: str) -> str:
    """The outcome by which a piece of feedback is shown: one each, since players differ in how they add to lists."""
    return outcome(f"TELL_{identifier}", "single", "identifier")


def feedback(identifier: str, content: str) -> str:
    """A piece of feedback."""
    return tag(
        "qti-modal-feedback", tag("qti-content-body", content), outcome_identifier=f"TELL_{identifier}",
        identifier=identifier, show_hide="show",
    )  # fmt: skip
