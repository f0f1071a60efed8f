"""Mutant: one fault to plant, as a piece of a source file and what to put in its place."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """A fault: `before`, which stands just once in `file`, becomes `after`."""

    file: str
    before: str
    after: str

    @property
    def title(self) -> str:
        """The fault on one line."""
        changed = f"{self.before.strip()} → {self.after.strip() or '(nothing)'}"
        return f"{self.file.removeprefix('engine/')}: {' '.join(changed.split())}"

    def planted(self, source: str) -> str:
        """The source with the fault in it; ValueError if its place can't be found."""
        if source.count(self.before) != 1:
            found = source.count(self.before)
            raise ValueError(f"{self.file} holds {found} times: {self.before!r}")
        return source.replace(self.before, self.after)


def faults(file: str, *pairs: tuple[str, str]) -> tuple[Mutant, ...]:
    """The mutants of one file."""
    return tuple(Mutant(f"engine/{file}", before, after) for before, after in pairs)
