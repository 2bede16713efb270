//! Making cases: what every kind of request needs.

use std::collections::BTreeSet;

use rand::RngExt as _;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};

use super::home::{Device, Home};
use super::{acts, answers};

/// Makes cases for one home.
pub(super) struct Maker<'m> {
    pub(super) random: &'m mut ChaCha8Rng,
    pub(super) home: &'m Home,
}

/// A case before it has a name.
pub(super) struct Draft {
    pub(super) say: String,
    pub(super) expect: Value,
    pub(super) domain: &'static str,
    pub(super) language: &'static str,
    pub(super) context: Vec<Value>,
    pub(super) metadata: Map<String, Value>,
}

/// One way to make a case, and the phenomenon it stands for.
pub(super) type Recipe = (&'static str, fn(&mut Maker<'_>) -> Option<Draft>);

impl Draft {
    /// A request that is met by these calls.
    pub(super) fn act(domain: &'static str, say: String, calls: &[Value]) -> Self {
        Self::new(domain, say, json!({"calls": calls, "response": "action"}))
    }

    /// A question that is answered with one of these, after these calls.
    pub(super) fn ask(domain: &'static str, say: String, calls: &[Value], says: &[&str]) -> Self {
        let more = json!({"end_state": {"says": [says]}});
        Self::new(domain, say, json!({"calls": calls, "response": "query", "more": more}))
    }

    /// A request that takes no call.
    pub(super) fn refuse(domain: &'static str, say: String, response: &str) -> Self {
        Self::new(domain, say, json!({"no_calls": true, "response": response}))
    }

    fn new(domain: &'static str, say: String, expect: Value) -> Self {
        Self { say, expect, domain, language: "en", context: vec![], metadata: Map::new() }
    }

    /// The same, with states arranged beforehand.
    pub(super) fn setup(mut self, device: &Device, state: Value) -> Self {
        let setup = self.metadata.entry("setup").or_insert_with(|| json!({}));
        setup[&device.id] = state;
        self
    }

    /// The same, spoken to another satellite, or to none.
    pub(super) fn at(mut self, satellite: Option<&str>) -> Self {
        self.metadata.insert("satellite".into(), json!(satellite));
        self
    }

    fn finish(self, number: usize, phenomenon: &str) -> Value {
        let kind = self.expect["response"].clone();
        let mut case = json!({
            "id": format!("{phenomenon}-{number}"),
            "say": self.say.to_lowercase(),
            "expect": self.expect,
            "tags": {
                "phenomenon": phenomenon, "domain": self.domain, "kind": kind,
                "lang": self.language,
            },
        });
        if !self.context.is_empty() {
            case["context"] = json!(self.context);
        }
        if !self.metadata.is_empty() {
            case["metadata"] = Value::Object(self.metadata);
        }
        case
    }
}

impl<'m> Maker<'m> {
    pub(super) fn new(random: &'m mut ChaCha8Rng, home: &'m Home) -> Self {
        Self { random, home }
    }

    /// So many cases, the phenomena taking turns. What was said before is said again only when
    /// the home gives no more.
    pub(super) fn cases(mut self, count: usize) -> Vec<Value> {
        let recipes: Vec<Recipe> = acts::RECIPES.iter().chain(answers::RECIPES).copied().collect();
        let mut said = BTreeSet::new();
        let mut cases = Vec::with_capacity(count);
        let mut attempts = 0;
        while cases.len() < count {
            let (phenomenon, recipe) = recipes[attempts % recipes.len()];
            attempts += 1;
            let Some(draft) = recipe(&mut self) else { continue };
            if said.insert(draft.say.to_lowercase()) || attempts > 50 * count {
                cases.push(draft.finish(cases.len() + 1, phenomenon));
            }
        }
        cases
    }

    /// One of these.
    pub(super) fn pick<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        choices.choose(self.random).copied()
    }

    /// A number of this range.
    pub(super) fn number(&mut self, range: std::ops::Range<u32>) -> u32 {
        self.random.random_range(range)
    }

    /// A device of a domain whose name is its own and that fits.
    pub(super) fn device(
        &mut self,
        domain: &'m str,
        fits: impl Fn(&Device) -> bool,
    ) -> Option<&'m Device> {
        let home = self.home;
        let twin = |device: &Device| device.id.starts_with("light.twin_");
        let fitting: Vec<&Device> =
            home.of(domain).filter(|device| !twin(device) && fits(device)).collect();
        self.pick(&fitting)
    }

    /// A room in which there is something of a domain.
    pub(super) fn room_with(&mut self, domain: &'m str) -> Option<&'static str> {
        let home = self.home;
        let mut rooms: Vec<&'static str> =
            home.of(domain).map(|device| home.room(device)).collect();
        rooms.dedup();
        self.pick(&rooms)
    }
}

/// A call.
#[expect(clippy::needless_pass_by_value, reason = "recipes read better without `&`")]
pub(super) fn call(tool: &str, arguments: Value) -> Value {
    json!({"tool": tool, "arguments": arguments})
}

/// The name of a device as it must be passed: any of its own.
pub(super) fn name_of(device: &Device) -> Value {
    match &device.alias {
        Some(alias) => json!({"$any_of": [device.name, alias]}),
        None => json!(device.name),
    }
}

/// Turning a device on or off by its name.
pub(super) fn turn(on: bool, device: &Device) -> Value {
    let tool = if on { "intent__HassTurnOn" } else { "intent__HassTurnOff" };
    call(tool, json!({"name": name_of(device)}))
}

/// Turning everything of a domain in a room on or off.
pub(super) fn turn_room(on: bool, room: &str, domain: &str) -> Value {
    let tool = if on { "intent__HassTurnOn" } else { "intent__HassTurnOff" };
    call(tool, json!({"area": room, "domain": [domain]}))
}

/// Looking at a device.
pub(super) fn look(device: &Device) -> Value {
    call("homeassistant__GetLiveContext", json!({"name": name_of(device)}))
}
