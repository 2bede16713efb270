//! Selections: what they leave, what they keep, and what they say when nothing is left.

#![expect(clippy::unwrap_used, reason = "a test that cannot read its suite should stop")]

use std::collections::BTreeSet;
use std::fmt::Write as _;

use proptest::prelude::*;
use toolgauge_core::CaseId;
use toolgauge_suite::{
    EmbeddedFiles, RandomDraw, Selection, SelectionError, Suite, SuiteSource, load,
};

/// Twenty cases in two tiers and three rooms: `small-0` … `large-19`.
fn suite() -> Suite {
    let mut text = String::from("name: homes\ntools: [{name: a, description: b}]\ncases:\n");
    for number in 0..20 {
        let tier = if number < 10 { "small" } else { "large" };
        let room = ["hall", "kitchen", "attic"][number % 3];
        writeln!(
            text,
            "  - {{id: {tier}-{number}, say: x, tags: {{tier: {tier}, room: {room}}}, expect: {{call: a}}}}"
        )
        .unwrap();
    }
    let files = [("suite.yaml".to_owned(), text.into_bytes().into())];
    load(&SuiteSource::embedded("homes", EmbeddedFiles::from(files))).unwrap()
}

fn ids(selection: &Selection) -> Vec<String> {
    let cases = selection.select(&suite()).unwrap();
    cases.iter().map(|case| case.id.to_string()).collect()
}

fn refused(selection: &Selection) -> SelectionError {
    selection.select(&suite()).unwrap_err()
}

