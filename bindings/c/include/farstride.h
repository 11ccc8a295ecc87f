/* The pathfinding engine farstride. Made by cbindgen from bindings/c/src; a test keeps it true.
 *
 * Results. A function that can fail returns a FarstrideResult, 0 if all went well.
 * farstride_last_error() has a message for the last failure on the calling thread. What a function
 * writes to is written only if it succeeds, unless it says otherwise. That there is no path is no
 * failure: it is a FarstrideStatus.
 *
 * Handles. FarstrideGrid, FarstridePlanner, FarstrideScratch, FarstridePlan, FarstrideField,
 * FarstrideRoutes, FarstrideAtlas and FarstrideTripPlan are yours once a function has made them, until you pass them to their _free function. A null
 * handle and one of another kind are refused with FARSTRIDE_RESULT_HANDLE. A freed one must not
 * be used; where it is noticed, it is refused, too.
 *
 * Threads. A grid never changes: any number of threads may use it. Any number of threads may ask one
 * planner at once, each with a scratch of its own; farstride_planner_edit needs the planner for
 * itself. The same holds for an atlas: what adds, removes or edits needs it for itself. A scratch, a plan or a field is for one thread at a time. Freeing needs the handle for itself.
 *
 * Text is UTF-8 and ends with a null byte. Text that is returned belongs to the library.
 */

#ifndef FARSTRIDE_H
#define FARSTRIDE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/*
 The version of the interface that this header describes.
 */
#define FARSTRIDE_ABI 1

/*
 The path has every cell; with engines for any angle, every turning point.
 */
#define FARSTRIDE_DETAIL_CELLS 0

/*
 The path has the cells where it turns, or fewer.
 */
#define FARSTRIDE_DETAIL_WAYPOINTS 1

/*
 Cost and length alone.
 */
#define FARSTRIDE_DETAIL_COST 2

/*
 The path has the start and the first steps alone: FarstrideQuery.first of them.
 */
#define FARSTRIDE_DETAIL_FIRST 3

/*
 How a call ended.
 */
typedef enum FarstrideResult {
  /*
   All went well.
   */
  FARSTRIDE_RESULT_OK = 0,
  /*
   A pointer is null, or text is not UTF-8.
   */
  FARSTRIDE_RESULT_ARGUMENT = 1,
  /*
   A handle is null, freed, or of another kind.
   */
  FARSTRIDE_RESULT_HANDLE = 2,
  /*
   A map does not make sense.
   */
  FARSTRIDE_RESULT_MAP = 3,
  /*
   A cell, an edit or a number does not fit the map.
   */
  FARSTRIDE_RESULT_QUERY = 4,
  /*
   A setting or an engine does not exist, or a value is out of range.
   */
  FARSTRIDE_RESULT_SETTINGS = 5,
  /*
   An index is damaged, or belongs to another map.
   */
  FARSTRIDE_RESULT_INDEX = 6,
  /*
   The engine cannot work on the map; the message names one that can.
   */
  FARSTRIDE_RESULT_ENGINE = 7,
  /*
   A callback asked to stop.
   */
  FARSTRIDE_RESULT_CANCELLED = 8,
  /*
   A file could not be read or written.
   */
  FARSTRIDE_RESULT_FILE = 9,
  /*
   The library has a bug; the message tells where. Handles of this call are unusable.
   */
  FARSTRIDE_RESULT_INTERNAL = 10,
} FarstrideResult;

/*
 How a query ended.
 */
typedef enum FarstrideStatus {
  /*
   There is a path.
   */
  FARSTRIDE_STATUS_FOUND = 0,
  /*
   Start and goal are the same free cell.
   */
  FARSTRIDE_STATUS_ALREADY_THERE = 1,
  /*
   The start is blocked.
   */
  FARSTRIDE_STATUS_START_BLOCKED = 2,
  /*
   The goal is blocked; the start is free.
   */
  FARSTRIDE_STATUS_GOAL_BLOCKED = 3,
  /*
   No path joins start and goal.
   */
  FARSTRIDE_STATUS_UNREACHABLE = 4,
  /*
   The budget was spent first.
   */
  FARSTRIDE_STATUS_BUDGET_SPENT = 5,
} FarstrideStatus;

/*
 What the cells of a path are.
 */
