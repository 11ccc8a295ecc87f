"""Whatever comes in, an exception says what is wrong, and the interpreter lives on."""

import subprocess
import sys

import numpy as np
import pytest

import farstride as fs


@pytest.mark.parametrize(
    ("cells", "error", "message"),
    [
        (np.ones(5, bool), ValueError, r"shape \(rows, columns\), found shape \(5,\)"),
        (np.ones((2, 2, 2), bool), ValueError, r"found shape \(2, 2, 2\)"),
        (np.array(True), ValueError, r"found shape \(\)"),
        (np.ones((0, 5), bool), fs.MapError, "between 1 and 10000"),
        (np.ones((1, 10_001), bool), fs.MapError, "between 1 and 10000"),
        (np.ones((2, 2)), TypeError, "bool .* or uint8 .* found float64"),
        (np.full((2, 2), np.nan), TypeError, "found float64"),
        (np.ones((2, 2), complex), TypeError, "found complex128"),
        (np.array([["a", "b"]]), TypeError, "found <U1"),
        (np.array([[object()]]), TypeError, "found object"),
        (np.array([[1, 256]]), fs.MapError, "weight is 256"),
        (np.array([[1, -1]]), fs.MapError, "weight is -1"),
        (np.array([[1, 2**64 - 1]], dtype=np.uint64), fs.MapError, "weight is 18446744073709551615"),
        (np.ma.masked_array(np.ones((2, 2), bool), mask=True), TypeError, "masked arrays"),
        ("....", ValueError, "found shape"),
        (None, ValueError, "found shape"),
    ],
)
def test_wrong_arrays_are_no_maps(cells, error, message):
    with pytest.raises(error, match=message):
        fs.Grid(cells)


def test_strides_and_kinds_do_not_matter():
    plain = np.random.default_rng(3).integers(0, 2, (40, 60)).astype(np.uint8)
    expected = fs.Grid(plain)
    big = np.zeros((80, 180), np.uint8)
    big[::2, ::3] = plain
    for same in [
        np.asfortranarray(plain),
        big[::2, ::3],
        np.flipud(np.flipud(plain).copy()),
        plain.astype(bool),
        plain.astype(np.int64),
        plain.astype(">i4"),
        plain.tolist(),
    ]:
        assert fs.Grid(same) == expected
    read_only = plain.copy()
    read_only.flags.writeable = False
    assert fs.Grid(read_only) == expected
    cells = np.argwhere(plain)[:20, ::-1]
    bytes_ = b"x" + np.ascontiguousarray(cells).tobytes()
    misaligned = np.frombuffer(bytes_, np.int64, offset=1).reshape(-1, 2)
    assert not misaligned.flags.aligned
    planner = fs.Planner(expected, "astar")
    table = planner.cost_table(cells, cells)
    for same in [misaligned, np.asfortranarray(cells), np.repeat(cells, 2, axis=0)[::2], cells.astype(np.uint8), cells.tolist(),
                 cells.astype(">i2"), [tuple(cell) for cell in cells]]:
        assert (planner.cost_table(same, same) == table).all()


@pytest.mark.parametrize(
    ("cell", "error", "message"),
    [
        ((80, 0), fs.QueryError, "cell 80,0 is not on the map: x runs from 0 to 79, y from 0 to 59"),
        ((0, 60), fs.QueryError, "cell 0,60"),
        ((-1, 0), fs.QueryError, "cell -1,0"),
        ((2**40, 0), fs.QueryError, "not on the map"),
        ((65_536 + 3, 3), fs.QueryError, "not on the map"),
        ((2**70, 0), TypeError, "pair of whole numbers"),
        ((1.0, 2.0), TypeError, "pair of whole numbers"),
        ((float("nan"), 0), TypeError, "pair of whole numbers"),
        ((1, 2, 3), TypeError, "pair of whole numbers"),
        ((1,), TypeError, "pair of whole numbers"),
        ((), TypeError, "pair of whole numbers"),
        ("ab", TypeError, "pair of whole numbers"),
        (None, TypeError, "pair of whole numbers"),
        (7, TypeError, "pair of whole numbers"),
        ({3, 4}, TypeError, "pair of whole numbers"),
        ({3: 4, 5: 6}, TypeError, "pair of whole numbers"),
        (np.array([1.5, 2.0]), TypeError, "pair of whole numbers"),
    ],
)
def test_wrong_cells_are_refused(grid, cell, error, message):
    planner = fs.Planner(grid, "astar")
    for ask in [planner.find, planner.cost, planner.plan]:
        with pytest.raises(error, match=message):
            ask(cell, (0, 0))
        with pytest.raises(error, match=message):
            ask((0, 0), cell)
    with pytest.raises(error, match=message):
        planner.nearest(cell, [(0, 0)])
    with pytest.raises(error):
        grid.weight(cell)


