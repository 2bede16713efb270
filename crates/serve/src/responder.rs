//! Where requests are answered: routes, the subject behind them, and the faults in their way.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::json;
use toolgauge_core::{Briefing, Reply, Subject};
use toolgauge_core::{CaseId, FailureKind, TrialFailure, TrialId};

use super::body::AnswerBody;
use super::chatbot::{Chatbot, ChatbotQuestion};
use super::counts::Counters;
use super::plan::{DrawnFaults, Fault, FaultPlan, fingerprint};
use super::wire::{self, CompletionRequest, Labels};

/// The longest request that is read.
const LONGEST_REQUEST: usize = 64 << 20;

/// How many different briefings are kept.
const BRIEFINGS: usize = 64;

/// What a connection does with a request.
pub(super) enum ConnectionOutcome {
    /// Answers it.
    Answer(Response<AnswerBody>),
    /// Answers it, but resets the connection when the body breaks off.
    AnswerAndReset(Response<AnswerBody>),
    /// Resets the connection without a word.
    Reset,
    /// Closes it without a word.
    Close,
}

/// One server's state, shared by its connections.
pub(super) struct Responder {
    subject: Arc<dyn Subject>,
    chatbot: Option<Chatbot>,
    plan: FaultPlan,
    counters: Counters,
    attempts: Mutex<HashMap<u64, u32>>,
    briefings: Mutex<Vec<KnownBriefing>>,
    trial: TrialId,
    name: String,
    started: i64,
}

/// A briefing that was seen before, with the texts it was made from.
#[derive(Clone)]
struct KnownBriefing {
    tools: Arc<str>,
    briefing: Arc<Briefing>,
}

impl Responder {
    pub(super) fn new(subject: Arc<dyn Subject>, plan: FaultPlan) -> Self {
        let name = subject.identity().name;
        Self {
            subject,
            chatbot: None,
            plan,
            counters: Counters::default(),
            attempts: Mutex::default(),
            briefings: Mutex::default(),
            trial: TrialId { case: CaseId::new("served"), trial: 1 },
            name,
            started: toolgauge_core::timestamp(SystemTime::now()).as_second(),
        }
    }

    /// A responder with a chatbot beside it.
    pub(super) fn with_chatbot(chatbot: Chatbot, plan: FaultPlan) -> Self {
        let responder = Self::new(chatbot.subject(), plan);
        Self { chatbot: Some(chatbot), ..responder }
    }

    pub(super) fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Does whatever a request calls for.
    pub(super) async fn handle(&self, request: Request<Incoming>) -> io::Result<ConnectionOutcome> {
        let path = request.uri().path();
        let path = path.strip_prefix("/v1").unwrap_or(path).trim_end_matches('/');
        match (request.method(), path) {
            (&Method::POST, path @ ("/chat" | "/chat/completions")) => {
                let chatbot = self.chatbot.as_ref().filter(|_| path == "/chat");
                if chatbot.is_none() && path == "/chat" {
                    let hint = "no chatbot is served; start with `--chatbot`";
                    return Ok(refusal(StatusCode::NOT_FOUND, hint));
                }
                let limited = Limited::new(request.into_body(), LONGEST_REQUEST);
                match (limited.collect().await, chatbot) {
                    (Ok(body), Some(chatbot)) => Ok(self.chat(chatbot, &body.to_bytes()).await),
                    (Ok(body), None) => Ok(self.complete(body.to_bytes()).await),
                    (Err(error), _) if error.is::<LengthLimitError>() => {
                        Ok(refusal(StatusCode::PAYLOAD_TOO_LARGE, "the request is too long"))
                    }
                    (Err(error), _) => Err(io::Error::other(error)),
                }
            }
            (&Method::GET, "/models") => Ok(answer(&json!({
                "object": "list",
                "data": [{"id": self.name, "object": "model", "created": self.started,
                          "owned_by": "toolgauge", "aliases": ["*"]}],
            }))),
            (&Method::GET, "" | "/health") => Ok(answer(&json!({"status": "ok"}))),
            (&Method::GET, "/props") => Ok(answer(&json!({
                "model_alias": self.name, "total_slots": 1,
                "build_info": concat!("toolgauge ", env!("CARGO_PKG_VERSION")),
            }))),
            (_, path) => Ok(refusal(StatusCode::NOT_FOUND, &format!("there is no `{path}` here"))),
        }
    }

