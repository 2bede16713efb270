//! Inputs to begin with: small real files of the repository, and a line of everything that has no
//! file there.

mod results;

use std::fs;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use toolgauge_core::{Run, Trial};
use toolgauge_log::{LogWriter, RunStatus};
use zip::ZipArchive;

use crate::Target;

/// The seeds of a target, none longer than its inputs may be.
pub fn of(target: &Target) -> Vec<Vec<u8>> {
    let mut seeds = match target.name {
        "openai" | "anthropic" => with_prefix(&[0, 1, 2, 200], &answers()),
        "events" => with_prefix(&[3, 40], &answers()),
        "loose_json" | "server_facts" | "serve_request" | "python_json" => answers(),
        "chatbot_answer" => bytes(&[
            r#"{"answer":"It is 1,200 $.","tools_used":[{"name":"query","arguments":"{}","result":{"n":1},"seconds":0.2},"list"],"sources":["a.md",{"id":"b.md"}],"error":null}"#,
            r#"{"answer":[{"text":"hi"},{"content":null}],"error":{"message":"no"}}"#,
        ]),
        "text_calls" => bytes(TEXT_CALLS),
        "redactor" => bytes(&["bad key sk-Zq8/tools\\\"0123 given", "Bearer c2stWnE4L3Rvb2xzIjAxMjM=", "sk-Zq8%2Ftools%220123", "&#115;k-Zq8/to"]),
        "script" => bytes(&["{\"id\":\"a\",\"text\":\"hi\"}\n{\"request\":\"go\",\"calls\":[{\"name\":\"f\",\"arguments\":{\"a\":1}}]}\n", "[{\"id\":\"a\",\"trial\":2,\"turns\":[{\"fail\":\"timeout\",\"message\":\"x\"},{\"response\":{\"choices\":[]}}]}]"]),
        "judge" => bytes(&["\0I think {\"score\": 70, \"reasoning\": \"x\"}", "truth 3: it is so\nform 1\n\0{\"criteria\":{\"truth\":\"90/100\",\"form\":50}} ```json {\"better\": \"first\"}```"]),
        "recording" => bytes(&["{\"servers\":{\"s\":{\"tools\":[{\"name\":\"read\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"a\":{\"enum\":[]}}},\"annotations\":{\"readOnlyHint\":true}}]}}}\0{\"state\":\"x\",\"setup\":\"d\",\"made_of\":\"1\",\"end\":{\"files\":{}}}\n\0{\"in\":\"x\",\"tool\":\"s__read\",\"arguments\":{\"a\":1},\"reply\":\"one\",\"to\":\"y\"}\n{\"in\":"]),
        "suite" => files("crates/suite/tests/bad", &["yaml"]).into_iter().chain(files("crates/suite/template", &["yaml"])).chain(files("suites", &["yaml"])).collect(),
        "case_files" => [("csv", 0), ("ndjson", 1), ("jsonl", 1), ("json", 2), ("yaml", 3)].into_iter().flat_map(|(ending, kind)| {
            let found = files("suites", &[ending]).into_iter().chain(files("crates/suite", &[ending]));
            with_prefix(&[kind], &found.collect::<Vec<_>>())
        }).chain(with_prefix(&[1, 2, 3], &bytes(&[GOLDEN]))).collect(),
        "template" => files("suites", &["j2"]).into_iter().chain(bytes(&["{% for r in rooms %}{{ loop.index }}{{ r | upper }}{% endfor %}{{ today }}{{ tools | tojson }}", "{{ case.say ~ n * 3 }}{% set ns = namespace(x=1) %}{% macro m(a) %}{{ a }}{% endmacro %}{{ m(n) }}"])).collect(),
        "tool_schema" => bytes(&["{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\",\"minimum\":1,\"enum\":[1,2]},\"b\":{\"anyOf\":[{\"type\":\"string\",\"pattern\":\"^x\"},{\"$ref\":\"#/properties/a\"}]}},\"required\":[\"a\"]}\0{\"a\":{\"$any_of\":[1,{\"$number\":2,\"tolerance\":1}]},\"b\":{\"$regex\":\"x+\",\"not\":\"y\"}}"]),
        "matrix" => files("docs", &["example.yaml"]),
        "chatbot_file" => files("docs", &["yaml"]).into_iter().chain(bytes(&["name: bot\nurl: http://localhost:1/ask\nheaders: {Authorization: \"Bearer $KEY\"}\nbody: {q: \"{{ question }}\"}\nanswer: {text: /answer, tools: /tools}\n", "command: [python3, bot.py, --key, x]\ninput: json\n"])).collect(),
        "inspect_json" => bytes(&[results::INSPECT_JSON]),
        "inventory" => files("suites/home-assistant/home", &["yaml"]).iter().filter_map(|file| first_lines(file, 900)).chain(bytes(&[INVENTORY])).collect(),
        "home_calls" => with_prefix(&[0, 1, 2], &bytes(HOME_CALLS)),
        "home_messages" => bytes(&[results::HOME_MESSAGES]),
        "home_prompt" => bytes(&["Static Context: An overview of the areas and the devices in this smart home:\n- names: Corner lamp, lamp\n  domain: light\n  areas: Living Room\n- names: Front door\n  domain: lock\n"]),
        "home_storage" => bytes(&["{\"version\":1,\"minor_version\":15,\"key\":\"core.entity_registry\",\"data\":{\"entities\":[{\"entity_id\":\"light.a\",\"name\":null,\"original_name\":\"A\",\"area_id\":\"k\",\"aliases\":[\"b\"],\"device_id\":\"d\",\"options\":{\"conversation\":{\"should_expose\":true}}}]}}\0{\"version\":1,\"minor_version\":8,\"data\":{\"areas\":[{\"id\":\"k\",\"name\":\"Kitchen\",\"aliases\":[]}]}}\0{\"version\":1,\"minor_version\":9,\"data\":{\"devices\":[{\"id\":\"d\",\"name\":\"D\",\"area_id\":\"k\"}]}}"]),
        "home_tools" => bytes(&["[{\"type\":\"function\",\"function\":{\"name\":\"HassTurnOn\",\"description\":\"x\",\"parameters\":{\"type\":\"object\",\"properties\":{}}}}]\0{\"name\":\"Corner lamp\"}"]),
        "pdf" => files("suites", &["pdf"]),
        "html" => files("suites", &["html"]).into_iter().chain(bytes(&["<title>A</title><h1>B</h1><table><tr><td>1</td></tr></table><script>x</script><p>&amp;&#x41;<pre>a\n b"])).collect(),
        "browser_page" => TEXT_CALLS.iter().chain(&["# A\n- **b** `c<d`\n\n|a|b|\n|-|-|\n|1|2|\n[x](javascript:1) ![y](http://z/y) <img src=x onerror=y>", "{\"a\":[1,{\"<b>\":\"a long text of more than sixty characters, so that it is unfolded\"}]}"]).map(|text| text.as_bytes().to_vec()).collect(),
        "browser_request" => bytes(&["q=a+b&verdict=not_pass&cause=wrong_value&tag=tier=a%3Db&tag:x=1&sort=latency&reversed=1&column=tokens&column=tag:a", "localhost:7878\0/evals/run/a%2F..%2Fb.eval\0evals\0a=b; toolgauge-7878=00", "[::1]:7878\0//other/\0/a/b/\0", "lab.local\0/\t/other\0\0toolgauge-7878="]),
        "feedback_lines" => bytes(&["{\"run\":\"r\",\"suite\":\"s\",\"case\":\"a\",\"trial\":2,\"thumb\":\"down\",\"comment\":\"x\",\"correction\":\"y\",\"at\":\"2026-01-01T00:00:00Z\"}\r\n\n{\"question\":\"what?\"}"]),
        "labelled" => files("crates/score/tests/replies", &["jsonl"]).iter().filter_map(|file| first_lines(file, 500)).collect(),
        "markdown" => files("docs", &["md"]).iter().chain(&files("suites", &["md", "txt"])).filter_map(|file| first_lines(file, 500)).collect(),
        "csv_document" => files("suites", &["csv"]).iter().filter_map(|file| first_lines(file, 500)).collect(),
        "database" | "feedback" => databases(),
        "sql" => bytes(&["SELECT name, sum(amount) FROM t GROUP BY name ORDER BY 2 DESC LIMIT 3", "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x<5) SELECT * FROM c, t", "PRAGMA table_info(t)", "ATTACH 'x' AS y; DELETE FROM t"]),
        "sql_script" => bytes(&["CREATE TABLE t (a INTEGER, b TEXT);\nINSERT INTO t VALUES (1, 'x;y'); -- c\nCREATE VIEW v AS SELECT * FROM t;", "BEGIN; CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END; COMMIT;"]),
        "log" => logs(),
        "log_members" => logs().iter().flat_map(|log| members(log)).collect(),
        "transcripts" => bytes(TRANSCRIPTS),
        "tau" => bytes(&[TAU]),
        "bfcl" => with_prefix(&[0, 1, 2, 3, 5, 6, 7, 8], &bytes(results::BFCL)),
        "ha_datasets" => bytes(results::HA_DATASETS),
        "result_file" => results::RECORDS.iter().copied().chain([(2, results::TAU2), (3, TAU)]).flat_map(|(kind, file)| with_prefix(&[0, kind], &bytes(&[file]))).collect(),
        "partial" => bytes(&["[{\"name\":\"f\",\"arguments\":{\"a\":1,\"b\":{\"$any_of\":[1,\"x\"]}}}]\0[{\"name\":\"f\",\"arguments\":{\"a\":2.0}},{\"name\":\"g\",\"arguments\":\"{\"}]"]),
        "reply" => replies(),
        "answer_scores" => bytes(&["{\"rent\": 1200, \"due\": \"2026-03-05\"}\0The rent is $1,200.00, due on March 5th.", "[leases/maple.md] 12%\0About twelve hundred dollars; see leases/maple.md."]),
        "keywords" => bytes(&["1,200\0about twelve hundred", "2026-03-05\0on the fifth of March 2026", "12%\0twelve percent", "$1.2 million\x001200000 USD", "half past six\x0018:30"]),
        "written" => bytes(&["Traceback (most recent call last):\n  File", "https://u:p@host/p?key=1#f", "Error 500: internal", "sk-abcdef0123456789", "\u{1b}[2J\u{202e}"]),
        "settings" => files("crates/engine/src", &["toml"]).into_iter().chain(bytes(&["[run]\ntrials = 3\nmodel = [\"baseline\"]\n[server]\nbase_url = \"http://u:p@h:1/v1?key=x\"\n[price.m]\ninput = 1.0\noutput = 2.0\n[grades]\n"])).collect(),
        "gate" => bytes(&["score[tier=small]>=0.7", "no-regression of arguments within 0.02", "p95<=2s", "broken<=0", "normal 200ms 50ms", "http://u:p@localhost:8080/v1?key=1", "0.8"]),
        "fault_plan" => bytes(&["seed = 3\n[[fault]]\nkind = \"reset\"\nshare = 0.1\n", "error 429 0.1, cut 0.2", "{\"faults\": []}"]),
        "promotion" => with_prefix(&[0, 1], &bytes(&["{\"calls\":[]}\0- id: a\n  say: x\n", "It is 1,200 $.\0{\"id\":\"a\",\"say\":\"x\"}\n", "no\0"])),
        _ => Vec::new(),
    };
    seeds.retain(|seed| seed.len() <= target.longest);
    seeds.sort();
    seeds.dedup();
    seeds
}

