//! The program, with logs and claims in a real store.

#![expect(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use toolgauge_log::ObjectStores as _;
use toolgauge_stores::StoreClients;

use super::servers::{KEY, Proxy, SECRET, Store, clients, variables};

/// A machine: a folder to work in, one for what the program keeps, and a way to a store.
struct Machine {
    folder: TempDir,
    url: String,
}

impl Machine {
    fn new(url: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Uploads come soon, and a store that is away is not waited for long.
        let settings = "[limits]\nupload_interval = 0.2\npatience = 1.0\n";
        fs::write(folder.path().join("toolgauge.toml"), settings).unwrap();
        Self { folder, url: url.to_owned() }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.args(words).current_dir(self.folder.path()).envs(variables(&self.url));
        command.env("XDG_STATE_HOME", self.folder.path().join("state")).env("NO_COLOR", "1");
        command.env_remove("TOOLGAUGE_LOG_DIR").stdin(Stdio::null());
        command
    }

    /// Runs a command to its end. No secret is ever shown.
    fn run(&self, words: &[&str]) -> Output {
        let output = self.command(words).output().unwrap();
        for shown in [&output.stdout, &output.stderr] {
            assert!(!String::from_utf8_lossy(shown).contains(SECRET));
        }
        output
    }

    /// Runs a command that must succeed, and gives what it prints.
    fn done(&self, words: &[&str]) -> String {
        let output = self.run(words);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a command that must be refused, and gives what it says.
    fn refused(&self, words: &[&str]) -> String {
        let output = self.run(words);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {errors}");
        errors
    }

    /// The logs that are on their way to the store.
    fn journals(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![self.folder.path().join("state")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.path().is_dir() {
                    folders.push(entry.path());
                } else {
                    found.push(entry.path());
                }
            }
        }
        found
    }
}

/// The program with object stores.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let built = test.parent().and_then(Path::parent).unwrap().join("toolgauge");
    let program = std::env::var_os("TOOLGAUGE_PROGRAM").map_or(built, PathBuf::from);
    let version = Command::new(&program).arg("--version").output().unwrap();
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    assert!(version.contains("stores"), "build it with `--features toolgauge/stores`: {version}");
    program
}

fn logs(stores: &StoreClients, folder: &str) -> Vec<String> {
    let listed = stores.list(folder).unwrap();
    listed.into_iter().map(|log| log.path.display().to_string()).collect()
}

/// The figures of a log, without what differs from run to run.
fn trials(summary: &str) -> u64 {
    let (_, rest) = summary.split_once("\"trials\":").unwrap_or_default();
    let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_default()
}

/// A model server that takes its time, gone when dropped.
struct SlowModel(Child, String);

impl SlowModel {
    fn start() -> Self {
        let words = ["serve", "--port", "0", "--latency", "40ms..60ms"];
        let mut child = Command::new(program())
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split_whitespace().find(|word| word.starts_with("http")).unwrap();
        let address = address.trim_end_matches('/').trim_end_matches("/v1");
        Self(child, format!("{address}/v1"))
    }
}

