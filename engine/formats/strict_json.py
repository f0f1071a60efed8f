"""Strict JSON with bounded memory: the text is validated before decoding; errors have a place.

Refused are invalid UTF-8, lone surrogates, NaN and the infinities, numbers beyond a float's range,
duplicate keys, and too many elements. Decoding builds the typed structure directly, so that a
refused text costs little memory.
"""

import codecs
import json
import re
from typing import TypeVar

import msgspec

from engine.errors import FormatError, NewerVersionError, sentence

MIB = 2**20
"""Bytes in a mebibyte."""
SIZE_LIMIT = 16 * MIB
"""Maximum size of a text in bytes."""
PARTS_LIMIT = 750_000
"""Maximum number of list elements and object keys together: 15 per node of the largest file."""
OPEN_LIMIT = 500
"""Nesting depth from which on an error at the end of a text is reported as too deep."""

Struct = TypeVar("Struct")

_TOO_DEEP = "The file is nested too deeply."
_OPENING, _CLOSING = (b"[", b"{"), (b"]", b"}")
_CHUNK = MIB
"""Bytes of UTF-8 that are decoded at once."""
_BOM = b"\xef\xbb\xbf"
"""The byte order mark, with which some editors begin UTF-8."""
_ESCAPE_LENGTH = len(rb"\ud800")
_SHOWN = 200
"""Maximum number of characters of a quoted reason; its place is always given."""
# `++` and `*+` never give back what they matched, so a hostile text can't make the search slow.
# What they repeat has no alternatives: Python before 3.11.5 matches those wrong (CPython's issue
# 106052), and 3.11.2 is Debian's.
_STRING = rb'"[^"\\]*+(?:(?:\\.)++[^"\\]*+)*+"'  # in a row, backslashes take a third of the time
_PART = rb'(?:[^",\[{]*+(?:%s[^",\[{]*+)*+[,\[{]){%%d}+' % _STRING
"""Matches a limited number of commas and opening brackets outside of strings."""
_TEXT = re.compile(_STRING, re.DOTALL)
_BRACKET_OR_STRING = re.compile(rb"([{}]|%s)\s*+(:?)" % _STRING, re.DOTALL)
_HALF = re.compile(
    rb"\\u[dD](?:[89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..\\u[dD])[c-fC-F])", re.DOTALL
)
"""The escape of half a character: a high surrogate without a low one after it, or the reverse."""
_REASON = re.compile(r"(?:JSON is malformed: )?(.*?)(?: \(byte (\d+)\))?", re.DOTALL)
"""Splits a message of msgspec into the fault and its byte."""
_NOT_JSON = re.compile(rb"-?(NaN|Infinity)")
"""Numbers of Python and JavaScript that JSON does not have."""


