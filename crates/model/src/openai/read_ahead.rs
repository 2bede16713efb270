//! Prompts that a llama.cpp server reads before the request that needs them.
//!
//! Reading a long prompt takes a small machine minutes. No trial pays for it: whenever a slot of
//! the server does not have the prompt of a request at hand, at first as after a restart, a request
//! of one token is sent before, and nothing of it reaches a transcript.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use toolgauge_core::{
    Briefing, CaseId, FailureKind, Message, Reply, Request, TrialFailure, TrialId,
};

use super::{OpenAiSettings, client};
use crate::attempt::RetryPolicy;
use crate::client::Client;
use crate::connection::ConnectionError;
use crate::failure::{AttemptFailure, Retry};
use crate::prompt_slots::{PromptSlots, SlotReservation};

/// How long reading a prompt may take.
const WARM_UP: Duration = Duration::from_mins(10);

/// Has prompts read in advance.
#[derive(Debug)]
pub(super) struct ReadAhead {
    settings: OpenAiSettings,
    /// Made when it is first needed: most servers are no llama.cpp.
    client: OnceLock<Client<OpenAiSettings>>,
}

impl ReadAhead {
    pub(super) fn new(settings: &OpenAiSettings) -> Self {
        let mut settings =
            OpenAiSettings { max_tokens: Some(1), stream: false, ..settings.clone() };
        // What takes longer than this would take as long again.
        settings.connection.retry = RetryPolicy::never();
        let timeout = &mut settings.connection.timeout;
        *timeout = WARM_UP.max(*timeout);
        Self { settings, client: OnceLock::new() }
    }

    pub(super) fn slots(&self) -> &Arc<PromptSlots> {
        &self.settings.slots
    }

    /// Has so many slots at most read a prompt, all at once.
    pub(super) async fn warm(
        &self,
        briefing: &Arc<Briefing>,
        slots: usize,
    ) -> Result<(), TrialFailure> {
        if self.slots().count().is_none() {
            // A server that does not say how many slots it has, has one at least.
            self.slots().know(slots.max(1));
        }
        let greeting = Greeting::new();
        let request = greeting.request(briefing);
        let reserved: Vec<SlotReservation> =
            (0..slots.max(1)).filter_map(|_| self.slots().reserve(&request)).collect();
        let reading = reserved.iter().map(|slot| self.read(slot, briefing));
        futures_util::future::try_join_all(reading).await.map(drop)
    }

    /// Asks, where the server has the prompt at hand or has read it before.
    pub(super) async fn ask(
        &self,
        client: &Client<OpenAiSettings>,
        request: Request<'_>,
    ) -> Result<Reply, TrialFailure> {
        let Some(slot) = self.slots().reserve(&request) else { return client.ask(request).await };
        let (slot, again) = (&slot, &AtomicBool::new(false));
        let prepare = || async move {
            if again.swap(true, Ordering::Relaxed) {
                // The attempt before failed; whoever answers next may have been started since.
                self.slots().forget();
            }
            match self.read(slot, request.briefing).await {
                // Whoever is not there for the prompt is not there for the request: an answer that
                // came after all would be one from a cold cache.
                Err(TrialFailure { kind, message }) if is_gone(kind) => {
                    Err(AttemptFailure { kind, message, retry: Retry::Soon })
                }
                // What else is wrong with the prompt, the request itself will show.
                _ => Ok(()),
            }
        };
        let fields = slot.fields(|name| self.settings.extra.contains_key(name));
        let mut asked = client.ask_prepared(request, &fields, prepare).await;
        match &mut asked {
            Ok(reply) => {
                reply.turn.timings.cold_prompt = slot.note_request(&request, reply.turn.usage);
            }
            Err(failure) if is_gone(failure.kind) => self.slots().forget(),
            Err(_) => {}
        }
        asked
    }

    /// Has a slot read a prompt, unless it has it at hand.
    async fn read(
        &self,
        slot: &SlotReservation,
        briefing: &Arc<Briefing>,
    ) -> Result<(), TrialFailure> {
        // Whoever switched the cache off wants every request to read everything.
        let is_off = self.settings.extra.get("cache_prompt").is_some_and(|value| value == false);
        if is_off || slot.claim(briefing) {
            return Ok(());
        }
        let read = self.read_now(slot, briefing).await;
        if read.is_err() {
            slot.release();
        }
        read
    }

    async fn read_now(
        &self,
        slot: &SlotReservation,
        briefing: &Arc<Briefing>,
    ) -> Result<(), TrialFailure> {
        let greeting = Greeting::new();
        let fields = slot.fields(|name| self.settings.extra.contains_key(name));
        let ready = || std::future::ready(Ok(()));
        let asked = self.client()?.ask_prepared(greeting.request(briefing), &fields, ready);
        let turn = asked.await?.turn;
        slot.note_prompt(briefing, turn.usage, turn.timings.total);
        Ok(())
    }

    fn client(&self) -> Result<&Client<OpenAiSettings>, TrialFailure> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let internal = |error: ConnectionError| TrialFailure {
            kind: FailureKind::Internal,
            message: error.to_string(),
        };
        let made = client(self.settings.clone()).map_err(internal)?;
        Ok(self.client.get_or_init(|| made))
    }
}

/// Whether nobody answered, or somebody who is not ready: what comes back has read nothing.
fn is_gone(kind: FailureKind) -> bool {
    matches!(kind, FailureKind::Connection | FailureKind::Unavailable)
}

/// The request that is sent before others.
struct Greeting {
    conversation: [Message; 1],
    trial: TrialId,
}

impl Greeting {
    fn new() -> Self {
        let trial = TrialId { case: CaseId::new("warm-up"), trial: 1 };
        Self { conversation: [Message::user("Hello")], trial }
    }

    fn request<'a>(&'a self, briefing: &'a Arc<Briefing>) -> Request<'a> {
        let (conversation, trial) = (&self.conversation, &self.trial);
        Request { briefing, conversation, trial, seed: None }
    }
}