typedef enum FarstrideForm {
  /*
   Cells one step apart.
   */
  FARSTRIDE_FORM_CELLS = 0,
  /*
   Turning points in line of sight.
   */
  FARSTRIDE_FORM_POINTS = 1,
  /*
   Some cells of the path; between them it goes diagonally first, then straight.
   */
  FARSTRIDE_FORM_WAYPOINTS = 2,
  /*
   There are none.
   */
  FARSTRIDE_FORM_OMITTED = 3,
  /*
   Turning points of the engine straight, in half cells: divide by 2.
   */
  FARSTRIDE_FORM_HALVES = 4,
} FarstrideForm;

/*
 What a step of a plan came to.
 */
typedef enum FarstrideStep {
  /*
   Go to the cell.
   */
  FARSTRIDE_STEP_TO = 0,
  /*
   The unit is at the goal.
   */
  FARSTRIDE_STEP_ARRIVED = 1,
  /*
   Since an edit, no path leads to the goal. Try again after the next edit.
   */
  FARSTRIDE_STEP_UNREACHABLE = 2,
} FarstrideStep;

/*
 What a step of a trip plan came to.
 */
typedef enum FarstrideTripStep {
  /*
   Walk to the place, on the same floor.
   */
  FARSTRIDE_TRIP_STEP_WALK = 0,
  /*
   Take the link, which leads to the place.
   */
  FARSTRIDE_TRIP_STEP_LINK = 1,
  /*
   The unit is at the goal.
   */
  FARSTRIDE_TRIP_STEP_ARRIVED = 2,
  /*
   Since an edit, no way leads to the goal. Try again after the next edit.
   */
  FARSTRIDE_TRIP_STEP_UNREACHABLE = 3,
} FarstrideTripStep;

/*
 A world: floors of terrain, and links between places on them, for movers of many kinds.
 */
typedef struct FarstrideAtlas FarstrideAtlas;

/*
 One search from a goal, or from several, for any number of units. After an edit it begins again.
 */
typedef struct FarstrideField FarstrideField;

/*
 A map. It never changes; a planner that is edited has a map of its own.
 */
typedef struct FarstrideGrid FarstrideGrid;

/*
 A route that is refined while a unit walks it.
 */
typedef struct FarstridePlan FarstridePlan;

/*
 A map and an engine that finds paths on it.
 */
typedef struct FarstridePlanner FarstridePlanner;

/*
 The answers to many queries.
 */
typedef struct FarstrideRoutes FarstrideRoutes;

/*
 Working memory for queries, of planners and of worlds. Make one for each thread, and use it again and
 again: queries then allocate nothing.
 */
typedef struct FarstrideScratch FarstrideScratch;

/*
 A way through floors and links that is refined while a unit goes it.
 */
typedef struct FarstrideTripPlan FarstrideTripPlan;

/*
 A query. Set all of it to zero first, then what you need.
 */
typedef struct FarstrideQuery {
  /*
   Column of the start.
   */
  int32_t start_x;
  /*
   Row of the start.
   */
  int32_t start_y;
  /*
   Column of the goal.
   */
  int32_t goal_x;
  /*
   Row of the goal.
   */
  int32_t goal_y;
  /*
   How much of the path is wanted: FARSTRIDE_DETAIL_CELLS, which is 0, or another.
   */
  uint32_t detail;
  /*
   How many steps, for FARSTRIDE_DETAIL_FIRST.
   */
  uint32_t first;
  /*
   Number of nodes after which the search gives up; 0 for no limit.
   */
  uint64_t budget;
} FarstrideQuery;

/*
 A cell: column and row, from 0.
 */
typedef struct FarstrideCell {
  /*
   The column.
   */
  uint16_t x;
  /*
   The row.
   */
  uint16_t y;
} FarstrideCell;

/*
 The answer to a query.
 */
typedef struct FarstrideRoute {
  /*
   How the query ended. Unless there is a path, the rest is 0.
   */
  enum FarstrideStatus status;
  /*
   What the cells are.
   */
  enum FarstrideForm form;
  /*
   The exact cost: a straight step is 4756, a diagonal one 6726.
   */
  uint64_t cost;
  /*
   The length in straight steps, times weights.
   */
  double length;
  /*
   The path, start and goal included. It lies in the scratch until that is used again or
   freed.
   */
  const struct FarstrideCell *cells;
  /*
   How many cells.
   */
  size_t count;
} FarstrideRoute;

/*
 A rectangle of cells.
 */
typedef struct FarstrideRect {
  /*
   Column of its upper left cell.
   */
  int32_t x;
  /*
   Row of that cell.
   */
  int32_t y;
  /*
   Number of columns, at least 1.
   */
  int32_t width;
  /*
   Number of rows, at least 1.
   */
  int32_t height;
} FarstrideRect;

/*
 How an index is built. Null instead of this means: all cores, no reports.
 */
