"""The product's settings for a web process with one trivial view: the floor of an answer's way.

It runs beside the service, on its database and with its middleware, so session, sign-in and CSRF are checked there too.
"""

from server.settings import *  # noqa: F403  (Django reads them off this module)

ROOT_URLCONF = "tests.bench.floor.urls"
