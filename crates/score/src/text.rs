//! Comparing strings whatever their case and white space, and searching them by expression.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use regex::Regex;

/// The characters of a text that count when case and white space do not.
///
/// Upper case comes before lower case so that letters with several small forms (`ß`, `ς`) meet.
fn folded(text: &str) -> impl Iterator<Item = char> {
    text.chars()
        .filter(|c| !c.is_whitespace())
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
}

/// Whether two texts differ in nothing but case and white space.
pub(crate) fn loosely_equal(a: &str, b: &str) -> bool {
    // What both begin with is passed over byte by byte: most texts that are compared are equal, or
    // long and alike.
    let same = |(a, b): &(u8, u8)| a == b && a.is_ascii();
    let common = a.bytes().zip(b.bytes()).take_while(same).count();
    folded(&a[common..]).eq(folded(&b[common..]))
}

/// A text such that loosely equal texts give the same one.
pub(crate) fn fold(text: &str) -> String {
    folded(text).collect()
}

/// How many compiled expressions a thread keeps. A suite has few; the limit only stops a stream
/// of hostile ones from filling the memory.
const KEPT: usize = 256;

thread_local! {
    static COMPILED: RefCell<HashMap<String, Option<Rc<Regex>>>> = RefCell::new(HashMap::new());
}

/// Whether the expression finds a match in the text, and the other one none. Where either is
/// invalid, nothing fits.
pub(crate) fn fits(expression: &str, not: Option<&str>, text: &str) -> bool {
    let is_free = |not| compiled(not).is_some_and(|regex| !regex.is_match(text));
    compiled(expression).is_some_and(|regex| regex.is_match(text)) && not.is_none_or(is_free)
}

/// The part of a text that the expression finds, if any.
pub fn found_in<'t>(expression: &str, text: &'t str) -> Option<&'t str> {
    compiled(expression)?.find(text).map(|found| found.as_str())
}

/// Compiling is far dearer than searching and every trial of a case asks again, so each thread
/// keeps what it has compiled.
fn compiled(expression: &str) -> Option<Rc<Regex>> {
    COMPILED.with_borrow_mut(|compiled| {
        if let Some(known) = compiled.get(expression) {
            return known.clone();
        }
        if compiled.len() >= KEPT {
            compiled.clear();
        }
        let regex = Regex::new(expression).ok().map(Rc::new);
        compiled.insert(expression.to_owned(), regex.clone());
        regex
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_white_space_do_not_count() {
        assert!(loosely_equal("  Living \t ROOM\n", "living room"));
        assert!(loosely_equal("livingroom", "Living Room"));
        assert!(loosely_equal("STRASSE", "straße"));
        assert!(!loosely_equal("living-room", "living room"));
        assert_eq!(fold(" A b "), fold("ab"));
    }

    #[test]
    fn nothing_fits_an_invalid_expression() {
        assert!(fits("^re+d$", None, "reed"));
        assert!(!fits("^re+d$", None, "red "));
        assert!(!fits("(", None, "("));
        assert!(fits("re+d", Some("green"), "reed"));
        assert!(!fits("re+d", Some("green"), "red and green"));
        assert!(!fits("re+d", Some("("), "reed"));
    }

    #[test]
    fn more_expressions_than_are_kept_still_work() {
        for n in 0..2 * KEPT {
            assert!(fits(&format!("^{n}$"), None, &n.to_string()));
        }
    }
}
