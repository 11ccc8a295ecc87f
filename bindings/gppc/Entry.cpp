/* farstride as an entry of the Grid-Based Path Planning Competition.
 *
 * One file for both tracks: the harness's header says whether a location is a cell (classic) or a
 * point of the plane (any-angle). README.md says how to build it.
 */
#include "Entry.h"

#include "farstride.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

namespace {

constexpr bool ANY_ANGLE = std::is_floating_point_v<decltype(xyLoc::x)>;
constexpr const char *ENGINE = ANY_ANGLE ? "straight" : "labels";

/* What PrepareForSearch returns. The interface never frees it. */
struct Search {
    farstride::Planner planner;
    farstride::Scratch scratch;
};

farstride::Grid grid(const std::vector<bool> &bits, int width, int height) {
    const std::vector<std::uint8_t> weights(bits.begin(), bits.end());
    return farstride::Grid(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), weights);
}

/* The interface knows no errors. */
[[noreturn]] void give_up(const std::exception &error) {
    std::fprintf(stderr, "farstride: %s\n", error.what());
    std::exit(1);
}

/* A location of the harness. On the plane, a query leads from corner to corner: from the upper left one of a
 * cell, and the centre of that cell is half a unit further. */
template <class L = xyLoc> L location(double x, double y) {
    L place;
    place.x = static_cast<decltype(place.x)>(x);
    place.y = static_cast<decltype(place.y)>(y);
    return place;
}

} // namespace

void PreprocessMap(const std::vector<bool> &bits, int width, int height, const std::string &filename) {
    try {
        farstride::Planner(grid(bits, width, height), ENGINE).save(filename);
    } catch (const std::exception &error) {
        give_up(error);
    }
}

void *PrepareForSearch(const std::vector<bool> &bits, int width, int height, const std::string &filename) {
    try {
        // The file is ours, made a moment ago: no proofs.
        return new Search{farstride::Planner::open(grid(bits, width, height), filename, true), {}};
    } catch (const std::exception &error) {
        give_up(error);
    }
}

bool GetPath(void *data, xyLoc s, xyLoc g, std::vector<xyLoc> &path) {
    auto &search = *static_cast<Search *>(data);
    path.clear();
    try {
        const auto route = search.planner.find(static_cast<int>(s.x), static_cast<int>(s.y),
                                               static_cast<int>(g.x), static_cast<int>(g.y), search.scratch);
        // From a cell to itself, the competition wants no path.
        if (route.status() != FARSTRIDE_STATUS_FOUND) {
            return true;
        }
        const auto cells = route.cells();
        path.reserve(cells.size() + 2);
        if constexpr (ANY_ANGLE) {
            path.push_back(s);
        }
        for (const farstride::Cell cell : cells) {
            // Points of `straight` are in half cells, counted from the centre of the first one.
            path.push_back(ANY_ANGLE ? location(cell.x / 2.0 + 0.5, cell.y / 2.0 + 0.5) : location(cell.x, cell.y));
        }
        if constexpr (ANY_ANGLE) {
            path.push_back(g);
        }
    } catch (const std::exception &error) {
        give_up(error);
    }
    return true;
}

std::string GetName() { return std::string("farstride-") + ENGINE; }
