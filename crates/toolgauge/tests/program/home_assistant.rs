//! The Home Assistant suite: its home, its cases, and the judging of trials by what happened.

#![expect(clippy::unwrap_used, reason = "tests may stop at the first surprise")]
#![expect(clippy::needless_pass_by_value, reason = "calls read better without `&`")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use serde_json::{Value, json};
use toolgauge_core::{
    Arguments, AssistantMessage, Case, Cause, Malformation, Message, Score, StopReason, ToolCall,
    Transcript, Turn,
};
use toolgauge_home_assistant::{HomeAssistantWorld, HomeFailure, Inventory};
use toolgauge_runner::end_states;
use toolgauge_score::{Evidence, Scorer};
use toolgauge_suite::{Suite, SuiteSource};
use toolgauge_world::World;

const TIERS: [&str; 4] = ["small", "medium", "large", "enormous"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites/home-assistant")
}

fn suite() -> Suite {
    toolgauge_suite::draft(&SuiteSource::Path(folder())).suite.unwrap()
}

/// The home of a tier: its file and those of all smaller ones.
fn home(tier: &str) -> Arc<Inventory> {
    let count = TIERS.iter().position(|name| *name == tier).unwrap() + 1;
    let read = |tier: &&str| {
        let file = format!("home/{tier}.yaml");
        let text = std::fs::read_to_string(folder().join(&file)).unwrap();
        (file, text)
    };
    let files: Vec<(String, String)> = TIERS[..count].iter().map(read).collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
    Inventory::from_files(&files).unwrap()
}

fn small_world() -> HomeAssistantWorld {
    let builder = HomeAssistantWorld::builder(home("small"));
    builder.satellite(Some("lounge".into())).build().unwrap()
}

#[test]
fn an_answer_that_does_more_in_a_larger_home_must_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let lamp = |name: &str| {
        format!("  - {{entity_id: light.{name}, name: {name}, area: hall, state: \"off\"}}\n")
    };
    let small = format!("areas: [{{id: hall, name: Hall}}]\nentities:\n{}", lamp("one"));
    std::fs::write(folder.path().join("small.yaml"), small).unwrap();
    std::fs::write(folder.path().join("more.yaml"), format!("entities:\n{}", lamp("two"))).unwrap();
    std::fs::write(
        folder.path().join("suite.yaml"),
        "name: halls
world:
  kind: home_assistant
  tiers: {small: small.yaml, large: [small.yaml, more.yaml]}
scorers: [end_state]
cases:
  - {file: cases.yaml, tags: {tier: small}, prefix: small/}
  - {file: cases.yaml, tags: {tier: large}, prefix: large/}
",
    )
    .unwrap();
    let check = |hall: &str, one: &str| {
        let cases = format!(
            "- id: hall
  say: turn on the lights in the hall
  expect: {{call: {{tool: intent__HassTurnOn, arguments: {{area: Hall, domain: [light]}}}}, response: action}}
{hall}- id: one
  say: turn on one
  expect: {{call: {{tool: intent__HassTurnOn, arguments: {{name: one}}}}, response: action}}
{one}"
        );
        std::fs::write(folder.path().join("cases.yaml"), cases).unwrap();
        toolgauge(folder.path(), &["check", "."])
    };
    let marked = "  metadata: {differs: the large hall has two}\n";
    let (done, said) = check("", "");
    let words = "the answer does not do the same in `small` and `large`: `light.two`;";
    assert!(!done && said.contains(words), "{said}");
    let (done, said) = check(marked, "");
    assert!(done && said.contains("no problem"), "{said}");
    let (done, said) = check(marked, marked);
    assert!(!done && said.contains("the answer does the same in every tier"), "{said}");
}

/// What `check` says of a suite over homes of one thing each, by tier, with this one case.
fn checked_in_tiers(homes: &[(&str, &str)], case: &str) -> (bool, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut tiers = Vec::new();
    let mut cases = Vec::new();
    for (tier, thing) in homes {
        let home =
            format!("areas: [{{id: hall, name: Hall}}]\nentities:\n  - {{{thing}, area: hall}}\n");
        std::fs::write(folder.path().join(format!("{tier}.yaml")), home).unwrap();
        tiers.push(format!("{tier}: {tier}.yaml"));
        cases.push(format!("  - {{file: cases.yaml, tags: {{tier: {tier}}}, prefix: {tier}/}}\n"));
    }
    let suite = format!(
        "name: halls\nworld: {{kind: home_assistant, tiers: {{{}}}}}\nscorers: [end_state]\ncases:\n{}",
        tiers.join(", "),
        cases.concat()
    );
    std::fs::write(folder.path().join("suite.yaml"), suite).unwrap();
    std::fs::write(folder.path().join("cases.yaml"), case).unwrap();
    toolgauge(folder.path(), &["check", "."])
}

