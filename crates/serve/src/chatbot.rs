//! The reference chatbot: any subject in a suite's world, asked in plain words.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::sync::Mutex as AsyncMutex;
use toolgauge_core::{
    Arguments, Background, Case, CaseId, Expectation, Message, ToolCall, ToolMessage, TrialFailure,
    TrialId,
};
use toolgauge_core::{Briefing, Subject};
use toolgauge_runner::Briefings;
use toolgauge_suite::Suite;
use toolgauge_world::{World, WorldState};

/// How many conversations are remembered; the oldest one makes chatbot.
const SESSIONS: usize = 1024;

/// How often the subject may call tools before it must have answered.
const TURNS: u32 = 10;

/// What the chatbot is asked.
#[derive(Debug, Deserialize)]
pub(super) struct ChatbotQuestion {
    pub(super) question: String,
    #[serde(default)]
    session: Option<String>,
}

/// What it answers.
#[derive(Debug, Serialize)]
pub(super) struct ChatAnswer {
    answer: Option<String>,
    tools_used: Vec<Used>,
    sources: Vec<String>,
    error: Option<String>,
    session: String,
}

/// A tool that was used, with what it was asked and what it answered.
#[derive(Debug, Serialize)]
struct Used {
    name: String,
    arguments: Value,
    result: String,
    failed: bool,
    seconds: f64,
}

/// A chatbot and all its conversations.
pub struct Chatbot {
    subject: Arc<dyn Subject>,
    world: Arc<dyn World>,
    suite: Suite,
    briefings: Mutex<Briefings>,
    sessions: Mutex<Sessions>,
}

#[derive(Default)]
struct Sessions {
    open: IndexMap<String, Arc<AsyncMutex<Session>>>,
    opened: u64,
}

/// One conversation, and the world as its calls have left it.
struct Session {
    briefing: Arc<Briefing>,
    messages: Vec<Message>,
    state: Box<dyn WorldState>,
}

impl Chatbot {
    /// A chatbot that acts in the world of a suite. Of the cases it knows what the world is like
    /// in them, and nothing of what is expected.
    pub fn new(subject: Arc<dyn Subject>, world: Arc<dyn World>, suite: Suite) -> Self {
        let (briefings, sessions) = (Mutex::default(), Mutex::default());
        Self { subject, world, suite, briefings, sessions }
    }

    /// The subject that answers.
    pub(super) fn subject(&self) -> Arc<dyn Subject> {
        Arc::clone(&self.subject)
    }

    /// Answers a question in its session.
    pub(super) async fn answer(&self, asked: ChatbotQuestion) -> ChatAnswer {
        let (name, session) = self.session(&asked);
        let mut answer = ChatAnswer {
            answer: None,
            tools_used: Vec::new(),
            sources: Vec::new(),
            error: None,
            session: name,
        };
        let mut session = session.lock().await;
        session.messages.push(Message::user(asked.question));
        match self.converse(&mut session, &mut answer).await {
            Ok(text) => answer.answer = Some(text),
            Err(failure) => answer.error = Some(failure.message),
        }
        answer
    }

    async fn converse(
        &self,
        session: &mut Session,
        answer: &mut ChatAnswer,
    ) -> Result<String, TrialFailure> {
        let trial = TrialId { case: CaseId::new("served"), trial: 1 };
        let mut background = Background::default();
        for _ in 0..TURNS {
            let request = toolgauge_core::Request {
                briefing: &session.briefing,
                conversation: &session.messages,
                trial: &trial,
                seed: None,
            };
            let said = self.subject.answer(request).await?.message;
            let (text, calls) = (said.content.clone(), said.calls.clone());
            session.messages.push(Message::Assistant(said));
            if calls.is_empty() {
                return Ok(text);
            }
            for (position, call) in calls.into_iter().enumerate() {
                let begun = Instant::now();
                let reply = session.state.call(&call);
                background.add_sources(reply.sources);
                let (result, failed) = (reply.content, reply.failed);
                answer.sources.clone_from(&background.sources);
                answer.tools_used.push(Used {
                    arguments: written(&call),
                    result: result.clone(),
                    failed,
                    seconds: begun.elapsed().as_secs_f64(),
                    name: call.name.clone(),
                });
                let call_id = call.id.unwrap_or_else(|| format!("call_{position}"));
                let (name, content) = (call.name, result);
                let message = ToolMessage { call_id, name, content, failed };
                session.messages.push(Message::Tool(message));
            }
        }
        let message = format!("no answer after {TURNS} rounds of calls");
        Err(TrialFailure { kind: toolgauge_core::FailureKind::LimitReached, message })
    }

    /// The session a question belongs to, opened if need be.
    fn session(&self, asked: &ChatbotQuestion) -> (String, Arc<AsyncMutex<Session>>) {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let name = asked.session.clone().unwrap_or_else(|| {
            sessions.opened += 1;
            format!("session-{}", sessions.opened)
        });
        if let Some(session) = sessions.open.get(&name) {
            return (name, Arc::clone(session));
        }
        if sessions.open.len() >= SESSIONS {
            sessions.open.shift_remove_index(0);
        }
        let session = Arc::new(AsyncMutex::new(self.begin(&asked.question)));
        sessions.open.insert(name.clone(), Arc::clone(&session));
        (name, session)
    }

    fn begin(&self, question: &str) -> Session {
        let case = self.surroundings(question);
        let tools = self.world.tools(&case);
        let system = self.world.briefing(&case).or_else(|| {
            let system = toolgauge_suite::render_system(&self.suite, None, Some(&case), &tools);
            // A prompt that cannot be made was told when the suite was loaded.
            system.ok().flatten().map(Arc::from)
        });
        let mut briefings = self.briefings.lock().unwrap_or_else(PoisonError::into_inner);
        let briefing = briefings.share(system, tools);
        Session { briefing, messages: Vec::new(), state: self.world.enter(&case) }
    }

    /// The world a question is asked in: that of the case which asks it, else that of the first.
    fn surroundings(&self, question: &str) -> Case {
        let asks = |case: &&Arc<Case>| {
            let first = case.input.iter().find_map(|message| match message {
                Message::User { content } => Some(content.as_str()),
                _ => None,
            });
            first == Some(question)
        };
        let case = self.suite.cases.iter().find(asks).or(self.suite.cases.first());
        match case {
            Some(case) => Case { expectation: Expectation::default(), ..Case::clone(case) },
            None => Case::new("served", question),
        }
    }
}

fn written(call: &ToolCall) -> Value {
    match &call.arguments {
        Arguments::Object(object) => Value::Object(object.clone()),
        Arguments::Malformed { raw, .. } if raw.is_empty() => Value::Object(Map::new()),
        Arguments::Malformed { raw, .. } => Value::from(raw.as_str()),
    }
}