const GOLDEN: &str = "[{\"question\":\"What is the rent?\",\"expected_tools\":[\"query\"],\"expected_keywords\":[\"1200\"],\"category\":\"money\",\"context\":[\"hi\",\"hello\"]}]";

const TEXT_CALLS: &[&str] = &[
    "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": 1}}</tool_call>",
    "<function=f><parameter=a>1</parameter></function>",
    "[TOOL_CALLS][{\"name\":\"f\",\"arguments\":{}}]",
    "[TOOL_CALLS]f[ARGS]{\"a\": 1}",
    "<|python_tag|>f(a=1, b='x')",
    "```json\n{\"name\": \"turn_on\", \"parameters\": {}}\n```",
    "[f(a=[1, {'k': None}]), turn_on(b=True)]",
    "<tool_call>f<arg_key>a</arg_key><arg_value>1</arg_value></tool_call>",
    "<｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{}\n```",
    "<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{\"a\":1}<|tool_call_end|>",
];

const INVENTORY: &str = "clock: \"2026-11-19T18:42:00+01:00\"\ntimezone: CET\nfloors: [{id: g, name: Ground}]\nareas: [{id: k, name: Kitchen, floor: g}]\nsatellites: {s: {area: Kitchen, timers: true}}\nentities:\n  - {entity_id: light.a, name: A, area: k, state: \"on\", attributes: {brightness: 3, supported_color_modes: [hs]}}\n  - {entity_id: climate.c, name: C, state: heat, attributes: {temperature: 20, min_temp: 7}}\nscripts: {greet: {name: Greet, fields: {who: {selector: {text: null}}}}}\nlists: {shopping: {name: Shopping, items: [milk]}}\ncalendars: {home: {name: Home, events: [{summary: X, start: 2026-11-20, end: 2026-11-21}]}}\n";

