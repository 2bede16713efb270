//! Who is answered, and with what around it.

use std::path::Path;

use toolgauge_log::{LogWriter, RunStatus};
use toolgauge_testkit::{hostile, some_of};

use crate::http::send;
use crate::logs::{self, A, B, HARM};
use crate::shown::Shown;

/// A page of every kind.
pub(crate) fn pages() -> Vec<String> {
    vec![
        "/".into(),
        "/?q=qwen&sort=score&reversed=1&group=1".into(),
        "/live".into(),
        format!("/run/{A}"),
        format!("/run/{A}/figures"),
        format!("/run/{A}/settings"),
        format!(
            "/run/{A}/cases?verdict=partial&cause=wrong_value&tag=tier%3Dsmall&q=lamp&sort=latency"
        ),
        format!("/run/{A}/live"),
        format!("/run/{A}/rows?from=0&count=10"),
        format!("/run/{A}/list?q=lamp&tag=tier%3Dsmall"),
        format!("/run/{A}/case?id=lamp-3&trial=1"),
        format!("/run/{A}/raw?id=lamp-3&trial=1"),
        format!("/run/{A}/raw?id=lamp-3&trial=1&what=request&turn=0"),
        "/compare".into(),
        format!("/compare?run={A}&run={B}"),
        format!("/compare/case?run={A}&run={B}&id=lamp-4"),
        format!("/compare/cases?run={A}&run={B}&show=different&q=hall"),
        format!("/run/{A}/tree?id=lamp-3&trial=1"),
        format!("/run/{A}/case.json?id=lamp-3&trial=1"),
        format!("/run/{A}/cases.csv?q=lamp-3"),
        "/glossary".into(),
        "/feedback".into(),
    ]
}

#[test]
fn every_page_is_there_and_carries_the_headers() {
    let shown = Shown::over(logs::two_runs);
    for path in pages() {
        shown.page(&path);
        let answer = shown.get(&path);
        let header = |name: &str| answer.header(name).unwrap_or_default().to_owned();
        let policy = header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'"), "{path}");
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{path}");
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header("referrer-policy"), "same-origin", "{path}");
        assert_eq!(header("cross-origin-resource-policy"), "same-origin", "{path}");
        assert_eq!(header("cache-control"), "no-store", "{path}");
        assert!(answer.header("access-control-allow-origin").is_none(), "{path}");
    }
}

#[test]
fn no_page_needs_what_the_policy_forbids() {
    let shown = Shown::over(logs::two_runs);
    for path in pages() {
        let body = shown.page(&path);
        assert!(!body.contains(" style=") && !body.contains("<style"), "{path}");
        assert!(!body.contains(" onclick=") && !body.contains("javascript:"), "{path}");
        for script in body.split("<script").skip(1) {
            assert!(script.starts_with(" src=\"/assets/"), "{path}");
        }
        for place in body.split("http://").skip(1).chain(body.split("https://").skip(1)) {
            // The address of the subject's server is told, and nowhere asked.
            let known = ["127.0.0.1:8080/v1", "www.w3.org/2000/svg\" "];
            let known = known.iter().any(|known| place.starts_with(known));
            assert!(known, "{path}: {}", &place[..40]);
        }
    }
}

