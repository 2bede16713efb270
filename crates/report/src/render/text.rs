//! Reports for people, as text for a terminal.

mod atlas;
mod case_study;
mod choice;
mod comparison;
mod contest;
mod curve;
mod cut;
mod exchange;
mod facts;
mod feedback;
mod fitted;
mod gate;
mod grades;
mod history;
mod layout;
mod leaderboard;
mod overview;
mod partial;
mod short_summary;
mod style;
mod summary;
mod table;
mod text_table;
mod tiers;

pub use comparison::FullComparison;
pub use exchange::QuestionAndAnswer;
pub use fitted::fitted;
pub use overview::Overview;
pub use text_table::TextTable;
