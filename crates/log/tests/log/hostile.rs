//! Files made to harm: they are refused or read in part, and never cost more than they should.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use toolgauge_log::{Log, LogError, LogWriter};

/// A zip file put together by hand, so that it can lie.
#[derive(Default)]
struct Forgery {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    count: u16,
}

impl Forgery {
    fn member(&mut self, name: &str, method: u16, packed: &[u8], (crc, claimed): (u32, u32)) {
        let offset = u32::try_from(self.bytes.len()).unwrap();
        let mut fields = Vec::new();
        for field in [20, 1 << 11, method, 0, 0x21_u16] {
            fields.extend_from_slice(&field.to_le_bytes());
        }
        for field in [crc, u32::try_from(packed.len()).unwrap(), claimed] {
            fields.extend_from_slice(&field.to_le_bytes());
        }
        fields.extend_from_slice(&u16::try_from(name.len()).unwrap().to_le_bytes());
        fields.extend_from_slice(&[0, 0]);
        self.bytes.extend_from_slice(b"PK\x03\x04");
        self.bytes.extend_from_slice(&fields);
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.extend_from_slice(packed);
        self.directory.extend_from_slice(b"PK\x01\x02\x14\x00");
        self.directory.extend_from_slice(&fields);
        self.directory.extend_from_slice(&[0; 10]);
        self.directory.extend_from_slice(&offset.to_le_bytes());
        self.directory.extend_from_slice(name.as_bytes());
        self.count += 1;
    }

    fn stored(&mut self, name: &str, text: &str) {
        let size = u32::try_from(text.len()).unwrap();
        self.member(name, 0, text.as_bytes(), (crc32fast::hash(text.as_bytes()), size));
    }

    fn save(mut self, path: &Path, count: u16) {
        let start = u32::try_from(self.bytes.len()).unwrap();
        let size = u32::try_from(self.directory.len()).unwrap();
        self.bytes.append(&mut self.directory);
        self.bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend_from_slice(&count.to_le_bytes());
        self.bytes.extend_from_slice(&count.to_le_bytes());
        self.bytes.extend_from_slice(&size.to_le_bytes());
        self.bytes.extend_from_slice(&start.to_le_bytes());
        self.bytes.extend_from_slice(&[0, 0]);
        fs::write(path, &self.bytes).unwrap();
    }
}

const HEADER: &str = r#"{"version":2,"status":"success","eval":{"run_id":"r","created":
    "2026-11-15T01:00:00+00:00","task":"t","dataset":{"sample_ids":["a",7]},"model":"m/x",
    "config":{"epochs":1},"scorers":[{"name":"match"}]},"results":{"scores":[{"name":"match",
    "scorer":"match","metrics":{"mean":{"name":"mean","value":NaN},
    "stderr":{"name":"stderr","value":0.5}}}]}}"#;

const SAMPLE: &str = r#"{"id":7,"epoch":1,"input":"on","target":"x","messages":[
    {"role":"system","content":"s"},{"role":"user","content":"on"},
    {"role":"assistant","content":[{"type":"reasoning","reasoning":"hm"},
        {"type":"text","text":"attachment://h"}],
     "tool_calls":[{"id":"1","function":"f","arguments":{"x":-Infinity}},
        {"id":"2","function":"g","arguments":{},"parse_error":"bad"}]}],
    "scores":{"match":{"value":"C"},"nan":{"value":NaN},"parts":{"value":{"a":1,"b":null}}},
    "metadata":{"tier":"small","n":3,"deep":{"x":1}},"attachments":{"h":"hello"},
    "started_at":"2026-11-15T01:00:00+00:00","total_time":1.5,
    "events":[{"event":"state","changes":[]},{"event":"from the future","output":5},
        {"event":"model","model":"m","output":{"model":"m","choices":[{"message":
        {"role":"assistant","content":""},"stop_reason":"length"}],
        "usage":{"input_tokens":5,"output_tokens":2}},
        "call":{"request":{"model":"m"},"call_refs":[[0,1]],"call_key":"messages","time":0.25}}],
    "events_data":{"messages":[],"calls":[{"role":"user","content":"attachment://h"}]}}"#;

/// The same, packed by the reference program.
const SAMPLE_BY_ZSTD: &[u8] = include_bytes!("../fixtures/foreign-sample.json.zst");

