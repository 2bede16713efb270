//! A chatbot that is started anew for each question: it reads it and writes its answer.

use std::io;
use std::path::PathBuf;
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::time::Instant;
use toolgauge_core::{FailureKind, SubjectIdentity};

use crate::attempt::RetryPolicy;
use crate::failure::AttemptFailure;
use crate::limits::RequestLimits;
use crate::quote::quote;
use crate::redactor::Redactor;
use crate::secret::Secret;
use crate::watchdog::{MARK_VARIABLE, Watchdog, new_mark};
use toolgauge_core::{Answer, Request, Subject};

use super::answer::{AnswerForm, AnswerPlaces, ChatbotReply};
use super::channel::{Channel, ChatbotResponse};
use super::chat::Chat;
use super::template::{Fillings, Template};

/// The variable in which a command finds the session its question belongs to.
const SESSION_VARIABLE: &str = "TOOLGAUGE_SESSION";

/// How much of what a command writes beside its answer is looked at.
const LARGEST_COMPLAINT: usize = 64 * 1024;

/// How long what a command wrote is read after its end. It is all there; only the end may not come.
const DRAIN_TIME: Duration = Duration::from_secs(1);

/// What a command reads.
#[derive(Clone, Debug, PartialEq)]
pub enum CommandInput {
    /// The question, and nothing else.
    Question,
    /// JSON, on one line.
    Json(Template),
}

/// How a chatbot is asked by starting a command.
#[derive(Clone, Debug)]
pub struct CommandSettings {
    /// The name it goes by; that of the program when not given.
    pub name: Option<String>,
    /// The program that is started for every answer.
    pub program: PathBuf,
    /// What it is started with.
    pub arguments: Vec<String>,
    /// What it reads.
    pub input: CommandInput,
    /// What it writes.
    pub answer: AnswerForm,
    /// How long one answer may take.
    pub timeout: Duration,
    /// How many bytes it may have.
    pub largest_answer: usize,
    /// How often a question is asked again.
    pub retry: RetryPolicy,
    /// Limits shared by all who start such commands.
    pub limits: Arc<RequestLimits>,
    /// Whether what was read and written is kept in the transcript.
    pub keep_wire: bool,
    /// What must not be kept should the command repeat it, such as keys it finds in its
    /// environment.
    pub secrets: Vec<Secret>,
}

impl CommandSettings {
    /// A command that reads a question and writes text, or JSON of the reference form.
    pub fn new(program: impl Into<PathBuf>, arguments: Vec<String>) -> Self {
        Self {
            name: None,
            program: program.into(),
            arguments,
            input: CommandInput::Question,
            answer: AnswerForm::Either(AnswerPlaces::reference()),
            timeout: Duration::from_mins(10),
            largest_answer: 16 * 1024 * 1024,
            retry: RetryPolicy::default(),
            limits: Arc::default(),
            keep_wire: false,
            secrets: Vec::new(),
        }
    }
}

/// A chatbot that is started anew for each question.
#[derive(Debug)]
pub struct CommandChatbot(Chat<Starter>);

#[derive(Debug)]
struct Starter {
    settings: CommandSettings,
    redactor: Redactor,
    /// What every process that a command starts is known by.
    mark: String,
    /// Started with the first command.
    watchdog: OnceLock<Watchdog>,
}

impl CommandChatbot {
    /// A chatbot; nothing is started yet.
    pub fn new(settings: CommandSettings) -> Self {
        let (retry, limits) = (settings.retry, settings.limits.clone());
        let redactor = Redactor::new(&settings.secrets);
        let (mark, watchdog) = (new_mark(), OnceLock::new());
        Self(Chat::new(Starter { settings, redactor, mark, watchdog }, retry, limits))
    }
}

