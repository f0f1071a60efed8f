"""Formulas as people write them, translated into expressions before they are parsed.

>>> translated("3x² − 4x + 5").text
'3*x**2 - 4*x + 5'
>>> translated("|2tanh(x)|").text
'abs(2*tanh(x))'

Notation with one meaning is read, other notation is refused with the formulas that it may mean.
A level, which is all that is between two brackets, is read once its bracket closes, and changes are
kept as edits of the text, so that the parser's errors name a place in what was written.
"""

import keyword
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from unicodedata import name, normalize, numeric

from msgspec import Struct

from engine.errors import FormatError, PlacedFormatError
from engine.names import brief
from engine.ops import BY_NAME

LENGTH_LIMIT = 4000
"""Maximum number of characters of an expression; a larger graph belongs into a file."""
_PROGRAM_MARKS = ("import ", "Value(", "tensor(", ".backward(", "def ", "print(")
"""Texts that a program contains, and no formula."""
TOO_DEEP = "The expression is nested too deeply."
NO_FILE = ""
"""File name given to Python's parser.

The parser opens the file to quote a faulty line; the default, "<unknown>", may exist in the working
directory.
"""

_GREEK = {letter: name(letter).split()[-1].lower() for letter in "αβγδεζηθικμνξοπρσςτυφχψω"}
_GREEK["λ"] = "lam"
"""Names of the Greek letters; `lambda` is a word of Python."""
_COMMANDS = {
    "cdot": "*", "times": "*", "ast": "*", "div": "/", "vert": "|", "lvert": "|", "rvert": "|",
    "lambda": "lam", "varepsilon": "epsilon", "varphi": "phi", "vartheta": "theta",
    "sum": "Σ", "prod": "Σ", "partial": "∂", **{word: word for word in _GREEK.values()},
}  # fmt: skip
"""Commands of LaTeX that are no operations: signs and names."""
_FUNCTIONS = {
    "ln": "log", "max": "maximum", "min": "minimum", "sigma": "sigmoid", "expit": "sigmoid",
    "arctan": "atan", "arcsin": "asin", "arccos": "acos", "tg": "tan", "power": "pow",
    "swish": "silu",
}  # fmt: skip
"""Other names of operations."""
_SIGNS = str.maketrans("×·⋅∗•÷∕⁄−–—‒≔←≥≤≠", "*****///----==><>")  # noqa: RUF001
_RAISED, _LOWERED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿˣ", "₀₁₂₃₄₅₆₇₈₉ₐₑᵢⱼₖₙₓ"
_ON_LINE = str.maketrans(_RAISED + _LOWERED, "0123456789+-nx0123456789aeijknx")
_GREEKS = "".join(_GREEK)
_LETTER = rf"(?![{_RAISED}{_LOWERED}{_GREEKS}ΣΠᵀ])"
"""Excludes what Python counts as letters, and a formula as a sign or as a name of its own."""
_INDEX = rf"(?:(?:_|(?<=_))\{{\w+\}}|[{_LOWERED}]+)?"
_TOKEN = re.compile(
    rf"""
    (?P<space>[ \t\r\f]+|\\\n|\#[^\n]*)
    |(?P<skipped>\$|\\(?:left|right|displaystyle|q?quad)(?![A-Za-z])|\\[,;:!\ ]
        |(?:(?:np|numpy|math|torch|jnp|nn|functional|F)\s*\.\s*)+(?=\w+\s*\((?!\s*\))|pi\b|e\b))
    |(?P<end>[;\n])
    |(?P<number>0[xXbBoO]\w+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?(?:[jJ](?!\w))?)
    |(?P<fraction>\\[dt]?frac\s*\d\s*\d|[¼-¾⅐-⅞])
    |(?P<quotient>\\[dt]?frac(?![A-Za-z]))
    |(?P<root>√|\\sqrt(?![A-Za-z]))
    |(?P<upright>\\(?:mathrm|operatorname|text|mathbf|mathit)\s*\{{\s*(?P<word>\w+)\s*\}})
    |(?P<name>\\[A-Za-z]+{_INDEX}|[{_GREEKS}]\d*{_INDEX}|{_LETTER}[^\W\d](?:{_LETTER}\w)*{_INDEX})
    |(?P<raised>[{_RAISED}]+)
    |(?P<power>\*\*|\^)
    |(?P<bar>\|)
    |(?P<open>[(\[{{])
    |(?P<close>[)\]}}])
    |(?P<operator>.)
    """,
    re.VERBOSE,
)
_BASE = re.compile("|".join(sorted(_COMMANDS, key=len, reverse=True)))
"""The name at the beginning of a command of LaTeX such as `\\theta_1`."""
_TEX = re.compile(r"\\[A-Za-z]|[\^_]\{|\$[^$]+\$")
"""What shows that a formula is LaTeX."""
_OPERANDS = frozenset({"number", "fraction", "quotient", "name", "group", "root"})
"""Kinds of tokens that begin an operand."""
_MULTIPLIED = frozenset({"number", "group", "index", "constant", "raised"})
"""Kinds of operands after which another one is a factor; after a name it may be part of it."""
_LEFT_SIDE = re.compile(r"(?:^|(?<=;))n(?:\(n(?:,n)*\))?=(?!=)")
"""The names to which a line is assigned, in the outline of a text, see `_read_left_sides`."""
_SECOND_LINE = re.compile(r"=[^;=]*(,)n=(?!=)")
_ENDS_ARGUMENT = frozenset("+-,=:")
"""Signs that end the argument of a function without brackets."""
_RAISED_NUMBER = re.compile(r"[+-]?(?:\d+|[nx])")
_PRODUCT = re.compile(r"[a-ce-z][xyz]|[abc]{2}|([a-z]\d+){2}", re.ASCII)
"""A name that may be meant as a product, as `wx`, `ab` and `x1w1`, unlike `lr` and `dx`."""
_ONE_NUMBER = "here a name is one number."
_CHOICE = "write where_gt0(c, a, b): a where c > 0, else b."
_TERMS = "write the terms out, or Tab: linear, mlp."
_REFUSED = {
    "[": _ONE_NUMBER, "@": _ONE_NUMBER, "ᵀ": _ONE_NUMBER,
    "Σ": _TERMS, "∑": _TERMS, "Π": _TERMS, "∏": _TERMS, "∫": _TERMS,
    "if": _CHOICE, ">": f"a comparison has no slope; {_CHOICE}",
    "<": f"a comparison has no slope; {_CHOICE}",
    "∂": "type the formula itself, then Backward: the pass computes its gradients.",
}  # fmt: skip
"""Signs and words that have no meaning here, and the sentence for each."""
_OPEN_BAR = "this | is never closed."
_NO_ROOT = "write a name, a number or a bracket after the root."
_SIGN = "write a sign between {left} and {right}: {left}*{right}."
_BOTH = "{whole} is {one} or {other}: write one."