    async fn complete(&self, body: Bytes) -> ConnectionOutcome {
        let number = self.counters.request();
        let drawn = self.draw(&body);
        if let Some(outcome) = self.befall(drawn).await {
            return outcome;
        }
        let asked: CompletionRequest<'_> = match serde_json::from_slice(&body) {
            Ok(asked) => asked,
            Err(error) => return self.unreadable(&error),
        };
        let reply = match self.ask(&asked).await {
            Ok(reply) => reply,
            Err(failure) => {
                self.counters.refused();
                return failed(&failure).await;
            }
        };
        let model = asked.model.as_deref().unwrap_or(&self.name);
        let labels = Labels { number, created: self.started, model, asked_bytes: body.len() };
        self.send(write(&asked, &reply, &labels), drawn.fault)
    }

    /// Answers as a chatbot does.
    async fn chat(&self, chatbot: &Chatbot, body: &[u8]) -> ConnectionOutcome {
        self.counters.request();
        let asked: ChatbotQuestion = match serde_json::from_slice(body) {
            Ok(asked) => asked,
            Err(error) => return self.unreadable(&error),
        };
        // By the question alone: sessions have other names in every run.
        let drawn = self.draw(asked.question.as_bytes());
        if let Some(outcome) = self.befall(drawn).await {
            return outcome;
        }
        let answer =
            serde_json::to_vec(&chatbot.answer(asked).await).expect("answers are plain data");
        self.send(json_response(StatusCode::OK, answer), drawn.fault)
    }

    /// Lets happen what was drawn, as far as that needs no answer.
    async fn befall(&self, drawn: DrawnFaults) -> Option<ConnectionOutcome> {
        if drawn.delay > Duration::ZERO {
            tokio::time::sleep(drawn.delay).await;
        }
        let fault = drawn.fault?;
        self.counters.fault(fault);
        fault_alone(fault).await
    }

    fn send(&self, written: Response<AnswerBody>, fault: Option<Fault>) -> ConnectionOutcome {
        if let Some(fault) = fault {
            return spoil(written, fault);
        }
        self.counters.answered();
        ConnectionOutcome::Answer(written)
    }

    fn unreadable(&self, error: &serde_json::Error) -> ConnectionOutcome {
        self.counters.refused();
        refusal(StatusCode::BAD_REQUEST, &format!("the request is unreadable: {error}"))
    }

    /// What the plan has for this request. Requests are only counted if there is a plan.
    fn draw(&self, body: &[u8]) -> DrawnFaults {
        if self.plan.is_empty() {
            return DrawnFaults { fault: None, delay: Duration::ZERO };
        }
        let request = fingerprint(body);
        let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        let attempt = attempts.entry(request).or_default();
        *attempt += 1;
        self.plan.draw(request, *attempt)
    }

    async fn ask(&self, asked: &CompletionRequest<'_>) -> Result<Reply, TrialFailure> {
        let (system, conversation) = asked.conversation();
        let briefing = self.briefing(system, asked);
        let request = toolgauge_core::Request {
            briefing: &briefing,
            conversation: &conversation,
            trial: &self.trial,
            seed: asked.seed,
        };
        self.subject.answer(request).await
    }

    /// The briefing of a request; the same texts give the same `Arc`, so that the subject can
    /// keep what it made of it.
    fn briefing(&self, system: Option<String>, asked: &CompletionRequest<'_>) -> Arc<Briefing> {
        let sent = asked.tools.map_or("", serde_json::value::RawValue::get);
        let mut known = self.briefings.lock().unwrap_or_else(PoisonError::into_inner);
        let same_tools = known.iter().find(|known| &*known.tools == sent).cloned();
        let fits = |known: &&KnownBriefing| {
            *known.tools == *sent && known.briefing.system.as_deref() == system.as_deref()
        };
        if let Some(found) = known.iter().find(fits) {
            return Arc::clone(&found.briefing);
        }
        let tools = match &same_tools {
            Some(same) => Arc::clone(&same.briefing.tools),
            None => wire::tools(asked.tools),
        };
        let briefing = Arc::new(Briefing { system: system.map(Arc::from), tools });
        if known.len() >= BRIEFINGS {
            known.remove(0);
        }
        let tools = same_tools.map_or_else(|| sent.into(), |same| same.tools);
        known.push(KnownBriefing { tools, briefing: Arc::clone(&briefing) });
        briefing
    }
}

/// Faults that need no answer to spoil.
async fn fault_alone(fault: Fault) -> Option<ConnectionOutcome> {
    match fault {
        Fault::RateLimited { retry_after } => {
            let body = wire::error("too many requests", "rate_limit_error", Some("rate_limited"));
            let mut response = json_response(StatusCode::TOO_MANY_REQUESTS, body);
            let seconds = HeaderValue::from(retry_after.as_secs());
            response.headers_mut().insert(RETRY_AFTER, seconds);
            Some(ConnectionOutcome::Answer(response))
        }
        Fault::Error { status } => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            let reason = status.canonical_reason().unwrap_or("planned error");
            let body = wire::error(&reason.to_lowercase(), "server_error", None);
            Some(ConnectionOutcome::Answer(json_response(status, body)))
        }
        Fault::HtmlPage => {
            let page = "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head>\
                        <body><h1>502 Bad Gateway</h1></body></html>\n";
            let mut response = json_response(StatusCode::BAD_GATEWAY, page.as_bytes().to_vec());
            relabel(&mut response, "text/html; charset=utf-8");
            Some(ConnectionOutcome::Answer(response))
        }
        Fault::Reset => Some(ConnectionOutcome::Reset),
        Fault::Hang { lasting } => {
            tokio::time::sleep(lasting).await;
            Some(ConnectionOutcome::Close)
        }
        Fault::ResetMidBody
        | Fault::Truncated
        | Fault::MalformedJson
        | Fault::WrongContentType
        | Fault::Stall { .. }
        | Fault::SlowStream { .. } => None,
    }
}

