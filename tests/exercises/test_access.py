"""One place that finds things, and nobody finds what is not theirs."""

import datetime as dt
import uuid

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.utils import timezone

from exercises import access
from exercises.actions import issue_token, revoke_token, send_answer
from exercises.models import AccessToken, User, Variant
from exercises.queries import open_tokens

pytestmark = pytest.mark.usefixtures("servers", "published")


@pytest.mark.usefixtures("course")
def test_who_finds_a_variant_and_a_submission(bob: User, charlie: User, alice: User, variant: Variant) -> None:
    submission = send_answer(learner=bob, variant=variant, answers={"p": "0.5"}).submission
    assert submission is not None
    for find in (access.variant_for, access.readable_variant):
        assert find(bob, variant.public_id) == variant
        assert find(bob, str(variant.public_id)) == variant
    for look in (access.submission_for, access.readable_submission):
        assert look(bob, submission.public_id) == submission
    # Who teaches Bob looks, but answers for nobody.
    assert access.readable_variant(alice, variant.public_id) == variant
    assert access.readable_submission(alice, submission.public_id) == submission
    for find_variant in (access.variant_for, access.readable_variant):
        with pytest.raises(Http404):
            find_variant(charlie, variant.public_id)
    for find_submission in (access.submission_for, access.readable_submission):
        with pytest.raises(Http404):
            find_submission(charlie, submission.public_id)
    with pytest.raises(Http404):
        access.variant_for(alice, variant.public_id)
    with pytest.raises(Http404):
        access.submission_for(alice, submission.public_id)


@pytest.mark.usefixtures("elsewhere")
def test_who_teaches_elsewhere_reads_nothing(bob: User, variant: Variant) -> None:
    erin = User.objects.get(username="erin")
    with pytest.raises(Http404):
        access.readable_variant(erin, variant.public_id)


@pytest.mark.parametrize("public_id", [uuid.uuid4(), "1", "", "../../etc", "ё"])
def test_a_wrong_or_malformed_id_finds_nothing(bob: User, variant: Variant, public_id: uuid.UUID | str) -> None:
    with pytest.raises(Http404):
        access.variant_for(bob, public_id)


def test_what_instructors_see_exists_for_nobody_else(bob: User, alice: User) -> None:
    assert access.instructor(alice) == alice
    for other in (bob, AnonymousUser()):
        with pytest.raises(Http404):
            access.instructor(other)  # type: ignore[arg-type]


def test_a_token_opens_until_it_is_revoked_or_expires_or_its_user_leaves(bob: User, charlie: User) -> None:
    token, row = issue_token(user=bob, label="notebook")
    found = access.token_of(token)
    assert found is not None
    assert found.user == bob
    assert token not in {str(value) for value in AccessToken.objects.values().get().values()}
    assert access.token_of(token + "x") is None
    assert access.token_of("") is None

    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert access.token_of(token) is None
    User.objects.filter(pk=bob.pk).update(is_active=True)
    AccessToken.objects.update(expires_at=timezone.now() - dt.timedelta(seconds=1))
    assert access.token_of(token) is None
    assert open_tokens(bob) == []
    AccessToken.objects.update(expires_at=timezone.now() + dt.timedelta(days=1))
    assert open_tokens(bob) == [row]

    assert not revoke_token(user=charlie, public_id=row.public_id)
    assert access.token_of(token) is not None
    assert revoke_token(user=bob, public_id=row.public_id)
    assert access.token_of(token) is None
    assert not revoke_token(user=bob, public_id=row.public_id)
