/* The tests of farstride.h. Run under AddressSanitizer, UBSan and valgrind by bindings/test. */
#include "check.h"

#include <pthread.h>
#include <stdint.h>

enum { WIDTH = 60, HEIGHT = 40 };

static uint8_t weights[WIDTH * HEIGHT];

/* A map with about a quarter of its cells blocked; the same every time. */
static FarstrideGrid *make_grid(void) {
    uint32_t state = 12345;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        state = state * 1664525u + 1013904223u;
        weights[i] = (state >> 24) % 4 != 0;
    }
    FarstrideGrid *grid = NULL;
    OK(farstride_grid_new(WIDTH, HEIGHT, weights, NULL, &grid));
    return grid;
}

static FarstridePlanner *make_planner(const FarstrideGrid *grid, const char *engine) {
    FarstridePlanner *planner = NULL;
    OK(farstride_planner_new(grid, engine, NULL, NULL, &planner));
    return planner;
}

static FarstrideQuery query_at(int number) {
    FarstrideQuery query = {0};
    query.start_x = number * 7 % WIDTH, query.start_y = number * 13 % HEIGHT;
    query.goal_x = (number * 31 + 20) % WIDTH, query.goal_y = (number * 17 + 9) % HEIGHT;
    return query;
}

static int is_free(const uint8_t *cells, int x, int y) { return cells[y * WIDTH + x] != 0; }

/* Checks that a path is legal under the strict rule, and returns its cost. */
static uint64_t walk(const uint8_t *cells, const FarstrideRoute *route) {
    uint64_t cost = 0;
    for (size_t i = 1; i < route->count; i++) {
        FarstrideCell a = route->cells[i - 1], b = route->cells[i];
        int dx = abs(a.x - b.x), dy = abs(a.y - b.y);
        EXPECT((dx | dy) == 1);
        EXPECT(is_free(cells, b.x, b.y) && is_free(cells, a.x, b.y) && is_free(cells, b.x, a.y));
        cost += dx && dy ? 6726 : 4756;
    }
    return cost;
}

/* The oracle: distances from a start by relaxing until nothing changes. */
static void distances(const uint8_t *cells, int x, int y, uint64_t *best) {
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        best[i] = UINT64_MAX;
    }
    if (!is_free(cells, x, y)) {
        return;
    }
    best[y * WIDTH + x] = 0;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            if (best[i] == UINT64_MAX) {
                continue;
            }
            for (int d = 0; d < 9; d++) {
                int ax = i % WIDTH, ay = i / WIDTH, bx = ax + d % 3 - 1, by = ay + d / 3 - 1;
                if (bx < 0 || by < 0 || bx >= WIDTH || by >= HEIGHT || !is_free(cells, bx, by) ||
                    !is_free(cells, ax, by) || !is_free(cells, bx, ay)) {
                    continue;
                }
                uint64_t cost = best[i] + (ax != bx && ay != by ? 6726 : d == 4 ? 0 : 4756);
                if (cost < best[by * WIDTH + bx]) {
                    best[by * WIDTH + bx] = cost, changed = 1;
                }
            }
        }
    }
}

