//! Words in the form in which they are compared.

use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

/// Short forms and what they stand for, in addresses, company names and everyday letters.
const SHORT_FORMS: &[(&str, &str)] = &[
    ("n", "north"),
    ("s", "south"),
    ("e", "east"),
    ("w", "west"),
    ("ne", "northeast"),
    ("nw", "northwest"),
    ("se", "southeast"),
    ("sw", "southwest"),
    ("st", "street"),
    ("str", "street"),
    ("ave", "avenue"),
    ("av", "avenue"),
    ("rd", "road"),
    ("dr", "drive"),
    ("blvd", "boulevard"),
    ("ln", "lane"),
    ("ct", "court"),
    ("pl", "place"),
    ("sq", "square"),
    ("ter", "terrace"),
    ("terr", "terrace"),
    ("pkwy", "parkway"),
    ("hwy", "highway"),
    ("cir", "circle"),
    ("trl", "trail"),
    ("apt", "apartment"),
    ("ste", "suite"),
    ("bldg", "building"),
    ("fl", "floor"),
    ("rm", "room"),
    ("mt", "mount"),
    ("ft", "fort"),
    ("inc", "incorporated"),
    ("corp", "corporation"),
    ("co", "company"),
    ("ltd", "limited"),
    ("dept", "department"),
    ("govt", "government"),
    ("mgmt", "management"),
    ("mgr", "manager"),
    ("asst", "assistant"),
    ("acct", "account"),
    ("approx", "approximately"),
    ("est", "estimated"),
    ("avg", "average"),
    ("max", "maximum"),
    ("min", "minimum"),
    ("qty", "quantity"),
    ("amt", "amount"),
    ("vs", "versus"),
    ("yr", "year"),
    ("yrs", "year"),
    ("mo", "month"),
    ("mos", "month"),
    ("hr", "hour"),
    ("hrs", "hour"),
];

/// A word in small letters, without the `'s` of its owner.
pub(super) fn lower(word: &str) -> String {
    let lower = word.to_lowercase().replace('’', "'");
    let owned = lower.strip_suffix("'s").or_else(|| lower.strip_suffix('\''));
    owned.unwrap_or(&lower).to_owned()
}

/// The stem of a word, short forms written out.
pub(crate) fn stem(word: &str) -> String {
    let written_out = SHORT_FORMS.iter().find(|(short, _)| *short == word).map(|(_, long)| *long);
    STEMMER.stem(written_out.unwrap_or(word)).into_owned()
}
