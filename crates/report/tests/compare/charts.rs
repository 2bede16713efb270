//! Charts: harmless, readable without eyes, and the same bytes every time.

use toolgauge_core::Run;
use toolgauge_report::chart::{
    self, Chart, ChartKind, Distribution, RunScore, TierScore, TrendPoint,
};
use toolgauge_report::{Comparison, Rate, Terms};

use super::pages::{HOSTILE, hostile_run, hostile_side, hostile_trial, summary};
use super::*;

fn rate(mean: f64) -> Rate {
    Rate { mean, low: (mean - 0.1).max(0.0), high: (mean + 0.05).min(1.0), trials: 40, cases: 20 }
}

/// A run made on this day with this model.
fn on_day(day: i64, model: &str) -> Run {
    let mut run = run(model);
    run.created = Timestamp::from_second(1_790_000_000 + day * 86_400).unwrap();
    run
}

fn times(spread: f64) -> Vec<f64> {
    (1..=500).map(|n| 0.2 * (f64::from(n) / 500.0 * spread).exp()).collect()
}

/// One of every kind, with hostile names wherever a name is drawn.
fn every_chart() -> Vec<Chart> {
    let trials = [1.0, 0.0, 0.5, 1.0].into_iter().enumerate();
    let mut found = summary(
        trials.map(|(case, value)| hostile_trial(&case.to_string(), 1, value)).collect::<Vec<_>>(),
    );
    let tiers = [("small", 0.9), ("medium", 0.8), ("large", 0.6)];
    let tiers = tiers.map(|(tier, mean)| (tier.to_owned(), rate(mean)));
    found.tags.insert("tier".to_owned(), tiers.into_iter().collect());
    let a = hostile_side("a", &[1.0, 0.0, 0.5, 1.0, 0.0]);
    let b = hostile_side("b", &[0.0, 1.0, 0.5, 1.0, 0.0]);
    let comparison = Comparison::of(&a, &b, &Terms::default());
    let runs = ["llama", HOSTILE, "$x^2$"];
    let runs = runs.map(|label| RunScore { label: label.to_owned(), score: rate(0.6) });
    let logs = [on_day(0, "m"), on_day(1, "m"), on_day(9, HOSTILE), hostile_run("m")];
    let points = TrendPoint::series(logs.iter().map(|run| (run, rate(0.5))));
    let curves = [
        Distribution::of("a", times(3.0)).unwrap(),
        Distribution::of(HOSTILE, times(2.0)).unwrap(),
    ];
    let charts = [
        chart::scores(&runs, Some(0.2)),
        chart::trend(&points),
        chart::dimensions(&found),
        chart::tiers(&TierScore::of(&found)),
        chart::losses(&found),
        chart::latency(&curves),
        chart::differences(&comparison),
    ];
    charts.into_iter().map(|chart| chart.expect("there is something to draw")).collect()
}

#[test]
fn tiers_go_from_few_entities_to_many_whatever_they_are_called() {
    let mut run = run("m");
    let sizes =
        serde_json::json!({"alpha": {"size": 521}, "small": {"size": 90}, "zoo": {"size": 7}});
    run.settings.insert("tiers".into(), sizes);
    let mut tally = toolgauge_report::SummaryTally::of(&run);
    for tier in ["alpha", "small", "zoo"] {
        let mut trial = trial(tier, 1, 1.0);
        trial.tags.insert("tier".into(), tier.into());
        tally.add(&trial);
    }
    let tiers = TierScore::of(&tally.summary(&run, None));
    let order: Vec<&str> = tiers.iter().map(|tier| tier.label.as_str()).collect();
    assert_eq!(order, ["zoo", "small", "alpha"]);
    assert!(chart::tiers(&tiers).unwrap().description.contains("zoo (7)"));
}

#[test]
fn a_chart_in_a_file_of_its_own_shows_its_title() {
    for chart in every_chart() {
        // A title may hold the name of a dimension or of a run, which others wrote.
        let title = maud::html! { (chart.title) }.into_string();
        let shown = format!(">{title}</text>");
        assert!(chart.file().contains(&shown), "{}", chart.kind.name());
        assert!(!chart.inline("here").contains(&shown), "a page has a caption for it");
    }
}

#[test]
fn every_kind_of_chart_is_harmless_and_told_in_words() {
    let charts = every_chart();
    let kinds: Vec<ChartKind> = charts.iter().map(|chart| chart.kind).collect();
    assert_eq!(kinds, ChartKind::ALL, "one of each, in their order");
    for chart in charts {
        for svg in [chart.inline("here"), chart.file(), chart.figure("here").into_string()] {
            let name = chart.kind.name();
            assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{name}: {svg}");
            assert!(svg.contains("role=\"img\""), "{name}");
            assert_eq!((svg.matches("<title ").count(), svg.matches("<desc ").count()), (1, 1));
            assert!(!svg.contains("<script") && !svg.contains(" style="), "{name}: {svg}");
            assert!(!svg.contains("x²"), "{name}: no mathematics");
            let elsewhere = svg.matches("http").count();
            assert_eq!(
                elsewhere,
                svg.matches("<svg ").count(),
                "{name}: nothing but the name of SVG itself: {svg}"
            );
            let harmful = |c: char| toolgauge_report::harmless::is_harmful(c) && c != '\n';
            assert!(!svg.contains(harmful), "{name}");
            assert!(svg.len() < 60_000, "{name}: {} bytes", svg.len());
        }
    }
}

