//! Behaviour of the engine, seen from outside. One binary: each more links the
//! engine, the oracles and proptest again.

mod common;

mod any_angle;
mod atlas;
mod atlas_plans;
mod benchmarks;
mod cancelling;
mod counters;
mod detail;
mod edits;
mod features;
mod glossary;
mod graphs;
mod groups;
mod groups_on_grid;
mod hpa;
mod hpt;
mod hublabel;
#[cfg(feature = "petgraph")]
mod interop;
mod labels;
mod labels_exhaustive;
mod labels_inspect;
mod links;
mod live;
mod module_order;
mod nlevel;
mod optimal;
mod ordered_levels;
mod orders;
mod overlay;
mod partition;
mod pausing;
mod plans;
mod sight;
mod store;
mod store_groups;
mod store_hpt;
mod store_labels;
mod store_overlay;
mod store_subgoals;
mod straight;
mod subgoals;
mod tables;
mod threads;
mod world_groups;
mod worlds;