const HOME_CALLS: &[&str] = &[
    "HassTurnOn {\"name\":\"Corner lamp\",\"area\":\"Living Room\"}\nHassTurnOff {\"domain\":[\"light\"],\"floor\":\"upstairs\"}",
    "HassLightSet {\"name\":\"Corner lamp\",\"brightness\":40,\"color\":\"red\",\"temperature\":2700}\nGetLiveContext {}",
    "HassClimateSetTemperature {\"temperature\":21.5,\"area\":\"Bedroom\"}\nHassSetPosition {\"name\":\"Left blind\",\"position\":30}",
    "HassStartTimer {\"name\":\"eggs\",\"hours\":1,\"minutes\":5,\"seconds\":30}\nHassIncreaseTimer {\"name\":\"eggs\",\"minutes\":3}\nHassTimerStatus {}",
    "HassSetVolume {\"name\":\"TV\",\"volume_level\":30}\nHassMediaPause {}\nHassSetVolumeRelative {\"volume_step\":\"up\"}",
    "HassListAddItem {\"name\":\"Shopping\",\"item\":\"milk\"}\nHassFanSetSpeed {\"percentage\":50}\nGetDateTime {}\nHassGetState {\"name\":\"Front door\"}",
    "HassVacuumStart {\"name\":\"Dusty\"}\nHassBroadcast {\"message\":\"dinner\"}\nHassCancelAllTimers {}\nnope {",
];

