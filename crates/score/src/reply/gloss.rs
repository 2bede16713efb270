//! Replies in German, French and Spanish, put into English word for word as far as a table goes.
//!
//! The result is no good English and need not be: it is read for states, refusals, places and
//! numbers, and words that the table lacks stay as they are.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::{pattern, word_order};

static GLOSSES: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let tables = [
        include_str!("tables/glosses.txt"),
        include_str!("tables/glosses_home.txt"),
        include_str!("tables/glosses_acts.txt"),
    ];
    let mut glosses = HashMap::new();
    for line in tables.into_iter().flat_map(pattern::lines) {
        let Some((english, words)) = line.split_once('=') else { continue };
        for word in words.split_whitespace().flat_map(inflected) {
            // A word that means several things means the first.
            glosses.entry(word).or_insert(english.trim());
        }
    }
    glosses
});

/// The forms of a word of the table: `rot~`, `vert&` and `roj@` stand for all their endings.
fn inflected(written: &str) -> Vec<String> {
    let word = written.replace(['-', '\'', '’'], " ");
    let endings: &[&str] = match word.chars().last() {
        Some('~') => &["", "e", "en", "er", "es", "em"],
        Some('&') => &["", "e", "s", "es"],
        Some('@') => &["o", "a", "os", "as"],
        _ => return vec![word],
    };
    let stem = &word[..word.len() - 1];
    endings.iter().map(|ending| format!("{stem}{ending}")).collect()
}

/// `À 18 h 47`, when its first word is English already.
static FRENCH_TIME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\bat (\d{1,2}) ?h ?(\d{2})\b").expect("the expression is valid")
});

/// A pronoun that stands for the subject once more.
static STRESSED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i), (?:lui|elle|eux|elles)(?: aussi)?,").expect("the expression is valid")
});

/// `Before ten minutes`, `there is ten minutes`, `hace ten minutes`.
static AGO: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:vor|before|there is|hace) ((?:a |about )?[\w-]+ (?:minutes?|hours?|seconds?|days?|tagen|tage|jours|días|stunde|heure|hora|weeks?|wochen|semaines|semanas|half an hour))\b|\b(?:vor|there is|hace) (half an hour|a quarter of an hour)\b")
        .expect("the expression is valid")
});

/// `At the five and quarter`, `at the eleven`, `by eleven uhr`, `at eleven hours`.
static CLOCK: LazyLock<Regex> = LazyLock::new(|| {
    let hours = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|una|[1-9]|1[0-2]";
    Regex::new(&format!(
        r"(?i)\b(?:a|at|to) the ({hours})\b(?: (?:and|y) (cuarto|a quarter|half))?(?: of the (morning|evening|night|tarde|afternoon))?|\b(?:by|at|to|against|vers|gegen) ({hours}) (?:uhr|heures?|hours?)\b(?: (?:of the|of|du|in the) (morning|evening|night|afternoon|soir|matin))?"
    ))
    .expect("the expression is valid")
});

/// `The room of Ella`, `Ellas room`.
static OWNED_ROOM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:the )?(?:bedroom|room) of ([A-Z]\w+)\b|\b([A-Z]\w+[^s\W])s (?:room|zimmer)\b")
        .expect("the expression is valid")
});

/// `Sixty and eight`.
static TEN_AND_ONE: LazyLock<Regex> = LazyLock::new(|| {
    let tens = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety";
    let ones = "one|two|three|four|five|six|seven|eight|nine";
    Regex::new(&format!(r"(?i)\b({tens}) and ({ones})\b")).expect("the expression is valid")
});

/// The longest phrase of the table, in words.
const LONGEST: usize = 5;
/// What stands behind an apostrophe in English.
const ENDINGS: [&str; 7] = ["re", "s", "t", "m", "ll", "ve", "d"];
/// Letters that join the parts of a German word.
const JOINTS: [&str; 4] = ["", "n", "s", "en"];