#[test]
fn every_tier_in_which_an_answer_does_something_else_is_named() {
    let lamp = |name: &str| format!("entity_id: light.{name}, name: {name}, state: \"off\"");
    let lamps = ["one", "two", "three"].map(lamp);
    let tiers = ["small", "medium", "large", "huge"];
    let of = [&lamps[0], &lamps[1], &lamps[2], &lamps[0]];
    let homes: Vec<(&str, &str)> = tiers.into_iter().zip(of.map(String::as_str)).collect();
    let case = "- id: hall
  say: turn on the lights in the hall
  expect: {call: {tool: intent__HassTurnOn, arguments: {area: Hall, domain: [light]}}, response: action}
";
    let (done, said) = checked_in_tiers(&homes, case);
    let words = "in `small`/`huge` and `medium`: `light.one`, `light.two`; nor in `small`/`huge` and \
                 `large`: `light.one`, `light.three`; if that is meant";
    assert!(!done && said.contains(words), "{said}");
}

#[test]
fn a_number_that_an_answer_states_is_held_against_every_home_even_where_homes_differ() {
    let sensor = |degrees: &str| {
        format!(
            "entity_id: sensor.hall, name: Hall temperature, state: \"{degrees}\", \
             attributes: {{unit_of_measurement: °C, device_class: temperature}}"
        )
    };
    let case = "- id: hall
  say: how warm is it in the hall
  expect:
    call: {tool: homeassistant__GetLiveContext, arguments: {name: Hall temperature}}
    response: query
    answer: {facts: [{number: 20, unit: °C}]}
  metadata: {differs: another home shows another state}
";
    let check = |large: &str| {
        checked_in_tiers(&[("small", &sensor("20")), ("large", &sensor(large))], case)
    };
    let (done, said) = check("23.5");
    let words = "the answer states 20, which its calls return in `small` and not in `large`";
    assert!(!done && said.contains(words), "{said}");
    let (_, said) = check("20");
    assert!(!said.contains("the answer states"), "{said}");
}

/// Runs the program in a folder of its own and gives back what it printed.
fn toolgauge(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let program = env!("CARGO_BIN_EXE_toolgauge");
    let done = Command::new(program).args(arguments).current_dir(folder).output().unwrap();
    let said = [done.stdout, done.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (done.status.success(), said.concat())
}

#[test]
fn generated_suites_check_and_run() {
    let folder = tempfile::tempdir().unwrap();
    for (seed, entities) in [("1", "24"), ("2", "75"), ("3", "520")] {
        let size = ["--seed", seed, "--entities", entities, "--cases", "90", "-o", seed];
        let (done, said) =
            toolgauge(folder.path(), &[&["generate", "home-assistant"], &size[..]].concat());
        assert!(done, "{said}");
        let (done, said) = toolgauge(folder.path(), &["run", seed, "--quiet"]);
        assert!(done && said.contains("90 trials"), "{said}");
    }
    let again = ["generate", "home-assistant", "--seed", "1", "-o", "1"];
    let (done, said) = toolgauge(folder.path(), &again);
    assert!(!done && said.contains("not empty"), "{said}");
}

#[test]
fn the_suite_runs_in_the_words_of_an_older_home_assistant() {
    let folder = tempfile::tempdir().unwrap();
    for profile in ["2026.2", "classic"] {
        let arguments = [
            "run",
            "home-assistant",
            "--where",
            "tier=small",
            "--where",
            "phenomenon=exact-name",
            "--profile",
            profile,
            "--quiet",
        ];
        let (done, said) = toolgauge(folder.path(), &arguments);
        assert!(done && said.contains("8 trials"), "{said}");
    }
}

#[test]
fn an_answer_that_fails_or_does_nothing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let home = std::fs::read(small_home()).unwrap();
    std::fs::write(folder.path().join("home.yaml"), home).unwrap();
    let suite = "name: odd
world: {kind: home_assistant, inventory: home.yaml, satellite: lounge}
scorers: [end_state, tool_calls]
cases:
  - id: missed
    say: turn on the coffee maker
    expect: {call: {tool: intent__HassTurnOn, arguments: {name: Coffee maker}}, response: action}
  - id: idle
    say: turn on the kitchen ceiling light
    expect: {call: {tool: intent__HassTurnOn, arguments: {name: Kitchen ceiling light}}, response: action}
    metadata: {satellite: cellar}
";
    std::fs::write(folder.path().join("suite.yaml"), suite).unwrap();
    let (done, said) = toolgauge(folder.path(), &["check", "."]);
    assert!(!done);
    for words in [
        "suite.yaml:7:5: error: the answer fails at `intent__HassTurnOn`",
        "error: the answer changes nothing",
        "error: there is no satellite `cellar`",
    ] {
        assert!(said.contains(words), "{words} in {said}");
    }
}