@pytest.mark.parametrize(
    ("cells", "error", "message"),
    [
        ([(0, 0), (80, 0)], fs.QueryError, "cell 80,0"),
        ([(-1, 0)], fs.QueryError, "cell -1,0"),
        (np.array([[2**63, 0]], dtype=np.uint64), fs.QueryError, "cell 9223372036854775807,0 is not on the map"),
        (np.ma.masked_array([(0, 0)]), TypeError, "masked arrays"),
        ([(0.0, 1.0)], TypeError, "are whole numbers, found an array of float64"),
        (np.full((2, 2), np.nan), TypeError, "are whole numbers"),
        ([(0, 0, 0)], ValueError, r"shape \(n, 2\), found shape \(1, 3\)"),
        ([0, 0], ValueError, r"found shape \(2,\)"),
        (np.zeros((2, 2, 2), int), ValueError, r"found shape \(2, 2, 2\)"),
        (np.zeros((2, 2), bool), TypeError, "are whole numbers, found an array of bool"),
        ("text", ValueError, r"found shape \(\)"),
        (5, ValueError, r"found shape \(\)"),
    ],
)
def test_wrong_arrays_of_cells_are_refused(grid, cells, error, message):
    planner = fs.Planner(grid, "astar")
    count = len(cells) if hasattr(cells, "__len__") else 1
    for call in [
        lambda: planner.find_many(cells, np.zeros((count, 2), int)),
        lambda: planner.find_many(np.zeros((count, 2), int), cells),
        lambda: planner.cost_table(cells, [(0, 0)]),
        lambda: planner.cost_table([(0, 0)], cells),
        lambda: planner.nearest((0, 0), cells),
    ]:
        with pytest.raises(error, match=message):
            call()


def test_ragged_and_unequal_lists_are_refused(grid):
    planner = fs.Planner(grid, "astar")
    with pytest.raises(ValueError):
        planner.find_many([(0, 0), (1,)], [(0, 0), (1, 1)])
    with pytest.raises(ValueError, match="2 starts, but 1 goals"):
        planner.find_many([(0, 0), (1, 1)], [(0, 0)])
    for threads in [0, -3]:
        with pytest.raises(ValueError, match=f"threads is {threads}"):
            planner.find_many([(0, 0)], [(0, 0)], threads=threads)
    with pytest.raises(ValueError, match="detail is 'all'"):
        planner.find((0, 0), (1, 1), detail="all")
    for bad in [-1, 2**40]:
        with pytest.raises(OverflowError):
            planner.find((0, 0), (1, 1), first=bad)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ([(0, 0, 1, 1, 256)], fs.QueryError, "weight is 256"),
        ([(0, 0, 1, 1, -1)], fs.QueryError, "weight is -1"),
        ([(0, 0, 0, 1, 1)], fs.QueryError, "has none"),
        ([(79, 0, 2, 1, 0)], fs.QueryError, "not on the map"),
        ([(0, 0, 2**62, 2**62, 0)], fs.QueryError, "not on the map"),
        ([(0, 0, 1, 1)], ValueError, r"shape \(n, 5\)"),
        ([(0, 0, 1, 1, 0.5)], TypeError, "changes are whole numbers"),
    ],
)
def test_wrong_edits_are_refused(grid, change, error, message):
    planner = fs.Planner(grid, "hpa")
    with pytest.raises(error, match=message):
        planner.edit(change)
    assert planner.grid == grid


def test_wrong_patches_are_refused(grid):
    planner = fs.Planner(grid, "hpa")
    for at in [(75, 0), (-1, 0), (0, 56)]:
        with pytest.raises(fs.QueryError, match="not on the map"):
            planner.set_weights(at, np.ones((5, 6), bool))
    with pytest.raises(TypeError):
        planner.set_weights((0, 0), np.ones((5, 6)))
    assert planner.grid == grid


@pytest.mark.parametrize(
    ("engine", "settings", "error", "message"),
    [
        ("none", {}, fs.SettingsError, "none"),
        ("hpa", {"cluster": 1}, fs.SettingsError, "cluster"),
        ("hpa", {"cluster": -5}, fs.SettingsError, "cluster is -5"),
        ("hpa", {"cluster": 2**80}, fs.SettingsError, "smaller"),
        ("hpa", {"cluster": 2.5}, TypeError, "cluster is 2.5"),
        ("hpa", {"cluster": "big"}, fs.SettingsError, "whole number"),
        ("hpa", {"colour": 3}, fs.SettingsError, "takes no setting 'colour'"),
        ("astar", {"cluster": 3}, fs.SettingsError, "takes no setting"),
        ("hpa", {"smooth": 1}, fs.SettingsError, "true or false"),
        (None, {"cluster": 3}, fs.SettingsError, "name one"),
        ("hpa", {"threads": 0}, ValueError, "threads is 0"),
        ("hpa", {"progress": 7}, TypeError, "progress has to be"),
        (5, {}, TypeError, "engine"),
    ],
)
def test_wrong_settings_are_refused(grid, engine, settings, error, message):
    with pytest.raises(error, match=message):
        fs.Planner(grid, engine, **settings)


