//! Runs against a llama.cpp server read each prompt as seldom as its slots allow.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tokio::runtime::Runtime;
use toolgauge_testkit::{LlamaCache, Received, Response, Server, llama, long_or};

use super::{run, text};

/// A llama.cpp server with this cache, for as long as the runtime is kept.
fn serve(cache: &LlamaCache) -> (Server, Runtime) {
    let cache = cache.clone();
    serve_as(move |request| cache.respond(request))
}

fn serve_as(plan: impl Fn(&Received) -> Response + Send + Sync + 'static) -> (Server, Runtime) {
    let runtime = Runtime::new().unwrap();
    let server = runtime.block_on(Server::start(plan));
    (server, runtime)
}

/// Runs a part of the home in three sizes; gives the summaries.
fn run_home(server: &Server, more: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let base_url = format!("{}/v1", server.url());
    let tiers = ["--tier", "small,medium,large", "--sample", "24"];
    let subject = ["run", "home-assistant", "-m", llama::MODEL, "--base-url", &base_url];
    let output = run(folder.path(), &[&subject[..], &tiers, &["--format", "json"], more].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[track_caller]
fn assert_read_seldom(cache: &LlamaCache) {
    let (anew, least) = (cache.anew(), cache.least());
    assert!(anew * 10 <= least * 12, "{anew} tokens were read, {least} would do");
}

const VARIANTS: [&str; 2] = ["--variant", "no-think,shuffled"];

#[test]
fn two_variants_in_three_sizes_are_read_hardly_more_than_once() {
    let cache = LlamaCache::new(1);
    let (server, _runtime) = serve(&cache);
    let runs = run_home(&server, &VARIANTS);
    assert_read_seldom(&cache);
    for run in runs.as_array().unwrap() {
        let reads = &run["summary"]["prompt_reads"];
        assert_eq!(reads["anew"], cache.anew(), "what is printed is what the server counts");
        let least = reads["least"].as_f64().unwrap();
        #[expect(clippy::cast_precision_loss, reason = "a few thousand tokens")]
        let counted = cache.anew() as f64;
        assert!(counted <= 1.05 * least && least <= 1.01 * counted, "{counted} and {least}");
    }
}

#[test]
fn the_summary_says_what_was_read_anew() {
    let cache = LlamaCache::new(1);
    let (server, _runtime) = serve(&cache);
    let folder = tempfile::tempdir().unwrap();
    let base_url = format!("{}/v1", server.url());
    let subject = ["run", "home-assistant", "-m", llama::MODEL, "--base-url", &base_url];
    let output = run(
        folder.path(),
        &[&subject[..], &["--tier", "small", "--limit", "3", "--full"]].concat(),
    );
    let told = text(&output.stdout);
    let line = format!("prompt     {} tokens read anew; the least possible is ", cache.anew());
    assert!(told.contains(&line), "{told}");
    assert!(told.contains("right within 3 s"), "{told}");
}

#[test]
fn with_several_slots_a_prompt_is_read_once_in_each() {
    let cache = LlamaCache::new(4);
    let (server, _runtime) = serve(&cache);
    run_home(&server, &[&VARIANTS[..], &["-c", "2"]].concat());
    let slots: std::collections::BTreeSet<usize> =
        cache.reads().iter().map(|read| read.slot).collect();
    // Two variants at two at once: each variant has two slots of its own.
    assert!(cache.anew() <= slots.len() * cache.least(), "{} {}", cache.anew(), cache.least());
    let asked: Vec<Value> = server.received().iter().map(Received::json).collect();
    let asked: Vec<&Value> = asked.iter().filter(|body| body.get("messages").is_some()).collect();
    assert!(asked.iter().all(|body| body["cache_prompt"] == true && body["id_slot"].is_u64()));
}

#[test]
fn no_trial_pays_for_a_cold_prompt() {
    let cache = LlamaCache::new(1);
    let (server, _runtime) = serve(&cache);
    run_home(&server, &VARIANTS);
    let cold = cache.reads().into_iter().filter(|read| !read.in_advance && !is_warm(*read));
    assert_eq!(cold.count(), 0);
}

fn is_warm(read: toolgauge_testkit::PromptRead) -> bool {
    read.cached * 10 >= read.tokens * 9
}

#[test]
fn a_server_that_restarts_amid_a_run_costs_no_trial_and_no_time() {
    let cache = LlamaCache::new(1);
    let (kept, posts) = (cache.clone(), AtomicUsize::new(0));
    let (server, _runtime) = serve_as(move |request| {
        let number = match &*request.method {
            "POST" => posts.fetch_add(1, Ordering::Relaxed),
            _ => usize::MAX,
        };
        // While it loads its model again, it says so.
        if (20..long_or(24, 22)).contains(&number) {
            kept.restart();
            let error =
                json!({"message": "Loading model", "type": "unavailable_error", "code": 503});
            return Response::json(503, &json!({"error": error}));
        }
        kept.respond(request)
    });
    let runs = run_home(&server, &["--retries", "0", "--patience", "60"]);
    let summary = &runs[0]["summary"];
    assert_eq!(summary["trials"], summary["planned"]);
    assert_eq!(summary["unscored"], json!({}));
    let reads = cache.reads();
    let cold: Vec<_> = reads.iter().filter(|read| !read.in_advance && !is_warm(**read)).collect();
    assert!(cold.is_empty(), "the prompt is read again before latency counts: {cold:?}");
    let in_advance = reads.iter().filter(|read| read.in_advance && !is_warm(**read)).count();
    assert!(in_advance >= 4, "three prompts, and one of them again: {in_advance}");
}

#[test]
fn a_server_that_is_loading_is_waited_for_before_the_run() {
    let cache = LlamaCache::new(1);
    let (kept, asked) = (cache.clone(), AtomicUsize::new(0));
    let (server, _runtime) = serve_as(move |request| {
        if asked.fetch_add(1, Ordering::Relaxed) < 2 {
            let error =
                json!({"message": "Loading model", "type": "unavailable_error", "code": 503});
            return Response::json(503, &json!({"error": error}));
        }
        kept.respond(request)
    });
    let runs = run_home(&server, &["--limit", "2", "--patience", "60"]);
    assert_eq!(runs[0]["summary"]["trials"], 2);
}
