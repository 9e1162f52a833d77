"""What a problem set is made of, and for whom something is different: items, pools, extensions."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from exercises.access import usable_problems
from exercises.actions.sets import extensions, items, pools
from exercises.courses.rights import Right
from exercises.models import Extension, Pool, ProblemSet, ProblemVersion, SetItem
from exercises.queries import set_choices, set_contents, set_extensions
from exercises.queries.authoring import version_of
from exercises.set_rows import base_of, state_of, state_of_extension, state_of_pool
from server.api import conditional, paging
from server.api.addresses import Ref
from server.api.base import View
from server.api.described import DOCUMENT, ETAG, IF_MATCH, IF_NONE_MATCH, LOCATION
from server.api.members import sitting_member
from server.api.paging import paged
from server.api.shapes import problem_sets as shapes
from server.api.telling.problem_sets import extensions_told, item_told, pool_told


class ExtensionThere(exceptions.APIException):
    """There is one already, which is changed and not given again."""

    status_code = 409
    default_code = "extension-there"


class Items(View):
    scopes = {"GET": "content.read", "POST": "content.write"}
    of_course = True

    @extend_schema(operation_id="list_set_items", responses={200: shapes.SetItems})
    def get(self, request: Request, set_id: Ref) -> Response:
        """The items of a set in order, those that were taken out last. For staff."""
        rows = set_contents.item_rows(self.problem_set(set_id, Right.READ_WORK))
        return Response({"results": [item_told(row) for row in rows]})

    @extend_schema(operation_id="add_set_items", request=shapes.NewItems, responses={201: shapes.SetItems})
    def post(self, request: Request, set_id: Ref) -> Response:
        """Put problems at the end of a set, each as an item of weight 1 that asks everything. Whoever has begun keeps
        what they have."""
        problem_set = self.problem_set(set_id, Right.MANAGE)
        slugs = self.slugs_of(self.read(shapes.NewItems)["problems"])
        chosen = set_choices.chosen_problems(usable_problems(self.user), slugs)
        if missing := sorted(set(slugs) - {problem.slug for problem in chosen}):
            raise serializers.ValidationError(
                {"problems": [f"You may not use, or there is not: {', '.join(missing)}."]}
            )
        made = {item.pk for item in items.add_items(actor=self.user, problem_set=problem_set, problems=chosen)}
        rows = [row for row in set_contents.item_rows(problem_set) if row.item.pk in made]
        return Response({"results": [item_told(row) for row in rows]}, status=201)


class AnItem(View):
    scopes = {"GET": "content.read", "PATCH": "content.write", "DELETE": "content.write"}
    of_course = True

    @extend_schema(operation_id="read_set_item", responses={200: shapes.SetItem}, parameters=[ETAG, IF_NONE_MATCH])
    def get(self, request: Request, set_id: Ref, item_id: int) -> Response:
        """One item of a set. For staff."""
        return self.told(self.item(set_id, item_id, Right.READ_WORK))

    @extend_schema(
        operation_id="change_set_item",
        request=shapes.SetItemFields(partial=True),
        responses={200: shapes.SetItem},
        parameters=[IF_MATCH, ETAG],
    )
    def patch(self, request: Request, set_id: Ref, item_id: int) -> Response:
        """Change what is sent, for whoever begins from now on. What is changed of the problem is checked over 1,000
        seeds; on a set that is published nothing is kept until it has passed: send it again then."""
        item = self.item(set_id, item_id, Right.MANAGE)
        self.require_match(self.tag(item))
        details = self._details(item, self.read(shapes.SetItemFields, partial=True))
        items.change_item(actor=self.user, item=item, seen=state_of(item), details=details)
        return self.told(self.item(set_id, item_id, Right.MANAGE))

    @extend_schema(operation_id="take_out_set_item", responses={400: DOCUMENT, 204: None}, parameters=[IF_MATCH])
    def delete(self, request: Request, set_id: Ref, item_id: int) -> Response:
        """Take an item out: nobody who begins from now on meets it, and who has begun keeps it."""
        item = self.item(set_id, item_id, Right.MANAGE)
        is_guarded = self.require_match(self.tag(item))
        items.take_out_item(actor=self.user, item=item, seen=state_of(item) if is_guarded else None)
        return Response(status=204)

    def item(self, set_id: Ref, item_id: int, right: Right) -> SetItem:
        """An item of a set in which the user has that right. Raises Http404."""
        found = set_contents.item_at(self.problem_set(set_id, right), item_id)
        if found is None:
            raise Http404("This set has no such item.")
        return found

    def told(self, item: SetItem) -> Response:
        """An item as it was found."""
        return self.answer(item_told(set_contents.item_row(item)), tag=self.tag(item))

    def tag(self, item: SetItem) -> str:
        """What it goes by."""
        return conditional.tag(item_told(set_contents.item_row(item)))

    def _details(self, item: SetItem, said: dict[str, Any]) -> items.ItemDetails:
        """What an item says with what was sent written over it. Raises ValidationError."""
        pool = item.pool
        if "pool" in said:
            pool = said["pool"] and _pool_in(item.problem_set, said["pool"], field="pool")
        return items.ItemDetails(
            weight=said.get("weight", item.weight),
            variants=said.get("variants", item.variants),
            asked=said.get("asked", item.asked),
            base=_version(item, said["version"]) if "version" in said else base_of(item),
            pool=pool,
            adaptation=said.get("adaptation", item.adaptation),
        )


class PutBackItem(AnItem):
    scopes = {"POST": "content.write"}
    http_method_names = ("post", "options")

    @extend_schema(operation_id="put_back_set_item", request=None, responses={400: DOCUMENT, 200: shapes.SetItem})
    def post(self, request: Request, set_id: Ref, item_id: int) -> Response:
        """Put an item back that was taken out."""
        items.put_back_item(actor=self.user, item=self.item(set_id, item_id, Right.MANAGE))
        return self.told(self.item(set_id, item_id, Right.MANAGE))


class MoveItem(AnItem):
    scopes = {"POST": "content.write"}
    http_method_names = ("post", "options")

    @extend_schema(operation_id="move_set_item", request=shapes.Move, responses={204: None})
    def post(self, request: Request, set_id: Ref, item_id: int) -> Response:
        """Move an item within its set, not past the ends."""
        item = self.item(set_id, item_id, Right.MANAGE)
        items.move_item(actor=self.user, item=item, by=self.read(shapes.Move)["by"])
        return Response(status=204)


class Pools(View):
    scopes = {"GET": "content.read", "POST": "content.write"}
    of_course = True

    @extend_schema(operation_id="list_pools", responses={200: shapes.Pools})
    def get(self, request: Request, set_id: Ref) -> Response:
        """The pools of a set. For staff."""
        rows = set_contents.pools_of(self.problem_set(set_id, Right.READ_WORK))
        return Response({"results": [pool_told(row) for row in rows]})

    @extend_schema(
        operation_id="make_pool", request=shapes.PoolFields, responses={201: shapes.Pool}, parameters=[LOCATION, ETAG]
    )
    def post(self, request: Request, set_id: Ref) -> Response:
        """Make a pool: of the items that are put into it, each learner is given so many."""
        problem_set = self.problem_set(set_id, Right.MANAGE)
        made = pools.keep_pool(actor=self.user, problem_set=problem_set, **self.read(shapes.PoolFields))
        body = pool_told(made)
        address = reverse("api:pool", args=[problem_set.public_id, made.pk])
        return self.answer(body, tag=conditional.tag(body), status=201, location=address)


class APool(View):
    scopes = {"GET": "content.read", "PATCH": "content.write", "DELETE": "content.write"}
    of_course = True

    @extend_schema(operation_id="read_pool", responses={200: shapes.Pool}, parameters=[ETAG, IF_NONE_MATCH])
    def get(self, request: Request, set_id: Ref, pool_id: int) -> Response:
        """One pool of a set. For staff."""
        return self.told(_pool_in(self.problem_set(set_id, Right.READ_WORK), pool_id))

    @extend_schema(
        operation_id="change_pool",
        request=shapes.PoolFields(partial=True),
        responses={200: shapes.Pool},
        parameters=[IF_MATCH, ETAG],
    )
    def patch(self, request: Request, set_id: Ref, pool_id: int) -> Response:
        """Change what is sent. Whoever has begun keeps what they have."""
        pool, seen = self._guarded(set_id, pool_id)
        said = {name: getattr(pool, name) for name in ("name", "choose", "weight")}
        said |= self.read(shapes.PoolFields, partial=True)
        return self.told(pools.keep_pool(actor=self.user, problem_set=pool.problem_set, pool=pool, seen=seen, **said))

    @extend_schema(operation_id="drop_pool", responses={400: DOCUMENT, 204: None}, parameters=[IF_MATCH])
    def delete(self, request: Request, set_id: Ref, pool_id: int) -> Response:
        """Take a pool away; its items stay, each asked by itself."""
        pool, seen = self._guarded(set_id, pool_id)
        pools.drop_pool(actor=self.user, pool=pool, seen=seen)
        return Response(status=204)

    def told(self, pool: Pool) -> Response:
        """A pool as it was found or left."""
        body = pool_told(pool)
        return self.answer(body, tag=conditional.tag(body))

    def _guarded(self, set_id: Ref, pool_id: int) -> tuple[Pool, str | None]:
        pool = _pool_in(self.problem_set(set_id, Right.MANAGE), pool_id)
        return pool, state_of_pool(pool) if self.require_match(conditional.tag(pool_told(pool))) else None


class Extensions(View):
    scopes = {"GET": "content.read", "POST": "content.write"}
    of_course = True

    @extend_schema(
        operation_id="list_extensions", responses={200: paged(shapes.SetExtension)}, parameters=paging.PARAMETERS
    )
    def get(self, request: Request, set_id: Ref) -> Response:
        """What is different in a set for some learners and groups. For staff."""
        rows = set_extensions.extensions_of(self.problem_set(set_id, Right.GRADE))
        return paging.page(request, rows, extensions_told)

    @extend_schema(
        operation_id="give_extension",
        request=shapes.NewExtension,
        responses={201: shapes.SetExtension, 409: DOCUMENT},
        parameters=[LOCATION, ETAG],
    )
    def post(self, request: Request, set_id: Ref) -> Response:
        """Give an extension to one learner or one group. It holds at once, also where somebody has begun. 409 where
        they have one already: change that."""
        problem_set = self.problem_set(set_id, Right.GRADE)
        said = self.read(shapes.NewExtension)
        whom = self._whom(problem_set, said.pop("learner"), said.pop("group"))
        made = extensions.give_extension(
            actor=self.user, problem_set=problem_set, given=extensions.Given(**said), **whom
        )
        body = extensions_told([made])[0]
        address = reverse("api:extension", args=[problem_set.public_id, made.pk])
        return self.answer(body, tag=conditional.tag(body), status=201, location=address)

    def _whom(self, problem_set: ProblemSet, learner: str | None, group: int | None) -> dict[str, Any]:
        """Whom an extension is for, who must have none yet. Raises ValidationError or ExtensionThere."""
        if (learner is None) == (group is None):
            raise serializers.ValidationError({"learner": ["Name one learner, or one group."]})
        if learner is not None:
            try:
                member = sitting_member(problem_set.course, learner)
            except Http404:
                raise serializers.ValidationError({"learner": ["Nobody of that name learns in this course."]}) from None
            there = set_extensions.extension_for(problem_set, member=member, group=None)
            whom: dict[str, Any] = {"learner": member.user}
        else:
            found = set_extensions.group_at(problem_set.course, group or 0)
            if found is None:
                raise serializers.ValidationError({"group": ["This course has no such group."]})
            there = set_extensions.extension_for(problem_set, member=None, group=found)
            whom = {"group": found}
        if there is not None:
            raise ExtensionThere(f"They have extension {there.pk} in this set already: change that by PATCH.")
        return whom


class AnExtension(View):
    scopes = {"GET": "content.read", "PATCH": "content.write", "DELETE": "content.write"}
    of_course = True

    @extend_schema(
        operation_id="read_extension", responses={200: shapes.SetExtension}, parameters=[ETAG, IF_NONE_MATCH]
    )
    def get(self, request: Request, set_id: Ref, extension_id: int) -> Response:
        """One extension of a set. For staff."""
        return self.told(self.extension(set_id, extension_id))

    @extend_schema(
        operation_id="change_extension",
        request=shapes.ExtensionFields(partial=True),
        responses={200: shapes.SetExtension},
        parameters=[IF_MATCH, ETAG],
    )
    def patch(self, request: Request, set_id: Ref, extension_id: int) -> Response:
        """Change what is sent; attempts that go on follow at once."""
        row, _ = self._guarded(set_id, extension_id)
        said = {name: getattr(row, name) for name in extensions.Given.__dataclass_fields__}
        said |= self.read(shapes.ExtensionFields, partial=True)
        extensions.give_extension(
            actor=self.user, problem_set=row.problem_set, given=extensions.Given(**said),
            seen=state_of_extension(row), learner=row.learner, group=row.group,
        )  # fmt: skip
        return self.told(self.extension(set_id, extension_id))

    @extend_schema(operation_id="withdraw_extension", responses={400: DOCUMENT, 204: None}, parameters=[IF_MATCH])
    def delete(self, request: Request, set_id: Ref, extension_id: int) -> Response:
        """Take an extension back: the rules of the set hold again at once."""
        row, is_guarded = self._guarded(set_id, extension_id)
        seen = state_of_extension(row) if is_guarded else None
        extensions.withdraw_extension(actor=self.user, extension=row, seen=seen)
        return Response(status=204)

    def extension(self, set_id: Ref, extension_id: int) -> Extension:
        """An extension of a set in which the user may give them. Raises Http404."""
        found = set_extensions.extension_at(self.problem_set(set_id, Right.GRADE), extension_id)
        if found is None:
            raise Http404("This set has no such extension.")
        return found

    def told(self, row: Extension) -> Response:
        """An extension as it was found."""
        body = extensions_told([row])[0]
        return self.answer(body, tag=conditional.tag(body))

    def _guarded(self, set_id: Ref, extension_id: int) -> tuple[Extension, bool]:
        row = self.extension(set_id, extension_id)
        return row, self.require_match(conditional.tag(extensions_told([row])[0]))


def _pool_in(problem_set: ProblemSet, pk: int, *, field: str = "") -> Pool:
    """A pool of a set. Raises Http404, for the ``field`` of a body ValidationError."""
    found = set_contents.pool_in(problem_set, pk)
    if found is not None:
        return found
    if field:
        raise serializers.ValidationError({field: ["This set has no such pool."]})
    raise Http404("This set has no such pool.")


def _version(item: SetItem, number: int | None) -> ProblemVersion | None:
    """The version that an item is to be pinned to. Raises ValidationError."""
    if number is None:
        return None
    try:
        return version_of(item.problem, number, is_own=False)
    except Http404:
        raise serializers.ValidationError({"version": ["The problem has no such version."]}) from None
