/* The judge refuses what it should. */
#undef NDEBUG
#include "judge.hpp"

#include <cassert>
#include <cstdio>
#include <string>

static Map drawn(const std::vector<std::string> &rows) {
    Map map;
    map.height = static_cast<int>(rows.size());
    map.width = static_cast<int>(rows[0].size());
    for (const auto &row : rows) {
        for (const char letter : row) {
            map.free.push_back(letter == '.');
        }
    }
    return map;
}

int main() {
    const Map map = drawn({
        "...#.",
        "#.#..",
        "#..#.",
        "##...",
    });
    assert(is_legal_step(map, 0, 0, 2, 0));
    assert(!is_legal_step(map, 0, 0, 0, 0));
    assert(!is_legal_step(map, 0, 0, 3, 0));
    assert(!is_legal_step(map, 0, 0, -1, 0));
    assert(!is_legal_step(map, 0, 0, 1, 1));
    assert(!is_legal_step(map, 0, 0, 2, 1));
    assert(is_legal_step(map, 1, 0, 1, 2));

    // Halves: the corner 1,1 is 2,2; the centre of the cell 1,1 is 3,3.
    assert(is_legal_leg(map, {0, 0}, {6, 2}));
    assert(is_legal_leg(map, {0, 0}, {3, 3}));
    assert(!is_legal_leg(map, {1, 1}, {1, 3}));
    assert(!is_legal_leg(map, {5, 1}, {7, 1}));
    assert(!is_legal_leg(map, {5, 1}, {5, 1}));
    // Along the edge of one blocked cell, but not between two, nor along the border beside one.
    assert(is_legal_leg(map, {2, 2}, {2, 6}));
    assert(is_legal_leg(map, {4, 2}, {4, 4}));
    assert(!is_legal_leg(map, {0, 4}, {2, 4}));
    assert(!is_legal_leg(map, {6, 0}, {8, 0}));
    // The cells 3,0 and 2,1 meet at a corner, upper right and lower left: 6,2. The free cells at it
    // are upper left and lower right.
    assert(!is_legal_leg(map, {5, 1}, {7, 3}));
    assert(is_legal_any_angle(map, {{4, 0}, {6, 2}, {4, 1}}));
    assert(!is_legal_any_angle(map, {{4, 0}, {6, 2}, {7, 3}}));
    // A goal at it belongs to the cell at its lower right.
    assert(is_legal_any_angle(map, {{8, 4}, {6, 2}}));
    assert(!is_legal_any_angle(map, {{4, 0}, {6, 2}}));
    assert(!is_legal_any_angle(map, {{4, 0}}));
    std::puts("the judge of paths is sound");
}