def valid_utf8(text: str | bytes) -> bytes:
    """Return a text in UTF-8; raises FormatError if it is too large, or not valid Unicode."""
    if len(text) > SIZE_LIMIT:
        raise FormatError("The file is larger than {limit} MiB.", limit=SIZE_LIMIT // MIB)
    content = _encoded(text) if isinstance(text, str) else text.removeprefix(_BOM)
    _check_utf8(content)
    _check_surrogates(content)
    _check_parts(content)
    return content


def decode(content: bytes, shape: type[Struct], what: str = "Backwire graph") -> Struct:
    """Decode bytes from `valid_utf8` into a msgspec type; `what` is the kind of file in errors.

    Duplicate keys are not detected here, see `check_no_duplicate_keys`.
    """
    try:
        return msgspec.json.decode(content, type=shape)
    except msgspec.ValidationError as error:
        reason, at, place = str(error).rpartition(" - at ")
        reason = reason if at else place
        short = reason if len(reason) <= _SHOWN else f"{reason[:_SHOWN]}…"
        template = "The file is not a {what}: {reason}."
        if at:
            template = "The file is not a {what}: {reason} - at {place}."
        raise FormatError(template, what=what, reason=short, place=place) from None
    except msgspec.DecodeError as error:
        raise _syntax(content, str(error)) from None
    except RecursionError:
        raise FormatError(_TOO_DEEP) from None


class Head(msgspec.Struct):
    """The fields that identify format and version; no other is decoded."""

    format: msgspec.Raw = msgspec.Raw()
    version: msgspec.Raw = msgspec.Raw()

    def has_format(self, name: str) -> bool:
        """Return whether the format, which is not decoded and so in quotes, is this one."""
        return bytes(self.format) == b'"%s"' % name.encode()


def check_head(content: bytes, name: str, latest: int, what: str = "Backwire graph") -> int:
    """Return the version of a text; raises FormatError for another format or a newer version."""
    head = decode(content, Head, what)
    if not head.has_format(name):
        raise FormatError(
            'The file is not a {what}: it has no "format": "{name}".', what=what, name=name
        )
    digits = re.fullmatch(rb"[1-9][0-9]{0,17}", head.version)
    if digits is None:
        raise FormatError("The file has no version that is a whole number from 1.")
    version = int(digits[0])
    if version > latest:
        raise NewerVersionError(
            "The file is of version {version}; this program reads up to version {latest}.",
            version=version,
            latest=latest,
        )
    return version


def check_no_duplicate_keys(content: bytes) -> None:
    """Raise FormatError for a duplicate key in a text that `decode` has accepted.

    `decode` comes first, as its errors about malformed JSON have a place.
    """
    # Latin-1 takes one byte a character, whatever the text, and keys stay as different as they are.
    # The hook returns None for each object, so that no dict of the text is kept.
    try:
        json.loads(
            content.decode("latin-1"),
            object_pairs_hook=lambda pairs: _check_distinct(pairs, content),
        )
    except RecursionError:  # where msgspec goes deeper than json
        raise FormatError(_TOO_DEEP) from None


def _encoded(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        before = text[: error.start].encode("utf-8")
        raise _refusal(before, len(before), "half a character.") from None


def _check_utf8(content: bytes) -> None:
    """Check UTF-8 piece by piece: decoding all at once could take four times the memory."""
    if content.isascii():
        return
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(content) + 1, _CHUNK):  # + 1: the last piece, if empty, is final too
        kept = len(decoder.getstate()[0])  # bytes of a character that the last piece has begun
        piece = content[start : start + _CHUNK]
        try:
            decoder.decode(piece, final=start + _CHUNK > len(content))
        except UnicodeDecodeError as error:
            at = start - kept + error.start
            raise _refusal(content, at, "this is not UTF-8 text.") from None


def _check_surrogates(content: bytes) -> None:
    if b"\\u" not in content:
        return
    found = _HALF.search(content.replace(b"\\\\", b"__"))  # a backslash that is meant as one
    if found:
        half = content[found.start() : found.start() + _ESCAPE_LENGTH].decode("ascii", "replace")
        raise _refusal(content, found.start(), "{half} is half a character.", half=half)


def _check_parts(content: bytes) -> None:
    if sum(map(content.count, (b",", b"[", b"{"))) <= PARTS_LIMIT:
        return  # the usual case, and quickly known; else commas in strings don't count
    if re.match(_PART % (PARTS_LIMIT + 1), content, re.DOTALL):
        raise FormatError(
            "The file has more than {limit:,} keys and elements of lists.", limit=PARTS_LIMIT
        )


def _syntax(content: bytes, reason: str) -> FormatError:
    """Return the error for malformed JSON, with line and column for msgspec's byte offset."""
    found = _REASON.fullmatch(reason)
    if found is None or found[2] is None:
        # Python 3.14 nests so deep that msgspec comes to the end before it is stopped.
        if _left_open(content) > OPEN_LIMIT:
            return FormatError(_TOO_DEEP)
        return _refusal(content, len(content), "this is not JSON (the file ends too early).")
    at = int(found[2])
    begin = at - 1 if content[at - 1 : at] == b"-" else at  # msgspec stops after the sign
    word = _NOT_JSON.match(content, begin)
    if word:
        text = word[0].decode("ascii")
        reason = '{number} is not JSON; write it as the string "{number}".'
        return _refusal(content, word.start(), reason, number=text)
    return _refusal(content, at, "this is not JSON ({fault}).", fault=found[1])


def _left_open(content: bytes) -> int:
    """Return the number of unclosed brackets outside of strings."""
    code = _TEXT.sub(b"", content).partition(b'"')[0]  # a string without an end goes on to the end
    return sum(map(code.count, _OPENING)) - sum(map(code.count, _CLOSING))


def _check_distinct(pairs: list[tuple[str, object]], content: bytes) -> None:
    keys = {key for key, _value in pairs}
    if len(keys) == len(pairs):
        return
    seen: set[str] = set()
    twice = next(key for key, _value in pairs if key in seen or seen.add(key))
    at = _second_offset(twice, content)
    if at is None:
        raise FormatError('The file: the key "{key}" stands twice in one object.', key=twice)
    raise _refusal(content, at, 'the key "{key}" stands twice in one object.', key=twice)


def _second_offset(key: str, content: bytes) -> int | None:
    """Return the byte offset of the first duplicate of a key within one object."""
    same = json.dumps(key, ensure_ascii=False).encode()
    seen = [False]  # for each object that is open: whether the key stands in it already
    for found in _BRACKET_OR_STRING.finditer(content):
        token, colon = found[1], found[2]
        if token == b"{":
            seen.append(False)
        elif token == b"}":
            seen.pop()
        elif colon and (token == same or (b"\\" in token and json.loads(token) == key)):
            if seen[-1]:
                return found.start(1)
            seen[-1] = True
    return None


def _refusal(content: bytes, at: int, reason: str, **fields: object) -> FormatError:
    """Return the error at a byte; its line and column count characters."""
    start = content.rfind(b"\n", 0, at) + 1
    before = content[start:at].translate(None, bytes(range(0x80, 0xC0)))  # UTF-8 continuation bytes
    line = content.count(b"\n", 0, at) + 1
    template, said = "Line {line}, column {column}: {reason}", sentence(reason, fields)
    return FormatError(template, line=line, column=len(before) + 1, reason=said, **fields)