typedef struct FarstrideBuildOptions {
  /*
   Number of threads; 0 for all cores.
   */
  uint32_t threads;
  /*
   Called with the work done and the total, from any thread of the build, also from several at
   once; null for no reports. If it returns false, the build stops with
   FARSTRIDE_RESULT_CANCELLED.
   */
  bool (*progress)(void *user, size_t done, size_t total);
  /*
   What progress is called with.
   */
  void *user;
} FarstrideBuildOptions;

/*
 A rectangle and the weight that its cells get.
 */
typedef struct FarstrideEdit {
  /*
   Column of its upper left cell.
   */
  int32_t x;
  /*
   Row of that cell.
   */
  int32_t y;
  /*
   Number of columns.
   */
  int32_t width;
  /*
   Number of rows.
   */
  int32_t height;
  /*
   0 blocks; 1 to 255 is the weight.
   */
  int32_t weight;
} FarstrideEdit;

/*
 A place: a floor, and a cell on it.
 */
typedef struct FarstridePlace {
  /*
   The number of the floor, from 0.
   */
  int32_t floor;
  /*
   The column.
   */
  int32_t x;
  /*
   The row.
   */
  int32_t y;
} FarstridePlace;

/*
 A part of a trip: a walk on a floor, or a link.
 */
typedef struct FarstrideStage {
  /*
   The number of the link; -1 for a walk.
   */
  int64_t link;
  /*
   The floor of a walk.
   */
  int32_t floor;
  /*
   The cells of a walk, both ends included; with engines for any angle, the turning points.
   */
  const struct FarstrideCell *cells;
  /*
   How many cells.
   */
  size_t count;
} FarstrideStage;

/*
 A way over floors and through links.
 */
typedef struct FarstrideTrip {
  /*
   How the query ended. Unless there is a way, the rest is 0.
   */
  enum FarstrideStatus status;
  /*
   The exact cost: walks and links.
   */
  uint64_t cost;
  /*
   The stages, in the order of the way. They and their cells lie in the scratch until that is used
   again or freed.
   */
  const struct FarstrideStage *stages;
  /*
   How many stages.
   */
  size_t count;
} FarstrideTrip;

/*
 A kind of mover. Set all of it to zero first, then what you need.
 */
typedef struct FarstrideMover {
  /*
   What entering a cell of each class costs: 256 numbers; 0 if the mover may not enter.
   */
  const uint8_t *costs;
  /*
   Side of the square that it covers, in cells; 0 means 1. Its place is that of its upper left cell.
   */
  int32_t size;
  /*
   The engine that finds its paths; null for "hpa".
   */
  const char *engine;
  /*
   Its diagonal steps, as in farstride_grid_new; null for "strict".
   */
  const char *diagonals;
  /*
   Not 0 if it may use no links at all.
   */
  uint8_t without_links;
  /*
   The kinds of links it may use, a bit for each; 0 for all.
   */
  uint64_t link_kinds;
} FarstrideMover;

/*
 A link, such as stairs or a portal. Set all of it to zero first, then what you need.
 */
typedef struct FarstrideLink {
  /*
   Where it begins.
   */
  struct FarstridePlace from;
  /*
   Where it leads.
   */
  struct FarstridePlace to;
  /*
   What it costs, at least 1: a straight step costs 4756.
   */
  int64_t cost;
  /*
   Not 0 if it does not lead back.
   */
  uint8_t one_way;
  /*
   0 to 63; movers may be limited to some kinds.
   */
  int32_t kind;
} FarstrideLink;

/*
 A rectangle of a floor, and the class that its cells get.
 */
typedef struct FarstrideFill {
  /*
   The floor.
   */
  int32_t floor;
  /*
   The cells.
   */
  struct FarstrideRect area;
  /*
   0 to 255.
   */
  int32_t terrain_class;
} FarstrideFill;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Why the last call on this thread failed; empty if none has. It stays until the next failure
 on this thread.
 */
const char *farstride_last_error(void);

/*
 The version of the library, as in "0.1.0".

 Any thread may call it.
 */
const char *farstride_version(void);

/*
 The version of this interface. It rises when programs have to be compiled again: compare it with
 FARSTRIDE_ABI.

 Any thread may call it.
 */
uint32_t farstride_abi(void);

/*
 Makes a map from a weight per cell, row by row: 0 is blocked, 1 to 255 is what entering the cell
 costs, in steps. With null weights all cells are free.

 diagonals: which diagonal steps are legal: "strict" (both cells beside the step have to be
 free; null means this), "one-side", "free" or "none".

 Any thread may call it. Free the map with farstride_grid_free.
 */
