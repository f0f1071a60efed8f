"""Filling: the brackets that a text needs where it takes the place of a letter in a formula.

Apart from `op`, because it is about texts and not about operations.

>>> bracketed("x + y", "2 × ", "")
'(x + y)'
"""

import re

_NUMBER = re.compile(r"[−+-]?(\d+(\.\d*)?|inf|nan)(e[−-]?\d+)?")
_SIGNS = ("−", "-", "+")
# From weakest to strongest: how tightly a text holds together, or a sign holds what is beside it.
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
"""To the right of these a text of equal strength needs brackets too, as in a − (b + c)."""


def bracketed(filler: str, before: str, after: str) -> str:
    """The text as it may stand between two others: in brackets where it would be taken apart.

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
    """Whether no operator beside a text could take it apart, so that it needs no brackets.

    >>> is_whole("x1"), is_whole("log(x + y)"), is_whole("x + y")
    (True, True, False)
    """
    return not filler.startswith(_SIGNS) and _strength(filler) == _ATOM


def _pull(sign: str) -> int:
    """How strongly the character beside a text holds on to it."""
    if sign.isalpha():
        return _WORDS
    return _STRENGTH.get(sign, _DELIMITED)


def _strength(filler: str) -> int:
    """How strongly the parts of a text hold together: as its weakest operator does."""
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
