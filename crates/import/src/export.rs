//! Trials of a log in the forms of other tools, one JSON value per line.

use serde_json::{Map, Value, json};
use toolgauge_core::{
    Arguments, ExpectedCall, Message, Outcome, Pattern, Run, Tool, ToolCall, Trial,
};

use crate::field::digest;

/// A form in which trials can be given to other tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportForm {
    /// Chats as OpenAI's services take them for fine-tuning.
    OpenAiJsonl,
    /// Rows of promptfoo.
    Promptfoo,
    /// Rows with an answer and a reference, as agentevals compares them.
    Agentevals,
    /// Spans of OpenTelemetry, in its conventions for generative AI.
    Otlp,
}

impl ExportForm {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::OpenAiJsonl, Self::Promptfoo, Self::Agentevals, Self::Otlp];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAiJsonl => "openai-jsonl",
            Self::Promptfoo => "promptfoo",
            Self::Agentevals => "agentevals",
            Self::Otlp => "otlp",
        }
    }

    /// The form of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }

    /// A trial in this form. `passes` says whether the mark of a scorer is good enough, for forms
    /// that have such a verdict.
    pub fn line(self, run: &Run, trial: &Trial, passes: &dyn Fn(&str, f64) -> bool) -> Value {
        match self {
            Self::OpenAiJsonl => openai(run, trial),
            Self::Promptfoo => promptfoo(run, trial, passes),
            Self::Agentevals => agentevals(run, trial),
            Self::Otlp => otlp(run, trial),
        }
    }
}

/// All messages. Whoever reads OpenAI's form wants each call to have an identifier, so those that
/// came without one are numbered.
fn conversation(trial: &Trial) -> Vec<Value> {
    let messages = trial.case.input.iter().chain(&trial.transcript.messages);
    let mut messages: Vec<Value> = messages.map(Message::to_openai).collect();
    let calls =
        messages.iter_mut().filter_map(|message| message.get_mut("tool_calls")?.as_array_mut());
    for (place, call) in calls.flatten().enumerate() {
        if call["id"].is_null() {
            call["id"] = format!("call_{}", place + 1).into();
        }
    }
    messages
}

fn tools<'a>(run: &'a Run, trial: &'a Trial) -> &'a [Tool] {
    trial.case.tools.as_deref().unwrap_or(&run.tools)
}

fn openai(run: &Run, trial: &Trial) -> Value {
    let mut line = json!({"messages": conversation(trial)});
    let offered = tools(run, trial).iter().map(|tool| {
        let function = json!({"name": tool.name, "description": tool.description, "parameters": tool.parameters});
        json!({"type": "function", "function": function})
    });
    let offered: Vec<Value> = offered.collect();
    if !offered.is_empty() {
        line["tools"] = offered.into();
    }
    line
}

fn promptfoo(run: &Run, trial: &Trial, passes: &dyn Fn(&str, f64) -> bool) -> Value {
    // Logs of other programs do not say which scorer comes first.
    let first = trial.outcomes.first();
    let score = first.and_then(|(_, outcome)| outcome.value());
    let success = first.zip(score).is_some_and(|((name, _), score)| passes(name, score));
    let component = |(name, outcome): (&String, &Outcome)| {
        let score = outcome.score()?;
        Some(json!({
            "pass": passes(name, score.value), "score": score.value, "reason": score.explanation,
            "assertion": {"type": "javascript", "metric": name},
        }))
    };
    let components: Vec<Value> = trial.outcomes.iter().filter_map(component).collect();
    let calls: Vec<Value> = trial.transcript.calls().map(ToolCall::to_openai).collect();
    let text = trial.transcript.final_text();
    let output =
        if calls.is_empty() { json!(text) } else { json!({"content": text, "tool_calls": calls}) };
    let prompt: Vec<Value> = trial.case.input.iter().map(Message::to_openai).collect();
    let usage = trial.transcript.usage();
    // An error of the server is neither passed nor failed there.
    let failure = match &trial.transcript.failure {
        Some(_) => 2,
        None => u8::from(!success),
    };
    json!({
        "promptIdx": 0, "testIdx": 0, "success": success,
        "score": score.unwrap_or_default(), "failureReason": failure,
        "error": trial.transcript.failure.as_ref().map(|failure| &failure.message),
        "provider": {"id": run.subject.name}, "vars": {"case": trial.case.id},
        "prompt": {"raw": Value::from(prompt).to_string(), "label": run.suite.name},
        "testCase": {"description": trial.case.id, "vars": {"case": trial.case.id}, "assert": []},
        "response": {"output": output, "tokenUsage": {"prompt": usage.input, "completion": usage.output}},
        "gradingResult": {"pass": failure == 0, "score": score.unwrap_or_default(), "reason": "", "componentResults": components},
    })
}

