//! The hash of a suite: equal hashes mean that results can be compared.
//!
//! It covers everything that can change a result (world and the files it names, tools, replies,
//! prompt, solver, scorers, variants, sampling, cases with their tags and groups) and leaves out
//! what cannot: name, description, version, number of trials, and the metadata of cases.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::suite::{Suite, SystemTemplate};

/// The hash of a suite, as hexadecimal digits.
pub(crate) fn hash(suite: &Suite) -> String {
    let mut sink = HashSink(Sha256::new());
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
    }
    let digest = sink.0.finalize();
    digest.iter().fold(String::with_capacity(64), |mut text, byte| {
        write!(text, "{byte:02x}").expect("text takes all that is written to it");
        text
    })
}

fn source(system: Option<&SystemTemplate>) -> Option<&str> {
    system.map(|system| system.source.as_str())
}

struct HashSink(Sha256);

impl HashSink {
    fn value(&mut self, value: &impl Serialize) {
        // Buffered, because the serialiser writes a few bytes at a time.
        let mut writer = io::BufWriter::with_capacity(4096, &mut *self);
        serde_json::to_writer(&mut writer, value).expect("a suite is made of JSON");
        writer.flush().expect("hashing does not fail");
        drop(writer);
        self.0.update(b"\n");
    }

    /// The content of every file that a world's configuration names.
    fn files_named_in(&mut self, suite: &Suite, config: &Map<String, Value>) {
        let mut values: Vec<&Value> = config.values().collect();
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
                self.value(&json!({"file": file, "bytes": bytes.len()}));
                self.0.update(&bytes);
            }
        }
    }
}

impl Write for HashSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
