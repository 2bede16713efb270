//! What every world offers.

use std::sync::Arc;

use serde_json::Value;
use toolgauge_core::{
    Books, Case, Oddity, Proof, Tool, ToolCall, Transcript, WorldThing, WorldWords,
};

/// A place with tools. One world serves all trials of a run; each trial enters it afresh.
pub trait World: Send + Sync {
    /// The tools a subject may call in this case. Cases that are offered the same tools share
    /// one list, so that it is written to the wire once.
    fn tools(&self, case: &Case) -> Arc<[Tool]>;

    /// What the world itself tells the subject in this case; `None` leaves that to the suite.
    fn briefing(&self, case: &Case) -> Option<Arc<str>>;

    /// What a case says of the world that the world knows nothing of.
    fn complaints(&self, _case: &Case) -> Vec<String> {
        Vec::new()
    }

    /// What is odd about the world itself, and does not keep anybody from entering it.
    fn cautions(&self) -> Vec<String> {
        Vec::new()
    }

    /// What a proof finds, or why it proves nothing. `None` for worlds that hold no data of their
    /// own.
    fn evidence(&self, _proof: &Proof) -> Option<Result<ProofFound, String>> {
        None
    }

    /// Everything the world has written down, to hold details of an answer against. `None` for
    /// worlds without books, and for books too large to be gone through.
    fn books(&self) -> Option<Arc<Books>> {
        None
    }

    /// How many things there are in the world of this case, to hold results against. `None` for
    /// worlds that have no size.
    fn size(&self, _case: &Case) -> Option<usize> {
        None
    }

    /// What reports call the things of this world, and the known ways to fail in it.
    fn words(&self) -> &WorldWords {
        &WorldWords::PLAIN
    }

    /// The short names of the known ways to fail that a trial shows, as far as it was judged
    /// wrong. All of them stand in [`words`](Self::words).
    fn shown_patterns(&self, _case: &Case, _transcript: &Transcript) -> Vec<&'static str> {
        Vec::new()
    }

    /// Whether a mistake with this thing may do harm: such mistakes weigh more.
    fn is_guarded(&self, _thing: &str) -> bool {
        false
    }

    /// The device through which a person speaks in this case, by its id in the real world. `None`
    /// where there is none, or the world is of no real kind.
    fn spoken_to(&self, _case: &Case) -> Option<String> {
        None
    }

    /// Whether calls change anything in this world that lasts.
    fn has_state(&self) -> bool {
        false
    }

    /// Whether calls may take so long that others should not wait for them.
    fn may_take_long(&self) -> bool {
        false
    }

    /// The world as this case finds it.
    fn enter(&self, case: &Case) -> Box<dyn WorldState>;

    /// The same, to see what calls lead to rather than to have them made. A world that has seen
    /// them in this run may answer from memory.
    fn rehearse(&self, case: &Case) -> Box<dyn WorldState> {
        self.enter(case)
    }
}

/// A world during one trial: what calls do to it lasts until the trial ends.
pub trait WorldState: Send {
    /// Carries out one call and answers as the world would.
    fn call(&mut self, call: &ToolCall) -> ToolReply;

    /// Whether a call may take so long that others should not wait for it.
    fn may_take_long(&self) -> bool {
        false
    }

    /// Why the world can no longer answer: what comes of the trial says nothing about the subject.
    fn broken(&self) -> Option<String> {
        None
    }

    /// What calls have changed since the trial began: by thing, by property, the value before
    /// and after, as a list of the two. A thing that is one value has that list itself. `None`
    /// for worlds without state.
    fn state_changes(&self) -> Option<Arc<Value>> {
        None
    }

    /// All there is to tell this state from another of the same world: two trials that end in
    /// equal states have done the same. `None` for worlds without state.
    fn end_state(&self) -> Option<Arc<Value>> {
        None
    }

    /// Everything in the world that has a name and a state, as it is now; what a reply says of
    /// these things can be held against it. Empty for worlds without state.
    fn things(&self) -> Vec<Arc<WorldThing>> {
        Vec::new()
    }
}

/// What a proof finds in the data of a world.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProofFound {
    /// The cells and passages in which the answer is looked for.
    pub texts: Vec<String>,
    /// The rows of its query, as the tool of the world returns them.
    pub rows: Option<String>,
}

/// What a tool answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolReply {
    /// The text the subject gets to see.
    pub content: String,
    /// Whether the tool refused or failed.
    pub failed: bool,
    /// The documents the answer was taken from, the best one first.
    pub sources: Vec<String>,
    /// Whether the world broke on the call: the turn ends here, and the subject gets neither
    /// this answer nor another turn.
    pub ends_turn: bool,
    /// What is odd about the answer.
    pub oddity: Option<Oddity>,
}

impl ToolReply {
    /// An answer from a call that went well.
    pub fn done(content: impl Into<String>) -> Self {
        Self {
            content: content.into(),
            failed: false,
            sources: Vec::new(),
            ends_turn: false,
            oddity: None,
        }
    }

    /// The answer to a call that could not be carried out.
    pub fn failed(content: impl Into<String>) -> Self {
        Self { failed: true, ..Self::done(content) }
    }
}
