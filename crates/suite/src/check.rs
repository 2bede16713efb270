//! Whether a suite makes sense: its tools, its prompt, and above all its answers.
//!
//! Wrong answers are the commonest complaint about benchmarks of tool calling, so every expected
//! call is held against the schema of the tool it calls, and every alternative must be able to
//! count.

use std::collections::BTreeSet;
use std::sync::Arc;

use toolgauge_core::{Case, Tool};

use crate::document::FileFormat;
use crate::locate::locate;
use crate::nearest::suggest;
use crate::problem::{Problems, Severity};
use crate::suite::{Suite, SystemTemplate, TemplatePlace, WorldSpec};
use crate::template::{TemplateError, render_system};
use crate::trail::{Origin, Spot, SuiteFinding, SuiteFindings};
use crate::voice_bench_form::is_foreign;

mod answer;
mod arguments;
mod cover;
mod plain_schema;
mod toolbox;

pub(crate) use arguments::check_rules;
use toolbox::Toolboxes;

/// What is around a suite and cannot be read from its files.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// The tools that are offered in a case.
    pub offered: &'a dyn Fn(&Case) -> Arc<[Tool]>,
    /// The names of scorers that a suite may ask for.
    pub scorers: &'a [&'a str],
    /// The kinds of world there are.
    pub worlds: &'a [&'a str],
}

/// Tells what is wrong with a suite that could be read: with its tools, prompt, variants, and
/// with the answers of its cases. Nothing is run.
pub fn check(suite: &Suite, surroundings: &Surroundings<'_>) -> Problems {
    let findings = SuiteFindings::default();
    check_names(suite, surroundings, &findings);
    check_files(suite, &findings);
    check_variants(suite, &findings);
    check_tools(suite, &findings);
    check_replies(suite, &findings);
    check_prompts(suite, surroundings, &findings);
    let mut toolboxes = Toolboxes::default();
    for (case, origin) in suite.cases.iter().zip(&suite.origins) {
        let toolbox = toolboxes.of(&(surroundings.offered)(case));
        // Where a tool could not be read, one that is missing says nothing.
        let toolbox = (suite.all_tools_read || !suite.world.is_declared()).then_some(toolbox);
        if is_foreign(case) {
            // Answers of another benchmark are run as they are, so what is wrong with them only
            // warns.
            let theirs = SuiteFindings::default();
            answer::check_case(case, toolbox.as_deref(), &origin.trail(), &theirs);
            for finding in theirs.into_vec() {
                findings.push(SuiteFinding { severity: Severity::Warning, ..finding });
            }
        } else {
            answer::check_case(case, toolbox.as_deref(), &origin.trail(), &findings);
        }
    }
    locate(findings, &suite.files, &suite.file_names)
}

/// Where what a case expects contradicts the tools that it brings itself: calls of tools that are
/// not offered, arguments that their schemas do not allow. For cases that come from no suite.
pub fn contradictions(case: &Case) -> Vec<String> {
    let Some(tools) = &case.tools else { return Vec::new() };
    let findings = SuiteFindings::default();
    let toolbox = Toolboxes::default().of(tools);
    answer::check_case(case, Some(&toolbox), &Origin::document(0).trail(), &findings);
    let errors = findings.into_vec().into_iter().filter(|found| found.severity == Severity::Error);
    errors.map(|found| found.message).collect()
}

/// What was found wrong by trying: with the answer of a case, given by its position, or with the
/// cases as a whole. A case that is read several times is told of once.
pub fn complaints(suite: &Suite, found: &[(Option<usize>, String)]) -> Problems {
    let findings = SuiteFindings::default();
    let root = Origin::document(0).trail();
    let mut told = Vec::new();
    for (position, message) in found {
        let origin = position.and_then(|position| suite.origins.get(position));
        if told.contains(&(origin, message)) {
            continue;
        }
        told.push((origin, message));
        match origin {
            Some(origin) => findings.error(&origin.trail().key("expect"), message),
            None => findings.error(&root.key("cases"), message),
        }
    }
    locate(findings, &suite.files, &suite.file_names)
}

