"""What was sent in the attempts of a course, with every judgement of it."""

from rest_framework import serializers

from server.api.shapes.attempts import GRADING_REASONS, SUBMISSION_STATES
from server.api.shapes.practice import Verdict


class SentAnswer(serializers.Serializer):
    id = serializers.UUIDField()
    problem_set = serializers.UUIDField()
    attempt = serializers.UUIDField()
    position = serializers.IntegerField(help_text="Of the item in the attempt.")
    item = serializers.IntegerField(help_text="The id of the item in its set.")
    learner = serializers.CharField(help_text="User name.")
    problem = serializers.CharField(help_text="Slug.")
    variant = serializers.UUIDField()
    digest = serializers.CharField(help_text="The same for variants with the same parameters.")
    state = serializers.ChoiceField(choices=SUBMISSION_STATES)
    answers = serializers.DictField(help_text="As typed: a text, or a list of texts.")
    locale = serializers.CharField()
    created_at = serializers.DateTimeField()
    entered_by = serializers.CharField(allow_null=True, help_text="Who entered it for its learner, as from paper.")
    score = serializers.CharField(allow_null=True, help_text="By the judgement that counts; an exact fraction.")
    percent = serializers.CharField(allow_null=True)
    verdict = Verdict(allow_null=True, help_text="The one that counts: the latest.")
    failure = serializers.CharField(help_text="Why it could not be marked; empty otherwise.")


class Judgement(serializers.Serializer):
    score = serializers.CharField()
    reason = serializers.ChoiceField(choices=GRADING_REASONS)
    problem_version = serializers.IntegerField(help_text="The number of the version it was marked by.")
    grader_version = serializers.CharField()
    regrade = serializers.UUIDField(allow_null=True)
    created_at = serializers.DateTimeField()
    verdict = Verdict()


class SentAnswerWithGradings(SentAnswer):
    gradings = Judgement(many=True, help_text="Every judgement, the first first; the last one counts.")


class AskedSubmissions(serializers.Serializer):
    problem_set = serializers.UUIDField(required=False, default=None)
    learner = serializers.CharField(required=False, default="", max_length=150)
    problem = serializers.CharField(required=False, default="", max_length=80)
    state = serializers.ChoiceField(choices=SUBMISSION_STATES, required=False, default="")