const TRANSCRIPTS: &[&str] = &[
    "{\"id\":\"a\",\"trial\":1,\"messages\":[{\"role\":\"user\",\"content\":\"turn on the light\"},{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"1\",\"function\":{\"name\":\"on\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"1\",\"content\":\"ok\"}],\"seconds\":0.8,\"usage\":{\"prompt_tokens\":3}}",
    "\n{\"id\":\"a\",\"messages\":[],\"error\":{\"kind\":\"timeout\",\"message\":\"30 s\"}}\n{\"id\":1}",
];

const TAU: &str = "[{\"task_id\": 0, \"reward\": 1.0, \"info\": {\"task\": {\"user_id\": \"u\", \"actions\": [{\"name\": \"f\", \"kwargs\": {\"a\": 1}}], \"outputs\": []}, \"source\": \"x\"}, \"traj\": [{\"role\": \"assistant\", \"content\": null, \"tool_calls\": [{\"id\": \"1\", \"type\": \"function\", \"function\": {\"name\": \"f\", \"arguments\": \"{\\\"a\\\": NaN}\"}}]}], \"trial\": 0}]";

/// Answers of both wire formats, whole and streamed, and what servers say of themselves.
fn answers() -> Vec<Vec<u8>> {
    bytes(&[
        r#"{"model":"m","choices":[{"index":0,"finish_reason":"tool_calls","message":{"content":null,"reasoning_content":"x","tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"a\": 1}"}}]}}],"usage":{"prompt_tokens":3,"completion_tokens":4},"timings":{"prompt_n":1,"predicted_per_second":2.5}}"#,
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"Hi\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":\"}}]}}]}\n\ndata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"1}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
        r#"{"id":"m","type":"message","role":"assistant","model":"c","content":[{"type":"thinking","thinking":"x","signature":"s"},{"type":"text","text":"Hi"},{"type":"tool_use","id":"1","name":"f","input":{"a":1}}],"stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":4}}"#,
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"model\":\"c\",\"usage\":{\"input_tokens\":3}}}\n\nevent: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"f\",\"input\":{}}}\n\nevent: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"a\\\":1}\"}}\n\nevent: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\nevent: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":9}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
        r#"{"error":{"message":"the request exceeds the context size","type":"exceed_context_size_error","code":400,"n_ctx":4096}}"#,
        r#"{"type":"error","error":{"type":"overloaded_error","message":"busy"}}"#,
        "error: {\"message\": \"boom\"}\n\n",
        "<html><title>502 Bad Gateway</title></html>",
        r#"{"object":"list","data":[{"id":"m","owned_by":"llamacpp","aliases":["n"],"meta":{"n_ctx":4096,"size":5,"n_params":6,"ftype":"Q4"}}],"has_more":false}"#,
        r#"{"chat_template":"{{ x }}","total_slots":2,"default_generation_settings":{"n_ctx":9},"model_path":"/a/b.gguf","chat_template_caps":{"supports_tools":true},"build_info":"b1"}"#,
        r#"{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"hi"}]},{"role":"tool","tool_call_id":"1","content":"x"}],"tools":[{"type":"function","function":{"name":"f","parameters":{}}}],"stream":true,"stream_options":{"include_usage":true},"seed":3}"#,
        r#"{"a": "\ud83d", "b": 1e999, "c": [-0.0, 123456789012345678901234567890, null, true, "\u00e9"]}"#,
    ])
}