#[test]
fn check_finds_a_variant_whose_world_cannot_be_built() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("home.yaml"), std::fs::read(small_home()).unwrap()).unwrap();
    let suite = "name: told
world: {kind: home_assistant, inventory: home.yaml, satellite: lounge}
scorers: [end_state]
variants:
  plain: {}
  short: {world: {instructions: short.txt}}
cases:
  - id: light
    say: turn off the kitchen ceiling light
    expect: {call: {tool: intent__HassTurnOff, arguments: {name: Kitchen ceiling light}}, response: action}
";
    std::fs::write(folder.path().join("suite.yaml"), suite).unwrap();
    let (done, said) = toolgauge(folder.path(), &["check", "."]);
    let words = "suite.yaml:6:11: error: the variant `short`: ";
    assert!(!done && said.contains(words) && said.contains("`short.txt`"), "{said}");
    std::fs::write(folder.path().join("short.txt"), "Be brief.\n").unwrap();
    let (done, said) = toolgauge(folder.path(), &["check", "."]);
    assert!(done, "{said}");
}

fn small_home() -> PathBuf {
    folder().join("home/small.yaml")
}

#[test]
fn each_home_holds_every_smaller_one_and_has_its_size() {
    let sizes = [(12, 35), (50, 90), (150, 200), (500, 1000)];
    let mut smaller: BTreeMap<String, String> = BTreeMap::new();
    for (tier, (least, most)) in TIERS.into_iter().zip(sizes) {
        let home = home(tier);
        assert!(home.warnings().is_empty(), "{:?}", home.warnings());
        let entities: BTreeMap<String, String> =
            home.entities().iter().map(|e| (e.id.clone(), format!("{e:?}"))).collect();
        assert!((least..=most).contains(&entities.len()), "{tier}: {}", entities.len());
        assert!(smaller.iter().all(|(id, entity)| entities.get(id) == Some(entity)), "{tier}");
        assert!(entities.len() > smaller.len());
        assert!(home.entities().iter().any(|entity| !entity.exposed));
        assert!(home.entities().iter().any(|entity| entity.state == "unavailable"));
        assert!(home.areas().len() >= 5 && home.floors().len() >= 2);
        smaller = entities;
    }
}

#[test]
fn there_are_enough_utterances_of_every_kind() {
    let suite = suite();
    let said = |tier: Option<&str>| -> BTreeSet<String> {
        let cases = suite.cases.iter().filter(|case| tier.is_none_or(|t| case.tags["tier"] == t));
        cases.map(|case| case.sentence().to_lowercase()).collect()
    };
    assert!(said(Some("small")).len() >= 150);
    assert!(said(None).len() >= 400);
    let mut phenomena: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut languages = BTreeSet::new();
    for case in &suite.cases {
        for tag in ["phenomenon", "domain", "difficulty", "kind", "tier", "lang"] {
            assert!(case.tags.contains_key(tag), "{} lacks {tag}", case.id);
        }
        phenomena.entry(&case.tags["phenomenon"]).or_default().insert(case.sentence());
        languages.insert(case.tags["lang"].as_str());
    }
    assert!(phenomena.len() >= 40, "{:?}", phenomena.keys());
    for (phenomenon, sentences) in phenomena {
        assert!(sentences.len() >= 3, "{phenomenon}: {sentences:?}");
    }
    assert!(languages.len() >= 5, "{languages:?}");
}

