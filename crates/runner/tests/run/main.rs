//! What a run promises, on subjects that answer from a closure and a clock that stands still.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use indexmap::IndexMap;
use serde_json::{Map, json};
use toolgauge_core::{Answer, Reply, Request, Subject};
use toolgauge_core::{
    AssistantMessage, Case, ExpectedCall, FailureKind, Message, Outcome, Pattern, SubjectIdentity,
    Tool, ToolCall, Trial, TrialFailure, TrialId, Turn, UnscoredReason,
};
use toolgauge_home_assistant::{HomeAssistantWorld, Inventory};
use toolgauge_runner::{
    Allowance, Arm, Briefings, Ending, EventSink, Patience, Plan, Procedure, RunEvent, RunLimits,
    SinkError, Solver, StopSignal, run,
};
use toolgauge_score::Scorer;
use toolgauge_world::{DeclaredWorld, World};

type Respond = dyn Fn(&Request<'_>) -> Result<AssistantMessage, TrialFailure> + Send + Sync;

/// A subject that answers from a closure, after a while.
struct Scripted {
    delay: fn(&TrialId) -> Duration,
    respond: Box<Respond>,
}

impl Subject for Scripted {
    fn identity(&self) -> SubjectIdentity {
        SubjectIdentity { name: "scripted".into(), provider: "test".into(), base_url: None }
    }

    fn answer<'a>(&'a self, request: Request<'a>) -> Answer<'a> {
        Box::pin(async move {
            tokio::time::sleep((self.delay)(request.trial)).await;
            let message = (self.respond)(&request)?;
            Ok(Reply::new(message, Turn::default()))
        })
    }
}

#[derive(Default)]
struct Recorder {
    trials: Vec<(usize, Trial)>,
    waits: usize,
}

impl EventSink for Recorder {
    fn on_event(&mut self, event: &RunEvent) -> Result<(), SinkError> {
        match event {
            RunEvent::TrialFinished { arm, trial } => self.trials.push((*arm, (**trial).clone())),
            RunEvent::Waiting { .. } => self.waits += 1,
            _ => {}
        }
        Ok(())
    }
}

fn cases(count: usize) -> Vec<Arc<Case>> {
    let case = |number| {
        let mut case = Case::new(format!("case-{number}").as_str(), format!("say {number}"));
        let arguments = IndexMap::from([("n".into(), Pattern::Scalar(json!(number)))]);
        case.expectation.calls = Some(vec![ExpectedCall { name: "say".into(), arguments }]);
        Arc::new(case)
    };
    (0..count).map(case).collect()
}

fn arm(subject: Scripted, cases: &[Arc<Case>]) -> Arm {
    let tool = Tool { name: "say".into(), description: String::new(), parameters: json!({}) };
    let world = DeclaredWorld::new(vec![tool], IndexMap::new());
    let mut briefings = Briefings::default();
    let briefings = cases.iter().map(|case| briefings.share(None, world.tools(case))).collect();
    Arm { subject: Arc::new(subject), world: Arc::new(world), briefings }
}

/// Calls the tool with the number it was asked for; every third answer is wrong.
#[expect(clippy::unnecessary_wraps, reason = "the shape of an answer that can fail")]
fn mostly_right(request: &Request<'_>) -> Result<AssistantMessage, TrialFailure> {
    let Some(Message::User { content }) = request.conversation.last() else {
        return Ok(AssistantMessage { content: "done".into(), ..Default::default() });
    };
    let number: u64 = content.rsplit(' ').next().unwrap().parse().unwrap();
    let said = if number.is_multiple_of(3) { number + 1 } else { number };
    let call = ToolCall::new("say", Map::from_iter([("n".into(), json!(said))]));
    Ok(AssistantMessage { calls: vec![call], ..Default::default() })
}

fn procedure(solver: Solver) -> Procedure {
    let scorer = Scorer::by_name("tool_calls").expect("the default scorer exists");
    Procedure { solver, scorers: vec![scorer], judge: None, likeness: None, trials: 1 }
}

fn plan(subject: Scripted, cases: &[Arc<Case>], solver: Solver) -> Plan {
    Plan::new(vec![arm(subject, cases)], cases, procedure(solver), &[])
}

fn limits(concurrency: usize) -> RunLimits {
    RunLimits { concurrency: NonZeroUsize::new(concurrency).unwrap(), ..RunLimits::default() }
}

/// Later cases answer sooner, so that the order of ends differs from that of starts.
fn backwards(trial: &TrialId) -> Duration {
    let number: u64 = trial.case.as_str().rsplit('-').next().unwrap().parse().unwrap();
    Duration::from_millis(1000 - number * 7 % 1000)
}

async fn values(concurrency: usize) -> Vec<(TrialId, Option<f64>)> {
    let subject = Scripted { delay: backwards, respond: Box::new(mostly_right) };
    let plan = plan(subject, &cases(40), Solver::Capture);
    let mut recorder = Recorder::default();
    run(&plan, &limits(concurrency), &StopSignal::default(), &mut recorder).await.unwrap();
    let value =
        |(_, trial): &(usize, Trial)| (trial.id(), trial.outcome().and_then(Outcome::value));
    let mut values: Vec<_> = recorder.trials.iter().map(value).collect();
    values.sort_by(|a, b| a.0.cmp(&b.0));
    values
}

#[tokio::test(start_paused = true)]
async fn the_same_replies_give_the_same_results_at_any_concurrency() {
    let alone = values(1).await;
    assert_eq!(alone.len(), 40);
    assert_eq!(alone.iter().filter(|(_, value)| *value == Some(1.0)).count(), 26);
    assert_eq!(values(7).await, alone);
    assert_eq!(values(64).await, alone);
}

/// A subject that keeps a thread busy for a while rather than wait.
fn busy(request: &Request<'_>) -> Result<AssistantMessage, TrialFailure> {
    std::thread::sleep(backwards(request.trial) / 100);
    mostly_right(request)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn trials_that_are_spread_over_threads_are_reported_in_the_order_of_the_plan() {
    let subject = Scripted { delay: |_| Duration::ZERO, respond: Box::new(busy) };
    let cases = cases(40);
    let plan = plan(subject, &cases, Solver::Capture);
    let mut recorder = Recorder::default();
    let limits = RunLimits { spread: true, ..limits(8) };
    let ending = run(&plan, &limits, &StopSignal::default(), &mut recorder).await.unwrap();
    assert_eq!(ending, Ending::Complete);
    let ids: Vec<&str> = recorder.trials.iter().map(|(_, trial)| trial.case.id.as_str()).collect();
    let planned: Vec<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(ids, planned);
    let right =
        |(_, trial): &&(usize, Trial)| trial.outcome().and_then(Outcome::value) == Some(1.0);
    assert_eq!(recorder.trials.iter().filter(right).count(), 26);
}

/// Takes its time with each trial, and notes how many were put to the subject meanwhile.
struct SlowSink {
    asked: Arc<AtomicUsize>,
    seen: Vec<usize>,
}

impl EventSink for SlowSink {
    fn on_event(&mut self, event: &RunEvent) -> Result<(), SinkError> {
        if let RunEvent::TrialFinished { .. } = event {
            std::thread::sleep(Duration::from_millis(200));
            self.seen.push(self.asked.load(Ordering::SeqCst));
        }
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn spread_trials_go_on_while_those_that_ended_are_reported() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let respond = move |request: &Request<'_>| {
        counted.fetch_add(1, Ordering::SeqCst);
        mostly_right(request)
    };
    let subject = Scripted { delay: |_| Duration::ZERO, respond: Box::new(respond) };
    let plan = plan(subject, &cases(8), Solver::Capture);
    let mut sink = SlowSink { asked, seen: Vec::new() };
    let limits = RunLimits { spread: true, ..limits(4) };
    run(&plan, &limits, &StopSignal::default(), &mut sink).await.unwrap();
    // With the second, third and fourth report another trial each is under way.
    assert_eq!(sink.seen[..4], [4, 5, 6, 7]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn spread_trials_that_all_fail_alike_stop_the_run() {
    let subject = Scripted { delay: |_| Duration::ZERO, respond: Box::new(|_| Err(not_found())) };
    let plan = plan(subject, &cases(40), Solver::Capture);
    let limits = RunLimits { spread: true, same_failures: 5, ..limits(8) };
    let mut recorder = Recorder::default();
    let ending = run(&plan, &limits, &StopSignal::default(), &mut recorder).await.unwrap();
    assert!(matches!(ending, Ending::EveryTrialFails(_)), "{ending:?}");
    assert_eq!(recorder.trials.len(), 0);
}

#[tokio::test(start_paused = true)]
async fn arms_take_turns_within_each_case() {
    let subject = || Scripted { delay: |_| Duration::ZERO, respond: Box::new(mostly_right) };
    let cases = cases(2);
    let mut procedure = procedure(Solver::Capture);
    procedure.trials = 2;
    let plan =
        Plan::new(vec![arm(subject(), &cases), arm(subject(), &cases)], &cases, procedure, &[]);
    let order: Vec<_> = plan.jobs.iter().map(|job| (job.id().to_string(), job.arm)).collect();
    let wanted = ["case-0#1", "case-1#1", "case-0#2", "case-1#2"];
    let wanted: Vec<_> =
        wanted.iter().flat_map(|id| [((*id).to_owned(), 0), ((*id).to_owned(), 1)]).collect();
    assert_eq!(order, wanted);
}

#[tokio::test(start_paused = true)]
async fn cases_that_are_told_the_same_share_one_briefing() {
    let subject = Scripted { delay: |_| Duration::ZERO, respond: Box::new(mostly_right) };
    let plan = plan(subject, &cases(10), Solver::Capture);
    let first = &plan.jobs[0].briefing;
    assert!(plan.jobs.iter().all(|job| Arc::ptr_eq(&job.briefing, first)));
}

#[tokio::test(start_paused = true)]
async fn what_an_earlier_run_finished_is_not_run_again() {
    let subject = Scripted { delay: |_| Duration::ZERO, respond: Box::new(mostly_right) };
    let cases = cases(3);
    let finished = HashSet::from([TrialId { case: "case-1".into(), trial: 1 }]);
    let plan =
        Plan::new(vec![arm(subject, &cases)], &cases, procedure(Solver::Capture), &[finished]);
    let ids: Vec<_> = plan.jobs.iter().map(|job| job.case.id.as_str()).collect();
    assert_eq!(ids, ["case-0", "case-2"]);
}

#[tokio::test(start_paused = true)]
async fn a_loop_carries_calls_out_until_the_subject_is_done() {
    let subject = Scripted { delay: |_| Duration::ZERO, respond: Box::new(mostly_right) };
    let solver = Solver::Loop(Allowance { turns: 5, tokens: None, time: None });
    let plan = plan(subject, &cases(2)[1..], solver);
    let mut recorder = Recorder::default();
    run(&plan, &limits(1), &StopSignal::default(), &mut recorder).await.unwrap();
    let transcript = &recorder.trials[0].1.transcript;
    assert_eq!(transcript.messages.len(), 3, "a call, its answer, a last word");
    assert_eq!(transcript.final_text(), "done");
    assert_eq!(transcript.failure, None);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_breaks_the_world_ends_the_turn() {
    let again = |_: &Request<'_>| {
        let call = ToolCall::new("script__tidy", Map::from_iter([("room".into(), json!("Moon"))]));
        Ok(AssistantMessage { calls: vec![call], ..Default::default() })
    };
    let subject = Scripted { delay: |_| Duration::ZERO, respond: Box::new(again) };
    let home = "entities: [{entity_id: script.tidy, fields: {room: {selector: {area: {}}}}}]";
    let home = Inventory::from_text("home.yaml", home).unwrap();
    let world = Arc::new(HomeAssistantWorld::builder(home).build().unwrap());
    let cases = cases(1);
    let briefings = vec![Briefings::default().share(None, world.tools(&cases[0]))];
    let arm = Arm { subject: Arc::new(subject), world, briefings };
    let solver = Solver::Loop(Allowance { turns: 3, tokens: None, time: None });
    let plan = Plan::new(vec![arm], &cases, procedure(solver), &[]);
    let mut recorder = Recorder::default();
    run(&plan, &limits(1), &StopSignal::default(), &mut recorder).await.unwrap();
    let transcript = &recorder.trials[0].1.transcript;
    assert_eq!(transcript.messages.len(), 2, "a call and what became of it");
    assert_eq!(transcript.failure, None);
}

#[tokio::test(start_paused = true)]
async fn a_subject_that_never_stops_calling_reaches_the_limit() {
    let again = |_: &Request<'_>| {
        let call = ToolCall::new("say", Map::from_iter([("n".into(), json!(0))]));
        Ok(AssistantMessage { calls: vec![call], ..Default::default() })
    };
    let subject = Scripted { delay: |_| Duration::ZERO, respond: Box::new(again) };
    let solver = Solver::Loop(Allowance { turns: 3, tokens: None, time: None });
    let plan = plan(subject, &cases(1), solver);
    let mut recorder = Recorder::default();
    run(&plan, &limits(1), &StopSignal::default(), &mut recorder).await.unwrap();
    let trial = &recorder.trials[0].1;
    let failure = trial.transcript.failure.as_ref().unwrap();
    assert_eq!(failure.kind, FailureKind::LimitReached);
    assert!(trial.outcome().unwrap().value().is_some(), "the subject's doing, so it is scored");
}

#[tokio::test(start_paused = true)]
async fn a_conversation_of_many_megabytes_reaches_the_limit() {
    let again = |_: &Request<'_>| {
        let call = ToolCall::new("say", Map::from_iter([("n".into(), json!("x".repeat(1 << 20)))]));
        let content = "y".repeat(2 << 20);
        Ok(AssistantMessage { content, calls: vec![call], ..Default::default() })
    };
    let subject = Scripted { delay: |_| Duration::ZERO, respond: Box::new(again) };
    let solver = Solver::Loop(Allowance { turns: 50, tokens: None, time: None });
    let plan = plan(subject, &cases(1), solver);
    let mut recorder = Recorder::default();
    run(&plan, &limits(1), &StopSignal::default(), &mut recorder).await.unwrap();
    let transcript = &recorder.trials[0].1.transcript;
    let failure = transcript.failure.as_ref().unwrap();
    assert_eq!(failure.kind, FailureKind::LimitReached);
    assert!(failure.message.ends_with("bytes of conversation"), "{}", failure.message);
    assert!(transcript.turns.len() < 6, "{} turns", transcript.turns.len());
}

#[tokio::test(start_paused = true)]
async fn a_trial_that_takes_too_long_is_unscored_and_the_run_goes_on() {
    let slow_first = |trial: &TrialId| {
        Duration::from_secs(if trial.case.as_str() == "case-0" { 3600 } else { 1 })
    };
    let subject = Scripted { delay: slow_first, respond: Box::new(mostly_right) };
    let plan = plan(subject, &cases(2), Solver::Capture);
    let limits = RunLimits { trial_timeout: Some(Duration::from_secs(30)), ..limits(1) };
    let mut recorder = Recorder::default();
    let ending = run(&plan, &limits, &StopSignal::default(), &mut recorder).await.unwrap();
    assert_eq!(ending, Ending::Complete);
    let Some(Outcome::Unscored(UnscoredReason::Failed(failure))) = recorder.trials[0].1.outcome()
    else {
        panic!("the slow trial is unscored");
    };
    assert_eq!(failure.kind, FailureKind::Timeout);
    assert!(recorder.trials[1].1.outcome().unwrap().value().is_some());
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_a_subject_costs_one_trial() {
    let respond = |request: &Request<'_>| {
        assert_ne!(request.trial.case.as_str(), "case-0", "planted");
        mostly_right(request)
    };
    let subject = Scripted { delay: |_| Duration::ZERO, respond: Box::new(respond) };
    let plan = plan(subject, &cases(3), Solver::Capture);
    let mut recorder = Recorder::default();
    let ending = run(&plan, &limits(2), &StopSignal::default(), &mut recorder).await.unwrap();
    assert_eq!(ending, Ending::Complete);
    let unscored = recorder.trials.iter().filter(|(_, trial)| {
        matches!(trial.outcome(), Some(Outcome::Unscored(UnscoredReason::Failed(failure)))
            if failure.kind == FailureKind::Internal)
    });
    assert_eq!(unscored.count(), 1);
}

fn refused() -> TrialFailure {
    TrialFailure { kind: FailureKind::Connection, message: "connection refused".into() }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_comes_back_costs_no_trial_after_the_breaker_opened() {
    let asked = AtomicUsize::new(0);
    let respond = move |request: &Request<'_>| {
        // Gone from the fifth request on, back from the thirtieth.
        match asked.fetch_add(1, Ordering::Relaxed) {
            5..30 => Err(refused()),
            _ => mostly_right(request),
        }
    };
    let subject = Scripted { delay: |_| Duration::ZERO, respond: Box::new(respond) };
    let plan = plan(subject, &cases(20), Solver::Capture);
    let patience =
        Patience { threshold: 3, first_pause: Duration::from_secs(1), total: Duration::MAX };
    let mut recorder = Recorder::default();
    let limits = RunLimits { patience, ..limits(4) };
    let ending = run(&plan, &limits, &StopSignal::default(), &mut recorder).await.unwrap();
    assert_eq!(ending, Ending::Complete);
    assert_eq!(recorder.trials.len(), 20);
    let lost = recorder.trials.iter().filter(|(_, trial)| trial.transcript.failure.is_some());
    assert_eq!(lost.count(), 2, "those before the breaker opened");
    assert!(recorder.waits > 0);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_stays_away_stops_the_run_and_leaves_the_trial_to_be_run() {
    let subject = Scripted { delay: |_| Duration::ZERO, respond: Box::new(|_| Err(refused())) };
    let plan = plan(subject, &cases(20), Solver::Capture);
    let mut recorder = Recorder::default();
    let ending = run(&plan, &limits(2), &StopSignal::default(), &mut recorder).await.unwrap();
    assert_eq!(ending, Ending::ServerGone(refused()));
    assert_eq!(recorder.trials.len(), 4, "one less than the threshold");
}

fn not_found() -> TrialFailure {
    TrialFailure { kind: FailureKind::Refused, message: "HTTP status 404".into() }
}

/// Runs 20 cases, stopping after five first trials that fail alike.
async fn run_watched(subject: Scripted, concurrency: usize) -> (Ending, Recorder) {
    let plan = plan(subject, &cases(20), Solver::Capture);
    let limits = RunLimits { same_failures: 5, ..limits(concurrency) };
    let mut recorder = Recorder::default();
    let ending = run(&plan, &limits, &StopSignal::default(), &mut recorder).await.unwrap();
    (ending, recorder)
}

#[tokio::test(start_paused = true)]
async fn first_trials_that_all_fail_alike_stop_the_run_and_are_not_reported() {
    for concurrency in [1, 3, 5, 16, 64] {
        let subject = Scripted { delay: backwards, respond: Box::new(|_| Err(not_found())) };
        let (ending, recorder) = run_watched(subject, concurrency).await;
        let Ending::EveryTrialFails(same) = ending else { panic!("{ending:?}") };
        assert_eq!((same.failure, same.in_same_words), (not_found(), true));
        assert!((5..=20).contains(&same.trials), "{} at {concurrency}", same.trials);
        assert_eq!(recorder.trials.len(), 0, "nothing was measured");
    }
}

#[tokio::test(start_paused = true)]
async fn quick_failures_do_not_hide_that_slower_trials_succeed() {
    // Cases 10 to 19 fail at once; the first ten take a while and are right or wrong.
    let fails = |trial: &TrialId| trial.case.as_str().len() == "case-10".len();
    let delay = |trial: &TrialId| {
        Duration::from_secs(if trial.case.as_str().len() == "case-10".len() { 0 } else { 60 })
    };
    let respond = move |request: &Request<'_>| {
        if fails(request.trial) { Err(not_found()) } else { mostly_right(request) }
    };
    let subject = Scripted { delay, respond: Box::new(respond) };
    let (ending, recorder) = run_watched(subject, 20).await;
    assert_eq!(ending, Ending::Complete);
    assert_eq!(recorder.trials.len(), 20);
    let failed = recorder.trials.iter().filter(|(_, trial)| trial.transcript.failure.is_some());
    assert_eq!(failed.count(), 10);
}

#[tokio::test(start_paused = true)]
async fn failures_of_different_kinds_do_not_stop_a_run() {
    let asked = AtomicUsize::new(0);
    let respond = move |_: &Request<'_>| match asked.fetch_add(1, Ordering::Relaxed) % 2 {
        0 => Err(not_found()),
        _ => Err(TrialFailure { kind: FailureKind::Server, message: "boom".into() }),
    };
    let subject = Scripted { delay: |_| Duration::ZERO, respond: Box::new(respond) };
    let (ending, recorder) = run_watched(subject, 4).await;
    assert_eq!((ending, recorder.trials.len()), (Ending::Complete, 20));
}

/// Asks the run to stop once so many trials have ended.
struct StopAfter {
    count: usize,
    gently: bool,
    stop: StopSignal,
    ended: Arc<Mutex<usize>>,
}

impl EventSink for StopAfter {
    fn on_event(&mut self, event: &RunEvent) -> Result<(), SinkError> {
        if matches!(event, RunEvent::TrialFinished { .. }) {
            let mut ended = self.ended.lock().unwrap();
            *ended += 1;
            if *ended == self.count {
                if self.gently { &self.stop.gently } else { &self.stop.now }.cancel();
            }
        }
        Ok(())
    }
}

async fn stopped_after(count: usize, gently: bool) -> (Ending, usize) {
    let subject = Scripted { delay: |_| Duration::from_secs(1), respond: Box::new(mostly_right) };
    let plan = plan(subject, &cases(40), Solver::Capture);
    let stop = StopSignal::default();
    let ended = Arc::new(Mutex::new(0));
    let mut sink = StopAfter { count, gently, stop: stop.clone(), ended: Arc::clone(&ended) };
    let ending = run(&plan, &limits(4), &stop, &mut sink).await.unwrap();
    let ended = *ended.lock().unwrap();
    (ending, ended)
}

#[tokio::test(start_paused = true)]
async fn a_gentle_stop_lets_trials_under_way_end() {
    let (ending, ended) = stopped_after(2, true).await;
    assert_eq!(ending, Ending::Interrupted);
    assert!((4..=8).contains(&ended), "{ended} ended");
}

#[tokio::test(start_paused = true)]
async fn a_stop_now_drops_trials_under_way() {
    assert_eq!(stopped_after(2, false).await, (Ending::Interrupted, 2));
}

/// Which trials are under way, as events tell it; the order of events is checked.
#[derive(Default)]
struct UnderWay {
    now: HashSet<TrialId>,
    most: usize,
}

impl EventSink for UnderWay {
    fn on_event(&mut self, event: &RunEvent) -> Result<(), SinkError> {
        match event {
            RunEvent::TrialStarted { id, .. } => assert!(self.now.insert(id.clone()), "{id}"),
            RunEvent::TrialFinished { trial, .. } => {
                assert!(self.now.remove(&trial.id()), "{} ended before it began", trial.id());
            }
            RunEvent::Finished => assert_eq!(self.now, HashSet::new()),
            _ => {}
        }
        self.most = self.most.max(self.now.len());
        Ok(())
    }
}

/// A subject that answers at once, as the baseline does, but for every tenth case.
struct AtOnce;

impl Subject for AtOnce {
    fn identity(&self) -> SubjectIdentity {
        SubjectIdentity::default()
    }

    fn answer<'a>(&'a self, request: Request<'a>) -> Answer<'a> {
        let reply = Ok(Reply::new(AssistantMessage::default(), Turn::default()));
        if !request.trial.case.as_str().ends_with('0') {
            return Box::pin(std::future::ready(reply));
        }
        Box::pin(async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            reply
        })
    }
}

