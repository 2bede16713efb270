//! A subject, and the server behind it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use toolgauge_core::{
    Briefing, CaseId, Message, Request, ServerFacts, Subject, TrialId, estimated_tokens,
};
use toolgauge_home_agent::HomeAgent;
use toolgauge_model::{Anthropic, HttpChatbot, OpenAi, Preflight, PreflightError};

use super::pool::Pool;
use super::servers::Servers;
use crate::error::EngineError;
use crate::waiting::Waiting;

/// How long to wait before a server that is not ready is asked again.
const PAUSE: Duration = Duration::from_secs(1);

/// A subject, and the server behind it if there is one.
pub struct Host {
    /// Who is measured.
    pub subject: Arc<dyn Subject>,
    /// Those that are asked; none where the subject answers in this process.
    servers: Vec<Server>,
}

/// The prompt of the first trials, which a server may read before they start.
#[derive(Clone, Copy)]
pub struct FirstPrompt<'a> {
    /// What the subject is told.
    pub briefing: &'a Arc<Briefing>,
    /// How many trials start at once.
    pub at_once: usize,
}

/// What was found in a look at a server.
#[derive(Default)]
pub struct ServerCheck {
    /// What the server says of itself.
    pub facts: Option<ServerFacts>,
    /// What may spoil the run.
    pub warnings: Vec<String>,
}

/// A server that can be looked at before it is asked.
pub(super) enum Server {
    OpenAi(Arc<OpenAi>),
    Anthropic(Arc<Anthropic>),
    Chatbot(Arc<HttpChatbot>),
    HomeAgent(Arc<HomeAgent>),
}

impl Host {
    /// A subject that answers by itself.
    pub(super) fn without_server(subject: impl Subject + 'static) -> Self {
        Self { subject: Arc::new(subject), servers: Vec::new() }
    }

    /// The subject that servers of one model are together. Each is to have so many requests under
    /// way.
    pub(super) fn of(servers: Vec<Server>, states: &Arc<Servers>, at_once: usize) -> Self {
        let members = servers.iter().map(Server::subject).collect();
        let pool = Pool::new(members, Arc::clone(states), at_once);
        Self { subject: Arc::new(pool), servers }
    }

    /// Whether a server is asked, rather than somebody in this process.
    pub(crate) fn has_server(&self) -> bool {
        !self.servers.is_empty()
    }

    /// The exact body that would be sent, where something is sent at all.
    pub fn request_body(&self, request: &Request<'_>) -> Option<Vec<u8>> {
        match self.servers.first()? {
            Server::OpenAi(server) => Some(server.request_body(request)),
            Server::Anthropic(server) => Some(server.request_body(request)),
            Server::Chatbot(_) | Server::HomeAgent(_) => None,
        }
    }

    /// A look at the servers before the first trial. Tells what may spoil the run, and fails on
    /// what would fail every trial. A server that is still loading its model is waited for.
    ///
    /// A llama.cpp server also reads the prompt that comes first, in as many slots as are asked at
    /// once, so that no trial pays for a cold cache.
    pub async fn greet(
        &self,
        first: Option<FirstPrompt<'_>>,
        patience: Duration,
        waiting: &Waiting<'_>,
    ) -> Result<ServerCheck, EngineError> {
        let mut whole = ServerCheck::default();
        for (number, server) in self.servers.iter().enumerate() {
            let check = server.greet(first, patience, waiting).await?;
            if number == 0 {
                whole = check;
                continue;
            }
            let address = server.subject().identity().base_url.unwrap_or_default();
            let differences = differences(whole.facts.as_ref(), check.facts.as_ref());
            let more = check.warnings.into_iter().chain(differences);
            whole.warnings.extend(more.map(|warning| format!("{address}: {warning}")));
        }
        Ok(whole)
    }
}

/// The subject that one server is.
impl From<Server> for Host {
    fn from(server: Server) -> Self {
        Self { subject: server.subject(), servers: vec![server] }
    }
}

impl Server {
    /// The subject that it is.
    fn subject(&self) -> Arc<dyn Subject> {
        match self {
            Self::OpenAi(server) => Arc::<OpenAi>::clone(server),
            Self::Anthropic(server) => Arc::<Anthropic>::clone(server),
            Self::Chatbot(chatbot) => Arc::<HttpChatbot>::clone(chatbot),
            Self::HomeAgent(agent) => Arc::<HomeAgent>::clone(agent),
        }
    }

