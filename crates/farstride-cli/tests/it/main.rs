//! The command as its users run it. One binary: each more is linked again.

mod common;

mod cli;
mod examples;
mod floors;
mod groups;
mod hpa;
mod hpt;
mod index;
mod labels;
mod labels_render;
mod paper;
mod pipelines;
mod straight;
mod subgoals;
mod subgoals_index;
mod table;
mod terrain;
