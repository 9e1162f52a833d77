"""Where programs find problem sets, and how they change one."""

import datetime as dt
from typing import Any

from rest_framework.test import APIClient

from exercises.models import Course

ROOT = "/api/v1"
SETS = f"{ROOT}/problem-sets"
DAY = dt.timedelta(days=1)
QUIZ = {
    "title": "Losses", "mode": "quiz", "opens_at": "2025-11-30T12:00:00+01:00", "due_at": "2025-12-02T12:00:00+01:00",
    "time_limit": 45, "credits": ["1", "50 %", "1/3"], "late": ["0.9"], "pass_mark": "60 %", "feedback": "released",
}  # fmt: skip


def of_course(course: Course) -> str:
    return f"{ROOT}/courses/{course.public_id}/problem-sets"


def changed(client: APIClient, address: str, said: dict[str, Any], tag: str = "*") -> Any:
    """What came of a PATCH."""
    return client.patch(address, said, format="json", headers={"If-Match": tag})
