//! A real browser, driven over `WebDriver`: Chromium without a screen.
//!
//! Chromium and its driver are looked for in the search path. Without them, and in the short form of
//! the tests, these say that they were left out; with `TOOLGAUGE_REQUIRE_BROWSER=1` that is a failure.
//! `TOOLGAUGE_AXE` names axe-core's file, which judges the pages' accessibility.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;
use toolgauge_testkit::{long_or, skip_check};

use crate::http::send;

/// One browser at a time: two at once on a small machine make each other time out.
static ONE: Mutex<()> = Mutex::new(());

/// A browser with an empty profile.
pub(crate) struct Browser {
    driver: Child,
    address: SocketAddr,
    session: String,
    profile: TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Browser {
    /// Starts a browser, or says that there is none.
    pub(crate) fn start() -> Option<Self> {
        let is_asked = std::env::var_os("TOOLGAUGE_REQUIRE_BROWSER").is_some();
        if !long_or(true, is_asked) {
            skip_check("two minutes: `TOOLGAUGE_LONG_TESTS=1`", "TOOLGAUGE_REQUIRE_BROWSER");
            return None;
        }
        let Some(driver) = found("chromium").and_then(|_| found("chromedriver")) else {
            let needs = "`chromium` and `chromedriver` in the PATH";
            skip_check(needs, "TOOLGAUGE_REQUIRE_BROWSER");
            return None;
        };
        let alone = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        // A free port that it chose may be taken before it listens; then it ends.
        let (driver, address) =
            (0..5).find_map(|_| started(&driver)).expect("a driver that listens");
        let profile = tempfile::tempdir().unwrap();
        let mut browser = Self { driver, address, session: String::new(), profile, _alone: alone };
        browser.session = browser.new_session();
        Some(browser)
    }

    fn new_session(&self) -> String {
        let profile = self.profile.path().display();
        let args = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--window-size=1280,900",
            &format!("--user-data-dir={profile}"),
        ];
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": {"args": args, "binary": found("chromium").unwrap_or_default()},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }}});
        let answer = self.command("POST", "/session", &wanted);
        answer["sessionId"].as_str().unwrap().to_owned()
    }

    fn command(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let host = self.address.to_string();
        let headers = [("host", host.as_str()), ("content-type", "application/json")];
        let answer = send(self.address, &format!("{method} {path}"), &headers, &body);
        let value: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!(answer.status, 200, "{method} {path} {body}: {value}");
        value["value"].clone()
    }

    fn in_session(&self, method: &str, path: &str, body: &Value) -> Value {
        self.command(method, &format!("/session/{}{path}", self.session), body)
    }

    /// How many pages the open page has on paper.
    pub(crate) fn printed_pages(&self) -> usize {
        let pdf = self.in_session("POST", "/print", &json!({}));
        let pdf = STANDARD.decode(pdf.as_str().unwrap()).unwrap();
        // Each page has a plain dictionary; that of all of them is of the type `Pages`.
        let text = String::from_utf8_lossy(&pdf);
        text.split("/Type /Page").skip(1).filter(|rest| !rest.starts_with('s')).count()
    }

    /// Opens an address.
    pub(crate) fn open(&self, url: &str) {
        self.in_session("POST", "/url", &json!({ "url": url }));
    }

    /// The address that is open.
    pub(crate) fn url(&self) -> String {
        self.in_session("GET", "/url", &Value::Null).as_str().unwrap().to_owned()
    }

    /// The value of a script.
    pub(crate) fn script(&self, script: &str) -> Value {
        self.in_session("POST", "/execute/sync", &json!({"script": script, "args": []}))
    }

