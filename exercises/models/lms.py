"""Learning management systems (platforms, in the words of LTI 1.3): who they are, and whom and what they launch here.

A *registration* is one platform as one client, a *deployment* one place of it in the platform, a *context* one course
of the platform, a *resource link* one link in such a course.
"""

import uuid
from typing import Any

from django.conf import settings
from django.db import models

from exercises import clock
from exercises.models.course import Course
from exercises.models.plain_json import PlainJSONField
from exercises.models.problem_set import ProblemSet, SetItem


class ToolKey(models.Model):
    """A key pair of our own, with which we sign what we send to platforms. The private half is sealed.

    It is published from the moment it is made, signs from ``signs_from`` on until a younger one does, and is published
    until ``retired_at``: platforms keep key sets for hours.
    """

    kid = models.CharField(max_length=64, unique=True)
    # The public id of the registration whose platform alone reads it, also before its row is there; null is the set
    # that those share which were registered before each had keys of its own.
    key_set = models.UUIDField(null=True, blank=True, db_index=True)
    private_key = models.BinaryField()
    public_key: Any = PlainJSONField(help_text="The public half as a JSON Web Key.")
    created_at = models.DateTimeField(default=clock.now)
    signs_from = models.DateTimeField()
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("signs_from", "pk")

    def __str__(self) -> str:
        return self.kid


class Registration(models.Model):
    """A platform that may launch here. One issuer may be here several times, each with a client id of its own; nothing
    of one is ever used for another."""

    class Kind(models.TextChoices):
        MOODLE = "moodle", "Moodle"
        CANVAS = "canvas", "Canvas"
        OPEN_EDX = "open-edx", "Open edX"
        D2L = "d2l", "D2L Brightspace"
        BLACKBOARD = "blackboard", "Blackboard"
        OTHER = "other", "another one"

    class State(models.TextChoices):
        ACTIVE = "active"
        OFF = "off"

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=100)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.OTHER)
    issuer = models.CharField(max_length=500)
    client_id = models.CharField(max_length=200)
    login_url = models.CharField(
        max_length=1000, help_text="Where a launch goes on to: the authentication request URL."
    )
    token_url = models.CharField(max_length=1000, blank=True)
    token_audience = models.CharField(max_length=1000, blank=True, help_text="Empty is the token URL.")
    keys_url = models.CharField(max_length=1000, help_text="The key set of the platform.")
    # Whether we sign for it by keys of its own, which it reads at an address of its own, or by those that are shared.
    has_own_keys = models.BooleanField(default=False, db_default=False)
    # Pages of the platform that may show ours in a frame, besides those of its other addresses.
    frame_origins = PlainJSONField(default=list)
    # Whether who teaches there may make courses and write problems here.
    lets_teach = models.BooleanField(default=False)
    state = models.CharField(max_length=6, choices=State, default=State.ACTIVE)
    # Who switched it on or off last: what whoever runs the service has switched off stays off.
    switched_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="registrations"
    )
    created_at = models.DateTimeField(default=clock.now)
    # The key set as it was read last; a failure since then leaves it as it is.
    keys: Any = PlainJSONField(null=True)
    keys_read_at = models.DateTimeField(null=True, blank=True)
    keys_tried_at = models.DateTimeField(null=True, blank=True)
    keys_failure = models.CharField(max_length=300, blank=True)
    # Its services, while they fail: since when, how often in a row, why, and until when they are left in peace.
    failing_since = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveSmallIntegerField(default=0)
    failure = models.CharField(max_length=300, blank=True)
    rests_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("name", "pk")
        constraints = (models.UniqueConstraint(fields=("issuer", "client_id"), name="registration_once"),)

    def __str__(self) -> str:
        return self.name


class RegistrationInvite(models.Model):
    """A link with which a platform may register itself, once. Only its hash is kept."""

    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token in the link, in hex.")
    # What the issuer must begin with, so that a link that leaks registers no other platform.
    issuer_prefix = models.CharField(max_length=500, blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    lets_teach = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=clock.now)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    registration = models.ForeignKey(Registration, null=True, on_delete=models.SET_NULL, related_name="invites")

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return self.issuer_prefix or str(self.pk)


class Deployment(models.Model):
    """One deployment of a registration. It waits until somebody approves it; until then nothing is launched from it."""

    class State(models.TextChoices):
        PENDING = "pending"
        APPROVED = "approved"
        REFUSED = "refused"

    registration = models.ForeignKey(Registration, on_delete=models.CASCADE, related_name="deployments")
    deployment_id = models.CharField(max_length=255)
    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    # What the first launch said of the platform, to recognise it by.
    seen_as = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ("registration", "pk")
        constraints = (models.UniqueConstraint(fields=("registration", "deployment_id"), name="deployment_once"),)

    def __str__(self) -> str:
        return f"{self.registration_id}: {self.deployment_id}"


class PlatformUser(models.Model):
    """A person of a platform, by the ``sub`` of one registration, and their account here.

    Name and address are what the platform says and are proven by nothing: no account is ever found by them.
    """

    registration = models.ForeignKey(Registration, on_delete=models.CASCADE, related_name="people")
    sub = models.CharField(max_length=255)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="platform_users")
    name = models.CharField(max_length=200, blank=True)
    email = models.CharField(max_length=254, blank=True)
    # The account was made by a launch, and not linked by its owner.
    is_made_here = models.BooleanField(default=True)
    # The account is a teacher's only because the platform says so, and as long as it does.
    is_teacher_by_launch = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=clock.now)
    seen_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("registration", "pk")
        constraints = (models.UniqueConstraint(fields=("registration", "sub"), name="platform_user_once"),)

    def __str__(self) -> str:
        return f"{self.registration_id}: {self.sub}"