static void answers_are_those_of_the_oracle(void) {
    static const char *const engines[] = {NULL, "labels", "nsg+", "ssg", "astar", "dijkstra", "hpa", "groups"};
    FarstrideGrid *grid = make_grid();
    FarstrideScratch *scratch = NULL;
    OK(farstride_scratch_new(&scratch));
    uint64_t *best = malloc(sizeof(uint64_t) * WIDTH * HEIGHT);
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
        FarstridePlanner *planner = make_planner(grid, engines[e]);
        int optimal = e < 6, found = 0;
        EXPECT(engines[e] == NULL || strcmp(farstride_planner_engine(planner), engines[e]) == 0);
        for (int i = 0; i < 60; i++) {
            FarstrideQuery query = query_at(i);
            FarstrideRoute route;
            OK(farstride_find(planner, scratch, &query, &route));
            distances(weights, query.start_x, query.start_y, best);
            uint64_t expected = best[query.goal_y * WIDTH + query.goal_x];
            if (!is_free(weights, query.start_x, query.start_y)) {
                EXPECT(route.status == FARSTRIDE_STATUS_START_BLOCKED && route.count == 0);
            } else if (!is_free(weights, query.goal_x, query.goal_y)) {
                EXPECT(route.status == FARSTRIDE_STATUS_GOAL_BLOCKED);
            } else if (expected == UINT64_MAX) {
                EXPECT(route.status == FARSTRIDE_STATUS_UNREACHABLE);
            } else if (expected == 0) {
                EXPECT(route.status == FARSTRIDE_STATUS_ALREADY_THERE && route.count == 1);
            } else {
                found++;
                EXPECT(route.status == FARSTRIDE_STATUS_FOUND && route.form == FARSTRIDE_FORM_CELLS);
                EXPECT(walk(weights, &route) == route.cost && route.cost >= expected);
                EXPECT(!optimal || route.cost == expected);
                EXPECT(route.cells[0].x == query.start_x && route.cells[route.count - 1].y == query.goal_y);
                query.detail = FARSTRIDE_DETAIL_COST;
                FarstrideRoute again;
                OK(farstride_find(planner, scratch, &query, &again));
                EXPECT(again.cost == route.cost && again.count == 0 && again.cells == NULL);
                query.detail = FARSTRIDE_DETAIL_FIRST, query.first = 2;
                OK(farstride_find(planner, scratch, &query, &again));
                EXPECT(again.count <= 3);
            }
        }
        EXPECT(found > 20);
        farstride_planner_free(planner);
    }
    free(best);
    farstride_scratch_free(scratch);
    farstride_grid_free(grid);
}

static void batches_tables_and_nearest_agree_with_single_queries(void) {
    enum { COUNT = 50 };
    FarstrideGrid *grid = make_grid();
    FarstridePlanner *planner = make_planner(grid, "labels");
    farstride_grid_free(grid); /* the planner keeps the map */
    FarstrideScratch *scratch = NULL;
    OK(farstride_scratch_new(&scratch));
    FarstrideQuery queries[COUNT];
    FarstrideCell starts[COUNT], goals[COUNT];
    for (int i = 0; i < COUNT; i++) {
        queries[i] = query_at(i);
        if (i == 7) {
            queries[i].goal_x = queries[i].start_x, queries[i].goal_y = queries[i].start_y;
        }
        starts[i].x = (uint16_t)queries[i].start_x, starts[i].y = (uint16_t)queries[i].start_y;
        goals[i].x = (uint16_t)queries[i].goal_x, goals[i].y = (uint16_t)queries[i].goal_y;
    }
    for (unsigned threads = 0; threads < 4; threads++) {
        FarstrideRoutes *routes = NULL;
        OK(farstride_find_many(planner, queries, COUNT, threads, &routes));
        for (int i = 0; i < COUNT; i++) {
            FarstrideRoute many, single;
            OK(farstride_routes_get(routes, (size_t)i, &many));
            OK(farstride_find(planner, scratch, &queries[i], &single));
            EXPECT(many.status == single.status && many.cost == single.cost && many.count == single.count);
            EXPECT(many.count == 0 || memcmp(many.cells, single.cells, many.count * sizeof *many.cells) == 0);
        }
        FarstrideRoute route;
        FAILS(farstride_routes_get(routes, COUNT, &route), FARSTRIDE_RESULT_QUERY, "there are 50");
        farstride_routes_free(routes);
    }
    static int64_t table[COUNT * COUNT];
    OK(farstride_cost_table(planner, starts, COUNT, goals, COUNT, 2, table));
    for (int i = 0; i < COUNT; i++) {
        size_t which = 99;
        FarstrideRoute route;
        OK(farstride_nearest(planner, scratch, starts[i].x, starts[i].y, goals, COUNT, &which, &route));
        size_t least = SIZE_MAX;
        for (size_t j = 0; j < COUNT; j++) {
            int64_t cost = table[(size_t)i * COUNT + j];
            if (cost >= 0 && (least == SIZE_MAX || cost < table[(size_t)i * COUNT + least])) {
                least = j;
            }
        }
        EXPECT(which == least);
        EXPECT(which == SIZE_MAX || (int64_t)route.cost == table[(size_t)i * COUNT + which]);
    }
    OK(farstride_cost_table(planner, NULL, 0, goals, COUNT, 1, NULL));
    farstride_scratch_free(scratch);
    farstride_planner_free(planner);
}

