//! `toolgauge run -m home-assistant:URL`: the pipeline of a real Home Assistant, as it was recorded.

use std::fs;

use serde_json::Value;
use toolgauge_core::{Message, Oddity, Trial};
use toolgauge_log::Log;
use toolgauge_testkit::home_assistant::HomeServerChanges;
use toolgauge_testkit::home_replay::{HomeReplay, PIPELINE};

use super::{home_assistant, imported, out, told, toolgauge};

#[test]
fn a_home_that_is_not_marked_is_refused_and_nothing_is_done_in_it() {
    let (folder, _) = imported(&[]);
    let output = toolgauge(folder.path(), &["generate", "--home", "my-home", "--cases", "5"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let (server, _runtime) = home_assistant(HomeServerChanges::default());
    let model = format!("home-assistant:{}", server.url);
    let run = ["run", "my-home", "-m", &model, "--agent", "conversation.qwen"];
    let output = toolgauge(folder.path(), &run);
    let said = told(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("is not marked as a test instance"), "{said}");
    assert!(said.contains("`input_boolean.toolgauge_test_instance`"), "{said}");
    let sent: Vec<Value> = server.sent().iter().map(|sent| sent["type"].clone()).collect();
    assert_eq!(sent, ["auth", "get_states"]);
    assert!(!folder.path().join("logs").exists(), "a run that is refused leaves no log");
}

#[test]
fn the_recorded_pipeline_is_judged_by_what_it_did() {
    let recording = &*PIPELINE;
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("my-home")).unwrap();
    for (name, text) in recording["files"].as_object().unwrap() {
        fs::write(folder.path().join("my-home").join(name), text.as_str().unwrap()).unwrap();
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let messages = recording["messages"].as_array().unwrap();
    let server = runtime.block_on(HomeReplay::start(messages));
    let model = format!("home-assistant:{}", server.url);
    let agent = recording["agent"].as_str().unwrap();
    let output = toolgauge(folder.path(), &["run", "my-home", "-m", &model, "--agent", agent]);
    assert_eq!(server.problems(), [""; 0], "everything is sent as it was to Home Assistant");
    assert_eq!(output.status.code(), Some(0), "{}\n{}", out(&output), told(&output));
    let log = fs::read_dir(folder.path().join("logs")).unwrap().next().unwrap().unwrap().path();
    let log = Log::open(&log).unwrap();
    assert_eq!(log.run().subject.name, agent);
    let trials: Vec<Trial> = log.trials().map(Result::unwrap).collect();
    let trial = |id: &str| trials.iter().find(|trial| trial.case.id.as_str() == id).unwrap();
    let value = |id: &str| trial(id).outcomes["end_state"].value().unwrap();
    for id in ["lamp", "blind", "outside", "shopping"] {
        assert!(value(id) >= 1.0, "{id}: {:?}", trial(id).outcomes);
    }
    // Home Assistant called it done, and the model says so; nothing was.
    assert!(value("claimed") < 1.0);
    let [Message::Assistant(_), Message::Tool(refused), Message::Assistant(_)] =
        trial("claimed").transcript.messages.as_slice()
    else {
        panic!("{:?}", trial("claimed").transcript.messages)
    };
    assert!(refused.failed, "{}", refused.content);
    assert!(trial("broken").transcript.failure.is_some());
    assert!(value("broken") < 1.0, "an error message is no answer");
    for trial in &trials {
        let odd: Vec<Oddity> =
            trial.transcript.turns.iter().flat_map(|t| t.oddities.clone()).collect();
        assert_eq!(odd, [], "{}: the simulator agrees with Home Assistant", trial.case.id.as_str());
    }
    for id in ["lamp", "blind", "outside"] {
        let times = trial(id).transcript.turns[0].timings;
        let (act, word) = (times.last_act.unwrap(), times.first_word.unwrap());
        assert!(act <= word && word <= times.total, "{id}: {times:?}");
    }
    assert!(trial("broken").transcript.turns[0].timings.first_word.is_none(), "nothing was said");
    let observed = &trial("blind").transcript.background.observed;
    let moved = observed.iter().find(|change| change.property == "current_position").unwrap();
    assert_eq!((moved.thing.as_str(), &moved.after), ("cover.blind", &Value::from(50)));
}
