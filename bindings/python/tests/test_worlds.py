"""Worlds from files."""

import json
import struct
import zlib

import numpy as np
import pytest

import farstride as fs

TMX = """<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="3" height="2" tilewidth="8" tileheight="8" infinite="0">
 <tileset firstgid="1" name="ground" tilewidth="8" tileheight="8" tilecount="3" columns="3">
  <image source="ground.png" width="24" height="8"/>
  <tile id="0" type="grass"/>
  <tile id="1" type="water"/>
 </tileset>
 <layer id="1" name="low" width="3" height="2"><data encoding="csv">1,2,1,1,1,1</data></layer>
 <layer id="2" name="high" width="3" height="2"><data encoding="csv">0,3,0,0,0,0</data></layer>
</map>
"""


def png(colours, path):
    """A picture of 8-bit colours."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    height, width, _ = colours.shape
    rows = b"".join(b"\0" + row.tobytes() for row in colours)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + data)


def test_maps_of_tiled(tmp_path):
    (tmp_path / "world.tmx").write_text(TMX)
    atlas = fs.Atlas.from_tiled(tmp_path / "world.tmx")
    names = atlas.class_names
    assert atlas.floor_count == 2 and {"empty", "grass", "water"} <= set(names)
    grass, water = names["grass"], names["water"]
    assert atlas.classes(0).tolist() == [[grass, water, grass], [grass, grass, grass]]
    walker, boat = atlas.add_mover({"grass": 1}), atlas.add_mover({"water": 1, "grass": 9})
    assert atlas.grid(walker, 0).to_array().tolist() == [[1, 0, 1], [1, 1, 1]]
    assert atlas.grid(boat, 0).to_array().tolist() == [[9, 1, 9], [9, 9, 9]]
    with pytest.raises(TypeError, match="or one of 'empty', 'grass', 'water'"):
        atlas.add_mover({"lava": 1})
    stacked = fs.Atlas.from_tiled(tmp_path / "world.tmx", stacked=True)
    assert stacked.floor_count == 1 and stacked.classes(0)[0, 1] not in (stacked.class_names["water"],)
    (tmp_path / "bad.tmx").write_text(TMX.replace('infinite="0"', 'infinite="1"').replace("1,2,1", "1,2"))
    with pytest.raises(fs.MapError, match="bad.tmx"):
        fs.Atlas.from_tiled(tmp_path / "bad.tmx")
    for missing in ("none.tmx", "none.tmj"):
        with pytest.raises(FileNotFoundError, match=missing):
            fs.Atlas.from_tiled(tmp_path / missing)


def test_projects_of_ldtk(tmp_path):
    layer = {
        "__type": "IntGrid",
        "__identifier": "Ground",
        "__cWid": 3,
        "__cHei": 2,
        "__gridSize": 8,
        "layerDefUid": 1,
        "intGridCsv": [1, 0, 1, 1, 1, 1],
    }
    level = {"identifier": "One", "worldX": 0, "worldY": 0, "layerInstances": [layer]}
    values = [{"value": 1, "identifier": "grass"}]
    project = {
        "jsonVersion": "1.5.3",
        "externalLevels": False,
        "defs": {"layers": [{"uid": 1, "identifier": "Ground", "intGridValues": values}]},
        "levels": [level],
    }
    (tmp_path / "world.ldtk").write_text(json.dumps(project))
    atlas = fs.Atlas.from_ldtk(tmp_path / "world.ldtk")
    unit = atlas.add_mover({"grass": 1})
    assert atlas.grid(unit, 0).to_array().tolist() == [[1, 0, 1], [1, 1, 1]]
    (tmp_path / "bad.ldtk").write_text("{}")
    with pytest.raises(fs.MapError, match="bad.ldtk"):
        fs.Atlas.from_ldtk(tmp_path / "bad.ldtk")
    with pytest.raises(FileNotFoundError, match="none"):
        fs.Atlas.from_ldtk(tmp_path / "none.ldtk")


def test_images_by_a_legend(tmp_path):
    colours = np.array([[[0, 255, 0], [0, 0, 255]], [[0, 255, 0], [0, 255, 0]]], np.uint8)
    png(colours, tmp_path / "floor.png")
    legend = {"#00ff00": 1, "#0000FF": 7}
    assert fs.load_floor(tmp_path / "floor.png", legend=legend).tolist() == [[1, 7], [1, 1]]
    with pytest.raises(fs.MapError, match="#0000ff"):
        fs.load_floor(tmp_path / "floor.png", legend={"#00ff00": 1})
    with pytest.raises(fs.MapError, match="floor.png"):
        fs.load_floor(tmp_path / "floor.png")
    with pytest.raises(fs.MapError, match="floor.png"):
        fs.load_floor(tmp_path / "floor.png", legend="palette")
    for wrong, error in [
        ("gray", ValueError),
        (7, TypeError),
        ({"#00ff0": 1}, ValueError),
        ({"#00ff0é": 1}, ValueError),
        ({"#00ff00": 256}, ValueError),
        ({"#00ff00": "grass"}, TypeError),
    ]:
        with pytest.raises(error):
            fs.load_floor(tmp_path / "floor.png", legend=wrong)
    with pytest.raises(FileNotFoundError, match="none"):
        fs.load_floor(tmp_path / "none.png")


def test_maps_of_ros(tmp_path):
    (tmp_path / "hall.yaml").write_text("image: hall.pgm\nresolution: 0.5\norigin: [-1.0, 2.0, 0.0]\n")
    (tmp_path / "hall.pgm").write_bytes(b"P2 4 3 255  254 254 254 0  254 254 254 0  254 254 205 0")
    hall = fs.RosMap.load(tmp_path / "hall.yaml")
    assert hall.resolution == 0.5
    assert hall.classes().tolist() == [[1, 1, 1, 2], [1, 1, 1, 2], [1, 1, 3, 2]]
    assert hall.free().tolist() == [[True] * 3 + [False]] * 2 + [[True] * 2 + [False] * 2]
    assert hall.free(radius=0.6)[0].tolist() == [True, True, False, False]
    assert hall.classes(radius=0.6)[2].tolist() == [1, 1, 2, 2]
    assert not hall.free(radius=float("inf")).any()
    for y in range(3):
        for x in range(4):
            assert hall.cell_at(*hall.position((x, y))) == (x, y)
    assert hall.cell_at(9, 9) is None and hall.cell_at(float("nan"), 0) is None
    for radius in (-1, float("nan")):
        with pytest.raises(ValueError, match="radius"):
            hall.free(radius=radius)
    for cell in [(4, 0), (-1, 0), (0, 1 << 40)]:
        with pytest.raises(fs.QueryError, match="not on the map"):
            hall.position(cell)
    (tmp_path / "bad.yaml").write_text("image: hall.pgm\n")
    with pytest.raises(fs.MapError, match="resolution"):
        fs.RosMap.load(tmp_path / "bad.yaml")
    (tmp_path / "lost.yaml").write_text("image: lost.pgm\nresolution: 1\norigin: [0, 0, 0]\n")
    with pytest.raises(FileNotFoundError, match="lost.pgm"):
        fs.RosMap.load(tmp_path / "lost.yaml")


def test_large_numbers_in_edits_of_a_world_are_refused():
    atlas = fs.Atlas([".."])
    for row in [(0, 0, 0, 2**63 - 1, 2**63 - 1, 1), (0, 1, 0, -(2**63), 1, 1), (0, 2**63 - 1, 0, 2, 1, 1)]:
        with pytest.raises(fs.QueryError, match="not in this world"):
            atlas.edit([row])
