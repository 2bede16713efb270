//! Holds the published schemas against what is really read.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use toolgauge_core::Pattern;

use super::*;
use crate::document::{FileFormat, parse};
use crate::fields::FieldNames;
use crate::{
    answer_form, case_files, case_form, conversation_form, expectation_form, manifest, matrix,
    reply_form, sampling_form, solver_form, tool_form,
};

fn schema() -> Value {
    serde_json::from_str(SUITE_SCHEMA).unwrap()
}

fn fields_of(definition: &Value) -> Vec<&str> {
    definition["properties"].as_object().unwrap().keys().map(String::as_str).collect()
}

fn assert_same(mut written: Vec<&str>, mut read: Vec<&str>, what: &str) {
    written.sort_unstable();
    read.sort_unstable();
    assert_eq!(written, read, "{what}");
}

#[test]
fn the_schema_names_exactly_the_fields_that_are_read() {
    let schema = schema();
    let shapes: [(&str, &FieldNames); 17] = [
        ("", &manifest::SUITE),
        ("sampling", &sampling_form::SAMPLING),
        ("variant", &manifest::VARIANT),
        ("solver", &solver_form::SOLVER),
        ("reply", &reply_form::REPLY),
        ("tool", &tool_form::TOOL),
        ("wrapped_tool", &tool_form::WRAPPED_TOOL),
        ("case_file", &case_files::CASE_FILE),
        ("case", &case_form::CASE),
        ("message", &conversation_form::SHORT_MESSAGE),
        ("made_call", &conversation_form::MADE_CALL),
        ("expectation", &expectation_form::EXPECTATION),
        ("alternative", &expectation_form::ALTERNATIVE),
        ("rules", &expectation_form::RULES),
        ("answer", &answer_form::ANSWER),
        ("proof", &answer_form::PROOF),
        ("fact", &answer_form::FACT),
    ];
    for (name, shape) in shapes {
        let definition = if name.is_empty() { &schema } else { &schema["$defs"][name] };
        assert_same(fields_of(definition), shape.fields.to_vec(), name);
    }
    let call = &schema["$defs"]["expected_call"]["anyOf"][1];
    assert_same(fields_of(call), expectation_form::EXPECTED_CALL.fields.to_vec(), "expected_call");
    let keyword = &schema["$defs"]["keyword"]["anyOf"][2];
    assert_same(fields_of(keyword), answer_form::KEYWORD.fields.to_vec(), "keyword");
    let rules = [&Pattern::RULES[..], &["tolerance", "not"]].concat();
    assert_same(fields_of(&schema["$defs"]["rule"]), rules, "rule");
}

#[test]
fn the_schema_of_a_matrix_names_exactly_the_fields_that_are_read() {
    let schema: Value = serde_json::from_str(MATRIX_SCHEMA).unwrap();
    let shapes: [(&str, &FieldNames); 5] = [
        ("", &matrix::MATRIX),
        ("model", &matrix::MODEL),
        ("prompt", &matrix::PROMPT),
        ("limits", &matrix::LIMITS),
        ("sampling", &sampling_form::SAMPLING),
    ];
    for (name, shape) in shapes {
        let definition = if name.is_empty() { &schema } else { &schema["$defs"][name] };
        assert_same(fields_of(definition), shape.fields.to_vec(), name);
    }
    let validator = jsonschema::validator_for(&schema).unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/matrix.example.yaml");
    let example = parse(&fs::read_to_string(example).unwrap(), FileFormat::Yaml).unwrap();
    let errors: Vec<String> = validator.iter_errors(&example).map(|e| e.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert!(!validator.is_valid(&json!({"name": "m", "models": [{"name": "a"}]})));
}

#[test]
fn the_schema_names_exactly_the_words_that_are_understood() {
    let schema = schema();
    let definitions = &schema["$defs"];
    let expectation = &definitions["expectation"]["properties"];
    let rules = &definitions["rules"]["properties"];
    for (place, words) in [
        (&definitions["response"], expectation_form::RESPONSES),
        (&expectation["order"], expectation_form::ORDERS),
        (&definitions["alternative"]["properties"]["quality"], expectation_form::QUALITIES),
        (&rules["text"], expectation_form::TEXT_RULES),
        (&rules["lists"], expectation_form::LIST_RULES),
        (&rules["extra"], expectation_form::EXTRA_RULES),
        (&definitions["solver"]["properties"]["kind"], solver_form::SOLVERS),
    ] {
        assert_eq!(place["enum"], json!(words));
    }
}

#[test]
fn a_case_alone_is_described_as_in_a_suite() {
    let suite = schema();
    let case = json!({
        "$schema": suite["$schema"],
        "title": "A case of a toolgauge suite",
        "$ref": "#/$defs/case",
        "$defs": suite["$defs"],
    });
    assert_eq!(CASE_SCHEMA, format!("{case:#}\n"));
}

#[test]
fn shipped_suites_and_the_template_fit_the_schema() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let suite = jsonschema::validator_for(&schema()).unwrap();
    let case = jsonschema::validator_for(&serde_json::from_str(CASE_SCHEMA).unwrap()).unwrap();
    for folder in [
        "../../suites/everyday",
        "../../suites/property-manager",
        "template/calls",
        "template/chatbot",
        "template/home",
        "template/table",
    ] {
        let read = |path: &Path| {
            let text = fs::read_to_string(path).unwrap();
            parse(&text, FileFormat::Yaml).unwrap_or_else(|problem| panic!("{}", problem.message))
        };
        let folder = root.join(folder);
        let value = read(&folder.join("suite.yaml"));
        let errors: Vec<String> =
            suite.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:?}");
        let cases = folder.join("cases");
        for entry in fs::read_dir(&cases).into_iter().flatten() {
            for value in read(&entry.unwrap().path()).as_array().unwrap() {
                let errors: Vec<String> = case
                    .iter_errors(value)
                    .map(|e| format!("{}: {e}", e.instance_path()))
                    .collect();
                assert!(errors.is_empty(), "{errors:?}");
            }
        }
    }
}

#[test]
fn the_schema_refuses_what_the_loader_refuses() {
    let suite = jsonschema::validator_for(&schema()).unwrap();
    let bad = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    for name in [
        "unknown_fields",
        "wrong_types",
        "bad_patterns",
        "contradictions",
        "bad_context",
        "bad_answers",
    ] {
        let text = fs::read_to_string(bad.join(name).join("suite.yaml")).unwrap();
        let Ok(value) = parse(&text, FileFormat::Yaml) else { panic!("{name} is YAML") };
        assert!(!suite.is_valid(&value), "{name}");
    }
}