/// A text in English words, as far as they are known.
pub(super) fn english(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // `Le sèche-linge, lui, est éteint`.
    let text = &*STRESSED.replace_all(text, "");
    let pieces: Vec<(&str, &str)> = pieces(text);
    let mut at = 0;
    while at < pieces.len() {
        // The longest phrase wins, since its words alone may mean something else.
        let taken = (1..=LONGEST.min(pieces.len() - at)).rev().find_map(|length| {
            let phrase: Vec<String> =
                pieces[at..at + length].iter().map(|(word, _)| word.to_lowercase()).collect();
            let is_whole = pieces[at..at + length - 1].iter().all(|(_, gap)| is_joint(gap));
            let found = GLOSSES.get(&phrase.join(" ")).filter(|_| is_whole)?;
            Some(((*found).to_owned(), length))
        });
        let (word, length) = particle(&pieces, at)
            .map(|word| (word.to_owned(), 1))
            .or(taken)
            .unwrap_or_else(|| (compound(pieces[at].0), 1));
        out.push_str(&word);
        let gap = pieces[at + length - 1].1;
        // An apostrophe joins an article to its word in French (`l'eau`), and in English the rest of
        // a verb to its subject.
        let is_english = pieces.get(at + length).is_some_and(|(next, _)| ENDINGS.contains(next));
        out.push_str(if matches!(gap, "'" | "’") && !is_english { " " } else { gap });
        at += length;
    }
    // `Sesenta y ocho`.
    let out = TEN_AND_ONE.replace_all(&out, "$1-$2");
    let out = FRENCH_TIME.replace_all(&out, "at $1:$2");
    let out = AGO.replace_all(&out, "$1$2 ago");
    let out = CLOCK.replace_all(&out, in_the_clock);
    let out = OWNED_ROOM.replace_all(&out, "$1$2's room");
    decimal_points(&word_order::english(&out))
}

/// A time in words of other languages, in those of English.
fn in_the_clock(found: &Captures<'_>) -> String {
    let part = |at: usize| found.get(at).map_or("", |part| part.as_str());
    let hour = if part(1).is_empty() { part(4) } else { part(1) };
    let hour = if hour.eq_ignore_ascii_case("una") { "one" } else { hour };
    let half = match (part(3), part(5)) {
        ("morning", _) | (_, "morning" | "matin") => " in the morning",
        ("night", _) | (_, "night") => " at night",
        ("", "") => "",
        _ => " in the evening",
    };
    match part(2) {
        "half" => format!("at half past {hour}{half}"),
        "" if half.is_empty() => format!("at {hour} o'clock"),
        "" => format!("at {hour}{half}"),
        _ => format!("at quarter past {hour}{half}"),
    }
}

/// The second part of a German verb, at the end of its clause: `fährt den Rollladen hoch`, `das
/// Fenster steht auf`.
fn particle(pieces: &[(&str, &str)], at: usize) -> Option<&'static str> {
    let (word, gap) = pieces[at];
    let goes_on = gap.trim().is_empty() && at + 1 < pieces.len();
    let joins = |next: &str| matches!(next.to_lowercase().as_str(), "und" | "aber" | "sowie");
    if goes_on && !joins(pieces[at + 1].0) {
        return None;
    }
    // `Zu 64 Prozent` begins a clause, and ends none.
    let stands_behind = at > 0 && pieces[at - 1].1.trim().is_empty();
    match word.to_lowercase().as_str() {
        _ if !stands_behind => None,
        "auf" => Some("open"),
        "zu" => Some("closed"),
        "ein" => Some("on"),
        "hoch" | "rauf" | "herauf" => Some("up"),
        "runter" | "herunter" | "herab" => Some("down"),
        _ => None,
    }
}