static void edits_and_plans(void) {
    FarstrideGrid *grid = NULL;
    OK(farstride_grid_new(WIDTH, HEIGHT, NULL, "strict", &grid));
    FarstridePlanner *planner = NULL;
    OK(farstride_planner_new(grid, "hpa", "cluster=8,levels=2", NULL, &planner));
    FarstrideScratch *scratch = NULL;
    OK(farstride_scratch_new(&scratch));
    FarstrideStatus status;
    FarstridePlan *plan = NULL;
    OK(farstride_plan_new(planner, scratch, 2, 20, 55, 20, &status, &plan));
    EXPECT(status == FARSTRIDE_STATUS_FOUND && plan != NULL);
    FarstrideStep step;
    FarstrideCell cell;
    for (int i = 0; i < 5; i++) {
        OK(farstride_plan_step(plan, planner, scratch, &step, &cell));
        EXPECT(step == FARSTRIDE_STEP_TO);
    }
    FarstrideEdit wall = {30, 0, 1, HEIGHT, 0}, door = {30, 3, 1, 1, 1};
    OK(farstride_planner_edit(planner, &wall, 1));
    OK(farstride_plan_step(plan, planner, scratch, &step, &cell));
    EXPECT(step == FARSTRIDE_STEP_UNREACHABLE);
    OK(farstride_planner_edit(planner, &door, 1));
    int steps = 0, through = 0;
    do {
        OK(farstride_plan_step(plan, planner, scratch, &step, &cell));
        through |= cell.x == 30 && cell.y == 3;
    } while (step == FARSTRIDE_STEP_TO && ++steps < 1000);
    EXPECT(step == FARSTRIDE_STEP_ARRIVED && through && farstride_plan_replans(plan) > 0);
    EXPECT(farstride_plan_position(plan).x == 55);
    OK(farstride_plan_stand_at(plan, planner, 50, 20));
    EXPECT(farstride_plan_position(plan).x == 50);
    farstride_plan_free(plan);
    OK(farstride_plan_new(planner, scratch, 30, 0, 1, 1, &status, &plan));
    EXPECT(status == FARSTRIDE_STATUS_START_BLOCKED && plan == NULL);
    uint8_t now[WIDTH * HEIGHT];
    OK(farstride_planner_weights(planner, now, sizeof now));
    EXPECT(now[30] == 0 && now[3 * WIDTH + 30] == 1 && farstride_grid_weight(grid, 30, 0) == 1);
    FarstrideEdit wrong[2] = {{0, 0, 1, 1, 0}, {59, 0, 2, 1, 0}};
    FAILS(farstride_planner_edit(planner, wrong, 2), FARSTRIDE_RESULT_QUERY, "not on the map");
    OK(farstride_planner_weights(planner, now, sizeof now));
    EXPECT(now[0] == 1); /* nothing was carried out */
    farstride_scratch_free(scratch);
    farstride_planner_free(planner);
    farstride_grid_free(grid);
}

