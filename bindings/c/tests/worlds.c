/* The tests of worlds in farstride.h, and of the steps of many plans. Run as suite.c is. */
#include "check.h"

#include <stdint.h>

static FarstridePlace at(int floor, int x, int y) {
    FarstridePlace place = {floor, x, y};
    return place;
}

static int same(FarstridePlace a, FarstridePlace b) { return a.floor == b.floor && a.x == b.x && a.y == b.y; }

/* Two rooms with a wall between them, and a cellar below. */
static FarstrideAtlas *make_world(int64_t stairs[2]) {
    FarstrideAtlas *atlas = NULL;
    uint32_t cellar = 0;
    OK(farstride_atlas_new(7, 2, (const uint8_t *)"...#......#...", &atlas));
    OK(farstride_atlas_add_floor(atlas, 7, 2, (const uint8_t *)"..............", 0, 0, &cellar));
    EXPECT(cellar == 1);
    for (int i = 0; i < 2; i++) {
        FarstrideLink link = {0};
        link.from = at(0, 1 + 4 * i, 1), link.to = at(1, 1 + 4 * i, 1), link.cost = 10000;
        OK(farstride_atlas_add_link(atlas, &link, &stairs[i]));
    }
    return atlas;
}

static uint32_t add_mover(FarstrideAtlas *atlas, const char *engine, int size, uint8_t without_links) {
    static uint8_t costs[256];
    costs['.'] = 1;
    FarstrideMover mover = {0};
    mover.costs = costs, mover.engine = engine, mover.size = size, mover.without_links = without_links;
    uint32_t number = 0;
    OK(farstride_atlas_add_mover(atlas, &mover, &number));
    return number;
}