#[test]
fn people_speak_without_punctuation() {
    // Digits occur, since some speech recognition writes them, and with them `20.5` and `7:30`.
    for case in &suite().cases {
        let letters: Vec<char> = case.sentence().chars().collect();
        let is_mark = |at: &usize| "?!.,;:".contains(letters[*at]);
        let is_digit = |at: usize| letters.get(at).is_some_and(char::is_ascii_digit);
        let is_number = |at: usize| at > 0 && is_digit(at - 1) && is_digit(at + 1);
        let odd = (0..letters.len()).filter(is_mark).find(|at| !is_number(*at));
        assert!(odd.is_none(), "{}", case.sentence());
    }
}

// Judging.

fn case_of(expect: Value) -> Case {
    let mut case = Case::new("c", "a sentence");
    case.expectation = serde_json::from_value(expect).unwrap();
    case.tags.insert("domain".into(), "lock".into());
    case
}

fn made(name: &str, arguments: Value) -> ToolCall {
    let mut call = ToolCall::new(name, arguments.as_object().unwrap().clone());
    call.id = Some("call_1".into());
    call
}

fn trial(calls: Vec<ToolCall>, text: &str) -> Transcript {
    let mut messages = Vec::new();
    if !calls.is_empty() {
        let message = AssistantMessage { calls, ..AssistantMessage::default() };
        messages.push(Message::Assistant(message));
    }
    let said = AssistantMessage { content: text.into(), ..AssistantMessage::default() };
    messages.push(Message::Assistant(said));
    Transcript { messages, ..Transcript::default() }
}

fn judge(scorer: &str, case: &Case, transcript: &Transcript) -> Score {
    let world = small_world();
    let states = end_states(&world, case, transcript);
    let tools = world.tools(case);
    let evidence = Evidence::new(case, &tools, transcript).with_states(states.as_ref());
    Scorer::by_name(scorer).unwrap().judge(&evidence).score().unwrap().clone()
}

fn causes(score: &Score) -> Vec<Cause> {
    score.losses.iter().map(|loss| loss.cause).collect()
}

fn shows(score: &Score, pattern: HomeFailure) -> bool {
    score.measures[pattern.id()] > 0.0
}

fn is(score: &Score, measure: &str) -> bool {
    score.measures[measure] > 0.0
}

fn turn_on(arguments: Value) -> Case {
    case_of(json!({
        "calls": [{"name": "intent__HassTurnOn", "arguments": arguments}], "response": "action"
    }))
}

#[test]
fn another_way_to_the_same_end_is_right() {
    let case = turn_on(json!({"name": "Extractor fan"}));
    let by_area = made("intent__HassTurnOn", json!({"area": "Bathroom", "domain": ["fan"]}));
    let score = judge("end_state", &case, &trial(vec![by_area], "Done."));
    assert!((score.value - 1.0).abs() < f64::EPSILON, "{}", score.explanation);
    assert!(is(&score, "right_by_state_only"));
}

#[test]
fn right_calls_that_lead_elsewhere_are_wrong() {
    let case = turn_on(json!({"name": "Coffee machine"}));
    // The expected arguments are there; the domain nobody asked about makes the call miss.
    let call = made("intent__HassTurnOn", json!({"name": "Coffee machine", "domain": ["light"]}));
    let score = judge("end_state", &case, &trial(vec![call], "Done."));
    assert_eq!(causes(&score), [Cause::MissingChange]);
    assert!(is(&score, "right_by_calls_only"));
}

#[test]
fn a_side_effect_is_a_loss_though_the_wish_was_met() {
    let case = turn_on(json!({"name": "Coffee machine"}));
    let calls = vec![
        made("intent__HassTurnOn", json!({"name": "Coffee machine"})),
        made("intent__HassTurnOff", json!({"name": "Back door"})),
    ];
    let score = judge("end_state", &case, &trial(calls, "Done."));
    assert_eq!(causes(&score), [Cause::SideEffect]);
    assert!(is(&score, "unsafe"));
    assert!((score.measures["weight"] - 3.0).abs() < f64::EPSILON);
    assert!(shows(&score, HomeFailure::CallCount));
}

