//! Which entities a call means: one pass of filters in Home Assistant's order. The first filter
//! that leaves nothing names the reason.

use crate::inventory::Inventory;
use crate::state::HomeState;

/// What a call asks for.
#[derive(Clone, Debug, Default)]
pub(super) struct Constraints<'a> {
    pub(super) name: Option<&'a str>,
    pub(super) area: Option<&'a str>,
    pub(super) floor: Option<&'a str>,
    /// `Some` of nothing matches nothing.
    pub(super) domains: Option<Vec<&'a str>>,
    /// Some handlers keep domains in a list rather than in a set, which old errors show.
    pub(super) domains_are_a_list: bool,
    pub(super) device_classes: Option<Vec<&'a str>>,
    pub(super) features: Option<Features>,
    pub(super) states: &'static [&'static str],
    pub(super) single_target: bool,
}

/// Required bits, and what Home Assistant's code calls them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Features {
    pub(super) bits: u64,
    pub(super) name: &'static str,
}

/// The ids of where the one who speaks is: they break ties, and filter nothing by themselves.
///
/// A model may send an id of its own, which need not exist.
#[derive(Clone, Debug, Default)]
pub(super) struct Preferences {
    pub(super) area: Option<String>,
    pub(super) floor: Option<String>,
}

/// What matched: positions of entities, and of the areas and floors that were named.
#[derive(Debug, Default)]
pub(super) struct Match {
    pub(super) entities: Vec<usize>,
    pub(super) areas: Vec<usize>,
    pub(super) floors: Vec<usize>,
}

/// Why nothing matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    Name,
    Area,
    Floor,
    Domain,
    DeviceClass,
    Feature,
    State,
    Assistant,
    InvalidArea,
    InvalidFloor,
    DuplicateName,
    MultipleTargets,
}

impl Constraints<'_> {
    /// Whether anything at all is asked for.
    pub(super) fn any(&self) -> bool {
        let set = |list: &Option<Vec<&str>>| list.as_ref().is_some_and(|list| !list.is_empty());
        self.name.is_some()
            || self.area.is_some()
            || self.floor.is_some()
            || set(&self.domains)
            || set(&self.device_classes)
            || self.features.is_some()
            || !self.states.is_empty()
            || self.single_target
    }
}

impl HomeState {
    /// The entities a call means, in the order of the home.
    pub(super) fn find(
        &self,
        constraints: &Constraints<'_>,
        preferences: &Preferences,
    ) -> Result<Match, Reason> {
        let mut found = Match::default();
        let mut candidates = self.by_domain_state_and_name(constraints)?;
        let entities = self.inventory().entities();
        if let Some(features) = constraints.features {
            candidates.retain(|&at| entities[at].supports(features.bits));
            some_or(&candidates, || Reason::Feature)?;
        }
        if let Some(classes) = constraints.device_classes.as_deref().filter(|c| !c.is_empty()) {
            let fits = |class: Option<&str>| class.is_some_and(|class| classes.contains(&class));
            candidates.retain(|&at| fits(entities[at].device_class()));
            some_or(&candidates, || Reason::DeviceClass)?;
        }
        self.by_place(constraints, &mut candidates, &mut found)?;
        candidates.retain(|&at| entities[at].exposed);
        some_or(&candidates, || Reason::Assistant)?;
        if constraints.name.is_some() {
            candidates = self.told_apart(candidates, preferences)?;
        }
        if constraints.single_target && candidates.len() > 1 {
            candidates = self.single(&candidates, preferences)?;
        }
        found.entities = candidates;
        Ok(found)
    }

    fn by_domain_state_and_name(
        &self,
        constraints: &Constraints<'_>,
    ) -> Result<Vec<usize>, Reason> {
        let inventory = self.inventory();
        let in_domain = |at: usize| {
            let domain = inventory.entities()[at].domain();
            constraints.domains.as_ref().is_none_or(|domains| domains.contains(&domain))
        };
        let in_state = |at: usize| {
            constraints.states.is_empty() || constraints.states.contains(&self.view(at).state)
        };
        let all = match &constraints.domains {
            // With a name, who else is in the domain matters only if nobody is.
            Some(domains) => in_domains(inventory, domains),
            None => (0..inventory.entities().len()).collect(),
        };
        some_or(&all, || Reason::Domain)?;
        if !constraints.states.is_empty() && !all.iter().any(|&at| in_state(at)) {
            return Err(Reason::State);
        }
        match constraints.name {
            None => Ok(all.into_iter().filter(|&at| in_state(at)).collect()),
            Some(name) => {
                let named = inventory.index.entities_named(name).into_iter();
                let candidates: Vec<usize> =
                    named.filter(|&at| in_domain(at) && in_state(at)).collect();
                some_or(&candidates, || Reason::Name)?;
                Ok(candidates)
            }
        }
    }