static void trips(void) {
    int64_t stairs[2];
    FarstrideAtlas *atlas = make_world(stairs);
    FarstrideScratch *scratch = NULL;
    OK(farstride_scratch_new(&scratch));
    uint32_t dwarf = add_mover(atlas, "labels", 1, 0), troll = add_mover(atlas, NULL, 2, 0);
    /* Any byte but 0 will do. */
    uint32_t guard = add_mover(atlas, "astar", 0, 0xa5);
    EXPECT(dwarf == 0 && troll == 1 && guard == 2);
    OK(farstride_atlas_prepare(atlas, dwarf));

    FarstrideTrip trip;
    OK(farstride_atlas_find(atlas, scratch, dwarf, at(0, 0, 0), at(0, 6, 0), &trip));
    EXPECT(trip.status == FARSTRIDE_STATUS_FOUND && trip.cost == 52476 && trip.count == 5);
    EXPECT(trip.stages[0].link == -1 && trip.stages[0].floor == 0 && trip.stages[0].count == 2);
    EXPECT(trip.stages[0].cells[1].x == 1 && trip.stages[0].cells[1].y == 1);
    EXPECT(trip.stages[1].link == stairs[0] && trip.stages[1].cells == NULL && trip.stages[3].link == stairs[1]);
    EXPECT(trip.stages[2].floor == 1 && trip.stages[2].count == 5 && trip.stages[2].cells[4].x == 5);

    bool can = false;
    OK(farstride_atlas_can_reach(atlas, dwarf, at(0, 0, 0), at(0, 6, 0), &can));
    EXPECT(can);
    OK(farstride_atlas_can_reach(atlas, guard, at(0, 0, 0), at(0, 6, 0), &can));
    EXPECT(!can);
    OK(farstride_atlas_find(atlas, scratch, guard, at(0, 0, 0), at(0, 6, 0), &trip));
    EXPECT(trip.status == FARSTRIDE_STATUS_UNREACHABLE && trip.count == 0 && trip.stages == NULL);
    OK(farstride_atlas_find(atlas, scratch, guard, at(0, 0, 0), at(0, 0, 0), &trip));
    EXPECT(trip.status == FARSTRIDE_STATUS_ALREADY_THERE);
    OK(farstride_atlas_find(atlas, scratch, troll, at(0, 2, 0), at(0, 0, 0), &trip));
    EXPECT(trip.status == FARSTRIDE_STATUS_START_BLOCKED);

    const FarstridePlace goals[] = {at(0, 6, 0), at(1, 3, 1), at(0, 3, 0)};
    size_t which = 7;
    OK(farstride_atlas_nearest(atlas, scratch, dwarf, at(0, 0, 0), goals, 3, &which, &trip));
    EXPECT(which == 1 && trip.count == 3 && trip.cost == 6726 + 10000 + 2 * 4756);
    OK(farstride_atlas_nearest(atlas, scratch, guard, at(0, 0, 0), goals, 2, &which, &trip));
    EXPECT(which == SIZE_MAX);
    FarstridePlace from = at(0, 3, 0), to = at(0, 6, 0);
    bool exists = false;
    OK(farstride_atlas_substitute(atlas, guard, &from, &to, &exists));
    EXPECT(exists && from.x == 2 && to.x == 2);
    from = at(0, 3, 0);
    OK(farstride_atlas_substitute(atlas, guard, &from, &from, &exists));
    EXPECT(exists && same(from, at(0, 2, 0)));

    /* A plan follows edits of the cellar and of links. */
    FarstrideStatus status;
    FarstrideTripPlan *plan = NULL;
    FarstrideTripStep step;
    FarstridePlace place;
    int64_t link;
    OK(farstride_trip_plan_new(atlas, scratch, guard, at(0, 0, 0), at(0, 6, 0), &status, &plan));
    EXPECT(status == FARSTRIDE_STATUS_UNREACHABLE && plan == NULL);
    FarstrideTripPlan *untouched = (FarstrideTripPlan *)scratch;
    FAILS(farstride_trip_plan_new(atlas, scratch, dwarf, at(0, 0, 0), at(0, 6, 0), NULL, &untouched),
          FARSTRIDE_RESULT_ARGUMENT, "null");
    EXPECT(untouched == (FarstrideTripPlan *)scratch);
    which = 7;
    FAILS(farstride_atlas_nearest(atlas, scratch, dwarf, at(9, 0, 0), goals, 2, &which, &trip),
          FARSTRIDE_RESULT_QUERY, "floor 9");
    EXPECT(which == 7);
    OK(farstride_trip_plan_new(atlas, scratch, dwarf, at(0, 0, 0), at(0, 6, 0), &status, &plan));
    OK(farstride_trip_plan_step(plan, atlas, scratch, &step, &place, &link));
    EXPECT(step == FARSTRIDE_TRIP_STEP_WALK && link == -1 && same(place, at(0, 1, 1)));
    OK(farstride_trip_plan_step(plan, atlas, scratch, &step, &place, &link));
    EXPECT(step == FARSTRIDE_TRIP_STEP_LINK && link == stairs[0] && same(place, at(1, 1, 1)));
    FarstrideFill fill = {1, {3, 0, 1, 2}, '#'};
    OK(farstride_atlas_edit(atlas, &fill, 1));
    OK(farstride_trip_plan_step(plan, atlas, scratch, &step, &place, NULL));
    EXPECT(step == FARSTRIDE_TRIP_STEP_UNREACHABLE && same(place, at(1, 1, 1)));
    fill.terrain_class = '.';
    OK(farstride_atlas_edit(atlas, &fill, 1));
    OK(farstride_trip_plan_stand_at(plan, atlas, at(1, 2, 0)));
    do {
        OK(farstride_trip_plan_step(plan, atlas, scratch, &step, &place, NULL));
    } while (step == FARSTRIDE_TRIP_STEP_WALK || step == FARSTRIDE_TRIP_STEP_LINK);
    EXPECT(step == FARSTRIDE_TRIP_STEP_ARRIVED && same(place, at(0, 6, 0)));
    EXPECT(same(farstride_trip_plan_position(plan), place) && farstride_trip_plan_replans(plan) > 0);
    EXPECT(same(farstride_trip_plan_position(NULL), at(0, 0, 0)) && farstride_trip_plan_replans(NULL) == 0);
    OK(farstride_atlas_remove_link(atlas, stairs[1]));
    OK(farstride_atlas_can_reach(atlas, dwarf, at(0, 0, 0), at(0, 6, 0), &can));
    EXPECT(!can);
    FAILS(farstride_atlas_remove_link(atlas, stairs[1]), FARSTRIDE_RESULT_QUERY, "no link 1");

    /* What is wrong is named. */
    FAILS(farstride_atlas_find(atlas, scratch, 9, at(0, 0, 0), at(0, 1, 0), &trip), FARSTRIDE_RESULT_QUERY,
          "no mover 9");
    FAILS(farstride_atlas_find(atlas, scratch, dwarf, at(2, 0, 0), at(0, 1, 0), &trip), FARSTRIDE_RESULT_QUERY,
          "0,0 on floor 2");
    FAILS(farstride_atlas_find(atlas, scratch, dwarf, at(0, -1, 0), at(0, 1, 0), &trip), FARSTRIDE_RESULT_QUERY,
          "0: -1,0");
    FAILS(farstride_atlas_find(atlas, NULL, dwarf, at(0, 0, 0), at(0, 1, 0), &trip), FARSTRIDE_RESULT_HANDLE, "null");
    FAILS(farstride_atlas_find((FarstrideAtlas *)scratch, scratch, dwarf, at(0, 0, 0), at(0, 1, 0), &trip),
          FARSTRIDE_RESULT_HANDLE, "kind");
    fill.area.width = 5;
    FAILS(farstride_atlas_edit(atlas, &fill, 1), FARSTRIDE_RESULT_QUERY, "not in this world");
    FarstrideMover mover = {0};
    uint32_t number;
    FAILS(farstride_atlas_add_mover(atlas, &mover, &number), FARSTRIDE_RESULT_ARGUMENT, "null");
    uint8_t none[256] = {0};
    mover.costs = none;
    FAILS(farstride_atlas_add_mover(atlas, &mover, &number), FARSTRIDE_RESULT_SETTINGS, "no class of terrain");
    none[1] = 1, mover.size = -4;
    FAILS(farstride_atlas_add_mover(atlas, &mover, &number), FARSTRIDE_RESULT_SETTINGS, "size is -4");
    mover.size = 1, mover.diagonals = "x";
    FAILS(farstride_atlas_add_mover(atlas, &mover, &number), FARSTRIDE_RESULT_SETTINGS, "diagonals is 'x'");
    FarstrideLink free_of_charge = {0};
    free_of_charge.to = at(1, 0, 0);
    FAILS(farstride_atlas_add_link(atlas, &free_of_charge, NULL), FARSTRIDE_RESULT_QUERY, "costs 0 units");
    FarstrideAtlas *empty = NULL;
    FAILS(farstride_atlas_new(0, 2, none, &empty), FARSTRIDE_RESULT_MAP, "between 1 and 10000");
    FAILS(farstride_atlas_new(3, 2, NULL, &empty), FARSTRIDE_RESULT_ARGUMENT, "null");
    EXPECT(empty == NULL);

    farstride_trip_plan_free(plan);
    farstride_trip_plan_free(NULL);
    farstride_scratch_free(scratch);
    farstride_atlas_free(atlas);
    farstride_atlas_free(NULL);
}

