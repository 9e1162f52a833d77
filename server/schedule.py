"""What beat sends, and when: sweeps every few seconds, and at night what takes longer."""

from celery.schedules import crontab

#: Seconds between two sweeps.
SWEEP_SECONDS = 5
# A sweep that waited so long was overtaken by others. Much longer than it takes to the next one: it is by the clocks of
# beat and of the worker, and where these are minutes apart, a worker would take every sweep for overtaken.
_OVERTAKEN = {"expires": 600}
_SWEEP = {"schedule": SWEEP_SECONDS, "options": _OVERTAKEN}
SCHEDULE = {
    "sweep-pending": {"task": "exercises.tasks.sweep_pending", **_SWEEP},
    "hand-in-overdue": {"task": "exercises.tasks.hand_in_overdue", **_SWEEP},
    "sweep-regrades": {"task": "exercises.tasks.sweep_regrades", "schedule": 15, "options": _OVERTAKEN},
    "settle-rulings": {"task": "exercises.tasks.settle_rulings", "schedule": 60, "options": _OVERTAKEN},
    "sweep-figures": {"task": "exercises.tasks.sweep_figures", "schedule": 60, "options": _OVERTAKEN},
    "follow-events": {"task": "exercises.tasks.follow_events", **_SWEEP},
    "work-on-jobs": {"task": "exercises.tasks.work_on_jobs", "schedule": 15, "options": _OVERTAKEN},
    "forget-events": {"task": "exercises.tasks.forget_events", "schedule": crontab(hour=3, minute=15)},
    "want-figures": {"task": "exercises.tasks.want_stale_figures", "schedule": crontab(hour=4, minute=15)},
    "clear-sessions": {"task": "server.tasks.clear_sessions", "schedule": crontab(hour=3, minute=30)},
    "clear-tokens": {"task": "server.tasks.clear_tokens", "schedule": crontab(hour=3, minute=35)},
    "clear-kept-answers": {"task": "exercises.tasks.clear_kept_answers", "schedule": crontab(minute=20)},
    "sweep-exams": {"task": "exercises.tasks.sweep_exams", "schedule": crontab(minute=50, hour="*/6")},
    "clear-launches": {"task": "exercises.tasks.clear_launches", "schedule": 300, "options": _OVERTAKEN},
    "follow-platforms": {"task": "exercises.tasks.follow_platforms", **_SWEEP},
    "read-rosters": {"task": "exercises.tasks.read_rosters", "schedule": 15, "options": _OVERTAKEN},
    "look-at-platforms": {"task": "exercises.tasks.look_at_platforms", "schedule": crontab(hour=2, minute=15)},
    "tend-tool-keys": {"task": "exercises.tasks.tend_tool_keys", "schedule": crontab(hour=2, minute=45)},
    "forget-what-is-over": {"task": "exercises.tasks.forget_what_is_over", "schedule": crontab(hour=2, minute=30)},
    "fold-difficulties": {"task": "exercises.tasks.fold_difficulties", "schedule": crontab(hour=3, minute=45)},
}
