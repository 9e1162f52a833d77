"""The form of every table that comes in: a file, or its text."""

from typing import Any

from django import forms

from exercises.courses.cells import MOST_BYTES, TableRefused, decoded, too_much


class TableForm(forms.Form):
    """A file or a pasted text. What a file held comes back as text, so that it need not be chosen twice."""

    #: Of a file.
    most_bytes = MOST_BYTES

    upload = forms.FileField(required=False, label="File", allow_empty_file=True)
    text = forms.CharField(
        required=False, label="Or paste it here", strip=False, widget=forms.Textarea(attrs={"rows": 8})
    )

    def clean(self) -> dict[str, Any]:
        """The text of the file, if there is one, in place of the pasted text."""
        said = super().clean() or {}
        if upload := said.get("upload"):
            # By its size before it is read: no form may fill the memory.
            if upload.size > self.most_bytes:
                raise forms.ValidationError(too_much(upload.size, most=self.most_bytes))
            try:
                said["text"] = decoded(upload.read(), most=self.most_bytes)
            except TableRefused as refused:
                raise forms.ValidationError(str(refused)) from None
        if not said.get("text", "").strip():
            raise forms.ValidationError("Choose a file, or paste its text.")
        return said
