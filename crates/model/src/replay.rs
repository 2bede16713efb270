//! A subject that gives the answers of an earlier run again.

use std::collections::HashMap;

use toolgauge_core::{FailureKind, SubjectIdentity, TrialFailure, TrialId};

use crate::Recording;
use toolgauge_core::{Answer, Request, Subject};

/// Gives the answers of an earlier run again, trial by trial.
#[derive(Debug)]
pub struct ReplaySubject {
    identity: SubjectIdentity,
    recordings: HashMap<TrialId, Recording>,
}

impl ReplaySubject {
    /// A subject that answers for the one that was recorded, under its name.
    pub fn new(
        recorded: &SubjectIdentity,
        recordings: impl IntoIterator<Item = (TrialId, Recording)>,
    ) -> Self {
        let identity = SubjectIdentity {
            name: recorded.name.clone(),
            provider: "replay".into(),
            base_url: None,
        };
        Self { identity, recordings: recordings.into_iter().collect() }
    }
}

impl Subject for ReplaySubject {
    fn identity(&self) -> SubjectIdentity {
        self.identity.clone()
    }

    fn answer<'a>(&'a self, request: Request<'a>) -> Answer<'a> {
        let answer = match self.recordings.get(request.trial) {
            Some(recording) => recording.next(request.conversation),
            None => Err(TrialFailure {
                kind: FailureKind::Refused,
                message: format!("the replayed run has no trial `{}`", request.trial),
            }),
        };
        Box::pin(std::future::ready(answer))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use toolgauge_core::{AssistantMessage, CaseId, Message, Transcript};

    use super::*;
    use toolgauge_core::Briefing;

    #[tokio::test]
    async fn trials_are_answered_by_their_name_and_unknown_ones_are_refused() {
        let said = |text: &str| AssistantMessage { content: text.into(), ..Default::default() };
        let trial = |trial| TrialId { case: CaseId::new("a"), trial };
        let recordings = [1, 2]
            .map(|n| (trial(n), Recording::of(&Transcript::of(said(&format!("answer {n}"))))));
        let recorded = SubjectIdentity { name: "qwen".into(), ..SubjectIdentity::default() };
        let subject = ReplaySubject::new(&recorded, recordings);
        assert_eq!(subject.identity().name, "qwen");
        let briefing = Arc::new(Briefing { system: None, tools: Arc::new([]) });
        let conversation = [Message::user("go")];
        let ask = async |trial: &TrialId| {
            let briefing = &briefing;
            let request = Request { briefing, conversation: &conversation, trial, seed: None };
            subject.answer(request).await
        };
        assert_eq!(ask(&trial(2)).await.unwrap().message, said("answer 2"));
        assert_eq!(ask(&trial(3)).await.unwrap_err().kind, FailureKind::Refused);
    }
}
