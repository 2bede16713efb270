//! Words in the form in which they are compared.

use std::borrow::Cow;
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

/// A word without the marks on its letters: `naïve` is `naive`, `straße` is `strasse`.
fn folded(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return Cow::Borrowed(word);
    }
    let mut folded = String::with_capacity(word.len());
    for letter in word.chars() {
        match letter {
            'à'..='å' | 'ā' | 'ă' | 'ą' => folded.push('a'),
            'æ' => folded.push_str("ae"),
            'ç' | 'ć' | 'č' => folded.push('c'),
            'ď' | 'đ' | 'ð' => folded.push('d'),
            'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => folded.push('e'),
            'ğ' => folded.push('g'),
            'ì'..='ï' | 'ī' | 'ı' => folded.push('i'),
            'ł' => folded.push('l'),
            'ñ' | 'ń' | 'ň' => folded.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ő' => folded.push('o'),
            'œ' => folded.push_str("oe"),
            'ř' => folded.push('r'),
            'ś' | 'š' | 'ş' | 'ș' => folded.push('s'),
            'ß' => folded.push_str("ss"),
            'ť' | 'ț' => folded.push('t'),
            'ù'..='ü' | 'ū' | 'ů' | 'ű' => folded.push('u'),
            'ý' | 'ÿ' => folded.push('y'),
            'ź' | 'ż' | 'ž' => folded.push('z'),
            // Marks that stand behind their letter.
            '\u{300}'..='\u{36f}' => {}
            other => folded.push(other),
        }
    }
    Cow::Owned(folded)
}

/// The stem of a word, short forms written out and without marks on its letters.
pub(crate) fn stem(word: &str) -> String {
    let word = &*folded(word);
    let written_out = SHORT_FORMS.iter().find(|(short, _)| *short == word).map(|(_, long)| *long);
    STEMMER.stem(written_out.unwrap_or(word)).into_owned()
}
