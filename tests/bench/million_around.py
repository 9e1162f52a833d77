"""What else half a year leaves in the tables: events and deliveries, scores at a platform, cards, trails, jobs."""

import uuid
from typing import TYPE_CHECKING

from django.db.models import Max

from exercises import clock
from exercises.models import (
    AuditEntry,
    CardMemory,
    CardTurn,
    Context,
    Course,
    DailySession,
    Deck,
    Delivery,
    Deployment,
    Event,
    Extension,
    FaultReport,
    Group,
    HintUse,
    Job,
    KeptAnswer,
    LineItem,
    LmsScore,
    Membership,
    Override,
    PlatformUser,
    Problem,
    ProblemSet,
    Registration,
    RegradeChange,
    RegradeEvent,
    RegradeMove,
    ResourceLink,
    Review,
    SavedAnswer,
    SessionItem,
    Webhook,
)
from exercises.sealed import seal
from tests.bench.million_rows import insert

if TYPE_CHECKING:
    from tests.bench.million_world import Shape, World

#: For how long everybody was here; and whoever has practised for years.
DAYS, YEARS_OF_DAYS = 180, 1_800


def surround(shape: "Shape", world: "World") -> None:
    """Everything that the world of answers does not have itself."""
    _followed(world)
    _written(world)
    _platform(world)
    _studied(shape, world)
    _cards(shape, world)
    _decided(world)


def _followed(world: "World") -> None:
    """What was marked in attempts is told for thirty days, and delivered to one address of the large course."""
    insert(
        Event,
        "exercises_submission s JOIN exercises_variant v ON v.id = s.variant_id "
        "JOIN exercises_attemptitem i ON i.id = v.attempt_item_id JOIN exercises_attempt a ON a.id = i.attempt_id "
        "JOIN exercises_problemset p ON p.id = a.problem_set_id "
        "WHERE s.created_at > clock_timestamp() - interval '30 days' "
        f"OR p.course_id = {world.tiny.pk} ORDER BY s.id",
        course_id="p.course_id", kind="'submission.graded'", at="s.graded_at", learner_id="s.author_id",
        data="jsonb_build_object('attempt', a.public_id, 'problem_set', p.public_id, 'submission', s.public_id, "
        "'item', i.position, 'score', '1')",
        position="row_number() OVER (ORDER BY s.id)",
    )  # fmt: skip
    last = Event.objects.aggregate(last=Max("position"))["last"] or 0
    for course, owner in ((world.large, world.teacher), (world.tiny, world.tina)):
        hook = Webhook.objects.create(
            course=course, owner=owner, url="https://sis.example/hook", secret=seal("whsec_eA=="), reached=last
        )
        insert(
            Delivery, f"exercises_event WHERE course_id = {course.pk} ORDER BY id", webhook_id=str(hook.pk),
            event_id="id", state="'delivered'", due_at="NULL", delivered_at="at", created_at="at", tries="1",
            last_status="204",
        )  # fmt: skip
        for kind in ("grades", "roster"):
            Job.objects.create(course=course, made_by=owner, kind=kind, state="done", text="x", finished_at=clock.now())


def _written(world: "World") -> None:
    """Savings, hints, reports of faults, the audit trail, and what programs were answered of late."""
    insert(
        SavedAnswer, "exercises_attemptitem i ORDER BY i.id", attempt_item_id="i.id", version="1",
        answers="""'{"p": "0.123"}'""", at="i.saved_at",
    )  # fmt: skip
    insert(
        HintUse, "exercises_variant v WHERE v.id % 10 = 0", variant_id="v.id", step="'p'", number="1",
        text="'Which part of the whole is its power?'", created_at="v.created_at",
    )  # fmt: skip
    insert(
        FaultReport,
        "exercises_submission s JOIN exercises_variant v ON v.id = s.variant_id "
        f"WHERE s.id % 300 = 0 OR (s.author_id = {world.tim.pk} AND s.idempotency_key = 'last') ORDER BY s.id",
        learner_id="s.author_id", variant_id="v.id", version_id="v.version_id", submission_id="s.id",
        grader_version="'1'", text="'The sky is no word.'",
    )  # fmt: skip
    insert(
        AuditEntry, "exercises_attempt a JOIN exercises_problemset p ON p.id = a.problem_set_id "
        f"WHERE a.id % 4 = 0 OR p.course_id = {world.tiny.pk} ORDER BY a.id",
        course_id="p.course_id", at="a.began_at", deed="'override'", about="'Learner: ' || p.title",
        problem_set_id="p.id", learner_id="a.learner_id", reason="'By hand'",
    )  # fmt: skip
    insert(
        KeptAnswer, "generate_series(1, 5000) AS k", owner_id=str(world.teacher.pk), key="'key-' || k",
        request_digest="md5(k::text)", status="201", created_at="clock_timestamp() - k * interval '15 seconds'",
    )  # fmt: skip


