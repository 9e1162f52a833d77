"""The door for a web server such as gunicorn: `server.wsgi:application`."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "server.settings")

application = get_wsgi_application()

from server.checks import refuse_to_serve  # noqa: E402  (checks read the settings, which exist only from here on)

refuse_to_serve()
