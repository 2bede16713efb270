//! A chatbot behind an HTTP address.

use bytes::Bytes;
use reqwest::{Method, Url};
use serde_json::Value;
use toolgauge_core::{FailureKind, Oddity, SubjectIdentity};

use crate::body::{BodyShape, BodyText};
use crate::connection::{Connection, ConnectionError};
use crate::endpoint::Endpoint;
use crate::exchange::HttpExchange;
use crate::failure::AttemptFailure;
use crate::preflight::PreflightError;
use crate::redactor::Redactor;
use crate::transport::Transport;
use toolgauge_core::{Answer, Request, Subject};

use super::answer::{AnswerForm, AnswerPlaces, ChatbotReply};
use super::channel::{Channel, ChatbotResponse};
use super::chat::Chat;
use super::template::{Fillings, Template, fill_text, percent_encoded};

/// How a chatbot is asked over HTTP.
#[derive(Clone, Debug)]
pub struct HttpChatbotSettings {
    /// The name it goes by; its address when not given.
    pub name: Option<String>,
    /// How it is reached, and how patiently. Its endpoint is that of `url`.
    pub connection: Connection,
    /// `GET`, `POST` or another method.
    pub method: String,
    /// The address, which may have places to be filled as a template has.
    pub url: String,
    /// What is sent; nothing for a method without a body. A text is sent as it is, anything else
    /// as JSON.
    pub body: Option<Template>,
    /// What comes back.
    pub answer: AnswerForm,
}

impl HttpChatbotSettings {
    /// A chatbot of the reference form.
    pub fn new(connection: Connection, url: impl Into<String>) -> Self {
        Self {
            name: None,
            connection,
            method: "POST".to_owned(),
            url: url.into(),
            body: Some(Template::reference()),
            answer: AnswerForm::Json(AnswerPlaces::reference()),
        }
    }
}

/// A chatbot behind an HTTP address.
#[derive(Debug)]
pub struct HttpChatbot(Chat<Address>);

#[derive(Debug)]
struct Address {
    settings: HttpChatbotSettings,
    method: Method,
    transport: Transport,
}

impl HttpChatbot {
    /// Sets up the client; nothing is sent yet.
    pub fn new(settings: HttpChatbotSettings) -> Result<Self, ConnectionError> {
        let method = Method::from_bytes(settings.method.as_bytes());
        let method = method.map_err(|_| ConnectionError::Method(settings.method.clone()))?;
        let transport = Transport::new(&settings.connection, &[])?;
        let (retry, limits) = (settings.connection.retry, settings.connection.limits.clone());
        Ok(Self(Chat::new(Address { settings, method, transport }, retry, limits)))
    }

    /// Looks whether anybody answers there at all, so that a run does not find out case by case.
    pub async fn preflight(&self) -> Result<(), PreflightError> {
        let address = &self.0.channel;
        let endpoint = &address.settings.connection.endpoint;
        // Whatever comes back, even an error, comes from somebody.
        match address.transport.get(&endpoint.root()).await {
            Err(failure)
                if matches!(failure.kind, FailureKind::Connection | FailureKind::Unavailable) =>
            {
                let endpoint = endpoint.to_string();
                Err(PreflightError::Unreachable { endpoint, why: failure.message })
            }
            _ => Ok(()),
        }
    }
}

impl Subject for HttpChatbot {
    fn identity(&self) -> SubjectIdentity {
        let settings = &self.0.channel.settings;
        let address = settings.connection.endpoint.to_string();
        let plain = address.split("://").last().unwrap_or_default().to_owned();
        SubjectIdentity {
            name: settings.name.clone().unwrap_or(plain),
            provider: "chatbot".to_owned(),
            base_url: Some(address),
        }
    }

    fn answer<'a>(&'a self, request: Request<'a>) -> Answer<'a> {
        Box::pin(self.0.ask(request))
    }

    fn doubts(&self) -> Vec<String> {
        self.0.doubts()
    }
}

impl Channel for Address {
    fn takes_history(&self) -> bool {
        self.settings.body.as_ref().is_some_and(|body| body.has("history"))
    }

    fn redactor(&self) -> &Redactor {
        self.transport.redactor()
    }

    async fn attempt(&self, fillings: &Fillings<'_>) -> Result<ChatbotResponse, AttemptFailure> {
        let sent = self.settings.body.as_ref().map(|body| body.fill(fillings));
        let bytes = sent.as_ref().map(written);
        let url = self.url(fillings);
        let exchange = self.transport.request(self.method.clone(), &url, bytes).await?;
        let told = self.read(&exchange);
        let told = told.map_err(|failure| self.transport.without_secrets(failure))?;
        let keep = self.settings.connection.keep_wire;
        let received = || Value::from(String::from_utf8_lossy(&exchange.body));
        // As JSON where it is some, so that the log shows it as an object; else as text.
        let received = || serde_json::from_slice(&exchange.body).unwrap_or_else(|_| received());
        let wire = keep.then(|| (sent.unwrap_or_default(), received()));
        Ok(ChatbotResponse { told, total: exchange.total, wire })
    }
}

impl Address {
    fn url(&self, fillings: &Fillings<'_>) -> Url {
        let endpoint = &self.settings.connection.endpoint;
        if !self.settings.url.contains("{{") {
            return endpoint.url().clone();
        }
        let text = fill_text(&self.settings.url, fillings, percent_encoded);
        let filled = Endpoint::page(&text).map(|endpoint| endpoint.url().clone());
        filled.unwrap_or_else(|_| endpoint.url().clone())
    }

    fn read(&self, exchange: &HttpExchange) -> Result<ChatbotReply, AttemptFailure> {
        let body = BodyText::of(exchange);
        if !exchange.is_success() {
            let report = body.error_report(exchange);
            return Err(AttemptFailure::reported(&report, exchange.status, exchange.retry_after));
        }
        let mut told = match &self.settings.answer {
            AnswerForm::Text => plain(&body, exchange)?,
            AnswerForm::Json(places) => {
                let answer =
                    serde_json::from_str(&body.text).map_err(|error| match body.shape {
                        BodyShape::Json => body.broken(exchange, &error),
                        _ => body.unreadable(exchange),
                    })?;
                let mut told = places.read(&answer)?;
                if body.is_mislabelled(false) {
                    told.oddities.push(Oddity::WrongContentType);
                }
                told
            }
            AnswerForm::Either(places) => match places.read_object(&body.text) {
                Some(told) => told?,
                None => plain(&body, exchange)?,
            },
        };
        if body.lossy {
            told.oddities.push(Oddity::InvalidUtf8);
        }
        Ok(told)
    }
}

fn plain(body: &BodyText<'_>, exchange: &HttpExchange) -> Result<ChatbotReply, AttemptFailure> {
    match (&exchange.cut, body.shape) {
        (Some(cut), _) => Err(cut.failure()),
        (None, BodyShape::Html) => Err(body.unreadable(exchange)),
        (None, _) => Ok(ChatbotReply::plain(&body.text)),
    }
}

fn written(body: &Value) -> Bytes {
    match body {
        Value::String(text) => Bytes::from(text.clone()),
        other => Bytes::from(other.to_string()),
    }
}
