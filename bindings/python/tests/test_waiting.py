"""Progress, and Ctrl-C within a tenth of a second."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import random_cells

import farstride as fs

PREPARE = """
import os, signal, sys, threading, time
import numpy as np
import farstride as fs

random = np.random.default_rng(1)
large = random.random((2500, 2500)) < 0.8
small = fs.Grid(large[:400, :400])
cells = np.argwhere(large[:400, :400])[:, ::-1]
ends = cells[random.integers(0, len(cells), 200_000)]
"""

WORK = {
    "a build of labels": "grid = fs.Grid(large[:1400, :1400]); go(lambda: fs.Planner(grid, 'labels'))",
    "a build of nsg+": "grid = fs.Grid(large); go(lambda: fs.Planner(grid, 'nsg+'))",
    "a build of hpa": "grid = fs.Grid(large); go(lambda: fs.Planner(grid, 'hpa', threads=1))",
    "a batch": "planner = fs.Planner(small, 'astar'); go(lambda: planner.find_many(ends, ends[::-1]))",
    "a batch of one thread": "planner = fs.Planner(small, 'hpa'); go(lambda: planner.find_many(ends, ends[::-1], threads=1))",
    "a table": "planner = fs.Planner(small, 'astar'); go(lambda: planner.cost_table(ends[:3000], ends[:3000]))",
    "many plans": "planner = fs.Planner(small, 'hpa'); go(lambda: planner.plan_many(ends, ends[::-1]))",
    "many trips": "atlas = fs.Atlas([large[:400, :400].astype(int)]); unit = atlas.add_mover({1: 1}); atlas.prepare(unit); "
    "places = np.column_stack([np.zeros(len(ends), int), ends]); go(lambda: atlas.plan_many(unit, places, places[::-1]))",
    "a search": "grid = fs.Grid(np.ones((6000, 6000), bool)); planner = fs.Planner(grid, 'dijkstra'); go(lambda: planner.find((0, 0), (5999, 5999)))",
}

GO = """
def go(work):
    sent = []
    def interrupt():
        time.sleep(0.25)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=interrupt).start()
    try:
        work()
    except KeyboardInterrupt:
        print("stopped after", time.perf_counter() - sent[0])
    else:
        print("was done before")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("what", WORK)
def test_ctrl_c_stops(what):
    """In 100 ms; other work on the machine may delay an attempt, but not ten."""
    program, delays = PREPARE + GO + WORK[what], []
    while not delays or (delays[-1] > 0.1 and len(delays) < 10):
        said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
        assert said.stdout.startswith("stopped after "), said.stdout + said.stderr
        delays.append(float(said.stdout.split()[-1]))
    assert delays[-1] <= 0.1, delays


@pytest.mark.parametrize("engine", ["labels", "nsg+", "hpa", None])
def test_builds_report_progress(engine):
    reports = []
    grid = fs.Grid(random_cells(1, 90, 90, free=0.9))
    fs.Planner(grid, engine, progress=lambda done, total: reports.append((done, total)))
    assert reports[-1][0] == reports[-1][1] > 0
    assert all(a <= b for (a, _), (b, _) in zip(reports, reports[1:]))
    threads = set()
    fs.Planner(grid, engine, progress=lambda *_: threads.add(threading.get_ident()))
    assert threads == {threading.get_ident()}


def test_what_a_callback_raises_stops_the_work():
    grid = fs.Grid(random_cells(1, 900, 900, free=0.8))

    def refuse(done, total):
        raise LookupError(f"{done} of {total}")

    for work in [
        lambda: fs.Planner(grid, "labels", progress=refuse),
        lambda: fs.Planner(grid, "astar").find_many([(1, 1)] * 5, [(800, 800)] * 5, progress=refuse),
    ]:
        with pytest.raises(LookupError, match=" of "):
            work()


def test_bars_of_tqdm():
    from tqdm import tqdm

    grid = fs.Grid(random_cells(1, 200, 200, free=0.9))
    bar = tqdm(file=open(os.devnull, "w"))
    planner = fs.Planner(grid, "nsg+", progress=bar)
    assert bar.n == bar.total > 0 and not bar.disable
    routes = planner.find_many([(1, 1)] * 50, [(100, 100)] * 50, progress=True)
    assert len(routes) == 50


def test_other_threads_run_meanwhile():
    """The lock is free during batches: a thread that counts does not stand still."""
    planner = fs.Planner(fs.Grid(random_cells(1, 300, 300, free=0.9)), "dijkstra")
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    begin = time.perf_counter()
    planner.find_many(np.full((60, 2), 1), np.full((60, 2), 298), threads=1)
    taken, seen = time.perf_counter() - begin, counted[0]
    stop.set()
    thread.join()
    assert taken < 0.05 or seen > taken * 100


def test_signals_of_others_are_none_of_our_business():
    called = []
    before = signal.signal(signal.SIGUSR1, lambda *_: called.append(1))
    try:
        threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGUSR1)).start()
        planner = fs.Planner(fs.Grid.empty(1500, 1500), "dijkstra")
        assert planner.find((0, 0), (1499, 1499)).status == "found"
        time.sleep(0.15)
        assert called
    finally:
        signal.signal(signal.SIGUSR1, before)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_handler_that_edits_what_is_searched_is_told_so():
    """It would wait for the search, and the search for it."""
    planner, other = fs.Planner(fs.Grid.empty(2500, 2500), "dijkstra"), fs.Planner(fs.Grid.empty(9, 9), "hpa")

    def handle(*_):
        other.edit([(0, 0, 1, 1, 0)])
        planner.edit([(0, 0, 1, 1, 0)])

    before = signal.signal(signal.SIGUSR1, handle)
    try:
        threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGUSR1)).start()
        with pytest.raises(RuntimeError, match="in the middle of its search"):
            while True:
                planner.find((1, 1), (2499, 2499))
        assert not other.grid.is_free((0, 0)) and planner.grid.is_free((0, 0))
        planner.edit([(0, 0, 1, 1, 0)])
    finally:
        signal.signal(signal.SIGUSR1, before)
