"""Which sign stands before the decimals in the learner's language.

Grouping needs no table: every grouping sign is understood in every language (see ``grader.typed.literals``). After
CLDR 47; a tag that is not listed uses the point.
"""

from functools import lru_cache

DEFAULT_LOCALE = "en"

_COMMA = (
    "ady af agq ast az ba bas be bg br bs ca ce cs cv da de dsb dua el eo es et eu ewo fi fo fr fur fy gl hr hsb hu hy "
    "ia id is it ka kab kea kk kl ky lb lt lv mk nb nl nn no os pl pt rn ro ru rw sah sc se sg shi sk sl smn sq sr ss "
    "st su sv tg tk tn tr tt uk uz ve vec vi wo xh"
)
_COMMA_REGIONS = {
    "ar": "DZ LB LY MA MR TN",
    "en": "AT BE CZ DE DK EE ES FI FR GE HU ID IT LT LV NL NO PL PT RO SE SI SK UA ZA",
    "ms": "BN ID",
    "qu": "BO",
    "sw": "CD",
}
_POINT_REGIONS = {
    "de": "CH LI",
    "es": "419 BR BZ CU DO GT HN MX NI PA PE PR SV US",
    "fr": "RW",
    "it": "CH",
}


@lru_cache(maxsize=512)
def decimal_sign(locale: object) -> str:
    """``"."`` or ``","`` for a language tag such as ``de``, ``de-CH``, ``pt_BR.UTF-8``; ``"."`` for anything else."""
    if not isinstance(locale, str) or len(locale) > 64:
        return "."
    language, *rest = locale.split(".")[0].replace("_", "-").split("-")
    language = language.lower()
    region = next((part.upper() for part in rest if len(part) == 2 or part.isdigit()), "")
    if language in _COMMA.split():
        return "." if region in _POINT_REGIONS.get(language, "").split() else ","
    return "," if region in _COMMA_REGIONS.get(language, "").split() else "."