#[tokio::test(start_paused = true)]
async fn every_trial_begins_before_it_ends_however_fast_it_is() {
    let cases = cases(60);
    let slow = Scripted { delay: backwards, respond: Box::new(mostly_right) };
    let fast = Arm { subject: Arc::new(AtOnce), ..arm(slow, &cases) };
    for concurrency in [1, 4, 64] {
        let procedure = procedure(Solver::Capture);
        let plan = Plan::new(vec![fast.clone()], &cases, procedure, &[]);
        let mut under_way = UnderWay::default();
        run(&plan, &limits(concurrency), &StopSignal::default(), &mut under_way).await.unwrap();
        assert!(under_way.most >= 1 && under_way.most <= concurrency, "{}", under_way.most);
    }
}

#[tokio::test(start_paused = true)]
async fn a_sink_that_fails_stops_the_run() {
    struct Full;
    impl EventSink for Full {
        fn on_event(&mut self, event: &RunEvent) -> Result<(), SinkError> {
            match event {
                RunEvent::TrialFinished { .. } => Err("no space left".into()),
                _ => Ok(()),
            }
        }
    }
    let subject = Scripted { delay: |_| Duration::ZERO, respond: Box::new(mostly_right) };
    let plan = plan(subject, &cases(3), Solver::Capture);
    let error = run(&plan, &limits(1), &StopSignal::default(), &mut Full).await.unwrap_err();
    assert_eq!(error.to_string(), "no space left");
}
