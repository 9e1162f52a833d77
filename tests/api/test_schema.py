"""The OpenAPI description: complete, without a warning, and the one in docs/."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import call_command

from exercises.models import User, Variant
from exercises.tasks import grade_pending
from tests.api.conftest import Client

WRITTEN = Path(settings.BASE_DIR) / "docs" / "openapi.yaml"


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("schema") / "openapi.yaml"
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(path))
    return path.read_text()


def test_what_is_written_down_is_what_the_code_says(described: str) -> None:
    assert WRITTEN.read_text() == described, "Run `make schema`."


def test_every_operation_has_a_name_a_text_and_documented_errors(described: str) -> None:
    operations = [operation for path in yaml.safe_load(described)["paths"].values() for operation in path.values()]
    assert len({operation["operationId"] for operation in operations}) == len(operations) >= 12
    for operation in operations:
        assert operation["description"]
        assert "_" in operation["operationId"]
        assert "401" in operation["responses"]


@pytest.mark.usefixtures("servers")
def test_responses_have_the_fields_that_are_described(
    described: str, bob: User, variant: Variant, client_of: Client
) -> None:
    schemas = yaml.safe_load(described)["components"]["schemas"]

    def fields_of(name: str) -> set[str]:
        return set(schemas[name]["properties"])

    api = client_of(bob)
    url = f"/api/v1/variants/{variant.public_id}"
    sent: dict[str, Any] = api.post(f"{url}/answers", {"answers": {"p": "0.5"}}, format="json").json()
    grade_pending()
    told = api.get(url).json()
    assert set(told) == fields_of("Variant")
    assert set(told["steps"][0]) == fields_of("Field")
    assert set(told["marks"]["p"]) == fields_of("Mark")
    assert set(sent) == fields_of("Sent")
    assert set(sent["readings"]["p"]) == fields_of("Reading")
    judged = api.get(f"/api/v1/submissions/{sent['submission']['id']}").json()
    assert set(judged) == fields_of("Submission")
    assert set(judged["verdict"]) == fields_of("Verdict")
    assert set(api.get("/api/v1/problems").json()["results"][0]) == fields_of("Problem")
    assert set(api.get("/api/v1/submissions").json()) == fields_of("SubmissionPage")
    assert set(api.get("/api/v1/nowhere").json()) == fields_of("ProblemDocument") - {"errors"}
