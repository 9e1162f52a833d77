"""From a key to a grade: what a student information system does here, by REST, with Python's own library alone.

It may run every night: nothing is made twice. It wants

    GYM                 the service, such as https://gym.example
    GYM_CLIENT_ID, GYM_CLIENT_SECRET
                        a system's, made under Account, Keys for programs, by somebody who teaches
    GYM_LEARNER, GYM_LEARNER_PASSWORD
                        an account that learns: only as that person can an attempt be sat
    GYM_HOOK, GYM_PORT  if events are to be delivered: where the service reaches this machine, and the port to listen on
"""

import base64
import hashlib
import hmac
import http.server
import json
import os
import re
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any

COURSE, QUIZ, PROBLEM = "ext:CS-101", "ext:CS-101-quiz-1", "masked-token-loss"
SCOPES = "roster.read roster.write content.read content.write grades.read events.read webhooks.manage"
OLDEST = 300  # seconds: a delivery that is older is refused
PATIENCE = 60


class Gym:
    """The service, for whoever the token is of."""

    def __init__(self, home: str, token: str = "") -> None:
        self.home = home.rstrip("/")
        self.token = token

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> tuple[Any, Any]:
        """What it answers, and the headers of that. Ends the program with its own words where it refuses.

        Sent again while it is busy or away: with one key a POST is done once, however often it arrives.
        """
        address = path if path.startswith("http") else f"{self.home}/api/v1/{path}"
        sent = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4()), **headers}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        for tries in range(1, 6):
            request = urllib.request.Request(address, data=data, method=method, headers=sent)  # noqa: S310
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
                    text = answer.read()
                    return json.loads(text) if text else None, answer.headers
            except urllib.error.HTTPError as refused:
                if refused.code not in (429, 502, 503, 504) or tries == 5:
                    sys.exit(f"{method} {address}: {refused.code} {refused.read().decode('utf-8', 'replace')}")
                time.sleep(float(refused.headers.get("Retry-After") or tries))
            except urllib.error.URLError as error:
                if tries == 5:
                    sys.exit(f"{method} {address}: {error.reason}")
                time.sleep(tries)
        raise AssertionError("unreachable")

    def get(self, path: str) -> Any:
        """What is there."""
        return self.ask("GET", path)[0]

    def rows(self, path: str) -> list[Any]:
        """All rows of a list, page by page."""
        found, following = [], path
        while following:
            page = self.get(following)
            found += page["results"]
            following = page.get("next")
        return found

    def until(self, path: str, is_done: Any) -> Any:
        """What is there once it is as it should be."""
        ends = time.monotonic() + PATIENCE
        while not is_done(told := self.get(path)):
            if time.monotonic() > ends:
                sys.exit(f"{path} did not come to an end: {told}")
            time.sleep(0.5)
        return told


def of_system(home: str, client: str, secret: str) -> Gym:
    """A system, by OAuth2 client credentials. Its token holds an hour."""
    form = urllib.parse.urlencode({"grant_type": "client_credentials", "scope": SCOPES}).encode()
    basic = base64.b64encode(f"{client}:{secret}".encode()).decode()
    request = urllib.request.Request(f"{home}/oauth/token", data=form, headers={"Authorization": f"Basic {basic}"})  # noqa: S310
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
        return Gym(home, json.load(answer)["access_token"])


def of_person(home: str, name: str, password: str) -> Gym:
    """A person, by a personal token that holds a day."""
    asked = {"username": name, "password": password, "label": "integrate.py", "scopes": ["practice"], "days": 1}
    return Gym(home, Gym(home).ask("POST", "tokens", asked)[0]["token"])


def course_with_roster(gym: Gym, learner: str) -> None:
    """The course by an id of our own, and who is in it: looked at first, then done."""
    gym.ask("PUT", f"courses/{COURSE}", {"title": "BERT by hand", "term": "Winter 2026", "time_zone": "Europe/Berlin"})
    for is_dry in (True, False):
        table = f"username,name,role,external_id\n{learner},Bob Builder,learner,4711\n"
        job = {"kind": "roster", "format": "csv", "text": table, "dry_run": is_dry, "is_whole": True}
        _, headers = gym.ask("POST", f"courses/{COURSE}/jobs", job)
        told = gym.until(f"{gym.home}{headers['Location']}", lambda job: job["finished_at"])
        if told["failure"]:
            sys.exit(f"The roster was not taken: {told['failure']}")
        print("dry run:" if is_dry else "done:", json.dumps(told["report"]))
    print("in the course:", [person["username"] for person in gym.rows(f"courses/{COURSE}/people")])


def published_quiz(gym: Gym) -> None:
    """A quiz of one problem, with a second try for half the credit."""
    rules = {"title": "Quiz 1", "mode": "quiz", "credits": ["1", "1/2"], "feedback": "at-once"}
    gym.ask("PUT", f"courses/{COURSE}/problem-sets/{QUIZ}", rules)
    if not gym.get(f"problem-sets/{QUIZ}/items")["results"]:
        gym.ask("POST", f"problem-sets/{QUIZ}/items", {"problems": [PROBLEM]})
    state, _ = gym.ask("POST", f"problem-sets/{QUIZ}/publish")
    print("published:", state["published_at"])


