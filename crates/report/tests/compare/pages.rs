//! Fragments of pages: what a suite or a model wrote stays text.

use toolgauge_core::{Dimension, Outcome, Verdict};
use toolgauge_report::html::{self, Links, NoLinks};
use toolgauge_report::{
    Columns, Comparison, ContestReport, ReportDocument, RunTally, Summary, SummaryTally, Terms,
    TrialTable, UnscoredRule,
};
use toolgauge_stats::Resampling;

use super::*;

pub(super) const HOSTILE: &str = "<script>alert(1)</script>\"' onload=x \u{202e}\u{1b}[2J";

pub(super) fn hostile_trial(case: &str, number: u32, value: f64) -> TrialSummary {
    let mut trial = trial(&format!("{case}{HOSTILE}"), number, value);
    trial.tags.insert(format!("tag{HOSTILE}"), format!("{case}{HOSTILE}"));
    for outcome in trial.outcomes.values_mut() {
        if let Outcome::Scored(score) = outcome {
            score.dimensions.insert(Dimension::named(HOSTILE), Verdict::of(value >= 1.0));
            score.measures.insert(HOSTILE.to_owned(), value);
            for loss in &mut score.losses {
                loss.tool = Some(HOSTILE.to_owned());
            }
        }
    }
    trial
}

pub(super) fn hostile_run(subject: &str) -> Run {
    let mut run = run(&format!("{subject}{HOSTILE}"));
    run.suite.name = HOSTILE.into();
    run.suite.version = Some(HOSTILE.to_owned());
    run.variant = Some(HOSTILE.to_owned());
    run
}

pub(super) fn hostile_side(subject: &str, values: &[f64]) -> RunSide {
    let mut side = RunSide::new(format!("{subject}{HOSTILE}"), &hostile_run(subject), None);
    for (case, value) in values.iter().enumerate() {
        side.add(&hostile_trial(&case.to_string(), 1, *value));
    }
    side.finished()
}

pub(super) fn summary(trials: impl IntoIterator<Item = TrialSummary>) -> Summary {
    let run = hostile_run("m");
    let mut tally = SummaryTally::of(&run);
    for trial in trials {
        tally.add(&trial);
    }
    tally.summary(&run, None)
}

fn all_of(summary: &Summary, links: &dyn Links) -> String {
    let parts = [
        html::title(summary),
        html::score_cards(summary),
        html::dimensions(summary, links),
        html::scorers(summary),
        html::measures(summary),
        html::slices(summary, links),
        html::losses(summary, links),
        html::latency(summary),
        html::tokens(summary),
        html::reliability(summary),
        html::unscored(summary, links),
        html::oddities(summary),
    ];
    let tiers = summary.tiers.as_ref();
    let tiers = tiers.map(|found| [html::tiers(found), html::failure_patterns(found)]);
    let grades = summary.grades.as_ref().map(|found| html::grades(found, links));
    let parts = parts.into_iter().chain(tiers.into_iter().flatten()).chain(grades);
    parts.map(maud_text).collect()
}

#[test]
fn what_repeated_trials_promise_has_an_interval() {
    let trials = (0..4).flat_map(|case| {
        (1..=2).map(move |number| hostile_trial(&case.to_string(), number, f64::from(case % 2)))
    });
    let found = summary(trials.collect::<Vec<_>>());
    let [low, high] = found.reliability[1].all_interval;
    assert!(low > 0.0 && low < 0.5 && high > 0.5 && high < 1.0, "{low} {high}");
    let told = format!("[{low:.3}, {high:.3}]");
    assert!(found.to_string().contains(&told), "{found}");
    assert!(all_of(&found, &NoLinks).contains(&told));
}

