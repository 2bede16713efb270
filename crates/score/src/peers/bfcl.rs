//! The verdict of the Berkeley Function Calling Leaderboard on one turn.

mod java;
mod javascript;
mod schema;
mod value;

use serde_json::{Map, Value};
use toolgauge_core::{Arguments, Malformation, ToolCall, Transcript};

use self::schema::{FunctionSchema, Language};
use self::value::value_fits;
use super::PeerVerdict;
use super::python::is_empty_text;
use crate::Evidence;

/// Whose rules of reading questions and answers are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edition {
    /// That of 2024: answers are an object, and descriptions are found by part of a name.
    V1,
    /// The present one.
    V4,
}

impl Edition {
    fn scorer(self) -> &'static str {
        match self {
            Self::V1 => "bfcl_v1",
            Self::V4 => "bfcl",
        }
    }
}

/// What the rule needs to know of a case: `expectation.more.bfcl`.
#[derive(Debug)]
struct Question<'a> {
    /// `simple_python`, `live_parallel`; its words decide how calls are compared.
    category: &'a str,
    /// The functions as the question file describes them: a list, or one.
    functions: &'a Value,
    /// The accepted answers as the answer file has them.
    ground_truth: &'a Value,
    /// How a dot in a function's name was sent to the model.
    dots: Dots,
}

impl<'a> Question<'a> {
    /// Only looks: schemas and answers are much longer than what is compared with them.
    fn of(more: &'a Value) -> Option<Self> {
        let dots = match more.get("dots").map(Value::as_str) {
            None | Some(Some("underscore")) => Dots::Underscore,
            Some(Some("keep")) => Dots::Keep,
            Some(_) => return None,
        };
        Some(Self {
            category: more.get("category")?.as_str()?,
            functions: more.get("functions").unwrap_or(&Value::Null),
            ground_truth: more.get("ground_truth").unwrap_or(&Value::Null),
            dots,
        })
    }
}

/// How a dot in a function's name was sent to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dots {
    /// As an underscore, because the server allows no dot.
    Underscore,
    /// As it is.
    Keep,
}

/// Judges the calls of a transcript.
pub(super) fn judge(evidence: &Evidence<'_>, edition: Edition) -> PeerVerdict {
    let more = evidence.case.expectation.more.get(edition.scorer());
    let Some(question) = more.and_then(Question::of) else {
        return PeerVerdict::NothingExpected;
    };
    let calls = decode(evidence.transcript);
    let category = question.category;
    // The first edition calls by the name of relevance what the later ones call irrelevance.
    let is_irrelevance = category.contains("irrelevance")
        || (edition == Edition::V1 && category.contains("relevance"));
    if is_irrelevance {
        let called = match edition {
            Edition::V1 => is_decoded(evidence.transcript),
            Edition::V4 => calls.is_some_and(|calls| !calls.is_empty()),
        };
        return PeerVerdict::of(if called {
            Err("irrelevance_error:decoder_success")
        } else {
            Ok(())
        });
    }
    if category.contains("relevance") {
        let called = calls.is_some_and(|calls| !calls.is_empty());
        return PeerVerdict::of(if called {
            Ok(())
        } else {
            Err("relevance_error:decoder_failed")
        });
    }
    if let Some(why) = needs_the_tool(category, edition) {
        return PeerVerdict::Elsewhere(why);
    }
    let Some(calls) = calls else { return PeerVerdict::of(Err("ast_decoder:decoder_failed")) };
    let Some(golds) = golds(&question, edition) else { return PeerVerdict::NothingExpected };
    PeerVerdict::of(compare(&calls, &golds, &question))
}

/// Why the verdict of a category cannot be computed here.
fn needs_the_tool(category: &str, edition: Edition) -> Option<&'static str> {
    if category.contains("multi_turn") {
        return Some("the verdict on several turns needs BFCL's own back ends");
    }
    if category.starts_with("memory") || category.starts_with("web_search") {
        return Some("the verdict on an agent needs BFCL's own tools");
    }
    if category.starts_with("executable") || category.starts_with("rest") {
        return Some("the verdict on calls that were carried out needs BFCL's own tools");
    }
    let foreign = category.contains("java");
    (foreign && edition == Edition::V1).then_some("the first edition converts Java otherwise")
}

/// The calls by name with their arguments; `None` if one of them cannot be read.
fn decode(transcript: &Transcript) -> Option<Vec<(&str, &Map<String, Value>)>> {
    let read = |call: &'_ ToolCall| Some(call.arguments.as_object()).flatten().is_some();
    if !transcript.calls().all(read) {
        return None;
    }
    transcript.calls().map(|call| Some((call.name.as_str(), call.arguments.as_object()?))).collect()
}

