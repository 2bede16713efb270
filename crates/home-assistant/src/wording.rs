//! The sentences a profile tells a model, word for word: a measurement with other words would
//! measure something else. NOTICE names their source.

use std::sync::LazyLock;

use serde::Deserialize;

use super::profile::Profile;

/// The sentences of a profile.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wording {
    /// What the assistant is to be, unless the user says otherwise.
    pub(crate) instructions: String,
    /// Whether the hints on control stand before the entities.
    pub(crate) hints_first: bool,
    /// That states must be looked up.
    pub(crate) live_context: String,
    /// How things are controlled.
    pub(crate) control: String,
    /// Where the satellite stands: `{area}` and `{floor}` are filled in.
    pub(crate) in_area_on_floor: String,
    /// Where the satellite stands if that is on no floor.
    pub(crate) in_area: String,
    /// What to do when nobody knows where the satellite stands.
    pub(crate) nowhere: String,
    /// Said when the satellite has no timers.
    pub(crate) no_timers: String,
    /// Said when nothing is exposed; also the error of a live context without entities.
    pub(crate) nothing_exposed: String,
}

static WORDINGS: LazyLock<Vec<Wording>> = LazyLock::new(|| {
    let read = |text| serde_json::from_str(text).expect("built-in wording is valid");
    Profile::ALL.iter().map(|profile| read(profile.data().wording)).collect()
});

/// The sentences of a profile.
pub(crate) fn wording(profile: Profile) -> &'static Wording {
    &WORDINGS[profile.position()]
}
