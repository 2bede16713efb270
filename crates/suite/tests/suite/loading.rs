//! Good suites, in every form they may be written in.

use std::fs;

use proptest::prelude::*;
use serde_json::json;
use toolgauge_core::{
    CallOrder, Case, ExtraArguments, ListRule, Message, Pattern, Quality, ResponseKind, TextRule,
};
use toolgauge_suite::{
    EmbeddedFiles, LoopLimits, Problems, Sampling, SolverSpec, Suite, SuiteSource, check_declared,
    draft, load,
};

const TOOLS: &str = "
  - name: set_light
    description: Turns a light on or off.
    parameters:
      type: object
      properties: {room: {type: string}, brightness: {type: integer}}
      required: [room]
";

fn embedded(files: &[(&str, &str)]) -> SuiteSource {
    let own = |(name, text): &(&str, &str)| ((*name).to_owned(), text.as_bytes().to_owned().into());
    SuiteSource::embedded("test", files.iter().map(own).collect::<EmbeddedFiles>())
}

fn suite(files: &[(&str, &str)]) -> Suite {
    load(&embedded(files)).unwrap_or_else(|problems| panic!("{problems}"))
}

fn with_cases(cases: &str, more: &[(&str, &str)]) -> Suite {
    let head = format!("name: t\ntools:{TOOLS}cases: {cases}\n");
    let mut files = vec![("suite.yaml", head.as_str())];
    files.extend_from_slice(more);
    suite(&files)
}

fn cases(suite: &Suite) -> Vec<Case> {
    suite.cases.iter().map(|case| Case::clone(case)).collect()
}

#[test]
fn a_case_means_the_same_in_every_format() {
    let lines = r#"{"id": "a", "say": "hall on", "tags": {"kind": "one"}, "expect": {"call": {"tool": "set_light", "arguments": {"room": "hall"}}}}

{"id": "b", "say": "hello", "expect": {"no_calls": true, "response": "text"}}
"#;
    let list = r#"[{"id": "a", "say": "hall on", "tags": {"kind": "one"}, "expect": {"calls": [{"tool": "set_light", "arguments": {"room": "hall"}}]}},
        {"id": "b", "say": "hello", "expect": {"response": "text"}}]"#;
    let yaml = "cases:\n  - id: a\n    say: hall on\n    tags: {kind: one}\n    expect:\n      \
                call:\n        tool: set_light\n        arguments: {room: hall}\n  - id: b\n    \
                say: hello\n    expect: {calls: [], response: text}\n";
    let table = "id,say,tool,arguments,response,tag.kind\n\
                 a,hall on,set_light,\"{\"\"room\"\": \"\"hall\"\"}\",,one\n\
                 b,hello,,,text,\n";
    let from_lines = with_cases("x.ndjson", &[("x.ndjson", lines)]);
    assert_eq!(from_lines.cases.len(), 2);
    for (name, text) in [("x.json", list), ("x.yaml", yaml), ("x.csv", table), ("x.jsonl", lines)] {
        let other = with_cases(name, &[(name, text)]);
        assert_eq!(cases(&other), cases(&from_lines), "{name}");
        assert_eq!(other.hash, from_lines.hash, "{name}");
    }
}

