//! Which Home Assistant a world plays, and what is varied about it.

use std::fmt;
use std::str::FromStr;

/// A way Home Assistant has talked, or is said to talk, to models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Profile {
    /// Home Assistant 2026.10: prefixed tools, readable errors, entities before the hints.
    #[default]
    V2026_10,
    /// Home Assistant 2026.2: unprefixed tools, bare results, hints before the entities.
    V2026_2,
    /// The layout of an older benchmark: every entity with its id, state and attributes in the
    /// prompt, and 32 unprefixed tools.
    Classic,
}

impl Profile {
    /// All profiles, the default first.
    pub const ALL: [Self; 3] = [Self::V2026_10, Self::V2026_2, Self::Classic];

    /// The name people use: `2026.10`.
    pub fn name(self) -> &'static str {
        match self {
            Self::V2026_10 => "2026.10",
            Self::V2026_2 => "2026.2",
            Self::Classic => "classic",
        }
    }

    /// Whether results come in the shapes of 2026.10.
    pub(crate) fn is_current(self) -> bool {
        match self {
            Self::V2026_10 => true,
            Self::V2026_2 | Self::Classic => false,
        }
    }

    /// The files of a profile. A version that differs from another in its tools, its prompt or
    /// its wording alone is one more variant with files of its own.
    pub(crate) fn data(self) -> ProfileData {
        match self {
            Self::V2026_10 => ProfileData {
                tools: include_str!("data/tools-2026.10.json"),
                wording: include_str!("data/prompt-2026.10.json"),
            },
            Self::V2026_2 => ProfileData {
                tools: include_str!("data/tools-2026.2.json"),
                wording: include_str!("data/prompt-2026.2.json"),
            },
            Self::Classic => ProfileData {
                tools: include_str!("data/tools-classic.json"),
                wording: include_str!("data/prompt-2026.2.json"),
            },
        }
    }

    /// Where it stands among all profiles.
    pub(crate) fn position(self) -> usize {
        Self::ALL.iter().position(|profile| *profile == self).unwrap_or_default()
    }
}

/// The files of a profile.
pub(crate) struct ProfileData {
    /// The tools, in the order in which they are offered.
    pub(crate) tools: &'static str,
    /// The sentences of the prompt.
    pub(crate) wording: &'static str,
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|profile| profile.name() == text);
        known.ok_or_else(|| UnknownProfile(text.to_owned()))
    }
}

/// A profile that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no profile `{0}` (known: 2026.10, 2026.2, classic)")]
pub struct UnknownProfile(String);

/// What is varied about a prompt; the default changes nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PromptOptions {
    /// Instructions in place of the profile's own.
    pub instructions: Option<String>,
    /// Where the date and time stand.
    pub time: TimePlace,
    /// In which order entities are listed.
    pub entities: EntityOrder,
    /// What is said at the very end, such as `/no_think`.
    pub suffix: Option<String>,
}

/// Where in a prompt the date and time stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimePlace {
    /// Where the profile has it: nowhere, or at the end in `classic`.
    #[default]
    AsProfile,
    /// Before everything else, as Home Assistant once did: the prompt differs from its first
    /// line on, and a server can reuse nothing of it.
    First,
    /// Behind everything else.
    Last,
}

/// In which order a prompt lists entities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EntityOrder {
    /// As the profile does: by name, or as in the inventory in `classic`.
    #[default]
    AsProfile,
    /// As in the inventory.
    AsListed,
    /// By name, in code point order.
    ByName,
    /// Against the profile's order.
    Reversed,
    /// Shuffled, the same way for the same seed.
    Shuffled(u64),
}

impl EntityOrder {
    /// Puts positions that are in the profile's order into this one.
    pub(crate) fn arrange(self, mut positions: Vec<usize>, by_name: &[usize]) -> Vec<usize> {
        match self {
            Self::AsProfile => {}
            Self::AsListed => positions.sort_unstable(),
            Self::ByName => {
                let listed = positions;
                positions = by_name.iter().copied().filter(|at| listed.contains(at)).collect();
            }
            Self::Reversed => positions.reverse(),
            Self::Shuffled(seed) => shuffle(&mut positions, seed),
        }
        positions
    }
}

/// Fisher and Yates with the `SplitMix64` generator: the order is part of a suite's identity, so
/// it must not change with the version of a library.
fn shuffle(positions: &mut [usize], seed: u64) {
    let mut state = seed;
    for end in (1..positions.len()).rev() {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        let pick = usize::try_from(mixed % (end as u64 + 1)).unwrap_or_default();
        positions.swap(end, pick);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_known_by_their_names() {
        for profile in Profile::ALL {
            assert_eq!(profile.name().parse(), Ok(profile));
        }
        assert_eq!(
            "2025.1".parse::<Profile>().unwrap_err().to_string(),
            "there is no profile `2025.1` (known: 2026.10, 2026.2, classic)"
        );
    }

    #[test]
    fn a_shuffle_keeps_everything_and_repeats_itself() {
        let shuffled = EntityOrder::Shuffled(7).arrange((0..20).collect(), &[]);
        assert_eq!(shuffled, EntityOrder::Shuffled(7).arrange((0..20).collect(), &[]));
        assert_ne!(shuffled, (0..20).collect::<Vec<_>>());
        let mut sorted = shuffled;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..20).collect::<Vec<_>>());
    }
}