class Written(Struct, frozen=True):
    """A text in the language of expressions, and the notation that it was translated from."""

    text: str
    source: str
    constants: Mapping[str, float] = {}
    """Names that are numbers in this text: e and pi."""
    remark: str = ""
    """How notation was understood that may have been meant otherwise."""
    edits: tuple[tuple[int, int, str], ...] = ()
    """Start and end in `source`, and the text that replaces it."""

    def place(self, offset: int) -> int:
        """Return the offset in `source` of an offset in `text`."""
        shift = 0
        for start, end, new in self.edits:
            if offset <= start + shift:
                break
            if offset < start + shift + len(new):
                return end
            shift += len(new) - (end - start)
        return min(offset - shift, len(self.source))


def translated(text: str, names: Collection[str] = ()) -> Written:
    """Translate a formula into an expression; raises FormatError with the formulas it may mean.

    `names` are those of nodes: an e or pi among them is that node.
    """
    if len(text) > LENGTH_LIMIT:
        raise FormatError("The expression is longer than {limit:,} characters.", limit=LENGTH_LIMIT)
    try:
        return _Translator(text, names).written()
    except RecursionError:
        raise FormatError(TOO_DEEP) from None


def looks_like_a_program(text: str) -> bool:
    """Return whether a text is that of a program, not of a formula."""
    code = re.sub("#.*", "", text)
    return any(mark in code for mark in _PROGRAM_MARKS)


