"""What is kept about people, link by link and text by text, and what becomes of each when a person is erased.

A test goes through every table there is: a link to an account, or a column that takes any text, of which nothing is
said here fails it. So nobody adds one without deciding.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

#: What becomes of a row that points at somebody who is erased.
#: goes      it is deleted
#: work      it stays under a name that says nothing, as long as anything of theirs stands in a course; else it goes
#: course    it stays likewise: it is the course's record
#: act       it stays likewise: what they did for others, or made that others use
RowFate = Literal["goes", "work", "course", "act"]
#: What becomes of a text.
#: goes      with its row
#: cleared   it is emptied, or written over
#: cleaned   what names the person is taken out, the rest stays
#: typed     what learners typed: emptied unless it is to be kept
#: other     it says nothing of a person, or belongs to whom the row is not deleted for
TextFate = Literal["goes", "cleared", "cleaned", "typed", "other"]


class Link(NamedTuple):
    """A link to an account: what becomes of its row, and the file of the export that tells of it."""

    fate: RowFate
    file: str


_E = "exercises."

LINKS: Mapping[str, Link] = MappingProxyType(
    {
        _E + "AccessToken.user": Link("goes", "keys.json"),
        _E + "Client.user": Link("goes", "keys.json"),
        "oauth2_provider.AccessToken.user": Link("goes", "keys.json"),
        "oauth2_provider.DeviceGrant.user": Link("goes", "keys.json"),
        "oauth2_provider.Grant.user": Link("goes", "keys.json"),
        "oauth2_provider.IDToken.user": Link("goes", "keys.json"),
        "oauth2_provider.RefreshToken.user": Link("goes", "keys.json"),
        "account.EmailAddress.user": Link("goes", "account.json"),
        "mfa.Authenticator.user": Link("goes", "account.json"),
        _E + "PlatformUser.user": Link("goes", "platforms.json"),
        _E + "LaunchTicket.user": Link("goes", "platforms.json"),
        _E + "RegistrationInvite.made_by": Link("goes", "acts.json"),
        _E + "ExternalId.owner": Link("goes", "names.json"),
        _E + "KeptAnswer.owner": Link("goes", "acts.json"),
        _E + "StudyPlan.learner": Link("goes", "plan.json"),
        _E + "DailySession.learner": Link("goes", "sessions.json"),
        _E + "CardMemory.learner": Link("goes", "cards.json"),
        _E + "CardTurn.learner": Link("goes", "card-turns.json"),
        _E + "Review.learner": Link("goes", "reviews.json"),
        _E + "Variant.learner": Link("work", "variants.json"),
        _E + "Submission.author": Link("work", "submissions.json"),
        _E + "Evidence.learner": Link("work", "evidence.json"),
        _E + "Mastery.learner": Link("work", "mastery.json"),
        _E + "FaultReport.learner": Link("work", "fault-reports.json"),
        _E + "Enrolment.user": Link("course", "courses.json"),
        _E + "Attempt.learner": Link("course", "attempts.json"),
        _E + "Override.learner": Link("course", "scores-by-hand.json"),
        _E + "Extension.learner": Link("course", "extensions.json"),
        _E + "AuditEntry.learner": Link("course", "audit.json"),
        _E + "Event.learner": Link("course", "events.json"),
        _E + "AuditEntry.actor": Link("act", "acts.json"),
        _E + "Event.actor": Link("act", "acts.json"),
        _E + "Deck.owner": Link("act", "decks/"),
        _E + "Problem.owner": Link("act", "problems/"),
        _E + "ProblemVersion.author": Link("act", "acts.json"),
        _E + "ProblemDraft.edited_by": Link("act", "acts.json"),
        _E + "WithdrawnVariant.withdrawn_by": Link("act", "acts.json"),
        _E + "Course.created_by": Link("act", "acts.json"),
        _E + "Extension.given_by": Link("act", "acts.json"),
        _E + "Submission.entered_by": Link("act", "acts.json"),
        _E + "Override.given_by": Link("act", "acts.json"),
        _E + "Ruling.given_by": Link("act", "acts.json"),
        _E + "RegradeEvent.made_by": Link("act", "acts.json"),
        _E + "Webhook.owner": Link("act", "acts.json"),
        _E + "FaultReport.settled_by": Link("act", "acts.json"),
        _E + "Job.made_by": Link("act", "acts.json"),
        _E + "Registration.made_by": Link("act", "acts.json"),
        _E + "Registration.switched_by": Link("act", "acts.json"),
        _E + "Deployment.decided_by": Link("act", "acts.json"),
        _E + "Context.connected_by": Link("act", "acts.json"),
        _E + "PaperRun.made_by": Link("act", "acts.json"),
    }
)

#: Links without an index: looking for somebody by one of them is a walk through the whole table. Both come with an
#: entry in the audit trail, so whoever did nothing there is in neither.
SCANNED = frozenset({_E + "Submission.entered_by", _E + "Event.actor"})


def _all(model: str, fate: TextFate, *names: str) -> dict[str, TextFate]:
    label = model if "." in model else _E + model
    return {f"{label}.{name}": fate for name in names}


TEXTS: Mapping[str, TextFate] = MappingProxyType(
    {
        # The account and what lets somebody in
        **_all("User", "cleared", "username", "first_name", "last_name", "email", "password"),
        **_all("AccessToken", "goes", "digest", "head", "label", "scopes"),
        **_all(
            "Client", "goes", "client_id", "redirect_uris", "post_logout_redirect_uris", "client_type", "scopes",
            "authorization_grant_type", "client_secret", "name", "algorithm", "allowed_origins", "registration_source",
        ),
        **_all("oauth2_provider.AccessToken", "goes", "token", "token_checksum", "scope", "resource"),
        **_all(
            "oauth2_provider.DeviceGrant", "goes", "device_code", "user_code", "scope", "status", "client_id",
        ),
        **_all(
            "oauth2_provider.Grant", "goes", "code", "redirect_uri", "scope", "code_challenge",
            "code_challenge_method", "nonce", "claims", "resource",
        ),
        **_all("oauth2_provider.IDToken", "goes", "scope"),
        **_all("oauth2_provider.RefreshToken", "goes", "token", "token_checksum", "resource"),
        **_all("account.EmailAddress", "goes", "email"),
        **_all("account.EmailConfirmation", "goes", "key"),
        **_all("mfa.Authenticator", "goes", "type", "data"),
        **_all("sessions.Session", "goes", "session_key", "session_data"),
        # Platforms
        **_all("PlatformUser", "goes", "sub", "name", "email"),
        **_all("Membership", "goes", "roles", "role", "status"),
        **_all("LaunchTicket", "goes", "digest", "target", "kept"),
        **_all(
            "LmsScore", "goes", "activity_progress", "grading_progress", "comment", "state", "sent", "last_answer",
            "why", "shown",
        ),
        **_all("RegistrationInvite", "goes", "digest", "issuer_prefix"),
        **_all("Context", "cleaned", "sync_report"),
        # What programs leave
        **_all("ExternalId", "goes", "kind", "external_id"),
        **_all("KeptAnswer", "goes", "key", "request_digest", "headers", "body", "rights"),
        **_all("Job", "cleaned", "report"),
        # How somebody studies
        **_all("StudyPlan", "goes", "time_zone", "goal"),
        **_all("SessionItem", "goes", "kind", "skill", "reason"),
        **_all("CardTurn", "goes", "source", "parameters", "tries", "unread"),
        **_all("Review", "goes", "before", "after", "scheduler_version"),
        **_all("Forecast", "goes", "text"),
        **_all("Variant", "cleared", "draft"),
        **_all("FaultReport", "cleared", "text", "reply"),
        **_all("AttemptItem", "typed", "saved"),
        **_all("SavedAnswer", "typed", "answers"),
        **_all("Submission", "typed", "answers", "fingerprint", "idempotency_key"),
        **_all("Grading", "typed", "verdict"),
        **_all("RegradeChange", "typed", "after"),
        # Courses
        **_all("Enrolment", "cleared", "name", "external_id"),
        **_all("AuditEntry", "cleaned", "about", "before", "after", "reason"),
        **_all("Event", "cleaned", "data"),
        **_all("Override", "cleared", "reason"),
        **_all("Extension", "cleared", "reason"),
        # Words of the product, and of people who teach about something that is no person
        **_all("Attempt", "other", "handed_in_by", "receipt"),
        **_all("AttemptItem", "other", "asked"),
        **_all("SavedAnswer", "other", "aside"),
        **_all("AuditEntry", "other", "deed"),
        **_all("Card", "other", "key", "source", "kind", "skill"),
        **_all("Context", "other", "context_id", "title", "memberships_url", "lineitems_url", "scopes"),
        **_all("Context", "other", "differences_url"),
        **_all("Course", "other", "title", "term", "time_zone", "join_code"),
        **_all("Deck", "other", "slug", "title", "summary", "fault"),
        # What a receiver answered goes with its event, after thirty days.
        **_all("Delivery", "other", "state", "last_answer"),
        **_all("Deployment", "other", "deployment_id", "state", "seen_as"),
        **_all("Enrolment", "other", "role"),
        **_all("Event", "other", "kind"),
        **_all("Evidence", "other", "step", "reason", "skill", "notes", "model_version"),
        **_all("FaultReport", "other", "grader_version"),
        # Of a whole class, and worked out anew from what is left.
        **_all("Figures", "other", "kind", "figures", "work"),
        **_all("Grading", "other", "grader_version", "reason"),
        **_all("Group", "other", "name"),
        **_all("HintUse", "other", "step", "text"),
        **_all("ItemDifficulty", "other", "step"),
        # The table that was sent is emptied as soon as the job is done.
        **_all("Job", "other", "kind", "state", "options", "text", "failure"),
        **_all(
            "LaunchFlow", "other", "state_digest", "nonce", "target", "browser_digest", "storage_target", "said",
        ),
        **_all("LineItem", "other", "url", "resource_id", "tag", "label", "state", "why"),
        **_all("Mastery", "other", "skill", "level", "highest"),
        **_all("Override", "other", "step", "score"),
        **_all("PaperCopy", "other", "code", "items"),
        **_all("PaperRun", "other", "title"),
        **_all("Pool", "other", "name"),
        **_all("Problem", "other", "slug", "title", "summary", "skills", "fault", "licence"),
        **_all("ProblemDraft", "other", "source", "checked_digest", "report"),
        **_all(
            "ProblemSet", "other", "title", "instructions", "mode", "credits", "retry", "feedback", "late", "pass_mark",
        ),
        **_all("ProblemVersion", "other", "source", "digest", "summary", "report"),
        **_all("RegradeEvent", "other", "reason", "state", "reasons", "failure"),
        **_all("RegradeMove", "other", "item_before", "item_after", "attempt_before", "attempt_after"),
        **_all(
            "Registration", "other", "name", "kind", "issuer", "client_id", "login_url", "token_url", "token_audience",
            "keys_url", "frame_origins", "state", "keys", "keys_failure", "failure",
        ),
        **_all("ResourceLink", "other", "link_id", "title", "lineitem_url"),
        **_all("Ruling", "other", "kind", "step", "note", "read_as", "digest", "reason"),
        **_all("SetItem", "other", "asked", "adaptation"),
        **_all("Submission", "other", "checked", "locale", "state", "failure"),
        **_all("ToolKey", "other", "kid", "private_key", "public_key"),
        **_all("UsedNonce", "other", "digest"),
        **_all("Variant", "other", "parameters", "digest", "asked", "active"),
        **_all("Webhook", "other", "url", "kinds", "state", "why", "secret", "secret_before"),
        **_all("WithdrawnVariant", "other", "digest", "parameters", "reason"),
        **_all("auth.Group", "other", "name"),
        **_all("auth.Permission", "other", "name", "codename"),
        **_all("contenttypes.ContentType", "other", "app_label", "model"),
    }
)  # fmt: skip


def links_of(*fates: RowFate, has_acted: bool = True) -> list[tuple[str, str, Link]]:
    """The links of these fates: label of the model, name of the field, and the link; without those that whoever never
    ``has_acted`` is not worth looking for by."""
    return [
        (*name.rsplit(".", 1), link)  # type: ignore[misc]
        for name, link in LINKS.items()
        if link.fate in fates and (has_acted or name not in SCANNED)
    ]