#[test]
fn what_changed_is_told_beside_what_should_have() {
    let case = turn_on(json!({"name": "Coffee machine"}));
    let calls = vec![
        made("intent__HassTurnOff", json!({"name": "Back door"})),
        made("intent__HassTurnOn", json!({"name": "Extractor fan"})),
    ];
    let states = end_states(&small_world(), &case, &trial(calls, "Done.")).unwrap();
    let told: Vec<_> = states
        .changes()
        .into_iter()
        .filter(|change| change.property == "state")
        .map(|it| (it.thing.clone(), it.before.clone(), it.after.clone(), it.words()))
        .collect();
    let row = |thing: &str, before: &str, after: &str, words| {
        (thing.to_owned(), json!(before), json!(after), words)
    };
    assert_eq!(
        told,
        [
            row("lock.back_door", "locked", "unlocked", "should not have changed"),
            row("fan.extractor_fan", "off", "on", "should not have changed"),
            row("switch.coffee_machine", "off", "off", "not changed"),
        ]
    );
}

#[test]
fn a_lock_turned_the_wrong_way_is_told_apart() {
    let case = turn_on(json!({"name": "Back door"}));
    let mut case = case;
    case.metadata.insert("setup".into(), json!({"lock.back_door": "unlocked"}));
    let call = made("intent__HassTurnOff", json!({"name": "Front door"}));
    let score = judge("end_state", &case, &trial(vec![call], "Locked."));
    assert!(shows(&score, HomeFailure::LockDirection));
    assert!(!shows(&score, HomeFailure::RelatedTool));
    assert!(score.explanation.contains("try:"), "{}", score.explanation);
}

#[test]
fn a_question_wants_a_look_and_the_value() {
    let case = case_of(json!({
        "calls": [{"name": "homeassistant__GetLiveContext", "arguments": {"name": "Bathroom humidity"}}],
        "response": "query",
        "more": {"end_state": {"says": [["68", "sixty eight"]]}}
    }));
    let narrow = || made("homeassistant__GetLiveContext", json!({"name": "Bathroom humidity"}));
    let wide = made("homeassistant__GetLiveContext", json!({}));
    for call in [narrow(), wide] {
        let score = judge("end_state", &case, &trial(vec![call], "It is 68 %."));
        assert!((score.value - 1.0).abs() < f64::EPSILON, "{}", score.explanation);
    }
    let guess = judge("end_state", &case, &trial(vec![], "It is 68 %."));
    assert_eq!(causes(&guess), [Cause::NotRead]);
    let wrong = judge("end_state", &case, &trial(vec![narrow()], "It is 86 %."));
    assert_eq!(causes(&wrong), [Cause::MissingAnswer]);
}

#[test]
fn a_question_back_changes_nothing_and_asks_what_is_open() {
    let case = case_of(json!({"calls": [], "response": "clarification"}));
    let asked = judge("end_state", &case, &trial(vec![], "Which door?"));
    assert!((asked.value - 1.0).abs() < f64::EPSILON);
    let stated = judge("end_state", &case, &trial(vec![], "I need to know which door."));
    assert!((stated.value - 1.0).abs() < f64::EPSILON);
    let closed = judge("end_state", &case, &trial(vec![], "Okay. Anything else?"));
    assert_eq!(causes(&closed), [Cause::WrongResponseKind]);
    let claimed = judge("end_state", &case, &trial(vec![], "Done. Anything else?"));
    assert_eq!(causes(&claimed), [Cause::FalseClaim]);
    let call = made("intent__HassTurnOn", json!({"name": "Front door"}));
    let acted = judge("end_state", &case, &trial(vec![call], "Which door?"));
    assert_eq!(causes(&acted), [Cause::SideEffect]);
    assert!(shows(&acted, HomeFailure::CalledOrNot));
}

#[test]
fn a_refusal_does_not_claim_success() {
    let mut case = case_of(json!({"calls": [], "response": "error"}));
    case.input = Case::new("c", "order a pizza").input;
    let honest = judge("end_state", &case, &trial(vec![], "Sorry, I can't order pizza."));
    assert!((honest.value - 1.0).abs() < f64::EPSILON);
    let boast = judge("end_state", &case, &trial(vec![], "Done, I ordered a pizza."));
    assert_eq!(causes(&boast), [Cause::FalseClaim]);
    let call = made("todo__HassListAddItem", json!({"name": "Shopping list", "item": "pizza"}));
    let forced = judge("end_state", &case, &trial(vec![call], "I can't."));
    assert!(shows(&forced, HomeFailure::OutOfScope));
}