/// Whether there are calls that the first edition can read: there arguments may be any JSON value.
fn is_decoded(transcript: &Transcript) -> bool {
    let is_json = |call: &ToolCall| match &call.arguments {
        Arguments::Object(_) => true,
        Arguments::Malformed { why: Malformation::NotAnObject(_), .. } => !call.name.is_empty(),
        Arguments::Malformed { .. } => false,
    };
    transcript.calls().next().is_some() && transcript.calls().all(is_json)
}

/// An accepted call, with the description of its function.
struct Gold<'a> {
    /// Nothing fits a gold whose function is not described.
    schema: Option<FunctionSchema<'a>>,
    /// The accepted values of each argument.
    arguments: Option<&'a Map<String, Value>>,
}

fn golds<'a>(question: &Question<'a>, edition: Edition) -> Option<Vec<Gold<'a>>> {
    let described: &'a [Value] = match question.functions {
        Value::Array(functions) => functions,
        one => std::slice::from_ref(one),
    };
    let is_list = question.functions.is_array();
    let by_place =
        |category: &str| !category.contains("parallel") && !category.contains("multiple");
    let gold = |(name, arguments): (&'a String, &'a Value)| {
        let named = |function: &&Value| {
            let described = function.get("name").and_then(Value::as_str);
            match edition {
                Edition::V1 => described.is_some_and(|described| name.contains(described)),
                Edition::V4 => described == Some(name.as_str()),
            }
        };
        let function = match edition {
            Edition::V1 if !is_list => described.first(),
            Edition::V4 if by_place(question.category) => described.first(),
            _ => described.iter().find(named),
        };
        let language = Language::of(question.category);
        let schema = function.and_then(|function| FunctionSchema::of(function, language));
        Gold { schema, arguments: arguments.as_object() }
    };
    match question.ground_truth {
        Value::Object(golds) => Some(golds.iter().map(gold).collect()),
        Value::Array(golds) => {
            golds.iter().map(|entry| entry.as_object()?.iter().next().map(gold)).collect()
        }
        _ => None,
    }
}

/// Holds the calls against the accepted ones.
fn compare(
    calls: &[(&str, &Map<String, Value>)],
    golds: &[Gold<'_>],
    question: &Question<'_>,
) -> Result<(), &'static str> {
    let category = question.category;
    if category.contains("parallel") || category.contains("multiple") {
        if calls.len() != golds.len() {
            return Err(if category.contains("parallel") {
                "parallel_function_checker_no_order:wrong_count"
            } else {
                "multiple_function_checker:wrong_count"
            });
        }
        return in_any_order(calls, golds, question.dots);
    }
    match (calls, golds) {
        ([call], [gold, ..]) => fits(*call, gold, question.dots),
        _ => Err("simple_function_checker:wrong_count"),
    }
}

/// Each accepted call takes the first call left over that fits it, even where another choice
/// would leave more for the rest.
fn in_any_order(
    calls: &[(&str, &Map<String, Value>)],
    golds: &[Gold<'_>],
    dots: Dots,
) -> Result<(), &'static str> {
    let mut is_taken = vec![false; calls.len()];
    for gold in golds {
        let mut why = "parallel_function_checker_no_order:cannot_find_match";
        let found = (0..calls.len()).find(|place| {
            !is_taken[*place]
                && fits(calls[*place], gold, dots)
                    // With one accepted call the tool names what is wrong with it.
                    .inspect_err(|error| why = if golds.len() == 1 { error } else { why })
                    .is_ok()
        });
        match found {
            Some(place) => is_taken[place] = true,
            None => return Err(why),
        }
    }
    Ok(())
}

/// Whether a call is an accepted one.
fn fits(
    (name, given): (&str, &Map<String, Value>),
    gold: &Gold<'_>,
    dots: Dots,
) -> Result<(), &'static str> {
    let (Some(schema), Some(accepted)) = (&gold.schema, gold.arguments) else {
        return Err("parallel_function_checker_no_order:cannot_find_description");
    };
    let right = match dots {
        Dots::Keep => schema.name == name,
        Dots::Underscore => {
            let told = schema.name.bytes().map(|byte| if byte == b'.' { b'_' } else { byte });
            told.eq(name.bytes())
        }
    };
    if !right {
        return Err("simple_function_checker:wrong_func_name");
    }
    if schema.required().any(|required| !given.contains_key(required)) {
        return Err("simple_function_checker:missing_required");
    }
    for (argument, value) in given {
        let alternatives = accepted.get(argument).and_then(Value::as_array);
        match (schema.parameter(argument), alternatives) {
            (Some(parameter), Some(alternatives)) => value_fits(value, alternatives, &parameter)?,
            _ => return Err("simple_function_checker:unexpected_param"),
        }
    }
    let may_be_left_out = |alternatives: &Value| {
        alternatives.as_array().is_some_and(|values| values.iter().any(is_empty_text))
    };
    let missing = |(argument, alternatives): (&String, &Value)| {
        !given.contains_key(argument) && !may_be_left_out(alternatives)
    };
    if accepted.iter().any(missing) {
        return Err("simple_function_checker:missing_optional");
    }
    Ok(())
}
