//! The viewer under a path, behind a proxy and behind a password.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::http::{Answer, send};
use crate::logs::{self, A, B};
use crate::shown::Shown;
use toolgauge_view::{BasePath, ViewerPassword};

/// Every address that a page leads to or loads.
fn addresses(body: &str) -> Vec<String> {
    let attributes =
        ["href=\"", "src=\"", "action=\"", "formaction=\"", "data-rows=\"", "data-live=\""];
    let mut found = Vec::new();
    for attribute in attributes {
        let values = body.split(attribute).skip(1).filter_map(|part| part.split('"').next());
        found.extend(values.filter(|value| !value.starts_with('#')).map(str::to_owned));
    }
    found
}

#[test]
fn under_a_path_every_address_begins_with_it() {
    let base = |viewer: &mut toolgauge_view::Viewer| {
        viewer.base_path = BasePath::read("/team/evals").unwrap();
    };
    let shown = Shown::set_up(logs::two_runs, base);
    let mut pages = crate::security::pages();
    pages.retain(|path| !path.contains("/raw") && !path.contains("/live"));
    for path in &pages {
        let body = shown.page(&format!("/team/evals{path}"));
        for address in addresses(&body) {
            assert!(address.starts_with("/team/evals/"), "{path}: {address}");
        }
        // A proxy that takes the path away asks without it, and links are the same.
        let without = addresses(&shown.page(path));
        assert_eq!(without.len(), addresses(&body).len(), "{path}");
        assert!(without.iter().all(|address| address.starts_with("/team/evals/")), "{path}");
    }
    assert_eq!(shown.get("/team/evals").status, 200);
    assert_eq!(shown.get("/team/evals/").status, 200);
    assert_eq!(shown.get("/team/evals/nothing").status, 404);
    let style = addresses(&shown.page("/")).into_iter().find(|a| a.contains("/view.css")).unwrap();
    assert_eq!(shown.get(&style).header("content-type"), Some("text/css; charset=utf-8"));
    let old = shown.get(&format!("/team/evals/run/{A}?q=lamp"));
    assert_eq!(old.header("location"), Some("/team/evals/run/a.eval/cases?q=lamp"));
}

#[test]
fn a_proxy_is_answered_by_the_name_that_was_given() {
    let shown =
        Shown::set_up(logs::two_runs, |viewer| viewer.host_names = vec!["evals.example".into()]);
    let status = |headers: &[(&str, &str)]| send(shown.address, "GET /", headers, "").status;
    assert_eq!(status(&[("host", "evals.example")]), 200);
    assert_eq!(status(&[("host", "evals.example"), ("origin", "https://evals.example")]), 200);
    assert_eq!(status(&[("host", "evals.example"), ("origin", "https://evil.example")]), 403);
    assert_eq!(status(&[("host", "evil.example")]), 403);
}

fn behind_a_password() -> Shown {
    Shown::set_up(logs::two_runs, |viewer| viewer.password = ViewerPassword::chosen("open sesame"))
}

/// The cookie that an answer sets, as a browser sends it back.
fn cookie(answer: &Answer) -> String {
    let cookie = answer.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    assert!(!cookie.contains("sesame"), "{cookie}");
    cookie.split(';').next().unwrap().to_owned()
}

#[test]
fn nobody_sees_a_page_without_the_password() {
    let shown = behind_a_password();
    for path in crate::security::pages() {
        let answer = shown.get(&path);
        assert_eq!(answer.status, 401, "{path}");
        assert!(!answer.body.contains("llama") && !answer.body.contains("in the hall"), "{path}");
        assert!(answer.header("content-security-policy").is_some(), "{path}");
    }
    let kept = shown.post("/feedback", &[], "token=x&log=a.eval&id=lamp-3&trial=1&thumb=up");
    assert_eq!(kept.status, 401);
    for path in ["/run/../login", "/assets/../", "/assets/x/view.css/../../../"] {
        assert!(!shown.get(path).body.contains("llama"), "{path}");
    }
}

#[test]
fn the_password_opens_every_page_until_the_viewer_stops() {
    let shown = behind_a_password();
    let host = shown.host();
    let by_address = shown.get("/?token=open+sesame&q=qwen");
    assert_eq!((by_address.status, by_address.header("location")), (303, Some("/?q=qwen")));
    let by_form = shown.post("/login", &[], "token=open+sesame&to=%2Fcompare");
    assert_eq!((by_form.status, by_form.header("location")), (303, Some("/compare")));
    for cookie in [cookie(&by_address), cookie(&by_form)] {
        let headers = [("host", host.as_str()), ("cookie", cookie.as_str())];
        assert_eq!(send(shown.address, "GET /", &headers, "").status, 200);
        // The cookie of another start, or of another viewer, opens nothing.
        let other = behind_a_password();
        let host = other.host();
        let headers = [("host", host.as_str()), ("cookie", cookie.as_str())];
        assert_eq!(send(other.address, "GET /", &headers, "").status, 401);
    }
    let bearer = [("host", host.as_str()), ("authorization", "Bearer open sesame")];
    assert_eq!(send(shown.address, "GET /", &bearer, "").status, 200);
}

