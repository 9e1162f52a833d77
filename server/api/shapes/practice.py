"""Practising: problems, variants, answers and verdicts, and how a learner stands."""

from rest_framework import serializers

from exercises.mastery.states import Level


class Problem(serializers.Serializer):
    slug = serializers.CharField(source="problem.slug")
    title = serializers.CharField(source="problem.title")
    summary = serializers.CharField(source="problem.summary")
    skills = serializers.ListField(child=serializers.CharField(), help_text="Ids of the skills it trains.")
    state = serializers.ChoiceField(
        choices=["new", "begun", "solved", "shown"],
        help_text="Of your latest variant: never drawn, begun, everything right, or solution asked for.",
    )
    score = serializers.CharField(help_text="Of your latest variant, an exact fraction from 0 to 1.")
    variant = serializers.UUIDField(source="variant.public_id", allow_null=True, default=None)
    variants = serializers.IntegerField(help_text="How many you have drawn.")


class Problems(serializers.Serializer):
    results = Problem(many=True)


class Draw(serializers.Serializer):
    after = serializers.UUIDField(
        required=False,
        allow_null=True,
        default=None,
        help_text="The variant you have just worked on. Without it, a variant you have not begun is handed out again.",
    )
    skill = serializers.CharField(
        max_length=80,
        required=False,
        allow_blank=True,
        default="",
        help_text="The skill that `next` proposed it for: then only what you are ready for is asked.",
    )


LEVELS = [level.value for level in Level]


class Skill(serializers.Serializer):
    id = serializers.CharField(source="skill.id")
    title = serializers.CharField(source="skill.title")
    needs = serializers.ListField(
        source="skill.needs", child=serializers.CharField(), help_text="Ids of the skills it builds on."
    )
    level = serializers.ChoiceField(source="standing.level", choices=LEVELS)
    since = serializers.DateTimeField(
        source="standing.since", allow_null=True, help_text="When this level was reached."
    )
    highest = serializers.ChoiceField(source="standing.highest", choices=LEVELS, help_text="The highest level ever.")
    highest_at = serializers.DateTimeField(source="standing.highest_at", allow_null=True)
    is_due = serializers.BooleanField(source="standing.is_due", help_text="Held, and due for review.")
    due_on = serializers.DateField(
        source="standing.due_on", allow_null=True, help_text="Your study day of the next review."
    )
    retention = serializers.FloatField(
        source="standing.retention", allow_null=True, help_text="Chance that it is still remembered."
    )
    chance = serializers.FloatField(
        source="standing.chance", help_text="Of success at a typical step, with a band that holds it in 80 %."
    )
    low = serializers.FloatField(source="standing.low")
    high = serializers.FloatField(source="standing.high")
    steps = serializers.IntegerField(source="standing.steps", help_text="Closed steps so far.")


class Skills(serializers.Serializer):
    results = Skill(many=True)


class Exercise(serializers.Serializer):
    problem = serializers.CharField(source="slug")
    skill = serializers.CharField(help_text="The skill it is for.")
    reason = serializers.CharField()
    predicted = serializers.FloatField(help_text="The chance of success that is foreseen.")


class Next(serializers.Serializer):
    exercise = Exercise(allow_null=True, help_text="null: everything is mastered, and nothing is due.")


class Option(serializers.Serializer):
    value = serializers.CharField(help_text="Send this as the answer.")
    text = serializers.CharField(help_text="Markdown with $TeX$.")


class Field(serializers.Serializer):
    step = serializers.CharField()
    kind = serializers.ChoiceField(choices=["number", "vector", "count", "choice", "choices", "shape", "text"])
    ask = serializers.CharField(help_text="Markdown with $TeX$.")
    labels = serializers.ListField(child=serializers.CharField(), help_text="Of a vector, one an entry.")
    options = Option(many=True)
    size = serializers.IntegerField(help_text="How many entries a vector has.")
    undefined = serializers.BooleanField(help_text="Whether `undefined` may be the answer.")
    optional = serializers.BooleanField()
    weight = serializers.CharField(help_text="An exact fraction.")
    unit = serializers.CharField(help_text="`percent` where a % stands beside the box, else empty.")
    digits = serializers.IntegerField(help_text="How many significant digits are asked for.")


class Mark(serializers.Serializer):
    outcome = serializers.ChoiceField(choices=["right", "carried", "mistake", "wrong", "blank", "unreadable"])
    note = serializers.CharField(help_text="A stable tag of what happened, free of the drawn numbers.")
    credit = serializers.CharField(help_text="An exact fraction from 0 to 1.")
    read_as = serializers.CharField()
    message = serializers.CharField()
    entries = serializers.ListField(child=serializers.BooleanField(), help_text="Of a vector: which were right.")


class Verdict(serializers.Serializer):
    score = serializers.CharField(help_text="Of the checked steps, an exact fraction from 0 to 1.")
    marks = serializers.DictField(child=Mark())


class Submission(serializers.Serializer):
    id = serializers.UUIDField()
    variant = serializers.UUIDField()
    problem = serializers.CharField()
    state = serializers.ChoiceField(choices=["pending", "graded", "ungradable"])
    answers = serializers.DictField(help_text="As typed: a text, or a list of texts.")
    checked = serializers.ListField(child=serializers.CharField(), allow_null=True, help_text="null: every step.")
    created_at = serializers.DateTimeField()
    verdict = Verdict(allow_null=True)


class Variant(serializers.Serializer):
    id = serializers.UUIDField()
    problem = serializers.CharField()
    number = serializers.IntegerField(help_text="Which of your variants of this problem it is.")
    title = serializers.CharField()
    statement = serializers.CharField(help_text="Markdown with $TeX$.")
    forecast = serializers.CharField(help_text="A question to ask yourself first; empty if there is none.")
    steps = Field(many=True, help_text="What is asked, in order.")
    asked_all = serializers.BooleanField(help_text="false: steps in between are left out; `whole` asks them too.")
    draft = serializers.DictField(help_text="What was typed last, marked or not.")
    closed = serializers.BooleanField(help_text="The solution was shown: nothing more is marked.")
    created_at = serializers.DateTimeField()
    marks = serializers.DictField(child=Mark(), help_text="The best mark of each step so far.")


class Answers(serializers.Serializer):
    answers = serializers.DictField(help_text="Step names with typed text; for a vector or several choices a list.")
    check = serializers.ListField(
        child=serializers.CharField(max_length=80),
        required=False,
        allow_null=True,
        default=None,
        max_length=100,
        help_text="The steps to mark; others that are typed are carried forward. Left out: every step.",
    )
    locale = serializers.CharField(max_length=16, required=False, default="en", help_text="How numbers are written.")


class Reading(serializers.Serializer):
    status = serializers.ChoiceField(choices=["read", "blank", "unreadable"])
    read_as = serializers.CharField()
    message = serializers.CharField(help_text="Why it cannot be read, and what to type instead.")


class Sent(serializers.Serializer):
    kind = serializers.ChoiceField(
        choices=["queued", "answered-now", "already-tried", "duplicate"],
        help_text="answered-now: nothing to mark could be read, see `readings`; nothing was stored but the draft.",
    )
    readings = serializers.DictField(child=Reading())
    submission = Submission(allow_null=True)
