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
use tokio::sync::{Mutex, Semaphore};

use crate::base_path::BasePath;
use crate::guard::{Token, is_same};
use crate::layout::{PageFrame, Section};
use crate::parameters::{Link, Parameters};

/// The fewest characters of a password.
const SHORTEST: usize = 8;

/// How long a wrong password takes. All guesses wait for each other meanwhile, right ones too:
/// else whoever hangs up at once and asks again could try thousands in a second.
const PAUSE: Duration = Duration::from_millis(700);

/// How many guesses may wait for their turn. More are refused unread, so that nobody waits longer
/// than a request may take.
const MOST_WAITING: usize = 20;

/// What a visitor has to know.
#[derive(Clone)]
pub struct ViewerPassword {
    text: String,
    /// Whether a person made it up, so that it may be found by trying many.
    is_chosen: bool,
}

impl fmt::Debug for ViewerPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ViewerPassword([redacted])")
    }
}

impl ViewerPassword {
    /// A password that somebody chose; `None` if it is too short to be one.
    pub fn chosen(text: &str) -> Option<Self> {
        let text = text.trim();
        let long_enough = text.chars().count() >= SHORTEST;
        long_enough.then(|| Self { text: text.to_owned(), is_chosen: true })
    }

    /// A password that nobody can guess.
    pub fn random() -> Self {
        Self { text: uuid::Uuid::new_v4().simple().to_string(), is_chosen: false }
    }

    /// What to add to an address, so that it opens without asking.
    pub fn as_query(&self) -> String {
        let query = Serializer::new(String::new()).append_pair("token", &self.text).finish();
        format!("?{query}")
    }

    fn is(&self, given: &str) -> bool {
        is_same(&self.text, given)
    }
}

/// What came of a guess.
enum Guess {
    Right,
    Wrong,
    /// Too many others wait; it was not looked at.
    Refused,
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
    turn: Arc<Mutex<()>>,
    waiting: Semaphore,
}

impl Login {
    /// Asks for a password if there is one.
    pub(crate) fn new(password: Option<ViewerPassword>, port: u16, base: BasePath) -> Self {
        Self(password.map(|password| {
            let cookie = format!("toolgauge-{port}");
            let (session, turn) = (Token::new(), Arc::default());
            let waiting = Semaphore::new(MOST_WAITING);
            Arc::new(LoginRule { password, session, cookie, base, turn, waiting })
        }))
    }

    /// Whether a request needs no password, or brings the cookie of somebody who gave it.
    pub(crate) fn has_cookie(&self, headers: &HeaderMap) -> bool {
        self.0.as_ref().is_none_or(|rule| rule.has_cookie(headers))
    }
}

impl LoginRule {
    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let texts = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        // Others on the same host may set a cookie of this name for a path of theirs: any will do.
        texts.flat_map(|all| all.split(';')).any(|cookie| {
            let (name, value) = cookie.trim().split_once('=').unwrap_or_default();
            name == self.cookie && self.session.is(value)
        })
    }

    /// Compares a password, one after another.
    async fn guess(&self, given: &str) -> Guess {
        // Nobody finds 122 random bits by trying, and a queue would only keep others out.
        if !self.password.is_chosen {
            return if self.password.is(given) { Guess::Right } else { Guess::Wrong };
        }
        let Ok(_place) = self.waiting.try_acquire() else { return Guess::Refused };
        let turn = self.turn.clone().lock_owned().await;
        if self.password.is(given) {
            return Guess::Right;
        }
        // The pause belongs to a task of its own, so that hanging up does not shorten it.
        let pause = tokio::spawn(async move {
            tokio::time::sleep(PAUSE).await;
            drop(turn);
        });
        let _ = pause.await;
        Guess::Wrong
    }

    /// Sends a browser on with the cookie, or asks again.
    async fn enter(&self, given: &str, to: &str) -> Response {
        match self.guess(given).await {
            Guess::Wrong => form(Some("This is not the password."), to),
            Guess::Refused => too_many(to),
            Guess::Right => {
                let (cookie, session) = (&self.cookie, self.session.as_str());
                let path = self.base.as_str();
                let cookie = format!("{cookie}={session}; Path={path}/; HttpOnly; SameSite=Lax");
                ([(header::SET_COOKIE, cookie)], Redirect::to(to)).into_response()
            }
        }
    }

    /// The address that was asked for, without the token in it; the first page if that would lead
    /// elsewhere, or if something was to be written.
    fn address_without_token(&self, request: &Request, parameters: &Parameters) -> String {
        let path = self.base.strip(request.uri().path());
        let is_page = request.method() == Method::GET && is_own_path(path);
        let others = parameters.iter().filter(|(name, _)| *name != "token");
        let others = others.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Link::to(if is_page { path } else { "/" }).and(others).href()
    }
}

/// Lets a request through that may see the pages; asks all others for the password.
pub(crate) async fn only_who_may(
    State(Login(rule)): State<Login>,
    request: Request,
    next: Next,
) -> Response {
    let Some(rule) = rule else { return next.run(request).await };
    let parameters = Parameters::read(request.uri().query().unwrap_or_default().as_bytes());
    let here = rule.address_without_token(&request, &parameters);
    if rule.has_cookie(request.headers()) {
        // The token must not stay in the address, which people copy and send to others.
        let shows_token = request.method() == Method::GET && parameters.get("token").is_some();
        return if shows_token {
            Redirect::to(&here).into_response()
        } else {
            next.run(request).await
        };
    }
    let authorization = request.headers().get(header::AUTHORIZATION);
    let bearer = authorization.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    if let Some(given) = bearer {
        return match rule.guess(given).await {
            Guess::Right => next.run(request).await,
            Guess::Wrong => form(Some("This is not the password."), &here),
            Guess::Refused => too_many(&here),
        };
    }
    let path = rule.base.strip(request.uri().path());
    // The form needs its style and a place to go to.
    if path.starts_with("/assets/") || path == "/login" {
        return next.run(request).await;
    }
    match parameters.get("token") {
        Some(given) => rule.enter(given, &here).await,
        None => form(None, &here),
    }
}

/// Takes what somebody wrote into the form.
pub(crate) async fn enter(State(Login(rule)): State<Login>, body: Bytes) -> Response {
    let given = Parameters::read(&body);
    let to = given.get("to").filter(|to| is_own_path(to));
    let to = to.map_or_else(|| Link::to("/").href(), str::to_owned);
    match rule {
        Some(rule) => rule.enter(given.get("token").unwrap_or_default(), &to).await,
        None => Redirect::to(&to).into_response(),
    }
}

/// Whether an address leads to a page of ours. `//host` would lead to another site; so would
/// `/\host` and, because browsers drop control characters, a tab between two slashes.
pub(crate) fn is_own_path(path: &str) -> bool {
    let is_odd = |c: char| c == '\\' || c.is_control();
    path.starts_with('/') && !path.starts_with("//") && !path.contains(is_odd)
}

fn too_many(to: &str) -> Response {
    let why = "Too many passwords are being tried. Try again in a moment.";
    let mut response = form(Some(why), to);
    *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
    response
}

fn form(problem: Option<&str>, to: &str) -> Response {
    let content = html! {
        h1 { "Password" }
        p { "To see these runs, enter the password or token, or open the whole address that " code { "toolgauge view" } " printed." }
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
