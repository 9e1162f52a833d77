"""The files of the catalogue and the tables that follow them."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from exercises import catalogue
from exercises.actions import sync_catalogue
from exercises.catalogue import loader
from exercises.models import Problem, ProblemVersion, User
from tests.exercises.world import MASKED


def test_skills_stand_below_what_they_need() -> None:
    skills = catalogue.skills()
    place = {skill.id: skill.row for skill in skills}
    assert len(place) == len(skills) >= 25
    for skill in skills:
        assert all(place[needed] < skill.row for needed in (*skill.needs, *skill.helps))
        assert skill.title
        assert skill.can


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- {id: a, title: A, can: a, row: 0, column: 0}\n- {id: a, title: A, can: a, row: 0, column: 1}", "twice"),
        ("- {id: a, title: A, can: a, row: 0, column: 0, needs: [b]}", "does not stand above"),
        ("- {id: a, title: A, can: a, row: 0, column: 0}\n- {id: b, title: B, can: b, row: 0, column: 0}", "stands"),
    ],
)
def test_a_skill_map_that_does_not_hold_together_is_refused(
    text: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "skills.yaml").write_text(text)
    monkeypatch.setattr(loader, "SKILLS", tmp_path / "skills.yaml")
    loader.skills.cache_clear()
    with pytest.raises(ValueError, match=says):
        loader.skills()
    monkeypatch.undo()
    loader.skills.cache_clear()


def test_files_are_found_by_slug(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text("second")
    (tmp_path / "a.yaml").write_text("first")
    assert catalogue.slugs(tmp_path) == ["a", "b"]
    assert catalogue.source("b", tmp_path) == "second"
    for unknown in ("c", "../a", "a.yaml", ""):
        with pytest.raises(KeyError):
            catalogue.source(unknown, tmp_path)


@pytest.mark.django_db
def test_a_sync_is_safe_to_run_again() -> None:
    assert sync_catalogue(["masked"], lambda slug: MASKED).added == ["masked"]
    assert sync_catalogue(["masked"], lambda slug: MASKED).unchanged == ["masked"]
    assert ProblemVersion.objects.count() == 1
    problem = Problem.objects.get()
    assert (problem.title, problem.skills) == ("Loss at one masked token", ["softmax", "cross-entropy"])


@pytest.mark.django_db
def test_a_changed_text_is_a_new_version_and_going_back_is_none() -> None:
    changed = MASKED.replace("Add them up.", "Add up the three.")
    for text in (MASKED, changed, changed, MASKED):
        report = sync_catalogue(["masked"], lambda slug, text=text: text)  # type: ignore[misc]
    assert report.changed == ["masked"]
    problem = Problem.objects.select_related("current").get()
    assert problem.current is not None
    assert (ProblemVersion.objects.count(), problem.current.number) == (2, 1)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "broken", ["title: [", "title: only", MASKED.replace("[softmax, cross-entropy]", "[alchemy]"), ""]
)
def test_a_broken_file_hides_no_other_and_keeps_its_last_version(broken: str) -> None:
    sync_catalogue(["masked", "other"], lambda slug: MASKED)
    texts = {"masked": broken, "new": broken, "other": MASKED, "zebra": MASKED}
    report = sync_catalogue(list(texts), texts.__getitem__)
    assert (report.added, report.unchanged, sorted(report.faults)) == (["zebra"], ["other"], ["masked", "new"])
    masked, new = Problem.objects.get(slug="masked"), Problem.objects.get(slug="new")
    assert masked.fault
    assert (masked.retired, masked.current_id is None) == (False, False)
    assert (bool(new.fault), new.current_id) == (True, None)
    sync_catalogue(["masked", "other"], lambda slug: MASKED)
    masked.refresh_from_db()
    assert masked.fault == ""


@pytest.mark.django_db
def test_what_is_gone_is_retired_and_what_comes_back_serves_again() -> None:
    sync_catalogue(["masked"], lambda slug: MASKED)
    authored = Problem.objects.create(slug="authored", title="Made in the browser")
    assert sync_catalogue([], lambda slug: "").retired == ["masked"]
    authored.refresh_from_db()
    assert not authored.retired
    sync_catalogue(["masked"], lambda slug: MASKED)
    assert not Problem.objects.get(slug="masked").retired


@pytest.mark.django_db
def test_the_command_names_what_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader, "PROBLEMS", Path("/nowhere"))
    monkeypatch.setattr(
        "exercises.management.commands.sync_catalogue.sync_catalogue",
        lambda: sync_catalogue(["masked", "torn"], {"masked": MASKED, "torn": "title: ["}.__getitem__),
    )
    out, err = StringIO(), StringIO()
    with pytest.raises(CommandError):
        call_command("sync_catalogue", "--strict", stdout=out, stderr=err)
    assert "added    masked" in out.getvalue()
    assert "torn" in err.getvalue()
    call_command("sync_catalogue", stdout=out, stderr=err)
    assert Problem.objects.filter(slug="masked", current__isnull=False).exists()


@pytest.mark.django_db
def test_the_built_in_catalogue_is_whole() -> None:
    report = sync_catalogue()
    assert report.faults == {}
    assert sorted(report.added) == catalogue.slugs()


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize("slug", ["my problem", "ü", "a" * 81])
def test_a_file_whose_name_is_no_address_hides_no_other(slug: str) -> None:
    report = sync_catalogue([slug, "masked"], lambda _: MASKED)
    assert list(report.faults) == [slug]
    assert "address" in report.faults[slug]
    assert [problem.slug for problem in Problem.objects.all()] == ["masked"]


@pytest.mark.usefixtures("db")
def test_a_title_that_is_too_long_is_told_and_hides_no_other() -> None:
    longer = MASKED.replace("title: Loss", f"title: {'L' * 220}")
    report = sync_catalogue(["long", "masked"], {"long": longer, "masked": MASKED}.__getitem__)
    assert list(report.faults) == ["long"]
    assert "200" in report.faults["long"]
    assert report.added == ["masked"]


@pytest.mark.usefixtures("servers")
def test_a_file_never_takes_over_what_an_author_has_written(alice: User) -> None:
    own = Problem.objects.create(slug="masked", title="Alice's own", owner=alice)
    report = sync_catalogue(["masked", "other"], lambda slug: MASKED)
    assert "An author here" in report.faults["masked"]
    assert report.added == ["other"]
    own.refresh_from_db()
    assert (own.title, own.built_in, own.current) == ("Alice's own", False, None)
