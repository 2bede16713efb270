//! Several servers of one model, asked as if they were one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use toolgauge_core::{
    Answer, FailureKind, Reply, Request, Subject, SubjectIdentity, TrialFailure, TrialId,
};

use super::servers::{Servers, Sign, Spread};

/// Several servers of one model. Each trial goes where the fewest are under way and stays there.
/// What a server that has gone does not answer is put to another.
pub(super) struct Pool {
    members: Vec<Arc<dyn Subject>>,
    servers: Arc<Servers>,
    /// How many requests each is to have under way.
    share: usize,
    /// Where trials go on that have called tools.
    places: Mutex<HashMap<TrialId, usize>>,
}

impl Pool {
    pub(super) fn new(members: Vec<Arc<dyn Subject>>, servers: Arc<Servers>, share: usize) -> Self {
        Self { members, servers, share, places: Mutex::default() }
    }

    async fn ask(&self, request: Request<'_>) -> Result<Reply, TrialFailure> {
        let begun_at = self.places().remove(request.trial);
        let begun_at = begun_at.map(|number| self.servers.at(number, request.briefing));
        let choose = |tried: &[usize]| {
            let spread = Spread { servers: self.members.len(), share: self.share };
            self.servers.choose(spread, request.briefing, tried, Instant::now())
        };
        let mut tried = Vec::new();
        let mut chosen = begun_at.or_else(|| choose(&tried));
        loop {
            let Some(at) = &chosen else { unreachable!("a pool has members, and one is chosen") };
            let member = &self.members[at.number()];
            let answer = member.answer(request).await;
            let sign = sign_of(answer.as_ref().err());
            at.note(sign, Instant::now());
            tried.push(at.number());
            let next = (sign == Sign::Nobody).then(|| choose(&tried)).flatten();
            if next.is_none() {
                let mut reply = answer?;
                reply.turn.address = member.identity().base_url;
                if !reply.message.calls.is_empty() {
                    self.places().insert(request.trial.clone(), at.number());
                }
                return Ok(reply);
            }
            chosen = next;
        }
    }

    fn places(&self) -> MutexGuard<'_, HashMap<TrialId, usize>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Subject for Pool {
    /// The first server's, with the addresses of all.
    fn identity(&self) -> SubjectIdentity {
        let each: Vec<SubjectIdentity> = self.members.iter().map(|m| m.identity()).collect();
        let addresses: Vec<&str> = each.iter().filter_map(|one| one.base_url.as_deref()).collect();
        let base_url = Some(addresses.join(" "));
        let Some(first) = each.first() else { unreachable!("a pool has members") };
        SubjectIdentity { base_url, ..first.clone() }
    }

    fn answer<'a>(&'a self, request: Request<'a>) -> Answer<'a> {
        Box::pin(self.ask(request))
    }
}

/// What the end of a request shows of its server.
fn sign_of(failure: Option<&TrialFailure>) -> Sign {
    match failure.map(|failure| failure.kind) {
        Some(FailureKind::Connection | FailureKind::Unavailable) => Sign::Nobody,
        Some(FailureKind::Timeout) => Sign::Timeout,
        _ => Sign::Answer,
    }
}
