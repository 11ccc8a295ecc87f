/* Runs the entry on a map and judges every path.
 *
 *   harness MAP SCENARIO INDEX [EVERY]
 *
 * Asks every EVERY-th query of the scenario, all of them by default. INDEX is the file that the entry writes and
 * reads. Prints: name of the map, queries, wrong answers, seconds of preprocessing, bytes of the index, mean and
 * largest microseconds of a query, sum of the lengths found, sum of those listed. Exits with 1 if an answer is wrong. */
#include "Entry.h"
#include "judge.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

static double seconds_since(Clock::time_point begun) {
    return std::chrono::duration<double>(Clock::now() - begun).count();
}

static Map load_map(const char *name) {
    std::ifstream file(name);
    std::string word;
    Map map;
    file >> word >> word >> word >> map.height >> word >> map.width >> word;
    std::string row;
    for (int y = 0; y < map.height && file >> row; ++y) {
        for (const char letter : row) {
            map.free.push_back(letter == '.' || letter == 'G' || letter == 'S');
        }
    }
    if (map.free.empty() || map.free.size() != static_cast<std::size_t>(map.width) * map.height) {
        std::fprintf(stderr, "%s is no map\n", name);
        std::exit(2);
    }
    return map;
}

static double length_of(const std::vector<xyLoc> &path) {
    double length = 0;
    for (std::size_t at = 1; at < path.size(); ++at) {
        length += std::hypot(path[at].x - path[at - 1].x, path[at].y - path[at - 1].y);
    }
    return length;
}

static bool is_legal(const Map &map, const std::vector<xyLoc> &path) {
    if constexpr (std::is_floating_point_v<Coordinate>) {
        std::vector<Half> halves;
        for (const xyLoc &at : path) {
            const Half half{std::lround(at.x * 2), std::lround(at.y * 2)};
            if (static_cast<double>(half.x) != at.x * 2 || static_cast<double>(half.y) != at.y * 2) {
                return false;
            }
            halves.push_back(half);
        }
        return is_legal_any_angle(map, halves);
    } else {
        for (std::size_t at = 1; at < path.size(); ++at) {
            if (!is_legal_step(map, path[at - 1].x, path[at - 1].y, path[at].x, path[at].y)) {
                return false;
            }
        }
        return true;
    }
}

/* Whether an answer is right. Listed lengths have six digits; 0 between different cells means that there is no path.
 * At any angle the path between the centres is no longer than the listed one; ours leads from a corner
 * over the centre of its cell, and back, which adds two half diagonals. */
static bool is_right(const Map &map, xyLoc s, xyLoc g, double listed, const std::vector<xyLoc> &path) {
    if (listed == 0) {
        return path.empty();
    }
    if (path.size() < 2 || path.front().x != s.x || path.front().y != s.y || path.back().x != g.x ||
        path.back().y != g.y || !is_legal(map, path)) {
        return false;
    }
    const double length = length_of(path);
    if constexpr (std::is_floating_point_v<Coordinate>) {
        return length <= listed * (1 + 5e-6) + 0.006 + std::sqrt(2.0);
    } else {
        return std::abs(length - listed) <= 0.006 + listed * 5e-6;
    }
}

int main(int count, char **arguments) {
    if (count < 4) {
        std::fprintf(stderr, "usage: harness MAP SCENARIO INDEX [EVERY]\n");
        return 2;
    }
    const int every = count > 4 ? std::max(1, std::atoi(arguments[4])) : 1;
    const Map map = load_map(arguments[1]);
    auto begun = Clock::now();
    PreprocessMap(map.free, map.width, map.height, arguments[3]);
    const double preprocessing = seconds_since(begun);
    void *search = PrepareForSearch(map.free, map.width, map.height, arguments[3]);

    std::ifstream scenario(arguments[2]);
    std::string line;
    std::getline(scenario, line); // its version
    long number = 0, asked = 0, wrong = 0;
    double total = 0, slowest = 0, found = 0, wanted = 0;
    std::vector<xyLoc> path;
    while (std::getline(scenario, line)) {
        std::istringstream fields(line);
        std::string bucket, name;
        int width, height, sx, sy, gx, gy;
        double listed;
        if (!(fields >> bucket >> name >> width >> height >> sx >> sy >> gx >> gy >> listed) || number++ % every != 0) {
            continue;
        }
        const xyLoc s{static_cast<Coordinate>(sx), static_cast<Coordinate>(sy)};
        const xyLoc g{static_cast<Coordinate>(gx), static_cast<Coordinate>(gy)};
        path.clear();
        begun = Clock::now();
        while (!GetPath(search, path.empty() ? s : path.back(), g, path)) {
        }
        const double taken = seconds_since(begun);
        total += taken;
        slowest = std::max(slowest, taken);
        asked += 1;
        if (!is_right(map, s, g, listed, path)) {
            if (wrong++ == 0) {
                std::fprintf(stderr, "%s, query %ld: wrong, %zu points, length %f, listed %f\n", arguments[1],
                             number - 1, path.size(), length_of(path), listed);
            }
        }
        found += length_of(path);
        wanted += listed;
    }
    if (asked == 0) {
        std::fprintf(stderr, "%s has no queries\n", arguments[2]);
        return 2;
    }
    std::printf("%s %ld %ld %.4f %ju %.3f %.1f %.1f %.1f\n", std::filesystem::path(arguments[1]).stem().c_str(), asked,
                wrong, preprocessing, static_cast<std::uintmax_t>(std::filesystem::file_size(arguments[3])),
                total / static_cast<double>(asked) * 1e6, slowest * 1e6, found, wanted);
    return wrong > 0 ? 1 : 0;
}
