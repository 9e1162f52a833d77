"""Courses and the people in them. Each action owns its transaction and notes what was done in the audit trail."""

from exercises.actions.courses.copying import Copy, copy_course
from exercises.actions.courses.groups import create_group, delete_group, rename_group
from exercises.actions.courses.joining import close_door, join_course, renew_code
from exercises.actions.courses.making import CourseFields, archive_course, create_course, edit_course
from exercises.actions.courses.people import (
    bring_back,
    change_role,
    drop_member,
    leave_course,
    set_groups,
    set_time_factor,
)
from exercises.actions.courses.refusals import CodeRefused, CourseRefused, RosterMoved, RosterRefused
from exercises.actions.courses.roster_import import Choices, import_roster, plan_roster, seal_of

__all__ = [
    "Choices",
    "CodeRefused",
    "Copy",
    "CourseFields",
    "CourseRefused",
    "RosterMoved",
    "RosterRefused",
    "archive_course",
    "bring_back",
    "change_role",
    "close_door",
    "copy_course",
    "create_course",
    "create_group",
    "delete_group",
    "drop_member",
    "edit_course",
    "import_roster",
    "join_course",
    "leave_course",
    "plan_roster",
    "rename_group",
    "renew_code",
    "seal_of",
    "set_groups",
    "set_time_factor",
]