enum { UNITS = 200 };

/* The steps of many plans are those of each, with any number of scratches, after edits, too. */
static void steps_of_many(void) {
    FarstrideGrid *grid = NULL;
    FarstridePlanner *planner = NULL;
    FarstrideScratch *scratches[3];
    OK(farstride_grid_new(60, 40, NULL, NULL, &grid));
    OK(farstride_planner_new(grid, "hpa", "cluster=10", NULL, &planner));
    for (int i = 0; i < 3; i++) {
        OK(farstride_scratch_new(&scratches[i]));
    }
    FarstridePlan *alone[UNITS], *together[UNITS];
    FarstrideStatus status;
    for (int i = 0; i < UNITS; i++) {
        int x = i % 50, y = i / 50;
        OK(farstride_plan_new(planner, scratches[0], x, y, 59 - x, 39 - y, &status, &alone[i]));
        OK(farstride_plan_new(planner, scratches[0], x, y, 59 - x, 39 - y, &status, &together[i]));
    }
    FarstrideStep steps[UNITS], step;
    FarstrideCell cells[UNITS], cell;
    for (int tick = 0; tick < 45; tick++) {
        if (tick == 10) {
            FarstrideEdit wall = {0, 20, 55, 1, 0};
            OK(farstride_planner_edit(planner, &wall, 1));
        }
        OK(farstride_step_many(planner, together, UNITS, scratches, 1 + tick % 3, steps, cells));
        for (int i = 0; i < UNITS; i++) {
            OK(farstride_plan_step(alone[i], planner, scratches[0], &step, &cell));
            EXPECT(step == steps[i] && cell.x == cells[i].x && cell.y == cells[i].y);
        }
    }
    OK(farstride_step_many(planner, NULL, 0, NULL, 0, NULL, NULL));
    FAILS(farstride_step_many(planner, together, 2, NULL, 0, steps, cells), FARSTRIDE_RESULT_ARGUMENT, "one scratch");
    FAILS(farstride_step_many(planner, together, 2, scratches, 1, steps, NULL), FARSTRIDE_RESULT_ARGUMENT, "null");
    FarstridePlan *twice[] = {together[0], together[1], together[0]}, *with_null[] = {together[0], NULL};
    FAILS(farstride_step_many(planner, twice, 3, scratches, 2, steps, cells), FARSTRIDE_RESULT_HANDLE, "twice");
    FAILS(farstride_step_many(planner, with_null, 2, scratches, 2, steps, cells), FARSTRIDE_RESULT_HANDLE, "null");
    FarstrideScratch *one[] = {scratches[0], scratches[0]};
    FAILS(farstride_step_many(planner, together, 2, one, 2, steps, cells), FARSTRIDE_RESULT_HANDLE, "twice");
    for (int i = 0; i < UNITS; i++) {
        farstride_plan_free(alone[i]);
        farstride_plan_free(together[i]);
    }
    for (int i = 0; i < 3; i++) {
        farstride_scratch_free(scratches[i]);
    }
    farstride_planner_free(planner);
    farstride_grid_free(grid);
}

