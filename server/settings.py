"""All settings of the house, read from the environment; docs/settings.md lists them.

With nothing set this is the embedded default: SQLite under var/, a Redis on loopback, and no address but loopback.
`server.checks` refuses combinations that would be unsafe where others can reach them.
"""

import os
import secrets
from pathlib import Path
from urllib.parse import urlsplit

import dj_database_url
from csp.constants import NONCE, NONE, SELF

from server import description, mail
from server.environment import amount, flag, one_of, secret, words
from server.schedule import SCHEDULE

BASE_DIR = Path(__file__).resolve().parent.parent

# --- Where it runs ---------------------------------------------------------------------------------------------------

DEBUG = flag("DEBUG", default=False)
# Off only where nobody but this machine can reach the pages: server.checks holds it to loopback host names.
HTTPS = flag("HTTPS", default=not DEBUG)
VAR_DIR = Path(os.environ.get("VAR_DIR") or BASE_DIR / "var")
# Without one, each process makes its own: enough for a command line, useless for a server, and refused there.
SECRET_KEY = secret("SECRET_KEY") or secrets.token_urlsafe(50)
SECRET_KEY_GIVEN = bool(secret("SECRET_KEY"))
SECRET_KEY_FALLBACKS = [key.strip() for key in secret("SECRET_KEY_FALLBACKS").split(",") if key.strip()]
# Loopback is always allowed: the health checks of a container come from there.
ALLOWED_HOSTS = [*words("ALLOWED_HOSTS"), "localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = words("CSRF_TRUSTED_ORIGINS")
ROOT_URLCONF = "server.urls"
WSGI_APPLICATION = "server.wsgi.application"

# Whether calls to other systems (webhooks, an LMS) may go to this machine and into private networks, and without TLS.
ALLOW_PRIVATE_ADDRESSES = flag("ALLOW_PRIVATE_ADDRESSES", default=DEBUG)

# How many requests one web process answers at a time; who lets requests wait must leave some of them free.
WEB_THREADS = int(os.environ.get("WEB_THREADS") or 8)

# --- What it is made of ----------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "frontend",
    "server.api",
    "server.lti",
    "exercises",
    "server.apps.ServerConfig",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "rest_framework",
    "drf_spectacular",
    "oauth2_provider",
    "csp",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "server.headers.RequestIdMiddleware",
    "server.counted.CountMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "server.headers.PermissionsPolicyMiddleware",
    "server.headers.PrivateMiddleware",
    # Django's sessions, with a jar of their own inside a frame of a learning platform.
    "server.lti.frames.FrameSessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "server.lti.sessions.LaunchedSessionMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "server.outage.OutageMiddleware",
    "frontend.refused.RefusedMiddleware",
    "server.lti.frames.FrameMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
            ],
        },
    },
]

# --- Data ------------------------------------------------------------------------------------------------------------

DATABASE_URL = os.environ.get("DATABASE_URL") or f"sqlite:///{VAR_DIR / 'gym.sqlite3'}"
DATABASES = {"default": dj_database_url.parse(DATABASE_URL, conn_max_age=60, conn_health_checks=True)}
# Apart from the address, it can be a file.
if password := secret("DATABASE_PASSWORD"):
    DATABASES["default"]["PASSWORD"] = password
# A pooler that lends a connection for one transaction knows neither cursors nor statements that outlive it.
_pooled = flag("DATABASE_POOLED", default=False)
DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = _pooled
_options = DATABASES["default"].setdefault("OPTIONS", {})
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Web, worker and beat write side by side: readers never wait (WAL), a writer waits for its turn from its first
    # statement on (IMMEDIATE) instead of failing half-way, and a lock is waited for rather than reported.
    _options |= {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
elif not _pooled:
    # Half of what PostgreSQL did for a page was to plan the same statements once more (docs/decisions/0015).
    _options |= {"server_side_binding": True, "prepare_threshold": 5}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = os.environ.get("REDIS_URL") or "redis://127.0.0.1:6379/0"


def _next_database(url: str) -> str:
    """The same server, one database on, so that emptying the cache can never empty the queue."""
    parts = urlsplit(url)
    number = int(parts.path.strip("/") or 0)
    return parts._replace(path=f"/{number + 1}").geturl()


CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": os.environ.get("CACHE_URL") or _next_database(REDIS_URL),
        "KEY_PREFIX": "gym",
        # A cache that answers late is worse than none: the caller goes on without it.
        "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
    }
}

