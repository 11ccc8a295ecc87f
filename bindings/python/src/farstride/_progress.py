"""Progress, shown by whatever the caller likes."""

from __future__ import annotations

from typing import Any, Callable

Callback = Callable[[int, int], Any]


class _Bar:
    """Draws progress on a bar of tqdm."""

    def __init__(self, bar: Any, owned: bool) -> None:
        self._bar = bar
        self._owned = owned

    def __call__(self, done: int, total: int) -> None:
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._owned:
            self._bar.close()


def resolve(progress: Any) -> Callback | None:
    """The function that is called with the work done and the total."""
    if progress is None or progress is False:
        return None
    if progress is True:
        try:
            from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]
        except ImportError:
            raise ImportError("progress=True needs tqdm: pip install tqdm") from None
        return _Bar(tqdm(), owned=True)
    if hasattr(progress, "update") and hasattr(progress, "total"):
        return _Bar(progress, owned=False)
    if callable(progress):
        return progress  # type: ignore[no-any-return]
    raise TypeError("progress has to be a function, a tqdm bar, True or None")
