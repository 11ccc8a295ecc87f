// Worlds of floors, movers and links for C#: put this file beside Farstride.cs if you need them.
using System;
using System.Runtime.InteropServices;

namespace Farstride
{
    public enum TripStep { Walk, Link, Arrived, Unreachable }

    /// <summary>A floor and a cell on it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Place : IEquatable<Place>
    {
        public int Floor, X, Y;
        public Place(int floor, int x, int y) { Floor = floor; X = x; Y = y; }
        public bool Equals(Place other) { return Floor == other.Floor && X == other.X && Y == other.Y; }
        public override bool Equals(object other) { return other is Place && Equals((Place)other); }
        public override int GetHashCode() { return Floor << 28 ^ X << 14 ^ Y; }
        public override string ToString() { return Floor + ": " + X + "," + Y; }
    }

    /// <summary>A rectangle of a floor and the class that its cells get.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Fill
    {
        public int Floor;
        public Rect Area;
        public int Class;
        public Fill(int floor, Rect area, int terrain) { Floor = floor; Area = area; Class = terrain; }
    }

    /// <summary>A link, such as stairs. A straight step costs 4756.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Link
    {
        public Place From, To;
        public long Cost;
        private byte oneWay;
        public int Kind;
        /// <summary>Whether it does not lead back.</summary>
        public bool OneWay
        {
            get { return oneWay != 0; }
            set { oneWay = (byte)(value ? 1 : 0); }
        }
        public Link(Place from, Place to, long cost) : this() { From = from; To = to; Cost = cost; }
    }

    /// <summary>A part of a trip: a walk on a floor, or a link, of which the number is given; otherwise that is -1.</summary>
    public sealed class Stage
    {
        public long Link { get; internal set; }
        public int Floor { get; internal set; }
        public Cell[] Cells { get; internal set; }
    }

    /// <summary>A way over floors and through links.</summary>
    public sealed class Trip
    {
        public Status Status { get; internal set; }
        public ulong Cost { get; internal set; }
        public Stage[] Stages { get; internal set; }
    }

    internal static class NativeWorlds
    {
        [StructLayout(LayoutKind.Sequential)]
        internal struct RawMover
        {
            internal IntPtr Costs;
            internal int Size;
            internal IntPtr Engine, Diagonals;
            internal byte WithoutLinks;
            internal ulong LinkKinds;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct RawStage
        {
            internal long Link;
            internal int Floor;
            internal IntPtr Cells;
            internal UIntPtr Count;
        }

        [StructLayout(LayoutKind.Sequential)]
        internal struct RawTrip
        {
            internal Status Status;
            internal ulong Cost;
            internal IntPtr Stages;
            internal UIntPtr Count;
        }

