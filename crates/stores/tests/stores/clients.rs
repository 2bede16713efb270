//! The clients, on real servers.

#![expect(clippy::unwrap_used, reason = "tests may stop at the first surprise")]

use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

use indexmap::IndexMap;
use tempfile::NamedTempFile;
use toolgauge_core::{Case, CaseId, Transcript, Trial, TrialId};
use toolgauge_log::{Log, LogWriter, ObjectStores, ReadAt, RunStatus, install_stores, list};
use toolgauge_stores::StoreClients;
use toolgauge_testkit::hostile;

use super::servers::{Proxy, SECRET, Store, clients, variables};

/// Bytes of which no two places of a power of two apart are the same.
fn bytes(length: usize) -> Vec<u8> {
    let piece: Vec<u8> = (0..=250).collect();
    piece.iter().copied().cycle().take(length).collect()
}

fn file(content: &[u8]) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    io::Write::write_all(&mut file, content).unwrap();
    file
}

fn upload(stores: &dyn ObjectStores, content: &[u8], address: &str) {
    let file = file(content);
    stores.upload(file.as_file(), content.len() as u64, address).unwrap();
}

fn read(object: &dyn ReadAt) -> Vec<u8> {
    let mut content = vec![0; usize::try_from(object.size().unwrap()).unwrap()];
    let read = object.read_at(&mut content, 0).unwrap();
    assert_eq!(read, content.len());
    content
}

/// A log of so many trials.
fn log(trials: usize, finished: bool) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.eval");
    let name = |number: usize| CaseId::new(format!("case-{number:06}"));
    let mut run = hostile::run();
    run.cases = (0..trials).map(name).collect();
    let mut writer = LogWriter::create(&path, &run).unwrap();
    for number in 0..trials {
        let case = Arc::new(Case::new(name(number).as_str(), "Turn on the light."));
        let (started, ended) = (run.created, run.created);
        let (transcript, outcomes) = (Transcript::default(), IndexMap::new());
        let trial = Trial { case, number: 1, started, ended, transcript, outcomes };
        writer.append(&trial).unwrap();
    }
    if finished {
        writer.finish(&RunStatus::Success).unwrap();
    }
    std::fs::read(&path).unwrap()
}

#[test]
fn whatever_is_put_into_a_store_comes_out_again() {
    for store in [Store::moto(), Store::rclone()].into_iter().flatten() {
        store.bucket("logs");
        let stores = clients(&store.url);
        // One byte, more than is read at once, and more than is sent at once.
        for length in [1, 300_000, 33 << 20] {
            let content = bytes(length);
            let address = format!("s3://logs/deep/2026-01-01T10+00 é {length}.eval");
            upload(&stores, &content, &address);
            let object = stores.open(&address).unwrap();
            assert!(read(&*object) == content, "{length} bytes at {}", store.url);
            let mut end = [0; 8];
            let from = (length as u64).saturating_sub(8);
            let got = object.read_at(&mut end, from).unwrap();
            assert_eq!(end[..got], content[length.saturating_sub(8)..]);
        }
        let listed = stores.list("s3://logs/deep").unwrap();
        assert_eq!(listed.iter().map(|log| log.bytes).sum::<u64>(), 1 + 300_000 + (33 << 20));
        assert!(stores.list("s3://logs").unwrap().is_empty());
        stores.put("s3://logs/small", b"x").unwrap();
        assert_eq!(stores.get("s3://logs/small").unwrap(), b"x");
        stores.remove("s3://logs/small").unwrap();
        let gone = stores.get("s3://logs/small").unwrap_err();
        assert_eq!(gone.kind(), ErrorKind::NotFound);
    }
}

#[test]
fn an_emulator_of_google_takes_what_is_written() {
    let Some(store) = Store::moto() else { return };
    store.bucket("logs");
    let emulator = store.url.trim_start_matches("http://").to_owned();
    let variables = [("STORAGE_EMULATOR_HOST".to_owned(), emulator)];
    let stores = StoreClients::with_variables(variables);
    upload(&stores, b"a log", "gs://logs/runs/a.eval");
    assert_eq!(read(&*stores.open("gs://logs/runs/a.eval").unwrap()), b"a log");
    assert_eq!(stores.list("gs://logs/runs").unwrap().len(), 1);
    stores.remove("gs://logs/runs/a.eval").unwrap();
    assert!(stores.list("gs://logs/runs").unwrap().is_empty());
}

#[test]
fn a_key_is_created_by_one_of_many() {
    let Some(store) = Store::moto() else { return };
    store.bucket("claims");
    let stores = clients(&store.url);
    for round in 0..10 {
        let address = format!("s3://claims/{round}");
        let won: usize = thread::scope(|scope| {
            let racers: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| match stores.create(&address, b"mine") {
                        Ok(()) => 1,
                        Err(error) if error.kind() == ErrorKind::AlreadyExists => 0,
                        Err(error) => panic!("{error}"),
                    })
                })
                .collect();
            racers.into_iter().map(|racer| racer.join().unwrap()).sum()
        });
        assert_eq!(won, 1);
    }
}

