"""Maps for all tests."""

import os
import pathlib

import numpy as np
import pytest

import farstride as fs


def random_cells(seed, height, width, free=0.75):
    return np.random.default_rng(seed).random((height, width)) < free


def some_cells(grid, count, seed=5):
    """Random cells, blocked ones among them."""
    random = np.random.default_rng(seed)
    return np.column_stack([random.integers(0, grid.width, count), random.integers(0, grid.height, count)])


@pytest.fixture(scope="session")
def grid():
    return fs.Grid(random_cells(1, 60, 80))


@pytest.fixture(scope="session")
def benchmarks():
    folder = os.environ.get("FARSTRIDE_BENCHMARKS")
    if not folder:
        pytest.skip("FARSTRIDE_BENCHMARKS is not set")
    return pathlib.Path(folder)
