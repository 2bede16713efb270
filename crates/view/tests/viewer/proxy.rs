//! The viewer behind a real nginx, set up as the docs say: under a path, with a password, while a
//! run grows.
//!
//! nginx is used where this machine has one; tests say when it is missing. With
//! `TOOLGAUGE_REQUIRE_NGINX=1` that is a failure.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;
use toolgauge_log::{LogWriter, RunStatus};
use toolgauge_testkit::{skip_check, wait_until};
use toolgauge_view::{BasePath, ViewerPassword};

use crate::browser::Browser;
use crate::http::{Answer, send};
use crate::logs::{self, A};
use crate::shown::Shown;

const HOST: &str = "evals.example";

/// What the docs tell people to put into their configuration.
fn snippet_of_the_docs() -> String {
    let page = include_str!("../../../../docs/view.md");
    let after = page.split("```nginx\n").nth(1).unwrap();
    after.split("```").next().unwrap().to_owned()
}

/// nginx before a viewer, for as long as the test lives.
struct Nginx {
    child: Child,
    address: SocketAddr,
    _folder: TempDir,
}

impl Nginx {
    /// Starts nginx with this location; nothing if this machine has none.
    fn before(viewer: SocketAddr, location: &str) -> Option<Self> {
        let program =
            ["nginx", "/usr/sbin/nginx", "/usr/local/sbin/nginx"].into_iter().find(|path| {
                let version = Command::new(path).arg("-v").stderr(Stdio::null()).status();
                version.is_ok_and(|status| status.success())
            });
        let Some(program) = program else {
            skip_check("nginx", "TOOLGAUGE_REQUIRE_NGINX");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        // Nobody else takes the port in the moment between.
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let location = location.replace("127.0.0.1:7878", &viewer.to_string());
        let configuration = configuration(folder.path(), address, &location);
        let file = folder.path().join("nginx.conf");
        std::fs::write(&file, configuration).unwrap();
        let mut command = Command::new(program);
        command.arg("-c").arg(&file).arg("-p").arg(folder.path()).args(["-e", "stderr"]);
        let child = command.stderr(Stdio::null()).spawn().unwrap();
        wait_until(|| std::net::TcpStream::connect(address).is_ok());
        Some(Self { child, address, _folder: folder })
    }

    fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut all = vec![("host", HOST)];
        all.extend_from_slice(headers);
        send(self.address, &format!("GET {path}"), &all, "")
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One process in the foreground that leaves nothing outside its folder.
fn configuration(folder: &Path, address: SocketAddr, location: &str) -> String {
    let own = folder.display();
    format!(
        "daemon off;\nmaster_process off;\npid {own}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n\
         client_body_temp_path {own}/body;\nproxy_temp_path {own}/proxy;\n\
         fastcgi_temp_path {own}/fastcgi;\nuwsgi_temp_path {own}/uwsgi;\n\
         scgi_temp_path {own}/scgi;\nserver {{\nlisten {address};\nserver_name {HOST};\n\
         {location}\n}}\n}}\n"
    )
}

/// A viewer for a team, over one run that is still going.
fn team_viewer() -> (Shown, LogWriter, Vec<toolgauge_core::Trial>) {
    let mut writer = None;
    let fill = |folder: &Path| {
        let run = logs::run("qwen", 6, 0);
        writer = Some(LogWriter::create(&folder.join(A), &run).unwrap());
    };
    let shown = Shown::set_up(fill, |viewer| {
        viewer.base_path = BasePath::read("/evals").unwrap();
        // A browser on this machine finds the proxy by the second name.
        viewer.host_names = vec![HOST.to_owned(), "localhost".to_owned()];
        viewer.password = ViewerPassword::chosen("open sesame");
    });
    let trials = (0..6).map(|n| logs::trial(logs::case(n), n, n != 2)).collect();
    (shown, writer.unwrap(), trials)
}

/// Logs in through the proxy, and gives the cookie.
fn entered(nginx: &Nginx) -> String {
    assert_eq!(nginx.get("/evals/", &[]).status, 401, "nobody sees a page without the token");
    let entered = nginx.get("/evals/?token=open+sesame", &[]);
    assert_eq!((entered.status, entered.header("location")), (303, Some("/evals/")));
    entered.header("set-cookie").unwrap().split(';').next().unwrap().to_owned()
}

fn a_team_sees_a_run_grow(location: &str) {
    let (shown, mut writer, trials) = team_viewer();
    let Some(nginx) = Nginx::before(shown.address, location) else { return };
    let cookie = entered(&nginx);
    let get = |path: &str| {
        let answer = nginx.get(path, &[("cookie", &cookie)]);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.body
    };
    let runs = get("/evals/");
    assert!(runs.contains(&format!("/evals/run/{A}")), "{runs}");
    let style = runs.split("href=\"").find(|part| part.contains(".css")).unwrap();
    assert!(
        get(style.split('"').next().unwrap()).contains("@media"),
        "the style sheet comes along"
    );
    // What a page asks for once a second.
    let live = format!("/evals/run/{A}/live");
    let mut before = get(&live);
    for trial in trials {
        writer.append(&trial).unwrap();
        wait_until(|| get(&live) != before);
        before = get(&live);
    }
    writer.finish(&RunStatus::Success).unwrap();
    wait_until(|| get(&live) != before);
    assert!(get(&format!("/evals/run/{A}/cases")).contains("/evals/run/"));
}

#[test]
fn the_location_of_the_docs_shows_a_growing_run_to_a_team() {
    a_team_sees_a_run_grow(&snippet_of_the_docs());
}

#[test]
fn a_proxy_that_removes_the_path_shows_the_same() {
    // A path behind the address replaces what the location matched.
    let location = snippet_of_the_docs().replace("127.0.0.1:7878;", "127.0.0.1:7878/;");
    a_team_sees_a_run_grow(&location);
}

/// Pages are not loaded again: `window.same` is lost with the page it was set on.
#[test]
fn a_browser_behind_nginx_sees_a_run_grow() {
    let (shown, mut writer, trials) = team_viewer();
    let Some(nginx) = Nginx::before(shown.address, &snippet_of_the_docs()) else { return };
    let Some(browser) = Browser::start() else { return };
    let host = format!("localhost:{}", nginx.address.port());
    let site = format!("http://{host}/evals");
    let holds = |text: &str| browser.until(&format!("document.body.innerText.includes('{text}')"));
    let mut trials = trials.into_iter();
    writer.append(&trials.next().unwrap()).unwrap();
    browser.open(&format!("{site}/?token=open+sesame"));
    holds("1 of 6");
    browser.open(&format!("{site}/run/{A}"));
    holds("1 of 6 trials");
    browser.script("window.same = true");
    for trial in trials.by_ref().take(3) {
        writer.append(&trial).unwrap();
    }
    holds("4 of 6 trials");
    holds("3 of 4 cases pass");
    browser.until("window.same");
    browser.open(&format!("{site}/run/{A}/cases"));
    browser.until("document.getElementById('found-count')?.innerText === '4'");
    browser.script("window.same = true");
    for trial in trials {
        writer.append(&trial).unwrap();
    }
    browser.until("document.getElementById('found-count').innerText === '6' && window.same");
    writer.finish(&RunStatus::Success).unwrap();
    browser.until("!document.body.dataset.live && window.same");
    assert_eq!(browser.complaints(&host), Vec::<String>::new());
}

#[test]
fn a_proxy_that_hides_its_name_is_refused_with_the_reason() {
    let (shown, ..) = team_viewer();
    let location = "location /evals/ { proxy_pass http://127.0.0.1:7878; \
                    proxy_set_header Host other.example; }";
    let Some(nginx) = Nginx::before(shown.address, location) else { return };
    let refused = nginx.get("/evals/", &[]);
    assert_eq!(refused.status, 403);
    assert!(refused.body.contains("--host-name"), "{}", refused.body);
}
