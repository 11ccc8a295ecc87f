// The tests of Farstride.cs, run with mono by bindings/test.
using System;
using System.IO;
using System.Linq;
using Farstride;

static class Suite
{
    static void Expect(bool holds, string what) { if (!holds) throw new Exception(what); }

    static Result Thrown(Action work, string says)
    {
        try { work(); }
        catch (FarstrideException error)
        {
            Expect(error.Message.Contains(says), error.Message);
            return error.Result;
        }
        return Result.Ok;
    }

    static void Orders(Grid grid, Scratch scratch)
    {
        using (var planner = new Planner(grid, "any-angle"))
        {
            Expect(planner.Engine == "straight" && planner.Find(new Query(0, 0, 10, 4), scratch).Form == Form.Halves, "any angle");
            planner.Change(new Edit(7, 5, 1, 1, 1));
            Expect(planner.Engine == "hpt", "any angle after an edit");
        }
        using (var touch = new Planner(grid, "straight", "rule=touch"))
        using (var body = new Planner(grid, "straight", "rule=body"))
        {
            var past = new Query(0, 5, 14, 5);
            Expect(touch.Find(past, scratch).Length < body.Find(past, scratch).Length, "rule");
        }
        using (var planner = new Planner(grid, "hpa", "cluster=10"))
        using (var other = new Scratch())
        {
            var queries = Enumerable.Range(0, 20).Select(x => new Query(x, 0, 29 - x, 19)).ToArray();
            Route[] routes = planner.FindMany(queries);
            Expect(routes.Length == 20 && routes.Zip(queries, (r, q) => r.Cost == planner.Find(q, scratch).Cost).All(e => e), "many");
            Route around = planner.FindAvoiding(new Query(0, 0, 10, 4), new[] { new Rect(5, 0, 1, 19) }, scratch);
            Expect(around.Status == Status.Found && around.Cells.All(c => c.X != 5 || c.Y == 19), "zones");
            Query instead = planner.Substitute(new Query(0, 0, 7, 5));
            Expect(planner.Find(instead, scratch).Status == Status.Found, "substitute");
            Expect(planner.Weights(30 * 20)[5 * 30 + 7] == 0, "weights");
            Status[] statuses;
            Plan[] plans = planner.PlanGroup(new[] { new Cell(0, 0), new Cell(3, 9), new Cell(7, 5) }, 29, 19, out statuses);
            Expect(plans[2] == null && statuses[2] == Status.StartBlocked && statuses[0] == Status.Found, "group");
            Plan[] walking = plans.Take(2).ToArray();
            Cell[] cells;
            Step[] steps = planner.StepMany(walking, new[] { scratch, other }, out cells);
            Expect(steps.All(step => step == Step.To) && cells[0].Equals(walking[0].Position) && !cells[1].Equals(new Cell(3, 9)), "steps");
            Expect(Thrown(() => planner.StepMany(new[] { walking[0], walking[0] }, new[] { scratch }, out cells), "twice") == Result.Handle, "twice");
            using (Field field = planner.MakeField(new Cell(10, 4), new Cell(29, 19)))
            {
                Cell next;
                Expect(field.Ask(10, 5, out next) == 4756 && next.Equals(new Cell(10, 4)) && field.Ask(7, 5, out next) == -1, "field");
            }
            try { planner.StepMany(plans, new[] { scratch }, out cells); Expect(false, "null"); }
            catch (ArgumentException error) { Expect(error.Message.Contains("plan 2 is null"), error.Message); }
            foreach (Plan plan in walking) plan.Dispose();
        }
    }

    static byte[] Classes(string text) { return text.Select(letter => (byte)letter).ToArray(); }

