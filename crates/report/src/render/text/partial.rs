//! The figures for people.
//!
//! The first block has the layout of the first tau-bench post-processors, line by line, because
//! scripts read it. What they never had follows under headings of its own.

use std::fmt::Write;

use toolgauge_core::json::STAND_IN;

use crate::partial::{Cases, PartialReport};

/// How many rows of a list of losses are shown; the JSON form has them all.
const ROWS: usize = 10;

/// A text that grows line by line.
struct TextPage(String);

impl TextPage {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.0, "{line}").expect("a string takes any text");
    }

    fn heading(&mut self, heading: &str) {
        self.line(format_args!("\n=== {heading} ==="));
    }
}

impl PartialReport {
    /// The figures for people, in the layout that scripts rely on.
    pub fn to_text(&self) -> String {
        let mut page = TextPage(String::new());
        scores(self, &mut page);
        distribution(self, &mut page);
        interesting(self, &mut page);
        losses(self, &mut page);
        trials(self, &mut page);
        flips(self, &mut page);
        bands(self, &mut page);
        page.0
    }
}

fn scores(report: &PartialReport, page: &mut TextPage) {
    let binary = &report.binary;
    let partial = &report.partial;
    let (successes, tasks) = (binary.successes, report.tasks);
    page.line(format_args!("=== SCORING STATISTICS ==="));
    page.line(format_args!("Total tasks: {tasks}"));
    page.line(format_args!(""));
    page.line(format_args!("Binary Scoring:"));
    let share = percent(successes, tasks);
    page.line(format_args!("  Success rate: {successes}/{tasks} ({share:.1}%)"));
    page.line(format_args!("  Average: {:.3}", binary.average.unwrap_or(0.0)));
    page.line(format_args!(""));
    page.line(format_args!("Partial Scoring:"));
    page.line(format_args!("  Average: {:.3}", partial.average.unwrap_or(0.0)));
    page.line(format_args!("  Min: {:.3}", partial.min.unwrap_or(0.0)));
    page.line(format_args!("  Max: {:.3}", partial.max.unwrap_or(0.0)));
    page.line(format_args!(""));
}

fn distribution(report: &PartialReport, page: &mut TextPage) {
    page.line(format_args!("Partial Score Distribution:"));
    for bin in &report.distribution {
        let range = if bin.from < bin.to {
            format!("[{:.1}-{:.1})", bin.from, bin.to)
        } else {
            format!("[{:.1}]", bin.from)
        };
        let share = percent(bin.tasks, report.tasks);
        page.line(format_args!("  {range}: {:3} tasks ({share:5.1}%)", bin.tasks));
    }
    page.line(format_args!(""));
}

fn interesting(report: &PartialReport, page: &mut TextPage) {
    page.line(format_args!("Interesting Cases:"));
    let interesting = &report.interesting;
    cases("Binary fail but partial > 0.7", &interesting.near_failures, page);
    cases("Binary success but partial < 0.8", &interesting.far_successes, page);
}

fn cases(what: &str, cases: &Cases, page: &mut TextPage) {
    if cases.tasks == 0 {
        return;
    }
    page.line(format_args!("  {what}: {} tasks", cases.tasks));
    for case in &cases.first {
        let task = match &case.task_id {
            Some(task) => shown(task),
            None => format!("at index {}", case.index),
        };
        page.line(format_args!("    Task {task}: partial={:.2}", case.partial_score));
    }
}

fn losses(report: &PartialReport, page: &mut TextPage) {
    let losses = &report.losses;
    page.heading("WHERE THE POINTS WENT");
    page.line(format_args!("Points lost: {:.2} of {}", losses.points, report.tasks));
    let causes = losses.by_cause.iter();
    let by_cause = causes.map(|row| (row.cause.words().to_owned(), row.points, row.count));
    table("By cause", &by_cause.collect::<Vec<_>>(), losses.points, page);
    let tools = losses.by_tool.iter().filter(|row| row.points > 0.0);
    let by_tool = tools.map(|row| (shown(&row.tool), row.points, row.count));
    table("By tool", &by_tool.collect::<Vec<_>>(), losses.points, page);
    let arguments = losses.by_argument.iter().filter(|row| row.points > 0.0);
    let by_argument = arguments.map(|row| {
        let name = format!("{}: {}", shown(&row.tool), shown(&row.argument));
        (name, row.points, row.count)
    });
    table("By argument", &by_argument.collect::<Vec<_>>(), losses.points, page);
}