def test_engines_refuse_maps_that_they_cannot_serve():
    with pytest.raises(fs.EngineError, match="hpa"):
        fs.Planner(fs.Grid([[1, 2]]), "labels")
    planner = fs.Planner(fs.Grid([[1, 1]]), "nsg+")
    planner.edit([(0, 0, 1, 1, 9)])
    with pytest.raises(fs.EngineError):
        planner.find((0, 0), (1, 0))
    with pytest.raises(fs.MapError, match="diagonals is 'x'"):
        fs.Grid([[1, 1]], diagonals="x")
    with pytest.raises(fs.SettingsError, match="diagonals is 'x'"):
        fs.Atlas([".."]).add_mover({".": 1}, diagonals="x")
    with pytest.raises(TypeError):
        fs.Planner(np.ones((3, 3), bool))


def test_wrong_files_are_refused(grid, tmp_path):
    file = tmp_path / "map.fsi"
    with pytest.raises(FileNotFoundError, match="cannot read"):
        fs.Planner.open(grid, file)
    with pytest.raises(fs.IndexFileError, match="is not a file"):
        fs.Planner.open(grid, tmp_path)
    with pytest.raises(OSError, match="cannot write"):
        fs.Planner(grid, "hpa").save(tmp_path / "none" / "map.fsi")
    with pytest.raises(fs.IndexFileError, match="has no index"):
        fs.Planner(grid, "astar").save(file)
    bytes_ = fs.Planner(grid, "hpa").to_bytes()
    damaged = bytearray(bytes_)
    damaged[len(damaged) // 2] ^= 16
    for content, message in [
        (b"", "not an index"),
        (b"type octile", "not an index"),
        (bytes_[:-1], "cut off"),
        (bytes(damaged), "damaged"),
    ]:
        file.write_bytes(content)
        with pytest.raises(fs.IndexFileError, match=message):
            fs.Planner.open(grid, file)
        with pytest.raises(fs.IndexFileError, match=message):
            fs.Planner.from_bytes(grid, content)
    with pytest.raises(fs.IndexFileError, match="another map"):
        fs.Planner.from_bytes(fs.Grid.empty(80, 60), bytes_)
    map_file = tmp_path / "x.map"
    with pytest.raises(FileNotFoundError):
        fs.Grid.load(map_file)
    map_file.write_text("type octile\nheight 1\nwidth 2\nmap\n.x\n")
    with pytest.raises(fs.MapError, match="x.map: line 5, column 2"):
        fs.Grid.load(map_file)
    with pytest.raises(fs.MapError, match="twice"):
        fs.Grid.load(map_file, terrain="x=2,x=3")
    with pytest.raises(fs.MapError):
        fs.Grid.from_bytes(b"P5 2 2 255 ")
    with pytest.raises(FileNotFoundError):
        fs.load_scenario(tmp_path / "none.scen", grid)
    (tmp_path / "a.scen").write_text("version 2\n")
    with pytest.raises(fs.MapError, match="version 1"):
        fs.load_scenario(tmp_path / "a.scen", grid)


def test_sizes_are_refused_as_they_were_given():
    with pytest.raises(fs.MapError, match="map of -1 x 5 cells"):
        fs.Grid.empty(-1, 5)


def test_what_does_not_fit_into_memory_is_an_exception():
    cells = np.zeros((10_000_000, 2), int)
    for engine in ["labels", "astar"]:
        planner = fs.Planner(fs.Grid.empty(5, 5), engine)
        for dtype in ["int64", "int32"]:
            with pytest.raises(MemoryError):
                planner.cost_table(cells, cells, dtype=dtype)
    labels = fs.HubLabels(fs.Graph(2, [(0, 1)], [1]))
    with pytest.raises(MemoryError):
        labels.distances(cells[:, 0], cells[:, 0])
    limited = (
        "import resource, sys, farstride as fs\n"
        "resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))\n"
        "try:\n    fs.Graph(3_000_000_000, [], [])\n"
        "except MemoryError as error:\n    assert '3000000000 nodes' in str(error)\nelse:\n    sys.exit(7)\n"
    )
    if sys.platform == "linux":
        subprocess.run([sys.executable, "-c", limited], check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="files that never end")
def test_files_that_never_end_are_no_maps():
    with pytest.raises(fs.MapError, match="/dev/zero is longer than"):
        fs.Grid.load("/dev/zero")


def test_images_are_maps(tmp_path):
    weights = np.array([[1, 0, 7], [255, 1, 1]], np.uint8)
    file = tmp_path / "a.pgm"
    file.write_bytes(b"P5\n3 2\n255\n" + weights.tobytes())
    assert (fs.Grid.load(file).to_array() == weights).all()
    from PIL import Image  # comes with matplotlib

    with pytest.raises(fs.MapError, match="letters"):
        fs.Grid.load(file, terrain="S=5")
    Image.fromarray(weights).save(tmp_path / "a.png")
    assert (fs.Grid.load(tmp_path / "a.png").to_array() == weights).all()


def test_classes_cannot_be_made_from_nothing():
    for made in [fs.Route, fs.Routes, fs.Plan, fs.GroupPlan]:
        with pytest.raises(TypeError):
            made()