/* A body of one cell keeps wide of a corner that a point may touch; maps choose an engine for any angle. */
static void any_angle(void) {
    uint8_t weights[30 * 20];
    memset(weights, 1, sizeof weights);
    for (int y = 0; y < 15; y++) {
        weights[y * 30 + 12] = 0;
    }
    FarstrideGrid *grid = NULL;
    FarstrideScratch *scratch = NULL;
    OK(farstride_grid_new(30, 20, weights, NULL, &grid));
    OK(farstride_scratch_new(&scratch));
    double lengths[2];
    static const char *const rules[] = {"rule=touch", "rule=body"};
    FarstrideQuery query = {0};
    query.goal_x = 29;
    FarstrideRoute route;
    for (int i = 0; i < 2; i++) {
        FarstridePlanner *planner = NULL;
        OK(farstride_planner_new(grid, "straight", rules[i], NULL, &planner));
        OK(farstride_find(planner, scratch, &query, &route));
        EXPECT(route.status == FARSTRIDE_STATUS_FOUND && route.form == FARSTRIDE_FORM_HALVES);
        lengths[i] = route.length;
        farstride_planner_free(planner);
    }
    EXPECT(lengths[1] > lengths[0] && lengths[0] > 29.0);
    FarstridePlanner *planner = NULL;
    FAILS(farstride_planner_new(grid, "straight", "rule=round", NULL, &planner), FARSTRIDE_RESULT_SETTINGS,
          "touch or body");
    FAILS(farstride_planner_new(grid, "any-angle", "rule=body", NULL, &planner), FARSTRIDE_RESULT_SETTINGS, "name one");
    OK(farstride_planner_new(grid, "any-angle", NULL, NULL, &planner));
    EXPECT(strcmp(farstride_planner_engine(planner), "straight") == 0);
    OK(farstride_find(planner, scratch, &query, &route));
    EXPECT(route.length == lengths[0]);
    FarstrideEdit wall = {12, 15, 1, 1, 0};
    OK(farstride_planner_edit(planner, &wall, 1));
    EXPECT(strcmp(farstride_planner_engine(planner), "hpt") == 0);
    farstride_planner_free(planner);
    farstride_scratch_free(scratch);
    farstride_grid_free(grid);
}

