//! Reads the suite file: everything about a suite but the cases themselves.

use std::collections::HashSet;
use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Map, Value};
use toolgauge_core::{ArgumentRules, Case, CaseId};

use crate::case_files::CaseCollector;
use crate::expectation_form::read_rules;
use crate::fields::{FieldNames, ObjectFields, kind};
use crate::more_form::check_more;
use crate::nearest::nearest;
use crate::reply_form::read_replies;
use crate::sampling_form::read_sampling;
use crate::solver_form::read_solver;
use crate::suite::{Suite, SystemTemplate, TemplatePlace, Variant, WorldSpec};
use crate::suite_reader::SuiteReader;
use crate::tool_files::read_tools;
use crate::trail::{Origin, Trail};

pub(crate) static SUITE: FieldNames = FieldNames {
    noun: "a suite",
    fields: &[
        "name",
        "description",
        "version",
        "world",
        "tools",
        "replies",
        "system",
        "variables",
        "solver",
        "scorers",
        "rules",
        "more",
        "variants",
        "trials",
        "latency_budget",
        "quick",
        "sampling",
        "cases",
        "$schema",
    ],
    synonyms: &[
        ("prompt", "system"),
        ("system_prompt", "system"),
        ("scorer", "scorers"),
        ("temperature", "sampling"),
        ("defaults", "sampling"),
        ("epochs", "trials"),
        ("max_latency", "latency_budget"),
        ("functions", "tools"),
        ("tests", "cases"),
        ("samples", "cases"),
    ],
};

pub(crate) static VARIANT: FieldNames = FieldNames {
    noun: "a variant",
    fields: &["description", "system", "variables", "tools", "sampling", "world"],
    synonyms: &[("prompt", "system"), ("temperature", "sampling")],
};

static TEMPLATE_FILE: FieldNames =
    FieldNames { noun: "a reference to a template", fields: &["file"], synonyms: &[] };

/// Reads a suite as far as it can be read.
pub(crate) fn read_suite(reader: &SuiteReader, value: Value) -> Option<Suite> {
    let trail = Origin::document(0).trail();
    let mut fields = ObjectFields::open(value, &SUITE, &trail, &reader.findings)?;
    // A tool that could not be read must not be reported as missing by every case that calls it.
    let before_tools = reader.findings.len();
    let (tools, tool_origins) = read_tools(reader, fields.take("tools"), &trail.key("tools"));
    let all_tools_read = reader.findings.len() == before_tools;
    let rules = match fields.take("rules") {
        Some(rules) => {
            read_rules(rules, ArgumentRules::default(), &trail.key("rules"), &reader.findings)
        }
        None => ArgumentRules::default(),
    };
    let more = fields.object("more").unwrap_or_default();
    check_more(&more, &trail.key("more"), &reader.findings);
    let mut collector = CaseCollector::new(reader, rules, &more);
    match fields.take("cases") {
        Some(cases) => collector.read(cases, &trail.key("cases")),
        None => fields.missing("cases", "write a list of cases, or the name of a file"),
    }
    let CaseCollector { cases, origins, .. } = collector;
    let system = fields.take("system").and_then(|system| {
        read_template(reader, system, &trail.key("system"), TemplatePlace::Inline)
    });
    Some(Suite {
        name: read_name(&mut fields).unwrap_or_default(),
        description: fields.text("description").unwrap_or_default(),
        version: fields.text("version"),
        hash: String::new(),
        world: read_world(&mut fields),
        tools,
        replies: read_replies(&mut fields),
        system,
        variables: fields.object("variables").unwrap_or_default(),
        solver: read_solver(&mut fields),
        scorers: read_names(&mut fields, "scorers").unwrap_or_default(),
        rules,
        variants: read_variants(reader, &mut fields),
        trials: fields
            .whole("trials", 1)
            .map_or(1, |trials| u32::try_from(trials).unwrap_or(u32::MAX)),
        latency_budget: fields.amount("latency_budget").filter(|seconds| *seconds > 0.0),
        quick: read_quick(&mut fields, &cases),
        sampling: read_sampling(fields.take("sampling"), &trail.key("sampling"), reader),
        cases,
        origins,
        file_names: Vec::new(),
        files: reader.files.clone(),
        tool_origins,
        all_tools_read,
    })
}