        [DllImport(Native.Library)] internal static extern Result farstride_atlas_new(uint width, uint height, byte[] classes, out IntPtr atlas);
        [DllImport(Native.Library)] internal static extern Result farstride_atlas_add_floor(IntPtr atlas, uint width, uint height, byte[] classes, int x, int y, out uint number);
        [DllImport(Native.Library)] internal static extern Result farstride_atlas_add_mover(IntPtr atlas, ref RawMover mover, out uint number);
        [DllImport(Native.Library)] internal static extern Result farstride_atlas_add_link(IntPtr atlas, ref Link link, out long number);
        [DllImport(Native.Library)] internal static extern Result farstride_atlas_remove_link(IntPtr atlas, long link);
        [DllImport(Native.Library)] internal static extern Result farstride_atlas_edit(IntPtr atlas, Fill[] fills, UIntPtr count);
        [DllImport(Native.Library)] internal static extern Result farstride_atlas_prepare(IntPtr atlas, uint mover);
        [DllImport(Native.Library)] internal static extern Result farstride_atlas_find(IntPtr atlas, IntPtr scratch, uint mover, Place from, Place to, out RawTrip trip);
        [DllImport(Native.Library)] internal static extern Result farstride_atlas_nearest(IntPtr atlas, IntPtr scratch, uint mover, Place from, Place[] goals, UIntPtr count, out UIntPtr which, out RawTrip trip);
        [DllImport(Native.Library)] internal static extern Result farstride_atlas_can_reach(IntPtr atlas, uint mover, Place from, Place to, [MarshalAs(UnmanagedType.I1)] out bool can);
        [DllImport(Native.Library)] internal static extern Result farstride_atlas_substitute(IntPtr atlas, uint mover, ref Place from, ref Place to, [MarshalAs(UnmanagedType.I1)] out bool exists);
        [DllImport(Native.Library)] internal static extern void farstride_atlas_free(IntPtr atlas);
        [DllImport(Native.Library)] internal static extern Result farstride_atlas_load_tiled(byte[] file, byte stacked, out IntPtr atlas);
        [DllImport(Native.Library)] internal static extern Result farstride_atlas_load_ldtk(byte[] file, out IntPtr atlas);
        [DllImport(Native.Library)] internal static extern Result farstride_atlas_class_named(IntPtr atlas, byte[] name, out byte terrainClass);
        [DllImport(Native.Library)] internal static extern uint farstride_atlas_floor_count(IntPtr atlas);
        [DllImport(Native.Library)] internal static extern Result farstride_atlas_floor_size(IntPtr atlas, uint floor, out uint width, out uint height);
        [DllImport(Native.Library)] internal static extern Result farstride_atlas_classes(IntPtr atlas, uint floor, [Out] byte[] classes, UIntPtr count);
        [DllImport(Native.Library)] internal static extern Result farstride_atlas_field_new(IntPtr atlas, uint mover, uint floor, Cell[] goals, UIntPtr count, out IntPtr field);
        [DllImport(Native.Library)] internal static extern Result farstride_atlas_field_ask(IntPtr field, IntPtr atlas, int x, int y, out long cost, out Cell next);
        [DllImport(Native.Library)] internal static extern Result farstride_trip_plan_many(IntPtr atlas, uint mover, Place[] starts, Place[] goals, UIntPtr count, uint threads, [Out] Status[] statuses, [Out] IntPtr[] plans);
        [DllImport(Native.Library)] internal static extern Place farstride_trip_plan_position(IntPtr plan);
        [DllImport(Native.Library)] internal static extern uint farstride_trip_plan_replans(IntPtr plan);
        [DllImport(Native.Library)] internal static extern Result farstride_trip_plan_new(IntPtr atlas, IntPtr scratch, uint mover, Place from, Place to, out Status status, out IntPtr plan);
        [DllImport(Native.Library)] internal static extern Result farstride_trip_plan_step(IntPtr plan, IntPtr atlas, IntPtr scratch, out TripStep step, out Place place, out long link);
        [DllImport(Native.Library)] internal static extern Result farstride_trip_plan_stand_at(IntPtr plan, IntPtr atlas, Place place);
        [DllImport(Native.Library)] internal static extern void farstride_trip_plan_free(IntPtr plan);

        internal static Trip Read(RawTrip raw)
        {
            var stages = new Stage[(int)raw.Count];
            int size = Marshal.SizeOf(typeof(RawStage));
            for (int i = 0; i < stages.Length; i++)
            {
                var stage = (RawStage)Marshal.PtrToStructure(new IntPtr(raw.Stages.ToInt64() + (long)size * i), typeof(RawStage));
                stages[i] = new Stage { Link = stage.Link, Floor = stage.Floor, Cells = Native.ReadCells(stage.Cells, stage.Count) };
            }
            return new Trip { Status = raw.Status, Cost = raw.Cost, Stages = stages };
        }
    }