def _platform(world: "World") -> None:
    """A learning platform from which all courses come, with a column for every set, all of them sent."""
    platform = Registration.objects.create(
        name="Campus", issuer="https://lms.example", client_id="1", login_url="https://lms.example/auth",
        keys_url="https://lms.example/keys", made_by=world.teacher,
    )  # fmt: skip
    place = Deployment.objects.create(registration=platform, deployment_id="1", state="approved")
    insert(
        Context, f"exercises_course c WHERE c.id <> {world.tiny.pk} ORDER BY c.id", deployment_id=str(place.pk),
        context_id="c.id::text", title="c.title", course_id="c.id",
    )  # fmt: skip
    _little_platform(world)
    insert(
        PlatformUser, "exercises_user u WHERE u.username LIKE 'learner-%' OR u.username = 'alice' ORDER BY u.id",
        registration_id=str(platform.pk), sub="u.id::text", user_id="u.id", name="u.username",
        is_made_here="u.username <> 'alice'",
    )  # fmt: skip
    insert(
        Membership,
        "exercises_context c JOIN exercises_enrolment e ON e.course_id = c.course_id JOIN exercises_platformuser p "
        f"ON p.user_id = e.user_id AND p.registration_id = {platform.pk} WHERE c.deployment_id = {place.pk}",
        context_id="c.id", platform_user_id="p.id", role="e.role",
    )  # fmt: skip
    insert(
        LineItem, "exercises_context c JOIN exercises_problemset s ON s.course_id = c.course_id ORDER BY s.id",
        context_id="c.id", problem_set_id="s.id", label="s.title", url="'https://lms.example/columns/' || s.id",
        due_at="NULL",
    )  # fmt: skip
    insert(
        LmsScore,
        "exercises_lineitem l JOIN exercises_attempt a ON a.problem_set_id = l.problem_set_id AND a.number = 1 "
        "JOIN exercises_context c ON c.id = l.context_id JOIN exercises_membership m ON m.context_id = c.id "
        "JOIN exercises_platformuser p ON p.id = m.platform_user_id AND p.user_id = a.learner_id ORDER BY a.id",
        line_item_id="l.id", platform_user_id="p.id", score_numerator="a.score_numerator",
        score_denominator="a.score_denominator", version="1", sent_version="1", due_at="NULL",
        state="CASE WHEN a.id % 5000 = 0 THEN 'failed' ELSE 'sent' END", sent_at="a.handed_in_at",
        submitted_at="a.handed_in_at", last_timestamp="a.handed_in_at",
    )  # fmt: skip


def _little_platform(world: "World") -> None:
    platform = Registration.objects.create(
        name="Little", issuer="https://little.example", client_id="1", login_url="https://little.example/auth",
        keys_url="https://little.example/keys", made_by=world.tina,
    )  # fmt: skip
    place = Deployment.objects.create(registration=platform, deployment_id="1", state="approved")
    context = Context.objects.create(deployment=place, context_id="1", course=world.tiny, title="Tiny")
    for user, role in ((world.tina, "instructor"), (world.tim, "learner")):
        known = PlatformUser.objects.create(
            registration=platform, sub=str(uuid.uuid4()), user=user, is_made_here=user == world.tim
        )
        Membership.objects.create(context=context, platform_user=known, role=role)
    for course in (world.large, world.tiny):
        ResourceLink.objects.create(
            context=Context.objects.get(course=course), link_id="1", problem_set=course.problem_sets.first()
        )


