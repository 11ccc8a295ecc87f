"""The stubs hold what they promise, by mypy and by pyright."""

import pathlib
import subprocess
import sys

import pytest

# Not those that are installed: mypy does not check what lies beside it.
FOLDER = pathlib.Path(__file__).parents[1] / "src" / "farstride"
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
