//! The suites that come with the program: they load, make sense, and cannot be passed by doing
//! nothing.

use std::fs;
use std::path::Path;

use regex::Regex;
use toolgauge_core::{Case, ExpectedCall, Pattern};
use toolgauge_suite::{
    EmbeddedFiles, Starter, Suite, SuiteSource, check_declared, load, render_system,
};

const SCORERS: [&str; 2] = ["tool_calls", "partial"];

fn clean(source: &SuiteSource) -> Suite {
    let suite = load(source).unwrap_or_else(|problems| panic!("{problems}"));
    if suite.world.is_declared() {
        let problems = check_declared(&suite, &SCORERS);
        assert!(problems.is_empty(), "{problems}");
    }
    suite
}

/// Whether saying something and calling nothing is right, or right enough.
fn passed_by_doing_nothing(case: &Case) -> bool {
    let nothing = |calls: &[ExpectedCall]| calls.is_empty();
    let expectation = &case.expectation;
    if let Some(tools) = expectation.answer.as_ref().and_then(|answer| answer.tools.as_ref()) {
        return tools.is_empty();
    }
    expectation.calls.as_deref().is_none_or(nothing)
        || expectation.alternatives.iter().any(|alternative| nothing(&alternative.calls))
}

#[test]
fn every_shipped_suite_checks_clean_and_has_a_low_floor() {
    let mut seen = 0;
    for entry in fs::read_dir("../../suites").unwrap() {
        let path = entry.unwrap().path();
        if !path.join("suite.yaml").is_file() {
            continue;
        }
        let suite = clean(&SuiteSource::Path(path.clone()));
        assert_eq!(path.file_name().unwrap().to_str().unwrap(), suite.name);
        assert!(path.join("README.md").is_file(), "`{}` has no README.md", suite.name);
        let floor = suite.cases.iter().filter(|case| passed_by_doing_nothing(case)).count();
        assert!(floor * 5 < suite.cases.len(), "{floor} of {}", suite.cases.len());
        seen += 1;
    }
    assert!(seen > 0, "no suite was found");
}

#[test]
fn the_everyday_suite_covers_what_it_says() {
    let suite = clean(&SuiteSource::Path(Path::new("../../suites/everyday").into()));
    assert_eq!(suite.tools.len(), 12);
    assert!(suite.cases.len() >= 40);
    for tag in ["domain", "difficulty", "kind"] {
        assert!(suite.cases.iter().all(|case| case.tags.contains_key(tag)), "{tag}");
    }
    let calls = |case: &Case| case.expectation.calls.iter().flatten().cloned().collect::<Vec<_>>();
    for tool in &suite.tools {
        let used = |case: &&std::sync::Arc<Case>| calls(case).iter().any(|c| c.name == tool.name);
        assert!(suite.cases.iter().any(|case| used(&case)), "`{}` is never expected", tool.name);
    }
    let prompt = render_system(&suite, None, None, &suite.tools).unwrap().unwrap();
    assert!(prompt.contains("It is Thursday, 12 March 2026, 14:30."), "{prompt}");
}

