//! What somebody probably meant.

/// The known word nearest to `word`, if one is near enough to be meant.
pub(crate) fn nearest<'a, S: AsRef<str> + ?Sized + 'a>(
    word: &str,
    known: impl IntoIterator<Item = &'a S>,
) -> Option<&'a str> {
    let word = word.to_lowercase();
    let likeness = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        // A word inside another (`light` for `set_light`) is near whatever the lengths say.
        let inside = word.len() >= 4 && candidate.contains(&word);
        let inside = inside || (candidate.len() >= 4 && word.contains(&candidate));
        strsim::normalized_damerau_levenshtein(&word, &candidate) + if inside { 0.3 } else { 0.0 }
    };
    let mut best: Option<(&str, f64)> = None;
    for candidate in known {
        let likeness = likeness(candidate.as_ref());
        if likeness >= 0.55 && best.is_none_or(|(_, other)| likeness > other) {
            best = Some((candidate.as_ref(), likeness));
        }
    }
    best.map(|(candidate, _)| candidate)
}

/// A hint that names the nearest word, or all known ones where none is near.
pub(crate) fn suggest<S: AsRef<str>>(word: &str, noun: &str, known: &[S]) -> Option<String> {
    if let Some(near) = nearest(word, known) {
        return Some(format!("did you mean `{near}`?"));
    }
    if known.is_empty() {
        return None;
    }
    Some(format!("known {noun}: {}", enumerate(known)))
}

/// The first words of a list, and how many more there are.
pub(crate) fn enumerate<S: AsRef<str>>(words: &[S]) -> String {
    const SHOWN: usize = 20;
    let shown: Vec<String> =
        words.iter().take(SHOWN).map(|word| format!("`{}`", word.as_ref())).collect();
    match words.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_understood() {
        let known = ["response", "rules", "order"];
        assert_eq!(nearest("respones", &known), Some("response"));
        assert_eq!(nearest("Order", &known), Some("order"));
        assert_eq!(nearest("quality", &known), None);
    }

    #[test]
    fn all_known_words_are_named_when_none_is_near() {
        assert_eq!(
            suggest("xyz", "tools", &["set_light", "get_time"]).unwrap(),
            "known tools: `set_light`, `get_time`"
        );
    }
}