#[test]
fn a_log_of_inspect_with_pythons_numbers_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("foreign.eval");
    let mut forgery = Forgery::default();
    forgery.stored("header.json", HEADER);
    let size = u32::try_from(SAMPLE.len()).unwrap();
    let crc = crc32fast::hash(SAMPLE.as_bytes());
    forgery.member("samples/7_epoch_1.json", 93, SAMPLE_BY_ZSTD, (crc, size));
    forgery.save(&path, 2);
    let log = Log::open(&path).unwrap();
    assert!(!log.is_own() && log.is_finished());
    assert_eq!(log.run().cases.len(), 2);
    assert_eq!(log.figures().len(), 1);
    let trial = log.trials().next().unwrap().unwrap();
    assert_eq!(trial.case.id.as_str(), "7");
    assert_eq!(trial.case.input.len(), 2);
    assert_eq!(trial.case.tags["n"], "3");
    assert_eq!(trial.transcript.final_text(), "hello");
    let calls: Vec<_> = trial.transcript.calls().collect();
    assert_eq!(calls[0].arguments.as_object().unwrap()["x"], "\u{10FFFF}-Infinity");
    assert!(calls[1].arguments.as_object().is_none());
    let values: Vec<_> =
        trial.outcomes.iter().map(|(name, outcome)| (name.as_str(), outcome.value())).collect();
    let want = [("match", Some(1.0)), ("nan", None), ("parts.a", Some(1.0)), ("parts.b", None)];
    assert_eq!(values, want);
    let turn = &trial.transcript.turns[0];
    assert_eq!(turn.stop, toolgauge_core::StopReason::MaxTokens);
    assert_eq!(turn.usage.input, Some(5));
    assert_eq!(turn.request.as_ref().unwrap()["messages"][0]["content"], "hello");
    assert_eq!(log.summaries().next().unwrap().unwrap().outcomes.len(), 4);
}

#[test]
fn a_bomb_is_refused_before_it_goes_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.eval");
    let zeros = vec![b' '; 8 << 20];
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&zeros).unwrap();
    let packed = encoder.finish().unwrap();
    for claimed in [u32::MAX - 1, 1 << 31, 100] {
        let mut forgery = Forgery::default();
        forgery.stored("header.json", HEADER);
        forgery.member("samples/a_epoch_1.json", 8, &packed, (crc32fast::hash(&zeros), claimed));
        forgery.member("samples/b_epoch_1.json", 93, &[0; 9], (0, 5));
        forgery.member("samples/c_epoch_1.json", 77, b"x", (0, 1));
        forgery.save(&path, 4);
        let log = Log::open(&path).unwrap();
        for trial in log.trials() {
            let error = trial.unwrap_err();
            assert!(matches!(error, LogError::Damaged { .. } | LogError::Io { .. }), "{error}");
        }
    }
}

#[test]
fn names_that_lead_elsewhere_and_counts_that_lie_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("names.eval");
    let mut forgery = Forgery::default();
    forgery.stored("header.json", HEADER);
    forgery.stored("../../x", "out");
    forgery.stored("/etc/x", "out");
    forgery.stored("samples/7_epoch_1.json", "{}");
    forgery.stored("samples/7_epoch_1.json", SAMPLE);
    forgery.save(&path, 60_000);
    let log = Log::open(&path).unwrap();
    assert_eq!(log.len(), 1);
    assert_eq!(log.trials().next().unwrap().unwrap().case.id.as_str(), "7");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn nonsense_in_place_of_a_sample_is_an_error_and_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nonsense.eval");
    let deep = "[".repeat(100_000);
    let odd = [
        "",
        "null",
        "[]",
        "{",
        "{}",
        "7",
        "\u{0}",
        deep.as_str(),
        r#"{"id":"a","epoch":-1,"input":"x"}"#,
        r#"{"id":"a","epoch":1,"input":"x","metadata":{"toolgauge":{"started":"never"}}}"#,
        r#"{"id":"a","epoch":1,"input":"x","scores":{"a":{"value":[[1]]}},"messages":[1]}"#,
    ];
    for text in odd {
        let mut forgery = Forgery::default();
        forgery.stored("header.json", HEADER);
        forgery.stored("samples/a_epoch_1.json", text);
        forgery.stored("summaries.json", text);
        forgery.save(&path, 3);
        let log = Log::open(&path).unwrap();
        assert!(log.trials().next().unwrap().is_err(), "{text:.40}");
        assert!(log.summaries().next().unwrap().is_err(), "{text:.40}");
    }
}

#[test]
fn a_suite_of_any_name_gives_a_log_that_can_be_made() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = crate::trials::run(&[], 1);
    run.suite.name = "é/".repeat(5_000);
    let path = folder.path().join(toolgauge_log::file_name(&run));
    assert_eq!(path.parent(), Some(folder.path()));
    drop(LogWriter::create(&path, &run).unwrap());
    assert_eq!(Log::open(&path).unwrap().run().suite.name, run.suite.name);
}
