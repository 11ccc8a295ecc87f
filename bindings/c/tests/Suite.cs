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
            string file = Path.Combine(arguments[0], "süite.fsi");
            using (var fresh = new Planner(grid, "nsg+"))
            {
                Expect(fresh.Save(file) == new FileInfo(file).Length, "saved");
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
