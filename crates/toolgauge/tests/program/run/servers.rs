//! Several servers of one model share the trials of a run.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;

use toolgauge_log::Log;

use crate::run::{Server, finished, only_log, results, run, suite, text, toolgauge, trials};

const CASES: usize = 60;

fn arguments<'a>(servers: &[&'a Server]) -> Vec<&'a str> {
    let mut all = vec!["run", ".", "-m", "any", "--trials", "2", "-c", "2"];
    all.extend(servers.iter().flat_map(|server| ["--base-url", &server.base_url]));
    all
}

/// How many trials each address answered.
fn answered(folder: &Path) -> BTreeMap<Option<String>, usize> {
    let mut each = BTreeMap::new();
    for trial in trials(&only_log(folder)).into_values() {
        let addresses: Vec<_> = trial.transcript.turns.iter().map(|turn| &turn.address).collect();
        assert!(addresses.windows(2).all(|two| two[0] == two[1]), "a trial stays at its server");
        *each.entry(addresses[0].clone()).or_default() += 1;
    }
    each
}

#[test]
fn two_servers_share_the_trials_and_the_log_says_which_answered() {
    let (one, two) = (suite(CASES), suite(CASES));
    let servers = ["5ms", "5ms"].map(|time| Server::start(one.path(), &["--latency", time]));
    let output = run(two.path(), &arguments(&[&servers[0], &servers[1]]));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let shares = answered(two.path());
    let share = |server: &Server| shares[&Some(server.base_url.clone())];
    assert_eq!(share(&servers[0]) + share(&servers[1]), 2 * CASES);
    assert!(share(&servers[0]).abs_diff(share(&servers[1])) <= CASES, "{shares:?}");
    let alone = run(one.path(), &arguments(&[&servers[0]]));
    assert!(alone.status.success(), "{}", text(&alone.stderr));
    assert_eq!(results(&only_log(two.path())), results(&only_log(one.path())));
    assert_eq!(answered(one.path()), BTreeMap::from([(None, 2 * CASES)]));
}

#[test]
fn a_server_that_dies_amid_a_run_costs_no_trial() {
    let folder = suite(CASES);
    let mut servers: Vec<Server> =
        (0..3).map(|_| Server::start(folder.path(), &["--latency", "10ms"])).collect();
    let mut arguments = arguments(&servers.iter().collect::<Vec<_>>());
    arguments.extend(["--retries", "0"]);
    let mut command = toolgauge(folder.path(), &arguments);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    toolgauge_testkit::wait_until(|| finished(folder.path()) > 10);
    let dead = servers.remove(1);
    let address = dead.base_url.clone();
    drop(dead);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(said.contains(&format!("{address} stopped answering")), "{said}");
    let shares = answered(folder.path());
    assert_eq!(shares.values().sum::<usize>(), 2 * CASES);
    assert!(shares.contains_key(&Some(address)), "{shares:?}");
    let scored = trials(&only_log(folder.path()));
    assert!(scored.values().all(|trial| trial.transcript.failure.is_none()));
}

#[test]
fn servers_can_be_listed_in_a_file() {
    let folder = suite(4);
    let servers = [&[][..], &[]].map(|more| Server::start(folder.path(), more));
    let list = format!("# both\n{}\n\n{}\n", servers[0].base_url, servers[1].base_url);
    std::fs::write(folder.path().join("servers.txt"), list).unwrap();
    let output = run(folder.path(), &["run", ".", "-m", "any", "--base-url", "@servers.txt"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let log = Log::open(&only_log(folder.path())).unwrap();
    let asked = log.run().subject.base_url.clone().unwrap();
    assert_eq!(asked, format!("{} {}", servers[0].base_url, servers[1].base_url));
}

#[test]
fn a_list_of_servers_that_cannot_be_used_is_refused_before_anything_is_written() {
    let folder = suite(4);
    let server = Server::start(folder.path(), &[]);
    std::fs::write(folder.path().join("empty.txt"), "# none\n").unwrap();
    let there = &*server.base_url;
    for (addresses, words) in [
        (&[there, there][..], "names a server twice"),
        (&[there, "http://127.0.0.1:9/v1"], "127.0.0.1:9"),
        (&[there, "nonsense"], "nonsense"),
        (&["@empty.txt"], "names no server"),
        (&["@missing.txt"], "missing.txt"),
    ] {
        let mut arguments = vec!["run", ".", "-m", "any", "--patience", "0", "--retries", "0"];
        arguments.extend(addresses.iter().flat_map(|address| ["--base-url", address]));
        let output = run(folder.path(), &arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{addresses:?}: {said}");
        assert!(said.contains(words), "{addresses:?}: {said}");
        assert!(!folder.path().join("logs").exists());
    }
}