#[test]
fn grades_and_tiers_stay_text_too() {
    let trials = [0.0, 0.5, 1.0].into_iter().enumerate().map(|(number, value)| {
        let mut trial = hostile_trial(&number.to_string(), 1, value);
        trial.tags.insert("tier".into(), format!("{number}{HOSTILE}"));
        trial.tags.insert("category".into(), HOSTILE.into());
        let mut score = trial.outcome().and_then(Outcome::score).unwrap().clone();
        trial.outcomes.insert("chatbot".into(), Outcome::Scored(score.clone()));
        for (measure, value) in [("F2", 1.0), ("weight", 1.0), ("right_by_calls_only", 1.0)] {
            score.measures.insert(measure.into(), value);
        }
        trial.outcomes.insert("end_state".into(), Outcome::Scored(score));
        trial
    });
    let found = summary(trials.collect::<Vec<_>>());
    let page = all_of(&found, &NoLinks);
    assert_harmless(&page);
    for words in [
        "1 pass, 1 partial, 1 fail",
        "Questions that do not pass: 2",
        "worth trying",
        "right by calls, though",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

fn maud_text(markup: impl Into<String>) -> String {
    markup.into()
}

/// Whether every `<` begins a tag of ours, and nothing acts on its surroundings.
fn assert_harmless(page: &str) {
    assert!(!page.contains("<script"), "{page}");
    let bad = page.chars().find(|c| toolgauge_report::harmless::is_harmful(*c) && *c != '\n');
    assert_eq!(bad, None);
    for tag in page.split('<').skip(1) {
        let (inside, _) = tag.split_once('>').expect("every tag ends");
        assert_eq!(inside.matches('"').count() % 2, 0, "an attribute was broken open: {inside}");
        // What stands between quotes is the value of an attribute of ours.
        let names: String = inside.split('"').step_by(2).collect();
        assert!(!names.contains(" onload"), "{inside}");
        assert!(!names.contains(" style="), "a strict policy forbids inline styles: {inside}");
    }
}

#[test]
fn a_summary_of_hostile_names_is_text() {
    let values = [1.0, 0.0, 0.5, 1.0];
    let trials = values.iter().enumerate();
    let mut trials: Vec<_> =
        trials.map(|(case, value)| hostile_trial(&case.to_string(), 1, *value)).collect();
    trials.push(unscored("late", 1));
    trials.extend((0..4).map(|case| hostile_trial(&case.to_string(), 2, 0.0)));
    let page = all_of(&summary(trials), &NoLinks);
    assert_harmless(&page);
    assert!(page.contains("\\u{202e}"), "the mark is shown: {page}");
    assert!(page.contains("wrong value"));
    assert!(page.contains("timeout"));
    assert!(page.contains("pass^k"));
}

#[test]
fn rows_lead_where_the_page_says() {
    struct ToCauses;
    impl Links for ToCauses {
        fn cause(&self, cause: Cause) -> Option<String> {
            Some(format!("?cause={}&sort=points", cause.name()))
        }
    }
    let page = all_of(&summary([trial("a", 1, 0.0)]), &ToCauses);
    assert!(
        page.contains("<a href=\"?cause=wrong_value&amp;sort=points\">wrong value</a>"),
        "{page}"
    );
}

#[test]
fn comparisons_of_hostile_names_are_text() {
    let a = hostile_side("a", &[1.0, 0.0, 0.5, 1.0, 0.0]);
    let b = hostile_side("b", &[0.0, 1.0, 0.5, 1.0, 0.0]);
    let comparison = Comparison::of(&a, &b, &Terms::default());
    let page = maud_text(html::comparison(&comparison, &NoLinks, "chart"));
    assert_harmless(&page);
    assert!(page.contains("broken") && page.contains("fixed"));
    let sides = [a, b, hostile_side("c", &[1.0, 1.0, 1.0, 1.0, 0.0])];
    let contest = ContestReport::of(&sides, UnscoredRule::Exclude, &Resampling::default()).unwrap();
    assert_harmless(&maud_text(html::contest(&contest, &NoLinks)));
}

#[test]
fn a_verdict_is_said_once() {
    let values = [1.0, 0.0, 0.5, 1.0, 0.0, 1.0, 0.0];
    let (a, b) = (hostile_side("a", &values), hostile_side("b", &values));
    let comparison = Comparison::of(&a, &b, &Terms::default());
    let page = maud_text(html::comparison(&comparison, &NoLinks, "chart"));
    let word = comparison.verdict.word();
    assert_eq!(page.matches(word).count(), 1, "{word}: {page}");
    assert!(comparison.verdict_words().starts_with(word));
    assert!(page.contains("<span class=\"badge plain\">broken</span> 0"), "none is no alarm");
}

#[test]
fn a_summary_fits_a_narrow_terminal() {
    let trials = [1.0, 0.0, 0.5, 1.0].into_iter().enumerate();
    let found = summary(
        trials.map(|(case, value)| hostile_trial(&case.to_string(), 1, value)).collect::<Vec<_>>(),
    );
    let (wide, narrow) = (format!("{found}"), format!("{found:60}"));
    assert!(wide.contains('█') && !narrow.contains('█'), "{narrow}");
    let table = narrow.lines().skip_while(|line| !line.contains("dimension"));
    for line in table.take(6) {
        assert!(line.chars().count() <= 60, "{line}");
    }
}

#[test]
fn color_changes_no_word_of_a_report() {
    let plain = |text: &str| anstream::adapter::strip_str(text).to_string();
    let found = summary([hostile_trial("a", 1, 0.0), hostile_trial("b", 1, 1.0)]);
    let colored = format!("{found:#}");
    assert_eq!(plain(&colored), found.to_string());
    assert!(colored.starts_with("\u{1b}[1m") && colored.contains("\u{1b}[2m"), "{colored:?}");
    let (a, b) = (hostile_side("a", &[1.0; 30]), hostile_side("b", &[0.0; 30]));
    let found = Comparison::of(&a, &b, &Terms::default());
    let colored = format!("{found:#}");
    assert_eq!(plain(&colored), found.to_string());
    assert!(colored.contains("  verdict    \u{1b}[31mB is worse\u{1b}[0m"), "{colored:?}");
    assert!(colored.contains("\u{1b}[31mworse\u{1b}[0m"), "{colored:?}");
}

#[test]
fn a_page_says_what_server_answered_and_what_was_odd_before_the_first_trial() {
    let mut run = run("m");
    let server = serde_json::json!({"software": "llama.cpp", "build": "b6789"});
    run.server = Some(serde_json::from_value(server).unwrap());
    let mut tally = RunTally::of(&run, 0);
    tally.add(&trial("a", 1, 1.0));
    let mut reported = tally.finish(&run, "log", true, None);
    reported.summary.warnings.push("the context is short".to_owned());
    let page = html::page(&ReportDocument::of(vec![reported]));
    assert!(page.contains("Server: ") && page.contains("llama.cpp"), "{page}");
    assert!(page.contains("the context is short"), "{page}");
}

#[test]
fn names_in_text_keep_to_their_line() {
    let found = summary([hostile_trial("a", 1, 0.0), hostile_trial("b", 1, 1.0)]);
    let text = found.to_string();
    let harmful = |c: char| toolgauge_report::harmless::is_harmful(c) && c != '\n';
    assert!(!text.contains(harmful), "{text}");
    let a = hostile_side("a", &[1.0, 0.0, 0.5]);
    let b = hostile_side("b", &[0.0, 1.0, 0.5]);
    let text = Comparison::of(&a, &b, &Terms::default()).to_string();
    assert!(!text.contains(harmful), "{text}");
}

#[test]
fn a_table_has_a_column_for_each_further_scorer_and_names_the_thing_that_was_lost() {
    let mut trial = trial("a", 1, 0.5);
    let mut loss = Loss::new(Cause::SideEffect, 0.5);
    loss.path.0.push(toolgauge_core::PathStep::Key("lock.door".into()));
    let Outcome::Scored(score) = &mut trial.outcomes[0] else { unreachable!() };
    score.losses = vec![loss];
    let other = Score { value: 0.25, ..Score::default() };
    trial.outcomes.insert("wire".into(), Outcome::Scored(other));
    let mut columns = Columns::default();
    columns.add(&trial);
    let mut written = Vec::new();
    let mut table = TrialTable::new(&mut written, columns.sorted()).unwrap();
    table.add("log", &summary([trial.clone()]), &trial).unwrap();
    table.finish().unwrap();
    let written = String::from_utf8(written).unwrap();
    let (head, row) = written.split_once('\n').unwrap();
    let place = head.split(',').position(|column| column == "scorer:wire").unwrap();
    assert!(row.contains(",0.25,") && place > 8, "{written}");
    assert!(row.contains("side_effect:0.5@lock.door"), "{row}");
}

#[test]
fn a_comment_has_the_warnings_of_the_run() {
    let mut run = run("bot");
    run.warnings = vec!["the server cuts prompts at 512 tokens".to_owned()];
    run.max_tokens = Some(64);
    let mut tally = RunTally::of(&run, 0);
    for n in 0..3 {
        let mut trial = trial(&format!("case-{n}"), 1, 1.0);
        trial.stop = StopReason::MaxTokens;
        trial.attempts = 2;
        tally.add(&trial);
    }
    let document = ReportDocument::of(vec![tally.finish(&run, "log", true, None)]);
    let page = toolgauge_report::markdown_page(&document);
    for line in [
        "- ⚠️ warning: the server cuts prompts at 512 tokens\n",
        "- ⚠️ repeated: 3 requests were repeated\n",
        "- ⚠️ cut off: 3 trials reached max_tokens (64); raise --max-tokens\n",
    ] {
        assert!(page.contains(line), "{page}");
    }
}