    fn by_place(
        &self,
        constraints: &Constraints<'_>,
        candidates: &mut Vec<usize>,
        found: &mut Match,
    ) -> Result<(), Reason> {
        let inventory = self.inventory();
        let area_of = |at: usize| inventory.entities()[at].area;
        let mut on_floor: Option<&[usize]> = None;
        if let Some(name) = constraints.floor {
            found.floors = inventory.index.floors_named(name);
            some_or(&found.floors, || Reason::InvalidFloor)?;
            let floors = &found.floors;
            candidates.retain(|&at| {
                floor_of(inventory, area_of(at)).is_some_and(|floor| floors.contains(&floor))
            });
            some_or(candidates, || Reason::Floor)?;
            on_floor = Some(&found.floors);
        }
        if let Some(name) = constraints.area {
            found.areas = inventory.index.areas_named(name);
            some_or(&found.areas, || Reason::InvalidArea)?;
            let areas = &found.areas;
            let fits = |area: usize| {
                areas.contains(&area)
                    && on_floor.is_none_or(|floors| {
                        floor_of(inventory, Some(area)).is_some_and(|floor| floors.contains(&floor))
                    })
            };
            candidates.retain(|&at| area_of(at).is_some_and(fits));
            some_or(candidates, || Reason::Area)?;
        }
        Ok(())
    }

    /// Several entities share the name: those on the speaker's floor are meant, then those in
    /// the speaker's area.
    fn told_apart(
        &self,
        mut candidates: Vec<usize>,
        preferences: &Preferences,
    ) -> Result<Vec<usize>, Reason> {
        if candidates.len() > 1 && preferences.floor.is_some() {
            candidates.retain(|&at| self.floor_id(at) == preferences.floor.as_deref());
        }
        if candidates.len() > 1 && preferences.area.is_some() {
            candidates.retain(|&at| self.area_id(at) == preferences.area.as_deref());
        }
        match candidates.len() {
            0 => Err(Reason::Name),
            1 => Ok(candidates),
            _ => Err(Reason::DuplicateName),
        }
    }

    fn single(
        &self,
        candidates: &[usize],
        preferences: &Preferences,
    ) -> Result<Vec<usize>, Reason> {
        let keep = |fits: &dyn Fn(usize) -> bool| -> Vec<usize> {
            candidates.iter().copied().filter(|&at| fits(at)).collect()
        };
        let mut kept = candidates.to_vec();
        if preferences.area.is_some() {
            kept = keep(&|at| self.area_id(at) == preferences.area.as_deref());
        }
        if kept.len() > 1 && preferences.floor.is_some() {
            // As in Home Assistant: the floor is looked for among all candidates again, not in the
            // area.
            kept = keep(&|at| self.floor_id(at) == preferences.floor.as_deref());
        }
        if kept.len() == 1 { Ok(kept) } else { Err(Reason::MultipleTargets) }
    }

    /// Where the satellite stands.
    pub(super) fn preferences(&self) -> Preferences {
        let inventory = self.inventory();
        let area = self.setting.satellite_area().map(|at| inventory.areas()[at].id.clone());
        let floor = self.setting.satellite_floor().map(|at| inventory.floors()[at].id.clone());
        Preferences { area, floor }
    }

    fn area_id(&self, at: usize) -> Option<&str> {
        let area = self.inventory().entities()[at].area?;
        Some(&self.inventory().areas()[area].id)
    }

    fn floor_id(&self, at: usize) -> Option<&str> {
        let floor = floor_of(self.inventory(), self.inventory().entities()[at].area)?;
        Some(&self.inventory().floors()[floor].id)
    }
}

fn in_domains(inventory: &Inventory, domains: &[&str]) -> Vec<usize> {
    match domains {
        [domain] => inventory.index.domain(domain).to_vec(),
        several => {
            let mut all: Vec<usize> = sorted(several)
                .iter()
                .flat_map(|domain| inventory.index.domain(domain))
                .copied()
                .collect();
            all.sort_unstable();
            all
        }
    }
}

fn floor_of(inventory: &Inventory, area: Option<usize>) -> Option<usize> {
    area.and_then(|area| inventory.areas()[area].floor)
}

fn some_or(candidates: &[usize], reason: impl FnOnce() -> Reason) -> Result<(), Reason> {
    if candidates.is_empty() { Err(reason()) } else { Ok(()) }
}

/// Texts in order, each once.
pub(super) fn sorted<'t>(texts: &[&'t str]) -> Vec<&'t str> {
    let mut texts = texts.to_vec();
    texts.sort_unstable();
    texts.dedup();
    texts
}
