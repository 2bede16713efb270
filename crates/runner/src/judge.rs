//! A model as judge: it grades answers by a rubric, and compares two of them.
//!
//! Judging calls a model, so it is a step of its own between a trial and its scorers: the votes
//! are written into the transcript, and the scorer that reads them is as pure as all others.
//! Every vote is kept under a hash of all that led to it, so that judging again costs nothing.

mod pair;
mod preference;
mod prompt;
mod reading;
mod rubric;

use std::fmt;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use toolgauge_core::{Briefing, Request, Subject};
use toolgauge_core::{Case, CaseId, Judgement, Message, Transcript, TrialId};

pub use pair::Trace;
pub use preference::Preference;
pub use rubric::{Criterion, Rubric, RubricError};

/// How often a judge is asked again when its judgement cannot be read.
const REMINDERS: u64 = 2;

/// Where votes are kept from one judging to the next, by a key that no two of them share.
pub trait Verdicts: Send + Sync {
    /// The words that were kept under a key.
    fn recall(&self, key: &str) -> Option<String>;

    /// Keeps words under a key. What cannot be kept is judged again the next time.
    fn keep(&self, key: &str, words: &str);
}

/// A model that judges.
pub struct Judge {
    subject: Arc<dyn Subject>,
    rubric: Rubric,
    votes: u32,
    kept: Option<Box<dyn Verdicts>>,
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Judge({}, {} votes)", self.name(), self.votes)
    }
}

impl Judge {
    /// A judge that casts so many votes on each answer.
    pub fn new(subject: Arc<dyn Subject>, rubric: Rubric, votes: u32) -> Self {
        Self { subject, rubric, votes: votes.max(1), kept: None }
    }

    /// The same, remembering what it said before.
    #[must_use]
    pub fn remembering(self, kept: impl Verdicts + 'static) -> Self {
        Self { kept: Some(Box::new(kept)), ..self }
    }

    /// The name the judge goes by.
    pub fn name(&self) -> String {
        self.subject.identity().name
    }

    /// The votes on a trial, in place of those that this judge cast on it before.
    pub async fn judge(&self, case: &Case, transcript: &mut Transcript) {
        // Nothing was answered that a judge could look at.
        let failed = transcript.failure.as_ref().is_some_and(|f| f.kind.is_infrastructure());
        if failed {
            return;
        }
        let name = self.name();
        let mut judgements = Vec::with_capacity(self.votes as usize);
        for vote in 1..=self.votes {
            judgements.push(self.vote(case, transcript, &name, u64::from(vote)).await);
        }
        let others = &mut transcript.background.judgements;
        // Judging again must not count a judge twice; votes of other judges stay.
        others.retain(|judgement| judgement.judge != name);
        others.extend(judgements);
    }

    async fn vote(&self, case: &Case, transcript: &Transcript, name: &str, vote: u64) -> Judgement {
        let brief = prompt::grading(&self.rubric, case, transcript);
        let heard = self.hear(&brief, vote, |words| reading::grade(words, &self.rubric)).await;
        let judge = name.to_owned();
        match heard {
            Ok(grade) => Judgement {
                judge,
                value: Some(grade.value),
                // What it was not asked for is no vote on it.
                right: grade.right.filter(|_| prompt::asks_about_words(case)),
                reasoning: grade.reasoning,
                criteria: grade.criteria,
            },
            Err(why) => Judgement { judge, reasoning: why, ..Judgement::default() },
        }
    }

    /// Asks until the words can be read; from memory, if the same was asked before.
    async fn hear<T>(
        &self,
        brief: &prompt::JudgePrompt,
        vote: u64,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, String> {
        let key = self.key(brief, vote);
        let kept = self.kept.as_ref().and_then(|kept| kept.recall(&key));
        // Words that no longer can be read, by a newer reader, are asked for again.
        if let Some(read) = kept.and_then(|words| read(&words).ok()) {
            return Ok(read);
        }
        let mut why = String::new();
        for attempt in 0..=REMINDERS {
            // Another seed for each attempt, and none that a further vote would use: with the same
            // one a server may give the same unreadable words again.
            let words = self.ask(brief, &why, vote + attempt * 1000).await?;
            match read(&words) {
                Ok(heard) => {
                    if let Some(kept) = &self.kept {
                        kept.keep(&key, &words);
                    }
                    return Ok(heard);
                }
                Err(reason) => why = reason,
            }
        }
        Err(format!("no judgement that can be read: {why}"))
    }

    async fn ask(
        &self,
        brief: &prompt::JudgePrompt,
        why: &str,
        seed: u64,
    ) -> Result<String, String> {
        let system = Some(Arc::from(brief.system.as_str()));
        let briefing = Arc::new(Briefing { system, tools: Arc::new([]) });
        let conversation = match why {
            "" => brief.user.clone(),
            why => format!("{}\n\n{}", brief.user, prompt::reminder(why)),
        };
        let trial = TrialId { case: CaseId::new("judgement"), trial: 1 };
        let conversation = [Message::user(conversation)];
        let (briefing, seed) = (&briefing, Some(seed));
        let request = Request { briefing, conversation: &conversation, trial: &trial, seed };
        let reply = self.subject.answer(request).await;
        let reply =
            reply.map_err(|failure| format!("{}: {}", failure.kind.name(), failure.message));
        reply.map(|reply| reply.message.content)
    }

    /// All that can change a vote, as one short text.
    fn key(&self, brief: &prompt::JudgePrompt, vote: u64) -> String {
        let identity = self.subject.identity();
        let vote = vote.to_string();
        let parts = [&*identity.provider, &*identity.name, &brief.system, &brief.user, &vote];
        let mut hash = Sha256::new();
        for part in parts {
            // The length before each part, so that no two lists of parts run together into one
            // text.
            hash.update(part.len().to_le_bytes());
            hash.update(part.as_bytes());
        }
        prompt::hex(&hash.finalize())
    }
}

/// Reads what a judge wrote by a rubric, for fuzz targets: every mark lies between 0 and 1.
#[doc(hidden)]
pub fn check_judge_words(words: &str, rubric: &Rubric) {
    if let Ok(grade) = reading::grade(words, rubric) {
        let mut marks = grade.criteria.values().chain([&grade.value]);
        assert!(marks.all(|mark| (0.0..=1.0).contains(mark)), "{grade:?}");
    }
    let _ = reading::preference(words);
}

#[cfg(test)]
mod tests;