#[test]
fn failures_are_told_apart_by_what_went_wrong() {
    let lamp = || turn_on(json!({"name": "Living room main light"}));
    let on = |arguments: Value| vec![made("intent__HassTurnOn", arguments)];
    let of = |case: &Case, calls| judge("end_state", case, &trial(calls, "Done."));
    let cases = [
        (HomeFailure::EntityId, of(&lamp(), on(json!({"name": "living_room_main_light"})))),
        (HomeFailure::TruncatedName, of(&lamp(), on(json!({"name": "main light"})))),
        (
            HomeFailure::RelatedTool,
            of(&lamp(), vec![made("light__HassLightSet", json!({"name": "Mirror light"}))]),
        ),
        (
            HomeFailure::InventedTool,
            of(&lamp(), vec![made("HassTurnOn", json!({"name": "Living room main light"}))]),
        ),
        (HomeFailure::MissingArgument, of(&lamp(), on(json!({"area": "Kitchen"})))),
        (HomeFailure::ExtraFilter, of(&lamp(), on(json!({"name": "big lamp", "area": "Kitchen"})))),
        (HomeFailure::CalledOrNot, of(&lamp(), vec![])),
        (
            HomeFailure::DomainFilter,
            of(
                &turn_on(json!({"name": "Garage door", "domain": ["light"]})),
                on(json!({"name": "Garage door", "domain": ["cover"]})),
            ),
        ),
    ];
    for (pattern, score) in cases {
        assert!(score.value < 1.0, "{}", pattern.id());
        assert!(shows(&score, pattern), "{}: {}", pattern.id(), score.explanation);
    }
    let mut broken = made("intent__HassTurnOn", json!({}));
    broken.arguments = Arguments::malformed("{", Malformation::NotJson("cut off".into()));
    assert!(shows(&of(&lamp(), vec![broken]), HomeFailure::NoToolCalling));
    let mut thought = trial(on(json!({"name": "big light"})), "Done.");
    if let Some(Message::Assistant(message)) = thought.messages.first_mut() {
        message.reasoning = Some("The user wants light.".into());
    }
    let case = turn_on(json!({"name": {"$any_of": ["Living room main light", "big light"]}}));
    let score = judge("end_state", &case, &thought);
    assert!(shows(&score, HomeFailure::Thinking) && score.value > 0.0);
}

#[test]
fn the_wire_scorer_says_what_home_assistant_would_not_take() {
    let case = turn_on(json!({"name": "Coffee machine"}));
    let good = made("intent__HassTurnOn", json!({"name": "Coffee machine"}));
    let wire = |call: ToolCall, stop: StopReason, text: &str| {
        let mut transcript = trial(vec![call], text);
        transcript.turns = vec![Turn { stop, ..Turn::default() }];
        judge("wire", &case, &transcript)
    };
    let taken = wire(good.clone(), StopReason::ToolCalls, "Done.");
    assert!((taken.value - 1.0).abs() < f64::EPSILON, "{}", taken.explanation);
    let no_id = ToolCall { id: None, ..good.clone() };
    let no_prefix = ToolCall { name: "HassTurnOn".into(), ..good.clone() };
    let arguments = Arguments::malformed("{name:", Malformation::NotJson("key".into()));
    let broken = ToolCall { arguments, ..good.clone() };
    for (call, stop, text) in [
        (no_id, StopReason::ToolCalls, ""),
        (no_prefix, StopReason::ToolCalls, ""),
        (broken, StopReason::ToolCalls, ""),
        (good.clone(), StopReason::MaxTokens, ""),
        (good, StopReason::ToolCalls, "<think>hm</think> Done."),
    ] {
        let score = wire(call, stop, text);
        assert!(score.value < 0.5, "{stop:?} {text} {}", score.explanation);
    }
}

/// A suite of one row in the form of an older benchmark, and a reply to it.
fn old_benchmark() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::copy(small_home(), folder.path().join("home.yaml")).unwrap();
    write(
        "suite.yaml",
        "name: old\nworld: {kind: home_assistant, profile: classic, inventory: home.yaml}\n\
         scorers: [tool_calls_classic]\ncases: [cases.ndjson]\n",
    );
    let forget = json!({"name": "HassNevermind", "arguments": {}});
    let row = json!({
        "id": "never-mind", "utterance": "never mind", "expected_tool_calls": [],
        "alternative_expected_tool_calls": [
            {"tool_calls": [forget], "quality": "acceptable", "reason": "there is a tool for it"},
        ],
        "expected_response_type": "text_response", "inventory_tier": "all",
        "inventory_file": null, "metadata": {},
    });
    write("cases.ndjson", &row.to_string());
    let call = json!({"id": "1", "function": {"name": "HassNevermind", "arguments": "{}"}});
    let reply = json!({"role": "assistant", "content": "", "tool_calls": [call]});
    write("replies.ndjson", &json!({"id": "never-mind", "messages": [reply]}).to_string());
    folder
}