/// The messages of the everyday suite: what a case takes, and what it does not.
const MESSAGES: [(&str, &[&str], &[&str]); 4] = [
    (
        "message-late",
        &[
            "I'm running ten minutes late.",
            "Running late by about 10 mins, sorry!",
            "10 minute delay",
            "Don't worry, I'm just ten minutes late.",
            "Sorry, I can't make it on time but will be ten minutes late",
        ],
        &[
            "I'm running late.",
            "I'm not going to be ten minutes late",
            "I won’t be ten minutes late",
            "I'm running ten hours late",
            "I'm ten minutes early, not late",
        ],
    ),
    (
        "follow-up-move",
        &[
            "I'll be there at 1 instead",
            "Hi Ben, I'll be there at 1 PM tomorrow instead of 12:30.",
            "I can't make it at half past twelve but I'll be there at one instead",
            "I won't be there until one",
        ],
        &[
            "No one will be there",
            "I won't be there at one",
            "I cannot come at one",
            "I'll be there before one",
            "I have to cancel lunch at one",
        ],
    ),
    (
        "event-and-message",
        &[
            "Dinner on Saturday at 19:30",
            "Hi Carla,\nI booked dinner.\nSaturday 19:30",
            "Dinner is booked for Saturday, 14 March. Let me know if you can't make it.",
            "Can't wait to have dinner on Saturday at 7:30!",
        ],
        &[
            "See you Saturday",
            "Dinner on Sunday at 19:30",
            "Dinner on Saturday is cancelled",
            "I'm not coming to dinner on Saturday",
            "Dinner on Saturday will not take place",
        ],
    ),
    (
        "same-message-twice",
        &[
            "The party is moved to Sunday.",
            "Change of plans: the party is on Sunday",
            "The party will be on Sunday instead of Saturday",
            "The party isn't on Saturday anymore, it's moved to Sunday.",
        ],
        &[
            "It's moved to Sunday",
            "No party on Sunday",
            "The party hasn't been moved to Sunday",
            "The party has been moved from Sunday to Monday",
            "The party on Sunday is cancelled",
        ],
    ),
];

#[test]
fn the_messages_of_the_everyday_suite_say_what_was_asked_and_do_not_deny_it() {
    let suite = clean(&SuiteSource::Path(Path::new("../../suites/everyday").into()));
    for (id, right, wrong) in MESSAGES {
        let case = suite.cases.iter().find(|case| case.id.as_str() == id).unwrap();
        let mut texts =
            case.expectation.calls.iter().flatten().filter_map(|call| call.arguments.get("text"));
        let Some(Pattern::Regex { regex, not: Some(not) }) = texts.next() else {
            panic!("`{id}` has no pair of expressions");
        };
        let (regex, not) = (Regex::new(regex).unwrap(), Regex::new(not).unwrap());
        for (texts, is_right) in [(right, true), (wrong, false)] {
            for text in texts {
                let is_taken = regex.is_match(text) && !not.is_match(text);
                assert_eq!(is_taken, is_right, "{id}: {text}");
            }
        }
    }
}

#[test]
fn the_property_manager_suite_covers_what_it_says() {
    let suite = clean(&SuiteSource::Path(Path::new("../../suites/property-manager").into()));
    let having = |tag: &str, value: &str| {
        suite.cases.iter().filter(|case| case.tags.get(tag).is_some_and(|v| v == value)).count()
    };
    assert!(suite.cases.len() >= 80);
    for category in [
        "property_info",
        "financials",
        "transactions",
        "aggregations",
        "documents",
        "formation",
        "governance",
        "compliance",
        "tax",
        "hybrid",
    ] {
        assert!(having("category", category) >= 7, "{category}");
    }
    let kinds = ["answerable", "unanswerable", "misleading"].map(|kind| having("kind", kind));
    assert_eq!(kinds.iter().sum::<usize>(), suite.cases.len());
    assert!(kinds[1] >= 8 && kinds[2] >= 6, "{kinds:?}");
    let levels = ["easy", "medium", "hard"].map(|level| having("difficulty", level));
    assert_eq!(levels.iter().sum::<usize>(), suite.cases.len());
    for case in &suite.cases {
        let answer = case.expectation.answer.as_ref().unwrap();
        let is_bare = answer.keywords.is_empty() || answer.proof.is_empty();
        assert!(!is_bare && answer.reference.is_some(), "`{}` is not complete", case.id);
    }
    let prompt = render_system(&suite, None, None, &suite.tools).unwrap().unwrap();
    assert!(prompt.contains("Today is Tuesday, March 31, 2026."), "{prompt}");
}

#[test]
fn the_suite_to_start_from_checks_clean_under_its_new_name() {
    let files = Starter::Calls.files("lamps");
    let own = |(name, text): (&str, String)| (name.to_owned(), text.into_bytes().into());
    let files: EmbeddedFiles = files.into_iter().map(own).collect();
    let suite = clean(&SuiteSource::embedded("lamps", files));
    assert_eq!(suite.name, "lamps");
    assert_eq!(suite.cases.len(), 7);
    assert_eq!(suite.variants.len(), 1);
}