    /// <summary>A world: floors of terrain, and links between places on them, for movers of many kinds.</summary>
    public sealed class Atlas : Owner
    {
        /// <summary>The first floor: a class per cell, row by row.</summary>
        public Atlas(int width, int height, byte[] classes)
        {
            Native.CheckVersion();
            CheckClasses(width, height, classes);
            IntPtr atlas;
            FarstrideException.Check(NativeWorlds.farstride_atlas_new((uint)width, (uint)height, classes, out atlas));
            Handle = atlas;
        }
        private Atlas(IntPtr atlas) { Handle = atlas; }
        /// <summary>A map of the editor Tiled; stacked: its layers make one floor.</summary>
        public static Atlas LoadTiled(string file, bool stacked = false)
        {
            Native.CheckVersion();
            IntPtr atlas;
            FarstrideException.Check(NativeWorlds.farstride_atlas_load_tiled(Native.Bytes(file), (byte)(stacked ? 1 : 0), out atlas));
            return new Atlas(atlas);
        }
        /// <summary>A project of the editor LDtk.</summary>
        public static Atlas LoadLdtk(string file)
        {
            Native.CheckVersion();
            IntPtr atlas;
            FarstrideException.Check(NativeWorlds.farstride_atlas_load_ldtk(Native.Bytes(file), out atlas));
            return new Atlas(atlas);
        }
        /// <summary>The class that a file gave a name to.</summary>
        public byte ClassNamed(string name)
        {
            byte found;
            FarstrideException.Check(NativeWorlds.farstride_atlas_class_named(Handle, Native.Bytes(name), out found), this);
            return found;
        }
        public int FloorCount { get { return (int)Kept(NativeWorlds.farstride_atlas_floor_count(Handle)); } }
        public void FloorSize(int floor, out int width, out int height)
        {
            uint columns, rows;
            FarstrideException.Check(NativeWorlds.farstride_atlas_floor_size(Handle, (uint)floor, out columns, out rows), this);
            width = (int)columns;
            height = (int)rows;
        }
        /// <summary>The classes of a floor, row by row.</summary>
        public byte[] Classes(int floor)
        {
            int width, height;
            FloorSize(floor, out width, out height);
            var classes = new byte[width * height];
            FarstrideException.Check(NativeWorlds.farstride_atlas_classes(Handle, (uint)floor, classes, Native.Count(classes)), this);
            return classes;
        }
        private static void CheckClasses(int width, int height, byte[] classes)
        {
            if (classes == null || classes.LongLength != (long)width * height) throw new ArgumentException("as many classes as cells are needed");
        }
        public int AddFloor(int width, int height, byte[] classes, int x = 0, int y = 0)
        {
            CheckClasses(width, height, classes);
            uint number;
            FarstrideException.Check(NativeWorlds.farstride_atlas_add_floor(Handle, (uint)width, (uint)height, classes, x, y, out number), this);
            return (int)number;
        }
        /// <summary>costs: what entering each of the 256 classes costs; 0 if it may not. linkKinds: a bit for each kind; 0 for all.
        /// diagonals: as of a grid; null for "strict".</summary>
        public int AddMover(byte[] costs, int size = 1, string engine = null, ulong linkKinds = 0, bool withoutLinks = false, string diagonals = null)
        {
            if (costs == null || costs.Length != 256) throw new ArgumentException("256 costs are needed");
            GCHandle pinnedCosts = GCHandle.Alloc(costs, GCHandleType.Pinned);
            GCHandle pinnedEngine = GCHandle.Alloc(Native.Bytes(engine), GCHandleType.Pinned);
            GCHandle pinnedDiagonals = GCHandle.Alloc(Native.Bytes(diagonals), GCHandleType.Pinned);
            try
            {
                var mover = new NativeWorlds.RawMover { Costs = pinnedCosts.AddrOfPinnedObject(), Size = size, LinkKinds = linkKinds, WithoutLinks = (byte)(withoutLinks ? 1 : 0) };
                if (engine != null) mover.Engine = pinnedEngine.AddrOfPinnedObject();
                if (diagonals != null) mover.Diagonals = pinnedDiagonals.AddrOfPinnedObject();
                uint number;
                FarstrideException.Check(NativeWorlds.farstride_atlas_add_mover(Handle, ref mover, out number), this);
                return (int)number;
            }
            finally { pinnedCosts.Free(); pinnedEngine.Free(); pinnedDiagonals.Free(); }
        }
        public long AddLink(Link link)
        {
            long number;
            FarstrideException.Check(NativeWorlds.farstride_atlas_add_link(Handle, ref link, out number), this);
            return number;
        }
        public void RemoveLink(long link) { FarstrideException.Check(NativeWorlds.farstride_atlas_remove_link(Handle, link), this); }
        public void Change(params Fill[] fills) { FarstrideException.Check(NativeWorlds.farstride_atlas_edit(Handle, fills, Native.Count(fills)), this); }
        public void Prepare(int mover) { FarstrideException.Check(NativeWorlds.farstride_atlas_prepare(Handle, (uint)mover), this); }
        public Trip Find(int mover, Place from, Place to, Scratch scratch)
        {
            NativeWorlds.RawTrip raw;
            FarstrideException.Check(NativeWorlds.farstride_atlas_find(Handle, scratch.Handle, (uint)mover, from, to, out raw), this);
            return scratch.Kept(NativeWorlds.Read(raw));
        }
        /// <summary>The number of the place that costs least to reach, or -1.</summary>
        public int Nearest(int mover, Place from, Place[] goals, Scratch scratch, out Trip trip)
        {
            UIntPtr which;
            NativeWorlds.RawTrip raw;
            FarstrideException.Check(NativeWorlds.farstride_atlas_nearest(Handle, scratch.Handle, (uint)mover, from, goals, Native.Count(goals), out which, out raw), this);
            int at = Native.Number(which, goals);
            trip = at < 0 ? null : scratch.Kept(NativeWorlds.Read(raw));
            return at;
        }
        public bool CanReach(int mover, Place from, Place to)
        {
            bool can;
            FarstrideException.Check(NativeWorlds.farstride_atlas_can_reach(Handle, (uint)mover, from, to, out can), this);
            return can;
        }
        /// <summary>Replaces both places by the nearest between which there is a way, the goal by one of another floor if nothing of its own can be
        /// reached; false if there are none.</summary>
        public bool Substitute(int mover, ref Place from, ref Place to)
        {
            bool exists;
            FarstrideException.Check(NativeWorlds.farstride_atlas_substitute(Handle, (uint)mover, ref from, ref to, out exists), this);
            return exists;
        }
        /// <summary>A plan to go; null, and why, if there is no way.</summary>
        public TripPlan MakePlan(int mover, Place from, Place to, Scratch scratch, out Status status)
        {
            IntPtr plan;
            FarstrideException.Check(NativeWorlds.farstride_trip_plan_new(Handle, scratch.Handle, (uint)mover, from, to, out status, out plan), this, scratch);
            return plan == IntPtr.Zero ? null : new TripPlan(plan, this);
        }
        /// <summary>Plans from each start to the goal of the same number; null where the status says why.</summary>
        public TripPlan[] MakePlans(int mover, Place[] starts, Place[] goals, out Status[] statuses, int threads = 0)
        {
            if (starts.Length != goals.Length) throw new ArgumentException("as many goals as starts are needed");
            statuses = new Status[starts.Length];
            var plans = new IntPtr[starts.Length];
            FarstrideException.Check(NativeWorlds.farstride_trip_plan_many(Handle, (uint)mover, starts, goals, Native.Count(starts), (uint)threads, statuses, plans), this);
            return Array.ConvertAll(plans, plan => plan == IntPtr.Zero ? null : new TripPlan(plan, this));
        }
        /// <summary>One search from some goals of a floor for any number of units of a kind.</summary>
        public FloorField MakeField(int mover, int floor, params Cell[] goals)
        {
            IntPtr field;
            FarstrideException.Check(NativeWorlds.farstride_atlas_field_new(Handle, (uint)mover, (uint)floor, goals, Native.Count(goals), out field), this);
            return new FloorField(field, this);
        }
        internal override void Free(IntPtr handle) { NativeWorlds.farstride_atlas_free(handle); }
    }

