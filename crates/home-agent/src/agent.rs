//! The subject: an agent of a test instance.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Mutex;
use tokio::time::Instant;
use toolgauge_core::{
    Answer, AssistantMessage, FailureKind, Message, Oddity, Reply, Request, StopReason, Subject,
    SubjectIdentity, Timings, ToolCall, TrialFailure, Turn, public_address,
};
use toolgauge_home_import::HomeToken;

use crate::chat_log::ChatLog;
use crate::lists::Lists;
use crate::processed::Processed;
use crate::session::Session;
use crate::{HomeAgentError, SimulatedHome, observed};

/// What an agent is asked by.
pub struct HomeAgentSettings {
    /// The address of Home Assistant, as in the browser.
    pub url: String,
    /// The agent: `conversation.qwen`.
    pub agent: Option<String>,
    /// An administrator's token.
    pub token: HomeToken,
    /// How long an answer may take.
    pub patience: Duration,
    /// Whether requests and answers are kept.
    pub keep_wire: bool,
    /// The home of the suite.
    pub home: Arc<dyn SimulatedHome>,
}

/// An agent of a Home Assistant that is marked as a test instance.
pub struct HomeAgent {
    settings: HomeAgentSettings,
    agent: String,
    /// One home has one state: trials that run at once take turns.
    session: Mutex<Connected>,
}

/// The connection, and what outlives it when it breaks.
#[derive(Default)]
struct Connected {
    session: Option<Session>,
    lists: Option<Lists>,
}

/// What one question came to.
struct Asked {
    processed: Processed,
    time: Duration,
    wire: (Value, Value),
}

impl HomeAgent {
    /// The agent; nothing is sent yet.
    pub fn new(settings: HomeAgentSettings) -> Self {
        let agent = settings.agent.clone().unwrap_or_default();
        Self { settings, agent, session: Mutex::default() }
    }

    /// A look at Home Assistant before the first trial: whether it is marked, has the agent, and
    /// is the home that the cases are about. Tells what may spoil the run.
    pub async fn preflight(&self) -> Result<Vec<String>, HomeAgentError> {
        let mut session = self.open(None).await?;
        let known = session.agents().await?;
        if self.agent.is_empty() {
            return Err(HomeAgentError::NoAgent { known });
        }
        if !known.contains(&self.agent) {
            return Err(HomeAgentError::UnknownAgent { name: self.agent.clone(), known });
        }
        let states = session.states().await?;
        let exposed = self.settings.home.exposed();
        let missing: Vec<&String> = exposed.iter().filter(|id| !states.contains_key(*id)).collect();
        let first = missing.first().map(|first| (*first).clone());
        match first {
            // A few may have been taken away since the import; cases about them fail, which is true.
            Some(first) if missing.len() * 10 > exposed.len() => {
                Err(HomeAgentError::OtherHome { missing: missing.len(), all: exposed.len(), first })
            }
            Some(first) => Ok(vec![format!(
                "{} of the {} exposed entities are not in this Home Assistant, `{first}` among them",
                missing.len(),
                exposed.len()
            )]),
            None => Ok(Vec::new()),
        }
    }

    async fn open(&self, lists: Option<Lists>) -> Result<Session, HomeAgentError> {
        let HomeAgentSettings { url, token, patience, .. } = &self.settings;
        let mut session = Session::open(url, token, *patience).await?;
        session.lists = lists;
        Ok(session)
    }

    async fn turn(&self, request: Request<'_>) -> Result<Reply, TrialFailure> {
        let begun = Instant::now();
        let mut connected = self.session.lock().await;
        let mut session = match connected.session.take() {
            Some(session) => session,
            // The lists stay where they are: if this fails, the next trial needs them.
            None => self.open(connected.lists.clone()).await?,
        };
        let asked = self.converse(&mut session, request).await;
        // What they held is looked at once, by the first trial that gets so far.
        if connected.lists.is_none() {
            connected.lists.clone_from(&session.lists);
        }
        // After a failure an answer may still be under way, which the next trial would take for its
        // own: the connection is given up.
        if asked.is_ok() {
            connected.session = Some(session);
        }
        let mut reply = asked?;
        let timings = &mut reply.turn.timings;
        timings.queued = begun.elapsed().saturating_sub(timings.total);
        Ok(reply)
    }

