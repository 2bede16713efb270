//! A world among whose tools stand those of other servers, which no case needs.

mod likeness;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use toolgauge_core::{Books, Case, Proof, Tool, ToolCall, Transcript, WorldThing, WorldWords};

use self::likeness::Likeness;
use crate::{ProofFound, ToolReply, World, WorldState};

/// How many lists of tools are kept. Where every case has tools of its own, there is one for each.
const MOST_LISTS: usize = 256;

/// A tool of another server.
#[derive(Clone, Debug)]
pub struct Decoy {
    /// The server that has it.
    pub server: String,
    /// The tool, under its bare name.
    pub tool: Tool,
}

/// A world with decoys among its tools, as many as the tag of a case says. A call of one fails, and
/// changes nothing.
pub struct DecoyWorld {
    world: Arc<dyn World>,
    pool: Arc<[Decoy]>,
    likeness: Likeness,
    words: WorldWords,
    lists: Mutex<HashMap<(usize, usize), Arc<MixedTools>>>,
}

/// What a case is offered.
struct MixedTools {
    /// The tools of the world itself. They stay alive here, so that no other list can take their
    /// address.
    _own: Arc<[Tool]>,
    tools: Arc<[Tool]>,
    /// The servers of the decoys, by the name under which a decoy is offered.
    decoys: HashMap<String, String>,
}

impl DecoyWorld {
    /// A world with decoys of this pool.
    pub fn new(world: Arc<dyn World>, pool: Arc<[Decoy]>) -> Self {
        let words = WorldWords {
            things: Cow::Borrowed("tools"),
            failure_patterns: world.words().failure_patterns.clone(),
        };
        let likeness = Likeness::of(&pool);
        Self { world, pool, likeness, words, lists: Mutex::default() }
    }

    /// How many decoys there are for a case.
    pub fn available(&self, case: &Case) -> usize {
        self.candidates(&self.world.tools(case)).len()
    }

    /// The decoys that may stand beside these tools, under the names they would have. A server of
    /// which two tools or more are among them is no other server.
    fn candidates(&self, own: &[Tool]) -> Vec<(usize, String)> {
        let is_prefixed = own.iter().any(|tool| tool.name.contains("__"));
        let names: HashSet<&str> = own.iter().map(|tool| bare(&tool.name)).collect();
        let mut shared: HashMap<&str, usize> = HashMap::new();
        for decoy in self.pool.iter().filter(|decoy| names.contains(&*decoy.tool.name)) {
            *shared.entry(&decoy.server).or_default() += 1;
        }
        let mut taken = HashSet::new();
        let others = self.pool.iter().enumerate().filter(|(_, decoy)| {
            !names.contains(&*decoy.tool.name) && shared.get(&*decoy.server).is_none_or(|n| *n < 2)
        });
        others
            .map(|(place, Decoy { server, tool })| {
                let name = &tool.name;
                let name = if is_prefixed { format!("{server}__{name}") } else { name.clone() };
                (place, name)
            })
            .filter(|(_, name)| taken.insert(name.clone()))
            .collect()
    }

    /// What a case is offered; `None` for one without decoys.
    fn mixed(&self, case: &Case) -> Option<Arc<MixedTools>> {
        let count = Some(case.decoys()).filter(|count| *count > 0)?;
        let own = self.world.tools(case);
        let key = (own.as_ptr().addr(), count);
        let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lists.get(&key) {
            return Some(Arc::clone(known));
        }
        let mixed = Arc::new(self.mix(own, count));
        if lists.len() < MOST_LISTS {
            lists.insert(key, Arc::clone(&mixed));
        }
        Some(mixed)
    }

    /// The likest decoys among a world's own tools, which keep their order and are spread evenly:
    /// whoever looks at the first tools alone must not find them all.
    fn mix(&self, own: Arc<[Tool]>, count: usize) -> MixedTools {
        let mut candidates = self.candidates(&own);
        self.likeness.sort(&mut candidates, &own);
        candidates.truncate(count);
        let all = own.len() + candidates.len();
        let (mut tools, mut decoys) = (Vec::with_capacity(all), HashMap::new());
        let mut chosen = candidates.into_iter();
        for place in 0..all {
            let due = (place + 1) * own.len() / all;
            if tools.len() - decoys.len() < due {
                tools.push(own[due - 1].clone());
            } else if let Some((place, name)) = chosen.next() {
                let Decoy { server, tool } = &self.pool[place];
                decoys.insert(name.clone(), server.clone());
                tools.push(Tool { name, ..tool.clone() });
            }
        }
        MixedTools { _own: own, tools: tools.into(), decoys }
    }

    /// Puts the decoys of a case around the world as it finds it.
    fn around(&self, state: Box<dyn WorldState>, case: &Case) -> Box<dyn WorldState> {
        match self.mixed(case) {
            Some(mixed) => Box::new(StateWithDecoys { state, mixed }),
            None => state,
        }
    }
}

/// The name that a tool has at its server.
fn bare(name: &str) -> &str {
    name.split_once("__").map_or(name, |(_, bare)| bare)
}

impl World for DecoyWorld {
    fn tools(&self, case: &Case) -> Arc<[Tool]> {
        match self.mixed(case) {
            Some(mixed) => Arc::clone(&mixed.tools),
            None => self.world.tools(case),
        }
    }

    fn briefing(&self, case: &Case) -> Option<Arc<str>> {
        self.world.briefing(case)
    }

    fn complaints(&self, case: &Case) -> Vec<String> {
        self.world.complaints(case)
    }