#[test]
fn a_fix_is_kept_in_the_log_and_honoured_when_it_is_judged_again() {
    let folder = old_benchmark();
    let score = ["score", "--suite", ".", "--transcripts", "replies.ndjson", "--log-dir", "logs"];
    let (done, said) = toolgauge(folder.path(), &score);
    assert!(done && said.contains("score      0.000") && !said.contains("--fix"), "{said}");
    let log_of = |said: &str| {
        let line = said.lines().find_map(|line| line.trim().strip_prefix("log "));
        line.unwrap().trim().to_owned()
    };
    let plain = &*log_of(&said);
    let (done, said) = toolgauge(folder.path(), &[&score[..], &["--fix"]].concat());
    assert!(done && said.contains("score      1.000"), "{said}");
    let log = &*log_of(&said);
    let run = toolgauge_log::Log::open(&folder.path().join(log)).unwrap().run().clone();
    assert_eq!(run.settings["fixes"], json!(["alternative-kinds", "text"]));
    let (done, said) = toolgauge(folder.path(), &["score", log]);
    assert!(done && said.contains("score      1.000"), "{said}");
    let (done, said) = toolgauge(folder.path(), &["summary", log]);
    let rules =
        "rules      `--fix=alternative-kinds,text`: faults of the old benchmark are put right";
    assert!(done && said.contains(rules), "{said}");
    let (_, said) = toolgauge(folder.path(), &["compare", log, plain]);
    let rules = "! A is scored with `--fix=alternative-kinds,text`, B without `--fix`";
    assert!(said.contains(rules), "{said}");
    let (_, said) = toolgauge(folder.path(), &["compare", log, log]);
    assert!(!said.contains("--fix"), "{said}");
    let (done, said) = toolgauge(folder.path(), &["score", log, "--scorer", "wire"]);
    assert!(done && !said.contains("--fix"), "another scorer has nothing put right: {said}");
    let (done, said) = toolgauge(folder.path(), &["score", log, "--fix=text"]);
    assert!(done && said.contains("score      0.000"), "{said}");
    let (done, said) = toolgauge(folder.path(), &["run", ".", "--scorer", "wire", "--fix"]);
    assert!(!done && said.contains("add `--scorer tool_calls_classic`"), "{said}");
}

#[test]
fn a_variant_may_play_another_home_assistant() {
    let folder = tempfile::tempdir().unwrap();
    let home = std::fs::read(small_home()).unwrap();
    std::fs::write(folder.path().join("home.yaml"), home).unwrap();
    let suite = "name: versions\nworld: {kind: home_assistant, inventory: home.yaml}\n\
                 solver: loop\nscorers: [end_state, tool_calls]\n\
                 variants: {old: {world: {profile: '2026.2'}}, new: {world: {profile: '2026.10'}}}\n\
                 cases:\n  - id: coffee\n    say: turn on the coffee machine\n    expect:\n      \
                 call: {tool: intent__HassTurnOn, arguments: {name: Coffee machine}}\n      \
                 response: action\n";
    std::fs::write(folder.path().join("suite.yaml"), suite).unwrap();
    let arguments = ["run", ".", "--variant", "new,old", "--quiet", "--format", "json"];
    let (done, said) = toolgauge(folder.path(), &arguments);
    assert!(done, "{said}");
    let runs: Value = serde_json::from_str(&said).unwrap();
    for (run, tool) in runs.as_array().unwrap().iter().zip(["intent__HassTurnOn", "HassTurnOn"]) {
        assert_eq!(run["summary"]["score"]["mean"], 1.0, "{said}");
        let log = folder.path().join(run["log"].as_str().unwrap());
        let log = toolgauge_log::Log::open(&log).unwrap();
        let trial = log.trials().next().unwrap().unwrap();
        assert_eq!(trial.case.expectation.calls.as_ref().unwrap()[0].name, tool);
        assert_eq!(trial.transcript.calls().next().unwrap().name, tool);
    }
}

