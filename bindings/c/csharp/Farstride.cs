// The pathfinding engine farstride for C#: put this file into a project, for Unity under Assets, and
// the library where plugins go (libfarstride_c.so, farstride_c.dll or libfarstride_c.dylib).
//
// Needs no more than C# 7.3 and .NET Standard 2.0. The rules of threads in farstride.h hold.
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Farstride
{
    public enum Result { Ok, Argument, Handle, Map, Query, Settings, Index, Engine, Cancelled, File, Internal }

    public enum Status { Found, AlreadyThere, StartBlocked, GoalBlocked, Unreachable, BudgetSpent }

    public enum Form { Cells, Points, Waypoints, Omitted, Halves }

    public enum Step { To, Arrived, Unreachable }

    public enum Detail : uint { Cells, Waypoints, Cost, First }

    [StructLayout(LayoutKind.Sequential)]
    public struct Cell : IEquatable<Cell>
    {
        public ushort X, Y;
        public Cell(int x, int y) { X = checked((ushort)x); Y = checked((ushort)y); }
        public bool Equals(Cell other) { return X == other.X && Y == other.Y; }
        public override bool Equals(object other) { return other is Cell && Equals((Cell)other); }
        public override int GetHashCode() { return X << 16 | Y; }
        public override string ToString() { return X + "," + Y; }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Query
    {
        public int StartX, StartY, GoalX, GoalY;
        public Detail Detail;
        public uint First;
        public ulong Budget;
        public Query(int startX, int startY, int goalX, int goalY) : this()
        {
            StartX = startX; StartY = startY; GoalX = goalX; GoalY = goalY;
        }
    }

    /// <summary>A rectangle and the weight its cells get; 0 blocks.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Edit
    {
        public int X, Y, Width, Height, Weight;
        public Edit(int x, int y, int width, int height, int weight)
        {
            X = x; Y = y; Width = width; Height = height; Weight = weight;
        }
    }

    /// <summary>A rectangle of cells.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Rect
    {
        public int X, Y, Width, Height;
        public Rect(int x, int y, int width, int height) { X = x; Y = y; Width = width; Height = height; }
    }

    /// <summary>An answer, with a path of its own.</summary>
    public sealed class Route
    {
        public Status Status { get; internal set; }
        public Form Form { get; internal set; }
        public ulong Cost { get; internal set; }
        public double Length { get; internal set; }
        public Cell[] Cells { get; internal set; }
    }

    public sealed class FarstrideException : Exception
    {
        public Result Result { get; private set; }
        internal FarstrideException(Result result) : base(Native.Text(Native.farstride_last_error())) { Result = result; }
        /// The owners of the handles of the call: or the collector may free one while the library uses it.
        internal static void Check(Result result, object owner = null, object other = null, object third = null)
        {
            GC.KeepAlive(owner);
            GC.KeepAlive(other);
            GC.KeepAlive(third);
            if (result != Result.Ok) throw new FarstrideException(result);
        }
    }

    internal static class Native
    {
#if UNITY_IOS && !UNITY_EDITOR
        internal const string Library = "__Internal";
#else
        internal const string Library = "farstride_c";
#endif

        [StructLayout(LayoutKind.Sequential)]
        internal struct RawRoute
        {
            internal Status Status;
            internal Form Form;
            internal ulong Cost;
            internal double Length;
            internal IntPtr Cells;
            internal UIntPtr Count;
        }

        [DllImport(Library)] internal static extern IntPtr farstride_last_error();
        [DllImport(Library)] internal static extern IntPtr farstride_version();
        [DllImport(Library)] internal static extern uint farstride_abi();
        [DllImport(Library)] internal static extern Result farstride_grid_new(uint width, uint height, byte[] weights, byte[] diagonals, out IntPtr grid);
        [DllImport(Library)] internal static extern Result farstride_grid_load(byte[] file, byte[] letters, byte[] diagonals, out IntPtr grid);
        [DllImport(Library)] internal static extern void farstride_grid_free(IntPtr grid);
        [DllImport(Library)] internal static extern uint farstride_grid_width(IntPtr grid);
        [DllImport(Library)] internal static extern uint farstride_grid_height(IntPtr grid);
        [DllImport(Library)] internal static extern byte farstride_grid_weight(IntPtr grid, int x, int y);
        [DllImport(Library)] internal static extern Result farstride_planner_new(IntPtr grid, byte[] engine, byte[] settings, IntPtr options, out IntPtr planner);
        [DllImport(Library)] internal static extern Result farstride_planner_open_bytes(IntPtr grid, byte[] bytes, UIntPtr count, out IntPtr planner);
        [DllImport(Library)] internal static extern Result farstride_planner_save(IntPtr planner, byte[] file, out ulong size);
        [DllImport(Library)] internal static extern void farstride_planner_free(IntPtr planner);
        [DllImport(Library)] internal static extern IntPtr farstride_planner_engine(IntPtr planner);
        [DllImport(Library)] internal static extern Result farstride_planner_edit(IntPtr planner, Edit[] edits, UIntPtr count);
        [DllImport(Library)] internal static extern Result farstride_scratch_new(out IntPtr scratch);
        [DllImport(Library)] internal static extern void farstride_scratch_free(IntPtr scratch);
        [DllImport(Library)] internal static extern Result farstride_find(IntPtr planner, IntPtr scratch, ref Query query, out RawRoute route);
        [DllImport(Library)] internal static extern Result farstride_find_many(IntPtr planner, Query[] queries, UIntPtr count, uint threads, out IntPtr routes);
        [DllImport(Library)] internal static extern Result farstride_routes_get(IntPtr routes, UIntPtr at, out RawRoute route);
        [DllImport(Library)] internal static extern void farstride_routes_free(IntPtr routes);
        [DllImport(Library)] internal static extern Result farstride_find_avoiding(IntPtr planner, IntPtr scratch, ref Query query, Rect[] zones, UIntPtr count, out RawRoute route);
        [DllImport(Library)] internal static extern Result farstride_substitute(IntPtr planner, ref Query query);
        [DllImport(Library)] internal static extern Result farstride_plan_group(IntPtr planner, Cell[] starts, UIntPtr count, int goalX, int goalY, uint threads, [Out] Status[] statuses, [Out] IntPtr[] plans);
        [DllImport(Library)] internal static extern Result farstride_step_many(IntPtr planner, IntPtr[] plans, UIntPtr count, IntPtr[] scratches, UIntPtr scratchCount, [Out] Step[] steps, [Out] Cell[] cells);
        [DllImport(Library)] internal static extern Result farstride_field_new(IntPtr planner, Cell[] goals, UIntPtr count, out IntPtr field);
        [DllImport(Library)] internal static extern Result farstride_field_ask(IntPtr field, IntPtr planner, int x, int y, out long cost, out Cell next);
        [DllImport(Library)] internal static extern void farstride_field_free(IntPtr field);
        [DllImport(Library)] internal static extern Result farstride_planner_open(IntPtr grid, byte[] file, [MarshalAs(UnmanagedType.I1)] bool trust, out IntPtr planner);
        [DllImport(Library)] internal static extern Result farstride_planner_weights(IntPtr planner, [Out] byte[] weights, UIntPtr count);
        [DllImport(Library)] internal static extern Cell farstride_plan_position(IntPtr plan);
        [DllImport(Library)] internal static extern Result farstride_nearest(IntPtr planner, IntPtr scratch, int x, int y, Cell[] goals, UIntPtr count, out UIntPtr which, out RawRoute route);
        [DllImport(Library)] internal static extern Result farstride_cost_table(IntPtr planner, Cell[] starts, UIntPtr startCount, Cell[] goals, UIntPtr goalCount, uint threads, long[] costs);
        [DllImport(Library)] internal static extern Result farstride_plan_new(IntPtr planner, IntPtr scratch, int startX, int startY, int goalX, int goalY, out Status status, out IntPtr plan);
        [DllImport(Library)] internal static extern Result farstride_plan_step(IntPtr plan, IntPtr planner, IntPtr scratch, out Step step, out Cell cell);
        [DllImport(Library)] internal static extern uint farstride_plan_replans(IntPtr plan);
        [DllImport(Library)] internal static extern Result farstride_plan_stand_at(IntPtr plan, IntPtr planner, int x, int y);
        [DllImport(Library)] internal static extern void farstride_plan_free(IntPtr plan);

        /// The version of the interface that this file was written for.
        private const uint Abi = 1;

        internal static void CheckVersion()
        {
            if (farstride_abi() != Abi) throw new InvalidOperationException("this file and the library are of different versions");
        }

        /// UTF-8 with a null byte; null stays null.
        internal static byte[] Bytes(string text) { return text == null ? null : Encoding.UTF8.GetBytes(text + "\0"); }

        internal static string Text(IntPtr text)
        {
            if (text == IntPtr.Zero) return null;
            int length = 0;
            while (Marshal.ReadByte(text, length) != 0) length++;
            var bytes = new byte[length];
            Marshal.Copy(text, bytes, 0, length);
            return Encoding.UTF8.GetString(bytes);
        }

        internal static Route Read(RawRoute raw)
        {
            return new Route { Status = raw.Status, Form = raw.Form, Cost = raw.Cost, Length = raw.Length, Cells = ReadCells(raw.Cells, raw.Count) };
        }

        internal static Cell[] ReadCells(IntPtr from, UIntPtr count)
        {
            var cells = new Cell[(int)count];
            for (int i = 0; i < cells.Length; i++)
            {
                int both = Marshal.ReadInt32(from, 4 * i);
                cells[i] = BitConverter.IsLittleEndian ? new Cell(both & 0xffff, both >> 16 & 0xffff) : new Cell(both >> 16 & 0xffff, both & 0xffff);
            }
            return cells;
        }

        /// The number of something in a list; -1 if the library says that there is none.
        internal static int Number(UIntPtr which, Array list) { return (ulong)which < (ulong)Count(list) ? (int)which : -1; }

        internal static UIntPtr Count(Array list) { return (UIntPtr)(list == null ? 0 : list.Length); }
    }

    /// <summary>What owns something of the library; Dispose or the collector frees it.</summary>
    public abstract class Owner : IDisposable
    {
        private IntPtr handle;
        internal IntPtr Handle
        {
            get
            {
                if (handle == IntPtr.Zero) throw new ObjectDisposedException(GetType().Name);
                return handle;
            }
            set { handle = value; }
        }
        /// What a call with the handle returned; the collector frees nothing before.
        internal T Kept<T>(T value) { GC.KeepAlive(this); return value; }
        internal abstract void Free(IntPtr handle);
        public void Dispose() { Release(); GC.SuppressFinalize(this); }
        ~Owner() { Release(); }
        private void Release()
        {
            IntPtr old = handle;
            handle = IntPtr.Zero;
            if (old != IntPtr.Zero) Free(old);
        }
    }

    /// <summary>A map; it never changes.</summary>
    public sealed class Grid : Owner
    {
        /// <summary>A weight per cell, row by row; 0 is blocked. Null: all cells are free.</summary>
        public Grid(int width, int height, byte[] weights = null, string diagonals = null)
        {
            if (weights != null && weights.LongLength != (long)width * height) throw new ArgumentException("as many weights as cells are needed");
            IntPtr grid;
            FarstrideException.Check(Native.farstride_grid_new((uint)width, (uint)height, weights, Native.Bytes(diagonals), out grid));
            Handle = grid;
        }
        private Grid(IntPtr grid) { Handle = grid; }
        public static Grid Load(string file, string letters = null, string diagonals = null)
        {
            IntPtr grid;
            FarstrideException.Check(Native.farstride_grid_load(Native.Bytes(file), Native.Bytes(letters), Native.Bytes(diagonals), out grid));
            return new Grid(grid);
        }
        public int Width { get { return (int)Kept(Native.farstride_grid_width(Handle)); } }
        public int Height { get { return (int)Kept(Native.farstride_grid_height(Handle)); } }
        public byte Weight(int x, int y) { return Kept(Native.farstride_grid_weight(Handle, x, y)); }
        internal override void Free(IntPtr handle) { Native.farstride_grid_free(handle); }
    }

    /// <summary>Working memory for queries: one for each thread.</summary>
    public sealed class Scratch : Owner
    {
        public Scratch()
        {
            IntPtr scratch;
            FarstrideException.Check(Native.farstride_scratch_new(out scratch));
            Handle = scratch;
        }
        internal override void Free(IntPtr handle) { Native.farstride_scratch_free(handle); }
    }

    /// <summary>A map and an engine that finds paths on it.</summary>
    public sealed class Planner : Owner
    {
        public Planner(Grid grid, string engine = null, string settings = null)
        {
            Native.CheckVersion();
            IntPtr planner;
            FarstrideException.Check(Native.farstride_planner_new(grid.Handle, Native.Bytes(engine), Native.Bytes(settings), IntPtr.Zero, out planner), grid);
            Handle = planner;
        }
        private Planner(IntPtr planner) { Handle = planner; }
        /// <summary>Opens an index file and maps it into memory; trust skips the proofs that it is sound.</summary>
        public static Planner OpenFile(Grid grid, string file, bool trust = false)
        {
            IntPtr planner;
            FarstrideException.Check(Native.farstride_planner_open(grid.Handle, Native.Bytes(file), trust, out planner), grid);
            return new Planner(planner);
        }
        /// <summary>Opens an index from bytes, such as a TextAsset of Unity has.</summary>
        public static Planner Open(Grid grid, byte[] index)
        {
            IntPtr planner;
            FarstrideException.Check(Native.farstride_planner_open_bytes(grid.Handle, index, Native.Count(index), out planner), grid);
            return new Planner(planner);
        }
        public static string Version { get { return Native.Text(Native.farstride_version()); } }
        public string Engine { get { return Native.Text(Kept(Native.farstride_planner_engine(Handle))); } }
        public long Save(string file)
        {
            ulong size;
            FarstrideException.Check(Native.farstride_planner_save(Handle, Native.Bytes(file), out size), this);
            return (long)size;
        }
        /// <summary>Nobody else may use the planner meanwhile.</summary>
        public void Change(params Edit[] edits)
        {
            FarstrideException.Check(Native.farstride_planner_edit(Handle, edits, Native.Count(edits)), this);
        }
        public Route Find(Query query, Scratch scratch)
        {
            Native.RawRoute route;
            FarstrideException.Check(Native.farstride_find(Handle, scratch.Handle, ref query, out route), this);
            return scratch.Kept(Native.Read(route));
        }
        /// <summary>Many answers at once, in the order of the queries; threads: 0 for all cores.</summary>
        public Route[] FindMany(Query[] queries, int threads = 0)
        {
            IntPtr all;
            FarstrideException.Check(Native.farstride_find_many(Handle, queries, Native.Count(queries), (uint)threads, out all), this);
            try
            {
                var routes = new Route[queries.Length];
                for (int i = 0; i < routes.Length; i++)
                {
                    Native.RawRoute route;
                    FarstrideException.Check(Native.farstride_routes_get(all, (UIntPtr)i, out route));
                    routes[i] = Native.Read(route);
                }
                return routes;
            }
            finally { Native.farstride_routes_free(all); }
        }
        /// <summary>A path that keeps out of some rectangles, for this query alone.</summary>
        public Route FindAvoiding(Query query, Rect[] zones, Scratch scratch)
        {
            Native.RawRoute route;
            FarstrideException.Check(Native.farstride_find_avoiding(Handle, scratch.Handle, ref query, zones, Native.Count(zones), out route), this);
            return scratch.Kept(Native.Read(route));
        }
        /// <summary>The nearest query that has a path.</summary>
        public Query Substitute(Query query)
        {
            FarstrideException.Check(Native.farstride_substitute(Handle, ref query), this);
            return query;
        }
        /// <summary>The weights of the map as it is now, row by row; its size is that of the grid.</summary>
        public byte[] Weights(int cells)
        {
            var weights = new byte[cells];
            FarstrideException.Check(Native.farstride_planner_weights(Handle, weights, Native.Count(weights)), this);
            return weights;
        }
        /// <summary>The number of the goal that costs least to reach, or -1.</summary>
        public int Nearest(int x, int y, Cell[] goals, Scratch scratch, out Route route)
        {
            UIntPtr which;
            Native.RawRoute raw;
            FarstrideException.Check(Native.farstride_nearest(Handle, scratch.Handle, x, y, goals, Native.Count(goals), out which, out raw), this);
            int at = Native.Number(which, goals);
            route = at < 0 ? null : scratch.Kept(Native.Read(raw));
            return at;
        }
        /// <summary>Costs row by start; -1 where there is no path.</summary>
        public long[] CostTable(Cell[] starts, Cell[] goals, int threads = 0)
        {
            var costs = new long[starts.LongLength * goals.LongLength];
            FarstrideException.Check(Native.farstride_cost_table(Handle, starts, Native.Count(starts), goals, Native.Count(goals), (uint)threads, costs), this);
            return costs;
        }
        /// <summary>A plan to walk; null, and why, if there is no path.</summary>
        public Plan MakePlan(int startX, int startY, int goalX, int goalY, Scratch scratch, out Status status)
        {
            IntPtr plan;
            FarstrideException.Check(Native.farstride_plan_new(Handle, scratch.Handle, startX, startY, goalX, goalY, out status, out plan), this, scratch);
            return plan == IntPtr.Zero ? null : new Plan(plan, this);
        }
        /// <summary>Plans of many units to one goal, in the order of the starts; null, and why, where there is none.</summary>
        public Plan[] PlanGroup(Cell[] starts, int goalX, int goalY, out Status[] statuses, int threads = 0)
        {
            statuses = new Status[starts.Length];
            var made = new IntPtr[starts.Length];
            FarstrideException.Check(Native.farstride_plan_group(Handle, starts, Native.Count(starts), goalX, goalY, (uint)threads, statuses, made), this);
            return Array.ConvertAll(made, plan => plan == IntPtr.Zero ? null : new Plan(plan, this));
        }
        /// <summary>Takes a step of each plan, on up to as many threads as scratches; cells: where the units are then.
        /// Leave out the nulls of PlanGroup.</summary>
        public Step[] StepMany(Plan[] plans, Scratch[] scratches, out Cell[] cells)
        {
            int missing = Array.IndexOf(plans, null);
            if (missing >= 0) throw new ArgumentException("plan " + missing + " is null: leave out units without a plan", "plans");
            if (Array.IndexOf(scratches, null) >= 0) throw new ArgumentException("a scratch is null", "scratches");
            var steps = new Step[plans.Length];
            cells = new Cell[plans.Length];
            IntPtr[] all = Array.ConvertAll(plans, plan => plan.Handle), memories = Array.ConvertAll(scratches, scratch => scratch.Handle);
            FarstrideException.Check(Native.farstride_step_many(Handle, all, Native.Count(all), memories, Native.Count(memories), steps, cells), this, plans, scratches);
            return steps;
        }
        /// <summary>One search from some goals for any number of units.</summary>
        public Field MakeField(params Cell[] goals)
        {
            IntPtr field;
            FarstrideException.Check(Native.farstride_field_new(Handle, goals, Native.Count(goals), out field), this);
            return new Field(field, this);
        }
        internal override void Free(IntPtr handle) { Native.farstride_planner_free(handle); }
    }

    /// <summary>One search from some goals for any number of units; after an edit it begins again.</summary>
    public sealed class Field : Owner
    {
        private readonly Planner planner;
        internal Field(IntPtr field, Planner of) { Handle = field; planner = of; }
        /// <summary>The cost to the nearest goal, or -1; next: the next cell of a shortest path, or the cell itself.</summary>
        public long Ask(int x, int y, out Cell next)
        {
            long cost;
            FarstrideException.Check(Native.farstride_field_ask(Handle, planner.Handle, x, y, out cost, out next), this, planner);
            return cost;
        }
        internal override void Free(IntPtr handle) { Native.farstride_field_free(handle); }
    }

    /// <summary>A route that is refined while a unit walks it.</summary>
    public sealed class Plan : Owner
    {
        private readonly Planner planner;
        internal Plan(IntPtr plan, Planner of) { Handle = plan; planner = of; }
        public Step Next(Scratch scratch, out Cell cell)
        {
            Step step;
            FarstrideException.Check(Native.farstride_plan_step(Handle, planner.Handle, scratch.Handle, out step, out cell), this, planner, scratch);
            return step;
        }
        public Cell Position { get { return Kept(Native.farstride_plan_position(Handle)); } }
        public int Replans { get { return (int)Kept(Native.farstride_plan_replans(Handle)); } }
        public void StandAt(int x, int y) { FarstrideException.Check(Native.farstride_plan_stand_at(Handle, planner.Handle, x, y), this, planner); }
        internal override void Free(IntPtr handle) { Native.farstride_plan_free(handle); }
    }
}
