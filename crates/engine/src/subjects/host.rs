//! A subject, and the server behind it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use toolgauge_core::{Briefing, CaseId, Message, Request, ServerFacts, Subject, TrialId};
use toolgauge_home_agent::HomeAgent;
use toolgauge_model::{Anthropic, HttpChatbot, OpenAi, Preflight, PreflightError};

use crate::error::EngineError;
use crate::waiting::Waiting;

/// How long to wait before a server that is not ready is asked again.
const PAUSE: Duration = Duration::from_secs(1);
/// About how many bytes of a request a model reads as one token.
const BYTES_PER_TOKEN: usize = 4;

/// A subject, and the server behind it if there is one.
pub struct Host {
    /// Who is measured.
    pub subject: Arc<dyn Subject>,
    pub(super) server: Option<Server>,
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
        Self { subject: Arc::new(subject), server: None }
    }

    /// Whether a server is asked, rather than somebody in this process.
    pub(crate) fn has_server(&self) -> bool {
        self.server.is_some()
    }

    /// The exact body that would be sent, where something is sent at all.
    pub fn request_body(&self, request: &Request<'_>) -> Option<Vec<u8>> {
        match self.server.as_ref()? {
            Server::OpenAi(server) => Some(server.request_body(request)),
            Server::Anthropic(server) => Some(server.request_body(request)),
            Server::Chatbot(_) | Server::HomeAgent(_) => None,
        }
    }

    /// A look at the server before the first trial. Tells what may spoil the run, and fails on
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
        let Some(server) = &self.server else { return Ok(ServerCheck::default()) };
        if let Server::HomeAgent(agent) = server {
            let what = "asking Home Assistant about itself";
            // On the heap: its connection is large, and every run would carry its size.
            let looked = waiting.wait_for(what, Box::pin(agent.preflight())).await?;
            return Ok(ServerCheck { facts: None, warnings: looked? });
        }
        let found = server.ready(patience, waiting).await?;
        let name = self.subject.identity().name;
        let mut warnings: Vec<String> =
            found.warnings(&name).iter().map(ToString::to_string).collect();
        if let (Server::OpenAi(server), Some(first)) = (server, first)
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
}

impl Server {
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

/// How long a prompt is, to two digits: nobody but the model knows its tokens.
fn length(server: &OpenAi, briefing: &Arc<Briefing>) -> String {
    let trial = TrialId { case: CaseId::new("warm-up"), trial: 1 };
    let conversation = [Message::user("Hello")];
    let request = Request { briefing, conversation: &conversation, trial: &trial, seed: None };
    let tokens = server.request_body(&request).len().div_ceil(BYTES_PER_TOKEN);
    let unit = 10_usize.pow(tokens.max(1).ilog10().saturating_sub(1));
    let digits = (tokens.div_ceil(unit) * unit).to_string();
    let thousands: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|digits| std::str::from_utf8(digits).unwrap_or_default())
        .collect();
    format!("about {} tokens", thousands.join(","))
}