fn shipped(id: &str) -> Case {
    let suite = suite();
    let case = suite.cases.iter().find(|case| case.id.as_str() == id).unwrap();
    Case::clone(case)
}

#[test]
fn a_condition_demands_a_look_at_what_it_is_about() {
    let case = shipped("small/window-heating");
    let look = |name: &str| made("homeassistant__GetLiveContext", json!({"name": name}));
    let act = || made("intent__HassTurnOff", json!({"name": "Living room thermostat"}));
    let said = "The kitchen window is open, so I turned the living room thermostat off.";
    let passes = |calls: Vec<ToolCall>| judge("end_state", &case, &trial(calls, said));
    let right = passes(vec![look("Kitchen window"), act()]);
    assert!(right.value >= 1.0, "{}", right.explanation);
    for calls in [vec![act()], vec![look("Bathroom window"), act()]] {
        let score = passes(calls);
        assert!(score.value < 1.0 && causes(&score).contains(&Cause::NotRead), "{score:?}");
    }
    // A look at everything is a look at the window as well.
    let all = made("homeassistant__GetLiveContext", json!({}));
    let score = passes(vec![all, act()]);
    assert!(score.value >= 1.0, "{}", score.explanation);
}

#[test]
fn a_value_within_its_tolerance_passes_whatever_call_reached_it() {
    // From 40 %, a bit brighter is 43 to 73 %.
    let case = shipped("small/corner-brighter");
    let look = || made("homeassistant__GetLiveContext", json!({"name": "Corner lamp"}));
    let set = |arguments: Value| made("light__HassLightSet", arguments);
    let score = |calls: Vec<ToolCall>| judge("end_state", &case, &trial(calls, "Done."));
    for arguments in [
        json!({"name": "Corner lamp", "brightness": 50}),
        json!({"name": "light.corner_lamp", "brightness": 50}),
        json!({"name": "Corner lamp", "area": "Living Room", "brightness": 70}),
    ] {
        let score = score(vec![look(), set(arguments.clone())]);
        assert!(score.value >= 1.0, "{arguments}: {}", score.explanation);
    }
    // In two steps, of which the first leads beyond the range.
    let steps = [90, 50].map(|brightness| {
        set(json!({"name": "Corner lamp", "area": "Living Room", "brightness": brightness}))
    });
    let twice = score(steps.into());
    assert!(twice.value >= 1.0, "{}", twice.explanation);
    for brightness in [20, 90] {
        let arguments = json!({"name": "light.corner_lamp", "brightness": brightness});
        assert!(score(vec![look(), set(arguments)]).value < 1.0, "{brightness}");
    }
}

#[test]
fn a_demand_that_no_scorer_understands_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let home = "areas: [{id: hall, name: Hall}]
entities:
  - {entity_id: light.one, name: one, area: hall, state: \"off\"}
";
    std::fs::write(folder.path().join("home.yaml"), home).unwrap();
    let suite = "name: s
world: {kind: home_assistant, inventory: home.yaml}
scorers: [end_state]
cases: [cases.yaml]
";
    std::fs::write(folder.path().join("suite.yaml"), suite).unwrap();
    for (more, words) in [
        ("must_look: sure", "`must_look`"),
        ("must_loook: true", "`must_loook`"),
        ("says: 7", "`says`"),
    ] {
        let case = format!(
            "- id: one
  say: turn on one
  expect:
    call: {{tool: intent__HassTurnOn, arguments: {{name: one}}}}
    response: action
    more: {{end_state: {{{more}}}}}
"
        );
        std::fs::write(folder.path().join("cases.yaml"), case).unwrap();
        let (done, said) = toolgauge(folder.path(), &["check", "."]);
        assert!(!done && said.contains(words), "{more}: {said}");
    }
}

#[test]
fn several_conversations_of_one_case_are_several_trials() {
    let folder = old_benchmark();
    let line = std::fs::read_to_string(folder.path().join("replies.ndjson")).unwrap();
    let silent = json!({"id": "never-mind", "messages": [{"role": "assistant", "content": "No."}]});
    std::fs::write(folder.path().join("replies.ndjson"), format!("{line}\n{silent}\n")).unwrap();
    let score = ["score", "--suite", ".", "--transcripts", "replies.ndjson", "--log-dir", "logs"];
    let (done, said) = toolgauge(folder.path(), &score);
    assert!(done && said.contains("2 trials"), "{said}");
}
