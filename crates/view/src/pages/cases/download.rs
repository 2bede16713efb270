//! The list of trials as a file for spreadsheets.

use std::io::{self, Write};
use std::sync::Arc;

use axum::response::Response;
use toolgauge_report::csv_cell;

use super::lines::{ListPart, cell};
use crate::download::{attachment, streamed};
use crate::library::OpenedLog;
use crate::list_column::ListColumn;
use crate::parameters::Parameters;
use crate::query::CaseQuery;
use crate::search::TranscriptSearch;
use crate::site::NamedLog;

/// Answers with the trials that a query chooses and the columns it names.
pub(crate) async fn csv(NamedLog(opened): NamedLog, parameters: Parameters) -> Response {
    let query = CaseQuery::read(&parameters);
    let file = format!("{}.csv", opened.name.trim_end_matches(".eval"));
    let body = streamed(move |out| write(&opened, &query, out));
    attachment("text/csv; charset=utf-8", &file, body)
}

fn write(opened: &Arc<OpenedLog>, query: &CaseQuery, out: &mut dyn Write) -> io::Result<()> {
    if !query.text.is_empty() {
        TranscriptSearch::finish(opened);
    }
    let rows = opened.select(query);
    let list = ListPart { opened, query, rows: &rows };
    let mut table = csv::Writer::from_writer(out);
    let head = ["case", "trial", "verdict", "score"].map(str::to_owned).into_iter();
    table.write_record(head.chain(query.columns.iter().map(|column| csv_cell(column.words()))))?;
    let needs_trials = query.columns.iter().any(ListColumn::needs_the_trial);
    for row in &rows {
        let overview = opened.index.overview(*row);
        let trial = if needs_trials { opened.trial(*row).ok() } else { None };
        let score = overview.value.map(|value| value.to_string()).unwrap_or_default();
        let first = [
            csv_cell(overview.case),
            overview.trial.to_string(),
            overview.mark.name().to_owned(),
            score,
        ];
        let others = query.columns.iter().map(|column| match column {
            // Spreadsheets calculate with numbers, not with `1.2 s`.
            ListColumn::Time => overview.latency.map(|s| s.to_string()).unwrap_or_default(),
            ListColumn::Tokens => overview.tokens.to_string(),
            column => {
                let words = cell(&list, column, (*row, &overview), trial.as_ref());
                csv_cell(&words.unwrap_or_default())
            }
        });
        table.write_record(first.into_iter().chain(others))?;
    }
    table.flush()
}
