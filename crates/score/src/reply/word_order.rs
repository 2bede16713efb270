//! The words of German and Spanish reports in the order of English, once they are put into English
//! one by one.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// What stands behind `have` where something was done.
const DONE: &str = "turned on|turned off|switched on|switched off|opened|closed|locked|unlocked|\
                    raised|lowered|dimmed|set|started|stopped|paused|resumed|muted|added|put|removed|\
                    cancelled|sent|called|ordered|armed|activated|deactivated|returned|changed|left|\
                    checked";

/// `Have on`: what is a state in English is what was done with it.
static STATE_DONE: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"(?i)\b(have|has|been)((?: not| just| now| also| again)?) (on|off)\b")
});

/// `Now have i`.
static VERB_FIRST: LazyLock<Regex> =
    LazyLock::new(|| expression(r"(?i)\b(have|am|can) (i|we)\b([^?.!\n]*)"));

/// `No is on`.
static NO_BEFORE_VERB: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"(?i)\bno (?:it |them )?(i have|we have|is|are|was|were|has|have|can|could)\b")
});

/// `I have the light in the kitchen turned off`.
static ACT_AT_END: LazyLock<Regex> = LazyLock::new(|| {
    expression(&format!(
        r"(?i)\b((?:i|we) have) ([^.,;:!?\n]{{1,100}}?) ({DONE})( and | but |[.,;:!?\n]|$)"
    ))
});

/// `And the door locked`, behind one of these.
static FURTHER_ACT: LazyLock<Regex> = LazyLock::new(|| {
    expression(&format!(
        r"(?i)\b(i have [^.;:!?\n]{{1,100}}?) and (the|a|also|my|your) ([^.,;:!?\n]{{1,60}}?) ({DONE})([.,;:!?\n]|$)"
    ))
});

/// `I turn the light off`, which German says of what is being done.
static BY_SPEAKER: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"(?i)\bi (turn|close|open|lock|unlock|set|add|start|stop|raise|lower)( on| off)?\b")
});

/// `Close the door ab`: the second part of the verb stands at the end.
static LOCKING: LazyLock<Regex> = LazyLock::new(|| {
    expression(r"(?i)\b(clos|lock)(e|ing|) ([^.,;:!?\n]*?) (ab|open)([.,;:!?\n]| and |$)")
});

/// `By 18 o'clock`.
static BY_THE_CLOCK: LazyLock<Regex> =
    LazyLock::new(|| expression(r"(?i)\bby (\d{1,2}(?:[:.]\d\d)?) (uhr|h)\b"));

/// `The blind is fully upstairs`.
static MOVED: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?i)\b((?:blind|shutter|curtain|shade)s?\b[^.;:!?\n]*?) (is|are)((?: now| fully| entirely| already)*) (up|down)stairs\b",
    )
});

/// Things that are told apart by the words behind them in French and Spanish.
const THINGS: &str = "ceiling light|ceiling lamp|ceiling fan|window|door|curtain|thermostat|radiator|\
                      blind|shutter|gate|fan|lamp|television|mirror light";

/// Rooms by which things are told apart.
const ROOMS: &str = "kitchen|living room|dining room|bedroom|bathroom|hallway|office|study|garage|guest room|\
                     cellar|attic|garden|greenhouse";

/// `The blind of right`, `the blind right`.
static SIDE_BEHIND: LazyLock<Regex> =
    LazyLock::new(|| expression(&format!(r"(?i)\b({THINGS})(?: of)?(?: the)? (left|right)\b")));

/// `The ceiling light of the bedroom`.
static ROOM_BEHIND: LazyLock<Regex> =
    LazyLock::new(|| expression(&format!(r"(?i)\b({THINGS}) (?:of|in)(?: the)? ({ROOMS})\b")));

/// `Open is the window`.
static STATE_FIRST: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"(?i)(^|[.!;,] )(open|closed|on|off|locked|unlocked) (is|are) ((?:currently |now |only )?)([^.,;:!?\n]+)",
    )
});

fn expression(written: &str) -> Regex {
    Regex::new(written).expect("the expression is valid")
}

/// A text in the order of English: `I have the light turned off` as `I have turned off the light`.
pub(super) fn english(text: &str) -> String {
    let text = STATE_FIRST.replace_all(text, "$1$5 $3 $4$2");
    let text = BY_THE_CLOCK.replace_all(&text, "at $1 $2");
    let text = MOVED.replace_all(&text, "$1 $2$3 rolled $4");
    let text = BY_SPEAKER.replace_all(&text, |found: &Captures<'_>| {
        let particle = found.get(2).map_or("", |particle| particle.as_str());
        format!("i am {}{particle}", continuous(&found[1].to_lowercase()))
    });
    let text = LOCKING.replace_all(&text, |found: &Captures<'_>| {
        let verb = if &found[4] == "ab" { "lock" } else { "unlock" };
        let ending = if &found[2] == "ing" { "ing" } else { "" };
        format!("{verb}{ending} {}{}", &found[3], &found[5])
    });
    let text = SIDE_BEHIND.replace_all(&text, "$2 $1");
    let text = ROOM_BEHIND.replace_all(&text, "$2 $1");
    let text = STATE_DONE.replace_all(&text, "$1$2 turned $3");
    let text = VERB_FIRST.replace_all(&text, |found: &Captures<'_>| {
        format!("{} {}{}", &found[2], &found[1], &found[3])
    });
    let text = NO_BEFORE_VERB.replace_all(&text, "$1 not");
    let text = ACT_AT_END.replace_all(&text, |found: &Captures<'_>| {
        let (have, object, act, end) = (&found[1], &found[2], &found[3], &found[4]);
        let begins = object.split(' ').next().unwrap_or_default();
        if super::pattern::is_act(begins, 1) || begins == "left" {
            return found[0].to_owned();
        }
        match object.strip_suffix(" not") {
            _ if object == "not" => found[0].to_owned(),
            Some(object) => format!("{have} not {act} {object}{end}"),
            None => format!("{have} {act} {object}{end}"),
        }
    });
    let text = FURTHER_ACT.replace_all(&text, |found: &Captures<'_>| {
        let states = [" is ", " are ", " was ", " have ", " has "];
        if states.iter().any(|verb| found[3].contains(verb)) {
            return found[0].to_owned();
        }
        format!("{} and i have {} {} {}{}", &found[1], &found[4], &found[2], &found[3], &found[5])
    });
    text.into_owned()
}

/// `Turning` of `turn`.
fn continuous(verb: &str) -> String {
    match verb {
        "set" | "stop" => format!("{verb}{}ing", &verb[verb.len() - 1..]),
        _ => format!("{}ing", verb.strip_suffix('e').unwrap_or(verb)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acts_stand_behind_their_verb() {
        let order = |text: &str| english(text);
        assert_eq!(
            order("i have the light in the kitchen turned off."),
            "i have turned off the light in the kitchen."
        );
        assert_eq!(
            order("the radiator have i with turned off"),
            "the radiator i have turned off with"
        );
        assert_eq!(order("i have the light not turned on."), "i have not turned on the light.");
        assert_eq!(order("no i have on the light"), "i have not turned on the light");
        assert_eq!(
            order("i have the light turned off and the door locked."),
            "i have turned off the light and i have locked the door."
        );
        assert_eq!(order("i have on the lamp"), "i have turned on the lamp");
    }
}