/* Zones, substitutes, fields and groups, by the same oracle. */
static void orders(void) {
    static const char *const engines[] = {"labels", "hpa", "astar"};
    static uint64_t best[WIDTH * HEIGHT];
    static uint8_t left[WIDTH * HEIGHT];
    FarstrideGrid *grid = make_grid();
    FarstrideScratch *scratch = NULL;
    OK(farstride_scratch_new(&scratch));
    const FarstrideRect zones[] = {{-5, 10, 40, 4}, {30, 20, 100, 3}, {70, 0, 3, 3}};
    memcpy(left, weights, sizeof left);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            if ((y >= 10 && y < 14 && x < 35) || (y >= 20 && y < 23 && x >= 30)) {
                left[y * WIDTH + x] = 0;
            }
        }
    }
    for (int e = 0; e < 3; e++) {
        FarstridePlanner *planner = make_planner(grid, engines[e]);
        for (int i = 0; i < 25; i++) {
            FarstrideQuery query = query_at(i);
            FarstrideRoute route;
            OK(farstride_find_avoiding(planner, scratch, &query, zones, 3, &route));
            distances(left, query.start_x, query.start_y, best);
            uint64_t expected = best[query.goal_y * WIDTH + query.goal_x];
            EXPECT((route.status <= FARSTRIDE_STATUS_ALREADY_THERE) == (expected != UINT64_MAX));
            if (route.status == FARSTRIDE_STATUS_FOUND) {
                EXPECT(walk(left, &route) == route.cost);
                EXPECT(route.cost == expected || e == 1);
            }
            OK(farstride_substitute(planner, &query));
            OK(farstride_find(planner, scratch, &query, &route));
            EXPECT(route.status <= FARSTRIDE_STATUS_ALREADY_THERE);
        }
        FarstrideCell goal = {0, 0};
        FarstrideCell starts[WIDTH];
        while (!is_free(weights, goal.x, goal.y)) {
            goal.x++;
        }
        FarstrideField *field = NULL;
        OK(farstride_field_new(planner, &goal, 1, &field));
        distances(weights, goal.x, goal.y, best);
        for (int x = 0; x < WIDTH; x++) {
            starts[x].x = (uint16_t)x, starts[x].y = 30;
            int64_t cost = 0;
            FarstrideCell next = {0, 0};
            OK(farstride_field_ask(field, planner, x, 30, &cost, &next));
            uint64_t expected = best[30 * WIDTH + x];
            EXPECT(cost == (expected == UINT64_MAX ? -1 : (int64_t)expected));
            if (cost > 0) {
                EXPECT(best[next.y * WIDTH + next.x] < expected);
            } else {
                EXPECT(next.x == x && next.y == 30);
            }
        }
        OK(farstride_field_ask(field, planner, 0, 30, NULL, NULL));
        FarstrideStatus statuses[WIDTH];
        FarstridePlan *plans[WIDTH];
        OK(farstride_plan_group(planner, starts, WIDTH, goal.x, goal.y, 2, statuses, plans));
        for (int x = 0; x < WIDTH; x++) {
            EXPECT((statuses[x] == FARSTRIDE_STATUS_FOUND) == (plans[x] != NULL));
            EXPECT((plans[x] != NULL) == (best[30 * WIDTH + x] != UINT64_MAX));
            FarstrideStep step = FARSTRIDE_STEP_TO;
            FarstrideCell cell = starts[x];
            while (plans[x] != NULL && step == FARSTRIDE_STEP_TO) {
                OK(farstride_plan_step(plans[x], planner, scratch, &step, &cell));
            }
            EXPECT(plans[x] == NULL || (cell.x == goal.x && cell.y == goal.y));
            farstride_plan_free(plans[x]);
        }
        /* After an edit the field begins again. */
        FarstrideEdit edit = {goal.x, goal.y, 1, 1, 0};
        int64_t cost = 0;
        OK(farstride_planner_edit(planner, &edit, 1));
        OK(farstride_field_ask(field, planner, starts[1].x, 30, &cost, NULL));
        EXPECT(cost == -1);

        FarstrideQuery query = query_at(1);
        FarstrideRoute route;
        const FarstrideRect none = {0, 0, 0, 1};
        FAILS(farstride_find_avoiding(planner, scratch, &query, &none, 1, &route), FARSTRIDE_RESULT_QUERY, "has none");
        FAILS(farstride_find_avoiding(planner, scratch, &query, NULL, 1, &route), FARSTRIDE_RESULT_ARGUMENT, "null");
        FAILS(farstride_substitute(planner, NULL), FARSTRIDE_RESULT_ARGUMENT, "null");
        FAILS(farstride_field_ask(NULL, planner, 0, 0, &cost, NULL), FARSTRIDE_RESULT_HANDLE, "null");
        FAILS(farstride_field_ask(field, planner, -1, 0, &cost, NULL), FARSTRIDE_RESULT_QUERY, "cell -1,0");
        FAILS(farstride_field_ask((FarstrideField *)planner, planner, 0, 0, &cost, NULL), FARSTRIDE_RESULT_HANDLE,
              "kind");
        FAILS(farstride_field_new(planner, NULL, 1, &field), FARSTRIDE_RESULT_ARGUMENT, "null");
        FAILS(farstride_plan_group(planner, starts, WIDTH, 99, 0, 1, statuses, plans), FARSTRIDE_RESULT_QUERY, "99,0");
        FAILS(farstride_plan_group(planner, starts, WIDTH, 0, 0, 1, statuses, NULL), FARSTRIDE_RESULT_ARGUMENT, "null");
        farstride_field_free(field);
        farstride_planner_free(planner);
    }
    farstride_scratch_free(scratch);
    farstride_grid_free(grid);
}