#[test]
fn what_is_wrong_with_a_store_is_named_and_no_key_is_shown() {
    let Some(store) = Store::rclone() else { return };
    store.bucket("logs");
    let stores = clients(&store.url);
    let told = |result: io::Result<()>| {
        let error = result.unwrap_err();
        assert!(!error.to_string().contains(SECRET), "{error}");
        error.to_string()
    };
    let none = told(stores.list("s3://nowhere/a").map(drop));
    assert_eq!(none, "there is no bucket `nowhere`");
    let none = told(stores.open("s3://nowhere/a.eval").map(drop));
    assert_eq!(none, "there is no bucket `nowhere`");
    let none = told(stores.open("s3://logs/a.eval").map(drop));
    assert_eq!(none, "there is no such object");
    let mut wrong = variables(&store.url);
    wrong[2].1 = format!("not-{SECRET}");
    let wrong = toolgauge_stores::StoreClients::with_variables(wrong);
    let refused = wrong.open("s3://logs/a.eval").unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::PermissionDenied);
    let refused = told(wrong.list("s3://logs").map(drop));
    assert_eq!(refused, "the store refuses the credentials (SignatureDoesNotMatch)");
    let nobody = clients("http://127.0.0.1:9");
    let away = told(nobody.open("s3://logs/a.eval").map(drop));
    assert!(away.starts_with("it cannot be reached: Connection refused"), "{away}");
}

/// One test, because the stores of a process are installed once.
#[test]
fn logs_are_read_with_few_requests_and_by_a_store_that_fails() {
    let Some(store) = Store::moto() else { return };
    store.bucket("logs");
    let (direct, proxy) = (clients(&store.url), Proxy::before(&store));
    install_stores(Box::new(clients(proxy.url())));

    // The directory of 2,500 samples is longer than the end that is read at first.
    let (trials, address) = (2_500, "s3://logs/large.eval");
    upload(&direct, &log(trials, true), address);
    let opened = Log::open(Path::new(address)).unwrap();
    let id = TrialId { case: CaseId::new("case-001250"), trial: 1 };
    assert_eq!(opened.trial(&id).unwrap().id(), id);
    let ((gets, ranged), (heads, _)) = (proxy.count("GET"), proxy.count("HEAD"));
    assert_eq!((gets, heads), (ranged, 1));
    assert!(ranged <= 4, "{ranged} ranged reads");

    // Three lists of summaries stand between the samples, and all of them once more at the end.
    let before = proxy.count("GET").0;
    assert_eq!(opened.summaries().flatten().count(), trials);
    let all = proxy.count("GET").0 - before;
    assert!(all <= 1, "{all} requests for all summaries");

    // Where those at the end are damaged, the others are read.
    let mut damaged = log(trials, true);
    let whole = damaged.windows(14).position(|name| name == b"summaries.json").unwrap();
    damaged[whole + 200] ^= 1;
    upload(&direct, &damaged, "s3://logs/damaged.eval");
    let opened = Log::open(Path::new("s3://logs/damaged.eval")).unwrap();
    let before = proxy.count("GET").0;
    assert_eq!(opened.summaries().flatten().count(), trials);
    let mut ahead = 0;
    opened.summaries().for_each_ahead(|summary| ahead += usize::from(summary.is_ok()));
    assert_eq!(ahead, trials);
    let all = proxy.count("GET").0 - before;
    assert!(all <= 12, "{all} requests for all summaries, twice");

    // Without a directory every member is looked at.
    let content = log(trials, false);
    upload(&direct, &content, "s3://logs/unfinished.eval");
    let before = proxy.count("GET").0;
    let opened = Log::open(Path::new("s3://logs/unfinished.eval")).unwrap();
    assert_eq!((opened.len(), opened.is_finished()), (trials, false));
    let all = proxy.count("GET").0 - before;
    assert!(all <= 8 + (content.len() >> 20), "{all} requests for {} bytes", content.len());

    // A thousand logs: one page of the listing, and one request for each head.
    let small = log(2, true);
    thread::scope(|scope| {
        for part in 0..4 {
            let (direct, small) = (&direct, &small);
            scope.spawn(move || {
                for number in (part * 250)..(part * 250 + 250) {
                    direct.put(&format!("s3://logs/many/{number:04}.eval"), small).unwrap();
                }
            });
        }
    });
    let before = (proxy.count("GET").0, proxy.count("HEAD").0);
    assert_eq!(list(Path::new("s3://logs/many")).unwrap().flatten().count(), 1000);
    assert_eq!(proxy.count("HEAD").0, before.1);
    let asked = proxy.count("GET").0 - before.0;
    assert!(asked <= 1002, "{asked} requests");
    let at_once = proxy.most_at_once.load(Ordering::Relaxed);
    assert!((2..=32).contains(&at_once), "{at_once} at once");

    // A fifth of all requests fails.
    proxy.fails_every.store(5, Ordering::Relaxed);
    let failing = clients(proxy.url());
    let content = bytes(33 << 20);
    upload(&failing, &content, "s3://logs/again.bin");
    assert!(read(&*failing.open("s3://logs/again.bin").unwrap()) == content);
    let opened = Log::open(Path::new(address)).unwrap();
    let (summaries, damage) = opened.sorted_summaries();
    assert_eq!(summaries.len(), trials);
    assert!(damage.is_none(), "{damage:?}");
}