#[test]
fn a_wrong_password_opens_nothing_and_leads_nowhere_else() {
    let shown = behind_a_password();
    for token in ["", "open", "open sesamf", "open sesame2"] {
        let wrong = shown.post("/login", &[], &format!("token={token}&to=%2F"));
        assert_eq!((wrong.status, wrong.header("set-cookie")), (401, None), "{token}");
    }
    assert_eq!(shown.get("/?token=wrong").status, 401);
    for to in ["//evil.example", "https://evil.example", "/\\evil.example", "/\t/evil.example", "x"]
    {
        let form = form_urlencoded::Serializer::new(String::new())
            .extend_pairs([("token", "open sesame"), ("to", to)])
            .finish();
        assert_eq!(shown.post("/login", &[], &form).header("location"), Some("/"), "{to}");
    }
}

/// Sends a request and leaves its answer to whoever reads it, or hangs up.
fn ask(shown: &Shown, line: &str, head: &str) -> TcpStream {
    let mut stream = TcpStream::connect(shown.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let head = format!("{line} HTTP/1.1\r\nhost: {}\r\n{head}\r\n", shown.host());
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

/// The status of an answer.
fn status(mut stream: TcpStream) -> String {
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    String::from_utf8(answer.to_vec()).unwrap()
}

#[test]
fn hanging_up_on_a_wrong_password_makes_the_next_one_no_sooner() {
    let asks: [fn(&Shown, &str) -> TcpStream; 2] = [
        |shown, guess| ask(shown, &format!("GET /?token={guess}"), ""),
        |shown, guess| ask(shown, "GET /", &format!("authorization: Bearer {guess}\r\n")),
    ];
    for (ask, entered) in asks.into_iter().zip(["HTTP/1.1 303", "HTTP/1.1 200"]) {
        let shown = Shown::set_up(logs::two_runs, |viewer| {
            viewer.password = ViewerPassword::chosen("sesame-sesame");
        });
        let begun = Instant::now();
        for guess in 0..4 {
            let wrong = ask(&shown, &format!("wrong-{guess}"));
            // As long as a right password would take to be answered.
            std::thread::sleep(Duration::from_millis(50));
            drop(wrong);
        }
        assert_eq!(status(ask(&shown, "sesame-sesame")), entered);
        assert!(begun.elapsed() > Duration::from_millis(600), "{:?}", begun.elapsed());
    }
}

#[test]
fn of_very_many_guesses_most_are_refused_unread() {
    let shown = behind_a_password();
    let cookie = cookie(&shown.get("/?token=open+sesame"));
    let guesses: Vec<_> = (0..40).map(|n| ask(&shown, &format!("GET /?token={n}"), "")).collect();
    assert_eq!(status(ask(&shown, "GET /?token=one+more", "")), "HTTP/1.1 429");
    // Whoever is in stays in.
    let headers = [("host", &*shown.host()), ("cookie", &*cookie)];
    assert_eq!(send(shown.address, "GET /", &headers, "").status, 200);
    drop(guesses);
}

#[test]
fn the_token_never_stays_in_an_address() {
    let shown = behind_a_password();
    let cookie = cookie(&shown.get("/?token=open+sesame"));
    let headers = [("host", &*shown.host()), ("cookie", &*cookie)];
    let again = send(shown.address, "GET /compare?token=open+sesame&run=a", &headers, "");
    assert_eq!((again.status, again.header("location")), (303, Some("/compare?run=a")));
    // What follows two slashes is a host to a browser.
    for path in ["//evil.example/", "//evil.example/?x=1"] {
        let sent = shown
            .get(&format!("{path}{}token=open+sesame", if path.contains('?') { "&" } else { "?" }));
        let to = sent.header("location").unwrap();
        assert!(sent.status == 303 && to.starts_with('/') && !to.starts_with("//"), "{to}");
    }
}

#[test]
fn without_a_password_nobody_is_asked_for_one() {
    let shown = Shown::over(logs::two_runs);
    assert!(shown.page("/").contains("qwen"));
    assert!(shown.page(&format!("/compare?run={A}&run={B}")).contains("llama"));
}
