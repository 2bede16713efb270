//! Fragments of pages that the browser shows: pure functions from results to markup.
//!
//! The self-contained report and the viewer put their pages together from these, so that a
//! figure looks the same in both. Everything a model or a suite wrote is text: it is escaped by
//! the template, its control characters and marks of direction are made visible, and a name is
//! cut off where it is longer than anybody would read. No fragment needs inline styles or
//! scripts, so that a strict content-security policy holds.

mod amounts;
mod answered;
mod bar;
mod call_diff;
mod card;
mod comparison;
mod contest;
mod conversation;
mod end_state;
mod exhibit;
mod figure_table;
mod grades;
mod icon;
mod judged_calls;
mod links;
mod page;
mod rates;
mod second_opinion;
mod table;
mod text;
mod tiers;
mod tool_answer;
mod votes;

pub use amounts::{latency, oddities, reliability, server, tokens, unscored};
pub use answered::answered;
pub use bar::{difference_bar, rate_bar, share_bar};
pub use call_diff::call_diff;
pub use card::{Card, cards, score_cards, title};
pub use comparison::{
    amount_changes, cautions, comparison, comparison_figures, comparison_verdict, difference_table,
    flips, loss_changes, verdict_badge,
};
pub use contest::contest;
pub use conversation::{conversation, json_block};
pub use end_state::end_state;
pub use exhibit::{damaged_exhibit, exhibit};
pub use grades::grades;
pub use icon::Icon;
pub use judged_calls::JudgedCalls;
pub use links::{Links, NoLinks};
pub use page::{content_hash, page};
pub use rates::{
    confusions, dimensions, losses, measures, rate_table, scorers, slices, violations,
};
pub use second_opinion::second_opinion;
pub use table::{Cell, Column, Row, Table};
pub use text::{badge, block, letter, marked, name};
pub use tiers::{failure_patterns, tiers};
pub use tool_answer::{laid_out, tool_answer};
pub use votes::votes;

pub use crate::render::tone::Tone;

pub(crate) use end_state::{shown, sign};

/// The style sheet of every page: its variables are the design.
///
/// Light and dark follow the reader's system, unless `data-theme` on the root says otherwise.
pub const STYLE: &str = include_str!("html/style.css");

/// The script that makes tables sortable, lists filterable and the theme a choice. Pages work
/// without it.
pub const SCRIPT: &str = include_str!("html/page.js");
