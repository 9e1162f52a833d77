"""Courses, their people and groups, and work that takes longer."""

from rest_framework import serializers

from exercises.courses.roster import MOST_GROUPS
from exercises.models import Job, Role

#: Named here for the schema, which calls each set of choices by a name of its own.
ROLES, JOB_KINDS, JOB_STATES = Role.values, Job.Kind.values, Job.State.values


class CourseFields(serializers.Serializer):
    title = serializers.CharField(max_length=200)
    term = serializers.CharField(max_length=80, required=False, allow_blank=True, default="")
    time_zone = serializers.CharField(max_length=64, required=False, default="UTC", help_text="An IANA name.")
    starts_on = serializers.DateField(required=False, allow_null=True, default=None)
    ends_on = serializers.DateField(required=False, allow_null=True, default=None)
    exam_on = serializers.DateField(required=False, allow_null=True, default=None)


class CourseChange(CourseFields):
    is_archived = serializers.BooleanField(required=False, help_text="Put away: nothing can be handed in any more.")


class Course(CourseFields):
    id = serializers.UUIDField(source="public_id")
    external_id = serializers.CharField(allow_null=True, help_text="What you call it, if you gave it an id of yours.")
    role = serializers.ChoiceField(choices=ROLES, help_text="What you are there.")
    archived_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class PersonFields(serializers.Serializer):
    username = serializers.CharField(max_length=150, required=False, allow_blank=True, default="")
    email = serializers.CharField(max_length=254, required=False, allow_blank=True, default="")
    name = serializers.CharField(max_length=200, required=False, allow_null=True, default=None)
    role = serializers.ChoiceField(choices=ROLES, required=False, allow_null=True, default=None)
    groups = serializers.ListField(
        child=serializers.CharField(max_length=80),
        required=False,
        allow_null=True,
        default=None,
        max_length=MOST_GROUPS,
        help_text="By name; a new one is made. Empty: in none.",
    )
    external_id = serializers.CharField(
        max_length=100,
        required=False,
        allow_null=True,
        default=None,
        help_text="Their number at your institution.",
    )
    time_factor = serializers.DecimalField(
        max_digits=4, decimal_places=2, min_value=1, max_value=10, required=False, allow_null=True, default=None
    )


class CoursePerson(serializers.Serializer):
    username = serializers.CharField(source="user.username")
    email = serializers.CharField(source="user.email")
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES)
    groups = serializers.ListField(child=serializers.CharField())
    external_id = serializers.CharField()
    time_factor = serializers.DecimalField(max_digits=4, decimal_places=2)
    created_at = serializers.DateTimeField()
    dropped_at = serializers.DateTimeField(allow_null=True, help_text="When they left; their work stays.")
    updated_at = serializers.DateTimeField()


class Group(serializers.Serializer):
    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    present = serializers.IntegerField(help_text="How many of its members are in the course now.")


class Groups(serializers.Serializer):
    results = Group(many=True)


class GroupFields(serializers.Serializer):
    name = serializers.CharField(max_length=80)


class NewJob(serializers.Serializer):
    kind = serializers.ChoiceField(choices=JOB_KINDS)
    format = serializers.ChoiceField(choices=["csv", "ndjson"], required=False, default="csv")
    text = serializers.CharField(max_length=1_000_000, trim_whitespace=False, help_text="The whole table.")
    dry_run = serializers.BooleanField(required=False, default=False, help_text="Only say what would be done.")
    drops_missing = serializers.BooleanField(
        required=False, default=False, help_text="Roster: drop the learners who are not named in it."
    )
    drops = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=0,
        help_text="How many you mean to drop: wanted where they are more than five, or more than one in five.",
    )  # fmt: skip
    is_whole = serializers.BooleanField(required=False, default=False, help_text="Do nothing if a line has a fault.")
    reason = serializers.CharField(
        max_length=500, required=False, allow_blank=True, default="", help_text="Grades: why they are set by hand."
    )


class CourseJob(serializers.Serializer):
    id = serializers.UUIDField(source="public_id")
    kind = serializers.ChoiceField(choices=JOB_KINDS)
    state = serializers.ChoiceField(choices=JOB_STATES)
    dry_run = serializers.BooleanField(source="is_dry_run")
    made_by = serializers.CharField(source="made_by.username")
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    failure = serializers.CharField(help_text="Why nothing was done; empty otherwise.")
    report = serializers.DictField(allow_null=True, help_text="What was or would be done, and the lines with a fault.")
