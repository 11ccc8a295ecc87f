//! Answers instead of no: the nearest query that has a path.

use super::{Planner, Query, QueryError};

impl Planner {
    /// A query that has a path, for one that may have none: a blocked start is replaced by
    /// the free cell nearest to it, then a goal that is blocked or cannot be reached by the
    /// cell nearest to it that can be, both by straight distance; of several such cells,
    /// the first in reading order is taken. Compare the goals to learn whether one was
    /// replaced. Only a map without free cells leaves nothing to replace a cell by.
    ///
    /// # Complexity
    /// That of [`Grid::nearest_reachable`](crate::Grid::nearest_reachable): constant if nothing has to be replaced.
    ///
    /// # Errors
    /// As [`Planner::find`].
    ///
    /// # Example
    /// ```
    /// use farstride::{Cell, Grid, Planner, Query, Scratch};
    ///
    /// let planner = Planner::new(Grid::from_ascii("
    ///     ....#.
    ///     ....##
    /// ")?);
    /// let asked = Query::new((0, 0), (5, 0));
    /// let query = planner.substitute(asked)?;
    /// assert_eq!((query.start, query.goal), (asked.start, Cell::new(3, 0)));
    /// let mut scratch = Scratch::new();
    /// assert_eq!(planner.find(query, &mut scratch)?.route().unwrap().length(), 3.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn substitute(&self, query: Query) -> Result<Query, QueryError> {
        self.check_query(query)?;
        let start = self.grid.nearest_free(query.start).unwrap_or(query.start);
        let goal = self.grid.nearest_reachable(start, query.goal).unwrap_or(query.goal);
        Ok(Query { start, goal, ..query })
    }
}