def _studied(shape: "Shape", world: "World") -> None:
    """A session a day of whoever has practised long, and one of Tim."""
    for user, days in ((world.learner, shape.long_practice // 20), (world.tim, 1)):
        insert(
            DailySession, f"generate_series(1, {days}) AS k", learner_id=str(user.pk),
            study_day="(clock_timestamp() - k * interval '1 day')::date",
        )  # fmt: skip
    problem = Problem.objects.filter(owner=None).order_by("pk")[0]
    insert(
        SessionItem, "exercises_dailysession s, generate_series(1, 6) AS k", session_id="s.id", position="k",
        kind="'review'", skill="'softmax'", problem_id=str(problem.pk), reason="'Due today'",
    )  # fmt: skip


def _cards(shape: "Shape", world: "World") -> None:
    """Everybody remembers the first cards, the first learner all, after years of reviews."""
    insert(
        CardMemory,
        "exercises_user u, "
        "(SELECT id, row_number() OVER (ORDER BY id) AS place FROM exercises_card WHERE NOT retired) AS c "
        f"WHERE u.username LIKE 'learner-%' AND (u.id = {world.learner.pk} OR c.place <= 5)",
        learner_id="u.id", card_id="c.id", stability="20", difficulty="5", reviews="3",
        reviewed_on="(clock_timestamp() - interval '10 days')::date", last_at="clock_timestamp() - interval '10 days'",
        due_on="(clock_timestamp() + (c.place % 40 - 5) * interval '1 day')::date",
    )  # fmt: skip
    for owner, count, days in (
        (f"u.id = {world.learner.pk}", shape.reviews, YEARS_OF_DAYS),
        ("u.id % 2 = 0", 5, DAYS),
        (f"u.id = {world.tim.pk}", 1, DAYS),
    ):
        insert(
            CardTurn,
            f"exercises_user u, generate_series(1, {count}) AS k, "
            "(SELECT array_agg(id) AS ids, count(*) AS n FROM exercises_card WHERE NOT retired) AS c "
            f"WHERE u.username LIKE 'learner-%' AND {owner}",
            learner_id="u.id", card_id="c.ids[1 + k % c.n]",
            source="(SELECT source FROM exercises_card WHERE id = c.ids[1 + k % c.n])",
            opened_at=f"clock_timestamp() - k * interval '{days} days' / {count}",
            closed_at=f"clock_timestamp() - k * interval '{days} days' / {count}",
        )  # fmt: skip
    insert(
        Review, "exercises_cardturn t ORDER BY t.opened_at", learner_id="t.learner_id", card_id="t.card_id",
        turn_id="t.id", rating="3", at="t.opened_at", study_day="t.opened_at::date", is_early="false",
        before="""'{"reviews": 1}'""", scheduler_version="'1'",
    )  # fmt: skip
    Deck.objects.create(slug="own", title="A deck of one's own", owner=world.teacher)


def _decided(world: "World") -> None:
    """Extensions, scores by hand, and a regrade of the first set of each course that moved every place of it."""
    now = clock.now()
    for course, actor in ((world.large, world.teacher), (world.tiny, world.tina)):
        first = ProblemSet.objects.filter(course=course).order_by("position")[0]
        group = Group.objects.create(course=course, name="Tuesday")
        group.members.set(course.enrolments.filter(role="learner").order_by("pk")[::7])
        some = f"e.course_id = {course.pk} AND e.role = 'learner' AND (e.id % 50 = 0 OR e.course_id = {world.tiny.pk})"
        learners = f"exercises_enrolment e JOIN exercises_problemset s ON s.course_id = e.course_id WHERE {some}"
        insert(Extension, learners, problem_set_id="s.id", learner_id="e.user_id", attempts="1", reason="'Ill'")
        insert(Override, learners, problem_set_id="s.id", learner_id="e.user_id", score="'3/4'", reason="'By hand'")
        item = first.items.select_related("problem__current").order_by("position")[0]
        event = RegradeEvent.objects.create(
            course=course, problem_set=first, problem=item.problem, version=item.problem.current, reason="x",
            state="applied", made_by=actor, applied_at=now, total=1, done=1,
        )  # fmt: skip
        of_set = (
            "exercises_attemptitem i JOIN exercises_attempt a ON a.id = i.attempt_id "
            "JOIN exercises_setitem t ON t.id = i.item_id "
            f"WHERE a.problem_set_id = {first.pk} AND t.problem_id = {item.problem_id}"
        )
        insert(
            RegradeMove, of_set, event_id=str(event.pk), attempt_item_id="i.id", item_before="'1/2'", item_after="'1'",
            attempt_before="'1/2'", attempt_after="'3/4'", size="(i.id % 100) / 100.0", is_raised="true",
        )  # fmt: skip
        insert(
            RegradeChange,
            f"exercises_submission s JOIN exercises_variant v ON v.id = s.variant_id JOIN exercises_grading g "
            f"ON g.submission_id = s.id WHERE v.attempt_item_id IN (SELECT i.id FROM {of_set}) ORDER BY s.id",
            event_id=str(event.pk), submission_id="s.id", before_id="g.id", after="g.verdict",
            before_numerator="0", before_denominator="1", after_numerator="1", after_denominator="1",
        )  # fmt: skip
    Course.objects.filter(pk=world.large.pk).update(join_code="ABCDEFGHJKLM")
