"""Tables and batches larger than memory, and folders of maps, on a cluster of Dask.

Work is handed out by the names of files, not by their contents: every worker needs the map and the
index under the same names, and maps the index into memory once. Blocks do not depend on each other
and can be computed twice without harm, so a worker that dies loses nothing. At most a few pieces for
each core are handed out at a time, so a long list takes no more memory than a short one. Without Dask, pass
``out`` to :func:`cost_table`, and :func:`bake` and :func:`verify` run here.

>>> import tempfile, pathlib, numpy as np
>>> import farstride as fs
>>> from farstride import dask as fd
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> grid = fs.Grid.empty(40, 30)
>>> _ = (folder / "small.map").write_text(grid.to_movingai())
>>> [baked] = fd.bake([folder / "small.map"], folder, "labels")
>>> source = fd.Source(folder / "small.map", baked.index)
>>> cells = np.array([[0, 0], [5, 0], [39, 29]])
>>> fd.cost_table(source, cells, cells, out=np.empty((3, 3), dtype=np.int64))[0].tolist()
[0, 23780, 242614]
"""

from __future__ import annotations

import functools
import os
import pathlib
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import _progress
from ._farstride import Grid, Planner, load_scenario

__all__ = ["Baked", "Source", "Verified", "bake", "cost_table", "find_costs", "verify"]

_Cells = npt.NDArray[np.integer[Any]]
_Name = str | os.PathLike[str]


class Source:
    """A map and its index, by the names of their files."""

    def __init__(self, map: _Name, index: _Name, *, trust: bool = False) -> None:
        self.map = os.fspath(map)
        self.index = os.fspath(index)
        self.trust = trust

    def open(self) -> Planner:
        """The planner; within a process, opened once for each version of the files."""
        with _opening:
            return _open(self.map, self.index, self.trust, _stamp(self.map), _stamp(self.index))

    def __repr__(self) -> str:
        return f"Source({self.map!r}, {self.index!r})"


def _stamp(file: str) -> tuple[int, int]:
    try:
        found = os.stat(file)
    except FileNotFoundError:
        raise FileNotFoundError(f"this machine has no {file}; every worker needs it under this name") from None
    return found.st_mtime_ns, found.st_size


# Threads of a worker that begin together would all open the files.
_opening = threading.Lock()


@functools.lru_cache(maxsize=4)
def _open(map: str, index: str, trust: bool, *_stamps: tuple[int, int]) -> Planner:
    return Planner.open(Grid.load(map), index, trust=trust)


def _table_block(
    source: Source, starts: _Cells, goals: _Cells, dtype: Any, threads: int | None
) -> npt.NDArray[Any]:
    return source.open().cost_table(starts, goals, dtype=dtype, threads=threads)


def _write_block(
    source: Source, starts: _Cells, goals: _Cells, out: Any, place: tuple[slice, slice], threads: int | None
) -> None:
    out[place] = _table_block(source, starts, goals, np.dtype(out.dtype), threads)


def _pieces(count: int, size: int) -> list[slice]:
    return [slice(first, min(first + size, count)) for first in range(0, count, size)]


_Item = TypeVar("_Item")
_Made = TypeVar("_Made")


def _spread(
    client: Any, work: Callable[..., _Made], items: Sequence[tuple[Any, ...]], progress: Any, *, fetch: bool = True
) -> list[_Made]:
    """``work`` of each of some items, here or by the workers of a client; in the order of the items.

    Without ``fetch``, for work that returns nothing.
    """
    tell = _progress.resolve(progress)
    made: dict[int, _Made] = {}

    def note(at: int, result: _Made) -> None:
        made[at] = result
        if tell is not None:
            tell(len(made), len(items))

    try:
        if client is None:
            for at, item in enumerate(items):
                note(at, work(*item))
        else:
            _spread_out(client, work, items, note, fetch)
    finally:
        close = getattr(tell, "close", None)
        if close is not None:
            close()
    return [made[at] for at in range(len(items))]


