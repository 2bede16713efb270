//! The conversations of a log, to be led again over HTTP, where nobody names a case.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;
use toolgauge_core::{CaseId, Message, Run, Trial};
use toolgauge_log::Log;
use toolgauge_model::{ConversationSubject, RecordedConversation, Recording};
use toolgauge_suite::Selection;

use crate::cell::Cell;
use crate::error::EngineError;
use crate::invocation::RecordedInvocation;
use crate::readable_log::ReadableLog;
use crate::{suites, worlds};

/// The subject that answers as it did in this log.
pub fn subject(path: &Path) -> Result<ConversationSubject, EngineError> {
    let readable = ReadableLog::of(path)?;
    let log = Log::open(readable.path())?;
    let run = log.run();
    let mut prompts = Prompts::default();
    let mut trials = Vec::new();
    for trial in log.trials() {
        let trial = trial?;
        trials.push((trial.number, trial.case.id.clone(), conversation(run, &trial, &mut prompts)));
    }
    // In the order of the plan, so that what cannot be told apart is given in the order in which
    // the same run would ask for it.
    let places: HashMap<&CaseId, usize> =
        run.cases.iter().enumerate().map(|(place, id)| (id, place)).collect();
    trials.sort_by_key(|(number, id, _)| (*number, places.get(id).copied()));
    let conversations = trials.into_iter().map(|(_, _, conversation)| conversation).collect();
    Ok(ConversationSubject::new(&run.subject, conversations))
}

fn conversation(run: &Run, trial: &Trial, prompts: &mut Prompts) -> RecordedConversation {
    let mut answers = Recording::of(&trial.transcript);
    let sent = answers.replies.first_mut().and_then(|reply| reply.turn.request.take());
    // The wire is not sent again, and there is much of it.
    for reply in &mut answers.replies {
        (reply.turn.request, reply.turn.response) = (None, None);
    }
    let seed = sent.as_ref().and_then(|sent| sent.get("seed")?.as_u64());
    // The request itself is the best witness. Where it was not kept, the suite must serve.
    let system = match sent {
        Some(sent) => system_prompt(&sent).map(|text| prompts.share(text)),
        None => prompts.of(run, trial),
    };
    RecordedConversation { system, seed, opening: trial.case.input.clone(), answers }
}

/// What a request tells the subject beforehand, in OpenAI's form or in Anthropic's.
fn system_prompt(sent: &Value) -> Option<String> {
    if let Some(system) = sent.get("system") {
        // The prompt may be a text or a list of blocks, and the reader of messages knows both.
        let as_user = serde_json::json!({"role": "user", "content": system});
        return match Message::from_openai(&as_user) {
            Some(Message::User { content }) => Some(content),
            _ => None,
        };
    }
    let messages = sent.get("messages")?.as_array()?.iter().map(Message::from_openai);
    joined(messages.map_while(|message| match message {
        Some(Message::System { content }) => Some(content),
        _ => None,
    }))
}

/// Instructions that come one after the other, as a server reads them.
fn joined(texts: impl Iterator<Item = String>) -> Option<String> {
    texts.reduce(|before, text| before + "\n" + &text)
}

/// System prompts, each kept once.
#[derive(Default)]
struct Prompts {
    known: HashSet<Arc<str>>,
    /// What the suite of the log tells before each case; looked for when a trial does not say.
    of_suite: Option<HashMap<CaseId, Arc<str>>>,
}

impl Prompts {
    fn share(&mut self, text: String) -> Arc<str> {
        if let Some(known) = self.known.get(text.as_str()) {
            return Arc::clone(known);
        }
        let text = Arc::<str>::from(text);
        self.known.insert(Arc::clone(&text));
        text
    }

    /// The prompt of a trial whose request was not kept: the run's, or else the suite's.
    fn of(&mut self, run: &Run, trial: &Trial) -> Option<Arc<str>> {
        let common = run.system_prompt.clone();
        let system = common.or_else(|| {
            let suite = self.of_suite.get_or_insert_with(|| prompts(run).unwrap_or_default());
            suite.get(&trial.case.id).map(ToString::to_string)
        });
        let own = trial.case.input.iter().map_while(|message| match message {
            Message::System { content } => Some(content.clone()),
            _ => None,
        });
        joined(system.into_iter().chain(own)).map(|text| self.share(text))
    }
}

/// What the suite of a run tells before each case, if it is at hand and the same still.
fn prompts(run: &Run) -> Option<HashMap<CaseId, Arc<str>>> {
    let invocation = RecordedInvocation::read(run).ok()?.invocation;
    let path = Path::new(&invocation.suite);
    // A log may name anything: a device would never end.
    if path.exists() && !path.is_file() && !path.is_dir() {
        return None;
    }
    let suite =
        Arc::new(suites::load_with(&invocation.suite, &worlds::at_rest(&invocation.world)).ok()?);
    // A suite that has changed since would answer under a prompt that was never sent.
    if suite.hash != run.suite.hash {
        return None;
    }
    let variants = vec![run.variant.clone()];
    let cases = Selection::default().select(&suite).ok()?;
    let cell = Cell { suite, cases, invocation, variants, key: None };
    let world = worlds::build(&cell.suite, run.variant.as_deref()).ok()?;
    let briefings = cell.briefings(run.variant.as_deref(), world.as_ref()).ok()?;
    let each = cell.cases.iter().zip(briefings);
    Some(each.filter_map(|(case, told)| Some((case.id.clone(), told.system.clone()?))).collect())
}
