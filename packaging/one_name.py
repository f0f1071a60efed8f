"""The package `backwire`: the one name that an installed Backwire has, with the tree inside.

The tree's own packages are called `app` and `engine`, as packages of others may be. In the copy
that is installed, `backwire.` stands before each name of a module of ours, and not a byte more is
changed: in imports, which the syntax tree finds, and in the strings of `STRINGS`. Where anything
else names a module, nothing is made.
"""

import ast
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OURS = ("app", "engine")
PREFIX = b"backwire."

STRINGS: Mapping[str, Mapping[str, bool]] = {"engine/formats/value_display.py": {"app": True}}
"""The strings of each file that name a module of ours: whether they are renamed."""

_NAMES_OURS = re.compile(rf"(?<![\w.])({'|'.join(OURS)})(?!\w)")

Place = tuple[ast.alias | ast.stmt | ast.expr, bytes, str]
"""What names a module, a pattern of what stands in it before the name, and the name."""


def make(package: Path) -> None:
    """Write the package into a folder that is not there yet.

    ValueError says where a file of the tree names a module in a way that can't be renamed.
    """
    missing = [name for name in STRINGS if not (ROOT / name).exists()]
    if missing:
        raise ValueError(f"STRINGS of packaging/one_name.py names {missing[0]}, which is not there")
    unwanted = shutil.ignore_patterns("__pycache__", ".*", "_tree.py")
    shutil.copytree(ROOT / "packaging" / "installed" / "backwire", package, ignore=unwanted)
    for name in (*OURS, "resources"):
        shutil.copytree(ROOT / name, package / name, ignore=unwanted)
    shutil.rmtree(package / "resources" / "pictures")  # of the README
    for file in package.rglob("*.py"):
        name = file.relative_to(package).as_posix()
        try:
            file.write_bytes(renamed(file.read_bytes(), STRINGS.get(name, {})))
        except ValueError as error:
            raise ValueError(f"{name}, {error}") from None


def renamed(source: bytes, strings: Mapping[str, bool]) -> bytes:
    """A module's text with the new names; ValueError says which line can't be renamed."""
    nodes = list(ast.walk(ast.parse(source)))
    rows = [0]
    for line in source.splitlines(keepends=True):
        rows.append(rows[-1] + len(line))
    ends = [0]
    for part, before, name in (*_imports(nodes), *_strings(nodes, strings)):
        pattern = re.compile(before + re.escape(name.encode()))
        found = pattern.match(source, rows[part.lineno - 1] + part.col_offset)
        if found is None:
            raise ValueError(f"line {part.lineno}: write {name!r} so that it can be renamed")
        ends.append(found.end() - len(name.encode()))
    ends.sort()
    return PREFIX.join(source[a:b] for a, b in zip(ends, [*ends[1:], None], strict=True))


def _imports(nodes: Sequence[ast.AST]) -> Iterator[Place]:
    """The names of our modules in import statements."""
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    for node in nodes:
        match node:
            case ast.ImportFrom(level=0, module=str(name)) if _is_ours(name):
                yield node, rb"from[ \t]+", name
            case ast.Import():
                for alias in filter(lambda alias: _is_ours(alias.name), node.names):
                    if alias.asname is None and alias.name.split(".")[0] in used:
                        raise ValueError(
                            f"line {node.lineno}: import {alias.name} under a name of its own"
                        )
                    yield alias, b"", alias.name
            case _:
                pass


def _strings(nodes: Sequence[ast.AST], strings: Mapping[str, bool]) -> Iterator[Place]:
    """The strings that are renamed; ValueError for one that is not listed, or not there."""
    read = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # by people only
    unseen = set(strings)
    for node in nodes:
        if not isinstance(node, ast.Constant) or id(node) in read:
            continue
        text = node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value
        if not isinstance(text, str) or not _NAMES_OURS.search(text):
            continue
        if text not in strings:
            raise ValueError(
                f"line {node.lineno}: list {text!r} in STRINGS of packaging/one_name.py, or name "
                "the module in another way"
            )
        unseen.discard(text)
        if strings[text]:
            yield node, rb"[\"']", text
    if unseen:
        raise ValueError(f"STRINGS of packaging/one_name.py has {unseen.pop()!r}, which is unused")


def _is_ours(module: str) -> bool:
    return module.split(".")[0] in OURS