# --- How long it is kept: days, 0 is for ever -------------------------------------------------------------------------

KEEP_AUDIT_DAYS = amount("KEEP_AUDIT_DAYS", 0)
KEEP_DRAFTS_DAYS = amount("KEEP_DRAFTS_DAYS", 0)
KEEP_REPORTS_DAYS = amount("KEEP_REPORTS_DAYS", 30)
# Accounts that nobody used for so long are erased by themselves; 0 is never.
ERASE_IDLE_YEARS = amount("ERASE_IDLE_YEARS", 0)

# --- The queue: wake-ups only, the pending rows are the truth ---------------------------------------------------------

CELERY_BROKER_URL = REDIS_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker outlives any outage of its broker
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_TASK_PUBLISH_RETRY = False  # a learner's request never waits for a broker that is down: the sweep catches up
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = False  # a wake-up needs no second delivery: the sweep finds the rows of a killed worker
CELERY_TASK_SOFT_TIME_LIMIT = 50
CELERY_TASK_TIME_LIMIT = 60
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # With it, a worker ends (kombu 5.7, AttributeError) when Redis goes away while a message is unacknowledged.
    "ack_emulation": False,
    "max_retries": 0,  # of a connection for publishing: kombu sleeps 2 s before it tries again, inside the request
    "socket_connect_timeout": 1,
    "socket_timeout": 1,
}
# What waits for other systems: a worker of its own does it (server.processes).
CELERY_TASK_ROUTES = {
    f"exercises.tasks.{name}": {"queue": "outside"} for name in ("follow_events", "follow_platforms", "read_rosters")
}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CONCURRENCY = int(os.environ.get("WORKER_CONCURRENCY") or 2)
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False  # what runs has its rows, and records them
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "server.beat:PatientScheduler"
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")
CELERY_BEAT_SCHEDULE = SCHEDULE

# --- Accounts --------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "exercises.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_REAUTHENTICATION_METHODS = ("password", "mfa")
# A whole class may sit behind one address, and one of them must not keep the others out by guessing.
ACCOUNT_RATE_LIMITS = {
    "signup": "300/m/ip",
    "login": "300/m/ip",
    "login_failed": "100/m/ip,10/300s/key",
    "reset_password": "60/m/ip,5/m/key",
    "reset_password_from_key": "60/m/ip",
}

# The second step: clocks of phones may be half a minute off, and an address need not be proven, where no mail goes out.
MFA_ADAPTER = "exercises.actions.second_step.Adapter"
MFA_FORMS = {"activate_totp": "frontend.second_step_form.ActivateForm"}
MFA_TOTP_TOLERANCE = 1
MFA_ALLOW_UNVERIFIED_EMAIL = True

# --- Mail: a forgotten password is all there is to send ---------------------------------------------------------------

EMAIL_URL = secret("EMAIL_URL")
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL") or "gym@localhost"
EMAIL_BACKEND = os.environ.get("EMAIL_BACKEND") or ""
if EMAIL_URL:
    globals().update(mail.smtp_settings(EMAIL_URL))
    EMAIL_BACKEND = EMAIL_BACKEND or "server.mail.SMTPBackend"
elif not EMAIL_BACKEND:
    # In a log that strangers' mails went to, anybody who reads it could take over their accounts.
    has_strangers = bool(words("ALLOWED_HOSTS"))
    EMAIL_BACKEND = "server.mail.NoBackend" if has_strangers else "django.core.mail.backends.console.EmailBackend"

# --- The REST door ---------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "server.api.authentication.BearerAuthentication",
        "server.api.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["server.api.parsers.ShallowJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "server.api.described.Schema",
}
SPECTACULAR_SETTINGS = description.SPECTACULAR_SETTINGS

