"""The tables. Every model is imported from here."""

from exercises.models.access_token import AccessToken
from exercises.models.attempt import Attempt, AttemptItem, SavedAnswer
from exercises.models.authoring import ProblemDraft, WithdrawnVariant
from exercises.models.cards import Card, CardMemory, CardTurn, Deck, Review
from exercises.models.client import Client
from exercises.models.course import AuditEntry, Course, Enrolment, Group, Role
from exercises.models.decisions import Figures, Override, RegradeChange, RegradeEvent, RegradeMove, Ruling
from exercises.models.events import Delivery, Event, Webhook
from exercises.models.evidence import Evidence, ItemDifficulty, Mastery
from exercises.models.fault_report import FaultReport
from exercises.models.forecast import Forecast
from exercises.models.hint_use import HintUse
from exercises.models.integration import ExternalId, Job, KeptAnswer
from exercises.models.lms import (
    Context,
    Deployment,
    LaunchFlow,
    LaunchTicket,
    Membership,
    PlatformUser,
    Registration,
    RegistrationInvite,
    ResourceLink,
    ToolKey,
    UsedNonce,
)
from exercises.models.lms_scores import LineItem, LmsScore
from exercises.models.paper import PaperCopy, PaperRun
from exercises.models.problem import Problem, ProblemVersion
from exercises.models.problem_set import Extension, Pool, ProblemSet, SetItem
from exercises.models.study import DailySession, SessionItem, StudyPlan
from exercises.models.submission import Grading, Submission
from exercises.models.user import User
from exercises.models.variant import Variant

__all__ = [
    "AccessToken",
    "Attempt",
    "AttemptItem",
    "AuditEntry",
    "Card",
    "CardMemory",
    "CardTurn",
    "Client",
    "Context",
    "Course",
    "DailySession",
    "Deck",
    "Delivery",
    "Deployment",
    "Enrolment",
    "Event",
    "Evidence",
    "Extension",
    "ExternalId",
    "FaultReport",
    "Figures",
    "Forecast",
    "Grading",
    "Group",
    "HintUse",
    "ItemDifficulty",
    "Job",
    "KeptAnswer",
    "LaunchFlow",
    "LaunchTicket",
    "LineItem",
    "LmsScore",
    "Mastery",
    "Membership",
    "Override",
    "PaperCopy",
    "PaperRun",
    "PlatformUser",
    "Pool",
    "Problem",
    "ProblemDraft",
    "ProblemSet",
    "ProblemVersion",
    "Registration",
    "RegistrationInvite",
    "RegradeChange",
    "RegradeEvent",
    "RegradeMove",
    "ResourceLink",
    "Review",
    "Role",
    "Ruling",
    "SavedAnswer",
    "SessionItem",
    "SetItem",
    "StudyPlan",
    "Submission",
    "ToolKey",
    "UsedNonce",
    "User",
    "Variant",
    "Webhook",
    "WithdrawnVariant",
]