impl Subject for CommandChatbot {
    fn identity(&self) -> SubjectIdentity {
        let settings = &self.0.channel.settings;
        // Arguments are left out: any of them may be a key.
        let program = settings.program.file_name().unwrap_or_default().to_string_lossy();
        SubjectIdentity {
            name: settings.name.clone().unwrap_or_else(|| program.into_owned()),
            provider: "command".to_owned(),
            base_url: None,
        }
    }

    fn answer<'a>(&'a self, request: Request<'a>) -> Answer<'a> {
        Box::pin(self.0.ask(request))
    }

    fn doubts(&self) -> Vec<String> {
        self.0.doubts()
    }
}

impl Channel for Starter {
    fn takes_history(&self) -> bool {
        matches!(&self.settings.input, CommandInput::Json(template) if template.has("history"))
    }

    fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    async fn attempt(&self, fillings: &Fillings<'_>) -> Result<ChatbotResponse, AttemptFailure> {
        let begun = Instant::now();
        let sent = match &self.settings.input {
            CommandInput::Question => Value::from(fillings.question),
            CommandInput::Json(template) => template.fill(fillings),
        };
        let limit = self.settings.timeout;
        let late = |_| {
            let message = format!("the command gave no complete answer within {limit:?}");
            Err(AttemptFailure::passing(FailureKind::Timeout, message))
        };
        let work = self.converse(&sent, fillings.session);
        let mut written = tokio::time::timeout(limit, work).await.unwrap_or_else(late)?;
        // Before anything else reads it, so that no message or transcript can hold a secret.
        self.redactor.body(&mut written, true);
        let told = self.read(&written).map_err(|failure| AttemptFailure {
            message: self.redactor.message(failure.message),
            ..failure
        })?;
        let wire =
            self.settings.keep_wire.then(|| (sent, Value::from(String::from_utf8_lossy(&written))));
        Ok(ChatbotResponse { told, total: begun.elapsed(), wire })
    }
}

impl Starter {
    /// Starts the command, tells it the question and hands back what it wrote.
    async fn converse(&self, sent: &Value, session: &str) -> Result<Vec<u8>, AttemptFailure> {
        let mut process = self.start(session).map_err(|error| self.not_started(&error))?;
        let stdin = process.0.stdin.take();
        let (stdout, stderr) = (process.0.stdout.take(), process.0.stderr.take());
        let line = match sent {
            Value::String(text) => format!("{text}\n"),
            other => format!("{other}\n"),
        };
        let tell = async move {
            // A command that answers without reading to the end closes its side early.
            if let Some(mut stdin) = stdin {
                let _ = stdin.write_all(line.as_bytes()).await;
            }
        };
        let largest = self.settings.largest_answer;
        let (mut written, mut complaint) = (Vec::new(), Vec::new());
        // Asked before waiting: the number is gone once the process was waited for.
        let group = process.group();
        let ended = {
            let complain = async {
                let rest = read_up_to(stderr, LARGEST_COMPLAINT, &mut complaint).await;
                // The rest is read as well, so that the command never has to wait.
                if let Some(mut rest) = rest {
                    let _ = tokio::io::copy(&mut rest, &mut tokio::io::sink()).await;
                }
            };
            // Who writes too much finds nobody listening any more.
            let listen = async { drop(read_up_to(stdout, largest + 1, &mut written).await) };
            // All three at once: a command that writes before it has read everything would
            // otherwise block on a full pipe, and so would we.
            let mut talk = pin!(async { tokio::join!(tell, listen, complain) });
            tokio::select! {
                // What it started and left behind holds the same pipes, so their end may never
                // come. Everything the command itself wrote is in them when it has ended.
                ended = process.0.wait() => {
                    stop_group(group);
                    let _ = tokio::time::timeout(DRAIN_TIME, talk).await;
                    Some(ended)
                }
                _ = &mut talk => None,
            }
        };
        if written.len() > largest {
            let message = format!("the answer is larger than {largest} bytes");
            return Err(AttemptFailure::lasting(FailureKind::TooLarge, message));
        }
        let ended = match ended {
            Some(ended) => ended,
            None => process.0.wait().await,
        };
        // What it left behind must not outlive it, pipes or none. The number of the group is not
        // given to another one while somebody is left in it.
        stop_group(group);
        match ended {
            Ok(status) if status.success() => Ok(written),
            Ok(status) => Err(self.crashed(status, complaint)),
            Err(error) => Err(self.not_started(&error)),
        }
    }

