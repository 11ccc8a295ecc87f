"""What a cluster computes is what one machine computes, also if a worker is killed."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import random_cells, some_cells

import farstride as fs
from farstride import dask as fd

da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("maps")
    file = folder / "rooms.map"
    file.write_text(fs.Grid(random_cells(4, 150, 200)).to_movingai())
    [baked] = fd.bake([file], folder, "hpa")
    assert baked.size == os.path.getsize(baked.index)
    return fd.Source(file, baked.index)


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster, distributed.Client(cluster) as client:
        yield client


def test_tables_are_those_of_one_machine(source, client, tmp_path):
    planner = source.open()
    assert source.open() is planner
    starts, goals = some_cells(planner.grid, 70, 1), some_cells(planner.grid, 90, 2)
    expected = planner.cost_table(starts, goals)
    lazy = fd.cost_table(source, starts, goals, chunks=(20, 40))
    assert lazy.shape == (70, 90) and lazy.chunks == ((20, 20, 20, 10), (40, 40, 10))
    assert (lazy.compute() == expected).all()
    zarr = pytest.importorskip("zarr")
    lazy.to_zarr(str(tmp_path / "table.zarr"))
    assert (zarr.open(str(tmp_path / "table.zarr"), mode="r")[:] == expected).all()
    out = np.lib.format.open_memmap(tmp_path / "table.npy", "w+", np.int64, (70, 90))
    assert (fd.cost_table(source, starts, goals, chunks=(20, 40), out=out) == expected).all()
    queries = fd.find_costs(source, np.repeat(starts, 3, axis=0), np.repeat(goals[:70], 3, axis=0), chunk=50)
    assert (queries.compute() == np.repeat(np.diag(expected[:, :70]), 3)).all()
    with pytest.raises(ValueError, match="starts of shape"):
        fd.find_costs(source, starts, goals)


def test_a_killed_worker_loses_and_doubles_nothing(source, client):
    grid = source.open().grid
    starts, goals = some_cells(grid, 600, 3), some_cells(grid, 600, 4)
    lazy = fd.cost_table(source, starts, goals, chunks=(60, 60))
    future = client.compute(lazy)
    deadline = time.monotonic() + 60
    # In the middle: some blocks are done, others are not.
    while len(client.who_has()) < 20 and time.monotonic() < deadline:
        time.sleep(0.005)
    assert not future.done()
    pids = client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)
    assert (future.result(timeout=120) == source.open().cost_table(starts, goals)).all()
    assert set(client.run(os.getpid).values()) != set(pids.values())


def test_workers_write_tables_for_themselves(source, client, tmp_path):
    zarr = pytest.importorskip("zarr")
    grid = source.open().grid
    starts, goals = some_cells(grid, 130, 5), some_cells(grid, 110, 6)
    expected = source.open().cost_table(starts, goals)

    def table(name, chunks=(20, 10), dtype="int32"):
        return zarr.open(str(tmp_path / name), mode="w", shape=(130, 110), chunks=chunks, dtype=dtype)

    told = []
    out = fd.cost_table(
        source, starts, goals, chunks=(40, 20), out=table("a"), client=client, progress=lambda *at: told.append(at)
    )
    assert out.dtype == np.int32 and (out[:] == expected).all()
    assert told == [(done, 24) for done in range(1, 25)]
    # Each process has opened the index once; `info` runs where the blocks ran.
    for misses in client.run(lambda: __import__("farstride.dask").dask._open.cache_info().misses).values():
        assert misses <= 1
    with pytest.raises(ValueError, match="whole chunks"):
        fd.cost_table(source, starts, goals, chunks=(30, 20), out=table("b"), client=client)
    with pytest.raises(TypeError, match="zarr"):
        fd.cost_table(source, starts, goals, out=np.zeros((130, 110), dtype=int), client=client)
    with pytest.raises(ValueError, match="shape"):
        fd.cost_table(source, starts, goals[:5], out=table("c"))
    lazy = fd.cost_table(source, starts, goals, chunks=(50, 50), dtype=np.int32)
    assert lazy.dtype == np.int32 and (lazy.compute() == expected).all()


def test_no_more_is_handed_out_than_workers_can_take(client):
    """A list of pieces is fed to the workers as they finish, not poured over them."""
    most = 0

    class Counting:
        ncores = staticmethod(client.ncores)
        out = 0

        def submit(self, *args, **kwargs):
            nonlocal most
            self.out += 1
            most = max(most, self.out)
            future = client.submit(*args, **kwargs)
            future.add_done_callback(lambda _: None)
            return future

    counting = Counting()

    def told(done, total):
        counting.out -= 1

    assert fd._spread(counting, divmod, [(at, 7) for at in range(200)], told) == [divmod(at, 7) for at in range(200)]
    assert most <= 2 * 2


def test_a_worker_that_dies_while_writing_loses_nothing(source, client, tmp_path):
    zarr = pytest.importorskip("zarr")
    grid = source.open().grid
    starts, goals = some_cells(grid, 400, 7), some_cells(grid, 400, 8)
    out = zarr.open(str(tmp_path / "t"), mode="w", shape=(400, 400), chunks=(40, 40), dtype="int64")
    pids = list(client.run(os.getpid).values())

    def told(done, total):
        if done == 30:
            os.kill(pids[0], signal.SIGKILL)

    fd.cost_table(source, starts, goals, chunks=(40, 40), out=out, client=client, progress=told)
    assert (out[:] == source.open().cost_table(starts, goals)).all()


def test_folders_are_baked_and_verified(client, tmp_path):
    maps = []
    for seed in range(4):
        maps.append(tmp_path / f"map{seed}.map")
        maps[-1].write_text(fs.Grid(random_cells(seed, 40, 50)).to_movingai())
    here = fd.bake(maps, tmp_path / "here", "nsg+")
    there = fd.bake(maps, tmp_path / "there", "nsg+", client=client)
    assert [baked.digest for baked in here] == [baked.digest for baked in there]
    (tmp_path / "there" / "map1.fsi").write_bytes(b"no index")
    (tmp_path / "there" / "map2.fsi").unlink()
    (tmp_path / "map3.map.scen").write_text("version 1\n0\tmap3.map\t50\t40\t0\t0\t1\t0\t77\n")
    for found in [fd.verify(maps, tmp_path / "there"), fd.verify(maps, tmp_path / "there", client=client)]:
        assert found[0].fault is None
        assert "not an index" in found[1].fault and "cannot read" in found[2].fault
        assert "query 0" in found[3].fault and found[3].queries == 1


def test_a_worker_without_the_file_says_so(source, tmp_path):
    missing = fd.Source(tmp_path / "none.map", source.index)
    with pytest.raises(FileNotFoundError, match="every worker needs it"):
        missing.open()


def test_a_piece_that_fails_stops_the_table(source, client, tmp_path):
    """Nothing is fetched from pieces that write, but what they fail with is raised here."""
    zarr = pytest.importorskip("zarr")
    missing = fd.Source(source.map, tmp_path / "none.fsi")
    out = zarr.open(str(tmp_path / "t"), mode="w", shape=(4, 4), chunks=(2, 2), dtype="int64")
    cells = some_cells(source.open().grid, 4, 9)
    with pytest.raises(FileNotFoundError, match="this machine has no .*none.fsi"):
        fd.cost_table(missing, cells, cells, chunks=(2, 2), out=out, client=client)


def test_without_dask_one_machine_still_works(source):
    program = (
        "import sys; sys.modules['dask'] = None\n"
        "import numpy as np\nfrom farstride import dask as fd\n"
        f"source = fd.Source({source.map!r}, {source.index!r})\n"
        "cells = np.array([[0, 0], [9, 9]])\n"
        "assert fd.cost_table(source, cells, cells, out=np.zeros((2, 2), int)).shape == (2, 2)\n"
        "try:\n    fd.cost_table(source, cells, cells)\n"
        "except ImportError as error:\n    assert 'pip install' in str(error)\nelse:\n    sys.exit(1)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
