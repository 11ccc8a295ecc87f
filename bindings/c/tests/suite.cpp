// The tests of farstride.hpp: that what it wraps is freed, moved and thrown as it should.
#include <farstride.hpp>

#undef NDEBUG
#include <cassert>
#include <cstdio>
#include <string>
#include <type_traits>

using namespace farstride;

static_assert(!std::is_copy_constructible_v<Planner> && std::is_nothrow_move_constructible_v<Grid>);

template <class F> static FarstrideResult thrown(F work, const std::string &says) {
    try {
        work();
    } catch (const Error &error) {
        assert(std::string(error.what()).find(says) != std::string::npos);
        return error.result();
    }
    return FARSTRIDE_RESULT_OK;
}

int main(int count, char **arguments) {
    const std::string folder = count > 1 ? arguments[1] : ".";
    std::vector<std::uint8_t> weights(30 * 20, 1);
    weights[5 * 30 + 7] = 0;
    Grid grid(30, 20, weights);
    assert(grid.width() == 30 && grid.height() == 20 && grid.weights() == weights && grid.weight(7, 5) == 0);

    Planner planner(grid);
    assert(planner.engine() == "labels");
    Scratch scratch;
    Route route = planner.find(0, 0, 10, 4, scratch);
    assert(route && route.status() == FARSTRIDE_STATUS_FOUND && route.cells().size() == 11);
    assert(route.cells().front() == (Cell{0, 0}) && route.cells().back() == (Cell{10, 4}));
    assert(!planner.find(0, 0, 7, 5, scratch));
    const std::uint64_t cost = planner.find(0, 0, 10, 4, scratch).cost();

    const Cell goals[] = {{29, 19}, {10, 4}, {7, 5}};
    auto nearest = planner.nearest(0, 0, goals, scratch);
    assert(nearest && nearest->first == 1 && nearest->second.cost() == cost);
    assert(!planner.nearest(7, 5, goals, scratch));
    auto table = planner.cost_table(std::vector<Cell>{{0, 0}}, goals);
    assert(table.size() == 3 && table[1] == static_cast<std::int64_t>(cost) && table[2] == -1);

    Query query{};
    query.goal_x = 10, query.goal_y = 4;
    Routes routes = planner.find_many(std::vector<Query>(4, query), 2);
    Routes moved = std::move(routes);
    assert(moved.size() == 4 && moved[3].cost() == cost && moved[3].cells().size() == 11);

    Planner edited(grid, "hpa", "cluster=10", 1, [](std::size_t, std::size_t) { return true; });
    auto plan = edited.plan(0, 10, 29, 10, scratch);
    assert(plan && plan->next(scratch));
    edited.edit(std::vector<Edit>{{15, 0, 1, 20, 0}});
    assert(!plan->next(scratch) && plan->step() == FARSTRIDE_STEP_UNREACHABLE);
    edited.edit(std::vector<Edit>{{15, 2, 1, 1, 1}});
    plan->stand_at(1, 1);
    while (plan->next(scratch)) {
    }
    assert(plan->step() == FARSTRIDE_STEP_ARRIVED && plan->position() == (Cell{29, 10}) && plan->replans() > 0);
    assert(!edited.plan(15, 0, 1, 1, scratch));

    const FarstrideRect zones[] = {{5, 0, 1, 19}};
    assert(planner.find_avoiding(query, zones, scratch).cost() > cost);
    Query blocked{};
    blocked.goal_x = 7, blocked.goal_y = 5;
    assert(!planner.find(blocked, scratch) && planner.find(planner.substitute(blocked), scratch));
    Field field = planner.field(goals);
    assert(field.cost(0, 0) == static_cast<std::int64_t>(cost) && field.cost(10, 4) == 0 && !field.cost(7, 5));
    assert(field.next(10, 5) == (Cell{10, 4}) && field.next(10, 4) == (Cell{10, 4}));
    auto group = planner.plan_group(std::vector<Cell>{{0, 0}, {10, 4}, {7, 5}}, 10, 4, 1);
    assert(group.size() == 3 && group[0] && !group[1] && !group[2] && group[0]->next(scratch));

    // What was made with a planner stays good when that is moved.
    Planner elsewhere = std::move(planner);
    assert(group[0]->next(scratch) && field.next(10, 5) == (Cell{10, 4}));
    planner = std::move(elsewhere);

    std::vector<Scratch> scratches(2);
    auto walkers = edited.plan_group(std::vector<Cell>{{0, 0}, {3, 3}, {29, 10}}, 29, 10, 1);
    const std::vector<Plan *> walking{&*walkers[0], &*walkers[1]};
    edited.step_many(walking, scratches);
    assert(walkers[0]->step() == FARSTRIDE_STEP_TO && walkers[0]->position() != (Cell{0, 0}));
    assert(walkers[1]->position() != (Cell{3, 3}));
    const std::vector<Plan *> twice{&*walkers[0], &*walkers[0]};
    assert(thrown([&] { edited.step_many(twice, scratches); }, "twice") == FARSTRIDE_RESULT_HANDLE);

    const std::string rooms = "...#......#...", cellar = "..............";
    auto classes = [](const std::string &text) { return std::vector<std::uint8_t>(text.begin(), text.end()); };
    Atlas atlas(7, 2, classes(rooms));
    assert(atlas.add_floor(7, 2, classes(cellar)) == 1);
    std::vector<std::uint8_t> costs(256);
    costs['.'] = 1;
    FarstrideMover mover{};
    mover.costs = costs.data();
    const std::uint32_t dwarf = atlas.add_mover(mover);
    assert(!atlas.can_reach(dwarf, {0, 0, 0}, {0, 6, 0}));
    FarstrideLink stairs{{0, 1, 1}, {1, 1, 1}, 10000, 0, 0};
    const std::int64_t first = atlas.add_link(stairs);
    stairs.from.x = stairs.to.x = 5;
    atlas.add_link(stairs);
    atlas.prepare(dwarf);
    Trip trip = atlas.find(dwarf, {0, 0, 0}, {0, 6, 0}, scratch);
    assert(trip && trip.cost() == 52476 && trip.stages().size() == 5 && trip.stages()[1].link == first);
    auto way = atlas.plan(dwarf, {0, 0, 0}, {0, 6, 0}, scratch);
    assert(way && way->next(scratch).value() == (Place{0, 1, 1}) && way->link() == -1);
    assert(way->next(scratch).value() == (Place{1, 1, 1}) && way->link() == first);
    atlas.edit(std::vector<FarstrideFill>{{1, {3, 0, 1, 2}, '#'}});
    assert(!way->next(scratch) && way->step() == FARSTRIDE_TRIP_STEP_UNREACHABLE);
    way->stand_at({0, 6, 0});
    assert(!way->next(scratch) && way->step() == FARSTRIDE_TRIP_STEP_ARRIVED);
    assert(atlas.floor_count() == 2 && atlas.floor_size(1) == std::make_pair(7u, 2u) && atlas.classes(0) == classes(rooms));
    auto both = atlas.plan_many(dwarf, std::vector<Place>{{0, 0, 0}, {0, 1, 0}}, std::vector<Place>{{0, 2, 0}, {0, 1, 0}});
    assert(both.size() == 2 && both[0] && !both[1] && both[0]->next(scratch).value() == (Place{0, 1, 0}));
    std::vector<Atlas> worlds;
    worlds.push_back(std::move(atlas));
    assert(both[0]->next(scratch).value() == (Place{0, 2, 0}) && !both[0]->next(scratch));
    atlas = std::move(worlds[0]);
    FloorField near_stairs = atlas.field(dwarf, 0, std::vector<Cell>{{1, 1}});
    assert(near_stairs.cost(0, 1) == 4756 && !near_stairs.cost(5, 0) && near_stairs.next(0, 1) == (Cell{1, 1}));
    assert(thrown([&] { atlas.class_named("lava"); }, "no class 'lava'") == FARSTRIDE_RESULT_QUERY);
    assert(thrown([&] { Atlas::load_tiled(folder + "/none.tmx"); }, "none.tmx") == FARSTRIDE_RESULT_FILE);
    assert(thrown([&] { Atlas::load_ldtk(folder + "/none.ldtk"); }, "none.ldtk") == FARSTRIDE_RESULT_FILE);
    assert(way->position() == (Place{0, 6, 0}) && way->replans() > 0);
    auto instead = atlas.substitute(dwarf, {0, 0, 0}, {1, 6, 0});
    assert(instead && instead->second == (Place{1, 2, 0}));
    auto near = atlas.nearest(dwarf, {0, 0, 0}, std::vector<Place>{{1, 0, 0}, {0, 2, 1}}, scratch);
    assert(near && near->first == 1 && near->second.stages().size() == 1);
    atlas.remove_link(first);
    assert(!atlas.plan(dwarf, {0, 0, 0}, {1, 0, 0}, scratch));
    assert(thrown([&] { atlas.remove_link(first); }, "no link") == FARSTRIDE_RESULT_QUERY);

    const std::string file = folder + "/suite-cpp.fsi";
    assert(planner.save(file) > 0);
    assert(Planner::open(grid, file).find(0, 0, 10, 4, scratch).cost() == cost);
    std::remove(file.c_str());
    assert(thrown([&] { Planner::open(grid, file); }, "cannot read") == FARSTRIDE_RESULT_FILE);
    assert(thrown([&] { planner.find(0, 0, 30, 0, scratch); }, "cell 30,0") == FARSTRIDE_RESULT_QUERY);
    assert(thrown([&] { Planner(grid, "x"); }, "x") == FARSTRIDE_RESULT_SETTINGS);
    auto stop = [](std::size_t, std::size_t) -> bool { throw 5; };
    assert(thrown([&] { Planner(grid, "labels", "", 1, stop); }, "cancelled") == FARSTRIDE_RESULT_CANCELLED);
    std::puts("the C++ suite holds");
}