    static void Worlds(Scratch scratch)
    {
        var costs = new byte[256];
        costs['.'] = 1;
        using (var atlas = new Atlas(7, 2, Classes("...#......#...")))
        {
            Expect(atlas.AddFloor(7, 2, Classes("..............")) == 1, "floor");
            int dwarf = atlas.AddMover(costs), guard = atlas.AddMover(costs, engine: "labels", withoutLinks: true);
            Place start = new Place(0, 0, 0), goal = new Place(0, 6, 0);
            int rook = atlas.AddMover(costs, diagonals: "none");
            Expect(atlas.Find(rook, start, new Place(0, 1, 1), scratch).Cost == 2 * 4756, "diagonals");
            Expect(Thrown(() => atlas.AddMover(costs, diagonals: "x"), "diagonals is 'x'") == Result.Settings, "no diagonals");
            long first = atlas.AddLink(new Link(new Place(0, 1, 1), new Place(1, 1, 1), 10000));
            long second = atlas.AddLink(new Link(new Place(0, 5, 1), new Place(1, 5, 1), 10000));
            atlas.Prepare(dwarf);
            Trip trip = atlas.Find(dwarf, start, goal, scratch);
            Expect(trip.Status == Status.Found && trip.Cost == 52476 && trip.Stages.Length == 5 && trip.Stages[1].Link == first, "trip");
            Expect(trip.Stages[2].Floor == 1 && trip.Stages[2].Cells.Length == 5 && trip.Stages[2].Cells[4].Equals(new Cell(5, 1)), "stage");
            Expect(atlas.CanReach(dwarf, start, goal) && !atlas.CanReach(guard, start, goal), "reach");
            Place from = start, to = goal;
            Expect(atlas.Substitute(guard, ref from, ref to) && to.Equals(new Place(0, 2, 0)), "substitute");
            Expect(atlas.Nearest(dwarf, start, new[] { goal, new Place(1, 3, 1) }, scratch, out trip) == 1 && trip.Stages.Length == 3, "nearest");
            Expect(atlas.Nearest(guard, start, new[] { goal }, scratch, out trip) == -1 && trip == null, "no nearest");
            Status status;
            using (TripPlan plan = atlas.MakePlan(dwarf, start, goal, scratch, out status))
            {
                Place place;
                long link;
                Expect(plan.Next(scratch, out place, out link) == TripStep.Walk && link == -1, "walk");
                Expect(plan.Next(scratch, out place, out link) == TripStep.Link && link == first && place.Floor == 1, "link");
                atlas.Change(new Fill(1, new Rect(3, 0, 1, 2), '#'));
                Expect(plan.Next(scratch, out place, out link) == TripStep.Unreachable, "cut off");
                plan.StandAt(goal);
                Expect(plan.Next(scratch, out place, out link) == TripStep.Arrived && place.Equals(goal), "arrived");
                Expect(plan.Position.Equals(goal) && plan.Replans > 0, "position");
            }
            Expect(atlas.MakePlan(guard, start, goal, scratch, out status) == null && status == Status.Unreachable, "no plan");
            Status[] statuses;
            TripPlan[] plans = atlas.MakePlans(dwarf, new[] { start, start }, new[] { new Place(0, 2, 0), start }, out statuses);
            Expect(statuses[0] == Status.Found && statuses[1] == Status.AlreadyThere && plans[1] == null, "plans");
            using (plans[0])
            {
                Place place;
                long link;
                Expect(plans[0].Next(scratch, out place, out link) == TripStep.Walk && place.X == 1, "step of one");
            }
            using (FloorField field = atlas.MakeField(dwarf, 0, new Cell(1, 1)))
            {
                Cell next;
                Expect(field.Ask(0, 1, out next) == 4756 && next.Equals(new Cell(1, 1)), "field of a floor");
            }
            int width, height;
            atlas.FloorSize(1, out width, out height);
            Expect(atlas.FloorCount == 2 && width == 7 && height == 2 && atlas.Classes(0)[3] == '#', "floors");
            Expect(Thrown(() => atlas.ClassNamed("lava"), "no class 'lava'") == Result.Query, "class");
            Expect(Thrown(() => Atlas.LoadTiled("none.tmx"), "none.tmx") == Result.File, "tiled");
            Expect(Thrown(() => Atlas.LoadLdtk("none.ldtk"), "none.ldtk") == Result.File, "ldtk");
            atlas.RemoveLink(second);
            var down = new Link(new Place(0, 5, 1), new Place(1, 5, 1), 10000) { OneWay = true };
            long slide = atlas.AddLink(down);
            Place above = new Place(0, 6, 1), below = new Place(1, 6, 1);
            Expect(down.OneWay && atlas.CanReach(dwarf, above, below) && !atlas.CanReach(dwarf, below, above), "one way");
            atlas.RemoveLink(slide);
            Expect(Thrown(() => atlas.RemoveLink(second), "no link") == Result.Query, "removed");
            Expect(Thrown(() => atlas.Find(9, start, goal, scratch), "no mover 9") == Result.Query, "mover");
        }
    }