static void index_files(const char *folder) {
    char file[512];
    snprintf(file, sizeof file, "%s/suite.fsi", folder);
    FarstrideGrid *grid = make_grid(), *other = NULL;
    OK(farstride_grid_new(WIDTH, HEIGHT, NULL, NULL, &other));
    static const char *const engines[] = {"hpa", "nsg+", "labels", "groups", "hpt"};
    for (int e = 0; e < 5; e++) {
        FarstridePlanner *built = make_planner(grid, engines[e]), *opened = NULL;
        uint64_t size = 0;
        OK(farstride_planner_save(built, file, &size));
        FILE *stream = fopen(file, "rb");
        EXPECT(stream != NULL);
        uint8_t *bytes = malloc(size);
        EXPECT(fread(bytes, 1, size, stream) == size);
        fclose(stream);
        FarstrideScratch *scratch = NULL;
        OK(farstride_scratch_new(&scratch));
        for (int how = 0; how < 3; how++) {
            if (how < 2) {
                OK(farstride_planner_open(grid, file, how == 1, &opened));
            } else {
                OK(farstride_planner_open_bytes(grid, bytes, size, &opened));
            }
            EXPECT(strcmp(farstride_planner_engine(opened), engines[e]) == 0);
            for (int i = 0; i < 20; i++) {
                FarstrideQuery query = query_at(i);
                FarstrideRoute one, two;
                OK(farstride_find(built, scratch, &query, &one));
                OK(farstride_find(opened, scratch, &query, &two));
                EXPECT(one.status == two.status && one.cost == two.cost && one.count == two.count);
            }
            farstride_planner_free(opened);
        }
        FAILS(farstride_planner_open(other, file, false, &opened), FARSTRIDE_RESULT_INDEX, "another map");
        bytes[size / 2] ^= 1;
        FAILS(farstride_planner_open_bytes(grid, bytes, size, &opened), FARSTRIDE_RESULT_INDEX, "damaged");
        FAILS(farstride_planner_open_bytes(grid, bytes, 3, &opened), FARSTRIDE_RESULT_INDEX, "cut off");
        FAILS(farstride_planner_open_bytes(grid, weights, 90, &opened), FARSTRIDE_RESULT_INDEX, "not an index");
        free(bytes);
        farstride_scratch_free(scratch);
        farstride_planner_free(built);
    }
    FarstridePlanner *planner = make_planner(grid, "astar");
    FAILS(farstride_planner_save(planner, file, NULL), FARSTRIDE_RESULT_INDEX, "has no index");
    FAILS(farstride_planner_open(grid, "no/such/file", false, &planner), FARSTRIDE_RESULT_FILE, "cannot read");
    farstride_planner_free(planner);
    farstride_grid_free(grid);
    farstride_grid_free(other);
    remove(file);
}