# OAuth2 for systems: client credentials only, short-lived tokens, neither they nor the secrets stored in the clear.
OAUTH2_PROVIDER_APPLICATION_MODEL = "exercises.Client"
OAUTH2_PROVIDER = {
    "OAUTH2_SERVER_CLASS": "oauthlib.oauth2.BackendApplicationServer",
    "SCOPES_BACKEND_CLASS": "server.api.oauth.ClientScopes",
    "ACCESS_TOKEN_GENERATOR": "server.api.oauth.new_token",
    "ACCESS_TOKEN_EXPIRE_SECONDS": 3600,
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https"],
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    **{
        f"COMPLIANT_BCP_RFC9700_{what}": True
        for what in (
            "IMPLICIT_GRANT", "PASSWORD_GRANT", "PKCE_METHOD", "ACCESS_TOKEN_TRANSPORT", "AUTHZ_RESPONSE_ISS",
            "TOKEN_STORAGE", "REFRESH_TOKEN", "REDIRECT_URI_SCHEME", "REDIRECT_URI_MATCHING", "PKCE_REQUIRED",
        )
    },
}  # fmt: skip

# --- Pages -----------------------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT") or VAR_DIR / "static")
NODE_MODULES = BASE_DIR / "node_modules"
CODEMIRROR = (
    "autocomplete", "commands", "lang-yaml", "language", "lint", "search", "state", "streamparser", "view"
)  # fmt: skip
LEZER = ("common", "highlight", "lr", "yaml")
# Named one by one: only what the pages load is served, not whatever else a package brings along.
STATICFILES_DIRS = [
    (f"vendor/{name}", folder)
    for name, folder in (
        ("katex", NODE_MODULES / "katex" / "dist"),
        ("htmx", NODE_MODULES / "htmx.org" / "dist"),
        ("source-serif", NODE_MODULES / "@fontsource-variable" / "source-serif-4" / "files"),
        # The editor of problem files, in the modules that it comes in.
        *((f"codemirror/{part}", NODE_MODULES / "@codemirror" / part / "dist") for part in CODEMIRROR),
        *((f"lezer/{part}", NODE_MODULES / "@lezer" / part / "dist") for part in LEZER),
        ("find-cluster-break", NODE_MODULES / "@marijn" / "find-cluster-break" / "src"),
        ("style-mod", NODE_MODULES / "style-mod" / "src"),
        ("crelt", NODE_MODULES / "crelt"),
        ("w3c-keyname", NODE_MODULES / "w3c-keyname"),
    )
    if folder.is_dir()
]
_MANIFEST = "whitenoise.storage.CompressedManifestStaticFilesStorage"
_PLAIN = "django.contrib.staticfiles.storage.StaticFilesStorage"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": _PLAIN if DEBUG else _MANIFEST},
}

# --- What a browser is told to refuse ---------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        # The nonce is for the importmap, which can only be inline.
        "script-src": [SELF, NONCE],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "object-src": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health/", r"^metrics$"]  # asked from within, over plain HTTP
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
# A promise for every other host of the domain, for a year: only who owns them all can give it.
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = flag("HSTS_SUBDOMAINS", default=False)
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # ask for just that
BEHIND_PROXY = flag("BEHIND_PROXY", default=False)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Whose address the rate limits of sign-in count: what a client claims beyond our own proxy is not believed.
ALLAUTH_TRUSTED_PROXY_COUNT = int(BEHIND_PROXY)

# What Prometheus has to send to be told anything; without one, nobody is.
METRICS_TOKEN = secret("METRICS_TOKEN")
# Where a worker tells what it counted; 0 is nowhere. Not for strangers: it asks for no token.
METRICS_PORT = int(os.environ.get("METRICS_PORT") or 0)
METRICS_HOST = os.environ.get("METRICS_HOST") or "127.0.0.1"
# The processes of one host count in files there. It must be there before the first of them is made.
if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
    Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]).mkdir(parents=True, exist_ok=True)

# --- Logs ------------------------------------------------------------------------------------------------------------

LOG_LEVEL = (os.environ.get("LOG_LEVEL") or "INFO").upper()
LOG_FORMAT = one_of("LOG_FORMAT", ("line", "json"))
# These tell every message and every sweep at INFO: a quiet night would fill the log.
_CHATTER_LEVEL = "WARNING" if LOG_LEVEL == "INFO" else LOG_LEVEL
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"origin": {"()": "server.logs.Origin"}},
    "formatters": {"line": {"()": "server.logs.Lines"}, "json": {"()": "server.logs.Json"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["origin"]}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        # Django's own handler would print every line of these twice.
        "django": {"handlers": [], "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        "celery.app.trace": {"level": _CHATTER_LEVEL},
        "celery.beat": {"level": _CHATTER_LEVEL},
        "celery.worker.strategy": {"level": _CHATTER_LEVEL},
    },
}