class Context(models.Model):
    """A course of a platform; several may lead to one course here. The first launch keeps what its services need."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    deployment = models.ForeignKey(Deployment, on_delete=models.CASCADE, related_name="contexts")
    context_id = models.CharField(max_length=255)
    title = models.CharField(max_length=300, blank=True)
    course = models.ForeignKey(Course, null=True, blank=True, on_delete=models.SET_NULL, related_name="contexts")
    connected_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    # Names and Roles: where the roster is read.
    memberships_url = models.CharField(max_length=1000, blank=True)
    # Assignment and Grades: where line items are listed and made, and what of it we may ask for.
    lineitems_url = models.CharField(max_length=1000, blank=True)
    scopes = PlainJSONField(default=list)
    created_at = models.DateTimeField(default=clock.now)
    seen_at = models.DateTimeField(default=clock.now)
    # The last reading of the roster: when, what it did or why it failed, and where only differences are to be had.
    synced_at = models.DateTimeField(null=True, blank=True)
    sync_report: Any = PlainJSONField(null=True)
    differences_url = models.CharField(max_length=1000, blank=True)
    sync_due_at = models.DateTimeField(null=True, blank=True)
    sync_lease_token = models.UUIDField(null=True, blank=True)

    class Meta:
        ordering = ("deployment", "pk")
        constraints = (models.UniqueConstraint(fields=("deployment", "context_id"), name="context_once"),)
        indexes = (
            models.Index(
                fields=("sync_due_at", "id"), name="context_sync", condition=models.Q(sync_due_at__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return self.title or self.context_id


class Membership(models.Model):
    """What somebody is in a context, as the platform said last: at each launch, and whenever the roster is read."""

    class Status(models.TextChoices):
        ACTIVE = "active"
        INACTIVE = "inactive"

    context = models.ForeignKey(Context, on_delete=models.CASCADE, related_name="memberships")
    platform_user = models.ForeignKey(PlatformUser, on_delete=models.CASCADE, related_name="memberships")
    roles = PlainJSONField(default=list, help_text="As the platform said them.")
    # What follows from them in a course here (exercises.lti.roles); empty is nothing at all.
    role = models.CharField(max_length=10, blank=True)
    status = models.CharField(max_length=8, choices=Status, default=Status.ACTIVE)
    seen_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("context", "pk")
        constraints = (models.UniqueConstraint(fields=("context", "platform_user"), name="membership_once"),)

    def __str__(self) -> str:
        return f"{self.platform_user_id} {self.role or 'nothing'} in {self.context_id}"


class ResourceLink(models.Model):
    """A link in a context, and the problem set that it opens here, or one item of it."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    context = models.ForeignKey(Context, on_delete=models.CASCADE, related_name="links")
    link_id = models.CharField(max_length=255)
    title = models.CharField(max_length=300, blank=True)
    problem_set = models.ForeignKey(
        ProblemSet, null=True, blank=True, on_delete=models.SET_NULL, related_name="resource_links"
    )
    set_item = models.ForeignKey(SetItem, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    # The line item that the platform has for this link, from the first launch on, whether a set is chosen yet or not.
    lineitem_url = models.CharField(max_length=1000, blank=True)
    line_item = models.ForeignKey(
        "exercises.LineItem", null=True, blank=True, on_delete=models.SET_NULL, related_name="links"
    )
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("context", "pk")
        constraints = (models.UniqueConstraint(fields=("context", "link_id"), name="resource_link_once"),)

    def __str__(self) -> str:
        return self.title or self.link_id


class LaunchFlow(models.Model):
    """A launch that was begun here and goes on at the platform. Whoever deletes the row goes on with it: one alone."""

    state_digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the state, in hex.")
    nonce = models.CharField(max_length=64)
    registration = models.ForeignKey(Registration, on_delete=models.CASCADE, related_name="+")
    target = models.CharField(max_length=1000, help_text="The target link URI that it was begun with.")
    # SHA-256 of what the browser keeps in a cookie or in the platform's storage: another browser cannot end it.
    browser_digest = models.CharField(max_length=64)
    # The frame of the platform that stores for us, if it offered one.
    storage_target = models.CharField(max_length=200, blank=True)
    # What it was begun with, to begin it again in a tab of its own.
    said: Any = PlainJSONField(default=dict)
    created_at = models.DateTimeField(default=clock.now)
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.state_digest


class UsedNonce(models.Model):
    """A nonce that was used, kept until no token with it can be good any more: its ``exp`` and the skew."""

    registration = models.ForeignKey(Registration, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("registration", "digest"), name="nonce_once"),)

    def __str__(self) -> str:
        return self.digest


class LaunchTicket(models.Model):
    """What takes a verified launch into a session, once: in the frame, or in a tab of its own where the frame keeps no
    cookies."""

    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the ticket, in hex.")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    context = models.ForeignKey(Context, null=True, on_delete=models.CASCADE, related_name="+")
    link = models.ForeignKey(ResourceLink, null=True, on_delete=models.CASCADE, related_name="+")
    registration = models.ForeignKey(Registration, on_delete=models.CASCADE, related_name="+")
    target = models.CharField(max_length=1000, help_text="An address of ours, without the host.")
    # What the session keeps of the launch.
    kept: Any = PlainJSONField(default=dict)
    created_at = models.DateTimeField(default=clock.now)
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.digest
