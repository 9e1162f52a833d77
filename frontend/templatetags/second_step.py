"""What the account page asks about the second step of signing in."""

from django import template

from exercises.queries.second_step import has_second_step, should_have_second_step

register = template.Library()

register.filter("has_second_step", has_second_step)
register.filter("should_have_second_step", should_have_second_step)
