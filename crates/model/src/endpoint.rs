//! Where a server is reached: a base URL whose credentials are kept apart from it.

use std::fmt;
use std::net::IpAddr;

use reqwest::Url;
use thiserror::Error;
use toolgauge_core::{is_plain_parameter, public_address};

use crate::secret::{Secret, login_secrets};

/// What people paste along with the base URL; it goes when the URL is read.
const OPERATIONS: [&str; 3] = ["/chat/completions", "/messages", "/embeddings"];

/// A server's base URL. What is shown of it holds neither credentials nor a query.
#[derive(Clone)]
pub struct Endpoint {
    url: Url,
    login: Option<(String, Secret)>,
}

/// Why a text is not a base URL.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EndpointError {
    /// It is no URL at all.
    #[error("`{shown}` is not a URL: {why}")]
    NotAUrl {
        /// What was given, without credentials.
        shown: String,
        /// What the parser says.
        why: String,
    },
    /// It is a URL of another kind.
    #[error("`{shown}` is not an http or https URL")]
    NotHttp {
        /// What was given, without credentials.
        shown: String,
    },
}

impl Endpoint {
    /// Reads a base URL such as `http://localhost:8080/v1`.
    pub fn parse(text: &str) -> Result<Self, EndpointError> {
        let mut endpoint = Self::page(text)?;
        let path = endpoint.url.path().trim_end_matches('/');
        let base = OPERATIONS.iter().find_map(|operation| path.strip_suffix(operation));
        let base = base.unwrap_or(path).to_owned();
        endpoint.url.set_path(&base);
        Ok(endpoint)
    }

    /// Reads a URL that is asked for as it stands, such as `http://localhost:8080/chat`.
    pub fn page(text: &str) -> Result<Self, EndpointError> {
        let text = text.trim();
        let mut url = Url::parse(text).map_err(|error| EndpointError::NotAUrl {
            shown: public_address(text),
            why: error.to_string(),
        })?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(EndpointError::NotHttp { shown: public_address(text) });
        }
        let login = take_login(&mut url);
        // A fragment is never sent, and might hold what somebody pasted along.
        url.set_fragment(None);
        Ok(Self { url, login })
    }

    /// This address with another path, where it has none of its own.
    #[must_use]
    pub fn or_path(mut self, path: &str) -> Self {
        if matches!(self.url.path(), "" | "/") {
            self.url.set_path(path);
        }
        self
    }

    /// The URL as it stands, without the login.
    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    /// The front page of the server.
    pub(crate) fn root(&self) -> Url {
        let mut url = self.url.clone();
        url.set_path("/");
        url.set_query(None);
        url
    }

    /// The user name and password the URL held.
    pub(crate) fn login(&self) -> Option<(&str, &Secret)> {
        self.login.as_ref().map(|(user, password)| (user.as_str(), password))
    }

    /// What the address held that must not be kept: login, and the values of its query.
    pub(crate) fn secrets(&self) -> Vec<Secret> {
        let login = self.login.iter();
        let mut secrets: Vec<Secret> =
            login.flat_map(|(user, password)| login_secrets(user, password.expose())).collect();
        for (name, value) in self.url.query_pairs() {
            // A place of a template is filled anew for each question and holds nothing secret.
            let is_filled = value.contains("{{");
            if !is_filled && !is_plain_parameter(&name) {
                secrets.extend(Secret::unless_empty(value));
            }
        }
        // A query without names may be a key as a whole.
        secrets.extend(self.url.query().filter(|query| !query.contains('=')).map(Secret::new));
        secrets
    }

    /// Whether TLS is spoken there.
    pub(crate) fn is_https(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// Whether the server is on this machine, where no proxy belongs in between.
    pub(crate) fn is_loopback(&self) -> bool {
        let host = self.url.host_str().unwrap_or_default();
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.is_loopback())
    }

    /// The URL of an operation such as `chat/completions`, however the base was written:
    /// without a path, with `/v1`, or with another path.
    pub(crate) fn operation(&self, operation: &str) -> Url {
        let mut url = self.url.clone();
        let base = url.path().trim_end_matches('/');
        let path = if base.is_empty() {
            format!("/v1/{operation}")
        } else {
            format!("{base}/{operation}")
        };
        url.set_path(&path);
        url
    }

    /// The address of an operation such as `embeddings`, to be asked for as it stands.
    #[must_use]
    pub(crate) fn at(&self, operation: &str) -> Self {
        Self { url: self.operation(operation), login: self.login.clone() }
    }

    /// The URL of an operation such as `messages`, for a protocol whose base URLs are written
    /// without the version.
    pub(crate) fn versioned(&self, operation: &str) -> Url {
        self.beside(&format!("v1/{operation}"))
    }

    /// The URL of a path beside the API, such as llama.cpp's `/health`.
    pub(crate) fn beside(&self, path: &str) -> Url {
        let mut url = self.url.clone();
        let base = url.path().trim_end_matches('/');
        let root = base.strip_suffix("/v1").unwrap_or(base).to_owned();
        url.set_path(&format!("{root}/{path}"));
        url
    }
}