    async fn greet(
        &self,
        first: Option<FirstPrompt<'_>>,
        patience: Duration,
        waiting: &Waiting<'_>,
    ) -> Result<ServerCheck, EngineError> {
        if let Self::HomeAgent(agent) = self {
            let what = "asking Home Assistant about itself";
            // On the heap: its connection is large, and every run would carry its size.
            let looked = waiting.wait_for(what, Box::pin(agent.preflight())).await?;
            return Ok(ServerCheck { facts: None, warnings: looked? });
        }
        let found = self.ready(patience, waiting).await?;
        let name = self.subject().identity().name;
        let mut warnings: Vec<String> =
            found.warnings(&name).iter().map(ToString::to_string).collect();
        if let (Self::OpenAi(server), Some(first)) = (self, first)
            && found.serves_one_model
        {
            let slots = found.facts.slots.and_then(|slots| usize::try_from(slots).ok());
            let words = format!("reading the prompt ({})", length(server, first.briefing));
            let warm = server.warm(first.briefing, slots.unwrap_or(1).min(first.at_once));
            if let Err(failure) = waiting.wait_for(&words, warm).await? {
                warnings
                    .push(format!("the prompt could not be read in advance: {}", failure.message));
            }
        }
        let facts = Some(found.facts).filter(|facts| *facts != ServerFacts::default());
        Ok(ServerCheck { facts, warnings })
    }

    /// What the server says about itself, as soon as it is ready.
    async fn ready(
        &self,
        patience: Duration,
        waiting: &Waiting<'_>,
    ) -> Result<Preflight, EngineError> {
        let started = Instant::now();
        let asked = waiting.wait_for("asking the server about itself", self.preflight()).await?;
        let Err(PreflightError::NotReady { why, .. }) = &asked else { return Ok(asked?) };
        let words = format!("waiting for the server to be ready ({why})");
        let ready = async {
            let mut asked = asked.clone();
            while matches!(asked, Err(PreflightError::NotReady { .. }))
                && started.elapsed() < patience
            {
                tokio::time::sleep(PAUSE).await;
                asked = self.preflight().await;
            }
            asked
        };
        Ok(waiting.wait_for(&words, ready).await??)
    }

    async fn preflight(&self) -> Result<Preflight, PreflightError> {
        match self {
            Self::OpenAi(server) => server.preflight().await,
            Self::Anthropic(server) => server.preflight().await,
            Self::Chatbot(chatbot) => chatbot.preflight().await.map(|()| Preflight::default()),
            // It was looked at in its own way.
            Self::HomeAgent(_) => Ok(Preflight::default()),
        }
    }
}

/// What a server says of itself that differs from the first one. How many requests it works on at
/// once changes no answer.
fn differences(first: Option<&ServerFacts>, other: Option<&ServerFacts>) -> Vec<String> {
    let named = |facts: Option<&ServerFacts>| facts.map(ServerFacts::named).unwrap_or_default();
    let (first, other) = (named(first), named(other));
    let value = |facts: &[(&'static str, String)], name: &str| {
        let found = facts.iter().find(|(other, _)| *other == name);
        found.map_or_else(|| "unknown".to_owned(), |(_, value)| value.clone())
    };
    let mut names: Vec<&str> = first.iter().chain(&other).map(|(name, _)| *name).collect();
    names.sort_unstable();
    names.dedup();
    let differs = names.into_iter().filter(|name| *name != "slots");
    let differs = differs.map(|name| (name, value(&first, name), value(&other, name)));
    differs
        .filter(|(_, first, other)| first != other)
        .map(|(name, first, other)| format!("its {name} is {other}, that of the first {first}"))
        .collect()
}

/// How long a prompt is, to two digits: nobody but the model knows its tokens.
fn length(server: &OpenAi, briefing: &Arc<Briefing>) -> String {
    let trial = TrialId { case: CaseId::new("warm-up"), trial: 1 };
    let conversation = [Message::user("Hello")];
    let request = Request { briefing, conversation: &conversation, trial: &trial, seed: None };
    let tokens = estimated_tokens(server.request_body(&request).len());
    let unit = 10_u64.pow(tokens.max(1).ilog10().saturating_sub(1));
    let digits = (tokens.div_ceil(unit) * unit).to_string();
    let thousands: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|digits| std::str::from_utf8(digits).unwrap_or_default())
        .collect();
    format!("about {} tokens", thousands.join(","))
}