enum FarstrideResult farstride_grid_new(uint32_t width,
                                        uint32_t height,
                                        const uint8_t *weights,
                                        const char *diagonals,
                                        struct FarstrideGrid **grid);

/*
 Loads a map from a file: the MovingAI format, or a grey PNG or PGM image of weights.

 letters: other meanings of letters in the MovingAI format, as in "S=5,W=blocked", or null.
 diagonals: as in farstride_grid_new.

 Any thread may call it. Free the map with farstride_grid_free.
 */
enum FarstrideResult farstride_grid_load(const char *file,
                                         const char *letters,
                                         const char *diagonals,
                                         struct FarstrideGrid **grid);

/*
 Frees a map; planners on it stay. Null is allowed.
 */
void farstride_grid_free(struct FarstrideGrid *grid);

/*
 Number of columns; 0 if the handle is wrong.

 Any thread may call it.
 */
uint32_t farstride_grid_width(const struct FarstrideGrid *grid);

/*
 Number of rows; 0 if the handle is wrong.

 Any thread may call it.
 */
uint32_t farstride_grid_height(const struct FarstrideGrid *grid);

/*
 The weight of a cell; 0 if it is blocked or not on the map.

 Any thread may call it.
 */
uint8_t farstride_grid_weight(const struct FarstrideGrid *grid, int32_t x, int32_t y);

/*
 Copies the weights of all cells, row by row; 0 is blocked.

 weights: room for width times height bytes; count: how many there are.

 Any thread may call it.
 */
enum FarstrideResult farstride_grid_weights(const struct FarstrideGrid *grid,
                                            uint8_t *weights,
                                            size_t count);

/*
 Answers many queries on several threads; 0 for all cores. The answers are those of
 farstride_find, in the order of the queries, with any number of threads.

 Threads may ask the planner meanwhile. Free the routes with farstride_routes_free.
 */
enum FarstrideResult farstride_find_many(const struct FarstridePlanner *planner,
                                         const struct FarstrideQuery *queries,
                                         size_t count,
                                         uint32_t threads,
                                         struct FarstrideRoutes **routes);

/*
 The answer to query number `at`; its cells lie in the routes until these are freed.

 Any thread may call it.
 */
enum FarstrideResult farstride_routes_get(const struct FarstrideRoutes *routes,
                                          size_t at,
                                          struct FarstrideRoute *route);

/*
 Frees routes and their paths. Null is allowed.
 */
void farstride_routes_free(struct FarstrideRoutes *routes);

/*
 Finds a path that keeps out of some rectangles, as if their cells were blocked for this query alone.
 Only what is on the map of a rectangle counts. The budget of the query is ignored.

 If the path of the engine does not keep out of them, A* searches around them; then engines for any
 angle answer with cells, too.

 route: the answer; its cells lie in the scratch until that is used again or freed.

 Threads may ask the planner at once, each with its own scratch.
 */
enum FarstrideResult farstride_find_avoiding(const struct FarstridePlanner *planner,
                                             struct FarstrideScratch *scratch,
                                             const struct FarstrideQuery *query,
                                             const struct FarstrideRect *zones,
                                             size_t zone_count,
                                             struct FarstrideRoute *route);

/*
 Replaces start and goal of a query so that there is a path: a blocked start by the nearest free cell, a goal
 that is blocked or out of reach by the nearest cell that can be reached, as the crow flies. The rest of
 the query stays.

 Threads may ask the planner meanwhile.
 */
enum FarstrideResult farstride_substitute(const struct FarstridePlanner *planner,
                                          struct FarstrideQuery *query);

/*
 Makes plans for many units that go to one goal. If there are many of them, one search from the goal
 serves all.

 threads: 0 for all cores. statuses and plans: room for count of them, in the order of the starts; where the
 status is not FARSTRIDE_STATUS_FOUND, the plan is set to null.

 Threads may ask the planner meanwhile. Free each plan with farstride_plan_free.
 */
enum FarstrideResult farstride_plan_group(const struct FarstridePlanner *planner,
                                          const struct FarstrideCell *starts,
                                          size_t count,
                                          int32_t goal_x,
                                          int32_t goal_y,
                                          uint32_t threads,
                                          enum FarstrideStatus *statuses,
                                          struct FarstridePlan **plans);

/*
 Makes a field around some goals. Goals that are blocked are left out.

 Threads may ask the planner meanwhile. Free the field with farstride_field_free.
 */
enum FarstrideResult farstride_field_new(const struct FarstridePlanner *planner,
                                         const struct FarstrideCell *goals,
                                         size_t goal_count,
                                         struct FarstrideField **field);

