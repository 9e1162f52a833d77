"""A learner of the live service, with variants of given parameters, and what they do in a browser."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.stacks import Stack

PASSWORD = "a learner of the journeys"
#: Run in the service's own database: a new learner, and a variant of each (slug, parameters).
SEED = """
import json
from exercises.actions import draw_variant
from exercises.models import User, Variant
wanted = json.loads({wanted!r})
learner = User.objects.create_user({name!r}, password={password!r}, is_instructor={teaches!r})
ids = []
for slug, parameters in wanted:
    latest = Variant.objects.filter(learner=learner, problem__slug=slug).order_by("-number").first()
    variant = draw_variant(learner=learner, slug=slug)
    if latest is not None and variant.pk == latest.pk:
        variant.pk, variant.number = None, latest.number + 1
        variant.public_id = Variant._meta.get_field("public_id").get_default()
    variant.parameters = parameters or variant.parameters
    variant.save()
    ids.append(str(variant.public_id))
print("SEEDED " + json.dumps(ids))
"""


#: A session of somebody, as the sign-in page makes it.
SIGN_IN = """
from django.test import Client
client = Client()
client.force_login(User.objects.get(username={name!r}), "django.contrib.auth.backends.ModelBackend")
print("SESSION " + client.cookies["sessionid"].value)
"""


#: Return once the worker has marked everything: it, and not whoever asks, may have taken it up.
MARKED = """
import time
ends = time.monotonic() + 60
while Submission.objects.filter(state="pending").exists() and time.monotonic() < ends:
    time.sleep(0.2)
"""


@dataclass(frozen=True)
class Learner:
    """Somebody who can sign in; ``variants`` are theirs, in the order asked for."""

    stack: Stack
    name: str
    variants: tuple[str, ...]

    def address(self, place: int = 0) -> str:
        """Where the variant of that place is."""
        return f"{self.stack.url}/variants/{self.variants[place]}/"

    def sign_in(self, page: Page, *, then: str = "/") -> None:
        """Be signed in, and go to the address ``then``."""
        signed_in(page, self.stack, self.name, then=then)

    def sign_in_by_form(self, page: Page, *, then: str = "/") -> None:
        """Through the sign-in page, on to the address ``then``, which is open when it returns."""
        page.goto(f"{self.stack.url}/accounts/login/?next={then}")
        fill_in_sign_in(page, self.name)
        page.wait_for_url(self.stack.url + then)

    def open(self, page: Page, place: int = 0) -> None:
        """Sign in and go to a variant."""
        self.sign_in(page, then=f"/variants/{self.variants[place]}/")
        expect(page.locator("#answers")).to_be_visible()


def seeded(stack: Stack, *wanted: tuple[str, Mapping[str, Any] | None], teaches: bool = False) -> Learner:
    """A new learner with these variants: parameters as given, or drawn where None is."""
    name = f"learner-{uuid.uuid4().hex[:12]}"
    code = SEED.format(wanted=json.dumps(wanted), name=name, password=PASSWORD, teaches=teaches)
    printed = stack.run(code)
    line = next(line for line in printed.splitlines() if line.startswith("SEEDED "))
    return Learner(stack, name, tuple(json.loads(line.removeprefix("SEEDED "))))


def signed_in(page: Page, stack: Stack, name: str, *, then: str) -> None:
    """Go to the address ``then`` as somebody who signed in before: few journeys are about how one does."""
    printed = stack.run(SIGN_IN.format(name=name))
    session = next(line for line in printed.splitlines() if line.startswith("SESSION ")).split()[1]
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": stack.url, "httpOnly": True}])
    page.goto(stack.url + then)


def fill_in_sign_in(page: Page, name: str) -> None:
    """Name and password into the form that is open, and send it."""
    page.get_by_label("Name or email").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()


def sign_out(page: Page) -> None:
    """By the button, and return once it has happened: its answer takes a session away, and may not be a later one."""
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("main").get_by_role("link", name="Sign in")).to_be_visible()


def marked_plainly(page: Page) -> None:
    """Without scripts: look again, as the page offers, until a worker has marked what was sent."""
    again = page.get_by_role("link", name="Look again")
    for _ in range(200):
        page.wait_for_load_state()
        if not again.count():
            return
        page.wait_for_timeout(250)
        again.click()


def step(page: Page, name: str) -> Locator:
    """One step of the form."""
    return page.locator(f"#step-{name}")


def answer(page: Page, answers: Mapping[str, str | Sequence[str]]) -> None:
    """Type answers into their boxes, or choose them by their words."""
    for name, typed in answers.items():
        place = step(page, name)
        boxes = place.locator("input.answer-box")
        texts = [typed] if isinstance(typed, str) else list(typed)
        if boxes.count() == 0:
            for text in texts:
                place.get_by_label(text, exact=True).check()
            continue
        assert boxes.count() == len(texts), f"{name} has {boxes.count()} boxes for {len(texts)} answers"
        for box, text in zip(boxes.all(), texts, strict=True):
            box.fill(text)


def check_all(page: Page) -> None:
    """Send the whole form."""
    page.get_by_role("button", name="Check all steps").click()


def verdict(page: Page, name: str) -> Locator:
    """The verdict on a step, once there is one."""
    return page.locator(f"#feedback-{name}")
