/* The pathfinding engine farstride for C++17: farstride.h with owners, exceptions and views.
 *
 * Handles are freed by their owners, which can be moved but not copied. What goes wrong is thrown as
 * farstride::Error. The rules of threads in farstride.h hold here, too.
 */
#ifndef FARSTRIDE_HPP
#define FARSTRIDE_HPP

#include "farstride.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace farstride {

using Cell = FarstrideCell;
using Edit = FarstrideEdit;
using Query = FarstrideQuery;
using Status = FarstrideStatus;
using Place = FarstridePlace;

inline bool operator==(Cell a, Cell b) { return a.x == b.x && a.y == b.y; }
inline bool operator!=(Cell a, Cell b) { return !(a == b); }
inline bool operator==(Place a, Place b) { return a.floor == b.floor && a.x == b.x && a.y == b.y; }
inline bool operator!=(Place a, Place b) { return !(a == b); }

/* A call that failed. */
class Error : public std::runtime_error {
  public:
    explicit Error(FarstrideResult result) : std::runtime_error(farstride_last_error()), result_(result) {}
    FarstrideResult result() const noexcept { return result_; }

  private:
    FarstrideResult result_;
};

inline void check(FarstrideResult result) {
    if (result != FARSTRIDE_RESULT_OK) {
        throw Error(result);
    }
}

/* A view of things that lie one after the other: std::span of C++20, as far as it is needed. */
template <class T> class Span {
  public:
    constexpr Span() noexcept = default;
    constexpr Span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <class C, class = decltype(std::declval<const C &>().data())>
    constexpr Span(const C &all) noexcept : data_(all.data()), size_(all.size()) {}
    template <std::size_t N> constexpr Span(T (&all)[N]) noexcept : data_(all), size_(N) {}

    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + size_; }
    constexpr T &operator[](std::size_t at) const { return data_[at]; }
    constexpr T &front() const { return data_[0]; }
    constexpr T &back() const { return data_[size_ - 1]; }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

/* An answer. Its cells lie where farstride.h says: in the scratch, or in the routes. */
class Route {
  public:
    explicit Route(const FarstrideRoute &route) noexcept : route_(route) {}
    explicit operator bool() const noexcept {
        return route_.status == FARSTRIDE_STATUS_FOUND || route_.status == FARSTRIDE_STATUS_ALREADY_THERE;
    }
    Status status() const noexcept { return route_.status; }
    FarstrideForm form() const noexcept { return route_.form; }
    std::uint64_t cost() const noexcept { return route_.cost; }
    double length() const noexcept { return route_.length; }
    Span<const Cell> cells() const noexcept { return {route_.cells, route_.count}; }

  private:
    FarstrideRoute route_;
};

namespace detail {
template <auto Free> struct Deleter {
    template <class T> void operator()(T *handle) const noexcept { Free(handle); }
};
template <class T, auto Free> using Owner = std::unique_ptr<T, Deleter<Free>>;

inline const char *text(const std::string &text) { return text.empty() ? nullptr : text.c_str(); }
} // namespace detail

/* A map; it never changes. */
class Grid {
  public:
    /* A weight per cell, row by row; 0 is blocked. None: all cells are free. */
    Grid(std::uint32_t width, std::uint32_t height, Span<const std::uint8_t> weights = {},
         const std::string &diagonals = {}) {
        if (!weights.empty() && weights.size() != std::size_t{width} * height) {
            throw std::invalid_argument("as many weights as cells are needed");
        }
        FarstrideGrid *grid = nullptr;
        check(farstride_grid_new(width, height, weights.data(), detail::text(diagonals), &grid));
        grid_.reset(grid);
    }

    static Grid load(const std::string &file, const std::string &letters = {}, const std::string &diagonals = {}) {
        FarstrideGrid *grid = nullptr;
        check(farstride_grid_load(file.c_str(), detail::text(letters), detail::text(diagonals), &grid));
        return Grid(grid);
    }

