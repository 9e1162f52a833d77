"""Writing our own file. Names, order and times follow from the content alone, so equal content is equal bytes."""

import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from exercises.courses.item_details import weight_text
from exercises.courses.set_details import SetDetails
from exercises.exchange.own.bundle import FORMAT, MANIFEST, VERSION, Authored, Bundle, BundledSet, digest_of
from exercises.exchange.package import Package, file_stem, packed
from exercises.exchange.report import Entry, Report, plural

NOTES = (
    (
        "Problem files are in it byte for byte, with licences and the texts that they were forked from; sets with "
        "rules, times, items and pools."
    ),
    (
        "Not in it: who wrote what, earlier versions, learners, attempts, grades, groups, extensions, withdrawn "
        "variants, and whether a set is published."
    ),
    "Imported again it comes in as one’s own, and exported from there it is the same file, byte for byte.",
    "The answers stand in the file: keep it from learners.",
)


def own_package(bundle: Bundle, name: str, left_out: Sequence[Entry] = ()) -> Package:
    """The file of these problems and sets; ``left_out`` tells of what is not in it."""
    problems = {one.digest: one for one in bundle.problems}
    names = _names((digest, one.title) for digest, one in sorted(problems.items()))
    files: dict[str, bytes] = {}
    told = []
    for digest, stem in sorted(names.items(), key=lambda pair: pair[1]):
        one = problems[digest]
        files[f"problems/{stem}.yaml"] = one.source.encode()
        told.append({"file": f"problems/{stem}.yaml", "licence": one.licence, "from": _origins(one, files)})
    sets = []
    for place, one_set in enumerate(bundle.sets, start=1):
        file = f"sets/{place:03d}-{file_stem(one_set.details.title)}.json"
        files[file] = _json(_said_set(one_set, names))
        sets.append(file)
    files[MANIFEST] = _json({"format": FORMAT, "version": VERSION, "problems": told, "sets": sets})
    report = Report(f"{name} as a file of the BERT gym", (*_entries(bundle, names), *left_out), NOTES)
    return packed(files, f"{file_stem(name)}-bert-gym.zip", report)


def said_details(details: SetDetails) -> dict[str, Any]:
    """The rules of a set as plain JSON: shares as exact fractions, moments in UTC."""
    return {
        "title": details.title,
        "mode": details.mode,
        "instructions": details.instructions,
        "opens_at": _moment(details.opens_at),
        "due_at": _moment(details.due_at),
        "closes_at": _moment(details.closes_at),
        "time_limit": details.time_limit,
        "credits": [str(share) for share in details.credits],
        "retry": details.retry,
        "feedback": details.feedback,
        "late": [str(share) for share in details.late],
        "hints": details.hints,
        "shuffle": details.shuffle,
        "pass_mark": None if details.pass_mark is None else str(Fraction(details.pass_mark)),
    }


def _names(titled: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The stem of each problem's file by its digest: from its title, and numbered where two have the same."""
    found: dict[str, str] = {}
    for digest, title in titled:
        stem = file_stem(title)
        name, number = stem, 2
        while name in found.values():
            name, number = f"{stem}-{number}", number + 1
        found[digest] = name
    return found


def _origins(problem: Authored, files: dict[str, bytes]) -> list[dict[str, str]]:
    told = []
    for origin in problem.origins:
        file = f"origins/{digest_of(origin.source)[:32]}.yaml"
        files[file] = origin.source.encode()
        told.append({"file": file, "licence": origin.licence})
    return told


def _said_set(one: BundledSet, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "rules": said_details(one.details),
        "pools": [{"name": pool.name, "choose": pool.choose, "weight": weight_text(pool.weight)} for pool in one.pools],
        "items": [
            {
                "problem": f"problems/{names[item.digest]}.yaml",
                "pinned": item.is_pinned,
                "weight": weight_text(item.weight),
                "variants": item.variants,
                "asked": None if item.asked is None else list(item.asked),
                "pool": item.pool,
                "adaptation": dict(item.adaptation),
            }
            for item in one.items
        ],
    }


def _entries(bundle: Bundle, names: Mapping[str, str]) -> list[Entry]:
    problems = {one.digest: one for one in bundle.problems}
    found = [
        Entry(problems[digest].title, "The problem file, byte for byte.")
        for digest, _ in sorted(names.items(), key=lambda pair: pair[1])
    ]
    sets = [Entry(one.details.title, f"The set with {plural(len(one.items), 'item')}.") for one in bundle.sets]
    return found + sets


def _moment(moment: dt.datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(dt.UTC).isoformat()


def _json(data: Any) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()
