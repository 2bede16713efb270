//! What a number counts: money, per cent, lengths, areas, weights, volumes and times.

use std::sync::LazyLock;

use super::word;

/// A unit: what it measures, and how much of the base unit it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MeasureUnit {
    measure: &'static str,
    factor: f64,
}

impl MeasureUnit {
    /// Hundredths.
    pub(crate) const PERCENT: Self = Self::of("share", 1.0);

    const fn of(measure: &'static str, factor: f64) -> Self {
        Self { measure, factor }
    }

    /// Whether both measure the same.
    pub(crate) fn is_alike(self, other: Self) -> bool {
        // A pound is money or a weight, and only the other one tells which.
        let is_pound = |one: Self, other: Self| {
            one.measure == "pound" && matches!(other.measure, "pound sterling" | "weight")
        };
        self.measure == other.measure || is_pound(self, other) || is_pound(other, self)
    }

    /// Whether it is a currency.
    pub(crate) fn is_money(self) -> bool {
        matches!(self.measure, "dollar" | "euro" | "pound sterling" | "yen" | "franc")
    }

    /// Whether it can be written as a sign: `%`, `$`.
    pub(crate) fn has_sign(self) -> bool {
        self.is_alike(Self::PERCENT) || self.is_money()
    }

    /// Whether a word with this stem is a name of it.
    pub(crate) fn is_called(self, stem: &str) -> bool {
        let own = |unit: &(Self, String)| unit.0 == self && unit.1 == stem;
        STEMS.iter().any(own)
    }

    /// How much of the base unit it is.
    pub(crate) fn factor(self) -> f64 {
        self.factor
    }

    /// How many of another unit it is, which measures the same.
    pub(crate) fn in_units_of(self, other: Self) -> f64 {
        let size = |unit: Self, beside: Self| match (unit.measure, beside.measure) {
            ("pound", "weight") => POUND,
            _ => unit.factor,
        };
        size(self, other) / size(other, self)
    }
}

/// A pound in grams.
const POUND: f64 = 453.592_37;

/// Names of units, each with its measure and its size in the base unit.
const UNITS: &[(&[&str], &str, f64)] = &[
    (&["%", "percent", "per cent", "percentage points", "pct"], "share", 1.0),
    (&["dollars", "dollar", "usd", "us dollars", "bucks"], "dollar", 1.0),
    (&["cents", "cent"], "dollar", 0.01),
    (&["euros", "euro", "eur"], "euro", 1.0),
    (&["pounds sterling", "gbp", "quid"], "pound sterling", 1.0),
    (&["pounds", "pound"], "pound", 1.0),
    (&["yen", "jpy"], "yen", 1.0),
    (&["francs", "franc", "chf"], "franc", 1.0),
    (&["millimeters", "millimetres", "millimeter", "millimetre", "mm"], "length", 0.001),
    (&["centimeters", "centimetres", "centimeter", "centimetre", "cm"], "length", 0.01),
    (&["meters", "metres", "meter", "metre", "m"], "length", 1.0),
    (&["kilometers", "kilometres", "kilometer", "kilometre", "km"], "length", 1000.0),
    (&["inches", "inch"], "length", 0.0254),
    (&["feet", "foot", "ft"], "length", 0.3048),
    (&["yards", "yard", "yd", "yds"], "length", 0.9144),
    (&["miles", "mile", "mi"], "length", 1_609.344),
    (
        &[
            "square meters",
            "square metres",
            "square meter",
            "square metre",
            "sqm",
            "sq m",
            "m2",
            "m²",
        ],
        "area",
        1.0,
    ),
    (&["square feet", "square foot", "sqft", "sq ft", "sf", "ft2", "ft²"], "area", 0.092_903_04),
    (&["acres", "acre"], "area", 4_046.856_422_4),
    (&["hectares", "hectare", "ha"], "area", 10_000.0),
    (&["milligrams", "milligram", "mg"], "weight", 0.001),
    (&["grams", "gram", "g"], "weight", 1.0),
    (&["kilograms", "kilogram", "kilos", "kilo", "kg"], "weight", 1000.0),
    (&["ounces", "ounce", "oz"], "weight", 28.349_523_125),
    (&["lbs", "lb"], "weight", POUND),
    (&["milliliters", "millilitres", "ml"], "volume", 0.001),
    (&["liters", "litres", "liter", "litre", "l"], "volume", 1.0),
    (&["gallons", "gallon", "gal"], "volume", 3.785_411_784),
    (&["milliseconds", "millisecond", "ms"], "time", 0.001),
    (&["seconds", "second", "secs", "sec", "s"], "time", 1.0),
    (&["minutes", "minute", "mins", "min"], "time", 60.0),
    (&["hours", "hour", "hrs", "hr", "h"], "time", 3600.0),
    (&["days", "day"], "time", 86_400.0),
    (&["weeks", "week"], "time", 604_800.0),
    // A month has no fixed number of days, but a year has twelve of them.
    (&["months", "month"], "months", 1.0),
    (&["years", "year", "yrs", "yr"], "months", 12.0),
    (&["kilowatt hours", "kilowatt hour", "kwh"], "energy", 1.0),
    (&["kilowatts", "kilowatt", "kw"], "power", 1000.0),
    (&["watts", "watt"], "power", 1.0),
    (&["ppm", "parts per million"], "concentration", 1.0),
    (&["degrees celsius", "degrees", "degree", "celsius", "°c"], "celsius", 1.0),
    (&["degrees fahrenheit", "fahrenheit", "°f"], "fahrenheit", 1.0),
    (&["kelvin", "kelvins"], "kelvin", 1.0),
];

/// Units with signs, each with the stem of one of its names.
static STEMS: LazyLock<Vec<(MeasureUnit, String)>> = LazyLock::new(|| {
    let units = UNITS.iter().flat_map(|(names, measure, factor)| {
        names.iter().map(|name| (MeasureUnit::of(measure, *factor), word::stem(name)))
    });
    units.filter(|(unit, _)| unit.has_sign()).collect()
});

/// The unit of a name.
pub(crate) fn named(name: &str) -> Option<MeasureUnit> {
    let found = UNITS.iter().find(|(names, ..)| names.contains(&name))?;
    Some(MeasureUnit::of(found.1, found.2))
}

/// The currency that a sign such as `$` or `€` stands for.
pub(super) fn currency_sign(sign: &str) -> Option<MeasureUnit> {
    match sign {
        "$" | "US$" => named("dollars"),
        "€" => named("euros"),
        "£" => named("gbp"),
        "¥" => named("yen"),
        _ => None,
    }
}

/// The unit of letters that hang on a number: `5km`, `900sqft`.
pub(super) fn attached(tail: &str) -> Option<MeasureUnit> {
    // A large letter alone is part of a name: `5L` is a flat, `5l` is a volume.
    let is_name = tail.len() == 1 && tail.chars().all(char::is_uppercase);
    if is_name { None } else { named(&tail.to_lowercase()) }
}
