//! What the end state is made of.

mod files;
mod git;
mod http;
mod sqlite;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value};

use super::ground::Ground;
use crate::bench::{Answer, Fault};
use crate::snapshot::{Snapshot, Thing, canonical};

/// Things of one kind.
type Things = BTreeMap<String, Thing>;

/// How a probe calls a tool: its server, its name and its arguments.
type CallTool<'c> = dyn FnMut(&str, &str, &Map<String, Value>) -> Result<Answer, Fault> + 'c;

/// Everything that the suite looks at, as it is now.
pub(super) fn look(
    ground: &Ground,
    folder: &Path,
    call_tool: &mut CallTool<'_>,
) -> Result<Snapshot, Fault> {
    let probes = &ground.probes;
    let place = folder.to_string_lossy().into_owned();
    let wrong = |what: &str, why: String| Fault(format!("cannot look at `{what}`: {why}"));
    let mut snapshot = Snapshot::new();
    let mut add = |kind: &str, things: Things| {
        snapshot.entry(kind.to_owned()).or_default().extend(things);
    };
    let apart: Vec<&String> = probes.lines.0.iter().chain(&probes.sqlite.0).collect();
    for path in &probes.files.0 {
        let seen = |text: &str| ground.to_seen(text, &place);
        let options = files::FileProbe { folder, apart: &apart, exact: probes.exact };
        add("files", options.things(path, &seen).map_err(|why| wrong(path, why))?);
    }
    for path in &probes.lines.0 {
        let text = files::read_lines(folder, path).map_err(|why| wrong(path, why))?;
        let text = ground.to_seen(&text, &place);
        add("lines", Things::from([(path.clone(), lines(&text))]));
    }
    for path in &probes.sqlite.0 {
        add("sqlite", sqlite::things(folder, path).map_err(|why| wrong(path, why))?);
    }
    for path in &probes.git.0 {
        add("git", git::things(folder, path).map_err(|why| wrong(path, why))?);
    }
    for url in &probes.http.0 {
        let body = http::get(ground, url).map_err(|why| wrong(url, why))?;
        add("http", Things::from([(url.clone(), Thing::with("answer", value(&body)))]));
    }
    let mut answers = Things::new();
    for call in &probes.calls {
        let (server, tool) = call.tool.split_once("__").ok_or_else(|| {
            Fault(format!("`{}` under `calls` is not written as `server__tool`", call.tool))
        })?;
        let answer = call_tool(server, tool, &call.arguments)?;
        answers.insert(call.tool.clone(), Thing::with("reply", value(&answer.content)));
    }
    if !answers.is_empty() {
        snapshot.insert("calls".to_owned(), answers);
    }
    Ok(snapshot)
}

/// A text as JSON, where it is some.
fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

/// Lines whose order does not count, in an order of their own.
fn lines(text: &str) -> Thing {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let mut lines: Vec<Value> = lines.map(value).collect();
    lines.sort_by_cached_key(canonical);
    Thing::List(lines)
}