def refused(text: str, start: int, end: int, reason: str, **fields: object) -> PlacedFormatError:
    """Return the error about a part of a text, with its line and column."""
    before = text[:start]
    place = before.count("\n") + 1, start - before.rfind("\n")
    return PlacedFormatError(place, start, max(1, end - start), reason, **fields)


def quoted(text: str) -> str:
    """Return a part of a text as a sentence quotes it: on one line, and shortened."""
    return brief(" ".join(text.split()))


def blanked(line: str, length: int) -> str:
    """Return a line of Python whose first characters are no indent, and all else in its column.

    A form feed resets the indent for Python's tokenizer.
    """
    return f"{' ' * (length - 1)}\f{line[length:]}" if length else line


def _single(character: str) -> str:
    """Return the plain form of a character, such as x for a slanted one, if it is one too."""
    if character.isascii() or character in _RAISED or character in _LOWERED or character == "ᵀ":
        return character
    plain = normalize("NFKC", character.translate(_SIGNS))
    return plain if len(plain) == 1 and (plain.isascii() or plain in _GREEK) else character


def _plain_name(text: str) -> str:
    """Return the name that a text such as `θ`, `x₁`, `w_{ij}` or `\\lambda` is written for."""
    base, _brace, index = text.partition("{")
    if index:
        base, index = base.removesuffix("_"), index.removesuffix("}")
        base += index if index.isdigit() else f"_{index}"
    base = base.translate(_ON_LINE)
    if base.startswith("\\"):
        return re.sub(r"\\([A-Za-z]+)", lambda found: _COMMANDS.get(found[1], found[1]), base)
    return _GREEK.get(base[:1], base[:1]) + base[1:]


def operation(name: str) -> str:
    """Return the operation that a name such as `ln` or `ReLU` means, or ""."""
    for spelling in (name, name.lower()) if len(name) > 1 else ():
        found = _FUNCTIONS.get(spelling, spelling)
        if found in BY_NAME:
            return found
    return ""


class _Token(Struct, frozen=True):
    kind: str
    start: int
    end: int
    word: str
    """The text, of a name the name itself, of a group its bracket."""


