"""docker-compose.yml, as far as it can be tried without an engine: its very commands, on real servers."""

import os
import re
import secrets
import shutil
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from server.embedded.child import Child
from server.embedded.ports import LOOPBACK, free_port
from server.embedded.redis_server import RedisServer
from server.processes import COMMANDS
from tests.servers import Servers

ROOT = Path(__file__).resolve().parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = ("web", "worker", "outside", "beat")
TOKEN = "what-prometheus-sends"


def filled_in(value: str, given: dict[str, str]) -> str:
    """What compose makes of ${NAME:-default}."""
    return re.sub(r"\$\{(\w+):-([^}]*)\}", lambda found: given.get(found[1]) or found[2], value)


@pytest.mark.parametrize("name", OURS)
def test_production_runs_what_make_run_runs(name: str) -> None:
    assert SERVICES[name]["command"] == COMMANDS[name]


def test_the_image_alone_serves_the_pages() -> None:
    last_line = (ROOT / "Dockerfile").read_text().strip().splitlines()[-1]
    assert yaml.safe_load(last_line.removeprefix("CMD ")) == COMMANDS["web"]


def test_the_image_holds_all_that_its_commands_need(tmp_path: Path) -> None:
    copied = re.findall(r"^COPY ([\w.-]+(?: [\w.-]+)*) \./", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    for name in {name for line in copied for name in line.split()}:
        assert f"!{name}" in (ROOT / ".dockerignore").read_text().splitlines()
        source, target = ROOT / name, tmp_path / "app" / name
        target.parent.mkdir(exist_ok=True)
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
    (tmp_path / "app" / "node_modules").symlink_to(ROOT / "node_modules")
    environment = {"PATH": os.environ["PATH"], "STATIC_ROOT": str(tmp_path / "static"), "ALLOWED_HOSTS": "gym.example"}
    for command in (["collectstatic", "--no-input"], ["check", "--deploy"], ["problem", "list"]):
        call = [sys.executable, "manage.py", *command]
        ran = subprocess.run(call, cwd=tmp_path / "app", env=environment, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "static" / "staticfiles.json").is_file()


def test_every_service_that_stays_is_watched() -> None:
    unwatched = [name for name, service in SERVICES.items() if name != "migrate" and "healthcheck" not in service]
    assert unwatched == []


def test_all_that_must_be_filled_in_is_in_the_example() -> None:
    asked = set(re.findall(r"\$\{(\w+):-\}", (ROOT / "docker-compose.yml").read_text()))
    offered = set(re.findall(r"^(\w+)=", (ROOT / ".env.example").read_text(), re.MULTILINE))
    assert asked <= offered


#: What the image says, what leads to the servers of the compose file itself, and what is for other machines.
FIXED = {"PORT", "HOST", "VAR_DIR", "STATIC_ROOT", "CACHE_URL", "DEBUG", "EMAIL_BACKEND"}


def test_whatever_may_be_set_is_passed_on() -> None:
    """A setting in .env that reaches no container would be taken for set: answers would be kept for ever."""
    page = (ROOT / "docs/settings.md").read_text().partition("## Tests")[0]
    settings = set(re.findall(r"^\| `([A-Z_]+)` \|", page, re.MULTILINE))
    passed = {name.removesuffix("_FILE") for name in SERVICES["web"]["environment"]}
    assert settings - passed == FIXED
    for name, value in SERVICES["web"]["environment"].items():
        assert f"${{{name}:-" in value or "$" not in value


def test_secrets_are_files_that_the_docs_make_and_git_ignores() -> None:
    files = {secret["file"] for secret in COMPOSE["secrets"].values()}
    assert "secrets/" in (ROOT / ".gitignore").read_text().splitlines()
    docs = (ROOT / "docs/operations.md").read_text()
    assert [file for file in files if file.removeprefix("./secrets/") not in docs] == []
    for service in SERVICES.values():
        named = {name: value for name, value in service.get("environment", {}).items() if name.endswith("_FILE")}
        assert {value.removeprefix("/run/secrets/") for value in named.values()} == set(service.get("secrets", ()))
        in_the_open = {"SECRET_KEY", "POSTGRES_PASSWORD", "EMAIL_URL", "METRICS_TOKEN"}
        assert not in_the_open & set(service.get("environment", ()))


@pytest.mark.parametrize("name", OURS)
def test_our_containers_have_limits_and_few_rights(name: str) -> None:
    service = SERVICES[name]
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert {"memory", "pids"} <= set(service["deploy"]["resources"]["limits"])
    assert re.search(r"^USER gym$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)


@pytest.fixture
def environment(servers: Servers, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of the compose file, with the hosts of its network replaced by servers that are here."""
    postgres = servers.new_database()
    written = {
        name: filled_in(value, {"ALLOWED_HOSTS": "gym.example"}).replace("/run/secrets", str(tmp_path))
        for name, value in SERVICES["web"]["environment"].items()
    }
    contents = {"secret_key": secrets.token_urlsafe(50), "metrics_token": TOKEN, "email_url": ""}
    contents["secret_key_fallbacks"] = ""
    contents["postgres_password"] = urlsplit(postgres).password or ""
    for name, content in contents.items():
        (tmp_path / name).write_text(f"{content}\n")
    with RedisServer() as redis:
        kept = {name: os.environ[name] for name in ("HOME", "LANG") if name in os.environ}
        yield (
            kept
            | written
            | {
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
                "DATABASE_URL": postgres.replace(f":{contents['postgres_password']}@", "@"),
                "REDIS_URL": redis.url,
                "LOG_LEVEL": "DEBUG",
                "PORT": str(free_port()),
                "VAR_DIR": str(tmp_path),
                "STATIC_ROOT": str(servers.folder / "static"),
                "METRICS_HOST": LOOPBACK,
                "METRICS_PORT": str(free_port()),
                "PROMETHEUS_MULTIPROC_DIR": str(tmp_path / "metrics"),
            }
        )


def asked(environment: dict[str, str], path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    """What the web process answers, as its proxy sees it (redirects not followed)."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: Any) -> None:
            return None

    request = urllib.request.Request(f"http://{LOOPBACK}:{environment['PORT']}{path}")
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    opener = urllib.request.build_opener(Stay, urllib.request.HTTPSHandler(context=ssl.create_default_context()))
    try:
        with opener.open(request, timeout=10) as response:
            return response.status, dict(response.headers), response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read().decode()


@pytest.fixture
def started(environment: dict[str, str], tmp_path: Path) -> Iterator[Callable[[str], Child]]:
    """A function that starts one service by the command that the compose file gives it."""
    children: list[Child] = []

    def start(name: str) -> Child:
        log = tmp_path / f"{name}.log"
        # Containers have ports of their own; here one of the two workers tells for both.
        own = environment | ({"METRICS_PORT": "0"} if name == "outside" else {})
        children.append(Child(name, SERVICES[name]["command"], log=log, env=own, cwd=ROOT))
        return children[-1]

    yield start
    for child in children:
        child.stop()


def test_the_commands_of_the_compose_file_run_in_production_settings(
    environment: dict[str, str], started: Callable[[str], Child]
) -> None:
    command = SERVICES["migrate"]["command"]
    subprocess.run(["python", "manage.py", "collectstatic", "--no-input"], cwd=ROOT, env=environment, check=True)
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    web, worker, outside, beat = (started(name) for name in OURS)
    web.wait_until(lambda: answers(environment), seconds=120)
    worker.wait_until(lambda: worker.has_said("ready."), seconds=120)
    outside.wait_until(lambda: outside.has_said("exercises.tasks.follow_events"), seconds=120)
    beat.wait_until(lambda: beat.has_said("Sending due task"), seconds=120)
    worker.wait_until(lambda: worker.has_said("exercises.tasks.sweep_pending"), seconds=60)

    status, headers, _ = asked(environment, "/accounts/login/", Host="gym.example")
    assert (status, headers["Location"]) == (301, "https://gym.example/accounts/login/")
    status, headers, page = asked(environment, "/accounts/login/", Host="gym.example", X_Forwarded_Proto="https")
    assert status == 200
    assert "max-age=31536000" in headers["Strict-Transport-Security"]
    assert "; Secure" in headers["Set-Cookie"]
    assert "password" in page
    status, _, _ = asked(environment, "/accounts/login/", Host="elsewhere.example", X_Forwarded_Proto="https")
    assert status == 400

    def figures() -> str:
        return asked(environment, "/metrics", Authorization=f"Bearer {TOKEN}")[2]

    worker.wait_until(lambda: 'gym_task_seconds{task="sweep_pending"}' in figures(), seconds=60)
    assert "gym_workers 1.0" in figures()
    assert 'gym_requests_total{door="accounts",method="GET",status="400"} 1.0' in figures()
    with urllib.request.urlopen(f"http://{LOOPBACK}:{environment['METRICS_PORT']}/metrics", timeout=10) as told:
        assert "gym_batch_answers_count" in told.read().decode()


def answers(environment: dict[str, str]) -> bool:
    try:
        return asked(environment, "/health/ready")[0] == 200
    except OSError:
        return False


def test_without_a_secret_the_web_process_refuses_and_says_which(environment: dict[str, str], tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    child = Child("web", COMMANDS["web"], log=log, env=environment | {"SECRET_KEY_FILE": ""}, cwd=ROOT)
    try:
        assert child.process.wait(30) != 0
    finally:
        child.stop()
    assert "server.E001: SECRET_KEY is not set." in log.read_text()


def test_without_a_host_the_web_process_refuses_and_says_so(environment: dict[str, str], tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    child = Child("web", COMMANDS["web"], log=log, env=environment | {"ALLOWED_HOSTS": ""}, cwd=ROOT)
    try:
        assert child.process.wait(30) != 0
    finally:
        child.stop()
    assert "server.E015: A proxy stands in front, and ALLOWED_HOSTS names no host" in log.read_text()
