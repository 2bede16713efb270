//! Names of tables and columns in words.

/// A name in words: `lease_payments`, `LeasePayments` and `lease-payments` are `lease payments`.
pub(super) fn words(name: &str) -> String {
    let mut words = String::new();
    let mut before = ' ';
    for letter in name.chars() {
        if letter.is_uppercase() && before.is_lowercase() {
            words.push(' ');
        }
        let is_gap = matches!(letter, '_' | '-' | '.') || letter.is_whitespace();
        words.push(if is_gap { ' ' } else { letter.to_ascii_lowercase() });
        before = letter;
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A column of days in words: `moved_in_on` alone would not be one.
pub(super) fn date_words(column: &str) -> String {
    let words = words(column);
    if words.contains("date") || words.contains("day") {
        words
    } else {
        format!("date “{words}”")
    }
}

/// Words behind `a` or `an`.
pub(super) fn with_article(words: &str) -> String {
    let article = if words.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {words}")
}

/// Several of what a table holds.
pub(super) fn plural(table: &str) -> String {
    let words = words(table);
    match words.strip_suffix('y') {
        _ if words.ends_with('s') => words,
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if words.ends_with(['x', 'z']) || words.ends_with("ch") => format!("{words}es"),
        _ => format!("{words}s"),
    }
}

/// One of what a table holds.
pub(super) fn singular(table: &str) -> String {
    let words = words(table);
    if let Some(stem) = words.strip_suffix("ies") {
        return format!("{stem}y");
    }
    for ending in ["sses", "xes", "ches", "shes", "zes"] {
        if let Some(stem) = words.strip_suffix(ending) {
            return format!("{stem}{}", &ending[..ending.len() - 2]);
        }
    }
    match words.strip_suffix('s') {
        Some(stem) if !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
        _ => words,
    }
}

/// A text as a part of an id: small letters and digits with dashes between them.
pub(super) fn slug(text: &str) -> String {
    let letters = text.to_lowercase();
    let words = letters.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut slug = String::new();
    for word in words {
        if slug.len() + word.len() > 60 {
            break;
        }
        if !slug.is_empty() {
            slug.push('-');
        }
        slug.push_str(word);
    }
    if slug.is_empty() { "question".to_owned() } else { slug }
}

/// A text in SQL.
pub(super) fn text(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}

/// The name of a table or column in SQL.
pub(super) fn name(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    // Few names are keywords, and in quotes all are names.
    if is_plain && !is_keyword(name) {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('"', "\"\""))
    }
}

fn is_keyword(name: &str) -> bool {
    const KEYWORDS: [&str; 36] = [
        "add",
        "all",
        "alter",
        "and",
        "as",
        "between",
        "by",
        "case",
        "check",
        "default",
        "desc",
        "end",
        "exists",
        "from",
        "group",
        "having",
        "in",
        "index",
        "into",
        "is",
        "join",
        "limit",
        "not",
        "null",
        "on",
        "or",
        "order",
        "primary",
        "references",
        "select",
        "set",
        "table",
        "to",
        "transaction",
        "values",
        "where",
    ];
    KEYWORDS.contains(&name.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tables_are_said_as_people_say_them() {
        for (table, one, several) in [
            ("leases", "lease", "leases"),
            ("LeasePayments", "lease payment", "lease payments"),
            ("company", "company", "companies"),
            ("companies", "company", "companies"),
            ("tax", "tax", "taxes"),
            ("classes", "class", "classes"),
            ("status", "status", "status"),
            ("day", "day", "days"),
        ] {
            assert_eq!((singular(table).as_str(), plural(table).as_str()), (one, several));
        }
    }

    #[test]
    fn columns_of_days_are_said_as_dates() {
        assert_eq!(with_article(&date_words("end_date")), "an end date");
        assert_eq!(with_article(&date_words("moved_in_on")), "a date “moved in on”");
    }

    #[test]
    fn nothing_in_a_name_or_a_value_ends_the_statement() {
        assert_eq!(text("O'Hara"), "'O''Hara'");
        assert_eq!(name("order"), "\"order\"");
        assert_eq!(name("a\"b"), "\"a\"\"b\"");
        assert_eq!(name("rent"), "rent");
        assert_eq!(slug("Count: O'Hara & 2A"), "count-o-hara-2a");
        assert_eq!(slug("§"), "question");
    }
}
