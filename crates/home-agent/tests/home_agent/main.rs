//! An agent of a recorded Home Assistant, asked over its API.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize as _;
use serde_json::{Map, Value, json};
use toolgauge_core::{Briefing, CaseId, Message, Request, Subject as _, ToolCall, TrialId};
use toolgauge_home_agent::{CaseStart, EntityState, HomeAgent, HomeAgentSettings, SimulatedHome};
use toolgauge_home_import::HomeToken;
use toolgauge_testkit::home_replay::{HomeReplay, PIPELINE};

/// A home in which every case starts alike and every call turns on the lamp.
struct HomeWithLamp(CaseStart);

impl SimulatedHome for HomeWithLamp {
    fn exposed(&self) -> Vec<String> {
        Vec::new()
    }

    fn start(&self, _: &CaseId) -> Option<CaseStart> {
        Some(self.0.clone())
    }

    fn changes(&self, _: &CaseId, _: &[ToolCall]) -> Map<String, Value> {
        Map::from_iter([("light.lamp".to_owned(), json!({"state": ["off", "on"]}))])
    }
}

/// The messages of the first trial: from its connection to what the second one asks first.
fn first_trial(messages: &[Value]) -> &[Value] {
    let positions =
        |is: fn(&Value) -> bool| messages.iter().enumerate().filter(move |(_, m)| is(m));
    let connections = positions(|message| message.get("connect").is_some());
    let begin = connections.map(|(at, _)| at).nth(1).unwrap_or_default();
    let lists =
        positions(|message| message.pointer("/send/type") == Some(&json!("todo/item/list")));
    let end = lists.map(|(at, _)| at).nth(1).unwrap_or(messages.len());
    &messages[begin..end]
}

#[tokio::test]
async fn a_command_goes_through_a_voice_pipeline_which_tells_the_times() {
    let trial = first_trial(PIPELINE["messages"].as_array().unwrap());
    let states = trial.iter().find_map(|one| one.pointer("/receive/result")?.as_array()).unwrap();
    let entity = |id: &str| {
        let found = states.iter().find(|state| state["entity_id"] == id).unwrap();
        EntityState::deserialize(found).unwrap()
    };
    let entities = vec![entity("light.lamp"), entity("todo.shopping")];
    let satellite = trial.iter().find_map(|one| {
        let sent = one.get("send").filter(|sent| sent["type"] == "config/entity_registry/get")?;
        sent["entity_id"].as_str().map(str::to_owned)
    });
    let server = HomeReplay::start(trial).await;
    let agent = HomeAgent::new(HomeAgentSettings {
        url: server.url.clone(),
        agent: PIPELINE["agent"].as_str().map(str::to_owned),
        token: HomeToken::new("token-of-the-test"),
        patience: Duration::from_mins(5),
        keep_wire: false,
        home: Arc::new(HomeWithLamp(CaseStart { satellite, entities })),
    });
    let briefing = Arc::new(Briefing { system: None, tools: Arc::new([]) });
    let id = TrialId { case: CaseId::new("lamp"), trial: 1 };
    let conversation = [Message::user("turn on the lamp")];
    let request =
        Request { briefing: &briefing, conversation: &conversation, trial: &id, seed: None };
    let reply = agent.answer(request).await.unwrap();
    assert_eq!(server.problems(), [""; 0], "everything is sent as it was to Home Assistant");
    assert_eq!(reply.message.content, "Done.");
    let [Message::Assistant(called), Message::Tool(result)] = reply.behind.as_slice() else {
        panic!("{:?}", reply.behind)
    };
    assert_eq!((called.calls[0].name.as_str(), result.failed), ("intent__HassTurnOn", false));
    let times = reply.turn.timings;
    let (act, word) = (times.last_act.unwrap(), times.first_word.unwrap());
    assert!(act <= word && word <= times.total, "{times:?}");
    assert_eq!(reply.turn.oddities, [], "the simulator agrees with Home Assistant");
    let lamp = reply.background.observed.iter().find(|change| change.property == "state").unwrap();
    assert_eq!((lamp.thing.as_str(), &lamp.after), ("light.lamp", &json!("on")));
}