    /// <summary>One search on a floor; after an edit it begins again.</summary>
    public sealed class FloorField : Owner
    {
        private readonly Atlas atlas;
        internal FloorField(IntPtr field, Atlas of) { Handle = field; atlas = of; }
        /// <summary>As Field.Ask.</summary>
        public long Ask(int x, int y, out Cell next)
        {
            long cost;
            FarstrideException.Check(NativeWorlds.farstride_atlas_field_ask(Handle, atlas.Handle, x, y, out cost, out next), this, atlas);
            return cost;
        }
        internal override void Free(IntPtr handle) { Native.farstride_field_free(handle); }
    }

    /// <summary>A way through a world that is refined while a unit goes it.</summary>
    public sealed class TripPlan : Owner
    {
        private readonly Atlas atlas;
        internal TripPlan(IntPtr plan, Atlas of) { Handle = plan; atlas = of; }
        /// <summary>link: the link that the step took, or -1.</summary>
        public TripStep Next(Scratch scratch, out Place place, out long link)
        {
            TripStep step;
            FarstrideException.Check(NativeWorlds.farstride_trip_plan_step(Handle, atlas.Handle, scratch.Handle, out step, out place, out link), this, atlas, scratch);
            return step;
        }
        public Place Position { get { return Kept(NativeWorlds.farstride_trip_plan_position(Handle)); } }
        public int Replans { get { return (int)Kept(NativeWorlds.farstride_trip_plan_replans(Handle)); } }
        public void StandAt(Place place) { FarstrideException.Check(NativeWorlds.farstride_trip_plan_stand_at(Handle, atlas.Handle, place), this, atlas); }
        internal override void Free(IntPtr handle) { NativeWorlds.farstride_trip_plan_free(handle); }
    }
}
