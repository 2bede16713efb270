//! An HTTP server that does as it is told: slow, odd, broken or gone, byte for byte.
//!
//! It speaks HTTP/1.1 over a real socket and writes raw bytes, because the faults worth testing
//! are those that no well-behaved server library can produce.

use std::fmt::Write;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A request as it came in.
#[derive(Clone, Debug)]
pub struct Received {
    /// `GET` or `POST`.
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// The headers, their names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// How many requests came before it.
    pub number: usize,
}

impl Received {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON; null when it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

#[derive(Clone, Debug)]
enum Step {
    Write(Vec<u8>),
    Wait(Duration),
    Reset,
    Close,
}

/// What the server does with a request, step by step.
#[derive(Clone, Debug)]
pub struct Response {
    steps: Vec<Step>,
}

impl Response {
    /// A whole answer with a length.
    pub fn new(status: u16, content_type: &str, body: impl AsRef<[u8]>) -> Self {
        Self::with_headers(status, &[("content-type", content_type)], body)
    }

    /// A whole answer with these headers and a length.
    pub fn with_headers(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref();
        let mut bytes = head(status, headers);
        bytes.extend_from_slice(format!("content-length: {}\r\n\r\n", body.len()).as_bytes());
        bytes.extend_from_slice(body);
        Self { steps: vec![Step::Write(bytes)] }
    }

    /// A whole JSON answer.
    pub fn json(status: u16, body: &Value) -> Self {
        Self::new(status, "application/json", body.to_string())
    }

    /// A stream of events in HTTP chunks, one for each piece, whatever the pieces hold.
    pub fn stream<P: AsRef<[u8]>>(pieces: impl IntoIterator<Item = P>) -> Self {
        let mut response = Self::open_stream(pieces);
        response.steps.push(Step::Write(b"0\r\n\r\n".to_vec()));
        response
    }

    /// A stream that never says that it is over.
    pub fn open_stream<P: AsRef<[u8]>>(pieces: impl IntoIterator<Item = P>) -> Self {
        let headers = [("content-type", "text/event-stream"), ("transfer-encoding", "chunked")];
        let mut bytes = head(200, &headers);
        bytes.extend_from_slice(b"\r\n");
        let mut steps = vec![Step::Write(bytes)];
        for piece in pieces {
            let piece = piece.as_ref();
            let mut chunk = format!("{:x}\r\n", piece.len()).into_bytes();
            chunk.extend_from_slice(piece);
            chunk.extend_from_slice(b"\r\n");
            steps.push(Step::Write(chunk));
        }
        Self { steps }
    }

    /// These bytes and nothing else, not even a status line.
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self { steps: vec![Step::Write(bytes.into())] }
    }

    /// No answer: the connection is closed at once.
    pub fn hang_up() -> Self {
        Self { steps: vec![Step::Close] }
    }

    /// No answer for so long, and then none either.
    pub fn silence(wait: Duration) -> Self {
        Self { steps: vec![Step::Wait(wait), Step::Close] }
    }

    /// The same after a pause.
    #[must_use]
    pub fn after(mut self, pause: Duration) -> Self {
        self.steps.insert(0, Step::Wait(pause));
        self
    }

    /// The same with a pause between any two writes.
    #[must_use]
    pub fn slowly(self, pause: Duration) -> Self {
        let paused = self.steps.into_iter().flat_map(|step| [step, Step::Wait(pause)]);
        Self { steps: paused.collect() }
    }

    /// Only so many bytes of it, and then the connection is closed.
    #[must_use]
    pub fn cut_after(self, bytes: usize) -> Self {
        self.ended_after(bytes, Step::Close)
    }

    /// Only so many bytes of it, and then the connection is reset.
    #[must_use]
    pub fn reset_after(self, bytes: usize) -> Self {
        self.ended_after(bytes, Step::Reset)
    }

    /// The same, after which the connection is held open for so long.
    #[must_use]
    pub fn then_hanging(mut self, wait: Duration) -> Self {
        self.steps.extend([Step::Wait(wait), Step::Close]);
        self
    }

