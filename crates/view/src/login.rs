//! Lets in who knows the password, where there is one.
//!
//! A browser shows it once, in the address that the program prints or in a form, and gets a cookie
//! that holds until the viewer stops. Programs may send it as a bearer token with every request.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use form_urlencoded::Serializer;
use maud::html;
use tokio::sync::Mutex;

use crate::base_path::BasePath;
use crate::guard::{Token, is_same};
use crate::layout::{PageFrame, Section};
use crate::parameters::{Link, Parameters};

/// The fewest characters of a password.
const SHORTEST: usize = 8;

/// How long a wrong password takes. Wrong ones wait for each other, so that nobody tries many.
const PAUSE: Duration = Duration::from_millis(700);

/// What a visitor has to know.
#[derive(Clone)]
pub struct ViewerPassword(String);

impl fmt::Debug for ViewerPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ViewerPassword([redacted])")
    }
}

impl ViewerPassword {
    /// A password that somebody chose; `None` if it is too short to be one.
    pub fn chosen(text: &str) -> Option<Self> {
        let text = text.trim();
        (text.chars().count() >= SHORTEST).then(|| Self(text.to_owned()))
    }

    /// A password that nobody can guess.
    pub fn random() -> Self {
        Self(uuid::Uuid::new_v4().simple().to_string())
    }

    /// What to add to an address, so that it opens without asking.
    pub fn as_query(&self) -> String {
        let query = Serializer::new(String::new()).append_pair("token", &self.0).finish();
        format!("?{query}")
    }

    fn is(&self, given: &str) -> bool {
        is_same(&self.0, given)
    }
}

/// Who is let in.
#[derive(Clone, Debug)]
pub(crate) struct Login(Option<Arc<LoginRule>>);

#[derive(Debug)]
struct LoginRule {
    password: ViewerPassword,
    /// What the cookie holds: not the password, and worth nothing after the viewer has stopped.
    session: Token,
    /// Browsers send cookies to every port of a machine, so that each has a name of its own.
    cookie: String,
    base: BasePath,
    wrong: Mutex<()>,
}

impl Login {
    /// Asks for a password if there is one.
    pub(crate) fn new(password: Option<ViewerPassword>, port: u16, base: BasePath) -> Self {
        Self(password.map(|password| {
            let cookie = format!("toolgauge-{port}");
            let (session, wrong) = (Token::new(), Mutex::default());
            Arc::new(LoginRule { password, session, cookie, base, wrong })
        }))
    }
}

impl LoginRule {
    /// Whether a request brings the cookie or the password.
    fn knows(&self, headers: &HeaderMap) -> bool {
        let texts = |name| headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        let mut cookies = texts(header::COOKIE).flat_map(|all| all.split(';'));
        let has_cookie = cookies.any(|cookie| {
            let (name, value) = cookie.trim().split_once('=').unwrap_or_default();
            name == self.cookie && self.session.is(value)
        });
        let bearer = |text: &str| text.strip_prefix("Bearer ").is_some_and(|t| self.password.is(t));
        has_cookie || texts(header::AUTHORIZATION).any(bearer)
    }

    /// Sends a browser on with the cookie, or asks again.
    async fn enter(&self, given: &str, to: &str) -> Response {
        if !self.password.is(given) {
            let _turn = self.wrong.lock().await;
            tokio::time::sleep(PAUSE).await;
            return form(Some("This is not the password."), to);
        }
        let (cookie, session, base) = (&self.cookie, self.session.as_str(), self.base.as_str());
        let cookie = format!("{cookie}={session}; Path={base}/; HttpOnly; SameSite=Lax");
        ([(header::SET_COOKIE, cookie)], Redirect::to(to)).into_response()
    }
}

/// Lets a request through that may see the pages; asks all others for the password.
pub(crate) async fn only_who_may(
    State(Login(rule)): State<Login>,
    request: Request,
    next: Next,
) -> Response {
    let Some(rule) = rule.filter(|rule| !rule.knows(request.headers())) else {
        return next.run(request).await;
    };
    let path = rule.base.strip(request.uri().path()).to_owned();
    // The form needs its style and a place to go to.
    if path.starts_with("/assets/") || path == "/login" {
        return next.run(request).await;
    }
    let parameters = Parameters::read(request.uri().query().unwrap_or_default().as_bytes());
    let others = parameters.iter().filter(|(name, _)| *name != "token");
    let others = others.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let here = if request.method() == Method::GET { path } else { "/".to_owned() };
    let here = Link::to(here).and(others).href();
    match parameters.get("token") {
        Some(given) => rule.enter(given, &here).await,
        None => form(None, &here),
    }
}

/// Takes what somebody wrote into the form.
pub(crate) async fn enter(State(Login(rule)): State<Login>, body: Bytes) -> Response {
    let given = Parameters::read(&body);
    let to = given.get("to").unwrap_or_default();
    // Only to a page of ours: `//host` would lead to another site.
    let is_ours = to.starts_with('/') && !to.starts_with("//") && !to.contains(['\\', '\n', '\r']);
    let to = if is_ours { to.to_owned() } else { Link::to("/").href() };
    match rule {
        Some(rule) => rule.enter(given.get("token").unwrap_or_default(), &to).await,
        None => Redirect::to(&to).into_response(),
    }
}

fn form(problem: Option<&str>, to: &str) -> Response {
    let content = html! {
        h1 { "Password" }
        p { "These runs are shown to who knows the password, or has the whole address that " code { "toolgauge view" } " printed." }
        @if let Some(problem) = problem { p role="alert" { b { (problem) } } }
        form.choice method="post" action=(Link::to("/login")) {
            input type="hidden" name="to" value=(to);
            label { "Password or token" input type="password" name="token" autocomplete="current-password" required; }
            button.plain { "Open" }
        }
    };
    let page = PageFrame::new(Section::Runs, "Password").with(&content);
    (StatusCode::UNAUTHORIZED, page).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_part_of_an_address_and_never_shown() {
        let password = ViewerPassword::chosen(" open sesame&x\n").unwrap();
        assert_eq!(password.as_query(), "?token=open+sesame%26x");
        assert!(!format!("{password:?}").contains("sesame"));
        assert!(ViewerPassword::chosen("1234567").is_none());
    }
}
