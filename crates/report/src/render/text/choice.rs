//! Which model to take, on one screen.

use std::cmp::Ordering;
use std::fmt::{self, Display};

use super::style::{HEADING, is_colored, paint};
use crate::choice::{ChoiceRival, Contestant, ExposureEffect, FailedCommand, ModelChoice};
use crate::compare::{DifferenceVerdict, p_value};
use crate::harmless::{line, line_within};
use crate::number::{counted, estimate, seconds};
use crate::times::Percentiles;

/// How many models are listed beside the one that is taken.
const OTHERS: usize = 4;

/// How many commands are listed that would fail: the rest of a screen.
const COMMANDS: usize = 10;

impl Display for ModelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = self.limit_seconds.map(|limit| format!(" with answers within {limit} s"));
        let question =
            format!("Which model for {}{}?", line(&self.suite), limit.unwrap_or_default());
        writeln!(f, "\n{}\n", paint(is_colored(f), HEADING, &question))?;
        let Some(shown) = self.shown() else {
            return writeln!(f, "  best       none: no trial of any model could be scored");
        };
        self.models(f, shown)?;
        self.changes(f, shown)?;
        list(f, "expose", self.exposures.iter().map(exposure))?;
        let acts = self.contestants.iter().take(OTHERS + 1);
        let acts = acts.map(|one| format!("{} {}", line(&one.name), one.wrong_acts));
        let acts = acts.collect::<Vec<_>>().join(", ");
        writeln!(f, "  wrong acts {acts} (on locks, covers, alarms and the like)")?;
        commands(f, shown)
    }
}

impl ModelChoice {
    /// The models with their scores and times, and how sure their order is.
    fn models(&self, f: &mut fmt::Formatter<'_>, shown: &Contestant) -> fmt::Result {
        let label = if self.best.is_some() {
            "best"
        } else {
            let limit = self.limit_seconds.map(|limit| format!(" within {limit} s"));
            let limit = limit.unwrap_or_else(|| " in time".to_owned());
            writeln!(f, "  best       none: no model does nine in ten commands{limit}")?;
            "most right"
        };
        writeln!(f, "  {label:10} {}", figures(shown))?;
        let others: Vec<&Contestant> =
            self.contestants.iter().filter(|one| one.name != shown.name).collect();
        list(f, "others", others.iter().take(OTHERS).map(|one| figures(one)))?;
        if others.len() > OTHERS {
            writeln!(f, "             and {} more above", others.len() - OTHERS)?;
        }
        let waits = std::iter::once(shown).chain(others).take(OTHERS).filter_map(waits);
        list(f, "waits", waits)?;
        list(f, "how sure", self.rivals.iter().take(OTHERS).map(sureness))
    }

    /// The fastest model, where all are too slow.
    fn fastest(&self) -> Option<&Contestant> {
        let known =
            self.contestants.iter().filter(|one| one.score.is_some() && !one.is_fast_enough);
        let known = known.filter(|one| one.p90.is_some());
        let fastest = known.min_by(|a, b| a.p90.partial_cmp(&b.p90).unwrap_or(Ordering::Equal));
        fastest.filter(|_| self.best.is_none())
    }

    /// What would make another model the best one.
    fn changes(&self, f: &mut fmt::Formatter<'_>, shown: &Contestant) -> fmt::Result {
        let let_in = |one: &Contestant, then: &str| {
            Some(format!("a limit of {} would {then}", seconds(one.p90?)))
        };
        let fastest = self.fastest();
        let in_time = fastest.and_then(|one| {
            let_in(one, &format!("let {} in, which is the fastest", line(&one.name)))
        });
        // Where the best one is the fastest as well, one limit says it all.
        let slower = self.slower().filter(|one| fastest.is_none_or(|of| of.name != one.name));
        let slower = slower.and_then(|one| let_in(one, &format!("make it {}", line(&one.name))));
        let nearest = self.rivals.iter().filter_map(|rival| Some((rival, rival.more_cases?)));
        let nearest = nearest.filter(|(rival, _)| !rival.is_decided());
        let more = nearest.min_by_key(|(_, more)| *more).map(|(rival, more)| {
            let (name, best) = (line(&rival.name), line(&shown.name));
            format!("about {more} more cases would tell {name} from {best}")
        });
        list(f, "changes", in_time.into_iter().chain(slower).chain(more))
    }
}

