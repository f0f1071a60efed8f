"""What is to be reached, and what has been."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Reach:
    """Figures beside their targets."""

    lines: list[tuple[str, float, str, float]] = field(default_factory=list)

    def at_least(self, name: str, found: float, wanted: float) -> None:
        """The figure must not be less."""
        self.lines.append((name, found, "≥", wanted))

    def at_most(self, name: str, found: float, wanted: float) -> None:
        """The figure must not be more."""
        self.lines.append((name, found, "≤", wanted))

    def report(self, title: str) -> bool:
        """Print each figure beside its target; whether all are reached."""
        print(f"\n{title}")
        good = True
        for name, found, sign, wanted in self.lines:
            met = found >= wanted if sign == "≥" else found <= wanted
            good &= met
            print(f"  {'✓' if met else '✗'} {name:58}{found:10.2f}   {sign} {wanted:g}")
        return good
