//! What to try next when a run cannot be put together or gone on with.

use std::io;
use std::path::Path;

use toolgauge_core::{FailureKind, TrialFailure};
use toolgauge_log::{LogError, MergeError, OutputError, is_address};
use toolgauge_suite::TemplateError;

use crate::error::EngineError;

impl EngineError {
    /// What to do next, where there is something to say.
    pub fn hint(&self) -> Option<String> {
        hint(self)
    }
}

fn hint(error: &EngineError) -> Option<String> {
    match error {
        EngineError::NoSuchSuite { shipped, .. } => {
            Some(format!("name a folder or file, or one of: {}", shipped.join(", ")))
        }
        EngineError::NoSuchWorld { known, .. }
        | EngineError::NoSuchScorer { known, .. }
        | EngineError::NoSuchVariant { known, .. }
        | EngineError::Template(TemplateError::UnknownVariant { known, .. }) => {
            Some(choices(known))
        }
        EngineError::Import(error) => error.hint(),
        EngineError::SeveralRuns { file, .. } if file.is_file() => Some(format!(
            "`toolgauge import {} -o FOLDER` makes a log of each; name those",
            file.display()
        )),
        EngineError::Selection(error) => error.hint().map(str::to_owned),
        EngineError::Preflight(error) => Some(error.hint()),
        EngineError::HomeAgent(error) => error.hint(),
        EngineError::Llama(error) => error.hint().map(str::to_owned),
        EngineError::Merge(error) => merge_hint(error),
        EngineError::Log(LogError::Io { source, path, .. })
        | EngineError::File { source, path, .. }
            if is_address(path) =>
        {
            store_hint(path, source.kind()).map(str::to_owned)
        }
        EngineError::Log(LogError::Io { source, path, .. }) => log_hint(path, source.kind()),
        EngineError::NoModelNamed { offered } => Some(match offered.as_slice() {
            [] => "name it with `-m NAME`; `-m baseline` measures the baseline".to_owned(),
            names => format!("name one with `-m`: {}", names[..names.len().min(20)].join(", ")),
        }),
        EngineError::EveryTrialFails { model, same } => Some(set_up_hint(model, &same.failure)),
        _ => fixed_hint(error).map(str::to_owned),
    }
}

/// The hints that are the same each time.
fn fixed_hint(error: &EngineError) -> Option<&'static str> {
    Some(match error {
        EngineError::NotUploaded { .. } => {
            "the same command, or `toolgauge run --resume` with the log's address, uploads it when \
             the store is back"
        }
        EngineError::NoData { .. } => {
            "add `--data FOLDER`: `bfcl_eval/data` of the package `bfcl-eval`"
        }
        EngineError::NoEmbeddings => {
            "name one with `--embeddings URL`, or take `likeness` out of `more.keywords`"
        }
        EngineError::Embeddings { .. } => {
            "llama.cpp has `/v1/embeddings` when it is started with `--embeddings --pooling mean`"
        }
        EngineError::Rubric { .. } => {
            "write one criterion per line, such as `accuracy 40: it is true`"
        }
        EngineError::NotAllowed { .. } => {
            "if you trust the suite, add `--allow-commands`, or once for all in its folder: \
             `toolgauge config --trust FOLDER`"
        }
        EngineError::NoServers => {
            "build it with `--features mcp` or take a package; what was recorded needs no server"
        }
        EngineError::NotRecorded { .. } => {
            "name a folder under `recording`, then record them: `toolgauge check SUITE --replay live \
             --allow-commands`"
        }
        EngineError::BadCommand { .. } => "write it as in a shell, such as `command:python bot.py`",
        EngineError::NoSuchProgram { .. } => {
            "is it installed and on the PATH? a path to it works too"
        }
        EngineError::NoSuchVariable { .. } => {
            "the chatbot's headers ask for it; set it before the run"
        }
        EngineError::NotAVariable => {
            "give the name, such as `OPENAI_API_KEY`, and put the key into that variable"
        }
        EngineError::OutputFile(
            OutputError::Input { .. } | OutputError::Log { .. } | OutputError::LogName { .. },
        ) => "name another file",
        EngineError::NoLogs { .. } => {
            "runs keep their logs in `logs`, or where `--log-dir` says; `toolgauge view` lists them"
        }
        EngineError::SeveralRuns { .. } => {
            "name one log, or the shards of one run by a pattern such as `logs/shard-*-of-16_*`; \
             `toolgauge view` shows what there is"
        }
        EngineError::ChatbotAsModel => {
            "to measure a chatbot, write `-m chatbot:ADDRESS` or `-m chatbot:FILE`; to measure a \
             model, give its name, and the server's address with `--base-url`"
        }
        EngineError::NothingToFix => "add `--scorer tool_calls_classic`",
        EngineError::Settings { .. } => "`toolgauge config --defaults` explains every setting",
        EngineError::NoArrayTask => {
            "write it as `--shard 3/16`; `auto` is for tasks of Slurm, Kubernetes, GitLab, CircleCI, \
             Buildkite, AWS Batch and PBS, and for RANK and WORLD_SIZE"
        }
        EngineError::NoShardCount { .. } => "state the number of shards, such as `--shard auto/16`",
        EngineError::BadArrayTask { .. } => {
            "give the array one task per shard, counted as in docs/scale.md"
        }
        EngineError::RunStopped { .. } => {
            "what was finished is in the log; `--resume last` goes on"
        }
        _ => return None,
    })
}

