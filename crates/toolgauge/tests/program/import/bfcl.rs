//! Results of the Berkeley Function Calling Leaderboard.

use toolgauge_core::{Measure, Message};

use super::Desk;

const DATA: &str = r#"{"id":"simple_python_0","question":[[{"role":"user","content":"What is the area of a triangle with base 10 and height 5?"}]],"function":[{"name":"geometry.area","description":"Area","parameters":{"type":"dict","properties":{"base":{"type":"integer"},"height":{"type":"float"},"unit":{"type":"string"}},"required":["base","height"]}}]}
{"id":"simple_python_1","question":[[{"role":"user","content":"Sort 3, 1 and 2."}]],"function":[{"name":"sort","description":"Sorts","parameters":{"type":"dict","properties":{"numbers":{"type":"array","items":{"type":"float"}}},"required":["numbers"]}}]}
{"id":"simple_python_2","question":[[{"role":"user","content":"Sort 3 and 1."}]],"function":[{"name":"sort","description":"Sorts","parameters":{"type":"dict","properties":{"list":{"type":"array","items":{"type":"integer"}}},"required":["list"]}}]}
"#;

const ANSWERS: &str = r#"{"id":"simple_python_0","ground_truth":[{"geometry.area":{"base":[10],"height":[5.0],"unit":["cm",""]}}]}
{"id":"simple_python_1","ground_truth":[{"sort":{"numbers":[[3.0,1.0,2.0]]}}]}
{"id":"simple_python_2","ground_truth":[{"sort":{"list":[[3,1]]}}]}
"#;

/// Right; wrong by BFCL, because whole numbers are no items of a list of floats; no answer.
const RESULTS: &str = r#"{"id":"simple_python_0","result":[{"geometry_area":"{\"base\": 10, \"height\": 5}"}],"input_token_count":190,"output_token_count":69,"latency":0.9}
{"id":"simple_python_1","result":[{"sort":"{\"numbers\": [3, 1, 2]}"}],"input_token_count":90,"output_token_count":9,"latency":0.5}
{"id":"simple_python_2","result":"Error during inference: 500","latency":0.1}
"#;

const SCORES: &str = r#"{"accuracy":0.3333333333333333,"correct_count":1,"total_count":3}
{"id":"simple_python_1","valid":false,"error":["Nested type checking failed"],"error_type":"type_error:nested"}
{"id":"simple_python_2","valid":false,"error":["Invalid syntax."],"error_type":"ast_decoder:decoder_failed"}
"#;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("data/BFCL_v4_simple_python.json", DATA);
    desk.put("data/possible_answer/BFCL_v4_simple_python.json", ANSWERS);
    desk.put("r/result/gpt/non_live/BFCL_v4_simple_python_result.json", RESULTS);
    desk.put("r/score/gpt/non_live/BFCL_v4_simple_python_score.json", SCORES);
    desk
}

#[test]
fn recorded_and_recomputed_verdicts_agree_and_stand_in_the_log() {
    let desk = desk();
    let said = desk.done(&["import", "r", "--data", "data", "-o", "a.eval"]);
    assert!(said.contains("recorded and recomputed `bfcl` differ in 0 of 3"), "{said}");
    assert!(said.starts_with("bfcl-v4 · gpt · r · 3 trials"), "{said}");
    let trials = desk.trials("a.eval");
    let first = &trials[0];
    assert_eq!(first.case.sentence(), "What is the area of a triangle with base 10 and height 5?");
    assert_eq!(first.case.tools.as_ref().unwrap()[0].name, "geometry_area");
    assert_eq!(first.transcript.calls().next().unwrap().name, "geometry_area");
    assert_eq!(first.transcript.usage().input, Some(190));
    let verdicts: Vec<_> = trials.iter().map(|trial| trial.outcomes["bfcl"].value()).collect();
    assert_eq!(verdicts, [Some(1.0), Some(0.0), Some(0.0)]);
    // A failure of the server is wrong to BFCL, and says nothing to toolgauge.
    assert_eq!(trials[2].outcomes["tool_calls"].value(), None);
    let names: Vec<_> =
        trials.iter().map(|trial| &trial.case.tools.as_ref().unwrap()[0].name).collect();
    assert_eq!(names[1], names[2], "two questions describe two functions of one name");
    assert_ne!(trials[1].case.tools, trials[2].case.tools);
}