static const char *write_file(const char *folder, const char *name, const char *text) {
    static char file[4096];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    FILE *out = fopen(file, "wb");
    EXPECT(out != NULL && fwrite(text, 1, strlen(text), out) == strlen(text) && fclose(out) == 0);
    return file;
}

static const char TILED[] =
    "<?xml version=\"1.0\"?><map version=\"1.10\" orientation=\"orthogonal\" width=\"3\" height=\"2\" "
    "tilewidth=\"8\" tileheight=\"8\" infinite=\"0\"><tileset firstgid=\"1\" name=\"ground\" tilewidth=\"8\" "
    "tileheight=\"8\" tilecount=\"3\" columns=\"3\"><image source=\"ground.png\" width=\"24\" height=\"8\"/>"
    "<tile id=\"0\" type=\"grass\"/><tile id=\"1\" type=\"water\"/></tileset>"
    "<layer id=\"1\" name=\"low\" width=\"3\" height=\"2\"><data encoding=\"csv\">1,2,1,1,1,1</data></layer>"
    "<layer id=\"2\" name=\"high\" width=\"3\" height=\"2\"><data encoding=\"csv\">0,2,0,0,0,0</data></layer></map>";

static const char LDTK[] =
    "{\"jsonVersion\":\"1.5.3\",\"externalLevels\":false,\"defs\":{\"layers\":[{\"uid\":1,\"identifier\":\"Ground\","
    "\"intGridValues\":[{\"value\":1,\"identifier\":\"grass\"}]}]},\"levels\":[{\"identifier\":\"One\",\"worldX\":0,"
    "\"worldY\":0,\"layerInstances\":[{\"__type\":\"IntGrid\",\"__identifier\":\"Ground\",\"__cWid\":3,\"__cHei\":2,"
    "\"__gridSize\":8,\"layerDefUid\":1,\"intGridCsv\":[1,0,1,1,1,1]}]}]}";