    fn start(&self, session: &str) -> io::Result<CommandProcess> {
        self.watchdog.get_or_init(|| Watchdog::start(&self.mark, None));
        let mut command = Command::new(&self.settings.program);
        command
            .args(&self.settings.arguments)
            .env(SESSION_VARIABLE, session)
            .env(MARK_VARIABLE, &self.mark)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        // A group of its own, so that all of it can be stopped when it takes too long.
        #[cfg(unix)]
        command.process_group(0);
        command.spawn().map(CommandProcess)
    }

    /// A command that ended badly is to a run what a server's error is.
    fn crashed(&self, status: ExitStatus, mut complaint: Vec<u8>) -> AttemptFailure {
        // Before it is cut and quoted, and not after: half a key is none to be found.
        self.redactor.body(&mut complaint, false);
        last_words(status, &complaint)
    }

    fn not_started(&self, error: &io::Error) -> AttemptFailure {
        let message = format!("`{}` could not be run: {error}", self.settings.program.display());
        AttemptFailure::lasting(FailureKind::Connection, message)
    }

    fn read(&self, written: &[u8]) -> Result<ChatbotReply, AttemptFailure> {
        let text = String::from_utf8_lossy(written);
        let json = || serde_json::from_str::<Value>(&text);
        match &self.settings.answer {
            AnswerForm::Text => Ok(ChatbotReply::plain(&text)),
            AnswerForm::Json(places) => {
                let answer = json().map_err(|error| {
                    let message = format!("the command wrote no JSON: {error}: {}", quote(&text));
                    AttemptFailure::passing(FailureKind::UnreadableAnswer, message)
                })?;
                places.read(&answer)
            }
            AnswerForm::Either(places) => {
                places.read_object(&text).unwrap_or_else(|| Ok(ChatbotReply::plain(&text)))
            }
        }
    }
}

/// What a command that ended badly said about it, in its last line.
fn last_words(status: ExitStatus, complaint: &[u8]) -> AttemptFailure {
    let complaint = String::from_utf8_lossy(complaint);
    // The last line is what a stack trace was written for.
    let last = complaint.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let message = match quote(last) {
        words if words.is_empty() => format!("the command failed ({status})"),
        words => format!("the command failed ({status}): {words}"),
    };
    AttemptFailure::passing(FailureKind::Server, message)
}

/// Reads so many bytes at most into a buffer, which keeps them when nobody waits any longer, and
/// hands back where the rest would come from.
async fn read_up_to<R: AsyncRead + Unpin>(
    from: Option<R>,
    most: usize,
    bytes: &mut Vec<u8>,
) -> Option<R> {
    let mut limited = from?.take(u64::try_from(most).unwrap_or(u64::MAX));
    // What came before a break is still worth something.
    let _ = limited.read_to_end(bytes).await;
    Some(limited.into_inner())
}

/// A process that ends with everything it started when nobody waits for it any more.
struct CommandProcess(Child);

impl CommandProcess {
    /// The number of its process group, until it has been waited for.
    fn group(&self) -> Option<i32> {
        self.0.id().and_then(|id| i32::try_from(id).ok())
    }
}

impl Drop for CommandProcess {
    fn drop(&mut self) {
        stop_group(self.group());
    }
}

#[cfg(unix)]
fn stop_group(group: Option<i32>) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = group.and_then(Pid::from_raw) {
        // It fails only when nobody is left to stop.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn stop_group(_group: Option<i32>) {}