    static void Main(string[] arguments)
    {
        var weights = Enumerable.Repeat((byte)1, 30 * 20).ToArray();
        weights[5 * 30 + 7] = 0;
        Expect(Planner.Version.Contains("."), "version");
        using (var grid = new Grid(30, 20, weights))
        using (var planner = new Planner(grid, "hpa", "cluster=10"))
        using (var scratch = new Scratch())
        {
            Expect(grid.Width == 30 && grid.Height == 20 && grid.Weight(7, 5) == 0 && grid.Weight(8, 5) == 1, "map");
            Expect(planner.Engine == "hpa", "engine");
            Route route = planner.Find(new Query(0, 0, 10, 4), scratch);
            Expect(route.Status == Status.Found && route.Form == Form.Cells && route.Cells.Length == 11, "route");
            Expect(route.Cells[0].Equals(new Cell(0, 0)) && route.Cells[10].Equals(new Cell(10, 4)), "ends");
            Expect(Math.Abs(route.Length - (6 + 4 * Math.Sqrt(2))) < 1e-9, "length");
            Expect(planner.Find(new Query(0, 0, 7, 5), scratch).Status == Status.GoalBlocked, "blocked");
            var few = new Query(0, 0, 29, 19) { Detail = Detail.First, First = 2 };
            Expect(planner.Find(few, scratch).Cells.Length == 3, "first");
            var goals = new[] { new Cell(29, 19), new Cell(10, 4), new Cell(7, 5) };
            Route nearest;
            Expect(planner.Nearest(0, 0, goals, scratch, out nearest) == 1 && nearest.Cost == route.Cost, "nearest");
            Expect(planner.Nearest(7, 5, goals, scratch, out nearest) == -1 && nearest == null, "no nearest");
            long[] table = planner.CostTable(new[] { new Cell(0, 0) }, goals);
            Expect(table.Length == 3 && table[1] == (long)route.Cost && table[2] == -1, "table");
            Status status;
            using (Plan plan = planner.MakePlan(0, 10, 29, 10, scratch, out status))
            {
                Cell cell;
                Expect(status == Status.Found && plan.Next(scratch, out cell) == Step.To, "plan");
                planner.Change(new Edit(15, 0, 1, 20, 0));
                Expect(plan.Next(scratch, out cell) == Step.Unreachable, "wall");
                planner.Change(new Edit(15, 2, 1, 1, 1));
                while (plan.Next(scratch, out cell) == Step.To) { }
                Expect(cell.Equals(new Cell(29, 10)) && plan.Replans > 0, "arrived");
            }
            Orders(grid, scratch);
            Worlds(scratch);
            string file = Path.Combine(arguments[0], "süite.fsi");
            using (var fresh = new Planner(grid, "nsg+"))
            {
                Expect(fresh.Save(file) == new FileInfo(file).Length, "saved");
                using (Planner mapped = Planner.OpenFile(grid, file))
                    Expect(mapped.Engine == "nsg+", "mapped");
                using (Planner opened = Planner.Open(grid, File.ReadAllBytes(file)))
                    Expect(opened.Engine == "nsg+" && opened.Find(new Query(0, 0, 10, 4), scratch).Cost == fresh.Find(new Query(0, 0, 10, 4), scratch).Cost, "opened");
            }
            File.Delete(file);
            Expect(Thrown(() => planner.Find(new Query(0, 0, 30, 0), scratch), "cell 30,0") == Result.Query, "outside");
            Expect(Thrown(() => new Planner(grid, "x"), "x") == Result.Settings, "engine");
            Expect(Thrown(() => Grid.Load("no/such/file"), "cannot read") == Result.File, "file");
            var gone = new Scratch();
            gone.Dispose();
            gone.Dispose();
            try { planner.Find(new Query(0, 0, 1, 1), gone); Expect(false, "disposed"); }
            catch (ObjectDisposedException) { }
        }
        Console.WriteLine("the C# suite holds");
    }
}
