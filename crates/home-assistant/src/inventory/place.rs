//! Where things are in a home: floors, areas and the satellites in them.

/// A floor of the home, on which areas are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Floor {
    /// The id: `ground_floor`.
    pub id: String,
    /// The name: `Ground floor`.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
}

/// A room or another part of the home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// The id: `living_room`.
    pub id: String,
    /// The name: `Living Room`.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// The position of the floor it is on.
    pub(crate) floor: Option<usize>,
}

/// A voice satellite: the device a person speaks to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Satellite {
    /// The name the inventory gives it.
    pub name: String,
    /// The position of the area it stands in.
    pub(crate) area: Option<usize>,
    /// Whether it can run timers.
    pub supports_timers: bool,
    /// The `assist_satellite` entity that belongs to it.
    pub entity_id: Option<String>,
}
