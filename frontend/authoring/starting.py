"""The forms in which a problem begins, is published, shared and withdrawn from."""

from django import forms

from exercises.actions.authoring import AuthoringRefused

LICENCES = ("CC BY 4.0", "CC BY-SA 4.0", "CC0 1.0")


class AuthorForm(forms.Form):
    """A form that shows what an action refused at the field that it is about."""

    def refuse(self, refused: AuthoringRefused) -> None:
        """Put the sentences of a refusal where they belong."""
        for name, sentence in (refused.faults or {"": refused.message}).items():
            self.add_error(name if name in self.fields else None, sentence)


class StartForm(AuthorForm):
    """What a problem is called, and under which licence others may use it."""

    title = forms.CharField(max_length=200, label="Title", help_text="As learners see it; you can change it later.")
    licence = forms.CharField(
        required=False,
        max_length=80,
        label="Licence",
        help_text=f"Under which others may use it, such as {', '.join(LICENCES)}. It goes on to every fork.",
    )


class PublishForm(AuthorForm):
    """What is new, in the author's own words."""

    summary = forms.CharField(
        max_length=500,
        label="What is new",
        help_text="A sentence for the list of versions and for those who forked it.",
        widget=forms.Textarea(attrs={"rows": 2, "class": "text-box"}),
    )


class WithdrawForm(AuthorForm):
    """Why a variant is not given to anybody any more."""

    seed = forms.IntegerField(min_value=0, max_value=2**31, label="Seed")
    reason = forms.CharField(max_length=500, label="Why", help_text="For yourself and for those who teach with it.")


class LicenceForm(AuthorForm):
    """The licence alone."""

    licence = forms.CharField(required=False, max_length=80, label="Licence", help_text=f"Such as {LICENCES[0]}.")
