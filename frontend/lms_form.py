"""The forms about learning platforms."""

from typing import Any

from django import forms
from django.db.models import QuerySet

from exercises.actions.lms.registrations import RegistrationFields
from exercises.lti.launch import DeepLinkingSettings
from exercises.models import Course, ProblemSet, Registration


class RegistrationForm(forms.Form):
    """A platform, as its own pages tell of it."""

    # What the address of our keys was shown with, which is pasted at the platform before there is anything to save.
    public_id = forms.UUIDField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(
        max_length=100, label="Name", help_text="What you call it here, such as Moodle of the faculty."
    )
    kind = forms.ChoiceField(choices=Registration.Kind.choices, label="Kind")
    issuer = forms.CharField(max_length=255, label="Issuer", help_text="Also called platform id.")
    client_id = forms.CharField(max_length=200, label="Client id")
    login_url = forms.CharField(max_length=1000, label="Authentication request URL")
    token_url = forms.CharField(
        required=False, max_length=1000, label="Access token URL", help_text="Without it no scores go there."
    )
    keys_url = forms.CharField(max_length=1000, label="Public keyset URL")
    token_audience = forms.CharField(
        required=False, max_length=1000, label="Audience of the access token",
        help_text="Leave it empty unless the platform names one, as D2L does.",
    )  # fmt: skip
    frame_origins = forms.CharField(
        required=False, max_length=4000, label="Further addresses of the platform",
        help_text="One a line, where its pages have other hosts than the addresses above and show us in a frame.",
        widget=forms.Textarea(attrs={"rows": 3}),
    )  # fmt: skip
    deployment_id = forms.CharField(
        required=False, max_length=255, label="Deployment id",
        help_text="Launches of it are taken at once. Others wait until you approve them.",
    )  # fmt: skip
    lets_teach = forms.BooleanField(
        required=False,
        label="Whoever teaches there may make courses and write problems here",
        help_text="As long as the platform says that they teach. Writing problems includes reading the shared ones.",
    )

    def __init__(self, *args: Any, is_staff: bool, is_new: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        if not is_staff:
            del self.fields["lets_teach"]
        if not is_new:
            del self.fields["deployment_id"], self.fields["public_id"]

    @property
    def said(self) -> RegistrationFields:
        """What was typed; the form is valid."""
        ours = ("deployment_id", "public_id")
        typed = {name: value for name, value in self.cleaned_data.items() if name not in ours}
        return RegistrationFields(**{**typed, "frame_origins": typed["frame_origins"].split()})

    @staticmethod
    def initial_of(registration: Registration) -> dict[str, Any]:
        """What it is now."""
        names = (
            "name", "kind", "issuer", "client_id", "login_url", "token_url", "keys_url", "token_audience", "lets_teach",
        )  # fmt: skip
        return {
            **{name: getattr(registration, name) for name in names},
            "frame_origins": "\n".join(registration.frame_origins),
        }


class RemovalForm(forms.Form):
    """That somebody means this very platform."""

    name = forms.CharField(
        required=False, max_length=100, label="Name of the platform",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip


class InviteForm(forms.Form):
    """A link with which a platform registers itself."""

    issuer_prefix = forms.CharField(
        required=False, max_length=500, label="Address of the platform",
        help_text="Such as https://moodle.example.org: no other platform can use the link then.",
    )  # fmt: skip
    lets_teach = forms.BooleanField(
        required=False, label="Whoever teaches there may make courses and write problems here"
    )

    def __init__(self, *args: Any, is_staff: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        if not is_staff:
            del self.fields["lets_teach"]


class OwnCourseForm(forms.Form):
    """One of the courses that somebody manages."""

    course: "forms.ModelChoiceField[Course]" = forms.ModelChoiceField(
        Course.objects.none(), label="Course", to_field_name="public_id"
    )

    def __init__(self, *args: Any, among: QuerySet[Course], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["course"].queryset = among  # type: ignore[attr-defined]


class SetChoiceForm(forms.Form):
    """A set of the course."""

    problem_set: "forms.ModelChoiceField[ProblemSet]" = forms.ModelChoiceField(
        ProblemSet.objects.none(), label="Problem set", to_field_name="public_id", empty_label=None
    )

    def __init__(self, *args: Any, among: QuerySet[ProblemSet], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["problem_set"].queryset = among  # type: ignore[attr-defined]


class ContentForm(forms.Form):
    """The sets that links of a platform are to open: several, where it takes several."""

    def __init__(self, *args: Any, among: QuerySet[ProblemSet], asked: DeepLinkingSettings, **options: Any) -> None:
        super().__init__(*args, **options)
        if asked.accept_multiple:
            self.fields["problem_sets"] = forms.ModelMultipleChoiceField(
                among, label="Problem sets", to_field_name="public_id", widget=forms.CheckboxSelectMultiple,
                help_text="Each becomes a link of its own.",
            )  # fmt: skip
        else:
            self.fields["problem_sets"] = forms.ModelChoiceField(
                among, label="Problem set", to_field_name="public_id", empty_label=None
            )
        if asked.accept_lineitem:
            self.fields["with_columns"] = forms.BooleanField(
                required=False, initial=True, label="With a column in the grade book of the platform",
                help_text="Scores go there by themselves, up to the points of the set.",
            )  # fmt: skip

    @property
    def said(self) -> list[ProblemSet]:
        """The sets that were chosen; the form is valid."""
        chosen = self.cleaned_data["problem_sets"]
        return [chosen] if isinstance(chosen, ProblemSet) else list(chosen)


class AccountForm(forms.Form):
    """An account that somebody has here, proven by its password."""

    name = forms.CharField(
        max_length=150, label="User name", widget=forms.TextInput(attrs={"autocomplete": "username"})
    )
    password = forms.CharField(
        max_length=200, label="Password", strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )  # fmt: skip
    code = forms.CharField(
        max_length=20, label="Code", required=False, help_text="Only if your account has two-step sign-in.",
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )  # fmt: skip
