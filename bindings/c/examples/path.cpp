// A map, a path, an edit and a walk.
#include <farstride.hpp>

#include <iostream>
#include <vector>

int main() {
    std::vector<std::uint8_t> weights(40 * 20, 1);
    for (int x = 5; x < 40; x++) {
        weights[8 * 40 + x] = 0; // a wall
    }
    farstride::Planner planner(farstride::Grid(40, 20, weights), "hpa", "cluster=10");
    farstride::Scratch scratch; // one for each thread

    auto route = planner.find(30, 2, 30, 15, scratch);
    std::cout << "length " << route.length() << ", " << route.cells().size() << " cells\n";

    planner.edit(std::vector<farstride::Edit>{{30, 8, 1, 1, 1}}); // a door; the index follows
    auto plan = planner.plan(30, 2, 30, 15, scratch);
    int steps = 0;
    while (plan && plan->next(scratch)) {
        steps++;
    }
    std::cout << steps << " steps through the door\n";
    return steps == 13 ? 0 : 1;
}