/// Whether the table puts two of five words of a text into other ones, so that its language is one of
/// those the table is made of. What is a word of English too says nothing.
pub(super) fn knows(text: &str) -> bool {
    let words = pieces(text).into_iter().map(|(word, _)| word.to_lowercase());
    let is_foreign = |word: &String| {
        let is_english =
            super::plain_words::is_function_word(word) || super::plain_words::is_common(word);
        GLOSSES.get(word).is_some_and(|english| *english != word.as_str() && !is_english)
    };
    let (known, unknown): (Vec<String>, Vec<String>) =
        words.filter(|word| !word.is_empty()).partition(is_foreign);
    !known.is_empty() && known.len() * 5 >= (known.len() + unknown.len()) * 2
}

/// Whether what stands between two words leaves them one phrase.
fn is_joint(gap: &str) -> bool {
    gap.trim().is_empty() || matches!(gap, "'" | "’" | "-")
}

/// The words of a text, each with what stands between it and the next.
fn pieces(text: &str) -> Vec<(&str, &str)> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let gap = rest[word..].find(char::is_alphanumeric).map_or(rest.len(), |at| word + at);
        pieces.push((&rest[..word], &rest[word..gap]));
        rest = &rest[gap..];
    }
    pieces
}

/// A word of two known parts: `Küchenfenster`. Any other word stays as it is.
fn compound(word: &str) -> String {
    let lower = word.to_lowercase();
    let found = lower.char_indices().skip(2).find_map(|(at, _)| {
        let (head, tail) = lower.split_at(at);
        let tail = GLOSSES.get(tail).filter(|_| tail.len() > 3)?;
        JOINTS.iter().find_map(|joint| {
            let head = head.strip_suffix(joint)?;
            let head = GLOSSES.get(head).filter(|_| head.len() > 3)?;
            Some(format!("{head} {tail}"))
        })
    });
    let number = || {
        // `Achtundsechzig`.
        let (unit, ten) = lower.split_once("und")?;
        let unit = if unit == "ein" { Some(&"one") } else { GLOSSES.get(unit) };
        unit.zip(GLOSSES.get(ten)).map(|(unit, ten)| format!("{ten}-{unit}"))
    };
    found.or_else(number).unwrap_or_else(|| word.to_owned())
}

/// `14,6` as `14.6`.
fn decimal_points(text: &str) -> String {
    let signs: Vec<char> = text.chars().collect();
    let digit =
        |at: Option<usize>| at.and_then(|at| signs.get(at)).is_some_and(char::is_ascii_digit);
    let point = |(at, sign): (usize, &char)| {
        let is_decimal = *sign == ',' && digit(at.checked_sub(1)) && digit(Some(at + 1));
        if is_decimal { '.' } else { *sign }
    };
    signs.iter().enumerate().map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_languages_of_the_table_are_told_from_english() {
        for text in ["schalte das Licht aus", "éteins la lumière", "apaga la luz de la cocina"] {
            assert!(knows(text), "{text}");
        }
        for text in ["set a timer for ten minutes", "is a tomato a fruit", "light in the hay loft"]
        {
            assert!(!knows(text), "{text}");
        }
    }

    #[test]
    fn words_are_put_into_english() {
        assert_eq!(english("Das Licht in der Küche ist an."), "the light in the kitchen is on.");
        assert_eq!(
            english("Nein, das Bürofenster ist nicht offen"),
            "no, the office window is not open"
        );
        assert_eq!(english("Le store de droite est ouvert."), "the right blind is open.");
        assert_eq!(english("La piscina está a 14,6 grados."), "the pool is at 14.6 degrees.");
        assert_eq!(english("La lumière n'est pas allumée."), "the light  is not on.");
        assert_eq!(english("achtundsechzig Prozent"), "sixty-eight percent");
        assert_eq!(english("soixante-huit"), "sixty-eight");
        assert_eq!(english("sesenta y ocho"), "sixty-eight");
        assert_eq!(english("il sonne à 18 h 47"), "it is ringing at 18:47");
    }
}
