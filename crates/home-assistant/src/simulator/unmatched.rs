//! Why nothing matched, in the words of each profile.

use super::matching::{Constraints, Preferences, Reason, sorted};
use super::reply::CallFailure;
use crate::python;
use crate::state::HomeState;

impl HomeState {
    /// The failure of a match, in the words of the profile.
    pub(super) fn unmatched(
        &self,
        reason: Reason,
        constraints: &Constraints<'_>,
        preferences: Option<&Preferences>,
    ) -> CallFailure {
        let words = if self.setting.profile.is_current() {
            format!("{}{}", reason.sentence(), constraints.given())
        } else {
            let preferences = preferences.map_or("None".to_owned(), |preferences| {
                let area = text(preferences.area.as_deref());
                let floor = text(preferences.floor.as_deref());
                format!("MatchTargetsPreferences(area_id={area}, floor_id={floor})")
            });
            constraints.earlier(reason, &preferences)
        };
        CallFailure::raised("MatchFailedError", words)
    }
}

impl Reason {
    /// The sentence of 2026.10.
    fn sentence(self) -> &'static str {
        match self {
            Self::Name => "No entities matched the name",
            Self::Area => "No entities were in the area",
            Self::Floor => "No entities were on the floor",
            Self::Domain => "No entities matched the domain",
            Self::DeviceClass => "No entities matched the device class",
            Self::Feature => "No entities supported the required features",
            Self::State => "No entities were in the required state",
            Self::Assistant => "No matching entities are exposed to the assistant",
            Self::InvalidArea => "The area does not exist",
            Self::InvalidFloor => "The floor does not exist",
            Self::DuplicateName => "Multiple entities share the name",
            Self::MultipleTargets => "Multiple entities matched, but a single target is required",
        }
    }

    /// The member of Home Assistant's enumeration, as Python writes it.
    fn member(self) -> &'static str {
        match self {
            Self::Name => "<MatchFailedReason.NAME: 1>",
            Self::Area => "<MatchFailedReason.AREA: 2>",
            Self::Floor => "<MatchFailedReason.FLOOR: 3>",
            Self::Domain => "<MatchFailedReason.DOMAIN: 4>",
            Self::DeviceClass => "<MatchFailedReason.DEVICE_CLASS: 5>",
            Self::Feature => "<MatchFailedReason.FEATURE: 6>",
            Self::State => "<MatchFailedReason.STATE: 7>",
            Self::Assistant => "<MatchFailedReason.ASSISTANT: 8>",
            Self::InvalidArea => "<MatchFailedReason.INVALID_AREA: 9>",
            Self::InvalidFloor => "<MatchFailedReason.INVALID_FLOOR: 10>",
            Self::DuplicateName => "<MatchFailedReason.DUPLICATE_NAME: 11>",
            Self::MultipleTargets => "<MatchFailedReason.MULTIPLE_TARGETS: 12>",
        }
    }
}

impl Constraints<'_> {
    /// What was asked for, as the errors of 2026.10 repeat it.
    fn given(&self) -> String {
        let quoted = |label: &str, value: Option<&str>| {
            let value = value.filter(|value| !value.is_empty());
            value.map(|value| format!("{label} {}", python::quote(value)))
        };
        let listed = |label: &str, values: &[&str]| {
            (!values.is_empty()).then(|| format!("{label} {}", sorted(values).join(", ")))
        };
        let parts = [
            quoted("name", self.name),
            quoted("area", self.area),
            quoted("floor", self.floor),
            listed("domains", self.domains.as_deref().unwrap_or_default()),
            listed("device classes", self.device_classes.as_deref().unwrap_or_default()),
            listed("states", self.states),
            self.features.map(|features| format!("features {}", features.bits)),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { String::new() } else { format!(" (given {})", parts.join(", ")) }
    }

    /// The text of a failed match before 2026.10: Python's view of the objects involved.
    fn earlier(&self, reason: Reason, preferences: &str) -> String {
        let wrong = match reason {
            Reason::InvalidArea => self.area,
            Reason::InvalidFloor => self.floor,
            Reason::DuplicateName => self.name,
            _ => None,
        };
        let features = self.features.map_or("None".to_owned(), |features| {
            format!("<{}: {}>", features.name, features.bits)
        });
        let domains = match &self.domains {
            Some(domains) if self.domains_are_a_list => python::list(domains.iter().copied()),
            domains => set(domains.as_deref()),
        };
        format!(
            "<MatchFailedError result=MatchTargetsResult(is_match=False, no_match_reason={}, \
             states=[], no_match_name={}, areas=[], floors=[]), \
             constraints=MatchTargetsConstraints(name={}, area_name={}, floor_name={}, \
             domains={domains}, device_classes={}, features={features}, states={}, \
             assistant='conversation', allow_duplicate_names=False, single_target={}), \
             preferences={preferences}>",
            reason.member(),
            text(wrong),
            text(self.name),
            text(self.area),
            text(self.floor),
            set(self.device_classes.as_deref()),
            self.states_member(),
            if self.single_target { "True" } else { "False" },
        )
    }
}

impl Constraints<'_> {
    /// The states that are asked for: members of the enumeration of media players.
    fn states_member(&self) -> String {
        let member =
            |state: &&str| format!("<MediaPlayerState.{}: '{state}'>", state.to_uppercase());
        let members: Vec<String> = self.states.iter().map(member).collect();
        if members.is_empty() { "None".to_owned() } else { format!("{{{}}}", members.join(", ")) }
    }
}

/// A text or None, as Python writes it.
fn text(value: Option<&str>) -> String {
    value.map_or("None".to_owned(), python::quote)
}

/// A set of texts or None, as Python writes it.
fn set(values: Option<&[&str]>) -> String {
    match values {
        None => "None".to_owned(),
        Some([]) => "set()".to_owned(),
        Some(values) => {
            let quoted: Vec<String> = sorted(values).into_iter().map(python::quote).collect();
            format!("{{{}}}", quoted.join(", "))
        }
    }
}