    std::uint32_t width() const { return farstride_grid_width(get()); }
    std::uint32_t height() const { return farstride_grid_height(get()); }
    std::uint8_t weight(int x, int y) const { return farstride_grid_weight(get(), x, y); }
    std::vector<std::uint8_t> weights() const {
        std::vector<std::uint8_t> weights(std::size_t{width()} * height());
        check(farstride_grid_weights(get(), weights.data(), weights.size()));
        return weights;
    }
    const FarstrideGrid *get() const noexcept { return grid_.get(); }

  private:
    explicit Grid(FarstrideGrid *grid) : grid_(grid) {}
    detail::Owner<FarstrideGrid, farstride_grid_free> grid_;
};

/* Working memory for queries: one for each thread. */
class Scratch {
  public:
    Scratch() {
        FarstrideScratch *scratch = nullptr;
        check(farstride_scratch_new(&scratch));
        scratch_.reset(scratch);
    }
    FarstrideScratch *get() const noexcept { return scratch_.get(); }

  private:
    detail::Owner<FarstrideScratch, farstride_scratch_free> scratch_;
};

/* The answers to many queries. */
class Routes {
  public:
    Routes(FarstrideRoutes *routes, std::size_t size) : routes_(routes), size_(size) {}
    std::size_t size() const noexcept { return size_; }
    Route operator[](std::size_t at) const {
        FarstrideRoute route;
        check(farstride_routes_get(routes_.get(), at, &route));
        return Route(route);
    }

  private:
    detail::Owner<FarstrideRoutes, farstride_routes_free> routes_;
    std::size_t size_;
};

/* A route that is refined while a unit walks it. Its planner may be moved, but has to outlive it. */
class Plan {
  public:
    /* Where the unit goes next; nothing if it has arrived or no path is left: see step(). */
    std::optional<Cell> next(Scratch &scratch) {
        Cell cell;
        check(farstride_plan_step(plan_.get(), planner_, scratch.get(), &step_, &cell));
        return step_ == FARSTRIDE_STEP_TO ? std::make_optional(cell) : std::nullopt;
    }
    /* What the last step came to. */
    FarstrideStep step() const noexcept { return step_; }
    Cell position() const { return farstride_plan_position(plan_.get()); }
    std::uint32_t replans() const { return farstride_plan_replans(plan_.get()); }
    void stand_at(int x, int y) { check(farstride_plan_stand_at(plan_.get(), planner_, x, y)); }

  private:
    friend class Planner;
    Plan(FarstridePlan *plan, const FarstridePlanner *planner) : plan_(plan), planner_(planner) {}
    detail::Owner<FarstridePlan, farstride_plan_free> plan_;
    const FarstridePlanner *planner_;
    FarstrideStep step_ = FARSTRIDE_STEP_TO;
};

/* One search from some goals for any number of units; after an edit it begins again. Its planner or world may be
 * moved, but has to outlive it. */
template <class Ground, auto Ask> class FieldOn {
  public:
    /* The cost to the nearest goal; nothing if there is no path. */
    std::optional<std::int64_t> cost(int x, int y) {
        std::int64_t cost = -1;
        check(Ask(field_.get(), ground_, x, y, &cost, nullptr));
        return cost < 0 ? std::nullopt : std::make_optional(cost);
    }
    /* The next cell on a shortest path; the same cell at a goal or without a path. */
    Cell next(int x, int y) {
        Cell cell;
        check(Ask(field_.get(), ground_, x, y, nullptr, &cell));
        return cell;
    }

  private:
    friend class Planner;
    friend class Atlas;
    FieldOn(FarstrideField *field, const Ground *ground) : field_(field), ground_(ground) {}
    detail::Owner<FarstrideField, farstride_field_free> field_;
    const Ground *ground_;
};
using Field = FieldOn<FarstridePlanner, farstride_field_ask>;
using FloorField = FieldOn<FarstrideAtlas, farstride_atlas_field_ask>;

