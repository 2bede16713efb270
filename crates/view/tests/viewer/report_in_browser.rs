//! The report as a file on disk, in a real browser: with scripts and without, light and dark.

use serde_json::json;
use toolgauge_core::{Outcome, Run, Score, StateChange, Trial};
use toolgauge_log::TrialSummary;
use toolgauge_report::{
    Comparison, ReportDocument, ReportedRun, RunSide, RunTally, Terms, Thresholds, html,
};

use crate::browser::Browser;
use crate::in_browser::axe;
use crate::logs;

/// The trials of a run in which there is something of everything a report shows.
fn trials(run: &Run, wrong: usize) -> Vec<Trial> {
    let trial = |number: usize| {
        let mut case = logs::case(number);
        case.tags.insert("category".into(), ["prices", "people"][number % 2].into());
        let mut trial = logs::trial(case, number, !number.is_multiple_of(wrong));
        trial.transcript.background.changes.push(StateChange {
            thing: "light.hall".into(),
            property: "state".into(),
            before: json!("off"),
            after: json!(if number.is_multiple_of(wrong) { "off" } else { "on" }),
            expected: Some(json!("on")),
        });
        let score = trial.outcome().and_then(Outcome::score).unwrap();
        let graded = Score { value: score.value - 0.2, ..Score::default() };
        let mut by_state = score.clone();
        for (measure, value) in [("F3", 1.0), ("weight", 3.0), ("right_by_state_only", 1.0)] {
            by_state.measures.insert(measure.into(), value);
        }
        trial.outcomes.insert("chatbot".into(), Outcome::Scored(graded));
        trial.outcomes.insert("end_state".into(), Outcome::Scored(by_state));
        trial
    };
    (0..run.cases.len()).map(trial).collect()
}

fn reported(run: &Run, trials: &[Trial]) -> (ReportedRun, RunSide) {
    let (mut tally, mut side) =
        (RunTally::of(run, 3), RunSide::new(run.subject.name.as_str(), run, None));
    for trial in trials {
        let summary = TrialSummary::of(trial);
        tally.add(&summary);
        side.add(&summary);
    }
    let mut reported = tally.finish(run, run.subject.name.as_str(), true, None);
    reported.exhibits =
        trials.iter().take(3).map(|trial| html::exhibit(trial, Thresholds::default())).collect();
    (reported, side.finished())
}

/// A page with three runs and their comparisons.
fn page() -> String {
    let runs = [("qwen", 3, 0), ("llama", 4, 50), ("gemma", 5, 90)];
    let runs = runs.map(|(subject, wrong, minute)| {
        let mut run = logs::run(subject, 24, minute);
        let tiers = json!({"small": {"size": 30}, "medium": {"size": 120}, "large": {"size": 521}});
        run.settings.insert("tiers".into(), tiers);
        reported(&run, &trials(&run, wrong))
    });
    let [(one, a), (other, b), (third, c)] = runs;
    let mut document = ReportDocument::of(vec![one, other, third]);
    document.comparisons = [b, c].map(|side| Comparison::of(&a, &side, &Terms::default())).into();
    html::page(&document)
}

#[test]
fn what_a_scorer_explains_keeps_its_lines() {
    let mut trial = logs::trial(logs::case(0), 0, false);
    let explained = Score { explanation: "missing change\nside effect".into(), ..Score::default() };
    trial.outcomes = [("end_state".into(), Outcome::Scored(explained))].into_iter().collect();
    let shown = html::exhibit(&trial, Thresholds::default()).into_string();
    assert!(shown.contains("missing change\nside effect"), "{shown}");
}

