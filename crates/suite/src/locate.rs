//! From the way to a value to its line and column.
//!
//! Files are parsed a second time for this, with a parser that keeps positions. That costs
//! nothing while all is well, because nobody asks.

use std::cell::Cell;

use toolgauge_core::PathStep;
use toolgauge_document::{Place, Positions};

use crate::document::FileFormat;
use crate::problem::{Problems, SuiteProblem};
use crate::source::SuiteFiles;
use crate::trail::{FilePart, Spot, SuiteFinding, SuiteFindings};

/// Looks up where everything found is.
pub(crate) fn locate(findings: SuiteFindings, files: &SuiteFiles, names: &[String]) -> Problems {
    let findings = findings.into_vec();
    let mut places: Vec<Places> = findings.iter().map(|_| Places::default()).collect();
    for (number, name) in names.iter().enumerate() {
        let in_file = |spot: &Spot| spot.origin.file == number;
        if findings.iter().any(|finding| finding.spots().any(in_file)) {
            locate_in_file(&FileText::read(files, name), number, &findings, &mut places);
        }
    }
    let shown = |spot: &Spot| files.shown(&names[spot.origin.file]);
    findings
        .into_iter()
        .zip(places)
        .map(|(finding, places)| finding.placed(places, shown))
        .collect()
}

/// For how many problems in a file of lines the column is looked up.
const COLUMNS_FOUND: usize = 1000;

/// Line and column of a finding and of the place that belongs to it.
#[derive(Clone, Copy, Default)]
struct Places {
    own: Position,
    related: Position,
}

type Position = Option<(usize, Option<usize>)>;

impl SuiteFinding {
    fn spots(&self) -> impl Iterator<Item = &Spot> {
        std::iter::once(&self.spot).chain(self.related.as_ref().map(|(_, spot)| spot))
    }

    fn placed(self, places: Places, shown: impl Fn(&Spot) -> String) -> SuiteProblem {
        let related = self.related.map(|(words, spot)| match places.related {
            Some((line, _)) => format!("{words} {}:{line}", shown(&spot)),
            None => format!("{words} {}", shown(&spot)),
        });
        SuiteProblem {
            severity: self.severity,
            file: shown(&self.spot),
            line: places.own.map(|(line, _)| line),
            column: places.own.and_then(|(_, column)| column),
            message: self.message,
            hint: match (self.hint, related) {
                (Some(hint), Some(related)) => Some(format!("{hint}; {related}")),
                (hint, related) => hint.or(related),
            },
        }
    }
}

/// A file as far as it can be read again.
struct FileText {
    text: String,
    format: Option<FileFormat>,
}

impl FileText {
    fn read(files: &SuiteFiles, name: &str) -> Self {
        let bytes = files.read(name).unwrap_or_default();
        let text = toolgauge_document::text(&bytes).unwrap_or_default().to_owned();
        Self { text, format: FileFormat::of(name) }
    }
}

fn locate_in_file(
    file: &FileText,
    number: usize,
    findings: &[SuiteFinding],
    places: &mut [Places],
) {
    let lines: Vec<&str> = file.text.lines().collect();
    let here = |spot: &&Spot| spot.origin.file == number && spot.exact.is_none();
    let document = match file.format {
        Some(FileFormat::Yaml | FileFormat::Json)
            if findings.iter().flat_map(SuiteFinding::spots).any(|spot| here(&spot)) =>
        {
            Positions::of(&file.text)
        }
        _ => None,
    };
    // Columns within lines are looked up for the first problems only: who has more than these
    // mends the first and looks again.
    let columns = Cell::new(COLUMNS_FOUND);
    let position = |spot: &Spot| {
        let found = match spot.origin.start {
            _ if spot.exact.is_some() => spot.exact,
            FilePart::Line(line) if columns.get() > 0 => {
                columns.set(columns.get() - 1);
                Some((line, column_in_line(lines.get(line - 1)?, &spot.steps)))
            }
            FilePart::Row(line) | FilePart::Line(line) => Some((line, None)),
            _ => document.as_ref().map(|document| {
                let (line, column) = find(document.root(), &spot.steps);
                (line, Some(column))
            }),
        };
        found.map(|(line, column)| match spot.further_lines {
            0 => (line, column),
            further => (line + further, None),
        })
    };
    for (finding, places) in findings.iter().zip(places) {
        if finding.spot.origin.file == number {
            places.own = position(&finding.spot);
        }
        if let Some((_, spot)) = finding.related.as_ref().filter(|(_, s)| s.origin.file == number) {
            places.related = position(spot);
        }
    }
}

fn column_in_line(line: &str, steps: &[PathStep]) -> Option<usize> {
    Positions::of(line).map(|positions| find(positions.root(), steps).1)
}

/// Where the value at the end of these steps is, or as far towards it as the steps lead. A
/// value with a key is found at its key.
fn find(root: Place<'_>, steps: &[PathStep]) -> (usize, usize) {
    let mut place = root;
    let mut steps = steps.iter().peekable();
    while let Some(step) = steps.next() {
        let next = match step {
            PathStep::Key(key) => place.entry(key).or_else(|| {
                // One call may be written as `call`, which reads as the only item of `calls`.
                let single = place.entry("call").filter(|_| key == "calls")?;
                steps.next_if(|step| matches!(step, PathStep::Index(_)));
                Some(single)
            }),
            PathStep::Index(index) => place.item(*index),
        };
        let Some(next) = next else { break };
        place = next;
    }
    place.line_and_column()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, steps: &[PathStep]) -> (usize, usize) {
        find(Positions::of(text).unwrap().root(), steps)
    }

    fn key(key: &str) -> PathStep {
        PathStep::Key(key.into())
    }

    #[test]
    fn a_value_is_found_at_its_key() {
        let text = "name: x\ncases:\n  - id: a\n    say: hello\n  - id: b\n    say: 3\n";
        assert_eq!(at(text, &[key("cases"), PathStep::Index(1), key("say")]), (6, 5));
        assert_eq!(at(text, &[key("cases"), PathStep::Index(0)]), (3, 5));
    }

    #[test]
    fn a_way_that_ends_early_leads_as_far_as_it_goes() {
        let text = "cases:\n  - id: a\n";
        assert_eq!(at(text, &[key("cases"), PathStep::Index(0), key("say")]), (2, 5));
        assert_eq!(at(text, &[key("tools"), key("x")]), (1, 1));
    }

    #[test]
    fn a_single_call_is_found_under_its_own_name() {
        let text = r#"{"expect": {"call": {"tool": "x", "arguments": {"a": 1}}}}"#;
        let steps = [key("expect"), key("calls"), PathStep::Index(0), key("arguments"), key("a")];
        assert_eq!(at(text, &steps), (1, 49));
    }
}