static void maps_from_files(const char *folder) {
    char file[512];
    snprintf(file, sizeof file, "%s/suite.map", folder);
    FILE *stream = fopen(file, "w");
    EXPECT(stream != NULL);
    fputs("type octile\nheight 1\nwidth 3\nmap\n.@S\n", stream);
    fclose(stream);
    FarstrideGrid *grid = NULL;
    OK(farstride_grid_load(file, NULL, NULL, &grid));
    EXPECT(farstride_grid_width(grid) == 3 && farstride_grid_height(grid) == 1);
    EXPECT(farstride_grid_weight(grid, 1, 0) == 0 && farstride_grid_weight(grid, 2, 0) == 1);
    EXPECT(farstride_grid_weight(grid, -1, 0) == 0 && farstride_grid_weight(grid, 3, 0) == 0);
    farstride_grid_free(grid);
    OK(farstride_grid_load(file, "S=7", "one-side", &grid));
    uint8_t three[3];
    OK(farstride_grid_weights(grid, three, 3));
    EXPECT(three[0] == 1 && three[1] == 0 && three[2] == 7);
    FAILS(farstride_grid_weights(grid, three, 2), FARSTRIDE_RESULT_QUERY, "room for 2");
    farstride_grid_free(grid);
    FAILS(farstride_grid_load(file, "S=300", NULL, &grid), FARSTRIDE_RESULT_MAP, "LETTER=WEIGHT");
    stream = fopen(file, "wb");
    fwrite("P5\n3 1\n255\n\1\0\11", 1, 14, stream);
    fclose(stream);
    OK(farstride_grid_load(file, NULL, NULL, &grid));
    EXPECT(farstride_grid_weight(grid, 2, 0) == 9);
    farstride_grid_free(grid);
    remove(file);
    FAILS(farstride_grid_load(file, NULL, NULL, &grid), FARSTRIDE_RESULT_FILE, "cannot read");
}

struct counted {
    size_t calls, last, total, stop_after;
};

static bool count(void *user, size_t done, size_t total) {
    struct counted *counted = user;
    counted->calls++, counted->last = done, counted->total = total;
    return counted->calls < counted->stop_after;
}

static void builds_report_and_stop(void) {
    FarstrideGrid *grid = make_grid();
    FarstridePlanner *planner = NULL;
    struct counted counted = {0, 0, 0, SIZE_MAX};
    FarstrideBuildOptions options = {1, count, &counted};
    OK(farstride_planner_new(grid, "nsg+", NULL, &options, &planner));
    EXPECT(counted.calls > 0 && counted.last == counted.total);
    farstride_planner_free(planner);
    counted.calls = 0, counted.stop_after = 1, planner = NULL;
    FAILS(farstride_planner_new(grid, "nsg+", NULL, &options, &planner), FARSTRIDE_RESULT_CANCELLED, "cancelled");
    EXPECT(planner == NULL && counted.calls == 1);
    farstride_grid_free(grid);
}