#[test]
fn a_verdict_that_the_rule_does_not_give_is_counted_and_named() {
    let desk = desk();
    let wrong = SCORES.replace("simple_python_1", "simple_python_0");
    desk.put("r/score/gpt/non_live/BFCL_v4_simple_python_score.json", &wrong);
    let said = desk.done(&["import", "r", "--data", "data", "-o", "a.eval"]);
    assert!(said.contains("differ in 2 of 3"), "{said}");
    assert!(said.contains("simple_python_0#1, simple_python_1#1"), "{said}");
    let imported = &desk.trials("a.eval")[0];
    assert_eq!(imported.outcomes["bfcl"].value(), Some(0.0), "the recorded verdict counts");
    let said = desk.done(&["score", "a.eval", "--scorer", "bfcl", "--log-dir", "again"]);
    assert!(said.contains("differ in 2 of 3"), "{said}");
    let log = desk.logs("again").remove(0);
    let again = &desk.trials(log.to_str().unwrap())[0];
    let score = again.outcomes["bfcl"].score().unwrap();
    assert_eq!((score.value, score.measure(Measure::Recorded)), (1.0, Some(0.0)));
}

#[test]
fn without_the_questions_recorded_verdicts_can_still_be_compared() {
    let desk = desk();
    let said = desk.done(&["import", "r", "-o", "a.eval"]);
    assert!(said.contains("differ in 0 of 0; 3 recorded only"), "{said}");
    let right = RESULTS.replace("[3, 1, 2]", "[3.0, 1.0, 2.0]");
    desk.put("s/result/gpt/BFCL_v4_simple_python_result.json", &right);
    let scores: Vec<&str> = SCORES.lines().filter(|line| !line.contains("nested")).collect();
    desk.put("s/score/gpt/BFCL_v4_simple_python_score.json", &scores.join("\n"));
    desk.done(&["import", "s/result/gpt/BFCL_v4_simple_python_result.json", "-o", "b.eval"]);
    let compared = desk.done(&["compare", "a.eval", "b.eval"]);
    assert!(compared.contains("simple_python_1"), "{compared}");
}

