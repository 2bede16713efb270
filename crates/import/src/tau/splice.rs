//! Adds members to the text of a task, in the style of the members it has.

use toolgauge_core::Loss;

use super::edits::Edits;
use super::skim::Skim;
use crate::python_json::{ByteSpan, python_repr, write};

/// What is added to a task.
#[derive(Clone, Copy, Debug)]
pub struct Additions<'a> {
    /// The value of `partial_score`.
    pub score: f64,
    /// The value of `losses`, if it is to be added.
    pub losses: Option<&'a [Loss]>,
}

/// How the members of a task are laid out, as its last member shows.
struct Layout<'a> {
    /// Where the next member goes.
    end: usize,
    /// What stands between a comma and the next key.
    gap: &'a [u8],
    /// What stands between a key and its value.
    colon: &'a [u8],
    /// Whether there is a member to put a comma after.
    comma: bool,
}

/// Notes what the additions change in `task`, which begins at `start` of its batch.
pub(super) fn splice(
    task: &[u8],
    start: usize,
    skim: &Skim,
    additions: &Additions<'_>,
    edits: &mut Edits,
) {
    let layout = Layout::of(task, skim);
    let score = python_repr(additions.score);
    let losses = additions.losses.map(|losses| losses_text(losses, &layout));
    let mut replacements: Vec<(&ByteSpan, &str)> = Vec::new();
    replacements.extend(skim.scores.iter().map(|span| (span, score.as_str())));
    if let Some(losses) = &losses {
        replacements.extend(skim.losses.iter().map(|span| (span, losses.as_str())));
    }
    replacements.sort_by_key(|(span, _)| span.start);
    for (span, text) in replacements {
        edits.push(start + span.start..start + span.end, |out| {
            out.extend_from_slice(text.as_bytes());
        });
    }
    let mut comma = layout.comma;
    let end = start + layout.end;
    edits.push(end..end, |out| {
        if skim.scores.is_empty() {
            layout.member("partial_score", &score, comma, out);
            comma = true;
        }
        if let Some(losses) = losses.as_ref().filter(|_| skim.losses.is_empty()) {
            layout.member("losses", losses, comma, out);
        }
    });
}

impl<'a> Layout<'a> {
    fn of(task: &'a [u8], skim: &Skim) -> Self {
        let Some((key, value)) = &skim.last_member else {
            return Self { end: 1, gap: b" ", colon: b": ", comma: false };
        };
        let before = &task[..*key];
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        let spaces = before.iter().rev().take_while(|byte| is_space(byte)).count();
        let after_brace = before.len() - spaces == 1;
        let gap = &before[before.len() - spaces..];
        let colon = colon(&task[*key..value.start]);
        // A task of one member shows no comma. On one line, its colon tells the style.
        let gap = match (after_brace, gap.contains(&b'\n')) {
            (true, false) if colon.ends_with(b" ") => &b" "[..],
            (true, false) => b"",
            _ => gap,
        };
        Self { end: value.end, gap, colon, comma: true }
    }

    fn member(&self, key: &str, value: &str, comma: bool, out: &mut Vec<u8>) {
        if comma {
            out.push(b',');
            out.extend_from_slice(self.gap);
        }
        out.push(b'"');
        out.extend_from_slice(key.as_bytes());
        out.push(b'"');
        out.extend_from_slice(self.colon);
        out.extend_from_slice(value.as_bytes());
    }
}

/// What stands between the end of the key that `member` begins with and its value.
fn colon(member: &[u8]) -> &[u8] {
    let quote = member.iter().rposition(|byte| *byte == b'"').unwrap_or(0);
    &member[quote + 1..]
}

/// The losses as a list; in a file with a line for each member, one line a loss.
fn losses_text(losses: &[Loss], layout: &Layout<'_>) -> String {
    let gap = String::from_utf8_lossy(layout.gap);
    let Some(newline) = gap.find('\n').filter(|_| !losses.is_empty()) else {
        return list(losses, "", ", ", "");
    };
    // The indentation of a member tells the step: a task is one level deep, its members two.
    let indent = &gap[newline + 1..];
    let deeper = format!("{gap}{}", &indent[..indent.len() / 2]);
    list(losses, &deeper, &format!(",{deeper}"), &gap)
}

fn list(losses: &[Loss], first: &str, between: &str, last: &str) -> String {
    let mut text = String::from("[");
    for (index, loss) in losses.iter().enumerate() {
        text.push_str(if index == 0 { first } else { between });
        let value = serde_json::to_value(loss).expect("a loss is made of plain values");
        write(&value, &mut text);
    }
    text.push_str(last);
    text.push(']');
    text
}
