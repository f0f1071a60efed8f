"""A test over a table: one test that goes through all rows, and names the one that is wrong.

`pytest.mark.parametrize` makes a test of each row, which every worker collects: 3 ms each, more
than most rows take. It is for what needs fixtures of its own, or seconds.
"""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any


def in_turn(names: str | tuple[str, ...], rows: Iterable[Any]) -> Callable[..., Any]:
    """Call a test for each row with the arguments of these names; its fixtures are made once."""
    wanted = tuple(name.strip() for name in names.split(",")) if isinstance(names, str) else names
    table = list(rows)

    def over_table(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def through(**fixtures: Any) -> None:
            assert table
            for row in table:
                given = dict(zip(wanted, row if len(wanted) > 1 else (row,), strict=True))
                try:
                    test(**fixtures, **given)
                except BaseException as wrong:
                    wrong.add_note(f"with {given!r:.500}")
                    raise

        signature = inspect.signature(test)
        kept = [p for name, p in signature.parameters.items() if name not in wanted]
        through.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return through

    return over_table
