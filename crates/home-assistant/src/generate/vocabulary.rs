//! The words homes and requests are made of.

use toolgauge_core::english::{SMALL_NUMBERS, TENS};

pub(super) const ROOMS: [&str; 40] = [
    "Parlour",
    "Kitchenette",
    "Loft",
    "Atrium",
    "Den",
    "Snug",
    "Bathhouse",
    "Gallery",
    "Vestibule",
    "Nook",
    "Lobby",
    "Scullery",
    "Veranda",
    "Boathouse",
    "Map Room",
    "Sun Room",
    "Boot Room",
    "Games Room",
    "Sewing Room",
    "Pump House",
    "Lantern Room",
    "Tack Room",
    "Darkroom",
    "Boudoir",
    "Cellar Bar",
    "Drawing Room",
    "Morning Room",
    "Garden Room",
    "Box Room",
    "Coach House",
    "Foyer",
    "Rotunda",
    "Alcove",
    "Mezzanine",
    "Orangery",
    "Dairy",
    "Forge",
    "Mill",
    "Chapel",
    "Turret",
];

pub(super) const FLOORS: [(&str, &str); 3] =
    [("Lower floor", "below"), ("Main floor", "the main level"), ("Upper floor", "above")];

pub(super) const FIRST: [&str; 48] = [
    "Willow", "Harbour", "Comet", "Juniper", "Marble", "Velvet", "Maple", "Orbit", "Pebble",
    "Raven", "Tundra", "Walnut", "Birch", "Canyon", "Dune", "Ember", "Fjord", "Glacier", "Heron",
    "Iris", "Jade", "Kestrel", "Lotus", "Meadow", "Nimbus", "Otter", "Prairie", "Quartz", "River",
    "Sable", "Thistle", "Umbra", "Valley", "Wren", "Yarrow", "Zephyr", "Anchor", "Bramble",
    "Clover", "Delta", "Falcon", "Granite", "Hazel", "Linden", "Mistral", "Osprey", "Poplar",
    "Sparrow",
];

/// What devices of a domain are called, behind a first word or a room.
pub(super) fn nouns(domain: &str) -> &'static [&'static str] {
    match domain {
        "light" => &["lamp", "pendant", "lantern", "sconce", "spotlight", "uplighter"],
        "cover" => &["blind", "curtain", "shade", "shutter"],
        "switch" => &["kettle", "plug", "heater pad", "pump", "charger", "toaster"],
        "sensor" => &["temperature", "thermometer"],
        "binary_sensor" => &["window", "hatch"],
        "climate" => &["thermostat", "radiator"],
        "fan" => &["fan", "ventilator"],
        "media_player" => &["speaker", "radio"],
        "lock" => &["door", "gate"],
        "scene" => &["evening", "party", "morning"],
        _ => &["device"],
    }
}

pub(super) const COLORS: [&str; 10] =
    ["red", "blue", "green", "purple", "pink", "turquoise", "orange", "magenta", "gold", "cyan"];

pub(super) const ITEMS: [&str; 12] = [
    "butter",
    "rice",
    "lemons",
    "oat milk",
    "candles",
    "soap",
    "batteries",
    "honey",
    "onions",
    "noodles",
    "matches",
    "cinnamon",
];

pub(super) const UNKNOWN: [&str; 8] = [
    "flux capacitor",
    "ice rink",
    "cable car",
    "wind tunnel",
    "submarine",
    "wave machine",
    "space heater array",
    "chocolate fountain",
];

pub(super) const OUT_OF_SCOPE: [&str; 8] = [
    "order {item} from the corner shop",
    "call my sister and tell her about the {item}",
    "book a table for {n} people tonight",
    "send an email to {n} of my friends",
    "buy {n} tickets for the concert",
    "find me a flight with {n} stops",
    "post a picture of the {item}",
    "transfer {n} euros to my landlord",
];

/// A number up to a hundred as people say it.
pub(super) fn spoken(number: u32) -> String {
    let at = number as usize;
    match number {
        0..20 => SMALL_NUMBERS[at].to_owned(),
        20..100 if number.is_multiple_of(10) => TENS[at / 10 - 2].to_owned(),
        20..100 => format!("{} {}", TENS[at / 10 - 2], SMALL_NUMBERS[at % 10]),
        _ => "a hundred".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::spoken;

    #[test]
    fn numbers_are_spoken_in_words() {
        let said = [0, 7, 13, 20, 42, 99, 100].map(spoken);
        assert_eq!(
            said,
            ["zero", "seven", "thirteen", "twenty", "forty two", "ninety nine", "a hundred"]
        );
    }
}