/// What to do about a log that is there already.
const NOT_REPLACED: &str = "name a new file: no log is replaced";

/// What to do about a store.
fn store_hint(path: &Path, why: io::ErrorKind) -> Option<&'static str> {
    if toolgauge_log::stores().is_err() {
        return Some(
            "the packages have them; in a clone, `cargo build --release --features stores` adds \
             them",
        );
    }
    match why {
        io::ErrorKind::AlreadyExists => return Some(NOT_REPLACED),
        io::ErrorKind::PermissionDenied => {}
        _ => return None,
    }
    Some(match path.to_string_lossy().get(..2) {
        Some("gs") => "set GOOGLE_APPLICATION_CREDENTIALS",
        Some("az") => "set AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_KEY, or a connection string",
        _ => "set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, or AWS_PROFILE",
    })
}

fn merge_hint(error: &MergeError) -> Option<String> {
    Some(match error {
        MergeError::Log(LogError::Io { source, path, .. }) => {
            return log_hint(path, source.kind());
        }
        MergeError::Incomplete { .. } => {
            "run the missing shards by the same commands, or add `--partial`".to_owned()
        }
        MergeError::OtherPlan { .. } => {
            "name the shards of one run only; each run has a pattern of its own".to_owned()
        }
        MergeError::Overlap { .. } => "name one of the two".to_owned(),
        MergeError::NotAShard { .. } => "shards are made by `toolgauge run --shard`".to_owned(),
        _ => return None,
    })
}

/// What to look at when every trial fails in this way.
fn set_up_hint(model: &str, failure: &TrialFailure) -> String {
    let is_chatbot = model.starts_with("chatbot:") || model.starts_with("command:");
    let is_empty = failure.message.starts_with("the answer is ");
    let look = match failure.kind {
        FailureKind::OtherModel => {
            return "name the model as the server does; `--any-model` runs on regardless"
                .to_owned();
        }
        FailureKind::UnreadableAnswer if is_chatbot => {
            "name the place of the text in a chatbot's file, such as `answer: {text: /data/reply}` \
             (docs/chatbots.md)"
        }
        FailureKind::Reported if is_chatbot && is_empty => {
            "if the text stands elsewhere, name its place in a chatbot's file, such as `answer: \
             {text: /data/reply}` (docs/chatbots.md)"
        }
        FailureKind::Reported if is_chatbot => {
            "the chatbot itself gives this error in place of an answer: see what it writes"
        }
        FailureKind::Reported => {
            "the server gave neither text nor calls: check its filters, its chat template and its \
             parser of reasoning, and `--max-tokens`"
        }
        FailureKind::Unauthorized if is_chatbot => {
            "give the key under `headers` in the chatbot's file (docs/chatbots.md)"
        }
        FailureKind::RateLimited => "ask more slowly with `--requests-per-minute`",
        FailureKind::Refused if is_chatbot => "check the chatbot's URL, method and body",
        FailureKind::UnreadableAnswer => "does `--base-url` lead to an OpenAI-compatible server?",
        FailureKind::ContextOverflow | FailureKind::Timeout => {
            toolgauge_report::advice(failure.kind.name()).unwrap_or_default()
        }
        _ if model.starts_with("command:") => "run the command by hand and see what it prints",
        _ if is_chatbot => "check the chatbot's address, and what the chatbot itself writes",
        _ => "check the address, the model and how the server was started",
    };
    format!("{look}; `--same-failures 0` runs on regardless")
}

/// What may have been meant by a log that cannot be read.
fn log_hint(path: &Path, why: io::ErrorKind) -> Option<String> {
    match why {
        io::ErrorKind::IsADirectory => {
            let folder = path.display();
            Some(format!("name a log in it; `toolgauge view {folder}` shows what there is"))
        }
        io::ErrorKind::NotFound => {
            Some("runs keep their logs in `logs`, or where `--log-dir` says".to_owned())
        }
        io::ErrorKind::AlreadyExists => Some(NOT_REPLACED.to_owned()),
        _ => None,
    }
}

/// What there is to choose from.
pub fn choices(known: &[String]) -> String {
    match known {
        [] => "there are none".to_owned(),
        known => format!("there are: {}", known.join(", ")),
    }
}
