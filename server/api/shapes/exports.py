"""Problems and sets as files for other systems."""

from rest_framework import serializers

from exercises.exchange.formats import FORMATS
from exercises.exchange.own.shape import MOST_PROBLEMS
from exercises.exchange.variants import MOST_SEED, MOST_VARIANTS

#: Named here for the schema, which calls each set of choices by a name of its own.
EXPORT_FORMATS = list(FORMATS)


class SetExport(serializers.Serializer):
    format = serializers.ChoiceField(choices=EXPORT_FORMATS)
    variants = serializers.IntegerField(
        required=False, default=10, min_value=1, max_value=MOST_VARIANTS, help_text="Of each problem."
    )
    first_seed = serializers.IntegerField(required=False, default=1, min_value=0, max_value=MOST_SEED)
    dry_run = serializers.BooleanField(
        required=False, default=False, help_text="Only say what is lost on the way: a report, and no file."
    )


class ProblemExport(SetExport):
    problems = serializers.ListField(
        child=serializers.CharField(max_length=210), min_length=1, max_length=MOST_PROBLEMS,
        help_text="Slugs, or `ext:…`, of your own problems, and of those that you may use.",
    )  # fmt: skip


class ExportEntry(serializers.Serializer):
    title = serializers.CharField()
    done = serializers.CharField()
    lost = serializers.ListField(child=serializers.CharField())
    fault = serializers.CharField(help_text="Why it stays out; empty where it does not.")


class ExportReport(serializers.Serializer):
    file = serializers.CharField(help_text="The name that the file would have.")
    heading = serializers.CharField()
    notes = serializers.ListField(child=serializers.CharField())
    entries = ExportEntry(many=True)
