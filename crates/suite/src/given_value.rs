//! Expectations and tools that a program holds as values, read by the rules of suite files.

use serde_json::Value;
use toolgauge_core::{ArgumentPath, ArgumentRules, Expectation, ExpectedCall, Tool};

use crate::case_form::understand_keywords;
use crate::check::check_rules;
use crate::expectation_form::read_expectation;
use crate::problem::{Problems, Severity, SuiteProblem};
use crate::tool_form::read_tool;
use crate::trail::{Origin, SuiteFinding, SuiteFindings, Trail};

/// Reads what a case expects, written as `expect` in a suite.
///
/// There is no file, so a problem is placed by the way to the value: `expect.calls[0].tool`.
pub fn expectation_from_value(value: Value) -> Result<Expectation, Problems> {
    let findings = SuiteFindings::default();
    let rules = ArgumentRules::default();
    let trail = Origin::document(0).trail();
    let read = read_expectation(value, rules, &trail, &findings);
    let read = read.map(|mut expectation| {
        understand_keywords(&mut expectation);
        check_calls(expectation.calls.as_deref().unwrap_or_default(), &trail, &findings);
        let list = trail.key("alternatives");
        for (index, way) in expectation.alternatives.iter().enumerate() {
            check_calls(&way.calls, &list.index(index), &findings);
        }
        expectation
    });
    without_errors(read, findings, "expect")
}

/// Tells of arguments that no call can ever meet. What else a suite checks needs its tools.
fn check_calls(calls: &[ExpectedCall], trail: &Trail<'_>, findings: &SuiteFindings) {
    let list = trail.key("calls");
    for (index, call) in calls.iter().enumerate() {
        let call_trail = list.index(index);
        let arguments = call_trail.key("arguments");
        for (name, pattern) in &call.arguments {
            check_rules(pattern, &arguments.key(name), findings);
        }
    }
}

/// Reads one tool, in any of the forms that a suite takes. `name` is what problems call it.
pub fn tool_from_value(value: Value, name: &str) -> Result<Tool, Problems> {
    let findings = SuiteFindings::default();
    let read = read_tool(value, &Origin::document(0).trail(), &findings);
    without_errors(read, findings, name)
}

/// What was read, unless something is wrong with it. Warnings are about files and are dropped.
fn without_errors<T>(read: Option<T>, findings: SuiteFindings, name: &str) -> Result<T, Problems> {
    let findings = findings.into_vec().into_iter();
    let errors = findings.filter(|finding| finding.severity == Severity::Error);
    let problems: Problems = errors.map(|finding| placed(finding, name)).collect();
    match read {
        Some(read) if problems.is_empty() => Ok(read),
        _ => Err(problems),
    }
}

fn placed(finding: SuiteFinding, name: &str) -> SuiteProblem {
    let way = ArgumentPath(finding.spot.steps).to_string();
    // A list at the top has no dot before its position.
    let dot = if way.is_empty() || way.starts_with('[') { "" } else { "." };
    SuiteProblem {
        severity: finding.severity,
        file: format!("{name}{dot}{way}"),
        line: None,
        column: None,
        message: finding.message,
        hint: finding.hint,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_expectation_is_read_as_in_a_suite() {
        let read = expectation_from_value(json!({"calls": ["f", {"tool": "g"}]})).unwrap();
        let names: Vec<String> = read.calls.unwrap().into_iter().map(|call| call.name).collect();
        assert_eq!(names, ["f", "g"]);
        let words = expectation_from_value(json!({"answer": {"keywords": ["yes"]}})).unwrap();
        assert_eq!(words.more["chatbot"], json!({"keywords": "understood"}));
    }

    #[test]
    fn a_problem_is_placed_by_the_way_to_the_value() {
        let told = |value| expectation_from_value(value).unwrap_err().to_string();
        let misspelt = told(json!({"calls": [{"tool": "f"}, {"name": "g"}]}));
        assert!(misspelt.starts_with("expect.calls[1]"), "{misspelt}");
        assert!(misspelt.contains("did you mean `tool`?"), "{misspelt}");
        let call = json!({"tool": "f", "arguments": {"a": {"$any_of": ["x", {"$regex": "("}]}}});
        let regex = told(json!({"calls": [call.clone()]}));
        assert!(regex.starts_with("expect.calls[0].arguments.a: error: `(` is not a"), "{regex}");
        let other = told(json!({"calls": [], "alternatives": [{"calls": [call]}]}));
        assert!(other.starts_with("expect.alternatives[0].calls[0].arguments.a"), "{other}");
        assert!(told(json!("f")).starts_with("expect: error"), "{}", told(json!("f")));
        let tool = tool_from_value(json!({"name": "f", "parameters": 1}), "tools[2]").unwrap_err();
        assert!(tool.to_string().starts_with("tools[2].parameters: error"), "{tool}");
    }
}