#[test]
fn the_first_edition_counts_rows_and_finds_functions_by_part_of_a_name() {
    let desk = Desk::new();
    let name = "gorilla_openfunctions_v1_test_parallel_function";
    desk.put(
        &format!("data/{name}.json"),
        r#"{"id":"parallel_function_0","question":"Play both.","function":{"name":"spotify.play","description":"","parameters":{"type":"dict","properties":{"artist":{"type":"string"}},"required":["artist"]}}}"#,
    );
    desk.put(
        &format!("data/possible_answer/{name}.json"),
        r#"{"id":"parallel_function_0","ground_truth":{"spotify.play_1":{"artist":["Taylor Swift"]},"spotify.play_2":{"artist":["Maroon 5"]}}}"#,
    );
    let call = |artist: &str| format!(r#"{{"spotify_play":"{{\"artist\": \"{artist}\"}}"}}"#);
    let both = [call("maroon 5"), call("taylor-swift")].join(",");
    desk.put(
        &format!("result/gpt-FC/{name}_result.json"),
        &format!(r#"{{"id":"parallel_function_0","result":[{both}]}}"#),
    );
    let scores = r#"{"accuracy":1.0,"correct_count":1,"total_count":1}"#;
    desk.put("score/gpt-FC/parallel_function_score.json", scores);
    let said = desk.done(&["import", "result", "--data", "data", "-o", "a.eval"]);
    assert!(said.contains("recorded and recomputed `bfcl_v1` differ in 0 of 1"), "{said}");
    let calls = desk.trials("a.eval")[0].case.expectation.calls.clone().unwrap();
    assert_eq!(calls[0].name, "spotify_play");
}

#[test]
fn several_turns_are_recorded_only_and_say_why() {
    let desk = Desk::new();
    let name = "BFCL_v4_multi_turn_base";
    desk.put(
        &format!("data/{name}.json"),
        r#"{"id":"multi_turn_base_0","question":[[{"role":"user","content":"Make a folder."}],[{"role":"user","content":"List it."}]],"function":[]}"#,
    );
    desk.put(
        &format!("result/gpt/{name}_result.json"),
        r#"{"id":"multi_turn_base_0","result":[[[{"mkdir":"{\"name\": \"a\"}"}],"Done."],[[{"ls":"{}"}]]],"latency":[[1.0,0.5],[0.5]]}"#,
    );
    let score = r#"{"accuracy":0.0,"correct_count":0,"total_count":1}
{"id":"multi_turn_base_0","valid":false,"error":[],"error_type":"multi_turn:instance_state_mismatch"}"#;
    desk.put(&format!("score/gpt/{name}_score.json"), score);
    let said = desk.done(&["import", "result", "--data", "data", "-o", "a.eval"]);
    assert!(said.contains("differ in 0 of 0; 1 recorded only"), "{said}");
    let trial = &desk.trials("a.eval")[0];
    assert!(
        matches!(&trial.transcript.messages[2], Message::User { content } if content == "List it.")
    );
    let explanation = &trial.outcomes["bfcl"].score().unwrap().explanation;
    assert!(explanation.contains("instance_state_mismatch"), "{explanation}");
    assert_eq!(trial.transcript.turns[0].timings.total.as_secs(), 2);
}

#[test]
fn an_option_of_a_scorer_that_does_not_judge_is_refused() {
    let desk = desk();
    desk.done(&["import", "r", "--data", "data", "-o", "a.eval"]);
    let refused = |option: &str, scorer: &str| {
        let output = desk.toolgauge(&["score", "a.eval", "--scorer", scorer, "--option", option]);
        assert_eq!(output.status.code(), Some(2), "{option}");
        String::from_utf8(output.stderr).unwrap()
    };
    let said = refused("deepeval.mode=exact", "bfcl");
    assert!(said.contains("does not judge here, only `bfcl`"), "{said}");
    let said = refused("deepeval.mode=odd", "deepeval");
    assert!(said.contains("`mode` is one of: any, ordered, exact"), "{said}");
}

#[test]
fn a_dot_in_a_broken_name_does_not_change_how_names_are_compared() {
    let desk = desk();
    let broken = RESULTS.replace("Error during inference: 500\"", "x\"");
    let broken = broken.replace("{\"sort\":", "{\"sort...\":");
    desk.put("r/result/gpt/non_live/BFCL_v4_simple_python_result.json", &broken);
    let said = desk.done(&["import", "r", "--data", "data", "-o", "a.eval"]);
    assert!(said.contains("recorded and recomputed `bfcl` differ in 0 of 3"), "{said}");
    // A model that was told names as they are calls them so.
    let kept = RESULTS.replace("geometry_area", "geometry.area");
    desk.put("r/result/gpt/non_live/BFCL_v4_simple_python_result.json", &kept);
    let said = desk.done(&["import", "r", "--data", "data", "-o", "b.eval"]);
    assert!(said.contains("recorded and recomputed `bfcl` differ in 0 of 3"), "{said}");
}

#[test]
fn the_first_edition_reads_arguments_that_are_no_object() {
    let desk = Desk::new();
    let name = "gorilla_openfunctions_v1_test_relevance";
    desk.put(
        &format!("data/{name}.json"),
        r#"{"id":"relevance_0","question":"Say hello.","function":{"name":"fibonacci","description":"","parameters":{"type":"dict","properties":{},"required":[]}}}"#,
    );
    let result = r#"{"id":"relevance_0","result":[{"fibonacci":"20"}]}"#;
    desk.put(&format!("result/gpt-FC/{name}_result.json"), result);
    let scores = r#"{"accuracy":0.0,"correct_count":0,"total_count":1}
{"id":1,"valid":false,"error":[],"error_type":"relevance_error:decoder_success"}"#;
    desk.put("score/gpt-FC/relevance_score.json", scores);
    let said = desk.done(&["import", "result", "--data", "data", "-o", "a.eval"]);
    assert!(said.contains("recorded and recomputed `bfcl_v1` differ in 0 of 1"), "{said}");
}

const JAVA: &str = r#"{"id":"simple_java_0","question":[[{"role":"system","content":"Be brief."},{"role":"user","content":"Load it."}]],"function":[{"name":"Loader.load","description":"Loads.","parameters":{"type":"dict","properties":{"size":{"type":"long","description":"How much."},"names":{"type":"ArrayList","description":"Which.","items":{"type":"String"}}},"required":["size"]}}]}
"#;

const JAVA_ANSWERS: &str =
    r#"{"id":"simple_java_0","ground_truth":[{"Loader.load":{"size":[5],"names":["",["a"]]}}]}"#;

const IRRELEVANCE: &str = r#"{"id":"irrelevance_0","question":[[{"role":"user","content":"How are you?"}]],"function":[{"name":"sort","description":"Sorts","parameters":{"type":"dict","properties":{},"required":[]}}]}
"#;

#[test]
fn questions_are_put_to_a_model_and_judged_as_bfcl_does() {
    let desk = desk();
    desk.put("data/BFCL_v4_simple_java.json", JAVA);
    desk.put("data/possible_answer/BFCL_v4_simple_java.json", JAVA_ANSWERS);
    desk.put("data/BFCL_v4_irrelevance.json", IRRELEVANCE);
    desk.put(
        "script.ndjson",
        r#"{"id":"simple_python_0","calls":[{"name":"geometry_area","arguments":{"base":10,"height":5}}]}
{"id":"simple_python_1","calls":[{"name":"sort","arguments":{"numbers":[3,1,2]}}]}
{"id":"simple_python_2","text":"I cannot."}
{"id":"simple_java_0","calls":[{"name":"Loader_load","arguments":{"size":"5L","names":"new ArrayList<>(Arrays.asList(\"a\"))"}}]}
{"id":"irrelevance_0","text":"Fine."}"#,
    );
    let suite = "bfcl:simple_python,simple_java,irrelevance";
    let model = ["-m", "script:script.ndjson"];
    desk.done(&[&["run", suite, "--data", "data"], &model[..]].concat());
    let log = desk.logs("logs").remove(0);
    let trials = desk.trials(log.to_str().unwrap());
    let verdicts = |scorer: &str| -> Vec<(String, Option<f64>)> {
        let judged = trials.iter().map(|t| (t.case.id.to_string(), t.outcomes[scorer].value()));
        let mut judged: Vec<_> = judged.collect();
        judged.sort_by(|a, b| a.0.cmp(&b.0));
        judged
    };
    let values = |scorer| verdicts(scorer).into_iter().map(|(_, v)| v.unwrap()).collect::<Vec<_>>();
    // By name: irrelevance, java, python 0 to 2. A list of whole numbers is wrong to BFCL alone.
    assert_eq!(values("bfcl"), [1.0, 1.0, 1.0, 0.0, 0.0]);
    assert_eq!(values("tool_calls")[3..4], [1.0]);
    let java = trials.iter().find(|trial| trial.case.id.as_str() == "simple_java_0").unwrap();
    let tool = &java.case.tools.as_ref().unwrap()[0];
    assert_eq!(tool.description, "Loads. Note that the provided function is in Java 8 SDK syntax.");
    let names = &tool.parameters["properties"]["names"];
    assert_eq!((&names["type"], names.get("items")), (&"string".into(), None));
    assert!(names["description"].as_str().unwrap().contains("elements are of type String"));
    // The log has all that judging takes, whatever became of the questions.
    std::fs::remove_dir_all(desk.path().join("data")).unwrap();
    desk.done(&["score", log.to_str().unwrap(), "--scorer", "bfcl", "--log-dir", "again"]);
}

#[test]
fn questions_that_cannot_be_run_are_refused_and_say_why() {
    let desk = desk();
    let told = |arguments: &[&str]| {
        let output = desk.toolgauge(&[&["run", "-m", "baseline"], arguments].concat());
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let said = told(&["bfcl:simple_python"]);
    assert!(said.contains("does not say where the questions are"), "{said}");
    let said = told(&["bfcl:multiple", "--data", "data"]);
    assert!(said.contains("no questions of the category `multiple`"), "{said}");
    assert!(said.contains("can be run: simple_python"), "{said}");
    let said = told(&["bfcl:multi_turn_base", "--data", "data"]);
    assert!(said.contains("several turns"), "{said}");
    assert!(desk.logs("logs").is_empty());
}
