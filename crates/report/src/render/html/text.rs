//! Words in pages: names, blocks of text, badges.

use maud::{Markup, html};

use super::icon::Icon;
use crate::harmless;
use crate::render::tone::Tone;

/// A name that a suite, a model or a person gave: one line, cut off where it is very long.
/// It is set apart, so that its direction of writing does not reach beyond it.
pub fn name(name: &str) -> Markup {
    html! { bdi { (harmless::line(name)) } }
}

/// Text of at most so many bytes and lines fits its box on a phone too; what is longer scrolls.
const SHORT: (usize, usize) = (600, 15);

/// Text of several lines, at most so many bytes of it. Where it scrolls, it has a stop for the
/// keyboard.
pub fn block(text: &str, most: usize) -> Markup {
    let (shown, left_out) = harmless::beginning(text, most);
    block_of(shown, left_out, &html! { (harmless::block(shown)) })
}

/// The same for text that is marked up already, of which so many bytes are left out.
pub(super) fn block_of(text: &str, left_out: usize, content: &Markup) -> Markup {
    let scrolls = text.len() > SHORT.0 || text.lines().count() > SHORT.1;
    html! {
        @if scrolls {
            pre.text dir="auto" tabindex="0" role="group" aria-label="Long text" { (content) }
        } @else {
            pre.text dir="auto" { (content) }
        }
        @if left_out > 0 {
            p.left-out { "… and " (harmless::size(left_out)) " more" }
        }
    }
}

/// A badge that carries its meaning in words.
pub fn badge(tone: Tone, words: &str) -> Markup {
    html! { span class={ "badge " (tone.class()) } { (harmless::line(words)) } }
}

/// A badge with a sign before its words.
pub fn marked(tone: Tone, icon: Icon, words: &str) -> Markup {
    html! { span class={ "badge mark " (tone.class()) } { (icon) (harmless::line(words)) } }
}

/// A verdict's letter, explained where the pointer rests and to who listens.
pub fn letter(verdict: toolgauge_core::Verdict) -> Markup {
    use toolgauge_core::Verdict::{Correct, Incorrect, NotApplicable};
    let (tone, words) = match verdict {
        Correct => (Tone::Good, "correct"),
        Incorrect => (Tone::Bad, "incorrect"),
        NotApplicable => (Tone::Plain, "not applicable"),
    };
    html! {
        span class={ "badge letter " (tone.class()) } title=(words) {
            span aria-hidden="true" { (verdict.letter()) }
            span.unseen { (words) }
        }
    }
}

/// A fragment under a heading; nothing if it is empty.
pub(super) fn part(heading: &str, fragment: &Markup) -> Markup {
    html! { @if !fragment.0.is_empty() { h3 { (name(heading)) } (fragment) } }
}

/// Words that lead somewhere, if there is somewhere to lead to.
pub(super) fn linked(href: Option<String>, words: &Markup) -> Markup {
    html! {
        @match href {
            Some(href) => a href=(href) { (words) },
            None => (words),
        }
    }
}