/// The arguments of an expected call. A rule becomes the first value that fits it; what may be left
/// out, or has no such value, is left out.
fn example_arguments(call: &ExpectedCall) -> Value {
    let example = |(key, it): (&String, &Pattern)| Some((key.clone(), it.example()?));
    Value::Object(call.arguments.iter().filter_map(example).collect())
}

fn agentevals(run: &Run, trial: &Trial) -> Value {
    let mut reference: Vec<Value> = trial.case.input.iter().map(Message::to_openai).collect();
    let calls = trial.case.expectation.calls.iter().flatten().map(|call| {
        let function = json!({"name": call.name, "arguments": example_arguments(call).to_string()});
        json!({"type": "function", "function": function})
    });
    let calls: Vec<Value> = calls.collect();
    if !calls.is_empty() {
        reference.push(json!({"role": "assistant", "content": "", "tool_calls": calls}));
    }
    let feedback = trial.outcomes.iter().filter_map(|(name, outcome)| {
        let score = outcome.score()?;
        Some((name.clone(), json!({"score": score.value, "comment": score.explanation})))
    });
    json!({
        "id": trial.case.id, "session_name": run.subject.name,
        "inputs": {"messages": trial.case.input.iter().map(Message::to_openai).collect::<Vec<_>>()},
        "outputs": {"messages": conversation(trial)},
        "reference_outputs": {"messages": reference},
        "feedback": feedback.collect::<Map<_, _>>(),
    })
}

fn attribute(key: &str, value: &Value) -> Value {
    let value = match value {
        Value::Number(number) if number.is_f64() => json!({"doubleValue": number}),
        Value::Number(number) => json!({"intValue": number.to_string()}),
        Value::Bool(it) => json!({"boolValue": it}),
        Value::String(text) => json!({"stringValue": text}),
        other => json!({"stringValue": other.to_string()}),
    };
    json!({"key": key, "value": value})
}

fn parts(message: &Message) -> Value {
    match message {
        Message::System { content } => {
            json!({"role": "system", "parts": [{"type": "text", "content": content}]})
        }
        Message::User { content } => {
            json!({"role": "user", "parts": [{"type": "text", "content": content}]})
        }
        Message::Tool(answer) => {
            json!({"role": "tool", "parts": [{"type": "tool_call_response", "id": answer.call_id, "response": answer.content}]})
        }
        Message::Assistant(said) => {
            let text = (!said.content.is_empty())
                .then(|| json!({"type": "text", "content": said.content}));
            let calls = said.calls.iter().map(|call| {
                // What is no object stays the text that was sent, so that it is malformed for
                // whoever reads it.
                let arguments = match &call.arguments {
                    Arguments::Object(object) => Value::Object(object.clone()),
                    Arguments::Malformed { raw, .. } => json!(raw),
                };
                json!({"type": "tool_call", "id": call.id, "name": call.name, "arguments": arguments})
            });
            json!({"role": "assistant", "parts": text.into_iter().chain(calls).collect::<Vec<_>>()})
        }
    }
}

/// Each request of a trace repeats what was said before it. Where that comes to more bytes than
/// this, further requests hold only what is new: a long conversation would be written thousands of
/// times.
const MOST_HISTORY: usize = 16 << 20;

