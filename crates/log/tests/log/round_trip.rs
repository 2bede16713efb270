//! What is written to a log comes back from it.

use proptest::prelude::*;
use serde_json::{Value, json};
use toolgauge_core::{
    AcceptedWay, Arguments, AssistantMessage, Background, Case, Cause, Dimension, FailureKind,
    Judgement, KeywordLikeness, Loss, Message, Outcome, RecordedVerdict, SchemaViolation, Score,
    StateChange, ToolCall, ToolMessage, ToolTime, Transcript, Trial, TrialFailure, Turn,
    UnscoredReason, Verdict,
};
use toolgauge_log::{Log, LogWriter, RunStatus, TrialRecord, TrialSummary};

use crate::trials;

/// Writes trials to a log of their own.
pub(crate) fn write(folder: &std::path::Path, trials: &[Trial]) -> std::path::PathBuf {
    let path = folder.join("log.eval");
    let run = trials::run(trials, 2);
    let mut writer = LogWriter::create(&path, &run).unwrap();
    for trial in trials {
        writer.append(trial).unwrap();
    }
    writer.finish(&RunStatus::Success).unwrap()
}

#[test]
fn a_run_and_its_trials_come_back_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let trials = trials::odd_trials();
    let log = Log::open(&write(folder.path(), &trials)).unwrap();
    assert!(log.is_own() && log.is_finished());
    assert_eq!(log.run(), &trials::run(&trials, 2));
    assert_eq!(log.len(), trials.len());
    for trial in &trials {
        assert_eq!(&log.trial(&trial.id()).unwrap(), trial);
    }
    let read: Vec<_> = log.trials().map(Result::unwrap).collect();
    assert_eq!(read, trials);
    let summaries: Vec<_> = log.summaries().map(Result::unwrap).collect();
    assert_eq!(summaries, trials.iter().map(TrialSummary::of).collect::<Vec<_>>());
}

#[test]
fn trials_are_gathered_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let trials = trials::odd_trials();
    let log = Log::open(&write(folder.path(), &trials)).unwrap();
    let mut gathered = Vec::new();
    let add = |made: &mut Vec<String>, trial: Result<TrialRecord<'_>, _>| {
        made.push(trial.unwrap().case.into_owned());
    };
    let take = |made: Vec<String>| {
        gathered.extend(made);
        Ok::<(), ()>(())
    };
    log.gather(Vec::new, add, take).unwrap();
    assert_eq!(gathered, trials.iter().map(|trial| trial.case.id.as_str()).collect::<Vec<_>>());
}

#[test]
fn a_case_keeps_its_own_tools_and_a_transcript_its_recorded_verdicts() {
    let folder = tempfile::tempdir().unwrap();
    let tool = json!({"name": "f", "description": "d", "parameters": {"type": "object"}});
    let tools: Vec<toolgauge_core::Tool> = serde_json::from_value(json!([tool])).unwrap();
    let mut trial = trials::odd_trials().remove(0);
    let case = Case { tools: Some(tools.into()), ..Case::clone(&trial.case) };
    trial.case = std::sync::Arc::new(case);
    let verdict = RecordedVerdict::of("bfcl", false).because("wrong_count");
    trial.transcript.background.recorded.push(verdict);
    let log = Log::open(&write(folder.path(), std::slice::from_ref(&trial))).unwrap();
    assert_eq!(log.trial(&trial.id()).unwrap(), trial);
}