    fn ended_after(self, mut left: usize, end: Step) -> Self {
        let mut steps = Vec::new();
        for step in self.steps {
            match step {
                Step::Write(bytes) if bytes.len() >= left => {
                    steps.push(Step::Write(bytes[..left].to_vec()));
                    break;
                }
                Step::Write(bytes) => {
                    left -= bytes.len();
                    steps.push(Step::Write(bytes));
                }
                other => steps.push(other),
            }
        }
        steps.push(end);
        Self { steps }
    }
}

fn head(status: u16, headers: &[(&str, &str)]) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {status} Whatever\r\n");
    for (name, value) in headers {
        let _ = write!(text, "{name}: {value}\r\n");
    }
    text.into_bytes()
}

type Plan = dyn Fn(&Received) -> Response + Send + Sync;

/// A server on a free loopback port, gone when dropped.
#[derive(Debug)]
pub struct Server {
    url: String,
    received: Arc<Mutex<Vec<Received>>>,
    task: JoinHandle<()>,
}

impl Server {
    /// A server that answers each request as the plan says.
    ///
    /// # Panics
    ///
    /// When loopback has no free port.
    pub async fn start(plan: impl Fn(&Received) -> Response + Send + Sync + 'static) -> Self {
        Self::start_at(0, plan).await
    }

    /// The same on a given port.
    ///
    /// # Panics
    ///
    /// When the port is taken.
    pub async fn start_at(
        port: u16,
        plan: impl Fn(&Received) -> Response + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.expect("the port is free");
        let address = listener.local_addr().expect("a bound socket has an address");
        let received = Arc::new(Mutex::new(Vec::new()));
        let (plan, log) = (Arc::new(plan), received.clone());
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, plan.clone(), log.clone()));
            }
        });
        Self { url: format!("http://{address}"), received, task }
    }

    /// A server that answers the first request with the first response, and so on; the last one
    /// is given again and again.
    pub async fn answering(responses: Vec<Response>) -> Self {
        Self::start(move |request| {
            let at = request.number.min(responses.len().saturating_sub(1));
            responses.get(at).cloned().unwrap_or_else(Response::hang_up)
        })
        .await
    }

    /// Where it is, without a path.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Everything that was asked so far.
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(mut stream: TcpStream, plan: Arc<Plan>, log: Arc<Mutex<Vec<Received>>>) {
    let mut pending = Vec::new();
    while let Ok(Some(mut request)) = read_request(&mut stream, &mut pending).await {
        {
            let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
            request.number = log.len();
            log.push(request.clone());
        }
        match play(&mut stream, plan(&request)).await {
            Ok(true) => {}
            Ok(false) | Err(_) => return,
        }
    }
}

/// Plays a response; says whether the connection lives on.
async fn play(stream: &mut TcpStream, response: Response) -> io::Result<bool> {
    for step in response.steps {
        match step {
            Step::Write(bytes) => {
                stream.write_all(&bytes).await?;
                stream.flush().await?;
            }
            Step::Wait(pause) => tokio::time::sleep(pause).await,
            Step::Reset => {
                stream.set_zero_linger()?;
                return Ok(false);
            }
            Step::Close => {
                stream.shutdown().await?;
                return Ok(false);
            }
        }
    }
    Ok(true)
}

async fn read_request(
    stream: &mut TcpStream,
    pending: &mut Vec<u8>,
) -> io::Result<Option<Received>> {
    let head_end = loop {
        if let Some(end) = pending.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(pending).await? == 0 {
            return Ok(None);
        }
    };
    let head = String::from_utf8_lossy(&pending[..head_end]).into_owned();
    let mut request = parse_head(&head);
    let length = request.header("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
    while pending.len() < head_end + length {
        if stream.read_buf(pending).await? == 0 {
            return Ok(None);
        }
    }
    request.body = pending[head_end..head_end + length].to_vec();
    pending.drain(..head_end + length);
    Ok(Some(request))
}

fn parse_head(head: &str) -> Received {
    let mut lines = head.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let mut word = || words.next().unwrap_or_default().to_owned();
    let (method, path) = (word(), word());
    let headers = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    Received { method, path, headers, body: Vec::new(), number: 0 }
}