/* A map and an engine that finds paths on it. */
class Planner {
  public:
    /* Called with the work done and the total, from any thread; false cancels. */
    using Progress = std::function<bool(std::size_t, std::size_t)>;

    explicit Planner(const Grid &grid, const std::string &engine = {}, const std::string &settings = {},
                     std::uint32_t threads = 0, Progress progress = {}) {
        FarstrideBuildOptions options{};
        options.threads = threads;
        if (progress) {
            options.user = &progress;
            options.progress = [](void *user, std::size_t done, std::size_t total) {
                // Nothing may be thrown through the library.
                try {
                    return (*static_cast<Progress *>(user))(done, total);
                } catch (...) {
                    return false;
                }
            };
        }
        FarstridePlanner *planner = nullptr;
        check(farstride_planner_new(grid.get(), detail::text(engine), detail::text(settings), &options, &planner));
        planner_.reset(planner);
    }

    static Planner open(const Grid &grid, const std::string &file, bool trust = false) {
        FarstridePlanner *planner = nullptr;
        check(farstride_planner_open(grid.get(), file.c_str(), trust, &planner));
        return Planner(planner);
    }

    static Planner open(const Grid &grid, Span<const std::uint8_t> bytes) {
        FarstridePlanner *planner = nullptr;
        check(farstride_planner_open_bytes(grid.get(), bytes.data(), bytes.size(), &planner));
        return Planner(planner);
    }

    std::uint64_t save(const std::string &file) const {
        std::uint64_t size = 0;
        check(farstride_planner_save(get(), file.c_str(), &size));
        return size;
    }

    std::string engine() const { return farstride_planner_engine(get()); }

    void edit(Span<const Edit> edits) { check(farstride_planner_edit(planner_.get(), edits.data(), edits.size())); }

    Route find(const Query &query, Scratch &scratch) const {
        FarstrideRoute route;
        check(farstride_find(get(), scratch.get(), &query, &route));
        return Route(route);
    }

    Route find(int start_x, int start_y, int goal_x, int goal_y, Scratch &scratch) const {
        Query query{};
        query.start_x = start_x;
        query.start_y = start_y;
        query.goal_x = goal_x;
        query.goal_y = goal_y;
        return find(query, scratch);
    }

    /* A path that keeps out of some rectangles, for this query alone. */
    Route find_avoiding(const Query &query, Span<const FarstrideRect> zones, Scratch &scratch) const {
        FarstrideRoute route;
        check(farstride_find_avoiding(get(), scratch.get(), &query, zones.data(), zones.size(), &route));
        return Route(route);
    }

    /* The nearest query that has a path. */
    Query substitute(Query query) const {
        check(farstride_substitute(get(), &query));
        return query;
    }

    Routes find_many(Span<const Query> queries, std::uint32_t threads = 0) const {
        FarstrideRoutes *routes = nullptr;
        check(farstride_find_many(get(), queries.data(), queries.size(), threads, &routes));
        return Routes(routes, queries.size());
    }

    /* The number of the goal that costs least to reach, and the path to it. */
    std::optional<std::pair<std::size_t, Route>> nearest(int x, int y, Span<const Cell> goals, Scratch &scratch) const {
        std::size_t which = 0;
        FarstrideRoute route;
        check(farstride_nearest(get(), scratch.get(), x, y, goals.data(), goals.size(), &which, &route));
        if (which == SIZE_MAX) {
            return std::nullopt;
        }
        return std::make_pair(which, Route(route));
    }

    /* Costs row by start; -1 where there is no path. */
    std::vector<std::int64_t> cost_table(Span<const Cell> starts, Span<const Cell> goals,
                                         std::uint32_t threads = 0) const {
        std::vector<std::int64_t> costs(starts.size() * goals.size());
        check(farstride_cost_table(get(), starts.data(), starts.size(), goals.data(), goals.size(), threads,
                                   costs.data()));
        return costs;
    }

