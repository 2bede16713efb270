//! Chatbots: answers beside the right ones, in the viewer.

use std::path::Path;

use indexmap::IndexMap;
use serde_json::json;
use toolgauge_core::{
    AssistantMessage, Case, CaseId, Cause, Dimension, Judgement, Loss, Message, Outcome, Score,
    ToolMessage, Trial, Verdict,
};
use toolgauge_log::{LogWriter, RunStatus};

use crate::logs::{A, B, run, trial};
use crate::shown::Shown;

/// Two runs of a chatbot: the first answers right, the second wrong.
pub(crate) fn chatbots(folder: &Path) {
    for (name, subject, right) in [(A, "good", true), (B, "worse", false)] {
        let mut run = run(subject, 1, i64::from(right));
        run.cases = [CaseId::new("rent")].into();
        run.scorers = vec!["chatbot".into(), "grounding".into(), "judge".into()];
        let mut writer = LogWriter::create(&folder.join(name), &run).unwrap();
        writer.append(&exchange(right)).unwrap();
        writer.finish(&RunStatus::Success).unwrap();
    }
}

fn exchange(right: bool) -> Trial {
    let mut case = Case::new("rent", "What is the rent of 2A, and until when?");
    case.tags.insert("category".into(), "leases".into());
    case.expectation.answer = serde_json::from_value(json!({
        "tools": ["query_database"],
        "keywords": ["1,450", {"any_of": ["June 30", "2026-06-30"]}],
        "documents": {"leases/2a.md": 1.0},
        "reference": "It is $1,450 a month until June 30.",
        "proof": [{"sql": "SELECT rent FROM leases"}],
    }))
    .unwrap();
    let said = if right { "It is $1,450 until June 30." } else { "It is $1,540 a month." };
    let mut trial = trial(case, 0, right);
    let answer = AssistantMessage { content: said.into(), ..AssistantMessage::default() };
    let rows = json!({"columns": ["unit", "rent"], "rows": [["2A", 1450]], "row_count": 1});
    let returned = ToolMessage {
        call_id: "call_1".into(),
        name: "query_database".into(),
        content: rows.to_string(),
        failed: false,
    };
    trial.transcript.messages = vec![Message::Tool(returned), Message::Assistant(answer)];
    trial.transcript.background.sources = vec!["leases/2a.md".into()];
    trial.transcript.background.judgements = vec![Judgement {
        right: None,
        judge: "umpire".into(),
        value: Some(0.35),
        reasoning: "The figure is another one.".into(),
        criteria: IndexMap::from([("accuracy".to_owned(), 0.2), ("clarity".to_owned(), 0.9)]),
    }];
    trial.outcomes = outcomes(right);
    trial
}

fn outcomes(right: bool) -> IndexMap<String, Outcome> {
    let lost = |cause: Cause, points: f64| Loss::new(cause, points);
    let mut chatbot = Score {
        value: if right { 1.0 } else { 0.2 },
        dimensions: IndexMap::from([
            (Dimension::named("tool_usage"), Verdict::of(right)),
            (Dimension::named("response_quality"), Verdict::of(right)),
        ]),
        measures: IndexMap::from([("keyword_share".to_owned(), f64::from(right))]),
        ..Score::default()
    };
    if !right {
        let any = json!({"any_of": ["June 30", "2026-06-30"]});
        chatbot.losses = vec![
            lost(Cause::MissingCall, 0.4).at_tool("query_database"),
            Loss { expected: Some(json!("1,450")), ..lost(Cause::MissingKeyword, 0.2) },
            Loss { expected: Some(any), ..lost(Cause::MissingKeyword, 0.2) },
        ];
    }
    let claim = Loss { actual: Some(json!("$1,540")), ..lost(Cause::UnsupportedClaim, 1.0) };
    let grounding = Score {
        value: f64::from(right),
        dimensions: IndexMap::from([(Dimension::named("grounded"), Verdict::of(right))]),
        losses: if right { Vec::new() } else { vec![claim] },
        ..Score::default()
    };
    let judge = Score {
        value: 0.35,
        losses: vec![Loss { actual: Some(json!(0.35)), ..lost(Cause::JudgedLower, 0.65) }],
        ..Score::default()
    };
    [("chatbot", chatbot), ("grounding", grounding), ("judge", judge)]
        .map(|(name, score)| (name.to_owned(), Outcome::Scored(score)))
        .into()
}

#[test]
fn an_answer_stands_beside_the_right_one_with_what_is_wrong_marked() {
    let shown = Shown::over(chatbots);
    let page = shown.page(&format!("/run/{B}/case?id=rent"));
    for there in [
        "Expected and answered",
        "It is $1,450 a month until June 30.",
        r#"It is <mark class="bad">$1,540</mark> a month."#,
        "missing keyword &quot;1,450&quot;",
        "<td><bdi>2A</bdi></td>",
        "missing call (query_database)",
        "not used",
        "SELECT rent FROM leases",
        "The figure is another one.",
        "It was $128,450.",
    ] {
        assert!(page.contains(there), "{there} is missing in {page}");
    }
    for gone in ["Calls are not judged", "not expected", "see the losses below"] {
        assert!(!page.contains(gone), "{gone}");
    }
    let right = shown.page(&format!("/run/{A}/case?id=rent"));
    assert!(right.contains(r#"<mark class="good">1,450</mark>"#), "{right}");
}

#[test]
fn both_answers_of_a_flip_stand_side_by_side() {
    let shown = Shown::over(chatbots);
    let page = shown.page(&format!("/compare/case?run={A}&run={B}&id=rent"));
    assert!(page.contains(r#"<mark class="good">1,450</mark>"#), "{page}");
    assert!(page.contains(r#"<mark class="bad">$1,540</mark>"#), "{page}");
}

#[test]
fn of_a_right_trial_nothing_is_lost_whatever_a_judge_found() {
    let shown = Shown::over(chatbots);
    shown.page(&format!("/run/{A}"));
    let rows = shown.page(&format!("/run/{A}/rows?count=10"));
    assert!(rows.contains("rent") && !rows.contains("judged lower"), "{rows}");
    let comparison = shown.page(&format!("/compare?run={A}&run={B}"));
    assert!(comparison.contains("missing keyword"), "{comparison}");
    assert!(!comparison.contains("judged lower"), "{comparison}");
}

#[test]
fn trials_are_found_by_the_verdict_of_a_further_scorer() {
    let shown = Shown::over(chatbots);
    for (log, found) in [(A, false), (B, true)] {
        let page = shown.page(&format!("/run/{log}/cases?dimension=grounded"));
        assert!(page.contains(r#"<option value="grounded" selected"#), "{page}");
        let rows = shown.page(&format!("/run/{log}/rows?dimension=grounded&count=10"));
        assert_eq!(rows.contains("id=rent"), found, "{rows}");
    }
}
