"""An audit that could not ask is not one that found nothing."""

import json

import pytest

from tests.audit import Answer, of_npm, of_pip, told

SOUND = {"name": "django", "version": "5.2.19", "vulns": []}
HOLED = {"name": "old", "version": "1", "vulns": [{"id": "X-1", "fix_versions": ["2"]}]}
SKIPPED = {"name": "django", "skip_reason": "Dependency not found"}


def by_pip(*packages: dict[str, object]) -> Answer:
    return of_pip("requirements.txt", json.dumps({"dependencies": packages}))


def test_a_hole_is_named_and_fails_also_where_the_audit_is_optional() -> None:
    words, status = told([by_pip(SOUND, HOLED)], is_optional=True)
    assert (words, status) == ("HOLE in requirements.txt: old 1: X-1, mended in 2", 1)


@pytest.mark.parametrize(
    "answer",
    [by_pip(SKIPPED, SKIPPED), by_pip(), of_pip("requirements.txt", ""), of_npm("package-lock.json", '{"error": {}}')],
    ids=["all skipped", "nothing", "no answer", "no npm"],
)
def test_what_could_not_be_asked_is_said_and_never_taken_for_sound(answer: Answer) -> None:
    words, status = told([answer], is_optional=False)
    assert words.startswith("NOT AUDITED: ")
    assert status == 1
    assert told([answer], is_optional=True) == (words, 0)


def test_what_was_asked_and_is_sound_passes() -> None:
    npm = json.dumps({"vulnerabilities": {}, "metadata": {"dependencies": {"total": 40}}})
    words, status = told([by_pip(SOUND), of_npm("package-lock.json", npm)], is_optional=False)
    assert "no known hole in 1 packages" in words
    assert "no known hole in 40 packages" in words
    assert status == 0


def test_packages_that_nothing_is_known_of_are_counted() -> None:
    assert "of 1 of 2 packages nothing is known" in told([by_pip(SOUND, SKIPPED)], is_optional=False)[0]