/*
 The way of a unit to the nearest goal. Pass the planner that the field was made with, edited or not.

 cost: the exact cost, or -1 if the cell is blocked or no goal can be reached; may be null. next: the next
 cell of a shortest path, or the cell itself if the unit is there or has no path; may be null.

 One thread at a time for each field; threads may ask the planner meanwhile.
 */
enum FarstrideResult farstride_field_ask(struct FarstrideField *field,
                                         const struct FarstridePlanner *planner,
                                         int32_t x,
                                         int32_t y,
                                         int64_t *cost,
                                         struct FarstrideCell *next);

/*
 Frees a field. Null is allowed.
 */
void farstride_field_free(struct FarstrideField *field);

/*
 Makes a plan: its first steps are known at once, the rest is refined while it is walked.

 status: FARSTRIDE_STATUS_FOUND if there is a plan; otherwise why not, and the plan is set to
 null.

 Threads may ask the planner at once, each with its own scratch. Free the plan with
 farstride_plan_free.
 */
enum FarstrideResult farstride_plan_new(const struct FarstridePlanner *planner,
                                        struct FarstrideScratch *scratch,
                                        int32_t start_x,
                                        int32_t start_y,
                                        int32_t goal_x,
                                        int32_t goal_y,
                                        enum FarstrideStatus *status,
                                        struct FarstridePlan **plan);

/*
 Takes the next step on the map as it is now: pass the planner that made the plan, edited or not.

 cell: where the unit is afterwards.

 One thread at a time for each plan; threads may ask the planner at once, each with its own
 scratch.
 */
enum FarstrideResult farstride_plan_step(struct FarstridePlan *plan,
                                         const struct FarstridePlanner *planner,
                                         struct FarstrideScratch *scratch,
                                         enum FarstrideStep *step,
                                         struct FarstrideCell *cell);

/*
 Takes the next step of many plans, as farstride_plan_step does, on up to as many threads as there are
 scratches. Each plan and each scratch may be there once; null is refused.

 steps and cells: room for count of them, in the order of the plans. They do not depend on the number of
 scratches.

 Nobody else may use the plans and the scratches meanwhile; threads may ask the planner.
 */
enum FarstrideResult farstride_step_many(const struct FarstridePlanner *planner,
                                         struct FarstridePlan *const *plans,
                                         size_t count,
                                         struct FarstrideScratch *const *scratches,
                                         size_t scratch_count,
                                         enum FarstrideStep *steps,
                                         struct FarstrideCell *cells);

/*
 Where the unit is; 0, 0 if the handle is wrong.

 One thread at a time for each plan.
 */
struct FarstrideCell farstride_plan_position(const struct FarstridePlan *plan);

/*
 How often a new route was searched, because of an edit or because the unit was moved.

 One thread at a time for each plan.
 */
uint32_t farstride_plan_replans(const struct FarstridePlan *plan);

/*
 Tells the plan that the unit is somewhere else.

 One thread at a time for each plan.
 */
enum FarstrideResult farstride_plan_stand_at(struct FarstridePlan *plan,
                                             const struct FarstridePlanner *planner,
                                             int32_t x,
                                             int32_t y);

/*
 Frees a plan. Null is allowed.
 */
void farstride_plan_free(struct FarstridePlan *plan);

/*
 Makes a planner, and builds its index if the engine has one.

 engine: its name, such as "labels", "nsg+", "hpa", "hpt" or "astar"; "shortest" for the one that
 suits the map and finds shortest paths, "any-angle" for "straight" where its labels fit, else "hpt",
 and on maps with weights "hpa", whose paths are grid paths; null for the one that suits the map.
 settings: as in "cluster=16,smooth=false", or null. options: or null.

 The map may be freed afterwards. Any thread may call it. Free the planner with
 farstride_planner_free.
 */
enum FarstrideResult farstride_planner_new(const struct FarstrideGrid *grid,
                                           const char *engine,
                                           const char *settings,
                                           const struct FarstrideBuildOptions *options,
                                           struct FarstridePlanner **planner);

/*
 Opens the index of a map from a file and maps it into memory: processes share it. The file must
 not be changed in place as long as the planner is used; farstride_planner_save never does.

 trust: whether to skip the proofs that the file is sound; for files of your own.

 Any thread may call it. Free the planner with farstride_planner_free.
 */
enum FarstrideResult farstride_planner_open(const struct FarstrideGrid *grid,
                                            const char *file,
                                            bool trust,
                                            struct FarstridePlanner **planner);

