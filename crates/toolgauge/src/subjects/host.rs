//! A subject, and the server behind it.

use std::sync::Arc;

use toolgauge_core::{Briefing, Request, Subject};
use toolgauge_model::{Anthropic, HttpChatbot, OpenAi, ServerFacts};

use crate::failure::Failure;

/// A subject, and the server behind it if there is one.
pub(crate) struct Host {
    pub(crate) subject: Arc<dyn Subject>,
    pub(super) server: Option<Server>,
}

/// A server that can be looked at before it is asked.
pub(super) enum Server {
    OpenAi(Arc<OpenAi>),
    Anthropic(Arc<Anthropic>),
    Chatbot(Arc<HttpChatbot>),
}

impl Host {
    /// A subject that answers by itself.
    pub(super) fn without_server(subject: impl Subject + 'static) -> Self {
        Self { subject: Arc::new(subject), server: None }
    }

    /// The exact body that would be sent, where something is sent at all.
    pub(crate) fn request_body(&self, request: &Request<'_>) -> Option<Vec<u8>> {
        match self.server.as_ref()? {
            Server::OpenAi(server) => Some(server.request_body(request)),
            Server::Anthropic(server) => Some(server.request_body(request)),
            Server::Chatbot(_) => None,
        }
    }

    /// A look at the server before the first trial. Tells what may spoil the run, and fails on
    /// what would fail every trial.
    ///
    /// A llama.cpp server also reads the prompt once, so that no trial pays for a cold cache.
    pub(crate) async fn greet(
        &self,
        briefing: Option<&Arc<Briefing>>,
    ) -> Result<Vec<String>, Failure> {
        let facts: ServerFacts = match &self.server {
            None => return Ok(Vec::new()),
            Some(Server::OpenAi(server)) => server.preflight().await?,
            Some(Server::Anthropic(server)) => server.preflight().await?,
            Some(Server::Chatbot(chatbot)) => {
                chatbot.preflight().await?;
                return Ok(Vec::new());
            }
        };
        let name = self.subject.identity().name;
        let mut warnings: Vec<String> =
            facts.warnings(&name).iter().map(ToString::to_string).collect();
        if let (Some(Server::OpenAi(server)), Some(briefing)) = (&self.server, briefing)
            && facts.serves_one_model
        {
            let slots = facts.slots.and_then(|slots| usize::try_from(slots).ok()).unwrap_or(1);
            if let Err(failure) = server.warm(briefing, slots).await {
                warnings
                    .push(format!("the prompt could not be read in advance: {}", failure.message));
            }
        }
        Ok(warnings)
    }
}
