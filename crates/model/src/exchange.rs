//! What came back from a server, and how long it took.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use reqwest::Response;
use reqwest::header::HeaderMap;
use toolgauge_core::timestamp;

use crate::cut::Cut;

/// What came back from one attempt, whatever its status.
#[derive(Debug)]
pub(crate) struct HttpExchange {
    pub(crate) status: u16,
    pub(crate) content_type: Option<String>,
    pub(crate) location: Option<String>,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) body: Vec<u8>,
    /// Why the body ends before its end, if it does.
    pub(crate) cut: Option<Cut>,
    pub(crate) first_token: Option<Duration>,
    pub(crate) total: Duration,
}

impl HttpExchange {
    /// What the head of a response tells, before anything of its body has come.
    pub(crate) fn begun(response: &Response) -> Self {
        let header = |name: &str| {
            let value = response.headers().get(name)?;
            Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
        };
        Self {
            status: response.status().as_u16(),
            content_type: header("content-type"),
            location: header("location"),
            retry_after: retry_after(response.headers(), || timestamp(SystemTime::now())),
            body: Vec::new(),
            cut: None,
            first_token: None,
            total: Duration::ZERO,
        }
    }

    /// Whether the server says that all went well.
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// How long the server asks to wait: in milliseconds, in seconds, or until a date.
fn retry_after(headers: &HeaderMap, now: impl Fn() -> Timestamp) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(milliseconds) = text("retry-after-ms").and_then(|text| text.parse::<f64>().ok()) {
        return Duration::try_from_secs_f64(milliseconds / 1000.0).ok();
    }
    let asked = text("retry-after")?;
    if let Ok(seconds) = asked.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(asked).ok()?;
    let wait = date.duration_since(now());
    // A date in the past, by a clock that differs from ours, asks for no pause.
    Some(Duration::try_from(wait).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    fn asked(name: &'static str, value: &'static str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(name, HeaderValue::from_static(value));
        retry_after(&headers, || "2026-01-01T00:00:00Z".parse().unwrap())
    }

    #[test]
    fn a_pause_is_asked_for_in_seconds_milliseconds_or_by_date() {
        assert_eq!(asked("retry-after", "7"), Some(Duration::from_secs(7)));
        assert_eq!(asked("retry-after", " 1.5 "), Some(Duration::from_millis(1500)));
        assert_eq!(asked("retry-after-ms", "250"), Some(Duration::from_millis(250)));
        let date = "Thu, 01 Jan 2026 00:00:20 GMT";
        assert_eq!(asked("retry-after", date), Some(Duration::from_secs(20)));
        let past = "Wed, 31 Dec 2025 00:00:20 GMT";
        assert_eq!(asked("retry-after", past), Some(Duration::ZERO));
    }

    #[test]
    fn nonsense_asks_for_nothing() {
        for value in ["", "soon", "-5", "NaN", "inf", "Thu, 99 Foo 2026"] {
            assert_eq!(asked("retry-after", value), None, "{value}");
        }
    }
}
