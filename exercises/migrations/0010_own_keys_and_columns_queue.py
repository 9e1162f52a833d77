"""Keys of its own for each registration, and a queue of columns that lets slow platforms wait for the others."""

from django.db import migrations, models

from exercises import clock


def take_over_the_queue(apps, schema_editor):
    """What was not looked at yet, or is still to be made, is due now; all else at night."""
    line_items = apps.get_model("exercises", "LineItem").objects
    line_items.exclude(read_at=None).exclude(state="wanted").update(due_at=None)


class Migration(migrations.Migration):
    dependencies = [
        ("exercises", "0009_kept_answer_rights"),
    ]

    operations = [
        migrations.AddField(
            model_name="toolkey",
            name="key_set",
            field=models.UUIDField(blank=True, db_index=True, null=True),
        ),
        # Those that are there read the shared keys, until somebody has given their platforms the new address.
        migrations.AddField(
            model_name="registration",
            name="has_own_keys",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="lineitem",
            name="due_at",
            field=models.DateTimeField(blank=True, default=clock.now, null=True),
        ),
        migrations.AddField(
            model_name="lineitem",
            name="lease_token",
            field=models.UUIDField(blank=True, null=True),
        ),
        migrations.RunPython(take_over_the_queue, migrations.RunPython.noop, elidable=True),
        migrations.AddIndex(
            model_name="lineitem",
            index=models.Index(
                condition=models.Q(("due_at__isnull", False)), fields=["due_at", "id"], name="line_item_queue"
            ),
        ),
    ]
