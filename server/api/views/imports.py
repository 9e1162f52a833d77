"""Problems and sets from files: drafts of one's own, after a dry run that says of each entry what is lost."""

import uuid

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from exercises.access import instructor
from exercises.actions.exchange import Imported, import_file
from exercises.courses.rights import Right
from exercises.models import Course
from server.api.addresses import PREFIX, External
from server.api.base import View
from server.api.described import DOCUMENT
from server.api.parsers import FileParser
from server.api.shapes import imports as shapes
from server.api.throttles import KeyThrottle, WorkThrottle

MOST_NAME = 200


class Imports(View):
    scopes = {"POST": "content.write"}
    parser_classes = (FileParser,)
    throttle_classes = (KeyThrottle, WorkThrottle)

    @extend_schema(
        operation_id="import_file",
        request={"multipart/form-data": shapes.ImportFields},
        responses={200: shapes.ImportReport, 404: DOCUMENT},
    )
    def post(self, request: Request) -> Response:
        """Bring in a file: its problems as drafts of your own, its sets as drafts in a course that you manage.

        All of it or nothing: 400 with every fault. What is here already, in the same words, is not copied."""
        author = instructor(self.user)
        asked = self.read(shapes.ImportFields)
        file, is_dry = asked["file"], asked["dry_run"]
        done = import_file(
            author=author, content=file.read(), name=str(file.name or "")[:MOST_NAME],
            into=self._course(asked["course"]), skill=asked["skill"], is_preview=is_dry,
        )  # fmt: skip
        return self.answer(_told(done, is_applied=not is_dry))

    def _course(self, said: str) -> Course | None:
        """The course that was named, of those that the user manages. Raises Http404."""
        if not said:
            return None
        if said.startswith(PREFIX):
            return self.course(External(said.removeprefix(PREFIX)), Right.MANAGE)
        try:
            return self.course(uuid.UUID(said), Right.MANAGE)
        except ValueError:
            raise Http404("There is nothing of that id.") from None


def _told(done: Imported, *, is_applied: bool) -> dict[str, object]:
    report = done.report
    said = {
        "is_applied": is_applied,
        "is_sound": done.is_sound,
        "heading": report.heading,
        "notes": report.notes,
        "entries": report.entries,
        # What a dry run made is undone again: its ids lead nowhere.
        "problems": [one.slug for one in done.problems] if is_applied else [],
        "problem_sets": [one.public_id for one in done.sets] if is_applied else [],
    }
    return dict(shapes.ImportReport(said).data)