#[test]
fn other_names_and_other_sites_are_refused() {
    let shown = Shown::over(logs::two_runs);
    let host = shown.host();
    let port = shown.address.port();
    let refused = |headers: &[(&str, &str)]| {
        let answer = send(shown.address, "GET /", headers, "");
        assert_eq!(answer.status, 403, "{headers:?}");
        assert!(answer.header("content-security-policy").is_some());
        assert!(!answer.body.contains("qwen"), "{headers:?}");
    };
    refused(&[("host", &format!("evil.example:{port}"))]);
    refused(&[("host", &format!("localhost.evil.example:{port}"))]);
    refused(&[("host", "127.0.0.1")]);
    refused(&[("host", &host), ("origin", "http://evil.example")]);
    refused(&[("host", &host), ("origin", "null")]);
    refused(&[("host", &host), ("origin", &format!("https://{host}"))]);
    refused(&[("host", &host), ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")]);
    refused(&[("host", &host), ("host", "evil.example")]);
    let welcome = |headers: &[(&str, &str)]| {
        assert_eq!(send(shown.address, "GET /", headers, "").status, 200, "{headers:?}");
    };
    welcome(&[("host", &host), ("origin", &format!("http://{host}"))]);
    welcome(&[("host", &format!("localhost:{port}"))]);
    // A link in a mail may be followed.
    welcome(&[("host", &host), ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")]);
    let absolute = format!("GET http://evil.example:{port}/");
    assert_eq!(send(shown.address, &absolute, &[("host", &host)], "").status, 403);
}

#[test]
fn nothing_outside_the_folder_is_read() {
    let secret = "not for everybody";
    let shown = Shown::over(|folder| {
        logs::two_runs(folder);
        std::fs::write(folder.join("secret.txt"), secret).unwrap();
        let outside = folder.parent().unwrap().join("toolgauge-outside.eval");
        std::fs::copy(folder.join(A), &outside).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&outside, folder.join("link.eval")).unwrap();
    });
    for path in [
        "/run/secret.txt",
        "/run/..%2Ftoolgauge-outside.eval",
        "/run/../toolgauge-outside.eval",
        "/run/%2e%2e/toolgauge-outside.eval",
        "/run/..%5Ctoolgauge-outside.eval",
        "/run/%2Fetc%2Fpasswd",
        "/run/link.eval",
        "/run/a.eval%00.txt",
        "/run/./a.eval",
        "/assets/x/..%2F..%2FCargo.toml",
        "/assets/../Cargo.toml",
        "/../../etc/passwd",
        "/compare?run=..%2Ftoolgauge-outside.eval&run=a.eval",
        "/nowhere",
    ] {
        let answer = shown.get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.body.contains(secret) && !answer.body.contains("root:"), "{path}");
    }
    let _ =
        std::fs::remove_file(shown.folder.path().parent().unwrap().join("toolgauge-outside.eval"));
}

#[test]
fn what_others_wrote_is_text() {
    let shown = Shown::over(logs::hostile);
    let id: String = form_urlencoded::byte_serialize(HARM.as_bytes()).collect();
    for path in [
        "/".to_owned(),
        "/?group=1".to_owned(),
        "/run/hostile.eval".to_owned(),
        "/run/hostile.eval/rows".to_owned(),
        "/run/hostile.eval/figures".to_owned(),
        "/run/hostile.eval/settings".to_owned(),
        format!(
            "/run/hostile.eval/cases?column=expected&column=instead&column=tag%3A{id}&q={id}&tag={id}%3D{id}&pattern={id}&dimension={id}"
        ),
        format!("/run/hostile.eval/case?id={id}"),
        format!("/run/hostile.eval/case?id={id}&markdown=1"),
        format!("/run/hostile.eval/tree?id={id}"),
        "/compare/cases?run=hostile.eval&run=hostile.eval".to_owned(),
        "/run/hostile.eval/case?id=..%2F..%2Fetc%2Fpasswd".to_owned(),
        format!("/compare?run=hostile.eval&run=hostile.eval&x={id}"),
        format!("/compare/case?run=hostile.eval&run=hostile.eval&id={id}"),
        "/compare".to_owned(),
    ] {
        let body = shown.page(&path);
        let lower = body.to_lowercase();
        for harm in ["<script>", "<img", "<svg/", "onerror=alert(1)>", "</textarea></script>"] {
            assert!(!lower.contains(harm), "{path} holds {harm}");
        }
        assert!(!lower.contains("href=\"javascript:"), "{path}");
        // What a field sends back is what it was given; nobody sees it.
        let seen = body.split(" value=\"").map(|part| part.split_once('"').unwrap_or(("", part)).1);
        let seen: String = seen.collect();
        assert!(!seen.contains(['\u{202e}', '\u{1b}', '\u{0}']), "{path}");
        assert!(body.len() < 2_000_000, "{path} is {} bytes long", body.len());
    }
}

#[test]
fn a_raw_text_is_never_a_page() {
    let shown = Shown::over(logs::hostile);
    shown.page("/run/hostile.eval");
    let answer = shown.get("/run/hostile.eval/raw?id=..%2F..%2Fetc%2Fpasswd");
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
}

#[test]
fn a_file_that_is_no_log_is_named_and_the_others_are_shown() {
    let shown = Shown::over(|folder| {
        logs::two_runs(folder);
        std::fs::write(folder.join("broken.eval"), "PK\u{3}\u{4} not a log").unwrap();
        std::fs::write(folder.join("empty.eval"), "").unwrap();
    });
    let body = shown.page("/");
    assert!(body.contains("broken.eval") && body.contains("cannot be read"));
    assert!(body.contains("qwen") && body.contains("llama"));
    for log in ["broken.eval", "empty.eval"] {
        let answer = shown.get(&format!("/run/{log}"));
        assert_eq!(answer.status, 422, "{log}");
    }
}

#[test]
fn a_damaged_sample_is_named_and_the_others_are_shown() {
    let shown = Shown::over(|folder| {
        logs::two_runs(folder);
        let path = folder.join(logs::A);
        let mut bytes = std::fs::read(&path).unwrap();
        for name in ["samples/lamp-7_epoch_1.json", "_journal/summaries/1.json", "summaries.json"] {
            let header = |part: &[u8]| part.starts_with(b"PK\x03\x04");
            let found = bytes
                .windows(30 + name.len())
                .position(|part| header(part) && &part[30..] == name.as_bytes());
            let data = found.unwrap() + 30 + name.len() + 70;
            bytes[data..data + 20].fill(0x55);
        }
        std::fs::write(&path, bytes).unwrap();
    });
    let body = shown.page("/run/a.eval");
    assert!(body.contains("1 of 40 samples cannot be read: `lamp-7_epoch_1`"), "{body}");
    assert!(shown.page("/").contains("1 damaged"));
    assert!(shown.page("/run/a.eval/case?id=lamp-8").contains("Turn on lamp 8"));
    assert_eq!(shown.get("/run/a.eval/case?id=lamp-7").status, 404, "no list knows it");
    let body = shown.page("/compare?run=a.eval&run=b.eval");
    assert!(body.contains("A: 1 of 40 samples cannot be read"), "{body}");
    assert!(shown.page("/compare/case?run=a.eval&run=b.eval&id=lamp-8").contains("lamp 8"));
}

/// Texts of ten megabytes, a million keys, members that lead elsewhere, a bomb and a torn log.
fn beyond_measure(folder: &Path) {
    let write = |name: &str, trials: usize| {
        let path = folder.join(name);
        let mut writer = LogWriter::create(&path, &hostile::run()).unwrap();
        for trial in hostile::trials().take(trials) {
            writer.append(&trial).unwrap();
        }
        writer.finish(&RunStatus::Success).unwrap()
    };
    hostile::spoil(&write("large.eval", usize::MAX));
    hostile::arm(&write("bomb.eval", 1), 80 << 20);
    hostile::cut_off(&write("torn.eval", 1));
}

#[test]
fn logs_beyond_measure_are_shown_in_part_or_refused() {
    let shown = Shown::over(beyond_measure);
    shown.page("/run/large.eval");
    let mut paths: Vec<String> =
        ["/", "/run/large.eval", "/run/bomb.eval", "/run/torn.eval"].map(str::to_owned).into();
    let cases = hostile::run().cases;
    for case in some_of(cases.iter(), 3) {
        let id: String = form_urlencoded::byte_serialize(case.as_str().as_bytes()).collect();
        paths.push(format!("/run/large.eval/case?id={id}&trial=1"));
        paths.push(format!("/run/bomb.eval/case?id={id}&trial=1"));
    }
    for path in paths {
        let answer = shown.get(&path);
        assert!(answer.body.len() < 5_000_000, "{path}: {} bytes", answer.body.len());
        assert!(!answer.body.contains("<script>alert"), "{path}");
        assert!(!answer.body.contains("<img src=x"), "{path}");
        // What a filter sends back stands in an attribute as it is; what is shown must not act.
        let shown: String = answer.body.split('"').step_by(2).collect();
        assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{path}");
    }
    // Whatever was asked, the viewer is still there.
    assert_eq!(shown.get("/").status, 200);
}
