//! The hash of a suite: equal hashes mean that results can be compared.
//!
//! It covers everything that can change a result (world and the files it names, tools, replies,
//! prompt, solver, scorers, variants, sampling, cases with their tags and groups) and leaves out
//! what cannot: name, description, version, number of trials, and the metadata of cases apart
//! from what a world reads of it.

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};

use serde::Serialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use toolgauge_core::Case;

use crate::suite::{Suite, SystemTemplate};

/// The hash of a suite, as hexadecimal digits.
pub(crate) fn hash(suite: &Suite) -> String {
    let mut sink = HashSink(BufWriter::with_capacity(1 << 14, Digester(Sha256::new())));
    sink.value(&suite.world);
    for variant in suite.variants.values() {
        sink.files_named_in(suite, &variant.world);
    }
    sink.files_named_in(suite, &suite.world.config);
    sink.value(&suite.tools);
    sink.value(&suite.replies);
    sink.value(&source(suite.system.as_ref()));
    sink.value(&suite.variables);
    sink.value(&suite.solver);
    sink.value(&suite.scorers);
    sink.value(&suite.sampling);
    for (name, variant) in &suite.variants {
        sink.value(&json!({
            "name": name,
            "system": source(variant.system.as_ref()),
            "variables": variant.variables,
            "tools": variant.tools,
            "sampling": variant.sampling,
            "world": variant.world,
        }));
    }
    for case in &suite.cases {
        let input = (&case.id, &case.input, &case.expectation, &case.tags, &case.group);
        sink.value(&input);
        if let Some(tools) = &case.tools {
            sink.value(tools);
        }
        for key in Case::SETTING {
            if let Some(value) = case.metadata.get(key) {
                sink.value(&(key, value));
            }
        }
    }
    let Ok(Digester(sha256)) = sink.0.into_inner() else { unreachable!("hashing does not fail") };
    let digest = sha256.finalize();
    digest.iter().fold(String::with_capacity(64), |mut text, byte| {
        write!(text, "{byte:02x}").expect("text takes all that is written to it");
        text
    })
}

fn source(system: Option<&SystemTemplate>) -> Option<&str> {
    system.map(|system| system.source.as_str())
}

/// Buffered, because the serialiser writes a few bytes at a time.
struct HashSink(BufWriter<Digester>);

impl HashSink {
    fn value(&mut self, value: &impl Serialize) {
        serde_json::to_writer(&mut self.0, value).expect("a suite is made of JSON");
        self.bytes(b"\n");
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.0.write_all(bytes).expect("hashing does not fail");
    }

    /// The content of every file that a world's configuration names.
    fn files_named_in(&mut self, suite: &Suite, config: &Map<String, Value>) {
        let mut values: Vec<&Value> = suite.world.naming(config).collect();
        while let Some(value) = values.pop() {
            match value {
                Value::String(text) => self.files_at(suite, text),
                Value::Array(items) => values.extend(items),
                Value::Object(object) => values.extend(object.values()),
                _ => {}
            }
        }
    }

    fn files_at(&mut self, suite: &Suite, path: &str) {
        if path.is_empty() || path.contains('\0') {
            return;
        }
        for file in suite.files_under(path) {
            if let Ok(bytes) = suite.read(&file) {
                // With its length, so that bytes cannot move from one file to the next unnoticed.
                self.value(&json!({"file": file, "bytes": bytes.len()}));
                self.bytes(&bytes);
            }
        }
    }
}

struct Digester(Sha256);

impl Write for Digester {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