/// Trials made of whatever text and numbers proptest thinks of.
pub(crate) fn any_trial() -> impl Strategy<Value = Trial> {
    let text = || any::<String>();
    let call = (proptest::option::of(text()), text(), text(), any::<f64>(), any::<i64>());
    let call = call.prop_map(|(id, name, raw, real, whole)| {
        let mut arguments = serde_json::Map::new();
        arguments.insert(raw.clone(), serde_json::json!([real, whole, raw]));
        let arguments = match raw.len() % 3 {
            0 => Arguments::from_text(&raw),
            _ => Arguments::Object(arguments),
        };
        ToolCall { id, arguments, ..ToolCall::new(name, serde_json::Map::new()) }
    });
    let said = (text(), proptest::option::of(text()), proptest::collection::vec(call, 0..3));
    let said = said.prop_map(|(content, reasoning, calls)| {
        Message::Assistant(AssistantMessage { content, reasoning, calls })
    });
    let tool =
        (text(), text(), text(), any::<bool>()).prop_map(|(call_id, name, content, failed)| {
            Message::Tool(ToolMessage { call_id, name, content, failed })
        });
    let message = prop_oneof![
        3 => said,
        1 => tool,
        1 => text().prop_map(Message::user),
        1 => text().prop_map(Message::system),
    ];
    let messages = || proptest::collection::vec(message.clone(), 0..6);
    let background = proptest::collection::vec(text(), 0..3).prop_map(|texts| Background {
        says_no_tools: texts.is_empty(),
        tool_times: texts.iter().map(|tool| tool_time(tool)).collect(),
        violations: texts.iter().map(|tool| violation(tool)).collect(),
        judgements: texts.iter().map(|words| judgement(words)).collect(),
        changes: texts.iter().map(|words| change(words)).collect(),
        observed: texts.iter().map(|words| change(words)).collect(),
        recorded: texts.iter().map(|text| RecordedVerdict::of(text, true).because(text)).collect(),
        likeness: texts.iter().map(|words| likeness(words)).collect(),
        proved: texts.clone(),
        sources: texts,
    });
    let scores = proptest::collection::vec((text(), 0.0..=1.0_f64, any::<f32>()), 0..3);
    (text(), messages(), messages(), background, scores, any::<u64>(), 1..9_u32).prop_map(
        |(id, input, messages, background, scores, tokens, number)| {
            let mut case = Case::new(id.as_str(), "");
            case.input = input;
            case.tags.insert(id.clone(), id.clone());
            case.group = (number > 4).then(|| id.clone());
            let turns = [Turn {
                request: Some(serde_json::json!({ id.as_str(): tokens })),
                address: Some(id),
                ..trials::turn()
            }];
            let transcript = Transcript {
                messages,
                turns: turns[..number as usize % 2].to_vec(),
                failure: None,
                background,
            };
            let mut trial = trials::trial(case, transcript);
            trial.number = number;
            for (name, value, measure) in scores {
                let outcome = outcome(&name, value, measure);
                trial.outcomes.insert(name, outcome);
            }
            trial
        },
    )
}

fn outcome(name: &str, value: f64, measure: f32) -> Outcome {
    if name.len() % 5 == 4 {
        let failure = TrialFailure { kind: FailureKind::Server, message: name.to_owned() };
        return Outcome::Unscored(UnscoredReason::Failed(failure));
    }
    let measures = [(name.to_owned(), f64::from(measure))];
    let way = [None, Some(AcceptedWay::AsWritten), Some(AcceptedWay::Alternative(3))];
    let loss = Loss { actual: Some(json!(name)), ..Loss::new(Cause::WrongTool, value) };
    Outcome::Scored(Score {
        value,
        dimensions: [(Dimension::named(name), Verdict::NotApplicable)].into(),
        measures: measures.into_iter().filter(|(_, n)| n.is_finite()).collect(),
        way: way[name.len() % 3],
        losses: vec![loss.at_tool(name)],
        explanation: name.to_owned(),
        ..Score::default()
    })
}

fn violation(tool: &str) -> SchemaViolation {
    SchemaViolation { tool: tool.into(), keyword: "required".into(), count: 2 }
}

fn tool_time(tool: &str) -> ToolTime {
    ToolTime {
        tool: tool.into(),
        time: std::time::Duration::from_millis(250),
        within_turn: tool.len() % 2 == 1,
    }
}

fn change(words: &str) -> StateChange {
    let values = [Value::Null, json!(words), json!([words, 1.5]), json!(words.len())];
    let value = |at: usize| values[(words.len() + at) % values.len()].clone();
    let expected = (!words.len().is_multiple_of(2)).then(|| value(2));
    StateChange {
        thing: words.into(),
        property: words.chars().skip(1).collect(),
        before: value(0),
        after: value(1),
        expected,
    }
}

fn likeness(words: &str) -> KeywordLikeness {
    let similarity = words.len().is_multiple_of(2).then_some(0.25);
    KeywordLikeness { keyword: words.to_owned(), similarity, said: words.to_owned() }
}

fn judgement(words: &str) -> Judgement {
    Judgement { judge: words.into(), value: Some(0.5), ..Judgement::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_trial_comes_back_as_it_was(trial in any_trial()) {
        let folder = tempfile::tempdir().unwrap();
        let log = Log::open(&write(folder.path(), std::slice::from_ref(&trial))).unwrap();
        prop_assert_eq!(log.trial(&trial.id()).unwrap(), trial.clone());
        let summary = log.summaries().next().unwrap().unwrap();
        prop_assert_eq!(summary, TrialSummary::of(&trial));
    }
}
