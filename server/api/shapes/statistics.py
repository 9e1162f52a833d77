"""How a class does: its skills and mistakes, the items of its sets, and where each learner stands."""

from rest_framework import serializers

from server.api.shapes.practice import Skill

FEW = "null: fewer than five, which is told only to who may read the class's work."


class Computed(serializers.Serializer):
    computed_at = serializers.DateTimeField(allow_null=True, help_text="null: not yet; ask for it with POST.")
    is_going_on = serializers.BooleanField(help_text="They are being worked out anew.")


class ClassSkill(serializers.Serializer):
    skill = serializers.CharField()
    levels = serializers.DictField(
        child=serializers.IntegerField(allow_null=True), help_text=f"Learners by level. {FEW}"
    )
    due = serializers.IntegerField(allow_null=True, help_text="Due for review.")
    stuck = serializers.IntegerField(allow_null=True, help_text="Failed again and again.")


class ClassMistake(serializers.Serializer):
    note = serializers.CharField(help_text="The tag of the named mistake.")
    problem = serializers.CharField(source="title", help_text="Where it was made last.")
    says = serializers.CharField()
    likely = serializers.IntegerField(help_text="Learners who make it, of `learners` with whom it could show.")
    learners = serializers.IntegerField()
    made = serializers.IntegerField()
    low = serializers.FloatField(help_text="Of their share, with `high`: it holds 95 %.")
    high = serializers.FloatField()


class CourseStatistics(Computed):
    learners = serializers.IntegerField()
    skills = ClassSkill(many=True)
    mistakes = ClassMistake(many=True)


class AlikeAnswers(serializers.Serializer):
    kind = serializers.CharField()
    value = serializers.FloatField()
    answers = serializers.IntegerField()
    learners = serializers.IntegerField()
    says = serializers.CharField(help_text="What explains them; empty where nothing does.")


class StepStatistics(serializers.Serializer):
    step = serializers.CharField()
    answered = serializers.IntegerField()
    wrong = serializers.IntegerField()
    first_wrong = serializers.IntegerField(help_text="Learners who erred here first.")
    clusters = AlikeAnswers(many=True, help_text="Wrong answers that are alike and that no named mistake explains.")


class NoteStatistics(serializers.Serializer):
    note = serializers.CharField()
    made = serializers.IntegerField(source="k")
    possible = serializers.IntegerField(source="n", help_text="Learners in whose first try it could show.")
    low = serializers.FloatField()
    high = serializers.FloatField()


class VariantStatistics(serializers.Serializer):
    digest = serializers.CharField()
    learners = serializers.IntegerField()
    effect = serializers.FloatField(help_text="How much harder than its item: negative is easier.")
    grade = serializers.CharField(help_text="`B` and `C`: harder or easier than the other variants.")
    is_withdrawn = serializers.BooleanField()
    is_compensated = serializers.BooleanField()


class ItemStatistics(serializers.Serializer):
    item = serializers.IntegerField()
    problem = serializers.CharField()
    title = serializers.CharField()
    learners = serializers.IntegerField(allow_null=True, help_text=FEW)
    facility = serializers.FloatField(allow_null=True, help_text="Mean share of first tries, between `low` and `high`.")
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    discrimination = serializers.FloatField(allow_null=True)
    upper_lower = serializers.FloatField(allow_null=True)
    tries = serializers.FloatField(allow_null=True, help_text="The mean.")
    seconds = serializers.FloatField(allow_null=True, help_text="The median.")
    flags = serializers.ListField(child=serializers.CharField())
    scores = serializers.ListField(
        child=serializers.IntegerField(), help_text="Learners by score, in ten equal parts; empty for few learners."
    )
    steps = StepStatistics(many=True)
    notes = NoteStatistics(many=True)
    variants = VariantStatistics(many=True, help_text="Those that are not fair, as far as can be told.")


class SetStatistics(Computed):
    items = ItemStatistics(many=True)


class LearnerMastery(serializers.Serializer):
    learner = serializers.CharField(help_text="User name.")
    name = serializers.CharField()
    external_id = serializers.CharField(help_text="Their number at your institution.")
    skills = Skill(many=True, help_text="All of the map, in its order.")
