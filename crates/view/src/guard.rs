//! Who may ask: the guard that every request passes before any page sees it, and the headers
//! that every answer carries.
//!
//! A page of another site can make a browser send requests here. Three things keep it out: the
//! `Host` header must name this server (a rebound DNS name does not), an `Origin` must be our
//! own, and a request that writes must bring the token that only our own pages contain.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::middleware::Next;
use axum::response::Response;

/// Nothing may be loaded or run but our own files; nothing inline, nothing framed.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
     connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
     require-trusted-types-for 'script'; trusted-types toolgauge";

const HEADERS: [(HeaderName, HeaderValue); 7] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    // Not `no-referrer`: forms of our own pages would then come without their origin.
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), geolocation=(), microphone=()"),
    ),
];

/// Which names this server answers to.
#[derive(Clone, Debug)]
pub struct HostRule {
    port: u16,
    loopback: bool,
    names: Vec<String>,
}

impl HostRule {
    /// The rule for a server that listens on `address`. `names` are further host names it may be
    /// reached by.
    ///
    /// On loopback those are `localhost` and loopback addresses. Elsewhere any address written in
    /// figures will do as well: rebinding needs a name.
    pub fn new(address: SocketAddr, names: Vec<String>) -> Self {
        Self { port: address.port(), loopback: address.ip().is_loopback(), names }
    }

    /// Whether a `Host` header, or the part of an origin behind its scheme, is this server.
    pub fn accepts(&self, authority: &str) -> bool {
        let (host, port) = split(authority);
        // A name that was given may belong to a proxy, which has a port of its own. No other site
        // can make a browser ask for this server by that name.
        if self.names.iter().any(|name| name.eq_ignore_ascii_case(host)) {
            return true;
        }
        if port.unwrap_or("80").parse() != Ok(self.port) {
            return false;
        }
        let figures = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        if let Ok(address) = figures.unwrap_or(host).parse::<IpAddr>() {
            return address.is_loopback() || !self.loopback;
        }
        host.eq_ignore_ascii_case("localhost")
    }

    /// Whether an origin is this server. Only a proxy speaks HTTPS.
    fn accepts_origin(&self, origin: &str) -> bool {
        let is_named = |authority: &str| {
            self.names.iter().any(|name| name.eq_ignore_ascii_case(split(authority).0))
        };
        origin.strip_prefix("http://").is_some_and(|authority| self.accepts(authority))
            || origin.strip_prefix("https://").is_some_and(is_named)
    }
}

/// A host and its port. An address in brackets holds colons of its own.
fn split(authority: &str) -> (&str, Option<&str>) {
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (authority, None),
    }
}

/// Lets a request through, or says why not.
pub(crate) async fn guard(
    State(rule): State<Arc<HostRule>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match objection(&rule, request.headers(), request.uri()) {
        None => next.run(request).await,
        Some(why) => {
            let mut response = Response::new(Body::from(format!("{why}\n")));
            *response.status_mut() = StatusCode::FORBIDDEN;
            let plain = HeaderValue::from_static("text/plain; charset=utf-8");
            response.headers_mut().insert(header::CONTENT_TYPE, plain);
            response
        }
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, value);
    }
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// What speaks against a request.
fn objection(rule: &HostRule, headers: &HeaderMap, uri: &Uri) -> Option<&'static str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    if hosts.next().is_some() || !host.is_some_and(|host| rule.accepts(host)) {
        return Some(
            "this server does not answer to that host name; start it with `--host-name NAME`",
        );
    }
    if uri.authority().is_some_and(|authority| !rule.accepts(authority.as_str())) {
        return Some(
            "this server does not answer to that host name; start it with `--host-name NAME`",
        );
    }
    let mut origins = headers.get_all(header::ORIGIN).iter();
    if !origins.all(|origin| origin.to_str().is_ok_and(|origin| rule.accepts_origin(origin))) {
        return Some("requests from other sites are not answered");
    }
    // A link from elsewhere may be followed; anything else that another site asks for may not.
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let foreign = matches!(text("sec-fetch-site"), Some("cross-site" | "same-site"));
    if foreign && text("sec-fetch-mode") != Some("navigate") {
        return Some("requests from other sites are not answered");
    }
    None
}

/// The token that a request must bring to write anything; new with every start.
#[derive(Clone, Debug)]
pub(crate) struct Token(String);

impl Token {
    /// A token nobody can guess: 244 random bits.
    pub(crate) fn new() -> Self {
        let half = || uuid::Uuid::new_v4().simple().to_string();
        Self(half() + &half())
    }

    /// As forms carry it.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the token.
    pub(crate) fn is(&self, given: &str) -> bool {
        is_same(&self.0, given)
    }
}

/// Whether a secret was given. Takes as long for one wrong letter as for all of them.
pub(crate) fn is_same(secret: &str, given: &str) -> bool {
    let mut differing = secret.len() ^ given.len();
    for (ours, theirs) in secret.bytes().zip(given.bytes()) {
        differing |= usize::from(ours ^ theirs);
    }
    differing == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(address: &str) -> HostRule {
        HostRule::new(address.parse().unwrap(), Vec::new())
    }

    #[test]
    fn on_loopback_only_names_of_this_machine_are_answered() {
        let rule = rule("127.0.0.1:7700");
        for host in ["127.0.0.1:7700", "localhost:7700", "LOCALHOST:7700", "[::1]:7700"] {
            assert!(rule.accepts(host), "{host}");
        }
        for host in [
            "evil.example:7700",
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost.evil.example:7700",
            "",
            "127.0.0.1:7700.evil.example",
            "192.168.0.7:7700",
            "[::1",
            "0.0.0.0:7700",
            ":7700",
        ] {
            assert!(!rule.accepts(host), "{host}");
        }
    }

    #[test]
    fn elsewhere_addresses_in_figures_and_given_names_are_answered() {
        let given = vec!["lab.local".to_owned()];
        let rule = HostRule::new("0.0.0.0:7700".parse().unwrap(), given);
        assert!(rule.accepts("192.168.0.7:7700") && rule.accepts("lab.local:7700"));
        assert!(!rule.accepts("evil.example:7700"));
        // The name of a proxy, which listens elsewhere and may speak HTTPS.
        assert!(rule.accepts("lab.local") && rule.accepts_origin("https://lab.local"));
        assert!(!rule.accepts_origin("https://evil.example"));
    }

    #[test]
    fn an_origin_is_ours_only_with_scheme_host_and_port() {
        let rule = rule("127.0.0.1:7700");
        assert!(rule.accepts_origin("http://localhost:7700"));
        for origin in ["null", "https://localhost:7700", "http://localhost:7701", "http://evil"] {
            assert!(!rule.accepts_origin(origin), "{origin}");
        }
    }

    #[test]
    fn a_token_is_only_itself() {
        let token = Token::new();
        assert!(token.is(token.as_str()));
        assert!(!token.is("") && !token.is(&token.as_str()[1..]));
        assert!(!token.is(&format!("{}x", token.as_str())));
        assert!(!token.is(Token::new().as_str()));
    }
}