/// A trace: the agent's work, a request for each answer, and what scorers said as events.
fn otlp(run: &Run, trial: &Trial) -> Value {
    let whole = format!("{}/{}/{}", run.id.as_str(), trial.case.id.as_str(), trial.number);
    let trace = format!("{}{}", digest(&whole), digest(&format!("{whole}/trace")));
    let agent = digest(&format!("{whole}/agent"));
    let began = trial.started.as_nanosecond();
    // No span ends before it begins, though an imported trial took no time and a clock may be set back.
    let least = began + trial.transcript.messages.len() as i128;
    let ended = trial.ended.as_nanosecond().max(least);
    let evaluations = trial.outcomes.iter().filter_map(|(name, outcome)| {
        let score = outcome.score()?;
        let attributes = [
            attribute("gen_ai.evaluation.name", &json!(name)),
            attribute("gen_ai.evaluation.score.value", &json!(score.value)),
            attribute("gen_ai.evaluation.explanation", &json!(score.explanation)),
        ];
        Some(json!({"timeUnixNano": ended.to_string(), "name": "gen_ai.evaluation.result", "attributes": attributes}))
    });
    let evaluations: Vec<Value> = evaluations.collect();
    let mut spans = vec![json!({
        "traceId": trace, "spanId": agent, "name": "invoke_agent", "kind": 1,
        "startTimeUnixNano": began.to_string(), "endTimeUnixNano": ended.to_string(),
        "attributes": [
            attribute("gen_ai.operation.name", &json!("invoke_agent")),
            attribute("test.case.id", &json!(trial.case.id)),
        ],
        "events": evaluations,
    })];
    let mut history: Vec<Value> = trial.case.input.iter().map(parts).collect();
    // What the requests so far repeat, in bytes.
    let mut repeated = 0;
    for (place, message) in trial.transcript.messages.iter().enumerate() {
        if matches!(message, Message::Assistant(_)) {
            let usage = trial
                .transcript
                .turns
                .get(spans.len() - 1)
                .map(|turn| turn.usage)
                .unwrap_or_default();
            let asked = Value::from(history.clone()).to_string();
            repeated += asked.len();
            if repeated > MOST_HISTORY {
                history.clear();
            }
            let mut attributes = vec![
                attribute("gen_ai.operation.name", &json!("chat")),
                attribute("gen_ai.request.model", &json!(run.subject.name)),
                attribute("gen_ai.input.messages", &json!(asked)),
                attribute("gen_ai.output.messages", &json!(json!([parts(message)]).to_string())),
            ];
            attributes.extend(
                usage.input.map(|count| attribute("gen_ai.usage.input_tokens", &json!(count))),
            );
            attributes.extend(
                usage.output.map(|count| attribute("gen_ai.usage.output_tokens", &json!(count))),
            );
            spans.push(json!({
                "traceId": trace, "spanId": digest(&format!("{whole}/{place}")), "parentSpanId": agent,
                "name": "chat", "kind": 3, "attributes": attributes,
                // Only the order is known.
                "startTimeUnixNano": (began + place as i128).to_string(),
                "endTimeUnixNano": ended.to_string(),
            }));
        }
        history.push(parts(message));
    }
    let resource = json!({"attributes": [attribute("service.name", &json!("toolgauge")), attribute("toolgauge.suite", &json!(run.suite.name))]});
    json!({"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": {"name": "toolgauge"}, "spans": spans}]}]})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_span_ends_before_it_begins() {
        let run = json!({
            "id": "r", "created": "2026-01-01T00:00:00Z",
            "suite": {"name": "s", "hash": "h", "size": 1},
            "subject": {"name": "m", "provider": "p"},
            "cases": ["a"], "trials": 1, "scorers": [],
            "settings": {}, "program": {"version": "0", "revision": "0"},
        });
        let run: Run = serde_json::from_value(run).unwrap();
        for ended in ["2026-01-01T00:00:00Z", "2025-12-31T23:59:59Z"] {
            let said = json!({"role": "assistant", "content": "Done."});
            let trial = json!({
                "run": "r", "case": {"id": "a", "input": [{"role": "user", "content": "go"}]},
                "number": 1, "transcript": {"messages": [said, said, said]}, "outcomes": {},
                "started": "2026-01-01T00:00:00Z", "ended": ended,
            });
            let trace = otlp(&run, &serde_json::from_value(trial).unwrap());
            let spans = trace["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap();
            let time =
                |span: &Value, key: &str| span[key].as_str().unwrap().parse::<i128>().unwrap();
            let [agent, answers @ ..] = &spans[..] else { panic!("there are spans") };
            assert_eq!(answers.len(), 3);
            for span in spans {
                assert!(time(span, "startTimeUnixNano") <= time(span, "endTimeUnixNano"));
                assert!(time(span, "endTimeUnixNano") <= time(agent, "endTimeUnixNano"));
            }
        }
    }
}
