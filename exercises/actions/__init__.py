"""What can be done. Each action owns its transaction; doors call exactly one."""

from exercises.actions.answer import Sent, send_answer
from exercises.actions.cards.aside import rebuild_cards, reschedule_cards, suspend_card, unsuspend_card
from exercises.actions.cards.decks import create_deck, edit_deck, keep_card, retire_card, retire_deck
from exercises.actions.cards.importing import Imported, import_cards
from exercises.actions.cards.rating import rate_card, undo_review
from exercises.actions.cards.sync import sync_decks
from exercises.actions.cards.turns import answer_card, open_turn, show_answer, take_card_hint
from exercises.actions.catalogue import Synced, sync_catalogue
from exercises.actions.clients import make_client, note_client_use, remove_client, rotate_client_secret
from exercises.actions.draw import Way, ask_whole, draw_or_find, draw_variant
from exercises.actions.external_ids import NameTaken, give_external_id, put_named
from exercises.actions.fault_report import report_fault
from exercises.actions.forecast import keep_forecast
from exercises.actions.hint import take_hint
from exercises.actions.kept_answers import doing_once, give_key_back, keep_answer, take_key
from exercises.actions.plan import set_study_plan
from exercises.actions.regrade import Regraded, regrade, requeue
from exercises.actions.reveal import reveal_solution
from exercises.actions.session import begin_item, compose_session
from exercises.actions.teacher import set_instructor
from exercises.actions.tokens import KeyRefused, issue_token, note_use, revoke_token

__all__ = [
    "Imported",
    "KeyRefused",
    "NameTaken",
    "Regraded",
    "Sent",
    "Synced",
    "Way",
    "answer_card",
    "ask_whole",
    "begin_item",
    "compose_session",
    "create_deck",
    "doing_once",
    "draw_or_find",
    "draw_variant",
    "edit_deck",
    "give_external_id",
    "give_key_back",
    "import_cards",
    "issue_token",
    "keep_answer",
    "keep_card",
    "keep_forecast",
    "make_client",
    "note_client_use",
    "note_use",
    "open_turn",
    "put_named",
    "rate_card",
    "rebuild_cards",
    "regrade",
    "remove_client",
    "report_fault",
    "requeue",
    "reschedule_cards",
    "retire_card",
    "retire_deck",
    "reveal_solution",
    "revoke_token",
    "rotate_client_secret",
    "send_answer",
    "set_instructor",
    "set_study_plan",
    "show_answer",
    "suspend_card",
    "sync_catalogue",
    "sync_decks",
    "take_card_hint",
    "take_hint",
    "take_key",
    "undo_review",
    "unsuspend_card",
]