#[test]
fn a_chart_has_the_same_bytes_every_time() {
    let drawn = || every_chart().iter().map(|chart| chart.inline("x")).collect::<Vec<_>>();
    assert_eq!(drawn(), drawn());
}

#[test]
fn a_page_can_hold_several_charts() {
    let charts = every_chart();
    let (one, other) = (charts[0].inline("one"), charts[0].inline("two\" onload=\"x"));
    assert!(one.contains("id=\"one-title\"") && !one.contains("url("), "{one}");
    assert!(other.contains("id=\"two--onload--x-title\""), "{other}");
}

#[test]
fn a_figure_says_no_name_twice() {
    for chart in every_chart() {
        let figure = chart.figure("here").into_string();
        let names = figure.split(" id=\"").skip(1).map(|part| part.split('"').next().unwrap());
        let mut names: Vec<&str> = names.collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "{}: {names:?}", chart.kind.name());
        assert_eq!(figure.matches("aria-labelledby=\"here-title here-desc\"").count(), 2);
    }
}

#[test]
fn a_file_needs_no_page() {
    for chart in every_chart() {
        let file = chart.file();
        assert!(file.starts_with("<?xml"));
        assert!(!file.contains("=\"var("), "{file}");
    }
}

#[test]
fn whatever_a_log_claims_can_be_drawn() {
    for wild in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 5e-324] {
        let score = Rate { mean: wild, low: wild, high: wild, trials: 1, cases: 1 };
        let runs = [RunScore { label: "wild".to_owned(), score }];
        assert!(chart::scores(&runs, Some(wild)).is_some());
        let mut early = on_day(0, "m");
        early.created = Timestamp::MIN;
        let mut late = on_day(0, "m");
        late.created = Timestamp::MAX;
        let points = TrendPoint::series([(&late, score), (&early, score)]);
        assert!(chart::trend(&points).unwrap().file().len() < 60_000);
        let curves: Vec<_> = Distribution::of("wild", vec![wild, 0.0, -1.0]).into_iter().collect();
        assert!(chart::latency(&curves).is_some());
        let sizes = ["1", "2"].map(|label| TierScore {
            tag: "tier".into(),
            label: label.into(),
            size: None,
            score,
        });
        assert!(chart::tiers(&sizes).is_some());
    }
}

#[test]
fn a_trend_marks_what_changed() {
    let mut reworded = on_day(2, "b");
    reworded.system_prompt = Some("be brief".to_owned());
    let runs = [on_day(1, "b"), on_day(0, "a"), reworded];
    let points = TrendPoint::series(runs.iter().map(|run| (run, rate(0.5))));
    let changed: Vec<_> = points.iter().map(|point| point.changed.clone()).collect();
    assert_eq!(changed, [vec![], vec!["model"], vec!["prompt"]]);
    let drawn = chart::trend(&points).unwrap().inline("t");
    assert!(drawn.contains(">model</text>") && drawn.contains(">prompt</text>"), "{drawn}");
}

#[test]
fn a_trend_of_several_subjects_names_the_best_and_joins_none_of_them() {
    let drawn = |runs: &[(Run, f64)]| {
        let points = TrendPoint::series(runs.iter().map(|(run, mean)| (run, rate(*mean))));
        chart::trend(&points).unwrap()
    };
    let one = drawn(&[(on_day(0, "a"), 0.25), (on_day(1, "a"), 0.5)]);
    assert_eq!(one.title, "Score over 2 runs: from 0.250 to 0.500");
    let same = drawn(&[(on_day(0, "a"), 0.5), (on_day(1, "a"), 0.5)]);
    assert_eq!(same.title, "Score over 2 runs: 0.500 at first and at last");
    let several = drawn(&[(on_day(0, "a"), 0.5), (on_day(1, "b"), 0.25)]);
    assert_eq!(several.title, "Best so far: 0.500, a");
    let lines = |chart: &Chart| {
        let drawn = chart.inline("t");
        let paths = drawn.split(" d=\"").skip(1).filter_map(|path| path.split('"').next());
        paths.filter(|path| path.contains('L')).count()
    };
    assert!(lines(&several) < lines(&one), "a line leads from one subject to the other");
}

#[test]
fn a_distribution_has_a_fixed_size() {
    let few = Distribution::of("few", vec![1.0, 2.0]).unwrap();
    let many = Distribution::of("many", (0..100_000).map(f64::from).collect()).unwrap();
    assert_eq!((few.percentile(0), few.percentile(100)), (1.0, 2.0));
    assert!((many.percentile(50) - 50_000.0).abs() < 2.0);
    assert_eq!(Distribution::of("none", Vec::new()), None);
}