static void wrong_input_is_refused(void) {
    FarstrideGrid *grid = make_grid(), *none = NULL;
    FarstridePlanner *planner = make_planner(grid, "hpa"), *no_planner = NULL;
    FarstrideScratch *scratch = NULL;
    FarstrideQuery query = query_at(0);
    FarstrideRoute route;
    OK(farstride_scratch_new(&scratch));
    FAILS(farstride_grid_new(0, 5, NULL, NULL, &none), FARSTRIDE_RESULT_MAP, "between 1 and 10000");
    FAILS(farstride_grid_new(UINT32_MAX, UINT32_MAX, weights, NULL, &none), FARSTRIDE_RESULT_MAP, "between 1");
    FAILS(farstride_grid_new(5, 5, NULL, "x", &none), FARSTRIDE_RESULT_MAP, "diagonals is 'x'");
    FAILS(farstride_grid_new(5, 5, NULL, "\xff", &none), FARSTRIDE_RESULT_ARGUMENT, "UTF-8");
    FAILS(farstride_grid_new(5, 5, NULL, NULL, NULL), FARSTRIDE_RESULT_ARGUMENT, "null");
    FAILS(farstride_grid_load(NULL, NULL, NULL, &none), FARSTRIDE_RESULT_ARGUMENT, "null");
    EXPECT(none == NULL);
    FAILS(farstride_planner_new(NULL, NULL, NULL, NULL, &no_planner), FARSTRIDE_RESULT_HANDLE, "null");
    FAILS(farstride_planner_new((const FarstrideGrid *)scratch, NULL, NULL, NULL, &no_planner),
          FARSTRIDE_RESULT_HANDLE, "another kind");
    FAILS(farstride_planner_new(grid, "none", NULL, NULL, &no_planner), FARSTRIDE_RESULT_SETTINGS, "none");
    FAILS(farstride_planner_new(grid, "hpa", "cluster=1", NULL, &no_planner), FARSTRIDE_RESULT_SETTINGS, "cluster");
    FAILS(farstride_planner_new(grid, "hpa", "colour=1", NULL, &no_planner), FARSTRIDE_RESULT_SETTINGS, "colour");
    FAILS(farstride_planner_new(grid, "hpa", "cluster", NULL, &no_planner), FARSTRIDE_RESULT_SETTINGS, "cluster=16");
    FAILS(farstride_planner_new(grid, NULL, "cluster=8", NULL, &no_planner), FARSTRIDE_RESULT_SETTINGS, "name one");
    FAILS(farstride_find(NULL, scratch, &query, &route), FARSTRIDE_RESULT_HANDLE, "null");
    FAILS(farstride_find(planner, NULL, &query, &route), FARSTRIDE_RESULT_HANDLE, "null");
    FAILS(farstride_find(planner, scratch, NULL, &route), FARSTRIDE_RESULT_ARGUMENT, "null");
    FAILS(farstride_find(planner, scratch, &query, NULL), FARSTRIDE_RESULT_ARGUMENT, "null");
    FAILS(farstride_find((const FarstridePlanner *)grid, scratch, &query, &route), FARSTRIDE_RESULT_HANDLE, "kind");
    query.start_x = -1;
    FAILS(farstride_find(planner, scratch, &query, &route), FARSTRIDE_RESULT_QUERY, "cell -1,0 is not on the map");
    query = query_at(0), query.goal_y = 65536;
    FAILS(farstride_find(planner, scratch, &query, &route), FARSTRIDE_RESULT_QUERY, "not on the map");
    query = query_at(0), query.detail = 17;
    FAILS(farstride_find(planner, scratch, &query, &route), FARSTRIDE_RESULT_QUERY, "detail is 17");
    FarstrideRoutes *routes = NULL;
    FAILS(farstride_find_many(planner, NULL, 3, 1, &routes), FARSTRIDE_RESULT_ARGUMENT, "null");
    FAILS(farstride_find_many(planner, &query, SIZE_MAX, 1, &routes), FARSTRIDE_RESULT_ARGUMENT, "does not fit");
    OK(farstride_find_many(planner, NULL, 0, 1, &routes));
    farstride_routes_free(routes);
    FarstrideCell outside = {60, 0};
    int64_t cost = 0;
    FAILS(farstride_cost_table(planner, &outside, 1, &outside, 1, 1, &cost), FARSTRIDE_RESULT_QUERY, "cell 60,0");
    size_t which;
    FAILS(farstride_nearest(planner, scratch, 0, 0, &outside, 1, &which, &route), FARSTRIDE_RESULT_QUERY, "60,0");
    FarstrideStatus status;
    FarstridePlan *plan;
    FAILS(farstride_plan_new(planner, scratch, 0, 0, -5, 0, &status, &plan), FARSTRIDE_RESULT_QUERY, "cell -5,0");
    FarstridePlan *untouched = (FarstridePlan *)scratch;
    FAILS(farstride_plan_new(planner, scratch, 0, 0, 1, 1, NULL, &untouched), FARSTRIDE_RESULT_ARGUMENT, "null");
    EXPECT(untouched == (FarstridePlan *)scratch);
    FAILS(farstride_plan_step(NULL, planner, scratch, NULL, NULL), FARSTRIDE_RESULT_HANDLE, "null");
    EXPECT(farstride_grid_width(NULL) == 0 && farstride_planner_engine(NULL) == NULL);
    FarstridePlanner *weighted = NULL;
    uint8_t two[2] = {1, 9};
    FarstrideGrid *heavy = NULL;
    OK(farstride_grid_new(2, 1, two, NULL, &heavy));
    FAILS(farstride_planner_new(heavy, "labels", NULL, NULL, &weighted), FARSTRIDE_RESULT_ENGINE, "hpa");
    farstride_grid_free(heavy);
    farstride_grid_free(NULL);
    farstride_planner_free(NULL);
    farstride_scratch_free(NULL);
    farstride_plan_free(NULL);
    farstride_routes_free(NULL);
    farstride_scratch_free(scratch);
    farstride_planner_free(planner);
    farstride_grid_free(grid);
}