fn table(title: &str, rows: &[(String, f64, u64)], all: f64, page: &mut TextPage) {
    if rows.is_empty() {
        return;
    }
    page.line(format_args!(""));
    page.line(format_args!("{title}:"));
    let width = |(name, ..): &(String, f64, u64)| name.chars().count();
    let width = rows.iter().take(ROWS).map(width).max().unwrap_or(0);
    for (name, points, count) in rows.iter().take(ROWS) {
        let share = if all > 0.0 { points / all * 100.0 } else { 0.0 };
        let times = if *count == 1 { "loss" } else { "losses" };
        page.line(format_args!(
            "  {name:width$}  {points:8.2} points ({share:5.1}%)  {count} {times}"
        ));
    }
    if rows.len() > ROWS {
        page.line(format_args!("  and {} more", rows.len() - ROWS));
    }
}

fn trials(report: &PartialReport, page: &mut TextPage) {
    let trials = &report.trials;
    page.heading("TRIALS");
    let each = if trials.fewest == trials.most {
        format!("{} each", trials.most)
    } else {
        format!("{} to {} each", trials.fewest, trials.most)
    };
    page.line(format_args!("Different tasks: {} (trials: {each})", trials.different_tasks));
    if trials.left_out > 0 {
        page.line(format_args!("Left out, having no task_id: {}", trials.left_out));
    }
    if !trials.curve.is_empty() {
        page.line(format_args!(""));
        page.line(format_args!("Reliability:"));
        page.line(format_args!("    k  pass^k  pass@k"));
    }
    for point in &trials.curve {
        let note = if point.different_tasks < trials.different_tasks {
            format!("  ({} tasks with as many trials)", point.different_tasks)
        } else {
            String::new()
        };
        let (all, any) = (point.pass_all, point.pass_any);
        page.line(format_args!("  {:3}  {all:.4}  {any:.4}{note}", point.k));
    }
    // All rows are over the same tasks, so that pass^k can only fall; a few tasks with more trials
    // give no further row.
    if let Some(last) = trials.curve.last().filter(|last| last.k < trials.most) {
        let next = last.k + 1;
        page.line(format_args!(
            "  {next:3}  not shown: fewer than nine in ten tasks have as many trials"
        ));
    }
    page.line(format_args!(""));
    page.line(format_args!("Means with 95% intervals, clustered by task:"));
    let figures = [("Success rate", &trials.success), ("Partial score", &trials.partial)];
    for (name, figure) in figures {
        let Some(figure) = figure else { continue };
        let interval = match (figure.low, figure.high) {
            (Some(low), Some(high)) => format!("[{low:.3}, {high:.3}]"),
            _ => "(no interval from a single task)".to_owned(),
        };
        page.line(format_args!("  {name}: {:.3} {interval}", figure.mean));
        if let Some(error) = figure.standard_error {
            let naive = figure.naive_standard_error;
            page.line(format_args!(
                "    standard error {error:.4} ({naive:.4} if trials were independent)"
            ));
        }
    }
}

fn flips(report: &PartialReport, page: &mut TextPage) {
    let flips = &report.trials.flips;
    let share = percent(flips.flipped as u64, flips.of as u64);
    page.line(format_args!(""));
    page.line(format_args!(
        "Tasks that flip between trials: {} of {} ({share:.1}%)",
        flips.flipped, flips.of
    ));
    for task in &flips.first {
        let name = shown(&task.task_id);
        page.line(format_args!("  Task {name}: {} of {} succeed", task.successes, task.trials));
    }
    if flips.flipped > flips.first.len() {
        page.line(format_args!("  and {} more", flips.flipped - flips.first.len()));
    }
}

fn bands(report: &PartialReport, page: &mut TextPage) {
    page.heading("SCORE BANDS");
    let bands = &report.bands;
    let rows = [
        ("Perfect        [1.0]:    ", bands.perfect),
        ("Near miss      [0.9-1.0):", bands.near_miss),
        ("Partial        [0.4-0.9):", bands.partial),
        ("Wrong approach [0.0-0.4):", bands.wrong_approach),
    ];
    for (name, tasks) in rows {
        let share = percent(tasks, report.tasks);
        page.line(format_args!("{name} {tasks:3} tasks ({share:5.1}%)"));
    }
}

#[expect(clippy::cast_precision_loss, reason = "no file holds 2^53 tasks")]
fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 * 100.0 }
}

/// A name from the file, made fit for a terminal: no control characters, and not too long.
fn shown(name: &str) -> String {
    const LONGEST: usize = 60;
    let name = name.trim_start_matches(STAND_IN);
    if name.is_empty() {
        return "(no name)".to_owned();
    }
    let mut text: String = name
        .chars()
        .take(LONGEST)
        .map(|character| if character.is_control() { '\u{fffd}' } else { character })
        .collect();
    if name.chars().nth(LONGEST).is_some() {
        text.push('…');
    }
    text
}
