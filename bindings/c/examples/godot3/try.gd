# A path, an edit, a detour, and what goes wrong: godot3-server --path . --script try.gd
extends SceneTree

var failed = false

func expect(what, name):
	if not what:
		failed = true
		printerr("not so: " + name)

func _init():
	var weights = PoolByteArray()
	for cell in range(40 * 30):
		weights.append(1)
	var planner = load("res://farstride.gdns").new()
	expect(planner.build(40, 30, weights, "hpa") == "", "build")
	var path = planner.find(Vector2(2, 3), Vector2(35, 3))
	expect(path.size() == 34 and path[0] == Vector2(2, 3) and path[33] == Vector2(35, 3), "a straight path")
	expect(planner.edit(Rect2(20, 0, 1, 29), 0) == "", "edit")
	path = planner.find(Vector2(2, 3), Vector2(35, 3))
	expect(path.size() > 50, "a detour")
	for cell in path:
		expect(cell.x != 20 or cell.y == 29, "through the gap")
	expect(planner.edit(Rect2(20, 29, 1, 1), 0) == "", "a wall")
	expect(planner.find(Vector2(2, 3), Vector2(35, 3)).size() == 0, "no path")
	expect(planner.edit(Rect2(39, 0, 2, 1), 0).find("not on the map") >= 0, "an edit off the map")
	expect(planner.edit(Rect2(0, 0, 1, 1), 1 << 40).find("expected 0 to 255") >= 0, "a weight too large")
	expect(planner.find(Vector2(NAN, 3), Vector2(INF, 3)).size() == 0, "no cells")
	expect(planner.build(40, 30, PoolByteArray(), "hpa").find("weights") >= 0, "no weights")
	expect(planner.build(40, 30, weights, "fast").find("fast") >= 0, "an unknown engine")
	expect(planner.find(Vector2(2, 3), Vector2(3, 3)).size() == 2, "the old planner stays")
	expect(planner.build(40, 30, weights, "straight") == "", "straight")
	expect(planner.find(Vector2(2, 3), Vector2(35, 13)).size() == 2, "a line of sight")
	planner = null
	if not failed:
		print("farstride works in Godot")
	quit(1 if failed else 0)
