"""What learners report as faulty, and what became of it."""

from rest_framework import serializers

from exercises.actions.fault_report import MOST_CHARACTERS


class OwnReport(serializers.Serializer):
    id = serializers.IntegerField(source="pk")
    text = serializers.CharField()
    created_at = serializers.DateTimeField()
    reply = serializers.CharField(help_text="What became of it; empty as long as nobody replied.")
    settled_at = serializers.DateTimeField(allow_null=True)


class OwnReports(serializers.Serializer):
    results = OwnReport(many=True)


class FaultReport(OwnReport):
    learner = serializers.CharField(source="learner.username")
    problem = serializers.CharField(source="variant.problem.slug")
    problem_version = serializers.IntegerField(source="version.number")
    variant = serializers.UUIDField(source="variant.public_id")
    submission = serializers.UUIDField(source="submission.public_id", allow_null=True, default=None)
    grader_version = serializers.CharField()


class SettleReport(serializers.Serializer):
    reply = serializers.CharField(max_length=MOST_CHARACTERS, help_text="What you say to the learner.")
