//! The tables of reports, each described once for all forms.

mod comparison;
mod contest;
mod grades;
mod leaderboard;
mod summary;
mod tiers;

pub(super) use comparison::{amount_changes, differences, flips, loss_changes};
pub(super) use contest::{duels, ranks};
pub(super) use grades::{categories, questions};
pub(super) use leaderboard::{LEGEND, floor_of, leaderboard, leaderboard_of_tier, warnings};
pub(super) use summary::{
    confusions, dimensions, losses, measures, rates, reliability, violations,
};
pub(super) use tiers::{disagreements, failure_patterns, figures};