    async fn converse(
        &self,
        session: &mut Session,
        request: Request<'_>,
    ) -> Result<Reply, HomeAgentError> {
        let case = &request.trial.case;
        let start = self.settings.home.start(case).unwrap_or_default();
        let device = match &start.satellite {
            Some(satellite) => session.device(satellite).await?,
            None => None,
        };
        let conversation = format!("toolgauge-{}", uuid::Uuid::new_v4().simple());
        let mut questions: Vec<&str> = request.conversation.iter().filter_map(question).collect();
        let last = questions.pop().unwrap_or_default();
        for earlier in questions {
            session.arrange(&start).await?;
            self.ask(session, earlier, &conversation, device.as_deref()).await?;
        }
        // What earlier messages did is part of how the case finds the home.
        let before = session.arrange(&start).await?;
        let mut asked = self.ask(session, last, &conversation, device.as_deref()).await?;
        let log = if asked.processed.is_broken() {
            asked.processed.chat_log.take()
        } else {
            session.chat_log(&conversation).await?
        };
        let after = session.settled().await?;
        let changes = observed::changes(&start.entities, &before, &after);
        let other_prompt = log.as_ref().and_then(|log| log.system()).is_some_and(|system| {
            request.briefing.system.as_deref().is_some_and(|told| told != system)
        });
        let (behind, answer) = log.map(ChatLog::last_turn).unwrap_or_default();
        let calls: Vec<ToolCall> = behind.iter().flat_map(calls).cloned().collect();
        if calls.iter().any(|call| call.name.contains("Timer")) {
            session.stop_timers().await;
        }
        let mut reply = self.reply(asked, behind, answer);
        let other_effect = !observed::agrees(&changes, &self.settings.home.changes(case, &calls));
        let oddities = [(other_prompt, Oddity::OtherPrompt), (other_effect, Oddity::OtherEffect)];
        reply.turn.oddities.extend(oddities.into_iter().filter(|(is, _)| *is).map(|(_, it)| it));
        reply.background.observed = changes;
        Ok(reply)
    }

    async fn ask(
        &self,
        session: &mut Session,
        text: &str,
        conversation: &str,
        device: Option<&str>,
    ) -> Result<Asked, HomeAgentError> {
        let mut question =
            json!({"text": text, "agent_id": self.agent, "conversation_id": conversation});
        if let Some(device) = device {
            question["device_id"] = device.into();
        }
        let sent = Instant::now();
        let processed = session.process(question.clone()).await?;
        let time = sent.elapsed();
        let told = json!({"speech": processed.speech(), "is_broken": processed.is_broken()});
        Ok(Asked { processed, time, wire: (question, told) })
    }

    fn reply(&self, asked: Asked, behind: Vec<Message>, answer: Option<AssistantMessage>) -> Reply {
        let Asked { processed, time, wire } = asked;
        let (request, response) = Some(wire).filter(|_| self.settings.keep_wire).unzip();
        let Processed { first_word, last_act, .. } = processed;
        let turn = Turn {
            timings: Timings { total: time, first_word, last_act, ..Timings::default() },
            stop: StopReason::Stop,
            attempts: 1,
            request,
            response,
            ..Turn::default()
        };
        // What is said when a turn breaks off is no answer to what was asked; no case may take it
        // for one.
        let said = || {
            let content = if processed.is_broken() { String::new() } else { processed.speech() };
            AssistantMessage { content, ..AssistantMessage::default() }
        };
        let failure = processed
            .is_broken()
            .then(|| TrialFailure { kind: FailureKind::Reported, message: processed.speech() });
        let answer = answer.filter(|_| failure.is_none()).unwrap_or_else(said);
        Reply { behind, failure, ..Reply::new(answer, turn) }
    }
}

impl Subject for HomeAgent {
    fn identity(&self) -> SubjectIdentity {
        SubjectIdentity {
            name: self.agent.clone(),
            provider: "agent".to_owned(),
            base_url: Some(public_address(&self.settings.url)),
        }
    }

    fn answer<'a>(&'a self, request: Request<'a>) -> Answer<'a> {
        Box::pin(self.turn(request))
    }
}

fn question(message: &Message) -> Option<&str> {
    match message {
        Message::User { content } => Some(content),
        _ => None,
    }
}

fn calls(message: &Message) -> &[ToolCall] {
    match message {
        Message::Assistant(said) => &said.calls,
        _ => &[],
    }
}