    fn cautions(&self) -> Vec<String> {
        self.world.cautions()
    }

    fn evidence(&self, proof: &Proof) -> Option<Result<ProofFound, String>> {
        self.world.evidence(proof)
    }

    fn books(&self) -> Option<Arc<Books>> {
        self.world.books()
    }

    /// Decoys make a world larger by its tools.
    fn size(&self, case: &Case) -> Option<usize> {
        Some(self.tools(case).len())
    }

    fn words(&self) -> &WorldWords {
        &self.words
    }

    fn shown_patterns(&self, case: &Case, transcript: &Transcript) -> Vec<&'static str> {
        self.world.shown_patterns(case, transcript)
    }

    fn is_guarded(&self, thing: &str) -> bool {
        self.world.is_guarded(thing)
    }

    fn spoken_to(&self, case: &Case) -> Option<String> {
        self.world.spoken_to(case)
    }

    fn has_state(&self) -> bool {
        self.world.has_state()
    }

    fn may_take_long(&self) -> bool {
        self.world.may_take_long()
    }

    fn enter(&self, case: &Case) -> Box<dyn WorldState> {
        self.around(self.world.enter(case), case)
    }

    fn rehearse(&self, case: &Case) -> Box<dyn WorldState> {
        self.around(self.world.rehearse(case), case)
    }
}

/// A world with decoys during one trial.
struct StateWithDecoys {
    state: Box<dyn WorldState>,
    mixed: Arc<MixedTools>,
}

impl WorldState for StateWithDecoys {
    fn call(&mut self, call: &ToolCall) -> ToolReply {
        match self.mixed.decoys.get(&call.name) {
            Some(server) => ToolReply::failed(format!(
                "Error: `{}` is not available: the server `{server}` is not connected",
                call.name
            )),
            None => self.state.call(call),
        }
    }

    fn may_take_long(&self) -> bool {
        self.state.may_take_long()
    }

    fn broken(&self) -> Option<String> {
        self.state.broken()
    }

    fn state_changes(&self) -> Option<Arc<Value>> {
        self.state.state_changes()
    }

    fn end_state(&self) -> Option<Arc<Value>> {
        self.state.end_state()
    }

    fn things(&self) -> Vec<Arc<WorldThing>> {
        self.state.things()
    }
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;
    use serde_json::{Map, json};

    use super::*;
    use crate::DeclaredWorld;

    fn tool(name: &str, description: &str) -> Tool {
        Tool { name: name.into(), description: description.into(), parameters: json!({}) }
    }

    fn decoy(server: &str, name: &str, description: &str) -> Decoy {
        Decoy { server: server.into(), tool: tool(name, description) }
    }

    fn world(own: &[&str]) -> DecoyWorld {
        let own = own.iter().map(|name| tool(name, "Read a file from the disk")).collect();
        let pool = [
            decoy("maps", "route", "Find the way to a place"),
            decoy("web", "search", "Search the web"),
            decoy("drive", "read_document", "Read a file from the drive"),
            decoy("files", "read_file", "Read a file from the disk"),
            decoy("files", "list_files", "List the files on the disk"),
            decoy("files", "move_file", "Move a file"),
        ];
        let declared = DeclaredWorld::new(own, IndexMap::new());
        DecoyWorld::new(Arc::new(declared), pool.into())
    }

    fn case(decoys: usize) -> Case {
        let mut case = Case::new("any", "read it");
        case.tags.insert(Case::DECOYS.into(), decoys.to_string());
        case
    }

    fn names(world: &DecoyWorld, decoys: usize) -> Vec<String> {
        world.tools(&case(decoys)).iter().map(|tool| tool.name.clone()).collect()
    }

    #[test]
    fn the_likest_tools_of_other_servers_come_first_and_own_tools_stand_among_them() {
        let world = world(&["fetch_file", "read_text"]);
        assert_eq!(names(&world, 0), ["fetch_file", "read_text"]);
        assert_eq!(
            names(&world, 4),
            ["read_file", "read_document", "fetch_file", "move_file", "list_files", "read_text"]
        );
        assert_eq!(world.available(&case(0)), 6);
    }

    #[test]
    fn a_decoy_is_named_as_the_tools_beside_it_and_never_has_the_name_of_one() {
        let own = world(&["disk__read_file", "disk__write_file"]);
        assert_eq!(own.available(&case(0)), 5);
        assert!(names(&own, 5).contains(&"files__move_file".to_owned()));
        let server = world(&["disk__read_file", "disk__move_file"]);
        assert_eq!(server.available(&case(0)), 3, "two tools of a server: it is the same server");
    }

    #[test]
    fn a_call_of_a_decoy_fails_and_one_of_an_own_tool_does_not() {
        let world = world(&["fetch_file"]);
        let mut state = world.enter(&case(2));
        let reply = state.call(&ToolCall::new("read_file", Map::new()));
        let said = "Error: `read_file` is not available: the server `files` is not connected";
        assert_eq!(reply, ToolReply::failed(said));
        assert!(!state.call(&ToolCall::new("fetch_file", Map::new())).failed);
        let without = world.enter(&case(0)).call(&ToolCall::new("read_file", Map::new()));
        assert!(without.content.contains("unknown tool"), "{without:?}");
    }

    #[test]
    fn cases_with_the_same_tools_and_as_many_decoys_share_one_list() {
        let world = world(&["fetch_file"]);
        assert!(Arc::ptr_eq(&world.tools(&case(2)), &world.tools(&case(2))));
        assert_eq!(world.size(&case(3)), Some(4));
        assert_eq!(world.words().things, "tools");
    }
}