/// Reads the cases of a quick run, each of which must be there.
fn read_quick(fields: &mut ObjectFields<'_>, cases: &[Arc<Case>]) -> Vec<CaseId> {
    let trail = fields.trail.key("quick");
    let names = read_names(fields, "quick").unwrap_or_default();
    let known: HashSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    for (index, name) in names.iter().enumerate().filter(|(_, name)| !known.contains(name.as_str()))
    {
        let message = format!("there is no case `{}`", name.escape_debug());
        match nearest(name, cases.iter().map(|case| case.id.as_str())) {
            Some(near) => {
                let hint = format!("did you mean `{near}`?");
                fields.findings.error_with(&trail.index(index), message, hint);
            }
            None => fields.findings.error(&trail.index(index), message),
        }
    }
    names.iter().map(CaseId::new).collect()
}

pub(crate) fn read_name(fields: &mut ObjectFields<'_>) -> Option<String> {
    let name = fields.required_text("name", "results are filed under it: `name: my-suite`")?;
    let good = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if !name.chars().all(good) {
        let hint = "it takes letters, digits, `-`, `_` and `.`".to_owned();
        let message = format!("`{}` cannot be the name of a suite", name.escape_debug());
        fields.findings.error_with(&fields.trail.key("name"), message, hint);
    }
    Some(name)
}

fn read_world(fields: &mut ObjectFields<'_>) -> WorldSpec {
    match fields.take("world") {
        None => WorldSpec::default(),
        Some(Value::String(kind)) => WorldSpec { kind, config: Map::new() },
        Some(Value::Object(mut config)) => {
            if let Some(Value::String(kind)) = config.shift_remove("kind") {
                return WorldSpec { kind, config };
            }
            let hint = "write `world: {kind: declared}`".to_owned();
            let trail = fields.trail.key("world");
            fields.findings.error_with(&trail, "a world names its `kind`", hint);
            WorldSpec::default()
        }
        Some(other) => {
            let message = format!("`world` is {}, but should be a word or a mapping", kind(&other));
            fields.findings.error(&fields.trail.key("world"), message);
            WorldSpec::default()
        }
    }
}

/// Reads a list of names, or one name alone.
pub(crate) fn read_names(fields: &mut ObjectFields<'_>, key: &str) -> Option<Vec<String>> {
    let trail = fields.trail.key(key);
    let items = match fields.take(key)? {
        Value::String(name) => return Some(vec![name]),
        Value::Array(items) => items,
        other => {
            let message = format!("`{key}` is {}, but should be a list of names", kind(&other));
            fields.findings.error(&trail, message);
            return None;
        }
    };
    let mut names = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        match item {
            Value::String(name) => names.push(name),
            other => {
                let message = format!("this is {}, but should be a name", kind(&other));
                fields.findings.error(&trail.index(index), message);
            }
        }
    }
    Some(names)
}

fn read_template(
    reader: &SuiteReader,
    value: Value,
    trail: &Trail<'_>,
    inline: TemplatePlace,
) -> Option<SystemTemplate> {
    match value {
        Value::String(source) => Some(SystemTemplate { source, written: inline }),
        value => {
            let mut fields = ObjectFields::open(value, &TEMPLATE_FILE, trail, &reader.findings)?;
            let path = fields.required_text("file", "name the file of the template")?;
            let (number, source) = reader.text(&path, &trail.key("file"))?;
            Some(SystemTemplate { source, written: TemplatePlace::File(number) })
        }
    }
}

fn read_variants(reader: &SuiteReader, fields: &mut ObjectFields<'_>) -> IndexMap<String, Variant> {
    let trail = fields.trail.key("variants");
    let mut variants = IndexMap::new();
    for (name, value) in fields.object("variants").unwrap_or_default() {
        let here = trail.key(&name);
        let Some(mut fields) = ObjectFields::open(value, &VARIANT, &here, &reader.findings) else {
            continue;
        };
        let inline = TemplatePlace::Variant(name.clone());
        let system = fields.take("system");
        let variant = Variant {
            description: fields.text("description").unwrap_or_default(),
            system: system
                .and_then(|value| read_template(reader, value, &here.key("system"), inline)),
            variables: fields.object("variables").unwrap_or_default(),
            tools: read_names(&mut fields, "tools"),
            sampling: read_sampling(fields.take("sampling"), &here.key("sampling"), reader),
            world: fields.object("world").unwrap_or_default(),
        };
        variants.insert(name, variant);
    }
    variants
}
