//! The path that all addresses begin with, where a reverse proxy puts the viewer under one.
//!
//! Links are made in many places, none of which should have to know about a proxy. The path is
//! therefore kept with the task that answers a request, and put before links as they are written.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

tokio::task_local! {
    static BASE: BasePath;
}

/// A path such as `/evals`, or nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BasePath(Arc<str>);

impl BasePath {
    /// Reads a path as people write it: with or without slashes around it. `None` if it holds
    /// what would have to be escaped in an address.
    pub fn read(text: &str) -> Option<Self> {
        let path = text.trim_matches('/');
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.~".contains(c);
        let is_fine = |part: &str| part.chars().all(is_plain) && !matches!(part, "" | "." | "..");
        match path {
            "" => Some(Self::default()),
            path if path.split('/').all(is_fine) => Some(Self(format!("/{path}").into())),
            _ => None,
        }
    }

    /// The path, without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part of a request's path behind it; all of it if the proxy has taken it away already.
    pub(crate) fn strip<'a>(&self, path: &'a str) -> &'a str {
        match path.strip_prefix(&*self.0) {
            Some("") => "/",
            // `/evalsx` is not inside of `/evals`.
            Some(rest) if rest.starts_with('/') => rest,
            _ => path,
        }
    }
}

/// Answers a request with links that begin with the path.
pub(crate) async fn with_base_path(
    State(base): State<BasePath>,
    request: Request,
    next: Next,
) -> Response {
    BASE.scope(base, next.run(request)).await
}

/// A path of ours as a browser has to ask for it.
pub(crate) fn address(path: &str) -> String {
    BASE.try_with(|base| format!("{}{path}", base.0)).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_path_has_one_form_however_it_is_written() {
        for text in ["team/evals", "/team/evals", "/team/evals/"] {
            assert_eq!(BasePath::read(text).unwrap().as_str(), "/team/evals");
        }
        assert_eq!(BasePath::read("/"), Some(BasePath::default()));
        for text in ["a b", "a/../b", "a//b", "é", "a?b", "\"x"] {
            assert_eq!(BasePath::read(text), None, "{text}");
        }
        let base = BasePath::read("evals").unwrap();
        let paths = ["/evals", "/evals/run/x", "/run/x", "/evalshttp://other/"];
        let stripped = paths.map(|path| base.strip(path));
        assert_eq!(stripped, ["/", "/run/x", "/run/x", "/evalshttp://other/"]);
    }
}