/* Worlds from the files of editors: floors, and classes by their names. */
static void files(const char *folder) {
    FarstrideAtlas *atlas = NULL;
    OK(farstride_atlas_load_tiled(write_file(folder, "world.tmx", TILED), 0, &atlas));
    uint32_t width = 0, height = 0;
    uint8_t grass = 99, water = 99, classes[6];
    EXPECT(farstride_atlas_floor_count(atlas) == 2);
    OK(farstride_atlas_floor_size(atlas, 1, &width, &height));
    EXPECT(width == 3 && height == 2);
    OK(farstride_atlas_class_named(atlas, "grass", &grass));
    OK(farstride_atlas_class_named(atlas, "water", &water));
    EXPECT(grass != water && strcmp(farstride_atlas_class_name(atlas, water), "water") == 0);
    EXPECT(farstride_atlas_class_name(atlas, 255) == NULL && farstride_atlas_class_name(NULL, 0) == NULL);
    OK(farstride_atlas_classes(atlas, 0, classes, 6));
    EXPECT(classes[0] == grass && classes[1] == water && classes[5] == grass);
    FAILS(farstride_atlas_classes(atlas, 0, classes, 5), FARSTRIDE_RESULT_QUERY, "room for 5 classes");
    FAILS(farstride_atlas_classes(atlas, 2, classes, 6), FARSTRIDE_RESULT_QUERY, "no floor 2: there are 2");
    FAILS(farstride_atlas_class_named(atlas, "lava", &grass), FARSTRIDE_RESULT_QUERY, "'grass', 'water'");
    FAILS(farstride_atlas_class_named(atlas, NULL, &grass), FARSTRIDE_RESULT_ARGUMENT, "null");
    FAILS(farstride_atlas_floor_size(atlas, 9, &width, &height), FARSTRIDE_RESULT_QUERY, "no floor 9");

    uint8_t costs[256] = {0};
    costs[grass] = 1;
    FarstrideMover walker = {0};
    walker.costs = costs;
    uint32_t mover;
    OK(farstride_atlas_add_mover(atlas, &walker, &mover));
    FarstrideScratch *scratch = NULL;
    OK(farstride_scratch_new(&scratch));
    FarstrideTrip trip;
    OK(farstride_atlas_find(atlas, scratch, mover, at(0, 0, 0), at(0, 2, 0), &trip));
    EXPECT(trip.status == FARSTRIDE_STATUS_FOUND && trip.cost == 4 * 4756);
    farstride_atlas_free(atlas);

    OK(farstride_atlas_load_tiled(write_file(folder, "world.tmx", TILED), 7, &atlas));
    EXPECT(farstride_atlas_floor_count(atlas) == 1);
    farstride_atlas_free(atlas);
    OK(farstride_atlas_load_ldtk(write_file(folder, "world.ldtk", LDTK), &atlas));
    OK(farstride_atlas_class_named(atlas, "grass", &grass));
    OK(farstride_atlas_classes(atlas, 0, classes, 6));
    EXPECT(classes[0] == grass && classes[1] != grass && classes[2] == grass);
    farstride_atlas_free(atlas);

    FarstrideAtlas *none = NULL;
    FAILS(farstride_atlas_load_tiled(write_file(folder, "bad.tmx", "<map/>"), 0, &none), FARSTRIDE_RESULT_MAP,
          "bad.tmx");
    FAILS(farstride_atlas_load_ldtk(write_file(folder, "bad.ldtk", "{}"), &none), FARSTRIDE_RESULT_MAP, "bad.ldtk");
    FAILS(farstride_atlas_load_ldtk("no/such/file.ldtk", &none), FARSTRIDE_RESULT_FILE, "no/such/file.ldtk");
    FAILS(farstride_atlas_load_tiled(NULL, 0, &none), FARSTRIDE_RESULT_ARGUMENT, "null");
    EXPECT(none == NULL && farstride_atlas_floor_count(NULL) == 0);
    farstride_scratch_free(scratch);
}