    /* A plan, if there is a path to walk. */
    std::optional<Plan> plan(int start_x, int start_y, int goal_x, int goal_y, Scratch &scratch) const {
        FarstridePlan *plan = nullptr;
        FarstrideStatus status;
        check(farstride_plan_new(get(), scratch.get(), start_x, start_y, goal_x, goal_y, &status, &plan));
        if (plan == nullptr) {
            return std::nullopt;
        }
        return Plan(plan, get());
    }

    /* Plans of many units to one goal; none for a unit that is there or has no path. */
    std::vector<std::optional<Plan>> plan_group(Span<const Cell> starts, int goal_x, int goal_y,
                                                std::uint32_t threads = 0) const {
        std::vector<FarstrideStatus> statuses(starts.size());
        std::vector<FarstridePlan *> made(starts.size());
        check(farstride_plan_group(get(), starts.data(), starts.size(), goal_x, goal_y, threads, statuses.data(),
                                   made.data()));
        std::vector<std::optional<Plan>> plans(made.size());
        for (std::size_t at = 0; at < made.size(); ++at) {
            if (made[at] != nullptr) {
                plans[at] = Plan(made[at], get());
            }
        }
        return plans;
    }

    /* Takes a step of each plan, on up to as many threads as scratches; see step() and position() of each. */
    void step_many(Span<Plan *const> plans, Span<const Scratch> scratches) const {
        std::vector<FarstridePlan *> handles(plans.size());
        std::vector<FarstrideScratch *> memories(scratches.size());
        std::vector<FarstrideStep> steps(plans.size());
        std::vector<Cell> cells(plans.size());
        for (std::size_t at = 0; at < plans.size(); ++at) {
            handles[at] = plans[at]->plan_.get();
        }
        for (std::size_t at = 0; at < scratches.size(); ++at) {
            memories[at] = scratches[at].get();
        }
        check(farstride_step_many(get(), handles.data(), handles.size(), memories.data(), memories.size(), steps.data(),
                                  cells.data()));
        for (std::size_t at = 0; at < plans.size(); ++at) {
            plans[at]->step_ = steps[at];
        }
    }

    /* One search from some goals for any number of units. The planner has to outlive it. */
    Field field(Span<const Cell> goals) const {
        FarstrideField *field = nullptr;
        check(farstride_field_new(get(), goals.data(), goals.size(), &field));
        return Field(field, get());
    }

    const FarstridePlanner *get() const noexcept { return planner_.get(); }

  private:
    explicit Planner(FarstridePlanner *planner) : planner_(planner) {}
    detail::Owner<FarstridePlanner, farstride_planner_free> planner_;
};

/* A way over floors and through links. Its stages lie in the scratch. */
class Trip {
  public:
    explicit Trip(const FarstrideTrip &trip) noexcept : trip_(trip) {}
    explicit operator bool() const noexcept {
        return trip_.status == FARSTRIDE_STATUS_FOUND || trip_.status == FARSTRIDE_STATUS_ALREADY_THERE;
    }
    Status status() const noexcept { return trip_.status; }
    std::uint64_t cost() const noexcept { return trip_.cost; }
    Span<const FarstrideStage> stages() const noexcept { return {trip_.stages, trip_.count}; }

  private:
    FarstrideTrip trip_;
};