#[test]
fn everything_a_suite_can_say_is_read() {
    let text = r#"
$schema: ../../schemas/suite.schema.json
name: all.of-it_1
description: Everything.
version: "1.10"
world: {kind: home, size: small}
tools:
  - tools.json
  - {name: plain, description: Plain.}
replies:
  plain: [{when: {}, reply: [1, 2]}]
  wrapped: fine
system: {file: prompt.j2}
variables: {day: Monday}
solver: {kind: loop, max_turns: 4, max_seconds: 30}
scorers: [tool_calls, partial]
rules: {text: loose, tolerance: 0.5, lists: set, extra: lost}
trials: 3
sampling: {temperature: 0, top_p: 0.9, max_tokens: 50, seed: 7, tool_choice: auto, parallel_tool_calls: true, extra: {top_k: 5}}
variants:
  terse: {description: Short., system: Be brief., tools: [plain], sampling: {temperature: 1, extra: {min_p: 0.1}}, world: {size: large}, variables: {day: Friday}}
cases:
  - {file: "more/*.ndjson", tags: {tier: small, n: 1}}
  - id: 12
    say: and then
    context:
      - user: hello
      - assistant: hi
      - call: {tool: plain, arguments: {a: 1}}
        reply: {b: 2}
      - {role: assistant, content: "", tool_calls: [{id: c9, type: function, function: {name: wrapped, arguments: "{}"}}]}
      - {role: tool, tool_call_id: c9, content: ok}
    group: dialogue
    metadata: {note: x}
    expect:
      calls:
        - tool: plain
          arguments: {a: {$any_of: [1, one]}, list: [1], zip: 07001, country: NO}
        - wrapped
      response: query
      order: strict
      rules: {text: exact}
      alternatives:
        - {no_calls: true, response: clarification, quality: acceptable, reason: it may ask}
      more: {tone: [x]}
"#;
    let tools = r#"{"tools": [{"type": "function", "function": {"name": "wrapped", "description": "d", "parameters": {"type": "object"}}},
        {"name": "anthropic", "description": "d", "input_schema": {"type": "object", "properties": {"q": {}}}}]}"#;
    let suite = suite(&[
        ("suite.yaml", text),
        ("tools.json", tools),
        ("prompt.j2", "It is {{ day }}."),
        ("more/a.ndjson", "{\"id\": \"a\", \"say\": \"x\", \"tags\": {\"n\": 2}}\n"),
    ]);
    assert_eq!((suite.name.as_str(), suite.version.as_deref()), ("all.of-it_1", Some("1.10")));
    assert_eq!(suite.world.config["size"], "small");
    let names: Vec<&str> = suite.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["wrapped", "anthropic", "plain"]);
    assert_eq!(suite.tools[1].parameters["properties"], json!({"q": {}}));
    assert_eq!(suite.replies["plain"][0].reply, json!([1, 2]));
    assert_eq!(suite.replies["wrapped"][0].reply, json!("fine"));
    let limits = LoopLimits { max_turns: 4, max_tokens: None, max_seconds: Some(30.0) };
    assert_eq!(suite.solver, SolverSpec::Loop(limits));
    assert_eq!(suite.trials, 3);
    let terse = &suite.variants["terse"];
    let sampling = suite.sampling.overlaid(&terse.sampling);
    assert_eq!((sampling.temperature, sampling.seed), (Some(1.0), Some(7)));
    assert_eq!(sampling.extra.keys().collect::<Vec<_>>(), ["top_k", "min_p"]);
    assert_eq!(suite.sampling.overlaid(&Sampling::default()), suite.sampling);

    let first = &suite.cases[0];
    assert_eq!((first.tags["tier"].as_str(), first.tags["n"].as_str()), ("small", "2"));
    let case = &suite.cases[1];
    assert_eq!(case.id.as_str(), "12");
    assert_eq!(case.sentence(), "and then");
    assert_eq!(case.input.len(), 7);
    let Message::Tool(reply) = &case.input[3] else { panic!("a reply follows its call") };
    assert_eq!((reply.name.as_str(), reply.content.as_str()), ("plain", r#"{"b":2}"#));
    let Message::Tool(reply) = &case.input[5] else { panic!("a reply follows its call") };
    assert_eq!(reply.name, "wrapped");
    let expectation = &case.expectation;
    let calls = expectation.calls.as_ref().unwrap();
    assert_eq!(calls[0].arguments["zip"], Pattern::Scalar(json!("07001")));
    assert_eq!(calls[0].arguments["country"], Pattern::Scalar(json!("NO")));
    assert!(calls[1].arguments.is_empty());
    assert_eq!(expectation.response, Some(ResponseKind::Query));
    assert_eq!(expectation.order, CallOrder::Strict);
    let rules = expectation.rules;
    assert_eq!((rules.text, rules.lists), (TextRule::Exact, ListRule::Set));
    assert_eq!(rules.extra, ExtraArguments::Lost);
    assert_eq!(expectation.alternatives[0].quality, Quality::Acceptable);
    assert_eq!(expectation.more["tone"], json!(["x"]));
    assert_eq!(case.group.as_deref(), Some("dialogue"));
}

#[test]
fn a_response_without_calls_says_that_none_may_be_made() {
    let suite = with_cases("[{id: a, say: x, expect: {response: clarification}}]", &[]);
    assert_eq!(suite.cases[0].expectation.calls, Some(Vec::new()));
    let suite = with_cases("[{id: a, say: x, expect: {response: action}}]", &[]);
    assert_eq!(suite.cases[0].expectation.calls, None);
}

#[test]
fn a_single_file_is_a_suite_and_reads_its_neighbours() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.yaml");
    fs::write(&path, format!("name: mine\ntools:{TOOLS}cases: cases.ndjson\n")).unwrap();
    let line = r#"{"id": "a", "say": "x", "expect": {"call": "set_light"}}"#;
    fs::write(folder.path().join("cases.ndjson"), line).unwrap();
    let suite = load(&SuiteSource::Path(path)).unwrap();
    assert_eq!(suite.cases.len(), 1);
    assert!(check_declared(&suite, &[]).is_empty());
}

