"""The pages: views that find, check access, call one action and answer; templates, figures and typesetting."""
