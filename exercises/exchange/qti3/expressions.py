"""Formulas over single numbers as expressions of QTI 3. What needs vectors or words cannot be said by them."""

from collections.abc import Callable, Mapping
from math import e, pi
from types import MappingProxyType

from exercises.exchange.qti3.xml import number, tag, variable
from grader.syntax import Binary, Call, Name, Node, Number, Unary

#: A tenth of the smallest distance that a condition means.
NOISE = 1e-9
DUST = 1e-12


class NotExpressible(ValueError):
    """Something that template processing cannot say; the message says what."""


def expression(node: Node, names: Mapping[str, str]) -> str:
    """A number; ``names`` are the template variables by our names. Raises NotExpressible."""
    match node:
        case Number():
            return number(node.value)
        case Name():
            return _name(node.name, names)
        case Unary("-"):
            return tag("qti-subtract", number(0), expression(node.of, names))
        case Unary("+"):
            return expression(node.of, names)
        case Binary() if node.op in _ARITHMETIC:
            return tag(_ARITHMETIC[node.op], expression(node.left, names), expression(node.right, names))
        case Call() if node.name in _CALLS:
            return _CALLS[node.name](*(expression(argument, names) for argument in node.args))
        case Call():
            raise NotExpressible(f"the function {node.name}")
    raise NotExpressible("lists, places in lists, or conditions as numbers")


def condition(node: Node, names: Mapping[str, str]) -> str:
    """True or false. Raises NotExpressible."""
    match node:
        case Binary("and" | "or"):
            both = (condition(node.left, names), condition(node.right, names))
            return tag(f"qti-{node.op}", *both)
        case Unary("not"):
            return tag("qti-not", condition(node.of, names))
        case Binary("==" | "!="):
            distance = absolute(tag("qti-subtract", expression(node.left, names), expression(node.right, names)))
            equal = tag("qti-lte", distance, number(NOISE))
            return equal if node.op == "==" else tag("qti-not", equal)
        case Binary() if node.op in _COMPARISONS:
            return tag(_COMPARISONS[node.op], expression(node.left, names), expression(node.right, names))
    raise NotExpressible("conditions other than comparisons")


def absolute(of: str) -> str:
    """Without its sign."""
    return tag("qti-math-operator", of, name="abs")


def half_unit(of: str, digits: int) -> str:
    """Half a unit of the last of so many significant digits."""
    # Powers of ten lie on the edge: without the dust their logarithms may come out just below.
    place = tag("qti-math-operator", tag("qti-sum", _log(10)(absolute(of)), number(DUST)), name="floor")
    power = tag("qti-power", number(10), tag("qti-subtract", place, number(digits - 1)))
    return tag("qti-product", number(0.5), power)


def _name(name: str, names: Mapping[str, str]) -> str:
    if name in names:
        return variable(names[name])
    constants = {"e": e, "pi": pi}
    if name in constants:
        return number(constants[name])
    raise NotExpressible(f"{name}, which is no single number")


def _math(name: str) -> Callable[..., str]:
    return lambda of: tag("qti-math-operator", of, name=name)


def _log(to: float) -> Callable[[str], str]:
    """By the natural logarithm: players do not agree on what ``log`` alone is."""
    return lambda of: tag(
        "qti-divide", tag("qti-math-operator", of, name="ln"), tag("qti-math-operator", number(to), name="ln")
    )


def _sigmoid(of: str) -> str:
    below = tag("qti-sum", number(1), tag("qti-math-operator", tag("qti-subtract", number(0), of), name="exp"))
    return tag("qti-divide", number(1), below)


def rounded(of: str) -> str:
    """To a whole number, half away from zero, as here."""
    up = tag("qti-math-operator", tag("qti-sum", absolute(of), number(0.5)), name="floor")
    return tag("qti-product", tag("qti-math-operator", of, name="signum"), up)


_ARITHMETIC: Mapping[str, str] = MappingProxyType(
    {"+": "qti-sum", "-": "qti-subtract", "*": "qti-product", "/": "qti-divide", "**": "qti-power"}
)
_COMPARISONS: Mapping[str, str] = MappingProxyType({"<": "qti-lt", "<=": "qti-lte", ">": "qti-gt", ">=": "qti-gte"})
_CALLS: Mapping[str, Callable[..., str]] = MappingProxyType(
    {
        "exp": _math("exp"),
        "ln": _math("ln"),
        "log10": _log(10),
        "log2": _log(2),
        "abs": absolute,
        "floor": _math("floor"),
        "ceil": _math("ceil"),
        "round": rounded,
        "sqrt": lambda of: tag("qti-power", of, number(0.5)),
        "sigmoid": _sigmoid,
        "min": lambda *of: tag("qti-min", *of),
        "max": lambda *of: tag("qti-max", *of),
    }
)