#[test]
fn the_hash_changes_with_what_can_change_a_result_and_with_nothing_else() {
    let hash = |head: &str, case: &str| {
        let text = format!("name: t\n{head}\ntools:{TOOLS}cases: [{{id: a, say: x, {case}}}]\n");
        suite(&[("suite.yaml", &text), ("home.yaml", "size: 1")]).hash
    };
    let plain = hash("", "expect: {call: set_light}");
    for same in ["description: other", "version: '2'", "trials: 4", "# a remark"] {
        assert_eq!(hash(same, "expect: {call: set_light}"), plain, "{same}");
    }
    assert_eq!(hash("", "metadata: {a: 1}, expect: {call: set_light}"), plain);
    for other in [
        "system: hello",
        "sampling: {seed: 1}",
        "solver: loop",
        "replies: {set_light: ok}",
        "variants: {a: {system: b}}",
        "rules: {text: loose}",
        "world: {kind: declared, file: home.yaml}",
        "scorers: partial",
        "variables: {a: 1}",
    ] {
        assert_ne!(hash(other, "expect: {call: set_light}"), plain, "{other}");
    }
    assert_ne!(hash("", "expect: {no_calls: true}"), plain);
    assert_ne!(hash("", "tags: {a: b}, expect: {call: set_light}"), plain);
}

#[test]
fn the_hash_covers_the_files_a_world_names() {
    let text = format!(
        "name: t\nworld: {{kind: home, inventory: homes}}\ntools:{TOOLS}cases: [{{id: a, say: x}}]\n"
    );
    let hash = |home: &str| suite(&[("suite.yaml", &text), ("homes/small.yaml", home)]).hash;
    assert_ne!(hash("lamps: 1"), hash("lamps: 2"));
    assert_eq!(hash("lamps: 1"), hash("lamps: 1"));
}

#[test]
fn problems_of_files_and_answers_are_told_together() {
    let text = format!(
        "name: t\ncolor: red\ntools:{TOOLS}cases:\n  - {{id: a, say: x, expect: {{call: nothing}}}}\n\
         \x20 - {{id: b}}\n"
    );
    let draft = draft(&embedded(&[("suite.yaml", &text)]));
    let suite = draft.suite.unwrap();
    let all: Problems = draft.problems.and(check_declared(&suite, &[]));
    let lines: Vec<usize> = all.iter().filter_map(|problem| problem.line).collect();
    assert_eq!(lines, [2, 11, 12]);
    assert!(all.has_errors());
}

