"""What can be done. Each action owns its transaction; doors call exactly one."""

from exercises.actions.answer import Sent, send_answer
from exercises.actions.catalogue import Synced, sync_catalogue
from exercises.actions.draw import Way, ask_whole, draw_or_find, draw_variant
from exercises.actions.fault_report import report_fault
from exercises.actions.forecast import keep_forecast
from exercises.actions.hint import take_hint
from exercises.actions.plan import set_study_plan
from exercises.actions.regrade import Regraded, regrade, requeue
from exercises.actions.reveal import reveal_solution
from exercises.actions.session import begin_item, compose_session
from exercises.actions.teacher import set_instructor
from exercises.actions.tokens import issue_token, revoke_token

__all__ = [
    "Regraded",
    "Sent",
    "Synced",
    "Way",
    "ask_whole",
    "begin_item",
    "compose_session",
    "draw_or_find",
    "draw_variant",
    "issue_token",
    "keep_forecast",
    "regrade",
    "report_fault",
    "requeue",
    "reveal_solution",
    "revoke_token",
    "send_answer",
    "set_instructor",
    "set_study_plan",
    "sync_catalogue",
    "take_hint",
]
