//! What every recipe needs to make a case: chance, and a home.

use rand::RngExt as _;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::draft::CaseDraft;
use super::home::{Device, GeneratedHome};

/// One way to make a case, and the phenomenon it stands for.
pub(super) type Recipe = (&'static str, fn(&mut CaseMaker<'_>) -> Option<CaseDraft>);

/// Makes cases for one home.
pub(super) struct CaseMaker<'m> {
    pub(super) random: &'m mut ChaCha8Rng,
    pub(super) home: &'m GeneratedHome,
}

impl<'m> CaseMaker<'m> {
    pub(super) fn new(random: &'m mut ChaCha8Rng, home: &'m GeneratedHome) -> Self {
        Self { random, home }
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
        let fitting: Vec<&Device> =
            home.of(domain).filter(|device| home.is_unique(device) && fits(device)).collect();
        self.pick(&fitting)
    }

    /// A room in which there is something of a domain.
    pub(super) fn room_with(&mut self, domain: &'m str) -> Option<&'m str> {
        let home = self.home;
        let mut rooms: Vec<&'m str> =
            home.of(domain).filter_map(|device| home.room(device)).collect();
        rooms.dedup();
        self.pick(&rooms)
    }

    /// One of these. Where there is no choice, chance is left alone.
    pub(super) fn any<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        match choices {
            [only] => Some(*only),
            several => self.pick(several),
        }
    }
}
