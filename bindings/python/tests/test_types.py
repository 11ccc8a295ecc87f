"""The stubs hold what they promise, by mypy and by pyright."""

import pathlib
import subprocess
import sys

import pytest

import farstride

FOLDER = pathlib.Path(farstride.__file__).parent
USE = pathlib.Path(__file__).with_name("typed.py")


@pytest.mark.parametrize(
    "checker",
    [["mypy", "--strict", "--warn-unused-ignores"], ["pyright", "--pythonpath", sys.executable]],
    ids=lambda checker: checker[0],
)
def test_types(checker, tmp_path):
    command = [sys.executable, "-m", *checker, str(USE), *map(str, sorted(FOLDER.glob("*.py*")))]
    said = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert said.returncode == 0, said.stdout + said.stderr