fn tag(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

#[test]
fn without_conditions_all_cases_are_selected() {
    assert_eq!(ids(&Selection::default()).len(), 20);
}

#[test]
fn a_quick_run_has_the_cases_that_the_suite_names() {
    let quick = Selection { quick: true, ..Selection::default() };
    let error = refused(&quick);
    assert_eq!(error.to_string(), "the suite `homes` names no cases for a quick run");
    assert!(error.hint().unwrap().contains("--sample 40"));
    let mut suite = suite();
    suite.quick = vec![CaseId::new("large-12"), CaseId::new("small-3")];
    let chosen = |selection: &Selection| -> Vec<String> {
        selection.select(&suite).unwrap().iter().map(|case| case.id.to_string()).collect()
    };
    assert_eq!(chosen(&quick), ["small-3", "large-12"]);
    let tags = vec![tag("tier", "large")];
    assert_eq!(chosen(&Selection { quick: true, tags, ..Selection::default() }), ["large-12"]);
}

#[test]
fn quick_cases_and_a_budget_are_read_and_checked() {
    let read = |more: &str| {
        let text = format!(
            "name: homes\ntools: [{{name: a, description: b}}]\ncases:\n  \
             - {{id: small-1, say: x, expect: {{call: a}}}}\n{more}"
        );
        let files = [("suite.yaml".to_owned(), text.into_bytes().into())];
        load(&SuiteSource::embedded("homes", EmbeddedFiles::from(files)))
    };
    let suite = read("quick: [small-1]\nlatency_budget: 2.5\n").unwrap();
    assert_eq!((suite.quick.len(), suite.latency_budget), (1, Some(2.5)));
    let problems = read("quick: [smal-1]\nlatency_budget: -1\n").unwrap_err().to_string();
    assert!(problems.contains("there is no case `smal-1`"), "{problems}");
    assert!(problems.contains("did you mean `small-1`?"), "{problems}");
    assert!(problems.contains("`latency_budget` is"), "{problems}");
}

#[test]
fn ids_and_globs_select_in_the_order_of_the_suite() {
    let selection =
        Selection { ids: vec!["large-1[0-1]".into(), "small-3".into()], ..Selection::default() };
    assert_eq!(ids(&selection), ["small-3", "large-10", "large-11"]);
}

#[test]
fn values_of_one_tag_are_either_or_and_tags_are_both() {
    let tags = vec![tag("room", "hall"), tag("room", "attic"), tag("tier", "small")];
    let selection = Selection { tags, limit: Some(4), ..Selection::default() };
    assert_eq!(ids(&selection), ["small-0", "small-2", "small-3", "small-5"]);
}

#[test]
fn only_what_failed_is_selected_on_demand() {
    let only = BTreeSet::from([CaseId::new("small-2"), CaseId::new("not-here")]);
    let selection = Selection { only: Some(only), ..Selection::default() };
    assert_eq!(ids(&selection), ["small-2"]);
}

#[test]
fn what_matches_nothing_is_told_with_what_is_near() {
    let error = refused(&Selection { ids: vec!["smal-3".into()], ..Selection::default() });
    assert_eq!(error.to_string(), "no case of the suite `homes` matches `smal-3`");
    assert_eq!(error.hint(), Some("did you mean `small-3`?"));

    let error = refused(&Selection { tags: vec![tag("teir", "small")], ..Selection::default() });
    assert_eq!(error.to_string(), "no case of the suite `homes` has the tag `teir`");
    assert_eq!(error.hint(), Some("did you mean `tier`?"));

    let error = refused(&Selection { tags: vec![tag("tier", "huge")], ..Selection::default() });
    assert_eq!(error.to_string(), "no case of the suite `homes` has `tier=huge`");
    assert_eq!(error.hint(), Some("known values: `large`, `small`"));

    let error = refused(&Selection { ids: vec!["small-[".into()], ..Selection::default() });
    assert!(matches!(error, SelectionError::BadGlob { .. }));

    let tags = vec![tag("tier", "large")];
    let error = refused(&Selection { ids: vec!["small-*".into()], tags, ..Selection::default() });
    assert!(matches!(error, SelectionError::NothingLeft { .. }));
}

/// A sample must come out the same in every version, or results stop being comparable.
#[test]
fn a_sample_is_the_same_for_ever() {
    let sample = Some(RandomDraw { size: 5, seed: 42 });
    let drawn = ids(&Selection { sample, ..Selection::default() });
    assert_eq!(drawn, ["small-0", "small-4", "large-13", "large-16", "large-19"]);
}

proptest! {
    #[test]
    fn a_sample_is_a_subset_in_order(size in 0usize..30, seed in any::<u64>()) {
        let all = ids(&Selection::default());
        let sample = Some(RandomDraw { size, seed });
        let drawn = ids(&Selection { sample, ..Selection::default() });
        prop_assert_eq!(&drawn, &ids(&Selection { sample, ..Selection::default() }));
        prop_assert_eq!(drawn.len(), size.min(20));
        let kept: Vec<String> = all.into_iter().filter(|id| drawn.contains(id)).collect();
        prop_assert_eq!(drawn, kept);
    }

    #[test]
    fn a_smaller_sample_is_part_of_a_larger_one(
        size in 0usize..30, more in 0usize..10, seed in any::<u64>(),
    ) {
        let drawn = |size| {
            ids(&Selection { sample: Some(RandomDraw { size, seed }), ..Selection::default() })
        };
        let larger = drawn(size + more);
        prop_assert!(drawn(size).iter().all(|id| larger.contains(id)));
    }
}

#[test]
fn each_case_that_is_selected_is_asked_with_each_number_of_decoys() {
    let mut suite = suite();
    suite.world.config.insert("decoys".into(), serde_json::json!([10, 0]));
    let chosen = |selection: Selection| -> Vec<String> {
        let cases = selection.select(&suite).unwrap();
        assert!(cases.iter().all(|case| case.group.as_deref().is_some_and(|id| {
            case.id.as_str().ends_with(id) && case.tags.contains_key("decoys")
        })));
        cases.iter().map(|case| case.id.to_string()).collect()
    };
    let limited =
        Selection { tags: vec![tag("tier", "large")], limit: Some(2), ..Selection::default() };
    assert_eq!(
        chosen(limited),
        ["large-10", "large-11", "decoys-10/large-10", "decoys-10/large-11"]
    );
    let only = Some([CaseId::new("decoys-10/small-3")].into());
    assert_eq!(
        chosen(Selection { only, ..Selection::default() }),
        ["small-3", "decoys-10/small-3"]
    );
    assert_eq!(suite.identity().size, 40);
}

#[test]
fn decoys_are_counted_in_whole_numbers() {
    let mut suite = suite();
    assert_eq!(suite.decoys(), Ok(BTreeSet::new()));
    for (given, read) in
        [("4", Some(1)), ("[0, 10]", Some(2)), ("[]", None), ("[-1]", None), ("\"4\"", None)]
    {
        suite.world.config.insert("decoys".into(), serde_json::from_str(given).unwrap());
        assert_eq!(suite.decoys().ok().map(|counts| counts.len()), read, "{given}");
    }
}
