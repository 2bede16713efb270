//! Suites for somebody's own home.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;
use toolgauge_home_assistant::Inventory;
use toolgauge_home_assistant::generate::{HomeSuite, HomeSuiteRequest, suite_for_home};

use super::homes::{home, recorded};

fn suite(inventory: &Arc<Inventory>, sentences: Option<&str>) -> HomeSuite {
    exposing(inventory, sentences, &[])
}

fn exposing(inventory: &Arc<Inventory>, sentences: Option<&str>, exposures: &[usize]) -> HomeSuite {
    let request = HomeSuiteRequest { name: "my-home", seed: 3, cases: 80, exposures, sentences };
    suite_for_home(inventory, &request).unwrap()
}

fn cases(suite: &HomeSuite) -> Vec<Value> {
    let text = &suite.files.iter().find(|(name, _)| *name == "cases.yaml").unwrap().1;
    let lines = text.lines().filter_map(|line| line.strip_prefix("- "));
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn page(suite: &HomeSuite) -> String {
    suite.files.iter().find(|(name, _)| *name == "sentences.yaml").unwrap().1.clone()
}

fn tags(cases: &[Value], key: &str) -> BTreeSet<String> {
    cases.iter().map(|case| case["tags"][key].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_home_gives_cases_of_every_difficulty_and_many_domains() {
    let made = suite(&recorded(), None);
    let cases = cases(&made);
    assert!(cases.len() > 40, "{}", cases.len());
    assert_eq!(tags(&cases, "difficulty"), ["easy", "hard", "medium"].map(str::to_owned).into());
    let domains = tags(&cases, "domain");
    assert!(domains.len() >= 6, "{domains:?}");
    let said: BTreeSet<&str> = cases.iter().map(|case| case["say"].as_str().unwrap()).collect();
    assert_eq!(said.len(), cases.len(), "nothing is said twice");
}

#[test]
fn a_tiny_home_gives_what_it_has() {
    let tiny = home("entities: [{entity_id: switch.kettle, name: Kettle, state: 'off'}]");
    let made = suite(&tiny, None);
    assert!(made.cases > 5 && made.cases < 80, "{}", made.cases);
    let all = format!("{:?}", cases(&made));
    assert!(all.contains("kettle") && !all.contains("pantry"), "{all}");
}

#[test]
fn a_name_that_two_things_have_is_not_asked_for_by_itself() {
    let twins = home(
        "areas: [{name: Hall}, {name: Attic}]\nentities:\n\
         - {entity_id: light.a, name: Lamp, area: Hall, state: 'off'}\n\
         - {entity_id: light.b, name: Lamp, area: Attic, state: 'off'}\n\
         - {entity_id: light.c, name: Attic, area: Attic, state: 'off'}\n",
    );
    for case in cases(&suite(&twins, None)) {
        for call in case["expect"]["calls"].as_array().into_iter().flatten() {
            let arguments = &call["arguments"];
            assert!(arguments["name"] != "Lamp" || arguments["area"] != Value::Null, "{case}");
            assert!(arguments["name"] != "Attic", "{case}");
        }
    }
}

#[test]
fn sentences_that_people_changed_are_kept() {
    let home = recorded();
    let first = suite(&home, None);
    let case = &cases(&first)[0];
    let (id, made) = (case["id"].as_str().unwrap(), case["say"].as_str().unwrap());
    let other = &cases(&first)[1];
    let quoted = |text: &str| format!("  say: {}", Value::from(text));
    let changed = page(&first).replacen(&quoted(made), &quoted("would you kindly"), 1).replacen(
        &quoted(other["say"].as_str().unwrap()),
        "  say: \"\"",
        1,
    );
    let changed = format!("{changed}- id: gone-99\n  made: old words\n  say: new words\n");
    let second = suite(&home, Some(&changed));
    assert_eq!((second.reworded, second.unused.as_slice()), (2, &["gone-99".to_owned()][..]));
    let cases = cases(&second);
    assert_eq!(cases.len(), first.cases - 1, "an empty sentence leaves its case out");
    let kept = cases.iter().find(|case| case["id"] == id).unwrap();
    assert_eq!(kept["say"], "would you kindly");
    // The page still tells both, so that the next suite keeps them too.
    let third = suite(&home, Some(&page(&second)));
    assert_eq!(third.reworded, 2);
    assert_eq!(third.cases, second.cases);
    // So are the words for a case that this suite does not have.
    assert_eq!(third.unused, ["gone-99"]);
    assert!(page(&third).contains("new words"));
}

#[test]
fn a_page_that_cannot_be_read_is_told_with_its_line() {
    let request = HomeSuiteRequest {
        name: "my-home",
        seed: 1,
        cases: 5,
        exposures: &[],
        sentences: Some("- id: a-1\n  say: hello\n"),
    };
    let told = suite_for_home(&recorded(), &request).unwrap_err().to_string();
    assert!(told.contains("sentences.yaml:1: a sentence has"), "{told}");
}

#[test]
fn cases_for_several_exposures_ask_for_nothing_that_one_of_them_hides() {
    let home = recorded();
    let (all, few) = (home.exposed_count(), home.exposing(12));
    let made = exposing(&home, None, &[12, 20, 9999]);
    let suite = &made.files.iter().find(|(name, _)| *name == "suite.yaml").unwrap().1;
    let variants = suite.split("variants:\n").nth(1).unwrap();
    let expected = [12, 20, all].map(|n| format!("  expose-{n}: {{world: {{expose: {n}}}}}\n"));
    assert_eq!(variants, expected.concat());
    assert!(made.cases > 10, "{}", made.cases);
    let hidden = home.entities().iter().filter(|entity| {
        entity.exposed && few.entity(&entity.id).is_some_and(|entity| !entity.exposed)
    });
    let hidden: BTreeSet<&str> =
        hidden.flat_map(|entity| &entity.names).map(String::as_str).collect();
    let known: BTreeSet<&str> = few
        .entities()
        .iter()
        .filter(|e| e.exposed)
        .flat_map(|e| &e.names)
        .map(String::as_str)
        .collect();
    for case in cases(&made) {
        for call in case["expect"]["calls"].as_array().into_iter().flatten() {
            let name = call["arguments"]["name"].as_str().unwrap_or_default();
            assert!(!hidden.contains(name) || known.contains(name), "{case}");
        }
    }
}
