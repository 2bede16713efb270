//! The parameters of a request: the part of a URL behind `?`, or a form.

use std::convert::Infallible;
use std::fmt::Write as _;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use form_urlencoded::{Serializer, parse};

use crate::base_path::address;

/// Names and values, in the order they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Reads what stands behind `?`, or a form.
    pub(crate) fn read(text: &[u8]) -> Self {
        Self(parse(text).into_owned().collect())
    }

    /// The first value of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// The first value of this name that is not empty.
    pub(crate) fn given(&self, name: &str) -> Option<&str> {
        self.all(name).find(|value| !value.is_empty())
    }

    /// Every value of this name.
    pub(crate) fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Names and values.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// A number, if there is one of this name.
    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        self.get(name)?.parse().ok()
    }
}

/// A handler is given what stands behind the `?` of the address it was asked for.
impl<S: Sync> FromRequestParts<S> for Parameters {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::read(parts.uri.query().unwrap_or_default().as_bytes()))
    }
}

/// A link: a path and its parameters, put together without a chance to forget the escaping.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    path: String,
    parameters: Vec<(String, String)>,
}

impl Link {
    /// A link to a path of ours.
    pub(crate) fn to(path: impl Into<String>) -> Self {
        Self { path: path.into(), parameters: Vec::new() }
    }

    /// A link to a page of a log.
    pub(crate) fn run(log: &str, page: &str) -> Self {
        let mut path = String::from("/run/");
        for byte in log.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                    path.push(char::from(byte));
                }
                _ => {
                    let _ = write!(path, "%{byte:02X}");
                }
            }
        }
        Self::to(path + page)
    }

    /// The same link with one more parameter.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.parameters.push((name.to_owned(), value.into()));
        self
    }

    /// The same link with these parameters more.
    #[must_use]
    pub(crate) fn and(mut self, parameters: impl IntoIterator<Item = (String, String)>) -> Self {
        self.parameters.extend(parameters);
        self
    }

    /// The address.
    pub(crate) fn href(&self) -> String {
        let path = if self.path.starts_with('/') { address(&self.path) } else { self.path.clone() };
        if self.parameters.is_empty() {
            return path;
        }
        let mut query = Serializer::new(String::new());
        query.extend_pairs(&self.parameters);
        format!("{path}?{}", query.finish())
    }
}

impl maud::Render for Link {
    fn render_to(&self, buffer: &mut String) {
        maud::Render::render_to(self.href().as_str(), buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_survives_being_read_again() {
        let odd = "a b&c=d/../e?f#g%\u{202e}é";
        let link = Link::run("a b.eval", "/case").with("id", odd).href();
        let (path, query) = link.split_once('?').unwrap();
        assert_eq!(path, "/run/a%20b.eval/case");
        assert_eq!(Parameters::read(query.as_bytes()).get("id"), Some(odd));
    }
}
