/* Judges paths by the rules of both tracks of the competition. Shares nothing with the engine.
 *
 * All of it is exact: coordinates are counted in halves of a cell, as whole numbers.
 */
#ifndef FARSTRIDE_GPPC_JUDGE_HPP
#define FARSTRIDE_GPPC_JUDGE_HPP

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

struct Map {
    int width = 0, height = 0;
    std::vector<bool> free;
    bool is_free(long x, long y) const {
        return x >= 0 && y >= 0 && x < width && y < height && free[static_cast<std::size_t>(y * width + x)];
    }
};

/* A point in halves of a cell. */
struct Half {
    long x, y;
};

/* Classic: straight or diagonal, over free cells, no diagonal step past a blocked one. */
inline bool is_legal_step(const Map &map, long ax, long ay, long bx, long by) {
    const long dx = bx - ax, dy = by - ay;
    const long steps = std::max(std::labs(dx), std::labs(dy));
    if (steps == 0 || (dx != 0 && dy != 0 && std::labs(dx) != std::labs(dy))) {
        return false;
    }
    const long sx = dx / steps, sy = dy / steps;
    for (long x = ax, y = ay; x != bx || y != by; x += sx, y += sy) {
        if (!map.is_free(x, y) || !map.is_free(x + sx, y + sy) || !map.is_free(x + sx, y) ||
            !map.is_free(x, y + sy)) {
            return false;
        }
    }
    return true;
}

/* Whether two blocked cells meet at a corner of cells, and the two others are free; `main` is set if the
 * blocked ones are upper left and lower right. */
inline bool is_double_corner(const Map &map, long x, long y, bool &main) {
    const bool a = map.is_free(x - 1, y - 1), b = map.is_free(x, y - 1), c = map.is_free(x - 1, y),
               d = map.is_free(x, y);
    main = !a;
    return (!a && !d && b && c) || (a && d && !b && !c);
}

inline long floor_half(long halves) { return halves >= 0 ? halves / 2 : -((1 - halves) / 2); }

/* Any-angle: not through the inside of a blocked cell, not along an edge between two of them, not
 * between two that meet at a corner. */
inline bool is_legal_leg(const Map &map, Half a, Half b) {
    const long dx = b.x - a.x, dy = b.y - a.y;
    if (dx == 0 && dy == 0) {
        return false;
    }
    const long left = floor_half(std::min(a.x, b.x)) - 1, right = floor_half(std::max(a.x, b.x)) + 1;
    for (long x = left; x <= right; ++x) {
        // Rows that the leg can touch in this column, and one more on either side.
        long low = std::min(a.y, b.y), high = std::max(a.y, b.y);
        if (dx != 0) {
            const double slope = static_cast<double>(dy) / static_cast<double>(dx);
            const double y1 = a.y + slope * (2.0 * x - a.x), y2 = a.y + slope * (2.0 * x + 2 - a.x);
            low = std::max(low, static_cast<long>(std::floor(std::min(y1, y2))) - 2);
            high = std::min(high, static_cast<long>(std::ceil(std::max(y1, y2))) + 2);
        }
        for (long y = floor_half(low) - 1; y <= floor_half(high) + 1; ++y) {
            const bool beside_x = std::max(a.x, b.x) <= 2 * x || std::min(a.x, b.x) >= 2 * x + 2;
            const bool beside_y = std::max(a.y, b.y) <= 2 * y || std::min(a.y, b.y) >= 2 * y + 2;
            const long off = dx * (2 * y + 1 - a.y) - dy * (2 * x + 1 - a.x);
            const bool beside_line = std::labs(off) >= std::labs(dx) + std::labs(dy);
            if (!map.is_free(x, y) && !beside_x && !beside_y && !beside_line) {
                return false;
            }
            // The corner at the upper left of this cell, if it is inside the leg.
            const bool on_line = dx * (2 * y - a.y) == dy * (2 * x - a.x);
            const long along = dx * (2 * x - a.x) + dy * (2 * y - a.y);
            bool main = false;
            if (on_line && along > 0 && along < dx * dx + dy * dy && is_double_corner(map, x, y, main)) {
                return false;
            }
            // Edges of this cell that a straight leg runs along.
            const bool along_top = dy == 0 && a.y == 2 * y && !beside_x;
            const bool along_left = dx == 0 && a.x == 2 * x && !beside_y;
            if ((along_top && !map.is_free(x, y) && !map.is_free(x, y - 1)) ||
                (along_left && !map.is_free(x, y) && !map.is_free(x - 1, y))) {
                return false;
            }
        }
    }
    return true;
}

/* Whether a leg may leave a corner where two blocked cells meet in this direction: for a start or a
 * goal, only into the cell it belongs to. */
inline bool leaves_into_own_cell(const Map &map, Half at, Half towards) {
    bool main = false;
    if (at.x % 2 != 0 || at.y % 2 != 0 || !is_double_corner(map, at.x / 2, at.y / 2, main)) {
        return true;
    }
    return towards.x >= at.x && towards.y >= at.y;
}

/* Whether a path that turns at such a corner stays on one side of it. */
inline bool stays_on_a_side(const Map &map, Half before, Half at, Half after) {
    bool main = false;
    if (at.x % 2 != 0 || at.y % 2 != 0 || !is_double_corner(map, at.x / 2, at.y / 2, main)) {
        return true;
    }
    // The blocked cells lie on one diagonal, the free ones on either side of it.
    const auto side = [&](Half to) { return (to.x - at.x) + (main ? -1 : 1) * (to.y - at.y) > 0; };
    return side(before) == side(after);
}

inline bool is_legal_any_angle(const Map &map, const std::vector<Half> &path) {
    for (std::size_t at = 0; at + 1 < path.size(); ++at) {
        if (!is_legal_leg(map, path[at], path[at + 1])) {
            return false;
        }
        if (at > 0 && !stays_on_a_side(map, path[at - 1], path[at], path[at + 1])) {
            return false;
        }
    }
    return path.size() >= 2 && leaves_into_own_cell(map, path.front(), path[1]) &&
           leaves_into_own_cell(map, path.back(), path[path.size() - 2]);
}

#endif
