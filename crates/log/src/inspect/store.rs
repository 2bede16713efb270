//! What a trial changed in its world, as Inspect's store and the events that lead to it.
//!
//! The store holds only what changed or should have. An event before the trial puts it there as
//! it was, and one at its end has the changes, so that Inspect shows what was before and after,
//! and comes to the same store when it replays the events.

use indexmap::IndexMap;
use serde::{Serialize, Serializer};
use serde_json::Value;
use toolgauge_core::StateChange;

/// Which end of the trial is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// As the trial found the world.
    Before,
    /// As it left it.
    After,
}

impl Moment {
    fn of(self, change: &StateChange) -> &Value {
        match self {
            Self::Before => &change.before,
            Self::After => &change.after,
        }
    }
}

/// The properties of a thing. One without a name is the thing itself, if it is the only one.
type Thing<'a> = IndexMap<&'a str, &'a StateChange>;

/// The things that changed or should have, by name.
pub(crate) struct Things<'a>(IndexMap<&'a str, Thing<'a>>);

impl<'a> Things<'a> {
    /// `None` where nothing is known of the world.
    pub(crate) fn of(changes: &'a [StateChange]) -> Option<Self> {
        let mut things: IndexMap<&str, Thing<'_>> = IndexMap::new();
        for change in changes {
            things.entry(&change.thing).or_default().insert(&change.property, change);
        }
        (!things.is_empty()).then_some(Self(things))
    }

    /// The store at one end of the trial.
    pub(crate) fn store(&self, moment: Moment) -> IndexMap<&'a str, ThingState<'_>> {
        let things = self.0.iter();
        things.map(|(name, thing)| (*name, ThingState { thing, moment })).collect()
    }

    /// What puts the things into an empty store as they were.
    pub(crate) fn arrival(&self) -> Vec<Patch<'_, ThingState<'_>>> {
        let things = self.store(Moment::Before).into_iter();
        things.map(|(name, value)| Patch::new("add", &[name], value)).collect()
    }

    /// What changed, each with the value it replaced.
    pub(crate) fn changes(&self) -> Vec<Patch<'a, &'a Value>> {
        let mut patches = Vec::new();
        for (name, thing) in &self.0 {
            for (property, change) in thing.iter().filter(|(_, change)| change.happened()) {
                let whole = whole(thing).is_some();
                let path = if whole { &[*name][..] } else { &[*name, *property] };
                let patch = Patch::new("replace", path, &change.after);
                patches.push(Patch { replaced: Some(&change.before), ..patch });
            }
        }
        patches
    }
}

/// The only value of a thing that has no properties.
fn whole<'a>(thing: &Thing<'a>) -> Option<&'a StateChange> {
    thing.get("").copied().filter(|_| thing.len() == 1)
}

/// What a thing is at one end of the trial.
pub(crate) struct ThingState<'t> {
    thing: &'t Thing<'t>,
    moment: Moment,
}

impl Serialize for ThingState<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match whole(self.thing) {
            Some(change) => self.moment.of(change).serialize(to),
            None => to.collect_map(self.thing.iter().map(|(name, it)| (name, self.moment.of(it)))),
        }
    }
}

/// One operation of a JSON Patch, with the replaced value that Inspect's viewer shows.
#[derive(Serialize)]
pub(crate) struct Patch<'v, T> {
    op: &'static str,
    path: String,
    value: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    replaced: Option<&'v Value>,
}

impl<T> Patch<'_, T> {
    fn new(op: &'static str, path: &[&str], value: T) -> Self {
        // RFC 6901: `~` is escaped before `/`, or the escape of `/` would be escaped again.
        let step = |step: &&str| format!("/{}", step.replace('~', "~0").replace('/', "~1"));
        Self { op, path: path.iter().map(step).collect(), value, replaced: None }
    }
}