class _Translator:
    """Reads the tokens of one text and notes the edits."""

    def __init__(self, text: str, names: Collection[str]) -> None:
        self._source = text
        self._text = "".join(map(_single, text))
        self._is_tex = _TEX.search(text) is not None
        self._edits: list[tuple[int, int, str]] = []
        self._remarks: dict[str, None] = {}
        self._known = set(names)
        self._words = list(self._lexed())
        self._letters = {word.word for word in self._words if len(word.word) == 1}
        self._read_left_sides()
        self._constants = self._found_constants()

    def written(self) -> Written:
        """Return the translation; raises FormatError."""
        levels: list[list[_Token]] = [[]]
        for word in self._words:
            level = levels[-1]
            if word.word in _REFUSED and word.kind in ("open", "operator"):
                raise self._refused(word, word, _REFUSED[word.word])
            if word.kind == "open" or (word.kind == "bar" and self._opens(level)):
                levels.append([word])
            elif len(levels) > 1 and (word.kind == "close" or word.kind == level[0].kind == "bar"):
                levels.pop()
                self._close(level[0], word)
                self._read(level[1:])
                levels[-1].append(_Token("group", level[0].start, word.end, level[0].word))
            else:
                level.append(word)
        for level in levels:  # of brackets that are never closed, which the parser refuses
            if level and level[0].kind == "bar" and len(levels) > 1:
                raise self._refused(level[0], level[0], _OPEN_BAR)
            self._read(level)
        self._edits.sort(key=lambda edit: edit[:2])
        parts, at = list[str](), 0
        for start, end, new in self._edits:
            parts += [self._text[at:start], new]
            at = end
        text = "".join([*parts, self._text[at:]])
        edits = tuple(self._edits)
        return Written(text, self._source, self._constants, " ".join(self._remarks), edits)

    def _lexed(self) -> Iterator[_Token]:
        """Yield the tokens except spaces, which the end of a line inside brackets is too."""
        depth = 0
        for found in _TOKEN.finditer(self._text):
            kind, text = found.lastgroup or "", found[0]
            start, end = found.span()
            depth += (kind == "open") - (kind == "close")
            if kind == "power" and self._source[start:end] not in ("^", "**", "∗∗"):  # noqa: RUF001
                raise refused(self._source, start, end, "write one sign here.")
            if kind == "skipped" and text == "$" and not self._is_tex:
                yield _Token("operator", start, end, text)
            elif kind == "skipped":
                self._edit(start, end, " " if text[0] == "\\" else "")
            elif kind in ("name", "upright"):
                yield self._named(start, end, found["word"] or _plain_name(text))
            elif (kind == "end" and depth <= 0) or kind not in ("end", "space"):
                yield _Token(kind, start, end, text)

    def _named(self, start: int, end: int, word: str) -> _Token:
        """Return the token of a name, or of the sign that a command of LaTeX prints."""
        command = self._text[start] == "\\"
        if command and len(word) == 1 and not word.isalpha():
            self._edit(start, end, word)
            return _Token("bar" if word == "|" else "operator", start, end, word)
        if command and not (operation(word) or _BASE.match(word)):
            reason = "{command} can't be read here."
            raise refused(self._source, start, end, reason, command=self._text[start:end])
        return _Token("operator" if keyword.iskeyword(word) else "name", start, end, word)

    def _read_left_sides(self) -> None:
        """Note the names of lines, and write the tokens of `f(x) =` as `f = lambda x:`."""
        signs = {"name": "n", "end": ";"}
        kinds = ((word.kind, word.word if len(word.word) == 1 else "?") for word in self._words)
        outline = "".join(signs.get(kind, sign) for kind, sign in kinds)
        if comma := _SECOND_LINE.search(outline):
            word = self._words[comma.start(1)]
            raise self._refused(word, word, "write ; between two lines: a = 2; b = 3.")
        heads = set[_Token]()
        for found in _LEFT_SIDE.finditer(outline):
            head = self._words[found.start() : found.end()]
            names = [word for word in head if word.kind == "name"]
            self._known.update(word.word for word in names)
            if len(names) == 1:
                continue
            heads.update(head)
            for word in names:
                self._write(word, word.word)
            for word, new in ((head[1], " = lambda "), (head[-2], ""), (head[-1], ":")):
                self._write(word, new)
            self._remarks[f"{names[0].word} is a function of one formula."] = None
        self._words = [word for word in self._words if word not in heads]

    def _found_constants(self) -> dict[str, float]:
        """Return the names that are numbers here: e as soon as it is the base of a power."""
        found: dict[str, float] = {}
        if self._is_tex:
            self._remarks["Read as LaTeX."] = None
        bases = {a.word for a, b in pairwise(self._words) if b.kind in ("power", "raised")}
        if "e" in bases - self._known:
            found["e"] = math.e
            self._remarks["e is Euler's number here."] = None
        if "pi" in {word.word for word in self._words} - self._known:
            found["pi"] = math.pi
            self._remarks["π is 3.14159…"] = None
        return found

    def _opens(self, level: Sequence[_Token]) -> bool:
        """Return whether a | after these tokens begins an absolute value."""
        if not level or level[-1].kind not in (_OPERANDS | {"raised"}):
            return True
        is_factor = self._is_tex or self._kind(level[-1]) in _MULTIPLIED
        return is_factor and level[0].kind != "bar"

    def _close(self, opening: _Token, closing: _Token) -> None:
        if opening.kind == "bar":
            if closing.kind != "bar":
                raise self._refused(opening, opening, _OPEN_BAR)
            self._write(opening, "abs(")
            self._write(closing, ")")
        elif self._is_tex and opening.word == "{":
            self._write(opening, "(")
            self._write(closing, ")")

    def _read(self, items: Sequence[_Token]) -> None:
        """Read the tokens of a level: operands that signs separate."""
        k, operand, dividend = 0, None, None
        while k < len(items):
            if items[k].kind in _OPERANDS:
                operand, k = k, self._read_product(items, k, dividend)
                continue
            if items[k].word == "/":
                dividend = operand
            elif k and items[k - 1].kind in _OPERANDS | {"raised"}:
                dividend = None  # a sign between two operands, not one before the second
            k += 1

    def _read_product(self, items: Sequence[_Token], k: int, dividend: int | None) -> int:
        """Read factors side by side, maybe after a dividend; return the index after them."""
        kind, end = self._read_factor(items, k)
        while end < len(items) and items[end].kind in _OPERANDS:
            right = items[end]
            is_number = right.kind in ("number", "fraction")
            if kind != "exponent" and (is_number or (kind not in _MULTIPLIED and not self._is_tex)):
                if kind == "number":
                    return end  # the parser refuses 2 3
                is_call = [word.word for word in items[end + 1 : end + 2]] == ["("]
                left = self._slice(items[k], items[end - 1])
                sign = {"left": left, "right": self._slice(right, items[end + is_call])}
                raise self._refused(items[k], right, _SIGN, **sign)
            self._edit(right.start, right.start, "*")
            next_kind, after = self._read_factor(items, end)
            if dividend is not None:
                raise self._two_meanings(items, dividend, k, end, after)
            if kind == "exponent":
                exponent = next(j for j in range(k, end) if items[j].kind == "power") + 1
                raise self._two_meanings(items, k, exponent, end, after)
            kind, end = next_kind, after
        return end

    def _read_factor(self, items: Sequence[_Token], k: int) -> tuple[str, int]:
        """Read an operand with its powers; return its kind and the index after it."""
        kind, end = self._read_atom(items, k)
        while end < len(items) and (sign := items[end]).kind in ("raised", "power"):
            if kind in ("raised", "exponent") and items[end - 1].kind == "raised":
                raise self._refused(sign, sign, "write brackets around the power before this one.")
            end += 1
            if sign.kind == "raised":
                exponent, kind = sign.word.translate(_ON_LINE), "raised"
                if not _RAISED_NUMBER.fullmatch(exponent):
                    raise self._refused(sign, sign, "write this exponent after ** in brackets.")
                self._write(sign, f"**{exponent}")
                continue
            self._write(sign, "**")
            start = end
            while start < len(items) and items[start].word in ("+", "-"):
                start += 1
            if start < len(items) and items[start].kind in _OPERANDS:
                _kind, end = self._read_factor(items, start)
                is_closed = self._is_tex or items[start].kind == "group"
                kind = "raised" if is_closed else "exponent"
        return kind, end

    def _read_atom(self, items: Sequence[_Token], k: int) -> tuple[str, int]:
        item = items[k]
        if item.kind in ("name", "root"):
            return self._read_name(items, k)
        if item.kind == "fraction":
            parts = re.findall(r"\d", item.word)
            self._write(item, "({}/{})".format(*parts) if parts else f"{numeric(item.word)}")
        if item.kind != "quotient":
            return self._kind(item), k + 1
        parts = items[k + 1 : k + 3]
        if [part.word for part in parts] != ["{", "{"]:
            raise self._refused(item, item, r"write \frac{a}{b}.")
        self._write(item, "(")
        self._edit(parts[1].start, parts[1].start, "/")
        self._edit(parts[1].end, parts[1].end, ")")
        return "group", k + 3

    def _read_name(self, items: Sequence[_Token], k: int) -> tuple[str, int]:
        """Read a name, or the call of a function or root with its argument."""
        item, is_root = items[k], items[k].kind == "root"
        found = "sqrt" if is_root else operation(item.word)
        after = items[k + 1].word if k + 1 < len(items) else ""
        if after == "(" or (found and after == "{"):
            if item.word == "sum":
                raise self._refused(item, item, _TERMS)
            self._write(item, found or item.word)
            return "group", k + 2
        takes_one = found and len(BY_NAME[found].slots) == 1 and item.word != "sigma"
        if is_root or (after and takes_one and item.word not in self._known):
            return self._read_bare_call(items, k, found)
        self._write(item, item.word)
        self._remark_on(item.word)
        return self._kind(item), k + 1

    def _remark_on(self, word: str) -> None:
        """Note that a new name is one name, if it looks like a product or a function of a name."""
        is_product = (len(word) == 2 and self._letters.issuperset(word)) or _PRODUCT.fullmatch(word)
        if word in self._known or word in _COMMANDS or not (is_product or operation(word[:-1])):
            return
        call = f"function write {word[:-1]}({word[-1]})"
        factors = re.findall(r"[^\W\d]\d*", word)
        other = f"product write {'*'.join(factors)}" if is_product else call
        self._remarks[f"{word} is one name; for a {other}."] = None

    def _read_bare_call(self, items: Sequence[_Token], k: int, found: str) -> tuple[str, int]:
        """Read a function or root and the operand after it, as in `tanh x`, `√x` and `sin²(x)`."""
        item, is_root, first = items[k], items[k].kind == "root", k + 1
        if first < len(items) and items[first].kind in ("raised", "power"):
            return self._read_power_of(items, k, found)
        if first == len(items) or items[first].kind not in _OPERANDS:
            if is_root:
                raise self._refused(item, item, _NO_ROOT)
            self._write(item, found)
            return "name", first  # the parser says what a function without an argument is
        _kind, end = (self._read_atom if is_root else self._read_factor)(items, first)
        more = _OPERANDS | ({"raised", "power"} if is_root else {"operator"})
        if end < len(items) and items[end].kind in more and items[end].word not in _ENDS_ARGUMENT:
            after = end + 1
            while after < len(items) and items[after - 1].kind in ("operator", "power"):
                after += 1
            raise self._two_meanings(items, k, first, end, after)
        self._write(item, f"{found}(")
        self._edit(items[end - 1].end, items[end - 1].end, ")")
        return "group", end

    def _read_power_of(self, items: Sequence[_Token], k: int, found: str) -> tuple[str, int]:
        """Read `sin²(x)` and `sin^2(x)`: the power is that of the call."""
        argument = k + 2 + (items[k + 1].kind == "power")
        power = "".join(self._text[word.start : word.end] for word in items[k + 1 : argument])
        power = power.translate(_ON_LINE).strip("*^{}")
        if not power.isdigit() or [word.word for word in items[argument : argument + 1]] != ["("]:
            reason = "write the power after the brackets: {name}(x)**2."
            raise self._refused(items[k], items[k + 1], reason, name=found)
        self._write(items[k], f"({found}")
        start, end = items[k + 1].start, items[argument - 1].end
        self._edits = [edit for edit in self._edits if not start <= edit[0] < end]
        self._edit(start, end, "")
        self._edit(items[argument].end, items[argument].end, f"**{power})")
        return "group", argument + 1

    def _kind(self, item: _Token) -> str:
        """Return the kind of an operand: a name with an index ends there, a constant is no name."""
        text = self._text[item.start : item.end]
        if item.kind == "fraction":
            return "number"
        if item.kind == "name" and text[-1] in _LOWERED + "}":
            return "index"
        is_sign = item.word == "pi" != text and "pi" in self._constants
        return "constant" if is_sign else item.kind

    def _write(self, word: _Token, new: str) -> None:
        if new != self._source[word.start : word.end]:
            self._edit(word.start, word.end, new)

    def _edit(self, start: int, end: int, new: str) -> None:
        self._edits.append((start, end, new))

    def _slice(self, first: _Token, last: _Token | None = None) -> str:
        """Return what was written from one token to another, as a sentence quotes it."""
        return quoted(self._source[first.start : (last or first).end])

    def _refused(
        self, first: _Token, last: _Token, reason: str, **fields: object
    ) -> PlacedFormatError:
        return refused(self._source, first.start, last.end, reason, **fields)

    def _two_meanings(
        self, items: Sequence[_Token], first: int, operand: int, end: int, after: int
    ) -> PlacedFormatError:
        """Refuse a sign or function with its operand if it may apply to more as well.

        They begin at index `first`, the operand at `operand`; more is from `end` to `after`.
        """
        head = quoted(self._source[items[first].start : items[operand].start])
        inner = self._slice(items[operand], items[end - 1])
        more = self._source[items[end - 1].end : items[after - 1].end]
        more = quoted(f"*{more.lstrip()}" if items[end].kind in _OPERANDS else more)
        one = f"{head}({inner})" if head[-1].isalpha() else f"({head}{inner})"
        both = {"one": f"{one}{more}", "other": f"{head}({inner}{more})"}
        whole = self._slice(items[first], items[after - 1])
        return self._refused(items[first], items[after - 1], _BOTH, whole=whole, **both)
