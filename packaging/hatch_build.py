"""What hatchling asks when it builds a wheel: the package `backwire` instead of the tree.

An editable install gets none of this: there `packaging/installed` and the tree are on the path.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface  # pyright: ignore[reportMissingImports]

sys.path.append(str(Path(__file__).resolve().parent))

import one_name


class OneName(BuildHookInterface):
    """Makes the package in a folder of its own, from which the wheel takes it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the wheel is written; `version` is "standard" or "editable"."""
        if version == "standard":
            self._folder = tempfile.TemporaryDirectory(prefix="backwire-wheel-")
            package = Path(self._folder.name, "backwire")
            one_name.make(package)
            build_data["force_include"][str(package)] = package.name

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called when the wheel is written."""
        if version == "standard":
            self._folder.cleanup()