/* Many plans are those of each; a field of a floor follows edits. */
static void many_trips(void) {
    int64_t stairs[2];
    FarstrideAtlas *atlas = make_world(stairs);
    uint32_t dwarf = add_mover(atlas, "labels", 1, 0);
    FarstrideScratch *scratch = NULL;
    OK(farstride_scratch_new(&scratch));
    FarstridePlace starts[3] = {{0, 0, 0}, {0, 6, 1}, {0, 3, 0}}, goals[3] = {{0, 6, 0}, {0, 6, 1}, {0, 0, 0}};
    FarstrideStatus statuses[3], status;
    FarstrideTripPlan *plans[3], *alone;
    for (uint32_t threads = 0; threads < 3; threads++) {
        OK(farstride_trip_plan_many(atlas, dwarf, starts, goals, 3, threads, statuses, plans));
        EXPECT(statuses[0] == FARSTRIDE_STATUS_FOUND && statuses[1] == FARSTRIDE_STATUS_ALREADY_THERE);
        EXPECT(statuses[2] == FARSTRIDE_STATUS_START_BLOCKED && plans[1] == NULL && plans[2] == NULL);
        OK(farstride_trip_plan_new(atlas, scratch, dwarf, starts[0], goals[0], &status, &alone));
        FarstrideTripStep step, other;
        FarstridePlace place, there;
        do {
            OK(farstride_trip_plan_step(plans[0], atlas, scratch, &step, &place, NULL));
            OK(farstride_trip_plan_step(alone, atlas, scratch, &other, &there, NULL));
            EXPECT(step == other && same(place, there));
        } while (step == FARSTRIDE_TRIP_STEP_WALK || step == FARSTRIDE_TRIP_STEP_LINK);
        EXPECT(step == FARSTRIDE_TRIP_STEP_ARRIVED);
        farstride_trip_plan_free(alone);
        farstride_trip_plan_free(plans[0]);
    }
    OK(farstride_trip_plan_many(atlas, dwarf, NULL, NULL, 0, 1, NULL, NULL));
    FAILS(farstride_trip_plan_many(atlas, dwarf, starts, NULL, 3, 1, statuses, plans), FARSTRIDE_RESULT_ARGUMENT, "null");
    FAILS(farstride_trip_plan_many(atlas, 5, starts, goals, 3, 1, statuses, plans), FARSTRIDE_RESULT_QUERY, "no mover 5");
    goals[1].floor = 8;
    FAILS(farstride_trip_plan_many(atlas, dwarf, starts, goals, 3, 1, statuses, plans), FARSTRIDE_RESULT_QUERY, "floor 8");

    FarstrideField *field = NULL, *other = NULL;
    FarstrideCell mine = {6, 0}, next, off = {7, 0};
    int64_t cost;
    OK(farstride_atlas_field_new(atlas, dwarf, 1, &mine, 1, &field));
    OK(farstride_atlas_field_ask(field, atlas, 0, 0, &cost, &next));
    EXPECT(cost == 6 * 4756 && next.x == 1);
    FarstrideFill wall = {1, {3, 0, 1, 1}, '#'};
    OK(farstride_atlas_edit(atlas, &wall, 1));
    OK(farstride_atlas_field_ask(field, atlas, 2, 0, &cost, &next));
    EXPECT(cost == 4 * 4756 + 6726 && next.x == 2 && next.y == 1);
    FAILS(farstride_atlas_field_ask(field, atlas, 7, 0, &cost, &next), FARSTRIDE_RESULT_QUERY, "cell 7,0");
    FAILS(farstride_atlas_field_new(atlas, dwarf, 1, &off, 1, &other), FARSTRIDE_RESULT_QUERY, "cell 7,0");
    FAILS(farstride_atlas_field_new(atlas, dwarf, 2, &mine, 1, &other), FARSTRIDE_RESULT_QUERY, "no floor 2");

    /* A field belongs to a world or to a planner, and says which. */
    FarstrideGrid *grid = NULL;
    FarstridePlanner *planner = NULL;
    OK(farstride_grid_new(9, 9, NULL, NULL, &grid));
    OK(farstride_planner_new(grid, "astar", NULL, NULL, &planner));
    OK(farstride_field_new(planner, &mine, 1, &other));
    FAILS(farstride_field_ask(field, planner, 0, 0, &cost, &next), FARSTRIDE_RESULT_HANDLE, "one of a world");
    FAILS(farstride_atlas_field_ask(other, atlas, 0, 0, &cost, &next), FARSTRIDE_RESULT_HANDLE, "one of a planner");
    farstride_field_free(other);
    farstride_field_free(field);
    farstride_planner_free(planner);
    farstride_grid_free(grid);
    farstride_scratch_free(scratch);
    farstride_atlas_free(atlas);
}

int main(int argc, char **argv) {
    trips();
    many_trips();
    files(argc > 1 ? argv[1] : ".");
    steps_of_many();
    any_angle();
    puts("the C suite of worlds holds");
    return 0;
}