def sat(learner: Gym, quiz: str) -> tuple[str, bool]:
    """Sit the quiz as its learner, and hand it in; the id of the attempt, and whether that was done just now."""
    attempt, _ = learner.ask("POST", f"problem-sets/{quiz}/attempts", {"number": 1})
    is_open = attempt["state"] == "going-on"
    if is_open:
        here = f"attempts/{attempt['id']}/items/1"
        item = learner.get(here)
        typed = worked_out(item["statement"])
        learner.ask(
            "POST", f"{here}/check", {"variant": item["variant"], "answers": typed, "sure": True}, Prefer="wait=2"
        )
        item = learner.until(here, lambda item: item["state"] != "pending")
        print("marked:", {step: mark["outcome"] for step, mark in item["marks"].items()})
        learner.ask("POST", f"attempts/{attempt['id']}/hand-in")
    print("receipt:", learner.get(f"attempts/{attempt['id']}/receipt")["receipt"])
    return str(attempt["id"]), is_open


def worked_out(statement: str) -> dict[str, Any]:
    """What somebody types who has read the statement: a table of words and logits, and which word is the true one."""
    words, logits = table_in(statement)
    true = re.findall(r"\*\*(.+?)\*\*", statement)[-1]
    powers = [f"exp({logit})" for logit in logits]
    total = "+".join(powers)
    p = f"exp({logits[words.index(true)]})/({total})"
    return {"powers": powers, "total": total, "p": p, "loss": f"-ln({p})"}


def table_in(statement: str) -> tuple[list[str], list[str]]:
    """The two rows of the table: words, and the number below each."""
    lines = [line.strip().strip("|").split("|") for line in statement.splitlines() if line.strip().startswith("|")]
    rows = [[cell.strip(" *$") for cell in line] for line in lines if not set("".join(line)) <= set(" :-")]
    words, numbers = rows[0], rows[-1]
    return words[-3:], [number.replace("−", "-") for number in numbers[-3:]]


def grades(gym: Gym, learner: str) -> None:
    """What everybody has in the quiz, once it is all marked."""
    path = f"problem-sets/{QUIZ}/grades"
    gym.until(path, lambda page: all(row["state"] != "waiting" for row in page["results"]))
    for row in gym.rows(path):
        print(f"grade of {row['learner']} ({row['external_id']}):", row["score"], row["percent"])


def followed(gym: Gym, attempt: str) -> None:
    """The events of the course until the score of that attempt, from where we are."""
    cursor, ends = "0", time.monotonic() + PATIENCE  # the cursor is what a program keeps from night to night
    while time.monotonic() < ends:
        page = gym.get(f"courses/{COURSE}/events?after={cursor}&type=attempt.handed-in,score.changed")
        cursor = page["cursor"]
        for event in page["results"]:
            print("event:", event["type"], event["data"].get("learner"), event["data"].get("score", ""))
            if event["type"] == "score.changed" and event["data"]["attempt"] == attempt:
                return
        if not page["next"]:
            time.sleep(1)
    sys.exit("The event of the score did not come.")


def is_genuine(secret: str, headers: Any, body: bytes, now: float) -> bool:
    """Whether a delivery is from the service, whole and recent, by the Standard Webhooks specification."""
    stamp, told = headers.get("webhook-timestamp", ""), headers.get("webhook-signature", "")
    if not stamp.isdecimal() or abs(now - int(stamp)) > OLDEST:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id', '')}.{stamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # Two of them for a day after the secret was changed.
    return any(hmac.compare_digest(expected, one) for one in told.split())


class Hook:
    """A receiver of this course's events, and the webhook that delivers them there."""

    def __init__(self, gym: Gym, address: str, port: int) -> None:
        self.gym, self.seen, self.secret, self.arrived = gym, set[str](), "", threading.Event()
        hook = self

        class Receiver(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                is_ours = is_genuine(hook.secret, self.headers, body, time.time())
                self.send_response(204 if is_ours else 401)
                self.end_headers()
                if is_ours:  # answered first: whatever takes long comes afterwards
                    hook.take(json.loads(body))

            def log_message(self, *_: Any) -> None:
                """Nothing for each request."""

        self.server = http.server.ThreadingHTTPServer(("", port), Receiver)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        made, _ = gym.ask("POST", f"courses/{COURSE}/webhooks", {"url": address, "types": ["score.changed"]})
        self.id, self.secret = made["id"], made["secret"]

    def take(self, event: Any) -> None:
        """Note an event once, however often it is delivered."""
        if event["id"] not in self.seen:
            self.seen.add(event["id"])
            print("delivered:", event["type"], event["data"]["learner"], event["data"]["score"])
            self.arrived.set()

    def close(self, *, waits: bool) -> None:
        """Wait for the delivery, if one is to come, then have no more."""
        if waits and not self.arrived.wait(PATIENCE):
            sys.exit("Nothing was delivered.")
        self.gym.ask("DELETE", f"courses/{COURSE}/webhooks/{self.id}")
        self.server.shutdown()


def main() -> None:
    """From token to grade."""
    home, learner = os.environ["GYM"].rstrip("/"), os.environ["GYM_LEARNER"]
    gym = of_system(home, os.environ["GYM_CLIENT_ID"], os.environ["GYM_CLIENT_SECRET"])
    course_with_roster(gym, learner)
    published_quiz(gym)
    hook = Hook(gym, os.environ["GYM_HOOK"], int(os.environ["GYM_PORT"])) if os.environ.get("GYM_HOOK") else None
    quiz = gym.get(f"problem-sets/{QUIZ}")["id"]  # ids of our own are ours: the learner knows the set by its id
    attempt, is_new = sat(of_person(home, learner, os.environ["GYM_LEARNER_PASSWORD"]), quiz)
    grades(gym, learner)
    followed(gym, attempt)
    if hook:
        hook.close(waits=is_new)


if __name__ == "__main__":
    main()
