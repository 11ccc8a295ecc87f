/* A map, a path, an edit and a walk. */
#include <farstride.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(FarstrideResult result) {
    if (result != FARSTRIDE_RESULT_OK) {
        fprintf(stderr, "farstride: %s\n", farstride_last_error());
        exit(1);
    }
}

int main(void) {
    enum { WIDTH = 40, HEIGHT = 20 };
    unsigned char weights[WIDTH * HEIGHT];
    memset(weights, 1, sizeof weights);
    for (int x = 5; x < WIDTH; x++) {
        weights[8 * WIDTH + x] = 0; /* a wall */
    }

    FarstrideGrid *grid;
    FarstridePlanner *planner;
    FarstrideScratch *scratch;
    check(farstride_grid_new(WIDTH, HEIGHT, weights, NULL, &grid));
    check(farstride_planner_new(grid, "hpa", "cluster=10", NULL, &planner));
    check(farstride_scratch_new(&scratch)); /* one for each thread */

    FarstrideQuery query = {0};
    query.start_x = 30, query.start_y = 2, query.goal_x = 30, query.goal_y = 15;
    FarstrideRoute route;
    check(farstride_find(planner, scratch, &query, &route));
    printf("status %d, length %.2f, %zu cells\n", (int)route.status, route.length, route.count);

    FarstrideEdit door = {30, 8, 1, 1, 1};
    check(farstride_planner_edit(planner, &door, 1)); /* the index follows */

    FarstrideStatus status;
    FarstridePlan *plan;
    check(farstride_plan_new(planner, scratch, 30, 2, 30, 15, &status, &plan));
    FarstrideStep step = FARSTRIDE_STEP_TO;
    int steps = 0;
    while (status == FARSTRIDE_STATUS_FOUND) {
        FarstrideCell cell;
        check(farstride_plan_step(plan, planner, scratch, &step, &cell));
        if (step != FARSTRIDE_STEP_TO) {
            break;
        }
        steps++;
    }
    printf("%d steps through the door\n", steps);

    farstride_plan_free(plan);
    farstride_scratch_free(scratch);
    farstride_planner_free(planner);
    farstride_grid_free(grid);
    return steps == 13 ? 0 : 1;
}