/* A way through a world that is refined while a unit goes it. Its world may be moved, but has to outlive it. */
class TripPlan {
  public:
    /* Where the unit goes next; nothing if it has arrived or no way is left: see step(). */
    std::optional<Place> next(Scratch &scratch) {
        Place place;
        check(farstride_trip_plan_step(plan_.get(), atlas_, scratch.get(), &step_, &place, &link_));
        const bool goes = step_ == FARSTRIDE_TRIP_STEP_WALK || step_ == FARSTRIDE_TRIP_STEP_LINK;
        return goes ? std::make_optional(place) : std::nullopt;
    }
    /* What the last step came to. */
    FarstrideTripStep step() const noexcept { return step_; }
    /* The link that the last step took; -1 if it took none. */
    std::int64_t link() const noexcept { return link_; }
    Place position() const { return farstride_trip_plan_position(plan_.get()); }
    std::uint32_t replans() const { return farstride_trip_plan_replans(plan_.get()); }
    void stand_at(Place place) { check(farstride_trip_plan_stand_at(plan_.get(), atlas_, place)); }

  private:
    friend class Atlas;
    TripPlan(FarstrideTripPlan *plan, const FarstrideAtlas *atlas) : plan_(plan), atlas_(atlas) {}
    detail::Owner<FarstrideTripPlan, farstride_trip_plan_free> plan_;
    const FarstrideAtlas *atlas_;
    FarstrideTripStep step_ = FARSTRIDE_TRIP_STEP_WALK;
    std::int64_t link_ = -1;
};

/* A world: floors of terrain, and links between places on them, for movers of many kinds. */
class Atlas {
  public:
    /* The first floor: a class per cell, row by row. */
    Atlas(std::uint32_t width, std::uint32_t height, Span<const std::uint8_t> classes) {
        check_classes(width, height, classes);
        FarstrideAtlas *atlas = nullptr;
        check(farstride_atlas_new(width, height, classes.data(), &atlas));
        atlas_.reset(atlas);
    }

    /* A map of the editor Tiled; stacked: its layers make one floor. */
    static Atlas load_tiled(const std::string &file, bool stacked = false) {
        FarstrideAtlas *atlas = nullptr;
        check(farstride_atlas_load_tiled(file.c_str(), stacked, &atlas));
        return Atlas(atlas);
    }

    /* A project of the editor LDtk. */
    static Atlas load_ldtk(const std::string &file) {
        FarstrideAtlas *atlas = nullptr;
        check(farstride_atlas_load_ldtk(file.c_str(), &atlas));
        return Atlas(atlas);
    }

    /* The class that a file gave a name to. */
    std::uint8_t class_named(const std::string &name) const {
        std::uint8_t found = 0;
        check(farstride_atlas_class_named(get(), name.c_str(), &found));
        return found;
    }

    std::uint32_t floor_count() const { return farstride_atlas_floor_count(get()); }

    /* Columns and rows of a floor. */
    std::pair<std::uint32_t, std::uint32_t> floor_size(std::uint32_t floor) const {
        std::pair<std::uint32_t, std::uint32_t> size;
        check(farstride_atlas_floor_size(get(), floor, &size.first, &size.second));
        return size;
    }

    /* The classes of a floor, row by row. */
    std::vector<std::uint8_t> classes(std::uint32_t floor) const {
        const auto [width, height] = floor_size(floor);
        std::vector<std::uint8_t> classes(std::size_t{width} * height);
        check(farstride_atlas_classes(get(), floor, classes.data(), classes.size()));
        return classes;
    }

    std::uint32_t add_floor(std::uint32_t width, std::uint32_t height, Span<const std::uint8_t> classes, int x = 0,
                            int y = 0) {
        check_classes(width, height, classes);
        std::uint32_t number = 0;
        check(farstride_atlas_add_floor(atlas_.get(), width, height, classes.data(), x, y, &number));
        return number;
    }

    std::uint32_t add_mover(const FarstrideMover &mover) {
        std::uint32_t number = 0;
        check(farstride_atlas_add_mover(atlas_.get(), &mover, &number));
        return number;
    }

    std::int64_t add_link(const FarstrideLink &link) {
        std::int64_t number = 0;
        check(farstride_atlas_add_link(atlas_.get(), &link, &number));
        return number;
    }

    void remove_link(std::int64_t link) { check(farstride_atlas_remove_link(atlas_.get(), link)); }

