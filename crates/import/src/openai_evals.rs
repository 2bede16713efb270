//! Logs of OpenAI's evals: a line about the eval, events, and a line with the final report.

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::Value;
use toolgauge_core::{
    AssistantMessage, CallOrigin, Case, ExpectedAnswer, Message, ToolCall, Transcript,
};

use crate::field::{list, name, recorded, text};
use crate::imported::ImportedTrials;
use crate::records::Records;
use crate::{ImportError, ImportedHead, ImportedRun, ImportedTrial, ResultKind, chat};

/// A log of one run.
struct EvalsRun {
    head: ImportedHead,
    samples: IndexMap<String, Sample>,
}

/// What the events say of one sample.
#[derive(Clone, Debug, Default)]
struct Sample {
    asked: Vec<Message>,
    said: Vec<Message>,
    correct: Option<Value>,
    expected: Option<String>,
    picked: String,
}

/// The run in a log.
pub(crate) fn find_runs(path: &Path) -> Result<Vec<Box<dyn ImportedRun>>, ImportError> {
    let mut head = ImportedHead {
        suite: "openai-evals".to_owned(),
        label: None,
        model: "unknown".to_owned(),
        scorer: "match",
        further: &[],
        warnings: vec!["the log has no final report: the run was not finished".to_owned()],
    };
    let mut samples: IndexMap<String, Sample> = IndexMap::new();
    for record in Records::open(path, ResultKind::OpenAiEvals, None, &[])? {
        let record = record?;
        if let Some(spec) = record.get("spec") {
            head.suite =
                text(spec, "base_eval").or(text(spec, "eval_name")).map_or(head.suite, Into::into);
            head.label = text(spec, "run_id").map(str::to_owned);
            let model = list(spec, "completion_fns").first().map(|model| name(Some(model)));
            head.model = model.filter(|model| !model.is_empty()).unwrap_or(head.model);
        } else if record.get("final_report").is_some() {
            head.warnings.clear();
        } else if let Some(id) = text(&record, "sample_id") {
            let data = record.get("data").unwrap_or(&Value::Null);
            let kind = text(&record, "type").unwrap_or_default();
            samples.entry(id.to_owned()).or_default().add(kind, data);
        }
    }
    Ok(vec![Box::new(EvalsRun { head, samples })])
}

impl Sample {
    fn add(&mut self, kind: &str, data: &Value) {
        match kind {
            "sampling" => {
                if self.asked.is_empty() {
                    self.asked = match data.get("prompt") {
                        Some(Value::String(text)) => vec![Message::user(text)],
                        Some(messages) => chat::messages(messages),
                        None => Vec::new(),
                    };
                }
                let sampled = match data.get("sampled") {
                    Some(Value::Array(several)) => several.first().cloned(),
                    other => other.cloned(),
                };
                let content = name(sampled.as_ref());
                let said = AssistantMessage { content, ..AssistantMessage::default() };
                self.said.push(Message::Assistant(said));
            }
            "function_call" => {
                let calls = vec![ToolCall {
                    id: None,
                    name: text(data, "name").unwrap_or_default().to_owned(),
                    arguments: chat::arguments(data.get("arguments")),
                    origin: CallOrigin::Structured,
                }];
                let said = AssistantMessage { calls, ..AssistantMessage::default() };
                self.said.push(Message::Assistant(said));
            }
            "match" => {
                self.correct = data.get("correct").cloned();
                self.expected = data.get("expected").map(|it| name(Some(it)));
                self.picked = name(data.get("picked"));
            }
            _ => {}
        }
    }

    fn trial(&self, id: &str) -> ImportedTrial {
        let mut case = Case { input: self.asked.clone(), ..Case::new(id, "") };
        if let Some(reference) = self.expected.clone() {
            let answer = ExpectedAnswer { reference: Some(reference), ..Default::default() };
            case.expectation.answer = Some(Box::new(answer));
        }
        let mut transcript = Transcript { messages: self.said.clone(), ..Transcript::default() };
        if let Some(correct) = &self.correct {
            let reason = format!("picked {}", self.picked);
            transcript.background.recorded.push(recorded("match", correct, &reason));
        }
        ImportedTrial { case: Arc::new(case), number: 1, transcript }
    }
}

impl ImportedRun for EvalsRun {
    fn head(&self) -> &ImportedHead {
        &self.head
    }

    fn trials(&self) -> ImportedTrials<'_> {
        Box::new(self.samples.iter().map(|(id, sample)| Ok(sample.trial(id))))
    }
}
