"""How `farstride.dask` grows with workers, and what a killed worker costs.

    python bench/cluster.py MAP [--places 10000] [--workers 1 2 4 1 2] [--rounds 3] [--compress] [--kill] [--pieces 2000]

Builds `labels` of a map, then writes the table of costs between random places to zarr in int32, by so many worker
processes of one thread each; reports seconds, and the memory of workers: their own, and their shares of the index, whose
pages they have in common. With ``--kill``, one of two workers is killed (SIGKILL) in the middle of the table, and again at
random places. Every table is compared with that of one process without Dask. With ``--pieces``, so many pieces that
do nothing are handed out to two workers: what a piece costs whoever hands it out.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pathlib
import random
import shutil
import signal
import tempfile
import time

import numpy as np
import zarr
from distributed import Client, LocalCluster

import farstride as fs
from farstride import dask as fd


def memory(index):
    """Megabytes of a worker: most it ever held, its share now, and of the index what it sees and what is its share."""
    status = pathlib.Path("/proc/self/status").read_text()
    peak = int(status.split("VmHWM:")[1].split()[0])
    share = int(pathlib.Path("/proc/self/smaps_rollup").read_text().split("\nPss:")[1].split()[0])
    seen = shared = 0
    is_index = False
    for line in pathlib.Path("/proc/self/smaps").read_text().splitlines():
        name, *rest = line.split()
        if not name.endswith(":"):
            is_index = line.endswith(index)
        elif is_index and name == "Rss:":
            seen += int(rest[0])
        elif is_index and name == "Pss:":
            shared += int(rest[0])
    return [number * 1024 / 1e6 for number in (peak, share, seen, shared)]


@contextlib.contextmanager
def cluster_of(count):
    """A client of so many worker processes of one thread each."""
    with LocalCluster(n_workers=count, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            yield client


def nothing(number):
    pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("map", type=pathlib.Path)
    parser.add_argument("--places", type=int, default=10_000)
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--block", type=int, default=2000)
    parser.add_argument("--compress", action="store_true", help="as zarr does unless told otherwise")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--pieces", type=int)
    given = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp())
    [baked] = fd.bake([given.map], folder, "labels")
    source = fd.Source(given.map, baked.index, trust=True)
    cells = np.argwhere(source.open().grid.to_array())[:, ::-1]
    chosen = cells[np.random.default_rng(1).integers(0, len(cells), 2 * given.places)]
    starts, goals = chosen[: given.places], chosen[given.places :]
    begin = time.perf_counter()
    expected = source.open().cost_table(starts, goals, dtype="int32", threads=1)
    alone = time.perf_counter() - begin
    blocks = (given.block, given.block)
    print(f"one thread, without Dask, in memory: {alone:.2f} s", flush=True)

    def table():
        shutil.rmtree(folder / "table", ignore_errors=True)
        shape = (given.places, given.places)
        # That no block is empty, zarr need not look.
        config = {"write_empty_chunks": True}
        name, codec = str(folder / "table"), "auto" if given.compress else None
        return zarr.create_array(name, shape=shape, chunks=blocks, dtype="int32", compressors=codec, config=config)

    begin = time.perf_counter()
    out = table()
    for row in range(0, given.places, given.block):
        for column in range(0, given.places, given.block):
            place = slice(row, row + given.block), slice(column, column + given.block)
            out[place] = source.open().cost_table(starts[place[0]], goals[place[1]], dtype="int32", threads=1)
    print(f"one thread, without Dask, to zarr: {time.perf_counter() - begin:.2f} s", flush=True)
    for count in given.workers:
        with cluster_of(count) as client:
            client.run(source.open)
            taken, right = [], True
            for _ in range(given.rounds):
                out, begin = table(), time.perf_counter()
                fd.cost_table(source, starts, goals, chunks=blocks, out=out, client=client)
                taken.append(time.perf_counter() - begin)
                right &= np.array_equal(out[:], expected)
            held = np.mean(list(client.run(memory, baked.index).values()), axis=0)
        times = ", ".join(f"{seconds:.2f}" for seconds in taken)
        print(f"{count} workers: least {min(taken):.2f} s, median {np.median(taken):.2f} s of {times}, right: {right}; "
              f"MB of a worker: most {held[0]:.0f}, share {held[1]:.0f}; of the index it sees {held[2]:.1f}, "
              f"its share is {held[3]:.1f}", flush=True)
    if given.pieces:
        with cluster_of(2) as client:
            for _ in range(3):
                # Client and scheduler are in this process, workers are not.
                begin, busy = time.perf_counter(), time.process_time()
                fd._spread(client, nothing, [(at,) for at in range(given.pieces)], None, fetch=False)
                each = (time.perf_counter() - begin) / given.pieces * 1e3
                work = (time.process_time() - busy) / given.pieces * 1e3
                print(f"{given.pieces} pieces that do nothing: {each:.2f} ms each, of which the processor of "
                      f"client and scheduler is busy for {work:.2f} ms", flush=True)
    if given.kill:
        with cluster_of(2) as client:
            for round in range(3):
                out, killed = table(), []
                blocks_in_all = (-(-given.places // given.block)) ** 2
                at = {blocks_in_all // 2} if round == 0 else set(random.sample(range(1, blocks_in_all), 2))

                def told(done, total):
                    if done in at:
                        pid = random.choice(list(client.run(os.getpid).values()))
                        os.kill(pid, signal.SIGKILL)
                        killed.append(done)

                begin = time.perf_counter()
                fd.cost_table(source, starts, goals, chunks=blocks, out=out, client=client, progress=told)
                taken = time.perf_counter() - begin
                right = np.array_equal(out[:], expected)
                print(f"killed after {killed} of {blocks_in_all} blocks: {taken:.2f} s, right: {right}", flush=True)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