impl Drop for SlowModel {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_run_goes_to_a_store_and_every_command_reads_it_there() {
    let Some(store) = Store::moto() else { return };
    store.bucket("logs");
    let (machine, stores) = (Machine::new(&store.url), clients(&store.url));
    let folder = "s3://logs/runs";
    for _ in 0..2 {
        machine.done(&["run", "everyday", "--log-dir", folder, "--quiet"]);
    }
    let logs = logs(&stores, folder);
    let [first, second] = logs.as_slice() else { panic!("{logs:?}") };
    assert_eq!(machine.journals(), Vec::<PathBuf>::new());
    let log_dir = ["--log-dir", folder];
    let local = machine.done(&["run", "everyday", "--quiet", "--format", "json"]);
    let stored = machine.done(&["summary", first, "--format", "json"]);
    assert_eq!((trials(&stored), trials(&local)), (46, 46));
    assert!(machine.done(&["compare", first, second]).contains("0.000"));
    assert!(machine.done(&["summary", "last", log_dir[0], log_dir[1]]).contains("everyday"));
    assert!(machine.done(&["history", "everyday", log_dir[0], log_dir[1]]).contains("everyday"));
    assert!(machine.done(&["cases", first]).contains("timer-eggs"));
    machine.done(&["report", first, second, "-o", "report.html"]);
    machine.done(&["export", first, "--to", "openai-jsonl", "-o", "out.jsonl"]);
    machine.done(&["run", "everyday", "--failed-in", first, "--quiet", "-m", "baseline"]);
    let again = machine.done(&["score", first]);
    assert!(again.contains(folder), "{again}");
    assert_eq!(super::program::logs(&stores, folder).len(), 3);
    // Nothing of it was made a folder of this machine.
    assert!(!machine.folder.path().join("s3:").exists());
}

#[test]
fn the_viewer_opens_a_bucket() {
    let Some(store) = Store::moto() else { return };
    store.bucket("logs");
    let machine = Machine::new(&store.url);
    machine.done(&["run", "everyday", "--log-dir", "s3://logs", "--quiet"]);
    let mut viewer = machine.command(&["view", "s3://logs", "--port", "0", "--no-cache"]);
    let mut viewer = viewer.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(viewer.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let host = line.trim().rsplit_once("http://").unwrap().1.trim_end_matches('/').to_owned();
    let mut page = String::new();
    let began = Instant::now();
    while !page.contains("everyday") && began.elapsed() < Duration::from_secs(30) {
        let mut stream = TcpStream::connect(&host).unwrap();
        let request = format!("GET / HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
        page.clear();
        stream.read_to_string(&mut page).unwrap();
    }
    viewer.kill().unwrap();
    viewer.wait().unwrap();
    assert!(page.contains("everyday"), "{page}");
}

#[test]
fn shards_in_a_store_go_on_and_are_merged_there() {
    let Some(store) = Store::moto() else { return };
    store.bucket("logs");
    let (machine, stores) = (Machine::new(&store.url), clients(&store.url));
    let folder = "s3://logs/shards";
    let shard = |number: &str| {
        machine.run(&["run", "everyday", "--shard", number, "--log-dir", folder, "--quiet"])
    };
    assert!(shard("1/2").status.success() && shard("2/2").status.success());
    // Another machine finds what is there.
    let other = Machine::new(&store.url);
    let words = ["run", "everyday", "--shard", "1/2", "--log-dir", folder];
    let again = other.run(&words);
    let said = String::from_utf8_lossy(&again.stderr);
    assert!(again.status.success() && said.contains("nothing was missing"), "{said}");
    assert_eq!(logs(&stores, folder).len(), 2);
    assert_eq!(trials(&machine.done(&["summary", folder, "--format", "json"])), 46);
    let merged = "s3://logs/run.eval";
    machine.done(&["merge", folder, "-o", merged]);
    assert_eq!(trials(&machine.done(&["summary", merged, "--format", "json"])), 46);
    let said = machine.refused(&["merge", folder, "-o", merged]);
    assert!(said.contains(merged), "{said}");
}

#[test]
fn a_killed_run_is_resumed_by_another_machine() {
    let Some(store) = Store::moto() else { return };
    store.bucket("logs");
    let (machine, stores) = (Machine::new(&store.url), clients(&store.url));
    let model = SlowModel::start();
    let words = ["run", "everyday", "-m", "baseline-served", "--any-model", "--base-url", &model.1];
    let words = [&words[..], &["--log-dir", "s3://logs/runs", "--quiet"]].concat();
    let mut run =
        machine.command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let stored = |machine: &Machine| {
        let found = logs(&stores, "s3://logs/runs");
        let log = found.first()?.clone();
        let summary = machine.run(&["summary", &log, "--format", "json"]);
        Some((log, trials(&String::from_utf8_lossy(&summary.stdout))))
    };
    let began = Instant::now();
    let (log, kept) = loop {
        if let Some((log, trials)) = stored(&machine).filter(|(_, trials)| *trials >= 5) {
            break (log, trials);
        }
        assert!(began.elapsed() < Duration::from_mins(1), "nothing was uploaded");
    };
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(kept < 46, "the run was over too soon");
    let other = Machine::new(&store.url);
    other.done(&["run", "--resume", &log, "--base-url", &model.1, "--quiet"]);
    assert_eq!(stored(&machine).unwrap().1, 46);
    // The first machine still has what it had, and puts it aside for what is in the store.
    let again = machine.run(&["run", "--resume", &log, "--base-url", &model.1]);
    assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    assert_eq!(stored(&machine).unwrap().1, 46);
}

#[test]
fn a_store_that_fails_or_vanishes_loses_nothing() {
    let Some(store) = Store::moto() else { return };
    store.bucket("logs");
    let (proxy, stores) = (Proxy::before(&store), clients(&store.url));
    let machine = Machine::new(proxy.url());
    let model = SlowModel::start();
    let words = ["run", "everyday", "-m", "baseline-served", "--any-model", "--base-url", &model.1];
    let run = |folder: &str| [&words[..], &["--log-dir", folder, "--quiet"]].concat().join(" ");

    // A fifth of the requests fails.
    proxy.fails_every.store(5, Ordering::Relaxed);
    machine.done(&run("s3://logs/a").split(' ').collect::<Vec<_>>());
    proxy.fails_every.store(0, Ordering::Relaxed);
    let log = logs(&stores, "s3://logs/a").remove(0);
    assert_eq!(trials(&machine.done(&["summary", &log, "--format", "json"])), 46);

    // Away in the middle, and back before the end.
    let command = run("s3://logs/b");
    let mut going = machine.command(&command.split(' ').collect::<Vec<_>>());
    let mut going = going.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while logs(&stores, "s3://logs/b").is_empty() {
        thread::sleep(Duration::from_millis(20));
    }
    proxy.is_away.store(true, Ordering::Relaxed);
    thread::sleep(Duration::from_millis(1500));
    proxy.is_away.store(false, Ordering::Relaxed);
    assert!(going.wait().unwrap().success());
    let log = logs(&stores, "s3://logs/b").remove(0);
    assert_eq!(trials(&machine.done(&["summary", &log, "--format", "json"])), 46);

    // Away at the end: the log is kept and named, and uploaded later.
    let command = run("s3://logs/c");
    let mut going = machine.command(&command.split(' ').collect::<Vec<_>>());
    let going = going.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while logs(&stores, "s3://logs/c").is_empty() {
        thread::sleep(Duration::from_millis(20));
    }
    proxy.is_away.store(true, Ordering::Relaxed);
    let ended = going.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(3), "{said}");
    let kept = machine.journals().remove(0);
    assert!(said.contains(&kept.display().to_string()), "{said}");
    let kept = kept.display().to_string();
    assert_eq!(trials(&machine.done(&["summary", &kept, "--format", "json"])), 46);
    proxy.is_away.store(false, Ordering::Relaxed);
    let log = logs(&stores, "s3://logs/c").remove(0);
    machine.done(&["run", "--resume", &log, "--base-url", &model.1, "--quiet"]);
    assert_eq!(machine.journals(), Vec::<PathBuf>::new());
    assert_eq!(trials(&machine.done(&["summary", &log, "--format", "json"])), 46);
}

#[test]
fn two_workers_share_a_run_and_none_of_its_cases_is_run_twice() {
    let Some(store) = Store::moto() else { return };
    store.bucket("logs");
    let model = SlowModel::start();
    let folder = tempfile::tempdir().unwrap();
    let places = [
        ("s3://logs/claims".to_owned(), "s3://logs/chunks".to_owned()),
        (
            folder.path().join("claims").display().to_string(),
            folder.path().join("logs").display().to_string(),
        ),
    ];
    for (claims, logs) in places {
        let words = ["run", "everyday", "-m", "baseline-served", "--any-model"];
        let rest = ["--base-url", &model.1, "--claim", &claims, "--chunks", "6", "--lease", "5"];
        let words = [&words[..], &rest, &["--log-dir", &logs]].concat();
        let machines: Vec<Machine> = (0..3).map(|_| Machine::new(&store.url)).collect();
        let workers: Vec<Child> = machines
            .iter()
            .map(|machine| {
                let mut command = machine.command(&words);
                command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
            })
            .collect();
        let mut taken: Vec<String> = Vec::new();
        for worker in workers {
            let output = worker.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{said}");
            let lines = said.lines().filter_map(|line| line.split("chunk ").nth(1));
            let lines = lines.filter(|line| line.ends_with("of 6")).map(str::to_owned);
            taken.extend(lines);
        }
        taken.sort();
        let all: Vec<String> = (1..=6).map(|chunk| format!("{chunk} of 6")).collect();
        assert_eq!(taken, all);
        machines[0].done(&["merge", &logs, "-o", "run.eval"]);
        let summary = machines[0].done(&["summary", "run.eval", "--format", "json"]);
        assert_eq!(trials(&summary), 46);
        // Nothing is left for whoever comes later.
        let late = machines[1].run(&words);
        let said = String::from_utf8_lossy(&late.stderr);
        assert!(late.status.success() && said.contains("nothing was left to claim"), "{said}");
    }
}

#[test]
fn the_chunk_of_a_killed_worker_is_taken_over() {
    let Some(store) = Store::moto() else { return };
    store.bucket("logs");
    let model = SlowModel::start();
    let words = ["run", "everyday", "-m", "baseline-served", "--any-model", "--base-url", &model.1];
    let rest = ["--claim", "s3://logs/claims", "--chunks", "2", "--lease", "1"];
    let words = [&words[..], &rest, &["--log-dir", "s3://logs/chunks"]].concat();
    let (killed, other) = (Machine::new(&store.url), Machine::new(&store.url));
    let stores = clients(&store.url);
    let mut worker = killed.command(&words);
    let mut worker = worker.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while logs(&stores, "s3://logs/chunks").is_empty() {
        thread::sleep(Duration::from_millis(20));
    }
    worker.kill().unwrap();
    worker.wait().unwrap();
    other.done(&words);
    other.done(&["merge", "s3://logs/chunks", "-o", "run.eval"]);
    let summary = other.done(&["summary", "run.eval", "--format", "json"]);
    assert_eq!(trials(&summary), 46);
}

#[cfg(unix)]
#[test]
fn a_profile_of_amazons_tools_opens_a_store() {
    let Some(strict) = Store::rclone() else { return };
    strict.bucket("logs");
    let machine = Machine::new(&strict.url);
    let home = machine.folder.path();
    fs::create_dir(home.join(".aws")).unwrap();
    let config = format!(
        "[profile lab]\nregion = us-east-1\nendpoint_url = {url}\n\n\
         [profile tool]\nregion = us-east-1\nendpoint_url = {url}\ncredential_process = sh keys.sh\n",
        url = strict.url
    );
    fs::write(home.join(".aws/config"), config).unwrap();
    let keys = format!("[lab]\naws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n");
    fs::write(home.join(".aws/credentials"), keys).unwrap();
    let printed =
        format!(r#"{{"Version": 1, "AccessKeyId": "{KEY}", "SecretAccessKey": "{SECRET}"}}"#);
    fs::write(home.join("keys.sh"), format!("echo '{printed}'\n")).unwrap();
    let as_profile = |profile: &str, words: &[&str]| {
        let mut command = machine.command(words);
        for (name, _) in variables("") {
            command.env_remove(name);
        }
        command.env("HOME", home).env("AWS_PROFILE", profile).output().unwrap()
    };
    for profile in ["lab", "tool"] {
        let folder = format!("s3://logs/{profile}");
        let ran = as_profile(profile, &["run", "everyday", "--log-dir", &folder, "--quiet"]);
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.success() && !said.contains(SECRET), "{profile}: {said}");
        assert_eq!(logs(&clients(&strict.url), &folder).len(), 1);
    }
    let refused = as_profile("labb", &["summary", "s3://logs/lab"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("profile `labb`") && said.contains("AWS_PROFILE"), "{said}");
}

#[test]
fn what_cannot_be_used_is_named_and_nothing_is_written() {
    let (Some(store), Some(strict)) = (Store::moto(), Store::rclone()) else { return };
    store.bucket("logs");
    strict.bucket("logs");
    let (machine, stores) = (Machine::new(&store.url), clients(&store.url));
    stores.put("s3://logs/a.eval", b"no log").unwrap();
    for words in [
        ["summary", "s3://nowhere/a.eval"].as_slice(),
        &["run", "everyday", "--log-dir", "s3://nowhere/runs"],
        &["run", "everyday", "--claim", "s3://nowhere/claims"],
        &["view", "s3://nowhere", "--port", "0"],
    ] {
        let said = machine.refused(words);
        assert!(said.contains("there is no bucket `nowhere`"), "{words:?}: {said}");
    }
    let said = machine.refused(&["summary", "s3://logs/a.eval"]);
    assert!(said.contains("`s3://logs/a.eval` is not an Inspect AI log"), "{said}");
    let said = machine.refused(&["summary", "s3://logs/missing.eval"]);
    assert!(said.contains("missing.eval") && said.contains("no such object"), "{said}");
    let said = machine.refused(&["summary", "s3://logs/empty"]);
    assert!(said.contains("there is no log in `s3://logs/empty`"), "{said}");
    for shard in ["1/2", "2/2"] {
        machine.done(&["run", "everyday", "--shard", shard, "--log-dir", "shards", "--quiet"]);
    }
    let said = machine.refused(&["merge", "shards", "-o", "s3://logs/a.eval"]);
    assert!(said.contains("s3://logs/a.eval") && said.contains("no log is replaced"), "{said}");
    assert_eq!(stores.get("s3://logs/a.eval").unwrap(), b"no log");
    let said = machine.refused(&["baseline", "set", "last", "--log-dir", "s3://logs/empty"]);
    assert!(said.contains("s3://logs/empty"), "{said}");
    let other = Machine::new(&strict.url);
    let mut wrong = other.command(&["run", "--log-dir", "s3://logs/runs"]);
    let output = wrong.env("AWS_SECRET_ACCESS_KEY", "wrong").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("refuses the credentials") && said.contains("AWS_ACCESS_KEY_ID"),
        "{said}"
    );
    for machine in [machine, other] {
        assert_eq!(machine.journals(), Vec::<PathBuf>::new());
        assert!(!machine.folder.path().join("logs").exists());
    }
    assert_eq!(logs(&stores, "s3://logs").len(), 1);
}
