"""Draws the pictures of docs/architecture.md from the imports: `python3 packaging/rooms.py`.

An arrow means "imports from". Where a room reaches another one through a third, the direct arrow
is left out, so that the picture stays readable; nothing else is.
"""

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "architecture.md"

Rooms = Mapping[str, set[str]]
"""For each room those from which it imports."""


def program_room(module: str) -> str:
    """Return the room of a module: a folder or file of app, or the engine; "" for neither."""
    parts = module.split(".")
    return "engine" if parts[0] == "engine" else "/".join(parts[1:2])


def canvas_room(module: str) -> str:
    """Return the room of a module of the canvas: a folder or file there; "" outside."""
    return _below(("app", "canvas"), module)


def engine_room(module: str) -> str:
    """Return the chapter or annex of a module of the engine; "" outside, and for its own page."""
    return _below(("engine",), module)


def _below(package: tuple[str, ...], module: str) -> str:
    parts = tuple(module.split("."))
    is_inside = parts[: len(package)] == package and len(parts) > len(package)
    return parts[len(package)] if is_inside else ""


def imports(root: Path) -> Iterator[tuple[str, str]]:
    """Yield each module of app and engine with itself and each module of them that it imports.

    Imports inside functions count too.
    """
    for package in ("app", "engine"):
        for file in sorted((root / package).rglob("*.py")):
            module = ".".join(file.relative_to(root).with_suffix("").parts)
            module = module.removesuffix(".__init__")
            yield module, module
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and node.module:
                    names = [f"{node.module}.{alias.name}" for alias in node.names]
                for name in names:
                    if name.split(".")[0] in ("app", "engine"):
                        yield module, _module(root, name)


def _module(root: Path, name: str) -> str:
    """Return the module that an imported name is, or in which it is defined."""
    place = root.joinpath(*name.split("."))
    return name if place.is_dir() or place.with_suffix(".py").exists() else name.rpartition(".")[0]


def rooms(found_imports: Iterable[tuple[str, str]], room: Callable[[str], str]) -> Rooms:
    """Return all rooms with those from which they import."""
    found: dict[str, set[str]] = {}
    for module, other in found_imports:
        here, there = room(module), room(other)
        if here and there:
            found.setdefault(here, set()).update({there} - {here})
            found.setdefault(there, set())
    return found


def arrows(found: Rooms) -> list[tuple[str, str]]:
    """Return the imports that are not made of others, sorted."""
    return sorted(
        (here, there)
        for here, others in found.items()
        for there in others
        if not any(there in reachable(found, other) for other in others - {there})
    )


def reachable(found: Rooms, start: str) -> set[str]:
    """Return all rooms that a room imports from, directly or through others."""
    seen: set[str] = set()
    todo = [start]
    while todo:
        fresh = found[todo.pop()] - seen
        seen |= fresh
        todo += fresh
    return seen


def picture(found: Rooms) -> str:
    """Return the rooms and arrows as a Mermaid flow chart."""
    boxes = {room: f'r{k}["{room}"]' for k, room in enumerate(sorted(found))}
    drawn = arrows(found)
    lines = ["```mermaid", "flowchart TD"]
    for room, box in boxes.items():
        others = " & ".join(boxes[there] for here, there in drawn if here == room)
        lines.append(f"    {box} --> {others}" if others else f"    {box}")
    return "\n".join([*lines, "```"])


PICTURES = {"program": program_room, "canvas": canvas_room, "engine": engine_room}


def drawn(text: str, found_imports: Collection[tuple[str, str]]) -> str:
    """Return the document with its pictures drawn again."""
    for name, room in PICTURES.items():
        begin, end = f"<!-- {name}: packaging/rooms.py -->\n", "<!-- end -->"
        pattern = re.escape(begin) + ".*?" + re.escape(end)
        block = begin + picture(rooms(found_imports, room)) + "\n" + end
        text, count = re.subn(pattern, lambda _found, block=block: block, text, flags=re.DOTALL)
        if count != 1:
            raise ValueError(f"{DOCUMENT} has {count} places for the picture {name!r}")
    return text


if __name__ == "__main__":
    DOCUMENT.write_text(drawn(DOCUMENT.read_text("utf-8"), list(imports(ROOT))), "utf-8")