    void edit(Span<const FarstrideFill> fills) {
        check(farstride_atlas_edit(atlas_.get(), fills.data(), fills.size()));
    }

    void prepare(std::uint32_t mover) const { check(farstride_atlas_prepare(get(), mover)); }

    Trip find(std::uint32_t mover, Place from, Place to, Scratch &scratch) const {
        FarstrideTrip trip;
        check(farstride_atlas_find(get(), scratch.get(), mover, from, to, &trip));
        return Trip(trip);
    }

    /* The number of the place that costs least to reach, and the way to it. */
    std::optional<std::pair<std::size_t, Trip>> nearest(std::uint32_t mover, Place from, Span<const Place> goals,
                                                        Scratch &scratch) const {
        std::size_t which = 0;
        FarstrideTrip trip;
        check(farstride_atlas_nearest(get(), scratch.get(), mover, from, goals.data(), goals.size(), &which, &trip));
        if (which == SIZE_MAX) {
            return std::nullopt;
        }
        return std::make_pair(which, Trip(trip));
    }

    bool can_reach(std::uint32_t mover, Place from, Place to) const {
        bool can = false;
        check(farstride_atlas_can_reach(get(), mover, from, to, &can));
        return can;
    }

    /* The nearest start and goal between which there is a way. */
    std::optional<std::pair<Place, Place>> substitute(std::uint32_t mover, Place from, Place to) const {
        bool exists = false;
        check(farstride_atlas_substitute(get(), mover, &from, &to, &exists));
        return exists ? std::make_optional(std::make_pair(from, to)) : std::nullopt;
    }

    /* A plan, if there is a way to go. */
    std::optional<TripPlan> plan(std::uint32_t mover, Place from, Place to, Scratch &scratch) const {
        FarstrideTripPlan *plan = nullptr;
        FarstrideStatus status;
        check(farstride_trip_plan_new(get(), scratch.get(), mover, from, to, &status, &plan));
        if (plan == nullptr) {
            return std::nullopt;
        }
        return TripPlan(plan, get());
    }

    /* Plans of a mover from each start to the goal of the same number; none for a unit that is there or has no way. */
    std::vector<std::optional<TripPlan>> plan_many(std::uint32_t mover, Span<const Place> starts, Span<const Place> goals,
                                                   std::uint32_t threads = 0) const {
        if (starts.size() != goals.size()) {
            throw std::invalid_argument("as many goals as starts are needed");
        }
        std::vector<FarstrideStatus> statuses(starts.size());
        std::vector<FarstrideTripPlan *> made(starts.size());
        check(farstride_trip_plan_many(get(), mover, starts.data(), goals.data(), starts.size(), threads, statuses.data(),
                                       made.data()));
        std::vector<std::optional<TripPlan>> plans(made.size());
        for (std::size_t at = 0; at < made.size(); ++at) {
            if (made[at] != nullptr) {
                plans[at] = TripPlan(made[at], get());
            }
        }
        return plans;
    }

    /* One search from some goals of a floor for any number of units of a kind. The world has to outlive it. */
    FloorField field(std::uint32_t mover, std::uint32_t floor, Span<const Cell> goals) const {
        FarstrideField *field = nullptr;
        check(farstride_atlas_field_new(get(), mover, floor, goals.data(), goals.size(), &field));
        return FloorField(field, get());
    }

    const FarstrideAtlas *get() const noexcept { return atlas_.get(); }

  private:
    explicit Atlas(FarstrideAtlas *atlas) : atlas_(atlas) {}
    static void check_classes(std::uint32_t width, std::uint32_t height, Span<const std::uint8_t> classes) {
        if (classes.size() != std::size_t{width} * height) {
            throw std::invalid_argument("as many classes as cells are needed");
        }
    }
    detail::Owner<FarstrideAtlas, farstride_atlas_free> atlas_;
};

} // namespace farstride

#endif