/*
 Opens the index of a map from bytes, which are copied.

 Any thread may call it. Free the planner with farstride_planner_free.
 */
enum FarstrideResult farstride_planner_open_bytes(const struct FarstrideGrid *grid,
                                                  const uint8_t *bytes,
                                                  size_t count,
                                                  struct FarstridePlanner **planner);

/*
 Saves the index to a file, which is replaced as a whole or not at all.

 size: its size in bytes; may be null.

 Threads may ask the planner meanwhile.
 */
enum FarstrideResult farstride_planner_save(const struct FarstridePlanner *planner,
                                            const char *file,
                                            uint64_t *size);

/*
 Frees a planner. Null is allowed.
 */
void farstride_planner_free(struct FarstridePlanner *planner);

/*
 The name of the engine; null if the handle is wrong. If the map chose it, an edit may change it.

 Threads may ask the planner meanwhile. The text is there for good.
 */
const char *farstride_planner_engine(const struct FarstridePlanner *planner);

/*
 Copies the weights of the map as it is now: as farstride_grid_weights.

 Threads may ask the planner meanwhile.
 */
enum FarstrideResult farstride_planner_weights(const struct FarstridePlanner *planner,
                                               uint8_t *weights,
                                               size_t count);

/*
 Edits rectangles, one after the other. The index follows before this returns. All of them are
 checked before the first is carried out.

 Nobody else may use the planner meanwhile.
 */
enum FarstrideResult farstride_planner_edit(struct FarstridePlanner *planner,
                                            const struct FarstrideEdit *edits,
                                            size_t count);

/*
 Makes a scratch.

 Any thread may call it. Free it with farstride_scratch_free.
 */
enum FarstrideResult farstride_scratch_new(struct FarstrideScratch **scratch);

/*
 Frees a scratch, and the paths that lie in it. Null is allowed.
 */
void farstride_scratch_free(struct FarstrideScratch *scratch);

/*
 Finds a path.

 route: the answer; its cells lie in the scratch until that is used again or freed.

 Threads may ask the planner at once, each with its own scratch.
 */
enum FarstrideResult farstride_find(const struct FarstridePlanner *planner,
                                    struct FarstrideScratch *scratch,
                                    const struct FarstrideQuery *query,
                                    struct FarstrideRoute *route);

/*
 Finds the goal that costs least to reach, and the path to it.

 which: the number of that goal in the list; SIZE_MAX if none can be reached, and then the route
 is not written.

 Threads may ask the planner at once, each with its own scratch.
 */
enum FarstrideResult farstride_nearest(const struct FarstridePlanner *planner,
                                       struct FarstrideScratch *scratch,
                                       int32_t x,
                                       int32_t y,
                                       const struct FarstrideCell *goals,
                                       size_t goal_count,
                                       size_t *which,
                                       struct FarstrideRoute *route);

/*
 Writes the exact costs from each of some starts to each of some goals, row by start; -1 where
 there is no path.

 costs: room for start_count times goal_count numbers. threads: 0 for all cores.

 Threads may ask the planner meanwhile.
 */
enum FarstrideResult farstride_cost_table(const struct FarstridePlanner *planner,
                                          const struct FarstrideCell *starts,
                                          size_t start_count,
                                          const struct FarstrideCell *goals,
                                          size_t goal_count,
                                          uint32_t threads,
                                          int64_t *costs);

/*
 Finds a way from a place to another.

 trip: the answer; its stages and their cells lie in the scratch until that is used again or freed.

 Threads may ask the world at once, each with its own scratch.
 */
enum FarstrideResult farstride_atlas_find(const struct FarstrideAtlas *atlas,
                                          struct FarstrideScratch *scratch,
                                          uint32_t mover,
                                          struct FarstridePlace from,
                                          struct FarstridePlace to,
                                          struct FarstrideTrip *trip);

/*
 Finds the place of a list that costs least to reach, through floors and links.

 which: its number in the list; SIZE_MAX if none can be reached, and then the trip is not written. trip:
 as in farstride_atlas_find.

 Threads may ask the world at once, each with its own scratch.
 */
enum FarstrideResult farstride_atlas_nearest(const struct FarstrideAtlas *atlas,
                                             struct FarstrideScratch *scratch,
                                             uint32_t mover,
                                             struct FarstridePlace from,
                                             const struct FarstridePlace *goals,
                                             size_t goal_count,
                                             size_t *which,
                                             struct FarstrideTrip *trip);

/*
 Whether a way leads from a place to another. Nothing is searched.

 Threads may ask the world meanwhile.
 */