/// What somebody should look at in the world of a suite, with its place.
pub fn cautions(suite: &Suite, found: &[String]) -> Problems {
    let findings = SuiteFindings::default();
    let root = Origin::document(0).trail();
    for message in found {
        findings.warn(&root.key("world"), message, None);
    }
    locate(findings, &suite.files, &suite.file_names)
}

/// What is wrong with the worlds of variants, each by the name of the variant, with its place.
pub fn variant_complaints(suite: &Suite, found: &[(&str, String)]) -> Problems {
    let findings = SuiteFindings::default();
    let root = Origin::document(0).trail();
    for (name, message) in found {
        findings.error(&root.key("variants").key(name).key("world"), message);
    }
    locate(findings, &suite.files, &suite.file_names)
}

/// Tells what is wrong with a suite whose tools are all declared in it.
pub fn check_declared(suite: &Suite, scorers: &[&str]) -> Problems {
    let tools: Arc<[Tool]> = suite.tools.clone().into();
    let offered = |_: &Case| Arc::clone(&tools);
    check(suite, &Surroundings { offered: &offered, scorers, worlds: &[WorldSpec::DECLARED] })
}

/// What is wrong with a tool by itself, each with what would be right.
pub fn tool_complaints(tool: &Tool) -> Vec<(String, Option<String>)> {
    let complaints = toolbox::complaints(tool).into_iter();
    complaints.map(|complaint| (complaint.message, complaint.hint)).collect()
}

/// Warns of files elsewhere: whoever runs the suite of somebody else may not want to send them.
fn check_files(suite: &Suite, findings: &SuiteFindings) {
    for file in suite.outside_files() {
        let message = format!("`{}` is read, which is outside the suite's folder", file.display());
        let hint =
            "what it holds may be sent to the model; copy it into the folder if that is meant";
        findings.warn(&Origin::document(0).trail(), message, Some(hint.to_owned()));
    }
}

fn check_names(suite: &Suite, surroundings: &Surroundings<'_>, findings: &SuiteFindings) {
    let trail = Origin::document(0).trail();
    if !surroundings.worlds.contains(&suite.world.kind.as_str()) {
        let hint = suggest(&suite.world.kind, "worlds", surroundings.worlds);
        let message = format!("unknown world `{}`", suite.world.kind);
        findings.error_with(&trail.key("world"), message, hint);
    }
    let scorers = trail.key("scorers");
    for (index, scorer) in suite.scorers.iter().enumerate() {
        if !surroundings.scorers.contains(&scorer.as_str()) {
            let hint = suggest(scorer, "scorers", surroundings.scorers);
            let message = format!("unknown scorer `{scorer}`");
            findings.error_with(&scorers.index(index), message, hint);
        }
    }
}

/// A variant offers tools that there are, and all that are needed.
fn check_variants(suite: &Suite, findings: &SuiteFindings) {
    let offering = suite.variants.values().any(|variant| variant.tools.is_some());
    if !offering || !suite.all_tools_read || !suite.world.is_declared() {
        return;
    }
    let root = Origin::document(0).trail();
    let variants = root.key("variants");
    let known: Vec<&str> = suite.tools.iter().map(|tool| tool.name.as_str()).collect();
    let calls = suite.cases.iter().flat_map(|case| case.expectation.calls.iter().flatten());
    let expected: BTreeSet<&str> = calls.map(|call| call.name.as_str()).collect();
    for (name, variant) in &suite.variants {
        let Some(tools) = &variant.tools else { continue };
        let variant_trail = variants.key(name);
        let here = variant_trail.key("tools");
        for (index, tool) in tools.iter().enumerate() {
            if !known.contains(&tool.as_str()) {
                let message =
                    format!("the variant `{name}` offers `{tool}`, which is not declared");
                findings.error_with(&here.index(index), message, suggest(tool, "tools", &known));
            }
        }
        let offered = |tool: &&&str| tools.iter().any(|offered| offered == **tool);
        for tool in expected.iter().filter(|tool| !offered(tool)) {
            let message =
                format!("cases expect `{tool}`, which the variant `{name}` does not offer");
            findings.warn(&here, message, "those cases cannot be passed in it".to_owned());
        }
    }
}

