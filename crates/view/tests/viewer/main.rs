//! The viewer as a browser meets it: over real sockets, and in a real browser where there is one.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod browser;
mod case_tools;
mod chatbot;
mod http;
mod in_browser;
mod judged_calls;
mod logs;
#[cfg(unix)]
mod proxy;
mod report_in_browser;
mod run_pages;
mod security;
mod server;
mod several_runs;
mod shards;
mod shown;
mod stopping;
mod team;
