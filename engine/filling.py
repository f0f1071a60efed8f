"""Filling: brackets around an operand that is substituted for a letter of a formula.

An operand is bracketed if an operator beside it binds tighter than the operand's own weakest one:
`x + y` for b in `a × b`.

>>> bracketed("x + y", "2 × ", "")
'(x + y)'
"""

import re

_NUMBER = re.compile(r"[−+-]?(\d+(\.\d*)?|inf|nan)(e[−-]?\d+)?")
_SIGNS = ("−", "-", "+")
# precedence, from weakest to strongest; a text has that of its weakest operator outside brackets
_DELIMITED, _LISTED, _ROUNDED, _WORDS, _SUM, _PRODUCT, _POWER, _ATOM = range(8)
_STRENGTH = {
    ",": _LISTED,
    "≈": _ROUNDED,
    **dict.fromkeys("=<>≠≤≥", _WORDS),
    **dict.fromkeys("+−-", _SUM),
    **dict.fromkeys("*×·÷/", _PRODUCT),
    **dict.fromkeys("^²√", _POWER),
}
_UNSHIFTABLE = ("−", "-", "÷", "/", "^", "²", "√")
"""Operators that are not associative: on their right, equal precedence needs brackets too."""


def bracketed(filler: str, before: str, after: str) -> str:
    """Return an operand between two texts: in brackets if an operator beside it binds tighter.

    >>> bracketed("−3", "", " ^ 2"), bracketed("x + y", "2 × ", ""), bracketed("−3", "log(", ")")
    ('(−3)', '(x + y)', '−3')
    """
    left, right = before.rstrip()[-1:], after.lstrip()[:1]
    pull = max(_pull(left), _pull(right))
    strength = _strength(filler)
    signed = filler.startswith(_SIGNS) and (_pull(left) >= _SUM or _pull(right) >= _POWER)
    beside = [sign for sign in (left, right) if _pull(sign) == strength]
    # in (a ^ b) ^ c both sides need them; in (a + b) + c neither, in a − (b + c) the right one
    tied = strength in (_LISTED, _POWER) and bool(beside)
    tied = tied or (left in _UNSHIFTABLE and left in beside)
    return f"({filler})" if signed or strength < pull or tied else filler


def is_whole(filler: str) -> bool:
    """Whether a text needs no brackets beside any operator.

    >>> is_whole("x1"), is_whole("log(x + y)"), is_whole("x + y")
    (True, True, False)
    """
    return not filler.startswith(_SIGNS) and _strength(filler) == _ATOM


def _pull(sign: str) -> int:
    """The precedence of the character beside an operand."""
    if sign.isalpha():
        return _WORDS
    return _STRENGTH.get(sign, _DELIMITED)


def _strength(filler: str) -> int:
    """The precedence of the weakest operator of a text outside brackets."""
    if _NUMBER.fullmatch(filler):
        return _ATOM
    weakest, depth = _ATOM, 0
    for k, character in enumerate(filler):
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return _LISTED
        if depth == 0 and not (k == 0 and character in _SIGNS):
            weakest = min(weakest, _STRENGTH.get(character, _ATOM))
    if re.search(r"\b(if|else)\b", filler):
        weakest = min(weakest, _LISTED)
    return weakest if depth == 0 else _LISTED
