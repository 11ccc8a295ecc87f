"""The examples of every docstring run, and the README's, too."""

import doctest
import importlib
import inspect
import json
import pathlib
import re

import pytest

import farstride
import farstride._farstride

MODULES = ["farstride", "farstride._progress", "farstride.dask", "farstride.errors", "farstride.plot"]
README = pathlib.Path(__file__).parents[1] / "README.md"
NOTEBOOK = README.parent / "examples" / "tour.ipynb"


def documented():
    """Every class, method and function of the compiled module, with its docstring."""
    module = farstride._farstride
    for name, thing in vars(module).items():
        if name.startswith("__") or not callable(thing):
            continue
        yield name, thing.__doc__
        if inspect.isclass(thing):
            for part, member in vars(thing).items():
                if not part.startswith("_"):
                    yield f"{name}.{part}", member.__doc__


@pytest.mark.parametrize(("name", "text"), list(documented()), ids=[name for name, _ in documented()])
def test_everything_has_a_docstring_whose_examples_run(name, text):
    assert text, f"{name} has no docstring"
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_modules_run(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_examples_of_the_readme_run(tmp_path, monkeypatch):
    pytest.importorskip("dask.array")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(), re.S)
    assert len(blocks) >= 5
    names = {}
    for block in blocks:
        exec(compile(block, str(README), "exec"), names)  # noqa: S102


def test_the_notebook_runs(tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert len(code) >= 4
    names = {}
    for block in code:
        exec(compile(block, str(NOTEBOOK), "exec"), names)  # noqa: S102


def test_stubs_name_what_there_is():
    """The stubs list every public name of the compiled module, and nothing else."""
    stubs = (pathlib.Path(farstride.__file__).parent / "_farstride.pyi").read_text()
    for name, thing in vars(farstride._farstride).items():
        if not inspect.isclass(thing):
            continue
        body = re.search(rf"^class {name}\b.*?(?=^@final|^class |\Z)", stubs, re.S | re.M)
        assert body, f"no stub of {name}"
        stubbed = set(re.findall(r"def (\w+)\(", body[0])) - {"__new__"}
        real = {part for part in vars(thing) if not part.startswith("_")}
        assert {part for part in stubbed if not part.startswith("_")} == real, name
        for parameter, member in vars(thing).items():
            if parameter.startswith("_") or not callable(getattr(thing, parameter)):
                continue
            signature = re.search(rf"def {parameter}\((.*?)\) ->", body[0], re.S)[1]
            names = re.findall(r"(\w+)\s*:", signature)
            expected = [name for name in inspect.signature(getattr(thing, parameter)).parameters if name != "self"]
            assert names == expected, f"{name}.{parameter}"