#[test]
fn a_report_from_disk_is_accessible_quiet_and_fits_a_phone() {
    let Some(browser) = Browser::start() else { return };
    let axe = axe();
    let folder = tempfile::tempdir().unwrap();
    let whole = page();
    for words in ["Grade", "safety-weighted", "worth trying", "End state", "large (521)"] {
        assert!(whole.contains(words), "{words}");
    }
    for chart in ["scores", "trend", "latencies", "differences-2", "dimensions-1", "tiers-1"] {
        assert!(whole.contains(&format!("<figure class=\"chart\" id=\"{chart}\"")), "{chart}");
    }
    // A browser that runs no scripts shows what there is without them.
    let without = whole.replace(html::SCRIPT, "");
    assert!(without.len() < whole.len());
    for (name, text) in [("with.html", &whole), ("without.html", &without)] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        for (scheme, width) in [("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390)] {
            browser.prefer(scheme);
            browser.resize(width, 844);
            browser.open(&format!("file://{}", path.display()));
            browser.until("document.readyState === 'complete'");
            browser.script("for (const it of document.querySelectorAll('details')) it.open = true");
            let within = format!("{name} {scheme} {width}");
            if let Some(axe) = &axe {
                let found = browser.violations(axe);
                assert!(found.is_empty(), "{within}: {found:#?}");
            }
            let over = browser.script(
                "return document.documentElement.scrollWidth - document.documentElement.clientWidth",
            );
            assert_eq!(over, json!(0), "{within} is wider than its screen");
            let misfits = if width == 390 { browser.misfits() } else { json!([]) };
            assert_eq!(misfits, json!([]), "{within}");
            let unreachable = browser.script(
                "return [...document.querySelectorAll('.scroll, pre.text')]
                     .filter((e) => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight)
                     .filter((e) => e.tabIndex !== 0).length",
            );
            assert_eq!(unreachable, json!(0), "{within}: something scrolls that no key reaches");
        }
        let complaints = browser.complaints("nowhere");
        let complaints: Vec<&String> =
            complaints.iter().filter(|told| !told.starts_with("asked for file://")).collect();
        assert!(name == "without.html" || complaints.is_empty(), "{complaints:#?}");
    }
}

#[test]
fn on_paper_a_report_shows_what_is_folded_on_the_screen() {
    let Some(browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.html");
    std::fs::write(&path, page()).unwrap();
    browser.open(&format!("file://{}", path.display()));
    browser.until("document.readyState === 'complete'");
    let seen = "return [...document.querySelectorAll('.exhibit .said')].some((e) => e.checkVisibility({contentVisibilityAuto: true}))";
    assert_eq!(browser.script(seen), json!(false), "folded on the screen");
    browser.devtools("Emulation.setEmulatedMedia", &json!({"media": "print"}));
    let hidden = "return [...document.querySelectorAll('details:not(.exhibit details) > .inside')].filter((e) => e.getBoundingClientRect().height < 5).length";
    assert_eq!(browser.script(hidden), json!(0), "unfolded on paper");
}

#[test]
fn a_printed_report_unfolds_failing_trials_and_stays_short() {
    let Some(browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.html");
    std::fs::write(&path, page()).unwrap();
    browser.open(&format!("file://{}", path.display()));
    browser.until("document.readyState === 'complete'");
    browser.devtools("Emulation.setEmulatedMedia", &json!({"media": "print"}));
    // On paper every transcript and the list of passing cases can be read, though nothing is open.
    let hidden = browser.script(
        "return [...document.querySelectorAll('.exhibit .said, .others li')]
             .filter((e) => e.getClientRects().length === 0).length",
    );
    assert_eq!(hidden, json!(0));
    let repeated = browser.script(
        "return [...document.querySelectorAll('.exhibit .dimensions')]
             .filter((e) => e.getClientRects().length > 0).length",
    );
    assert_eq!(repeated, json!(0), "what the table of calls shows is not shown again");
    // As wide as paper, in two columns: beside long arguments a name would be broken up.
    browser.resize(720, 1000);
    let broken = browser.script(
        "return [...document.querySelectorAll('.exhibit .said .call > code')]
             .filter((e) => e.getBoundingClientRect().height > 2 * parseFloat(getComputedStyle(e).fontSize))
             .map((e) => e.innerText)",
    );
    assert_eq!(broken, json!([]), "the names of called tools stay in one piece");
    let pages = browser.printed_pages();
    assert!((8..=24).contains(&pages), "three runs take {pages} pages");
}
