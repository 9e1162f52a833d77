"""Problem sets, and what they are made of."""

from django.urls import path

from server.api.views import problem_sets as sets
from server.api.views import set_parts as parts

_SET = "problem-sets/<ref:set_id>"

urlpatterns = [
    path("courses/<ref:course_id>/problem-sets", sets.ProblemSets.as_view(), name="problem-sets"),
    path("courses/<ref:course_id>/problem-sets/<ref:set_id>", sets.NamedSet.as_view(), name="named-problem-set"),
    path(_SET, sets.AProblemSet.as_view(), name="problem-set"),
    path(f"{_SET}/copy", sets.CopySet.as_view(), name="problem-set-copy"),
    path(f"{_SET}/move", sets.MoveSet.as_view(), name="problem-set-move"),
    path(f"{_SET}/publish", sets.Publish.as_view(), name="problem-set-publish"),
    path(f"{_SET}/release", sets.Release.as_view(), name="problem-set-release"),
    path(f"{_SET}/rules", sets.Rules.as_view(), name="problem-set-rules"),
    path(f"{_SET}/items", parts.Items.as_view(), name="items"),
    path(f"{_SET}/items/<int:item_id>", parts.AnItem.as_view(), name="item"),
    path(f"{_SET}/items/<int:item_id>/move", parts.MoveItem.as_view(), name="item-move"),
    path(f"{_SET}/items/<int:item_id>/put-back", parts.PutBackItem.as_view(), name="item-put-back"),
    path(f"{_SET}/pools", parts.Pools.as_view(), name="pools"),
    path(f"{_SET}/pools/<int:pool_id>", parts.APool.as_view(), name="pool"),
    path(f"{_SET}/extensions", parts.Extensions.as_view(), name="extensions"),
    path(f"{_SET}/extensions/<int:extension_id>", parts.AnExtension.as_view(), name="extension"),
]
