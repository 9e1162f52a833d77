"""The four processes of the service, with the commands that start them.

docker-compose.yml holds the same words (a test compares them), so what a laptop runs, what the tests run and what
production runs are one thing. Everything else about them is read from the settings.
"""

COMMANDS: dict[str, list[str]] = {
    "web": ["gunicorn", "--config", "python:server.web", "server.wsgi:application"],
    "worker": ["celery", "--app", "server", "worker", "--loglevel", "INFO", "--without-gossip", "--without-mingle"],
    # What calls other systems has a queue and a process of its own: who hangs there keeps no verdict waiting.
    "outside": [
        "celery", "--app", "server", "worker", "--queues", "outside", "--concurrency", "1", "--hostname", "outside@%h",
        "--loglevel", "INFO", "--without-gossip", "--without-mingle",
    ],
    "beat": ["celery", "--app", "server", "beat", "--loglevel", "INFO"],
}  # fmt: skip