/// Replies that people have labelled, each against a fact.
fn replies() -> Vec<Vec<u8>> {
    let labelled = root().join("crates/score/tests/replies/home-assistant.jsonl");
    let text = fs::read_to_string(labelled).unwrap_or_default();
    let lines = text.lines().step_by(23).filter_map(|line| serde_json::from_str(line).ok());
    let said = lines.filter_map(|line: Value| line["reply"].as_str().map(str::to_owned));
    let with_pick = |(reply, pick): (String, u8)| [&[pick], reply.as_bytes()].concat();
    said.zip((0..55).cycle()).map(with_pick).collect()
}

/// Two small logs: one that was finished and one that was not.
fn logs() -> Vec<Vec<u8>> {
    let run = json!({
        "id": "r", "created": "2026-01-01T00:00:00Z",
        "suite": {"name": "s", "hash": "h", "size": 2},
        "subject": {"name": "m", "provider": "p"},
        "cases": ["a", "b"], "trials": 1, "scorers": ["tool_calls"],
        "settings": {}, "program": {"version": "0", "revision": "0"},
    });
    let trial = |id: &str| {
        json!({
            "run": "r", "case": {"id": id, "input": [{"role": "user", "content": "go"}]}, "number": 1,
            "transcript": {"messages": [{"role": "assistant", "content": "Done."}]},
            "outcomes": {}, "started": "2026-01-01T00:00:00Z", "ended": "2026-01-01T00:00:01Z",
        })
    };
    let run: Run = serde_json::from_value(run).expect("the run is right");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut logs = Vec::new();
    for finished in [false, true] {
        let path = folder.path().join(format!("{finished}.eval"));
        let mut writer = LogWriter::create(&path, &run).expect("a log can be made");
        for id in ["a", "b"] {
            let trial: Trial = serde_json::from_value(trial(id)).expect("the trial is right");
            writer.append(&trial).expect("a trial can be added");
        }
        if finished {
            writer.finish(&RunStatus::Success).expect("a log can be finished");
        }
        logs.push(fs::read(&path).expect("a log can be read"));
    }
    logs
}

/// The members of a log, as the target puts them together.
fn members(log: &[u8]) -> Vec<Vec<u8>> {
    let Ok(mut archive) = ZipArchive::new(Cursor::new(log)) else { return Vec::new() };
    let mut member = |name: &str| {
        let mut bytes = Vec::new();
        archive.by_name(name).ok()?.read_to_end(&mut bytes).ok()?;
        Some(bytes)
    };
    let (a, b) = (member("samples/a_epoch_1.json"), member("samples/b_epoch_1.json"));
    let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
    let kinds = [
        (0, "_journal/start.json", "_journal/summaries/1.json"),
        (1, "header.json", "_journal/summaries/1.json"),
        (3, "header.json", "summaries.json"),
    ];
    let together = |(kind, head, list): (u8, &str, &str)| {
        let parts = [member(head)?, a.clone(), b.clone(), member(list).unwrap_or_default()];
        Some([vec![kind], parts.join(&0)].concat())
    };
    kinds.into_iter().filter_map(together).collect()
}

/// Small database files.
fn databases() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let store = toolgauge_feedback::FeedbackStore::open(folder.path());
    drop(store.expect("a file of feedback can be made"));
    let file = folder.path().join(toolgauge_feedback::FILE_NAME);
    vec![fs::read(file).expect("a file of feedback can be read")]
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files below a folder whose names have one of these endings.
fn files(folder: &str, endings: &[&str]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if endings.iter().any(|ending| name.ends_with(&format!(".{ending}"))) {
                found.extend(fs::read(path));
            }
        }
    }
    found
}

/// The first lines of a file, as many as fit.
fn first_lines(file: &[u8], most: usize) -> Option<Vec<u8>> {
    let file = file.get(..most).unwrap_or(file);
    let end = file.iter().rposition(|byte| *byte == b'\n')?;
    Some(file[..=end].to_vec())
}

fn bytes(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Every input with each of these bytes before it.
fn with_prefix(prefixes: &[u8], inputs: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let with = |prefix: &u8| -> Vec<Vec<u8>> {
        inputs.iter().map(|input| [&[*prefix], &input[..]].concat()).collect()
    };
    prefixes.iter().flat_map(with).collect()
}
