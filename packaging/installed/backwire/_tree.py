"""In a source tree: the modules of the tree as `backwire.app` and `backwire.engine`.

Beside a learner's own `engine.py` or `app.py`, the names `engine` and `app` are theirs. So each
module is compiled as the wheel has it, and kept in `__pycache__` beside the one of its old name.
"""

import functools
import os
import runpy
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
RENAMING = ROOT / "packaging" / "one_name.py"


class TreeFinder(MetaPathFinder):
    """Finds the modules of the tree by the names that they have in a wheel."""

    def find_spec(
        self, fullname: str, path: object = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module below `backwire` is, and how it is loaded."""
        top, _, name = fullname.partition(".")
        if top != __package__ or name.partition(".")[0] not in ("app", "engine"):
            return None
        folder = ROOT.joinpath(*name.split(".")).parent
        spec = PathFinder.find_spec(fullname, [str(folder)])
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = RenamingLoader(fullname, spec.loader.path)
        return spec


class RenamingLoader(SourceFileLoader):
    """Compiles a module of the tree with its names in a wheel."""

    def source_to_code(self, data: bytes, path: str) -> CodeType:  # pyright: ignore
        """Rename what the module imports, then compile it."""
        names = _renaming()
        strings = names["STRINGS"].get(Path(path).relative_to(ROOT).as_posix(), {})
        return super().source_to_code(names["renamed"](data, strings), path)

    def path_stats(self, path: str) -> dict[str, Any]:  # pyright: ignore
        """Return when a module was changed: at the latest, when the renaming was."""
        stats = super().path_stats(path)
        return {**stats, "mtime": max(stats["mtime"], os.stat(RENAMING).st_mtime)}

    def get_data(self, path: str) -> bytes:
        """Read a source, or the compiled form under its own name."""
        return super().get_data(_apart(path))

    def set_data(self, path: str, data: bytes, *, _mode: int = 0o666) -> None:  # pyright: ignore
        """Write the compiled form under its own name."""
        super().set_data(_apart(path), data, _mode=_mode)


@functools.cache
def _renaming() -> dict[str, Any]:
    return runpy.run_path(str(RENAMING))


def _apart(path: str) -> str:
    return f"{path.removesuffix('.pyc')}.{__package__}.pyc" if path.endswith(".pyc") else path


sys.meta_path.insert(0, TreeFinder())