enum FarstrideResult farstride_atlas_can_reach(const struct FarstrideAtlas *atlas,
                                               uint32_t mover,
                                               struct FarstridePlace from,
                                               struct FarstridePlace to,
                                               bool *can);

/*
 Replaces a start where the mover cannot stand and a goal that it cannot reach by the nearest places of
 their floors; if nothing of the goal's floor can be reached, by a place of another floor above or below it, or close to that.

 exists: whether there are such places; if not, from and to stay as they are.

 Threads may ask the world meanwhile.
 */
enum FarstrideResult farstride_atlas_substitute(const struct FarstrideAtlas *atlas,
                                                uint32_t mover,
                                                struct FarstridePlace *from,
                                                struct FarstridePlace *to,
                                                bool *exists);

/*
 Makes a plan: its links are chosen at once, each walk is planned when it begins.

 status: FARSTRIDE_STATUS_FOUND if there is a plan; otherwise why not, and the plan is set to null.

 Threads may ask the world at once, each with its own scratch. Free the plan with
 farstride_trip_plan_free.
 */
enum FarstrideResult farstride_trip_plan_new(const struct FarstrideAtlas *atlas,
                                             struct FarstrideScratch *scratch,
                                             uint32_t mover,
                                             struct FarstridePlace from,
                                             struct FarstridePlace to,
                                             enum FarstrideStatus *status,
                                             struct FarstrideTripPlan **plan);

/*
 Makes many plans of a mover, as farstride_trip_plan_new does, on several threads.

 starts and goals: count of each. threads: 0 for all cores. statuses and plans: room for count of them, in the
 order of the starts; where the status is not FARSTRIDE_STATUS_FOUND, the plan is set to null.

 Threads may ask the world meanwhile. Free each plan with farstride_trip_plan_free.
 */
enum FarstrideResult farstride_trip_plan_many(const struct FarstrideAtlas *atlas,
                                              uint32_t mover,
                                              const struct FarstridePlace *starts,
                                              const struct FarstridePlace *goals,
                                              size_t count,
                                              uint32_t threads,
                                              enum FarstrideStatus *statuses,
                                              struct FarstrideTripPlan **plans);

/*
 Takes the next step in the world as it is now: pass the world that made the plan, edited or not.

 place: where the unit is afterwards. link: the link it took, or -1; may be null.

 One thread at a time for each plan; threads may ask the world at once, each with its own scratch.
 */
enum FarstrideResult farstride_trip_plan_step(struct FarstrideTripPlan *plan,
                                              const struct FarstrideAtlas *atlas,
                                              struct FarstrideScratch *scratch,
                                              enum FarstrideTripStep *step,
                                              struct FarstridePlace *place,
                                              int64_t *link);

/*
 Where the unit is; 0, 0, 0 if the handle is wrong.

 One thread at a time for each plan.
 */
struct FarstridePlace farstride_trip_plan_position(const struct FarstrideTripPlan *plan);

/*
 How often links or walks were chosen again, because of an edit or because the unit was moved.

 One thread at a time for each plan.
 */
uint32_t farstride_trip_plan_replans(const struct FarstrideTripPlan *plan);

/*
 Tells the plan that the unit is somewhere else.

 One thread at a time for each plan.
 */
enum FarstrideResult farstride_trip_plan_stand_at(struct FarstrideTripPlan *plan,
                                                  const struct FarstrideAtlas *atlas,
                                                  struct FarstridePlace place);

/*
 Frees a plan. Null is allowed.
 */
void farstride_trip_plan_free(struct FarstrideTripPlan *plan);

/*
 Makes a field around some goals on a floor, for units of a kind. Goals where they cannot stand are left out.

 Threads may ask the world meanwhile. Ask it by farstride_atlas_field_ask, and free it with
 farstride_field_free.
 */
enum FarstrideResult farstride_atlas_field_new(const struct FarstrideAtlas *atlas,
                                               uint32_t mover,
                                               uint32_t floor,
                                               const struct FarstrideCell *goals,
                                               size_t goal_count,
                                               struct FarstrideField **field);

/*
 The way of a unit to the nearest goal, as farstride_field_ask. Pass the world that the field was made with,
 edited or not.

 One thread at a time for each field; threads may ask the world meanwhile.
 */
enum FarstrideResult farstride_atlas_field_ask(struct FarstrideField *field,
                                               const struct FarstrideAtlas *atlas,
                                               int32_t x,
                                               int32_t y,
                                               int64_t *cost,
                                               struct FarstrideCell *next);

/*
 Makes a world of one floor. classes: a number per cell, row by row, which means nothing by itself:
 movers say which classes they may enter.

 Any thread may call it. Free the world with farstride_atlas_free.
 */
