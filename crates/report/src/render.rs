//! How figures are shown: as text, as Markdown, as pages, and as files for other programs.

mod bar;
pub mod chart;
mod csv;
pub mod html;
mod junit;
mod markdown;
mod spark;
mod table;
mod tables;
mod text;
mod tone;

pub use csv::{Columns, TrialTable, cell as csv_cell};
pub use junit::{JunitReport, JunitRun};
pub use markdown::page as markdown_page;
pub use spark::sparkline;
pub use text::{FullComparison, Overview, QuestionAndAnswer, TextTable, fitted};