/// Lines of which only the first has a name.
fn list(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    lines: impl Iterator<Item = String>,
) -> fmt::Result {
    for (at, line) in lines.enumerate() {
        writeln!(f, "  {:10} {line}", if at == 0 { name } else { "" })?;
    }
    Ok(())
}

/// A model and its figures in a line.
fn figures(one: &Contestant) -> String {
    let score = one.score.as_ref().map_or_else(|| "no trial could be scored".to_owned(), estimate);
    let time = one.p90.map(|p90| {
        let too_slow = if one.is_fast_enough { "" } else { ": too slow" };
        format!(", nine in ten within {}{too_slow}", seconds(p90))
    });
    let in_time = one.in_time.as_ref().map(|in_time| {
        format!("; right within {} s: {:.3}", in_time.budget_seconds, in_time.rate.mean)
    });
    let unanswered = match one.unanswered {
        0 => String::new(),
        count => format!("; no answer in {count} of {}", counted(one.trials, "trial")),
    };
    let name = line_within(&one.name, 60);
    let (time, in_time) = (time.unwrap_or_default(), in_time.unwrap_or_default());
    format!("{name}  {score}{time}{in_time}{unanswered}")
}

/// What a person waits for with a model, in a line; nothing where only the whole time is known.
fn waits(one: &Contestant) -> Option<String> {
    let waits = one.waits?;
    let medians = |word: Option<Percentiles>, act: Option<Percentiles>| {
        let word = word.map(|word| format!("first word {}", seconds(word.p50)));
        let act = act.map(|act| format!("last act {}", seconds(act.p50)));
        Some(word.into_iter().chain(act).collect::<Vec<_>>().join(", ")).filter(|s| !s.is_empty())
    };
    let warm = medians(waits.first_word, waits.last_act);
    let cold = medians(waits.cold_first_word, waits.cold_last_act)
        .map(|cold| format!("prompt not cached: {cold}"));
    let parts: Vec<String> = warm.into_iter().chain(cold).collect();
    let name = line_within(&one.name, 60);
    (!parts.is_empty()).then(|| format!("{name}  {} (medians)", parts.join("; ")))
}

impl ChoiceRival {
    fn is_decided(&self) -> bool {
        matches!(self.verdict, DifferenceVerdict::Better | DifferenceVerdict::Worse)
    }
}

fn sureness(rival: &ChoiceRival) -> String {
    let name = line(&rival.name);
    let p = rival.p_value.map(|p| format!(" ({})", p_value(p))).unwrap_or_default();
    match rival.verdict {
        DifferenceVerdict::Worse => format!("{name} is shown to be worse{p}"),
        DifferenceVerdict::Better => {
            format!("{name} is shown to be better on the cases both have{p}")
        }
        _ => format!("{name} is not shown to be worse{p}"),
    }
}

/// What exposing fewer devices does, in a line.
fn exposure(effect: &ExposureEffect) -> String {
    let points = |share: f64| format!("{:+.1}", share * 100.0);
    let interval =
        effect.interval.map(|(low, high)| format!(" [{}, {}]", points(low), points(high)));
    let time = effect.seconds.map(|seconds| format!(", {seconds:+.2} s at the median"));
    format!(
        "{} of your {} devices with {}: {} points{}{}",
        effect.exposed,
        effect.all,
        line(&effect.model),
        points(effect.difference),
        interval.unwrap_or_default(),
        time.unwrap_or_default()
    )
}

/// What people would see fail.
fn commands(f: &mut fmt::Formatter<'_>, taken: &Contestant) -> fmt::Result {
    let name = line(&taken.name);
    if taken.failed.is_empty() {
        return writeln!(
            f,
            "  fails      nothing of {} with {name}",
            counted(taken.trials - taken.unanswered, "trial")
        );
    }
    writeln!(f, "  fails      {} with {name}:", counted(taken.failed.len(), "command"))?;
    for command in taken.failed.iter().take(COMMANDS) {
        let FailedCommand { sentence, domain, is_unsafe, why, .. } = command;
        let mark = if *is_unsafe { "!" } else { " " };
        let domain = line_within(domain.as_deref().unwrap_or_default(), 20);
        writeln!(f, "    {mark} {domain:20} \"{}\": {why}", line_within(sentence, 60))?;
    }
    if taken.failed.len() > COMMANDS {
        writeln!(f, "      and {} more", taken.failed.len() - COMMANDS)?;
    }
    Ok(())
}