static const FarstridePlanner *shared;
static uint64_t expected[200];

static void *ask(void *unused) {
    (void)unused;
    FarstrideScratch *scratch = NULL;
    OK(farstride_scratch_new(&scratch));
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 200; i++) {
            FarstrideQuery query = query_at(i);
            FarstrideRoute route;
            OK(farstride_find(shared, scratch, &query, &route));
            EXPECT(route.cost + route.count == expected[i]);
        }
        FarstrideQuery outside = {-1 - round, 0, 0, 0, 0, 0, 0};
        FarstrideRoute route;
        char message[32];
        snprintf(message, sizeof message, "cell %d,0", -1 - round);
        FAILS(farstride_find(shared, scratch, &outside, &route), FARSTRIDE_RESULT_QUERY, message);
    }
    farstride_scratch_free(scratch);
    return NULL;
}

static void four_threads_get_equal_answers(void) {
    static const char *const engines[] = {"labels", "hpa", "astar"};
    FarstrideGrid *grid = make_grid();
    for (int e = 0; e < 3; e++) {
        FarstridePlanner *planner = make_planner(grid, engines[e]);
        FarstrideScratch *scratch = NULL;
        OK(farstride_scratch_new(&scratch));
        for (int i = 0; i < 200; i++) {
            FarstrideQuery query = query_at(i);
            FarstrideRoute route;
            OK(farstride_find(planner, scratch, &query, &route));
            expected[i] = route.cost + route.count;
        }
        farstride_scratch_free(scratch);
        shared = planner;
        pthread_t threads[4];
        for (int i = 0; i < 4; i++) {
            EXPECT(pthread_create(&threads[i], NULL, ask, NULL) == 0);
        }
        for (int i = 0; i < 4; i++) {
            pthread_join(threads[i], NULL);
        }
        farstride_planner_free(planner);
    }
    farstride_grid_free(grid);
}

int main(int count_of_arguments, char **arguments) {
    const char *folder = count_of_arguments > 1 ? arguments[1] : ".";
    EXPECT(farstride_abi() == FARSTRIDE_ABI && strchr(farstride_version(), '.') != NULL);
    EXPECT(strlen(farstride_last_error()) == 0);
    answers_are_those_of_the_oracle();
    batches_tables_and_nearest_agree_with_single_queries();
    edits_and_plans();
    orders();
    index_files(folder);
    maps_from_files(folder);
    builds_report_and_stop();
    wrong_input_is_refused();
    four_threads_get_equal_answers();
    puts("the C suite holds");
    return 0;
}
