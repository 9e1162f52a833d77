"""A request sent twice with the same ``Idempotency-Key`` is done once: whoever lost the answer gets it again."""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response

from exercises import access, actions
from exercises.actions.kept_answers import Asked
from exercises.models import User
from server.api.errors import CONTENT_TYPE
from server.api.keys import Key

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
_KEY = re.compile(r"[\x21-\x7e]{1,64}")
#: Headers of an answer that are kept with it.
KEPT_HEADERS = ("Location", "ETag", "Link")

Handler = Callable[..., Response]


def once(handler: Handler, asked: Collection[Asked], request: Request, *args: Any, **kwargs: Any) -> Response:
    """The answer of ``handler``, or the one that a request with this key got before: to who may still be told it, by
    what ``handler`` then put into ``asked``.

    What the handler writes and the note of its answer are one transaction: a process that is killed in between has
    done nothing. What it raises is answered, and kept, by ``kept_error``.
    """
    owner = request.user
    if not isinstance(owner, User):
        return handler(request, *args, **kwargs)
    taken = actions.take_key(owner=owner, key=_key(request), digest=_digest(request))
    if taken.status is not None:
        access.require_still(owner, taken.rights)
        kind = CONTENT_TYPE if taken.status >= 400 else None
        headers = {**taken.headers, REPLAYED: "true"}
        return Response(taken.body, status=taken.status, headers=headers, content_type=kind)
    try:
        return actions.doing_once(taken, lambda: handler(request, *args, **kwargs), _kept, asked)
    except Exception as error:
        error.taken = taken  # type: ignore[attr-defined]  # for whoever makes an answer of it
        raise


def keep_refusal(error: Exception, answer: Response, asked: Collection[Asked]) -> None:
    """Keep how a request with a key was refused; what was no fault of the client's may be tried again."""
    taken = getattr(error, "taken", None)
    if taken is None:
        return
    if answer.status_code < 500 and answer.status_code != 429:
        actions.keep_answer(taken, *_kept(answer), asked)
    else:
        actions.give_key_back(taken)


def _kept(answer: Response) -> tuple[int, dict[str, str], Any]:
    """Status, headers and body of an answer, as plain data."""
    body = json.loads(json.dumps(answer.data, default=str))
    return answer.status_code, {name: answer[name] for name in KEPT_HEADERS if name in answer}, body


def _key(request: Request) -> str:
    said = request.headers.get(HEADER, "")
    if not _KEY.fullmatch(said):
        raise ParseError(f"{HEADER} is 1 to 64 visible ASCII characters, such as a UUID.")
    return said


def _digest(request: Request) -> str:
    asked = hashlib.sha256()
    # Of the key too: what one key was told, another of the same owner may be too narrow for.
    name = request.auth.name if isinstance(request.auth, Key) else ""
    kind = (request.content_type or "").partition(";")[0]
    is_form = kind == "multipart/form-data"
    # What divides the parts of a form is another sign each time that the same is sent.
    for part in (name, request.method or "", request.get_full_path(), kind if is_form else request.content_type or ""):
        asked.update(part.encode() + b"\x00")
    for piece in _parts(request) if is_form else [request._request.body]:  # noqa: SLF001  # what the framework wraps
        asked.update(hashlib.sha256(piece).digest())
    return asked.hexdigest()


def _parts(request: Request) -> Iterator[bytes]:
    """The fields of a form and the files in it, which are read from their beginning again afterwards."""
    sent: Any = request.data
    for field, values in sorted(sent.lists()):
        for value in values:
            yield field.encode()
            if not isinstance(value, UploadedFile):
                yield str(value).encode()
                continue
            yield str(value.name).encode()
            yield value.read()
            value.seek(0)
