"""Texts that stay when a person goes: what others wrote of them, and what was noted of what they did."""

import json
from typing import Any

from django.db.models import Q, QuerySet

from exercises.actions.privacy.batches import delete_all, has_acted, in_batches
from exercises.actions.privacy.names import REMOVED, Names
from exercises.bulk import rewrite
from exercises.models import (
    AuditEntry,
    Context,
    Course,
    Enrolment,
    Event,
    Extension,
    ExternalId,
    FaultReport,
    Forecast,
    Job,
    Override,
    User,
    Variant,
)


def clear_texts(person: User) -> dict[str, int]:
    """Write over what somebody wrote in their own words, and what was written about them: reports with their answers,
    what they expected, drafts, reasons of extensions and scores. A constant number of queries but for what is expected.
    """
    own = FaultReport.objects.filter(learner=person)
    counts = {
        "forecasts": delete_all(Forecast.objects.filter(variant__learner=person)),
        "drafts": Variant.objects.filter(learner=person).exclude(draft={}).update(draft={}),
        "fault reports": own.exclude(text=REMOVED).update(text=REMOVED),
        "replies": own.exclude(reply__in=("", REMOVED)).update(reply=REMOVED),
        "names on rosters": Enrolment.objects.filter(user=person)
        .filter(~Q(name="") | ~Q(external_id=""))
        .update(name="", external_id=""),
        "names given by programs": ExternalId.objects.filter(kind=ExternalId.Kind.PERSON, target=person.pk).delete()[0],
    }
    counts["reasons"] = sum(
        rows.filter(learner=person).exclude(reason__in=("", REMOVED)).update(reason=REMOVED)
        for rows in (Override.objects, Extension.objects)
    )
    return counts


def clean_trails(person: User, names: Names, *, keeps_answers: bool) -> dict[str, int]:
    """Take somebody out of the audit trail and the feed, out of reports of jobs and of rosters that were read. What was
    done, when, by whom and with which scores stays. One query for each batch, and one more where something changes."""
    counts = {"audit entries": 0, "events": 0}
    about = AuditEntry.objects.filter(learner=person).exclude(deed="erased").select_related("problem_set")
    for batch in in_batches(about):
        changed = [entry for entry in batch if _is_cleaned(entry, names, keeps_answers=keeps_answers)]
        rewrite(changed, ("about", "before", "after", "reason"))
        counts["audit entries"] += len(changed)
    about_others = Q(actor=person) if has_acted(person) else Q(pk__in=())
    for batch in in_batches(Event.objects.filter(Q(learner=person) | about_others)):
        told = [event for event in batch if _is_retold(event, names, is_own=event.learner_id == person.pk)]
        rewrite(told, ("data",))
        counts["events"] += len(told)
    courses = Course.objects.filter(enrolments__user=person)
    counts["reports of jobs"] = _reports(Job.objects.filter(course__in=courses), "report", names)
    counts["reports of rosters"] = _reports(Context.objects.filter(course__in=courses), "sync_report", names)
    return counts


def _is_cleaned(entry: AuditEntry, names: Names, *, keeps_answers: bool) -> bool:
    """Clean an entry about the person; whether that changes anything."""
    was = (entry.about, entry.before, entry.after, entry.reason)
    # Whatever they were called then: the set, or nothing but who they are now.
    title = entry.problem_set.title if entry.problem_set else ""
    entry.about = f"{names.new}: {names.out_of(title)}"[:300] if title else names.new
    answers = entry.after.get("answers") if isinstance(entry.after, dict) else None
    entry.before, entry.after = names.out_of_own(entry.before), names.out_of_own(entry.after)
    if keeps_answers and answers is not None:
        entry.after["answers"] = answers
    if entry.reason and not entry.reason.startswith("as the learning platform says"):
        entry.reason = REMOVED
    return (entry.about, entry.before, entry.after, entry.reason) != was


def _is_retold(event: Event, names: Names, *, is_own: bool) -> bool:
    was = event.data
    told: Any = names.out_of_own(was) if is_own else names.out_of(was)
    if is_own and "about" in told:
        told["about"] = names.new
    for part in ("before", "after"):
        if is_own and part in told:
            told[part] = names.out_of_own(told[part])
    event.data = told
    return bool(told != was)


def _reports(rows: QuerySet[Any], field: str, names: Names) -> int:
    """Leave nothing but counts in the reports that name the person: lists in them say who, and of others as well."""
    changed = 0
    for batch in in_batches(rows.exclude(**{f"{field}__isnull": True}), 50):
        naming = [row for row in batch if names.are_in(json.dumps(getattr(row, field), ensure_ascii=False))]
        for row in naming:
            report = getattr(row, field)
            counted = {name: [] if isinstance(value, list) else value for name, value in report.items()}
            setattr(row, field, names.out_of(counted))
        rewrite(naming, (field,))
        changed += len(naming)
    return changed
