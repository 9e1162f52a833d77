"""Answers that are files. Whoever asks for one is still told in JSON what is wrong."""

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from exercises.exchange.package import Package


class ZipRenderer(BaseRenderer):
    """Bytes as they are; a problem document as JSON."""

    media_type = "application/zip"
    format = "zip"
    charset = None
    render_style = "binary"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """The body of an answer."""
        return data if isinstance(data, bytes) else JSONRenderer().render(data)


def file_answer(request: Request, package: Package) -> Response:
    """A file to be kept, whatever else would have been taken."""
    request.accepted_renderer = ZipRenderer()
    headers = {"Content-Disposition": f'attachment; filename="{package.name}"'}
    return Response(package.content, content_type=package.content_type, headers=headers)
