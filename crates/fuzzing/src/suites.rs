//! Suites, their tables of cases, prompts and schemas; matrices; descriptions of chatbots.

use std::borrow::Cow;

use toolgauge_suite::{
    ChatbotSpec, EmbeddedFiles, LoadedSuite, MatrixSurroundings, SuiteSource, check_declared,
    draft, load_matrix, render_system, system_depends_on_case,
};

use crate::logs::file;
use crate::{parts, text};

const SCORERS: [&str; 2] = ["tool_calls", "partial"];

/// Reads a suite of these files, checks it and makes its prompts. Every problem has a place.
fn check_suite(files: &[(&str, &[u8])]) {
    let files: EmbeddedFiles = files
        .iter()
        .map(|(name, bytes)| ((*name).to_owned(), Cow::Owned(bytes.to_vec())))
        .collect();
    let LoadedSuite { suite, problems } = draft(&SuiteSource::embedded("s", files));
    for problem in &problems {
        assert!(!problem.message.is_empty() && !problem.place().is_empty());
    }
    let Some(suite) = suite else {
        assert!(problems.has_errors(), "nothing was read, and nothing is wrong");
        return;
    };
    let _ = check_declared(&suite, &SCORERS);
    let _ = render_system(&suite, None, None, &suite.tools);
    for case in suite.cases.iter().take(4) {
        let _ = render_system(&suite, None, Some(case), &suite.tools);
    }
}

/// A suite file, and a file of cases that it may name.
pub(crate) fn suite(input: &[u8]) {
    let [main, cases, csv] = parts(input);
    check_suite(&[("suite.yaml", main), ("cases.ndjson", cases), ("cases.csv", csv)]);
}

/// A file of cases in each of its formats; the first byte says which.
pub(crate) fn case_files(input: &[u8]) {
    let (kind, cases) = input.split_first().unwrap_or((&0, &[]));
    let endings = ["csv", "ndjson", "json", "yaml"];
    let name = format!("cases.{}", endings[usize::from(*kind) % endings.len()]);
    let main = format!(
        "name: s\ntools: [{{name: f, description: x, parameters: {{type: object, properties: {{a: \
         {{type: integer}}}}}}}}]\ncases: {name}\n"
    );
    check_suite(&[("suite.yaml", main.as_bytes()), (&name, cases)]);
}

/// A prompt, as a Jinja template.
pub(crate) fn template(input: &[u8]) {
    let main = b"name: s\nsystem: {file: system.j2}\nvariables: {today: Monday, rooms: [a, b], n: 3}\n\
        tools: [{name: f, description: x}]\ncases: [{id: a, say: hello, expect: {response: text}}]\n";
    check_suite(&[("suite.yaml", main), ("system.j2", input)]);
    let files: EmbeddedFiles = [("suite.yaml", &main[..]), ("system.j2", input)]
        .map(|(name, bytes)| (name.to_owned(), Cow::Owned(bytes.to_vec())))
        .into();
    if let Some(suite) = draft(&SuiteSource::embedded("s", files)).suite {
        let _ = system_depends_on_case(&suite, None);
    }
}

/// The schema of a tool, and the arguments that a case expects.
pub(crate) fn tool_schema(input: &[u8]) {
    let [schema, arguments] = parts(input);
    let main = "name: s\ntools: tools.json\ncases: cases.ndjson\n";
    let tools = format!(r#"[{{"name":"f","description":"x","parameters":{}}}]"#, text(schema));
    let cases = format!(
        r#"{{"id":"a","say":"go","expect":{{"call":{{"tool":"f","arguments":{}}}}}}}"#,
        text(arguments).replace('\n', " ")
    );
    let files = [
        ("suite.yaml", main.as_bytes()),
        ("tools.json", tools.as_bytes()),
        ("cases.ndjson", cases.as_bytes()),
    ];
    check_suite(&files);
}

pub(crate) fn matrix(input: &[u8]) {
    let (_folder, path) = file("matrix.yaml", input);
    let surroundings = MatrixSurroundings { suite: &|_, _| None, scorers: &SCORERS };
    if let Err(problems) = load_matrix(&path, &surroundings) {
        assert!(problems.has_errors());
    }
}

/// A description of a chatbot; what may be shown of it has no more than it.
pub(crate) fn chatbot_file(input: &[u8]) {
    let (_folder, path) = file("chatbot.yaml", input);
    if let Ok(spec) = ChatbotSpec::read(&path) {
        let public = spec.without_secrets();
        assert_eq!(public.without_secrets(), public, "what is public stays as it is");
    }
    let _ = ChatbotSpec::started_by(text(input));
}