enum FarstrideResult farstride_atlas_new(uint32_t width,
                                         uint32_t height,
                                         const uint8_t *classes,
                                         struct FarstrideAtlas **atlas);

/*
 Loads a world from a map of the editor Tiled (.tmx or .tmj). farstride_atlas_class_named has the kinds of
 terrain: classes of tiles as set in the editor, and tiles without one under a name of their own.

 stacked: not 0 if its layers lie on each other and make one floor; otherwise each is a floor.

 Any thread may call it. Free the world with farstride_atlas_free.
 */
enum FarstrideResult farstride_atlas_load_tiled(const char *file,
                                                uint8_t stacked,
                                                struct FarstrideAtlas **atlas);

/*
 Loads a world from a project of the editor LDtk: a floor for each layer of an integer grid.
 farstride_atlas_class_named has its values by name.

 Any thread may call it. Free the world with farstride_atlas_free.
 */
enum FarstrideResult farstride_atlas_load_ldtk(const char *file, struct FarstrideAtlas **atlas);

/*
 The class that a file gave a name to.

 Threads may ask the world meanwhile.
 */
enum FarstrideResult farstride_atlas_class_named(const struct FarstrideAtlas *atlas,
                                                 const char *name,
                                                 uint8_t *terrain_class);

/*
 The name that a file gave to a class; null if it has none. It is there until the world is freed.

 Threads may ask the world meanwhile.
 */
const char *farstride_atlas_class_name(const struct FarstrideAtlas *atlas, uint8_t terrain_class);

/*
 Number of floors; 0 if the handle is wrong.

 Threads may ask the world meanwhile.
 */
uint32_t farstride_atlas_floor_count(const struct FarstrideAtlas *atlas);

/*
 Columns and rows of a floor.

 Threads may ask the world meanwhile.
 */
enum FarstrideResult farstride_atlas_floor_size(const struct FarstrideAtlas *atlas,
                                                uint32_t floor,
                                                uint32_t *width,
                                                uint32_t *height);

/*
 Copies the classes of a floor as it is now, row by row.

 classes: room for as many bytes as it has cells; count: how many there are.

 Threads may ask the world meanwhile.
 */
enum FarstrideResult farstride_atlas_classes(const struct FarstrideAtlas *atlas,
                                             uint32_t floor,
                                             uint8_t *classes,
                                             size_t count);

/*
 Adds a floor. x and y: where in the world its upper left cell is.

 number: of the floor; may be null. The first is 0.

 Nobody else may use the world meanwhile.
 */
enum FarstrideResult farstride_atlas_add_floor(struct FarstrideAtlas *atlas,
                                               uint32_t width,
                                               uint32_t height,
                                               const uint8_t *classes,
                                               int32_t x,
                                               int32_t y,
                                               uint32_t *number);

/*
 Adds a kind of mover. What it needs is prepared by the first question about it, or by
 farstride_atlas_prepare.

 number: of the mover, for queries. The first is 0.

 Nobody else may use the world meanwhile.
 */
enum FarstrideResult farstride_atlas_add_mover(struct FarstrideAtlas *atlas,
                                               const struct FarstrideMover *mover,
                                               uint32_t *number);

/*
 Adds a link.

 number: of the link, as stages and farstride_atlas_remove_link name it; may be null.

 Nobody else may use the world meanwhile.
 */
enum FarstrideResult farstride_atlas_add_link(struct FarstrideAtlas *atlas,
                                              const struct FarstrideLink *link,
                                              int64_t *number);

/*
 Removes a link. Its number is not used again.

 Nobody else may use the world meanwhile.
 */
enum FarstrideResult farstride_atlas_remove_link(struct FarstrideAtlas *atlas, int64_t link);

/*
 Gives rectangles other classes, one after the other. All of them are checked before the first is
 carried out, and everything that is prepared follows before this returns.

 Nobody else may use the world meanwhile.
 */
enum FarstrideResult farstride_atlas_edit(struct FarstrideAtlas *atlas,
                                          const struct FarstrideFill *fills,
                                          size_t count);

/*
 Prepares everything for a mover, on all cores: maps and indexes of all floors, and the costs between
 all ends of links.

 Threads may ask the world meanwhile.
 */
enum FarstrideResult farstride_atlas_prepare(const struct FarstrideAtlas *atlas,
                                             uint32_t mover);

/*
 Frees a world. Null is allowed.
 */
void farstride_atlas_free(struct FarstrideAtlas *atlas);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* FARSTRIDE_H */
