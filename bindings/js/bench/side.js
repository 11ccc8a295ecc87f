// One side of the race: builds planners on a map and times its queries. Runs in Node and in a page.

/** What is timed; `queries` has four numbers for each. */
export function side({ Grid, Planner }, map, queries) {
  const grid = Grid.fromMovingAi(map);
  const into = new Int32Array(20_000);
  let planner;
  return {
    /** Milliseconds that the index of an engine takes. */
    build(engine) {
      planner?.free();
      const begun = performance.now();
      planner = new Planner(grid, engine);
      return performance.now() - begun;
    },

    /** Mean microseconds of each query, called in two ways and inside the module. */
    run(repeats) {
      return {
        called: timed(planner, queries, repeats),
        into: timed(planner, queries, repeats, { into }),
        inside: inside(planner, queries, repeats),
      };
    },
  };
}

/** Mean microseconds of each query, the call and a copy of the path included. */
export function timed(planner, queries, repeats, options) {
  const times = [];
  for (let at = 0; at < queries.length; at += 4) {
    const [ax, ay, bx, by] = [queries[at], queries[at + 1], queries[at + 2], queries[at + 3]];
    planner.find(ax, ay, bx, by, options);
    const begun = performance.now();
    for (let run = 0; run < repeats; run += 1) {
      planner.find(ax, ay, bx, by, options);
    }
    times.push(((performance.now() - begun) * 1000) / repeats);
  }
  return times;
}

/** The same measured inside the module. */
function inside(planner, queries, repeats) {
  const { raw } = planner.handle;
  const times = [];
  for (let at = 0; at < queries.length; at += 4) {
    times.push(raw.time(queries[at], queries[at + 1], queries[at + 2], queries[at + 3], 0, repeats)[0]);
  }
  return times;
}
