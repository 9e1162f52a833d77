"""Making the learner model anew: the same, bit for bit, and it says what was not."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from exercises.actions import draw_variant, reveal_solution
from exercises.actions.difficulty import fold_difficulties
from exercises.actions.draw import digest_of
from exercises.actions.rebuild import rebuild_mastery
from exercises.models import Evidence, ItemDifficulty, Mastery, Problem, User, Variant
from exercises.tasks import fold_difficulties as fold_difficulties_task
from exercises.tasks import grade_pending
from tests.exercises.learning import answered, assert_nothing_drifted, mastery, said
from tests.exercises.world import c1

pytestmark = pytest.mark.usefixtures("servers", "published")


@pytest.fixture
def practised(bob: User, charlie: User, variant: Variant) -> None:
    for p in ("0.1", "0.665"):
        answered(bob, variant, p=p)
    answered(bob, variant, loss="0.408")
    answered(charlie, c1(charlie), p="0.1")
    grade_pending()
    reveal_solution(variant=Variant.objects.get(learner=charlie))


def rebuilt(*arguments: str) -> tuple[int, str]:
    """Exit status and output of the command."""
    out = StringIO()
    try:
        call_command("rebuild_mastery", *arguments, stdout=out)
    except SystemExit as left:
        return int(left.code or 0), out.getvalue()
    return 0, out.getvalue()


@pytest.mark.usefixtures("practised")
def test_a_rebuild_of_what_is_right_changes_nothing() -> None:
    before = mastery()
    assert rebuilt("--check") == (0, "0 skills differ from their evidence.\n")
    assert rebuilt() == (0, "0 skills were mended by their evidence.\n")
    assert mastery() == before


@pytest.mark.usefixtures("practised")
def test_a_lost_table_comes_back_bit_for_bit() -> None:
    before = mastery()
    Mastery.objects.all().delete()
    assert rebuilt()[0] == 0
    assert mastery() == before


@pytest.mark.usefixtures("practised")
def test_a_check_names_what_differs_and_leaves_it(bob: User) -> None:
    row = Mastery.objects.get(learner=bob, skill="softmax")
    wrong = row.mean + 1e-12
    Mastery.objects.filter(pk=row.pk).update(mean=wrong)
    Mastery.objects.filter(learner=bob, skill="cross-entropy").delete()
    assert rebuilt("--check") == (
        1,
        "bob: cross-entropy differs.\nbob: softmax differs.\n2 skills differ from their evidence.\n",
    )
    assert Mastery.objects.get(pk=row.pk).mean == wrong
    assert rebuilt("--check", "--learner", "charlie")[0] == 0
    assert "bob: softmax mended." in rebuilt("--learner", "bob")[1]
    assert_nothing_drifted()


@pytest.mark.usefixtures("practised")
def test_a_row_without_evidence_is_taken_away(alice: User) -> None:
    row = Mastery.objects.filter(skill="softmax").first()
    assert row is not None
    row.pk, row.learner = None, alice
    row.save()
    assert rebuilt("--check", "--learner", "alice")[0] == 1
    rebuilt()
    assert not Mastery.objects.filter(learner=alice).exists()


@pytest.mark.usefixtures("practised")
def test_lost_evidence_is_derived_from_the_answers_again() -> None:
    before = (said(), mastery())
    Evidence.objects.all().delete()
    status, told = rebuilt("--check", "--evidence")
    assert status == 1
    assert "4 closed steps are missing or say something else." in told
    assert not Evidence.objects.exists()
    rebuilt("--evidence")
    assert (said(), mastery()) == before
    assert rebuilt("--check", "--evidence")[0] == 0


@pytest.mark.usefixtures("db")
def test_a_name_that_nobody_has() -> None:
    with pytest.raises(CommandError, match="Nobody here"):
        rebuilt("--learner", "nobody")


@pytest.mark.usefixtures("practised")
def test_everybody_is_reached_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exercises.actions.rebuild.LEARNERS", 1)
    Mastery.objects.update(mean=0)
    assert len({learner for learner, _ in rebuild_mastery(is_check=True)}) == 2


# Difficulties


def difficulties() -> dict[str, tuple[float, int]]:
    return {step: (b, n) for step, b, n in ItemDifficulty.objects.values_list("step", "b", "n")}


def first_meeting(learner: User, p: str) -> None:
    variant = c1(learner)
    answered(learner, variant, p=p)
    grade_pending()
    draw_variant(learner=learner, slug="masked", after=variant)


def test_items_start_from_their_authors_word(problem: Problem) -> None:
    assert fold_difficulties() == 2
    assert difficulties() == {"p": (0.0, 0), "loss": (0.0, 0)}


def test_an_item_that_few_get_right_becomes_harder(problem: Problem) -> None:
    source = problem.current.source if problem.current else ""
    # A second step of the same skill, so that the mean of the skill has somebody to be measured against.
    assert problem.current is not None
    problem.current.source = source.replace("    skill: cross-entropy", "    skill: softmax")
    problem.current.save()
    for number in range(4):
        first_meeting(User.objects.create(username=f"learner-{number}"), p="0.1")
    fold_difficulties()
    found = difficulties()
    assert found["p"][1] == 4
    assert found["p"][0] > 0.3
    assert found["p"][0] == -found["loss"][0]
    # Once more, by the nightly task: it is folded from the beginning, so nothing counts twice.
    fold_difficulties_task()
    assert difficulties() == found


def test_hints_and_later_variants_say_nothing_about_an_item(problem: Problem, bob: User) -> None:
    first_meeting(bob, p="0.665")
    again = Variant.objects.filter(learner=bob).latest("number")
    again.parameters = Variant.objects.filter(learner=bob).earliest("number").parameters
    again.save()
    answered(bob, again, p="0.1")
    grade_pending()
    draw_variant(learner=bob, slug="masked", after=again)
    assert Evidence.objects.count() == 2
    fold_difficulties()
    assert difficulties()["p"][1] == 1
    Evidence.objects.update(hints=1)
    fold_difficulties()
    assert difficulties()["p"][1] == 0


def test_evidence_keeps_the_difficulty_it_was_weighed_by(problem: Problem, bob: User) -> None:
    ItemDifficulty.objects.create(problem=problem, step="p", b=0.7, n=3)
    answered(bob, c1(bob), p="0.665")
    grade_pending()
    assert Evidence.objects.get().b == 0.7
    assert Mastery.objects.get(skill="softmax").mean == pytest.approx(0.3819, abs=1e-4)  # reference §5
    fold_difficulties()
    assert Evidence.objects.get().b == 0.7
    assert_nothing_drifted()


@pytest.mark.usefixtures("practised")
def test_what_an_earlier_version_left_is_completed(bob: User) -> None:
    """Before there was mastery, variants held neither digest nor mistakes, and nothing was kept of closed steps."""
    before = mastery()
    digests = {variant.pk: digest_of(variant.parameters) for variant in Variant.objects.all()}
    Variant.objects.update(digest="", active=[])
    Evidence.objects.all().delete()
    Mastery.objects.all().delete()
    status, _ = rebuilt("--evidence")
    assert status == 0
    assert dict(Variant.objects.values_list("pk", "digest")) == digests
    assert all(Variant.objects.values_list("active", flat=True))
    assert mastery() == before
