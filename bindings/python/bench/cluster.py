"""How `farstride.dask` grows with workers, and what a killed worker costs.

    python bench/cluster.py MAP [--places 10000] [--workers 1 2 4] [--kill]

Builds `labels` of a map, then writes the table of costs between random places to zarr in int32, by so many worker
processes of one thread each; reports seconds, and the most memory that a worker held. With ``--kill``, one of two
workers is killed (SIGKILL) in the middle of the table, and again at random places. Every table is compared with that
of one process without Dask.
"""

from __future__ import annotations

import argparse
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


def peak_memory():
    """Bytes; what ``getrusage`` says would count the memory of the process that started this one."""
    status = pathlib.Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("map", type=pathlib.Path)
    parser.add_argument("--places", type=int, default=10_000)
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4])
    parser.add_argument("--block", type=int, default=2000)
    parser.add_argument("--kill", action="store_true")
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
        return zarr.create_array(str(folder / "table"), shape=shape, chunks=blocks, dtype="int32", compressors=None)

    begin = time.perf_counter()
    out = table()
    for row in range(0, given.places, given.block):
        for column in range(0, given.places, given.block):
            place = slice(row, row + given.block), slice(column, column + given.block)
            out[place] = source.open().cost_table(starts[place[0]], goals[place[1]], dtype="int32", threads=1)
    print(f"one thread, without Dask, to zarr: {time.perf_counter() - begin:.2f} s", flush=True)
    for count in given.workers:
        with LocalCluster(n_workers=count, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
            with Client(cluster) as client:
                client.run(source.open)
                taken = []
                for _ in range(3):
                    out, begin = table(), time.perf_counter()
                    fd.cost_table(source, starts, goals, chunks=blocks, out=out, client=client)
                    taken.append(time.perf_counter() - begin)
                right = np.array_equal(out[:], expected)
                memory = max(client.run(peak_memory).values()) / 1e6
        times = ", ".join(f"{seconds:.2f}" for seconds in taken)
        print(f"{count} workers: {min(taken):.2f} s of {times}, most memory {memory:.0f} MB, right: {right}", flush=True)
    if given.kill:
        with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
            with Client(cluster) as client:
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