fn check_tools(suite: &Suite, findings: &SuiteFindings) {
    for (number, (tool, origin)) in suite.tools.iter().zip(&suite.tool_origins).enumerate() {
        let trail = origin.trail();
        let first = suite.tools[..number].iter().position(|other| other.name == tool.name);
        if let Some(first) = first {
            findings.push(SuiteFinding {
                severity: Severity::Error,
                spot: trail.spot(),
                message: format!("the tool `{}` is declared twice", tool.name),
                hint: None,
                related: Some((
                    "it is first declared at",
                    suite.tool_origins[first].trail().spot(),
                )),
            });
        }
        for complaint in toolbox::complaints(tool) {
            findings.error_with(&trail, complaint.message, complaint.hint);
        }
        if tool.description.trim().is_empty() {
            let hint = "a model knows a tool by what it is told about it".to_owned();
            findings.warn(&trail, format!("the tool `{}` has no description", tool.name), hint);
        }
    }
}

fn check_replies(suite: &Suite, findings: &SuiteFindings) {
    if !suite.all_tools_read || !suite.world.is_declared() {
        return;
    }
    let root = Origin::document(0).trail();
    let trail = root.key("replies");
    let known: Vec<&str> = suite.tools.iter().map(|tool| tool.name.as_str()).collect();
    for (name, replies) in &suite.replies {
        let here = trail.key(name);
        let Some(tool) = suite.tools.iter().find(|tool| tool.name == *name) else {
            let message = format!("there are replies for `{name}`, which is not declared");
            findings.error_with(&here, message, suggest(name, "tools", &known));
            continue;
        };
        let catch_all = replies.iter().position(|reply| reply.when.is_empty());
        if let Some(index) = catch_all.filter(|index| index + 1 < replies.len()) {
            let hint = "move it to the end, or give it a `when`".to_owned();
            let message = format!("no reply of `{name}` after this one is ever given");
            findings.error_with(&here.index(index), message, hint);
        }
        for (index, reply) in replies.iter().enumerate() {
            let reply_trail = here.index(index);
            let when = reply_trail.key("when");
            for key in reply.when.keys() {
                if let Some(hint) = toolbox::unknown_argument(&tool.parameters, key) {
                    let message = format!("`{name}` takes no argument `{key}`");
                    findings.error_with(&when.key(key), message, hint);
                }
            }
        }
    }
}

/// Makes the prompt of the suite and of each variant once.
fn check_prompts(suite: &Suite, surroundings: &Surroundings<'_>, findings: &SuiteFindings) {
    let Some(case) = suite.cases.first() else { return };
    let tools = (surroundings.offered)(case);
    let variants = suite.variants.keys().map(|name| Some(name.as_str()));
    for variant in std::iter::once(None).chain(variants) {
        let Err(error) = render_system(suite, variant, Some(case), &tools) else { continue };
        let own = variant.and_then(|name| suite.variants[name].system.as_ref());
        let (Some(template), TemplateError::Template { message, line }) =
            (own.or(suite.system.as_ref()), error)
        else {
            continue;
        };
        let message = match variant {
            Some(name) => format!("the prompt of the variant `{name}` cannot be made: {message}"),
            None => format!("the prompt cannot be made: {message}"),
        };
        findings.error_at(template_spot(suite, template, line.unwrap_or(1)), message, None);
    }
}

fn template_spot(suite: &Suite, template: &SystemTemplate, line: usize) -> Spot {
    let root = Origin::document(0).trail();
    let mut spot = match &template.written {
        TemplatePlace::File(file) => return Spot::exact(*file, line, None),
        TemplatePlace::Inline => root.key("system").spot(),
        TemplatePlace::Variant(name) => root.key("variants").key(name).key("system").spot(),
    };
    // A text of several lines begins below its key.
    let is_block = template.source.trim_end().contains('\n');
    if is_block && FileFormat::of(&suite.files.main) != Some(FileFormat::Json) {
        spot.further_lines = line;
    }
    spot
}
