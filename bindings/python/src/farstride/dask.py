"""Tables and batches larger than memory, and folders of maps, on a cluster of Dask.

Work is handed out by the names of files, not by their contents: every worker needs the map and the
index under the same names, and maps the index into memory once. Blocks do not depend on each other
and can be computed twice without harm, so a worker that dies loses nothing. Without Dask, pass
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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

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
        return _open(self.map, self.index, self.trust, _stamp(self.map), _stamp(self.index))

    def __repr__(self) -> str:
        return f"Source({self.map!r}, {self.index!r})"


def _stamp(file: str) -> tuple[int, int]:
    try:
        found = os.stat(file)
    except FileNotFoundError:
        raise FileNotFoundError(f"this machine has no {file}; every worker needs it under this name") from None
    return found.st_mtime_ns, found.st_size


@functools.lru_cache(maxsize=4)
def _open(map: str, index: str, trust: bool, *_stamps: tuple[int, int]) -> Planner:
    return Planner.open(Grid.load(map), index, trust=trust)


def _table_block(source: Source, starts: _Cells, goals: _Cells, threads: int | None) -> npt.NDArray[np.int64]:
    return source.open().cost_table(starts, goals, threads=threads)


def _pieces(count: int, size: int) -> Iterator[slice]:
    return (slice(first, min(first + size, count)) for first in range(0, count, size))


def cost_table(
    source: Source, starts: _Cells, goals: _Cells, *, chunks: tuple[int, int] = (2048, 2048), out: Any = None
) -> Any:
    """Exact costs from each of some starts to each of some goals; -1 where there is no path.

    A lazy array of Dask with blocks of ``chunks``; ``to_zarr`` writes it without holding it. With
    ``out``, anything that takes blocks by slices (an array, a ``numpy.memmap``, an array of zarr),
    the blocks are computed here on all cores, written one after the other, and ``out`` is returned.
    """
    rows, columns = list(_pieces(len(starts), chunks[0])), list(_pieces(len(goals), chunks[1]))
    if out is not None:
        for row in rows:
            for column in columns:
                out[row, column] = _table_block(source, starts[row], goals[column], None)
        return out
    da, delayed = _dask()
    block = delayed(_table_block, pure=True)
    # Sent once, not with every block.
    parts = [delayed(np.asarray(goals[column])) for column in columns]
    return da.block(
        [
            [
                da.from_delayed(
                    # Dask has a worker for each core; one thread for each block is enough.
                    block(source, np.asarray(starts[row]), part, 1),
                    shape=(row.stop - row.start, column.stop - column.start),
                    dtype=np.int64,
                )
                for column, part in zip(columns, parts)
            ]
            for row in rows
        ]
    )


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
    maps: Iterable[_Name], folder: _Name, engine: str | None = None, *, client: Any = None, **settings: Any
) -> list[Baked]:
    """Builds the index of each map and saves it in a folder, as NAME.fsi.

    :param client: of Dask distributed; without one, it is done here
    """
    names = [(os.fspath(map), _index_of(map, folder)) for map in maps]
    os.makedirs(folder, exist_ok=True)
    if client is None:
        return [_bake(map, index, engine, settings, None) for map, index in names]
    futures = [client.submit(_bake, map, index, engine, settings, 1, pure=False) for map, index in names]
    return list(client.gather(futures))


def verify(maps: Iterable[_Name], folder: _Name, *, client: Any = None) -> list[Verified]:
    """Proves the index of each map in a folder, and asks it the queries of NAME.map.scen if there is one.

    A fault is an answer, so that one bad file does not stop the rest.

    :param client: of Dask distributed; without one, it is done here
    """
    names = [(os.fspath(map), _index_of(map, folder)) for map in maps]
    if client is None:
        return [_verify(map, index) for map, index in names]
    return list(client.gather([client.submit(_verify, map, index, pure=False) for map, index in names]))