#[test]
fn ten_thousand_lines_are_read_as_they_are() {
    use std::fmt::Write as _;
    let mut lines = String::new();
    for number in 0..10_000 {
        let expect = r#"{"call": {"tool": "set_light", "arguments": {"room": "hall"}}}"#;
        writeln!(lines, r#"{{"id": "c{number}", "say": "light {number}", "expect": {expect}}}"#)
            .unwrap();
    }
    let suite = with_cases("x.ndjson", &[("x.ndjson", &lines)]);
    assert_eq!(suite.cases.len(), 10_000);
    assert_eq!(suite.cases[9_999].id.as_str(), "c9999");
    assert!(check_declared(&suite, &[]).is_empty());
}

/// Bytes that look enough like a suite to get past the first parser.
fn suite_like() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "name",
        "cases",
        "tools",
        "expect",
        "call",
        "calls",
        "id",
        "say",
        "arguments",
        "tags",
        "alternatives",
        "response",
        "action",
        "text",
        "$any_of",
        "$regex",
        "(",
        "rules",
        "system",
        "{{ x",
        "variants",
        "world",
        "context",
        "user",
        "role",
        "null",
        "1",
        "-1.5",
        "true",
        "''",
        "*.csv",
        "x.ndjson",
        "replies",
        "sampling",
        "solver",
        "loop",
        "more",
        "no_calls",
    ]);
    let glue =
        prop::sample::select(vec![": ", ":\n  ", "\n", ", ", "[", "]", "{", "}", "\n- ", " "]);
    prop::collection::vec((word, glue), 0..40)
        .prop_map(|parts| parts.iter().flat_map(|(word, glue)| [*word, *glue]).collect())
}

/// JSON of any shape under the keys of a suite.
fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|flag| json!(flag)),
        any::<i64>().prop_map(|number| json!(number)),
        "[a-z${}*.]{0,8}".prop_map(|text| json!(text)),
    ];
    let key = prop::sample::select(vec![
        "name",
        "cases",
        "tools",
        "expect",
        "call",
        "calls",
        "id",
        "say",
        "arguments",
        "tags",
        "tool",
        "alternatives",
        "response",
        "$any_of",
        "$regex",
        "$optional",
        "rules",
        "system",
        "file",
        "variants",
        "world",
        "context",
        "user",
        "role",
        "replies",
        "when",
        "reply",
        "parameters",
        "type",
        "properties",
        "required",
        "function",
        "kind",
        "solver",
        "sampling",
        "group",
        "more",
    ]);
    leaf.prop_recursive(6, 80, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|items| json!(items)),
            prop::collection::btree_map(key.clone().prop_map(str::to_owned), inner, 0..8)
                .prop_map(|object| json!(object)),
        ]
    })
}

fn survives(files: &[(&str, &[u8])]) {
    let own = |(name, bytes): &(&str, &[u8])| ((*name).to_owned(), bytes.to_vec().into());
    let source = SuiteSource::embedded("any", files.iter().map(own).collect::<EmbeddedFiles>());
    let draft = draft(&source);
    if let Some(suite) = &draft.suite {
        let problems = draft.problems.clone().and(check_declared(suite, &["tool_calls"]));
        assert_eq!(problems.to_string().is_empty(), problems.is_empty());
    } else {
        assert!(draft.problems.has_errors());
    }
}

const HEAD: &[u8] = b"name: t\ncases: [x.ndjson, x.csv, x.json, x.yaml]\n";

proptest! {
    #[test]
    fn no_bytes_make_a_loader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survives(&[("suite.yaml", &bytes)]);
        let cases = ["x.ndjson", "x.csv", "x.json", "x.yaml"].map(|name| (name, bytes.as_slice()));
        survives(&[&[("suite.yaml", HEAD)][..], &cases[..]].concat());
    }

    #[test]
    fn no_words_make_a_loader_panic(text in suite_like()) {
        survives(&[("suite.yaml", text.as_bytes())]);
        let cases = ["x.ndjson", "x.csv", "x.json", "x.yaml"].map(|name| (name, text.as_bytes()));
        survives(&[&[("suite.yaml", HEAD)][..], &cases[..]].concat());
    }

    #[test]
    fn no_json_makes_a_loader_panic(value in any_json(), case in any_json(), tool in any_json()) {
        survives(&[("suite.json", value.to_string().as_bytes())]);
        let suite = json!({"name": "t", "tools": [tool], "cases": [case, {"id": "a", "say": "x", "expect": value}]});
        survives(&[("suite.json", suite.to_string().as_bytes())]);
    }
}