    /// What axe-core has against the page, in a line each.
    pub(crate) fn violations(&self, axe: &str) -> Vec<String> {
        self.script(axe);
        let script = "const done = arguments[arguments.length - 1];
            axe.run(document, {resultTypes: ['violations']}).then(
                (found) => done(found.violations.map((v) =>
                    `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200)).join(' | ')}`)),
                (error) => done([String(error)]));";
        let found =
            self.in_session("POST", "/execute/async", &json!({"script": script, "args": []}));
        found.as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned()).collect()
    }

    /// What is wrong with the charts of the page on a screen so narrow, in a line each: a chart
    /// that is wider than it or scrolls, one that is not drawn exactly once, words that are tiny
    /// or cut off.
    pub(crate) fn misfits(&self) -> Value {
        self.script(
            "const width = document.documentElement.clientWidth;
             const seen = (e) => e.getClientRects().length > 0;
             const found = [];
             for (const chart of document.querySelectorAll('figure.chart')) {
                 if (!seen(chart)) continue;
                 const told = (words) => found.push(`${chart.id}: ${words}`);
                 const drawn = [...chart.querySelectorAll('svg')].filter(seen);
                 if (drawn.length !== 1) told(`drawn ${drawn.length} times`);
                 if (chart.scrollWidth > chart.clientWidth) told('scrolls');
                 for (const svg of drawn) {
                     const frame = svg.getBoundingClientRect();
                     if (frame.left < 0 || frame.right > width) told('wider than the screen');
                     const scale = frame.width / svg.viewBox.baseVal.width;
                     for (const text of svg.querySelectorAll('text')) {
                         const box = text.getBoundingClientRect();
                         const size = Number.parseFloat(text.getAttribute('font-size')) * scale;
                         if (!(size >= 10)) told(`letters of ${size}: ${text.textContent}`);
                         const inside = box.left >= frame.left - 1 && box.right <= frame.right + 1
                             && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
                         if (!inside) told(`cut off: ${text.textContent}`);
                     }
                 }
             }
             return found;",
        )
    }

    /// The name that assistive technology is given for the first element a selector finds.
    pub(crate) fn name_of(&self, selector: &str) -> String {
        let name = self.in_session(
            "GET",
            &format!("{}/computedlabel", self.found(selector)),
            &Value::Null,
        );
        name.as_str().unwrap().to_owned()
    }

    /// Presses keys, one after another.
    pub(crate) fn press(&self, keys: &str) {
        let actions: Vec<Value> = keys
            .chars()
            .flat_map(|key| {
                let key = key.to_string();
                [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})]
            })
            .collect();
        let keyboard = json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]});
        self.in_session("POST", "/actions", &keyboard);
    }

    /// Clicks on the first element that a selector finds.
    pub(crate) fn click(&self, selector: &str) {
        self.in_session("POST", &format!("{}/click", self.found(selector)), &json!({}));
    }

    /// Where the driver keeps the first element that a selector finds.
    fn found(&self, selector: &str) -> String {
        let using = json!({"using": "css selector", "value": selector});
        let element = self.in_session("POST", "/element", &using);
        let id = element.as_object().unwrap().values().next().unwrap().as_str().unwrap();
        format!("/element/{id}")
    }

    /// A command of the browser's own protocol.
    pub(crate) fn devtools(&self, command: &str, parameters: &Value) {
        let body = json!({"cmd": command, "params": parameters});
        self.in_session("POST", "/goog/cdp/execute", &body);
    }

    /// As if the reader's system were dark.
    pub(crate) fn prefer(&self, scheme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.devtools("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// A screen of this width and height.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Waits until a script says `true`.
    pub(crate) fn until(&self, script: &str) {
        let began = Instant::now();
        while self.script(&format!("return Boolean({script})")) != json!(true) {
            let page = self.script("return document.body.innerText.slice(0, 600)");
            assert!(
                began.elapsed() < Duration::from_mins(1),
                "never: {script} at {}\n{page}",
                self.url()
            );
            thread::sleep(Duration::from_millis(40));
        }
    }

    /// What the console said, and what was asked of other hosts: both should be nothing.
    pub(crate) fn complaints(&self, host: &str) -> Vec<String> {
        let log = |kind: &str| {
            let entries = self.in_session("POST", "/se/log", &json!({ "type": kind }));
            let entries = entries.as_array().unwrap().clone();
            entries.into_iter().map(|entry| entry["message"].as_str().unwrap().to_owned())
        };
        let mut complaints: Vec<String> = log("browser").collect();
        for message in log("performance") {
            let message: Value = serde_json::from_str(&message).unwrap();
            let event = &message["message"];
            let url = event["params"]["request"]["url"].as_str().unwrap_or_default();
            let own = url.starts_with(&format!("http://{host}/"));
            // The browser's own pages ask for its own files.
            let local = ["data:", "chrome:", "about:"].iter().any(|kind| url.starts_with(kind));
            if event["method"] == "Network.requestWillBeSent" && !own && !local {
                complaints.push(format!("asked for {url}"));
            }
        }
        complaints
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !thread::panicking() {
            self.in_session("DELETE", "", &json!({}));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The driver, once it listens.
fn started(driver: &str) -> Option<(Child, SocketAddr)> {
    let mut driver = Command::new(driver)
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let output = BufReader::new(driver.stdout.take()?);
    let port = output.lines().map_while(Result::ok).find_map(|line| {
        let port = line.split("successfully on port ").nth(1)?;
        port.trim_end_matches('.').parse::<u16>().ok()
    });
    Some((driver, SocketAddr::from(([127, 0, 0, 1], port?))))
}

/// A program of the search path.
fn found(program: &str) -> Option<String> {
    let folders = std::env::var_os("PATH")?;
    let paths = std::env::split_paths(&folders).map(|folder| folder.join(program));
    paths.into_iter().find(|path| path.is_file()).map(|path| path.display().to_string())
}