def _spread_out(client: Any, work: Callable[..., Any], items: Sequence[tuple[Any, ...]], note: Any, fetch: bool) -> None:
    import distributed

    def hand_out() -> Iterator[Any]:
        for at, item in enumerate(items):
            # Not pure: files may have changed since somebody last asked for the same.
            future = client.submit(work, *item, pure=False)
            numbers[future.key] = at
            yield future

    numbers: dict[str, int] = {}
    waiting = hand_out()
    # Two pieces for each core: one in work, one to go on with.
    most = max(2, 2 * sum(client.ncores().values()))
    as_completed: Any = distributed.as_completed  # which has no types
    done = as_completed([future for _, future in zip(range(most), waiting)])
    for future in done:
        # A result is fetched from the worker that has it, which costs more than all the rest: not for nothing.
        result = future.result() if fetch or future.status != "finished" else None
        note(numbers.pop(future.key), result)
        del future
        following = next(waiting, None)
        if following is not None:
            done.add(following)


def cost_table(
    source: Source,
    starts: _Cells,
    goals: _Cells,
    *,
    chunks: tuple[int, int] = (2048, 2048),
    dtype: Any = np.int64,
    out: Any = None,
    client: Any = None,
    progress: Any = None,
) -> Any:
    """Exact costs from each of some starts to each of some goals; -1 where there is no path.

    Without ``out``, a lazy array of Dask with blocks of ``chunks``; ``to_zarr`` writes it without
    holding it. ``dtype`` is int64 or int32, as in :meth:`Planner.cost_table`.

    With ``out``, anything that takes blocks by slices (an array, a ``numpy.memmap``, an array of zarr), the
    blocks are written there and ``out`` is returned: computed here on all cores, or, with ``client``, by
    its workers. These write for themselves, so ``out`` has to be an array of zarr in a store that all
    workers reach, with chunks that divide the blocks. This is the way for tables of any size: nothing
    but the places goes over the network, and a block that is written twice is the same.

    :param client: of Dask distributed
    :param progress: called with the number of blocks written and of all; or ``True``
    """
    starts, goals = np.asarray(starts), np.asarray(goals)
    rows, columns = _pieces(len(starts), chunks[0]), _pieces(len(goals), chunks[1])
    if out is not None:
        if tuple(out.shape) != (len(starts), len(goals)):
            raise ValueError(f"out has shape {tuple(out.shape)}; expected {(len(starts), len(goals))}")
        if client is not None:
            _check_chunks(out, chunks)
        threads = None if client is None else 1
        items = [
            (source, starts[row], goals[column], out, (row, column), threads) for row in rows for column in columns
        ]
        _spread(client, _write_block, items, progress, fetch=False)
        return out
    da, delayed = _dask()
    block = delayed(_table_block, pure=True)
    # Sent once, not with every block.
    parts = [delayed(goals[column]) for column in columns]
    return da.block(
        [
            [
                da.from_delayed(
                    # Dask has a worker for each core; one thread for each block is enough.
                    block(source, starts[row], part, np.dtype(dtype), 1),
                    shape=(row.stop - row.start, column.stop - column.start),
                    dtype=dtype,
                )
                for column, part in zip(columns, parts)
            ]
            for row in rows
        ]
    )


def _check_chunks(out: Any, chunks: tuple[int, int]) -> None:
    """Two workers must not write the same chunk: each would overwrite what the other wrote."""
    has = getattr(out, "chunks", None)
    if has is None:
        raise TypeError("workers write to an array of zarr, in a store that all of them reach")
    if any(size % own for size, own in zip(chunks, has)):
        raise ValueError(f"blocks of {tuple(chunks)} are not made of whole chunks of {tuple(has)}")


def _costs_block(source: Source, starts: _Cells, goals: _Cells) -> npt.NDArray[np.int64]:
    return source.open().find_many(starts, goals, detail="cost", threads=1).cost