/// Spoils a good answer.
fn spoil(response: Response<AnswerBody>, fault: Fault) -> ConnectionOutcome {
    match fault {
        Fault::ResetMidBody => {
            ConnectionOutcome::AnswerAndReset(response.map(AnswerBody::broken_off))
        }
        Fault::Truncated => ConnectionOutcome::Answer(response.map(AnswerBody::broken_off)),
        Fault::MalformedJson => ConnectionOutcome::Answer(response.map(AnswerBody::garbled)),
        Fault::Stall { lasting } => {
            ConnectionOutcome::Answer(response.map(|body| body.stalled(lasting)))
        }
        Fault::SlowStream { over } => {
            ConnectionOutcome::Answer(response.map(|body| body.slowly(over)))
        }
        Fault::WrongContentType => {
            let mut response = response;
            relabel(&mut response, "text/plain");
            ConnectionOutcome::Answer(response)
        }
        _ => ConnectionOutcome::Answer(response),
    }
}

/// A failure of the subject, as a server would show it.
async fn failed(failure: &TrialFailure) -> ConnectionOutcome {
    let (recorded, words) = as_sent(&failure.message);
    let (status, kind, code) = match failure.kind {
        FailureKind::Connection => return ConnectionOutcome::Reset,
        FailureKind::Timeout => {
            tokio::time::sleep(Duration::from_mins(10)).await;
            return ConnectionOutcome::Close;
        }
        FailureKind::Truncated => {
            let body = wire::error(words, "server_error", None);
            let response = json_response(StatusCode::OK, body);
            return ConnectionOutcome::Answer(response.map(AnswerBody::broken_off));
        }
        FailureKind::UnreadableAnswer => {
            return ConnectionOutcome::Answer(json_response(
                StatusCode::OK,
                b"{\"choices\": [".to_vec(),
            ));
        }
        FailureKind::RateLimited => (429, "rate_limit_error", None),
        FailureKind::Unauthorized => (401, "authentication_error", None),
        FailureKind::ContextOverflow => {
            (400, "invalid_request_error", Some("context_length_exceeded"))
        }
        FailureKind::Refused | FailureKind::TooLarge => (400, "invalid_request_error", None),
        _ => (500, "server_error", None),
    };
    let status = recorded.filter(|status| (400..600).contains(status)).unwrap_or(status);
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    ConnectionOutcome::Answer(json_response(status, wire::error(words, kind, code)))
}

/// What a server sent, of a message that tells of it: the status, and its own words. A failure that
/// is replayed is told again by whoever asks, and should not be told twice.
fn as_sent(message: &str) -> (Option<u16>, &str) {
    let counted = message.strip_suffix(" attempts)").and_then(|m| m.rsplit_once(" (after "));
    let words = counted.map_or(message, |(words, _)| words);
    let Some(rest) = words.strip_prefix("HTTP status ") else { return (None, words) };
    let (status, words) = rest.split_once(": ").unwrap_or((rest, ""));
    (status.parse().ok(), words)
}

fn write(
    asked: &CompletionRequest<'_>,
    reply: &Reply,
    labels: &Labels<'_>,
) -> Response<AnswerBody> {
    if asked.stream != Some(true) {
        return json_response(StatusCode::OK, wire::completion(reply, labels));
    }
    let events = wire::events(reply, labels, asked.wants_usage());
    let mut response = Response::new(AnswerBody::stream(&events));
    relabel(&mut response, "text/event-stream");
    response
}

fn answer(body: &serde_json::Value) -> ConnectionOutcome {
    ConnectionOutcome::Answer(json_response(StatusCode::OK, body.to_string().into_bytes()))
}

fn refusal(status: StatusCode, message: &str) -> ConnectionOutcome {
    ConnectionOutcome::Answer(json_response(
        status,
        wire::error(message, "invalid_request_error", None),
    ))
}

fn json_response(status: StatusCode, body: Vec<u8>) -> Response<AnswerBody> {
    let mut response = Response::new(AnswerBody::whole(body));
    *response.status_mut() = status;
    relabel(&mut response, "application/json");
    response
}

fn relabel(response: &mut Response<AnswerBody>, content_type: &'static str) {
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_message_is_taken_apart_into_what_was_sent() {
        for (message, status, words) in [
            ("HTTP status 422: no such tool", Some(422), "no such tool"),
            ("HTTP status 503: busy (after 5 attempts)", Some(503), "busy"),
            ("HTTP status 502", Some(502), ""),
            ("no connection: refused (after 2 attempts)", None, "no connection: refused"),
            ("scripted: no (after all)", None, "scripted: no (after all)"),
        ] {
            assert_eq!(as_sent(message), (status, words), "{message}");
        }
    }
}
