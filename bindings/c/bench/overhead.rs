//! What a call through the border costs over a call of the engine: a query that is answered at once, so
//! that nothing else is measured, and one of `labels`. The median of interleaved rounds.

use farstride::{Engine, Grid as Map, Planner as Inner, Query as Asked, Scratch as Memory};
use farstride_c::{grid, planner, route};
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::ptr;
use std::time::Instant;

const ROUNDS: usize = 101;
const CALLS: u32 = 20_000;

fn main() {
    let mut map = ptr::null_mut();
    let (mut handle, mut scratch) = (ptr::null_mut(), ptr::null_mut());
    // SAFETY: null is allowed where it is passed, and the rest are places to write to.
    let made = unsafe {
        [
            grid::farstride_grid_new(200, 200, ptr::null(), ptr::null(), &raw mut map),
            planner::farstride_planner_new(
                map,
                c"labels".as_ptr(),
                ptr::null(),
                ptr::null(),
                &raw mut handle,
            ),
            planner::farstride_scratch_new(&raw mut scratch),
        ]
    };
    assert_eq!(made, [farstride_c::border::Result::Ok; 3]);
    let inner = Inner::with_engine(Map::empty(200, 200).expect("a size in range"), Engine::Labels)
        .expect("labels on a map without weights");
    let mut memory = Memory::new();
    for (what, goal) in [("the start again", (3, 4)), ("150 cells away", (153, 97))] {
        let asked = Asked::new((3, 4), goal);
        let query = route::Query {
            start_x: 3,
            start_y: 4,
            goal_x: goal.0.into(),
            goal_y: goal.1.into(),
            detail: 0,
            first: 0,
            budget: 0,
        };
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let begin = Instant::now();
            for _ in 0..CALLS {
                let outcome = inner.find(black_box(asked), &mut memory);
                black_box(outcome.is_ok());
            }
            ours.push(begin.elapsed());
            let begin = Instant::now();
            for _ in 0..CALLS {
                let mut answer = MaybeUninit::uninit();
                // SAFETY: the handles were made above and are used by this thread alone.
                black_box(unsafe {
                    planner::farstride_find(handle, scratch, black_box(&raw const query), answer.as_mut_ptr())
                });
                black_box(&answer);
            }
            theirs.push(begin.elapsed());
        }
        ours.sort_unstable();
        theirs.sort_unstable();
        let nanoseconds =
            |times: &[std::time::Duration]| times[ROUNDS / 2].as_secs_f64() * 1e9 / f64::from(CALLS);
        let (rust, c) = (nanoseconds(&ours), nanoseconds(&theirs));
        println!("{what}: Rust {rust:.1} ns, C {c:.1} ns, {:+.1} ns", c - rust);
    }
    // SAFETY: each was made above and is freed once.
    unsafe {
        planner::farstride_scratch_free(scratch);
        planner::farstride_planner_free(handle);
        grid::farstride_grid_free(map);
    }
}