def find_costs(source: Source, starts: Any, goals: Any, *, chunk: int = 100_000) -> Any:
    """The exact cost of each of many queries; -1 where there is no path. A lazy array of Dask.

    ``starts`` and ``goals`` are arrays of shape (n, 2), of NumPy or of Dask.
    """
    da, _ = _dask()
    ends = [da.asarray(cells).rechunk((chunk, 2)) for cells in (starts, goals)]
    if ends[0].shape != ends[1].shape:
        raise ValueError(f"starts of shape {ends[0].shape}, but goals of shape {ends[1].shape}")
    return da.map_blocks(functools.partial(_costs_block, source), *ends, drop_axis=1, dtype=np.int64)


def _dask() -> tuple[Any, Any]:
    try:
        import dask.array
        from dask.delayed import delayed
    except ImportError:
        raise ImportError("this needs Dask: pip install 'dask[array,distributed]'") from None
    return dask.array, delayed


@dataclass(frozen=True)
class Baked:
    """What became of a map."""

    map: str
    index: str
    size: int
    digest: str | None


@dataclass(frozen=True)
class Verified:
    """What an index was found to be: ``fault`` is None if it is sound."""

    map: str
    index: str
    queries: int
    fault: str | None


def _index_of(map: _Name, folder: _Name) -> str:
    return os.fspath(pathlib.Path(folder) / f"{pathlib.Path(map).stem}.fsi")


def _bake(map: str, index: str, engine: str | None, settings: dict[str, Any], threads: int | None) -> Baked:
    planner = Planner(Grid.load(map), engine, threads=threads, **settings)
    # The file is replaced as a whole: baking twice, or at once, leaves one index.
    return Baked(map, index, planner.save(index), planner.index_digest)


def _verify(map: str, index: str) -> Verified:
    queries = 0
    try:
        grid = Grid.load(map)
        planner = Planner.open(grid, index)  # proves it
        scenario = f"{map}.scen"
        if os.path.exists(scenario):
            asked = load_scenario(scenario, grid)
            queries = len(asked["length"])
            found = planner.find_many(asked["starts"], asked["goals"], detail="cost", threads=1)
            exact = planner.engine in ("labels", "nsg+", "nsg", "tsg", "ssg", "overlay")
            excess = np.nan_to_num(found.length) - asked["length"]
            if excess.min() < -1e-3 or (exact and excess.max() > 1e-3):
                worst = int(np.abs(excess).argmax())
                return Verified(map, index, queries, f"query {worst}: length {found.length[worst]}, expected {asked['length'][worst]}")
    except (OSError, ValueError) as error:
        return Verified(map, index, queries, str(error))
    return Verified(map, index, queries, None)


def bake(
    maps: Iterable[_Name],
    folder: _Name,
    engine: str | None = None,
    *,
    client: Any = None,
    progress: Any = None,
    **settings: Any,
) -> list[Baked]:
    """Builds the index of each map and saves it in a folder, as NAME.fsi.

    :param client: of Dask distributed; without one, it is done here
    :param progress: called with the number of maps done and of all; or ``True``
    """
    os.makedirs(folder, exist_ok=True)
    threads = None if client is None else 1
    items = [(os.fspath(map), _index_of(map, folder), engine, settings, threads) for map in maps]
    return _spread(client, _bake, items, progress)


def verify(maps: Iterable[_Name], folder: _Name, *, client: Any = None, progress: Any = None) -> list[Verified]:
    """Proves the index of each map in a folder, and asks it the queries of NAME.map.scen if there is one.

    A fault is an answer, so that one bad file does not stop the rest.

    :param client: of Dask distributed; without one, it is done here
    :param progress: as in :func:`bake`
    """
    return _spread(client, _verify, [(os.fspath(map), _index_of(map, folder)) for map in maps], progress)
