"""Settings as they are read: a clear word counts, a typo never decides, and a secret may be a file."""

from pathlib import Path

import pytest

from server.environment import amount, flag, one_of, secret, words


@pytest.mark.parametrize(("said", "means"), [("1", True), (" Yes ", True), ("off", False), ("0", False), ("", True)])
def test_a_clear_word_switches(monkeypatch: pytest.MonkeyPatch, said: str, means: bool) -> None:
    monkeypatch.setenv("THIS", said)
    assert flag("THIS", default=True) is means


@pytest.mark.parametrize("said", ["tru", "2", "nope", "-"])
def test_a_typo_switches_nothing(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv("THIS", said)
    with pytest.raises(ValueError, match="THIS"):
        flag("THIS", default=False)
    with pytest.raises(ValueError, match="line, json"):
        one_of("THIS", ("line", "json"))


def test_what_is_not_set_has_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THIS", raising=False)
    assert (flag("THIS", default=False), one_of("THIS", ("line", "json")), words("THIS", "a, b"), secret("THIS")) == (
        False, "line", ["a", "b"], "",
    )  # fmt: skip


def test_a_secret_may_be_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("kept out of the environment\n")
    monkeypatch.setenv("THIS_FILE", str(tmp_path / "key"))
    assert secret("THIS") == "kept out of the environment"
    monkeypatch.setenv("THIS", "another")
    with pytest.raises(ValueError, match="both set"):
        secret("THIS")


def test_a_file_that_is_missing_is_no_empty_secret(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("THIS_FILE", str(tmp_path / "missing"))
    with pytest.raises(FileNotFoundError):
        secret("THIS")


@pytest.mark.parametrize(("said", "means"), [("", 30.0), ("0", 0.0), ("365", 365.0), (" 0.5 ", 0.5)])
def test_days_are_a_number(monkeypatch: pytest.MonkeyPatch, said: str, means: float) -> None:
    monkeypatch.setenv("THIS", said)
    assert amount("THIS", 30) == means


@pytest.mark.parametrize("said", ["-1", "nan", "inf", "a year", "1,5"])
def test_days_that_would_delete_everything_or_nothing_are_refused(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv("THIS", said)
    with pytest.raises(ValueError, match="THIS"):
        amount("THIS", 0)
