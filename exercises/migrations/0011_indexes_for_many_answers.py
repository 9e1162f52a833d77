"""What was found with a million answers in the tables (docs/performance.md): indexes, made while the service runs."""

from django.db import migrations, models

from exercises.models.concurrently import AddIndexConcurrently


class Migration(migrations.Migration):
    # CREATE INDEX CONCURRENTLY is no part of a transaction. Broken off, it is begun again.
    atomic = False

    dependencies = [
        ("exercises", "0010_own_keys_and_columns_queue"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="variant",
            index=models.Index(fields=["learner", "-id"], name="variant_own_latest"),
        ),
        AddIndexConcurrently(
            model_name="evidence",
            index=models.Index(
                condition=models.Q(("revision__gt", 0)),
                fields=["variant", "step", "revision"],
                name="evidence_revised",
            ),
        ),
        AddIndexConcurrently(
            model_name="mastery",
            index=models.Index(condition=models.Q(("failures__gte", 2)), fields=["learner"], name="mastery_stuck"),
        ),
        AddIndexConcurrently(
            model_name="lmsscore",
            index=models.Index(condition=models.Q(("state", "failed")), fields=["line_item"], name="lms_score_stopped"),
        ),
        AddIndexConcurrently(
            model_name="regradechange",
            index=models.Index(
                condition=models.Q(("is_kept", True)), fields=["event", "submission"], name="regrade_change_kept"
            ),
        ),
        AddIndexConcurrently(
            model_name="delivery",
            index=models.Index(fields=["webhook", "state"], name="delivery_states"),
        ),
        AddIndexConcurrently(
            model_name="auditentry",
            index=models.Index(fields=["course", "deed"], name="audit_deeds"),
        ),
    ]
