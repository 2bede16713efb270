//! The body of an answer before anyone knows what it is.

use std::borrow::Cow;

use toolgauge_core::{FailureKind, Oddity};

use crate::cut::cut_off;
use crate::error_report::ErrorReport;
use crate::exchange::HttpExchange;
use crate::failure::AttemptFailure;
use crate::loose::Loose;
use crate::oddities::Oddities;
use crate::quote::quote;

/// What a body looks like, whatever its label says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyShape {
    /// A JSON object or list.
    Json,
    /// A stream of events.
    Events,
    /// A page for people.
    Html,
    /// Nothing.
    Empty,
    /// Anything else.
    Other,
}

#[derive(Debug)]
pub(crate) struct BodyText<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) shape: BodyShape,
    /// Whether bytes that are not UTF-8 were replaced.
    pub(crate) lossy: bool,
    label: Option<&'a str>,
}

/// The names of fields a stream of events can start with.
const FIELDS: [&str; 6] = ["data:", "event:", "id:", "retry:", "error:", ":"];

impl<'a> BodyText<'a> {
    /// Looks at what came back.
    pub(crate) fn of(exchange: &'a HttpExchange) -> Self {
        // A byte order mark, which JSON does not allow and some servers send.
        let bytes = exchange.body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&exchange.body);
        let text = String::from_utf8_lossy(bytes);
        let lossy = matches!(text, Cow::Owned(_));
        let start = text.trim_start();
        let shape = match start.as_bytes().first() {
            None => BodyShape::Empty,
            Some(b'{' | b'[') => BodyShape::Json,
            // Proxies in front of a server answer with pages, whatever they call them.
            Some(b'<') => BodyShape::Html,
            Some(_) if FIELDS.iter().any(|field| start.starts_with(field)) => BodyShape::Events,
            Some(_) => BodyShape::Other,
        };
        Self { text, shape, lossy, label: exchange.content_type.as_deref() }
    }

    /// What is odd about the body as a whole.
    pub(crate) fn oddities(&self, streamed: bool) -> Oddities {
        let mut oddities = Oddities::default();
        oddities.note_if(self.lossy, Oddity::InvalidUtf8);
        oddities.note_if(self.is_mislabelled(streamed), Oddity::WrongContentType);
        oddities
    }

    /// Whether the label fits neither the body nor what was asked for.
    pub(crate) fn is_mislabelled(&self, streamed: bool) -> bool {
        let asked = if streamed { BodyShape::Events } else { BodyShape::Json };
        let labelled = match self.label {
            Some(label) if label.contains("json") => BodyShape::Json,
            Some(label) if label.contains("event-stream") => BodyShape::Events,
            Some(_) => BodyShape::Other,
            // No label is no contradiction.
            None => self.shape,
        };
        labelled != self.shape || asked != self.shape
    }

    /// What the server says went wrong, from an answer with an error status.
    pub(crate) fn error_report(&self, exchange: &HttpExchange) -> ErrorReport {
        let told = Loose::parse(&self.text).ok().and_then(|json| ErrorReport::of(&json));
        told.unwrap_or_else(|| {
            let message = match (&exchange.location, self.shape) {
                (Some(location), _) if (300..400).contains(&exchange.status) => {
                    // The query of an address may hold a key.
                    let plain = location.split('?').next().unwrap_or_default();
                    format!("the server redirects to {}", quote(plain))
                }
                (_, BodyShape::Html) => page_title(&self.text),
                _ => quote(&self.text),
            };
            ErrorReport { message, ..ErrorReport::default() }
        })
    }

    /// The failure of an answer that is not what the protocol asks for.
    pub(crate) fn unreadable(&self, exchange: &HttpExchange) -> AttemptFailure {
        // That the body was cut off explains everything else that is wrong with it.
        if let Some(cut) = &exchange.cut {
            return cut.failure();
        }
        let what = match self.shape {
            BodyShape::Html => format!("an HTML page: {}", page_title(&self.text)),
            BodyShape::Empty => "nothing at all".into(),
            _ => format!("something else: {}", quote(&self.text)),
        };
        let message = format!("the server answered with {what}");
        AttemptFailure::passing(FailureKind::UnreadableAnswer, message)
    }

    /// The failure of JSON that does not parse: cut off, or broken.
    pub(crate) fn broken(
        &self,
        exchange: &HttpExchange,
        error: &serde_json::Error,
    ) -> AttemptFailure {
        match &exchange.cut {
            Some(cut) => cut.failure(),
            // Some servers close the connection early and say nothing: only the JSON shows it.
            None if error.is_eof() => cut_off("the JSON ends before its end"),
            None => AttemptFailure::passing(
                FailureKind::UnreadableAnswer,
                format!("the answer is broken JSON: {error}: {}", quote(&self.text)),
            ),
        }
    }
}

/// The title of a page, or its beginning.
fn page_title(html: &str) -> String {
    let start = html.find("<title>").map(|at| at + "<title>".len());
    let title = start.and_then(|start| html[start..].split("</title>").next());
    quote(title.unwrap_or(html))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn exchange(body: &[u8], label: Option<&str>) -> HttpExchange {
        HttpExchange {
            status: 200,
            content_type: label.map(Into::into),
            location: None,
            retry_after: None,
            body: body.to_vec(),
            cut: None,
            first_token: None,
            total: Duration::ZERO,
        }
    }

    #[test]
    fn bodies_are_known_by_how_they_start() {
        for (body, shape) in [
            ("", BodyShape::Empty),
            (" \n", BodyShape::Empty),
            ("\u{FEFF} {}", BodyShape::Json),
            ("[1]", BodyShape::Json),
            ("data: {}", BodyShape::Events),
            (": ping", BodyShape::Events),
            ("<!DOCTYPE html>", BodyShape::Html),
            ("upstream timed out", BodyShape::Other),
        ] {
            assert_eq!(BodyText::of(&exchange(body.as_bytes(), None)).shape, shape, "{body:?}");
        }
    }

    #[test]
    fn a_label_must_fit_the_body_and_the_request() {
        let odd = |body: &str, label, streamed| {
            BodyText::of(&exchange(body.as_bytes(), label)).is_mislabelled(streamed)
        };
        assert!(!odd("{}", Some("application/json; charset=utf-8"), false));
        assert!(!odd("data: x", Some("text/event-stream"), true));
        assert!(!odd("{}", None, false));
        assert!(odd("{}", Some("text/plain"), false));
        assert!(odd("{}", Some("text/event-stream"), false));
        assert!(odd("{}", Some("application/json"), true));
        assert!(odd("data: x", Some("text/event-stream"), false));
    }

    #[test]
    fn a_page_is_quoted_by_its_title() {
        let page = exchange(b"<html><title>502 Bad\n Gateway</title><p>x</html>", None);
        let failure = BodyText::of(&page).unreadable(&page);
        assert_eq!(failure.message, "the server answered with an HTML page: 502 Bad Gateway");
        assert_eq!(failure.kind, FailureKind::UnreadableAnswer);
    }
}
