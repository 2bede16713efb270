//! A llama.cpp server of our own: started on a free port, watched, and stopped whatever happens.

mod process;

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::Url;
use thiserror::Error;
use tokio::time::Instant;

use crate::attempt::RetryPolicy;
use crate::connection::{Connection, ConnectionError};
use crate::endpoint::Endpoint;
use crate::preflight::{self, Preflight};
use crate::transport::Transport;
use process::ServerProcess;

/// The name the program has when no other is given.
const PROGRAM: &str = "llama-server";
/// How often the server is asked whether it is ready.
const POLL: Duration = Duration::from_millis(100);

/// Which model to serve, and how.
#[derive(Clone, Debug)]
pub struct LlamaSettings {
    /// The GGUF file.
    pub model: PathBuf,
    /// The program; `llama-server` on the PATH when not given.
    pub program: Option<PathBuf>,
    /// Flags to pass on, such as `--ctx-size 8192`.
    pub flags: Vec<String>,
    /// How long it may take until the model is loaded.
    pub start_timeout: Duration,
}

impl LlamaSettings {
    /// A model, served with the program on the PATH and no flags.
    pub fn new(model: impl Into<PathBuf>) -> Self {
        Self {
            model: model.into(),
            program: None,
            flags: Vec::new(),
            start_timeout: Duration::from_mins(10),
        }
    }
}

/// Why a server of our own could not be had.
#[derive(Debug, Error)]
pub enum LlamaError {
    /// There is no such file.
    #[error("there is no model at `{0}`")]
    NoModel(PathBuf),
    /// There is no such program.
    #[error("the program `{0}` was not found")]
    NoProgram(PathBuf),
    /// The program could not be started.
    #[error("the program `{program}` could not be started")]
    NotStarted {
        /// The server program that was to be started.
        program: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It ended while it was still starting.
    #[error("`{program}` ended ({status}) before it was ready:\n{output}")]
    Ended {
        /// The server program that was to be started.
        program: PathBuf,
        /// How it ended.
        status: String,
        /// The end of what it wrote.
        output: String,
    },
    /// It was not ready in time.
    #[error("`{program}` was not ready within {timeout:?}:\n{output}")]
    NotReady {
        /// The server program that was to be started.
        program: PathBuf,
        /// How long it was given.
        timeout: Duration,
        /// The end of what it wrote.
        output: String,
    },
    /// No port was free, or the client could not be set up.
    #[error("no connection to the server can be set up")]
    Connection(#[from] ConnectionError),
    /// Loopback has no free port.
    #[error("no free port on this machine")]
    NoPort(#[source] std::io::Error),
}

impl LlamaError {
    /// What to do about it, where that is not plain.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NoProgram(_) => Some(
                "install llama.cpp, or name its program: `--llama-server FILE` or \
                     `TOOLGAUGE_LLAMA_SERVER`",
            ),
            Self::NotReady { .. } => Some("a large model on a slow disk needs a longer time limit"),
            _ => None,
        }
    }
}

/// A running llama.cpp server. It is stopped when dropped, and when this program dies.
#[derive(Debug)]
pub struct LlamaServer {
    process: ServerProcess,
    endpoint: Endpoint,
    facts: Preflight,
}

impl LlamaServer {
    /// Starts a server and waits until its model is loaded.
    pub async fn start(settings: &LlamaSettings) -> Result<Self, LlamaError> {
        if !settings.model.is_file() {
            return Err(LlamaError::NoModel(settings.model.clone()));
        }
        let program = settings.program.clone().unwrap_or_else(|| PathBuf::from(PROGRAM));
        let port = free_port().map_err(LlamaError::NoPort)?;
        let url = format!("http://127.0.0.1:{port}");
        let endpoint = Endpoint::parse(&url).map_err(ConnectionError::from)?;
        let mut connection = Connection::to(endpoint.clone());
        // A server that loads a model may accept a connection and stay silent; the loop asks again.
        connection.timeout = Duration::from_secs(5);
        connection.retry = RetryPolicy::never();
        let transport = Transport::new(&connection, &[])?;
        let mut process = ServerProcess::start(&program, &arguments(settings, port))
            .map_err(|source| not_started(&program, source))?;
        let health = endpoint.beside("health");
        wait_until_ready(&mut process, &transport, &health, (&program, settings.start_timeout))
            .await?;
        // The facts are a courtesy; a server without them works as well.
        let facts = preflight::ask(&transport, &endpoint, "").await.unwrap_or_default();
        Ok(Self { process, endpoint, facts })
    }

    /// Where it is.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// What it says about itself.
    pub fn facts(&self) -> &Preflight {
        &self.facts
    }

    /// The last lines it wrote, for an error message.
    pub fn output(&self) -> String {
        self.process.output()
    }

    /// Whether it is still running.
    pub fn is_running(&mut self) -> bool {
        self.process.ended().is_none()
    }

    /// Stops it: politely first, then for good.
    pub async fn stop(self) {
        self.process.stop().await;
    }
}

/// A port nobody uses. Somebody might take it before the server does; then it says so and ends.
fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

fn arguments(settings: &LlamaSettings, port: u16) -> Vec<String> {
    let mut arguments: Vec<String> =
        ["--host", "127.0.0.1", "--port"].iter().map(ToString::to_string).collect();
    arguments.extend([port.to_string(), "--model".into()]);
    arguments.push(settings.model.to_string_lossy().into_owned());
    // Without this flag older versions do not pass the tools to the model.
    if !settings.flags.iter().any(|flag| flag.ends_with("-jinja")) {
        arguments.push("--jinja".into());
    }
    // Last, because llama.cpp takes the last of several equal flags, and the user's must win.
    arguments.extend(settings.flags.iter().cloned());
    arguments
}

fn not_started(program: &Path, source: std::io::Error) -> LlamaError {
    let program = program.to_owned();
    match source.kind() {
        std::io::ErrorKind::NotFound => LlamaError::NoProgram(program),
        _ => LlamaError::NotStarted { program, source },
    }
}

/// Waits for `/health`: refused at first, 503 while loading, then 200.
async fn wait_until_ready(
    process: &mut ServerProcess,
    transport: &Transport,
    health: &Url,
    (program, timeout): (&Path, Duration),
) -> Result<(), LlamaError> {
    let start = Instant::now();
    loop {
        // Looked at before the health page: another server may answer on the port of one that died.
        if let Some(status) = process.ended() {
            process.drain().await;
            let (program, output) = (program.to_owned(), process.output());
            return Err(LlamaError::Ended { program, status, output });
        }
        if transport.get(health).await.is_ok_and(|exchange| exchange.status == 200) {
            return Ok(());
        }
        if start.elapsed() > timeout {
            let (program, output) = (program.to_owned(), process.output());
            return Err(LlamaError::NotReady { program, timeout, output });
        }
        tokio::time::sleep(POLL).await;
    }
}