fn take_login(url: &mut Url) -> Option<(String, Secret)> {
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let login = (decoded(url.username()), Secret::new(decoded(url.password().unwrap_or_default())));
    // Both fail only for URLs that cannot have credentials, and this one has.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    Some(login)
}

/// Undoes percent-encoding, which is how a URL holds the odd characters of a password.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let pair = tail.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        let byte = pair.and_then(|pair| u8::from_str_radix(pair, 16).ok());
        if let Some(byte) = byte.filter(|_| *first == b'%') {
            bytes.push(byte);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.url.as_str().split('?').next().unwrap_or_default();
        f.write_str(shown.trim_end_matches('/'))
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Endpoint({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(base: &str) -> String {
        Endpoint::parse(base).unwrap().operation("chat/completions").to_string()
    }

    #[test]
    fn every_way_to_write_a_base_leads_to_the_operation() {
        let v1 = "http://h:8080/v1/chat/completions";
        for base in ["http://h:8080", "http://h:8080/", "http://h:8080/v1", "http://h:8080/v1/", v1]
        {
            assert_eq!(operation(base), v1, "{base}");
        }
        assert_eq!(operation("https://h/api/v1"), "https://h/api/v1/chat/completions");
        assert_eq!(operation("https://h/x?version=2"), "https://h/x/chat/completions?version=2");
    }

    #[test]
    fn paths_beside_the_api_leave_the_version_out() {
        let endpoint = Endpoint::parse("http://h:1/v1").unwrap();
        assert_eq!(endpoint.beside("health").as_str(), "http://h:1/health");
        let endpoint = Endpoint::parse("http://h:1").unwrap();
        assert_eq!(endpoint.beside("props").as_str(), "http://h:1/props");
    }

    #[test]
    fn a_version_is_added_where_it_is_not_written() {
        for (base, url) in [
            ("https://h", "https://h/v1/messages"),
            ("https://h/v1/", "https://h/v1/messages"),
            ("https://h/proxy", "https://h/proxy/v1/messages"),
            ("https://h/v1/messages", "https://h/v1/messages"),
        ] {
            assert_eq!(Endpoint::parse(base).unwrap().versioned("messages").as_str(), url);
        }
    }

    #[test]
    fn credentials_are_kept_apart_and_never_shown() {
        let endpoint = Endpoint::parse("https://me:hunter%402@h/v1?key=abcdef").unwrap();
        let (user, password) = endpoint.login().unwrap();
        assert_eq!((user, password.expose()), ("me", "hunter@2"));
        assert_eq!(endpoint.to_string(), "https://h/v1");
        let shown = format!("{endpoint:?} {endpoint}");
        assert!(!shown.contains("hunter") && !shown.contains("abcdef"), "{shown}");
    }

    #[test]
    fn what_is_not_a_base_url_is_named_without_its_credentials() {
        let error = Endpoint::parse("ftp://me:hunter2@h/x").unwrap_err();
        assert_eq!(error.to_string(), "`ftp://h/x` is not an http or https URL");
        let error = Endpoint::parse("http://me:hunter2@:x").unwrap_err();
        assert!(!error.to_string().contains("hunter2"), "{error}");
        assert!(Endpoint::parse("localhost:8080").is_err());
        assert!(Endpoint::parse("").is_err());
    }

    #[test]
    fn servers_on_this_machine_are_recognised() {
        for (base, local) in [
            ("http://localhost:1", true),
            ("http://127.0.0.1:1", true),
            ("http://[::1]:1", true),
            ("http://192.168.1.2:1", false),
            ("https://example.org", false),
        ] {
            assert_eq!(Endpoint::parse(base).unwrap().is_loopback(), local, "{base}");
        }
    }
}
