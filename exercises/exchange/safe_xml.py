"""Reading XML of other systems: no document types, no entities, nothing fetched, and every size bounded."""

from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

MOST_ELEMENTS = 60_000
MOST_DEPTH = 60


class XmlRefused(ValueError):
    """XML that is not read; the message says why, and where."""


class _Bounded(TreeBuilder):
    """Builds the tree, and stops where there is more or deeper of it than any real file has."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self.count = 0

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        """One element begins. Raises XmlRefused."""
        self.depth += 1
        self.count += 1
        if self.depth > MOST_DEPTH:
            raise XmlRefused(f"Elements are nested more than {MOST_DEPTH} deep: this is no file of questions.")
        if self.count > MOST_ELEMENTS:
            raise XmlRefused(f"It has more than {MOST_ELEMENTS:,} elements: divide it, and import the parts.")
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> Element:
        """One element ends."""
        self.depth -= 1
        return super().end(tag)


def is_xml(content: bytes) -> bool:
    """Whether it begins as XML does, in UTF-8 or UTF-16."""
    return content[:200].replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").startswith(b"<")


def read_xml(content: bytes) -> Element:
    """The root of a document in its own encoding. Raises XmlRefused with line and column."""
    parser = DefusedXMLParser(target=_Bounded(), forbid_dtd=True, forbid_entities=True, forbid_external=True)
    try:
        parser.feed(content)
        root = parser.close()
    except ParseError as error:
        line, column = error.position
        words = str(error).partition(":")[0]
        raise XmlRefused(f"Line {line}, column {column + 1}: this is not XML ({words}).") from error
    except DefusedXmlException as error:
        raise XmlRefused(
            "It has a document type or entities of its own, which are not read: export it again without them."
        ) from error
    except (ValueError, LookupError) as error:  # an encoding that nobody knows
        if isinstance(error, XmlRefused):
            raise
        raise XmlRefused(f"It cannot be read in the encoding that it names: {error}.") from error
    if not isinstance(root, Element):
        raise XmlRefused("It is empty.")
    return root