#[test]
fn everything_an_answer_can_demand_is_read() {
    let cases = r#"
  - id: a
    say: What did we pay for it?
    expect:
      answer:
        tools: [set_light]
        keywords: ["442300", 8, {any_of: [paid, price]}, {not: unknown}, {regex: "\\d+"}]
        documents: {deed.md: 3, notes.md: 1}
        proof:
          - {sql: SELECT price FROM properties}
          - {sql: SELECT 1 WHERE 0, empty: true}
          - {document: deed.md, passage: "the price of $442,300"}
        reference: We paid $442,300.
        rubric: The price must be exact.
        seconds: 2.5
  - id: b
    say: Who?
    expect: {answer: {tools: set_light, keywords: Ada, documents: [a.md, b.md]}}
"#;
    let suite = with_cases(cases, &[]);
    let answer = suite.cases[0].expectation.answer.as_deref().unwrap();
    assert_eq!(
        serde_json::to_value(answer).unwrap(),
        json!({
            "tools": ["set_light"],
            "keywords": [
                "442300", "8", {"any_of": ["paid", "price"]}, {"not": "unknown"},
                {"regex": "\\d+"},
            ],
            "documents": {"deed.md": 3.0, "notes.md": 1.0},
            "proof": [
                {"sql": "SELECT price FROM properties"},
                {"sql": "SELECT 1 WHERE 0", "empty": true},
                {"document": "deed.md", "passage": "the price of $442,300"},
            ],
            "reference": "We paid $442,300.",
            "rubric": "The price must be exact.",
            "seconds": 2.5,
        })
    );
    let short = suite.cases[1].expectation.answer.as_deref().unwrap();
    assert_eq!(
        serde_json::to_value(short).unwrap(),
        json!({
            "tools": ["set_light"], "keywords": ["Ada"], "documents": {"a.md": 1.0, "b.md": 1.0},
        })
    );
    assert!(check_declared(&suite, &[]).is_empty());
}

#[test]
fn golden_questions_are_read_unchanged() {
    let rows = r#"{"question": "What did we pay for 900 S 9th St?", "category": "property_info", "expected_tools": ["query_database"], "expected_keywords": ["442300"], "type": "factual"}
{"question": "Who signs?", "category": "governance", "expected_tools": ["search_document_content"], "expected_content": ["Ada", "manager"], "context": "It is about the operating agreement."}
{"question": "Who signs?", "category": "governance", "expected_tools": [], "expected_keywords": []}
{"question": "Who signs?", "category": "tax", "expected_tools": []}
"#;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("golden questions.jsonl");
    fs::write(&file, rows).unwrap();
    let alone = load(&SuiteSource::Path(file)).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(alone.name, "golden-questions");
    let listed = with_cases("x.jsonl", &[("x.jsonl", rows)]);
    assert_eq!(cases(&alone), cases(&listed));
    let ids: Vec<&str> = alone.cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(ids[0], "what-did-we-pay-for-900-s-9th-st");
    assert!(ids[1].starts_with("who-signs-"), "{ids:?}");
    assert_eq!(&ids[2..], ["who-signs", "who-signs-2"]);
    assert_eq!(alone.cases[0].tags["category"], "property_info");
    assert_eq!(alone.cases[0].tags["type"], "factual");
    // A context given as text is a note, and not for the chatbot.
    assert_eq!(alone.cases[1].input, [Message::user("Who signs?")]);
    assert_eq!(alone.cases[1].metadata["context"], "It is about the operating agreement.");
    assert_eq!(alone.cases[1].expectation.more["chatbot"]["keywords"], "understood");
    let answer = alone.cases[2].expectation.answer.as_deref().unwrap();
    assert_eq!(answer.tools, Some(Vec::new()));
    assert!(check_declared(&alone, &[]).is_empty());
}

#[test]
fn a_case_inherits_what_scorers_are_told_by_the_suite() {
    let text = "
name: t
more: {chatbot: {keywords: understood, tools: graded}, retrieval: {k: 5}}
cases:
  - {id: a, say: x, expect: {answer: {}}}
  - {id: b, say: x, expect: {answer: {}, more: {chatbot: {tools: all}}}}
";
    let suite = suite(&[("suite.yaml", text)]);
    let more = |at: usize| serde_json::to_value(&suite.cases[at].expectation.more).unwrap();
    let retrieval = json!({"k": 5});
    let chatbot = json!({"keywords": "understood", "tools": "graded"});
    assert_eq!(more(0), json!({"chatbot": chatbot, "retrieval": retrieval}));
    let chatbot = json!({"keywords": "understood", "tools": "all"});
    assert_eq!(more(1), json!({"chatbot": chatbot, "retrieval": retrieval}));
}
