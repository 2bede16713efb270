//! A summary for people to read at a glance.

use std::fmt::{self, Display, Write};

use indexmap::IndexMap;
use toolgauge_core::{Fix, Usage};

use super::facts::fact;
use super::style::{HEADING, is_colored, paint};
use super::table;
use crate::failures::Failures;
use crate::grades::CATEGORY;
use crate::harmless;
use crate::harmless::line;
use crate::number::{counted, estimate, seconds};
use crate::rate::Rate;
use crate::recorded_figure::RecordedFigure;
use crate::render::html::NoLinks;
use crate::render::tables;
use crate::standing::GRADED_SCORER;
use crate::summary::Summary;
use crate::times::{Latencies, Percentiles};
use crate::unscored::{self, oddity_advice};

/// How many values of a tag are shown.
const SLICES: usize = 8;

/// How many ways to fail are shown.
const FAILURES: usize = 5;

/// How many trials are named in a line.
const TRIALS: usize = 20;

impl Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.heading(f)?;
        self.scores(f)?;
        if let Some(grades) = &self.grades {
            if self.other_scorer_than_grades().is_some() {
                fact(f, "graded by", GRADED_SCORER)?;
            }
            grades.fmt(f)?;
        }
        table::write(f, &tables::dimensions(self, &NoLinks))?;
        rates(f, "scorer", &self.scorers)?;
        table::write(f, &tables::measures(self))?;
        if let Some(tiers) = &self.tiers {
            tiers.fmt(f)?;
        }
        for (tag, values) in &self.tags {
            // Grades have a table by category of their own, and so have tiers.
            let is_tier = self.tiers.as_ref().is_some_and(|tiers| tiers.tag == tag);
            let shown_above = is_tier || tag == CATEGORY && self.grades.is_some();
            if shown_above {
                continue;
            }
            slices(f, tag, values)?;
        }
        table::write(f, &tables::losses(self, &NoLinks))?;
        table::write(f, &tables::confusions(self))?;
        table::write(f, &tables::violations(self))?;
        self.repetition(f)?;
        self.cost(f)
    }
}

impl Summary {
    /// The run in one line, for a build server's summary.
    pub fn line(&self) -> String {
        let what = format!("{} · {}", self.suite.name, self.subject.name);
        let mut line = match &self.variant {
            Some(variant) => format!("{what} · {variant}: "),
            None => format!("{what}: "),
        };
        let other = self.other_scorer_than_grades();
        let of = |scorer: &str| format!(" ({scorer})");
        if let Some(grades) = &self.grades {
            line.push_str(&grades.line());
            line.push_str(&other.map(|_| of(GRADED_SCORER)).unwrap_or_default());
            line.push_str(" · ");
        }
        match &self.score {
            Some(score) => {
                line.push_str("score ");
                line.push_str(&estimate(score));
                line.push_str(&other.map(of).unwrap_or_default());
            }
            None => line.push_str("no trial could be scored"),
        }
        let unscored: usize = self.unscored.values().sum();
        if unscored > 0 && self.grades.is_none() {
            // Writing to a string cannot fail.
            let _ = write!(line, ", {unscored} unscored");
        }
        harmless::line_within(&line, 400).into_owned()
    }

    pub(super) fn heading(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = vec![self.suite.title(), self.subject.name.clone()];
        words.extend(self.variant.clone());
        words.push(match self.trials {
            trials if trials == self.planned => counted(trials, "trial"),
            trials if trials + self.damage.samples >= self.planned => {
                format!("{trials} of {}", counted(self.planned, "trial"))
            }
            trials => format!("{trials} of {}: unfinished", counted(self.planned, "trial")),
        });
        let words: Vec<_> = words.iter().map(|word| line(word)).collect();
        writeln!(f, "{}", paint(is_colored(f), HEADING, &words.join(" · ")))
    }

    fn scores(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        if let Some(server) = &self.server {
            let words = server.to_string();
            fact(f, "server", &harmless::line_within(&words, 300))?;
        }
        for warning in &self.warnings {
            fact(f, "warning", &harmless::line_within(warning, 400))?;
        }
        match &self.score {
            Some(score) => {
                write!(f, "  score      {}", estimate(score))?;
                match self.scorer.as_str() {
                    "" => writeln!(f)?,
                    scorer => writeln!(f, " ({})", line(scorer))?,
                }
            }
            None => writeln!(f, "  score      none: no trial could be scored")?,
        }
        if !self.fixes.is_empty() {
            let fixes = Fix::flag(&self.fixes);
            fact(f, "rules", &format!("`{fixes}`: faults of the old benchmark are put right"))?;
        }
        if self.open_scale {
            let words = "scores lie beyond 0 to 1, so that no trial is called right or wrong";
            fact(f, "scale", words)?;
        }
        if let (Some(right), Some(score)) = (&self.right, &self.score)
            && right != score
        {
            writeln!(f, "  all right  {}", estimate(right))?;
        }
        // What answers within this program is always in time.
        if let (Some(in_time), Some(_)) = (&self.in_time, &self.subject.base_url) {
            let budget = in_time.budget_seconds;
            writeln!(f, "  in time    {}: right within {budget} s", estimate(&in_time.rate))?;
        }
        if let Some((floor, policy)) = self.floor_policy() {
            let policy = harmless::line_within(policy, 200);
            fact(f, "floor", &format!("{floor:.3}, a subject that {policy}"))?;
        }
        if let Some(best) = self.floors.as_ref().and_then(|floors| floors.with_calls.as_ref()) {
            let policy = harmless::line_within(&best.policy, 200);
            let words = format!("{:.3} with right calls and empty words", best.score);
            fact(f, "", &format!("{words}: a subject that {policy}"))?;
        }
        if !self.unscored.is_empty() {
            let reasons = self.unscored.iter().map(|(reason, count)| format!("{count} {reason}"));
            let reasons: Vec<String> = reasons.collect();
            let total: usize = self.unscored.values().sum();
            fact(f, "unscored", &format!("{total}: {}", reasons.join(", ")))?;
            for advice in self.unscored.keys().filter_map(|reason| unscored::advice(reason)) {
                fact(f, "", advice)?;
            }
        }
        self.failed(f)?;
        self.second_opinion(f)?;
        self.recorded(f)?;
        if let Some(words) = self.repeats.words() {
            fact(f, "repeated", &words)?;
        }
        if let Some(cut_off) = self.cut_off {
            fact(f, "cut off", &cut_off.words())?;
        }
        if let Some(damage) = self.damage.describe(self.trials) {
            fact(f, "damaged", &harmless::line_within(&damage, 1000))?;
        }
        Ok(())
    }

    /// The trials about whose words a judge and the rules disagree.
    fn second_opinion(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(opinion) = &self.second_opinion else { return Ok(()) };
        let (different, compared) = (opinion.different(), counted(opinion.compared, "trial"));
        let words = format!("differs from the rules about the words of {different} of {compared}");
        fact(f, "judge", &words)?;
        for (who, trials) in opinion.lists() {
            if trials.is_empty() {
                continue;
            }
            let mut names: Vec<String> = trials
                .iter()
                .take(TRIALS)
                .map(|trial| line(&trial.to_string()).into_owned())
                .collect();
            if trials.len() > TRIALS {
                names.push(format!("and {} more in `--format json`", trials.len() - TRIALS));
            }
            fact(f, "", &format!("right {who}: {}", names.join(", ")))?;
        }
        Ok(())
    }

    /// What another tool recorded beside what its rule gives.
    fn recorded(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (scorer, check) in &self.recorded {
            writeln!(f, "  verdicts   {}", harmless::line_within(&check.words(scorer), 200))?;
            if !check.different.is_empty() {
                let shown = check.different.iter().take(TRIALS).map(ToString::to_string);
                let mut names: Vec<String> = shown.collect();
                if check.different.len() > TRIALS {
                    names.push(format!("and {} more", check.different.len() - TRIALS));
                }
                writeln!(f, "             {}", line(&names.join(", ")))?;
            }
        }
        for words in self.recorded_figures.iter().filter_map(RecordedFigure::words) {
            fact(f, "recorded", &harmless::line_within(&words, 200))?;
        }
        Ok(())
    }

    /// The failures in the words that were left.
    fn failed(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = "errors";
        for line in Failures::lines(&self.failures, FAILURES) {
            fact(f, name, &line)?;
            name = "";
        }
        Ok(())
    }

    fn repetition(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.reliability.is_empty() {
            return Ok(());
        }
        table::write(f, &tables::reliability(self))?;
        let (flipped, cases) = (self.flipped.flipped, self.flipped.cases);
        writeln!(f, "  {flipped} of {} flip between trials", counted(cases, "case"))
    }

    fn cost(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        // What a simulated tool takes tells nobody anything; what a database takes does.
        latencies(f, &self.latency, self.grades.is_some())?;
        if let Some(line) = tokens(self.usage) {
            writeln!(f, "  tokens     {line}")?;
        }
        if let Some(words) = self.tool_tokens.words() {
            writeln!(f, "  tools      {words} (tokens, estimated)")?;
        }
        if let Some(reads) = self.prompt_reads {
            let (anew, least) = (reads.anew, reads.least);
            writeln!(f, "  prompt     {anew} tokens read anew; the least possible is {least}")?;
        }
        if let (Some(prompt), Some(generated)) = (self.speed.prompt, self.speed.generated) {
            writeln!(f, "  speed      {prompt:.0} tokens/s read, {generated:.1} written (median)")?;
        }
        if let Some(cost) = self.cost {
            writeln!(f, "  cost       {cost:.4}")?;
        }
        if !self.oddities.is_empty() {
            let oddities = self.oddities.iter().map(|(name, count)| format!("{count} {name}"));
            let oddities: Vec<String> = oddities.collect();
            fact(f, "oddities", &oddities.join(", "))?;
            for advice in self.oddities.keys().filter_map(|name| oddity_advice(name)) {
                fact(f, "", advice)?;
            }
        }
        Ok(())
    }
}

fn latencies(f: &mut fmt::Formatter<'_>, latency: &Latencies, split: bool) -> fmt::Result {
    time(f, "latency", latency.total)?;
    time(f, "first", latency.first_token)?;
    if split {
        time(f, "subject", latency.own)?;
        for (tool, times) in &latency.tools {
            time(f, &harmless::line(tool), Some(*times))?;
        }
        time(f, "rest", latency.rest)?;
    }
    time(f, "queued", latency.queued)?;
    let Some(waits) = latency.waits else { return Ok(()) };
    time(f, "first word", waits.first_word)?;
    time(f, "last act", waits.last_act)?;
    if waits.cold_total.is_some() {
        // A person may be the first to speak after a restart, or after somebody else's prompt.
        writeln!(f, "  the same if the server has to read the whole prompt before:")?;
        time(f, "latency", waits.cold_total)?;
        time(f, "first word", waits.cold_first_word)?;
        time(f, "last act", waits.cold_last_act)?;
    }
    Ok(())
}

/// A line of percentiles; nothing if there are none.
fn time(f: &mut fmt::Formatter<'_>, name: &str, percentiles: Option<Percentiles>) -> fmt::Result {
    let Some(Percentiles { p50, p90, p95, p99 }) = percentiles else { return Ok(()) };
    let [p50, p90, p95, p99] = [p50, p90, p95, p99].map(seconds);
    writeln!(f, "  {name:10} p50 {p50}, p90 {p90}, p95 {p95}, p99 {p99}")
}

fn tokens(usage: Usage) -> Option<String> {
    let mut line = format!("{} in", usage.input?);
    if let Some(cached) = usage.cached.filter(|cached| *cached > 0) {
        write!(line, " ({cached} cached)").ok()?;
    }
    write!(line, ", {} out", usage.output?).ok()?;
    if let Some(reasoning) = usage.reasoning.filter(|reasoning| *reasoning > 0) {
        write!(line, " ({reasoning} reasoning)").ok()?;
    }
    Some(line)
}

fn rates<'a>(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    rates: impl IntoIterator<Item = (&'a String, &'a Rate)>,
) -> fmt::Result {
    table::write(f, &tables::rates(title, rates, |_| None))
}

/// The rates by one tag: all of them if they are few, else those that need a look.
fn slices(f: &mut fmt::Formatter<'_>, tag: &str, values: &IndexMap<String, Rate>) -> fmt::Result {
    if values.len() <= SLICES {
        return rates(f, tag, values);
    }
    let mut lowest: Vec<(&String, &Rate)> = values.iter().collect();
    lowest.sort_by(|(_, a), (_, b)| a.mean.total_cmp(&b.mean));
    rates(f, &format!("{tag} (lowest)"), lowest.into_iter().take(SLICES))?;
    writeln!(f, "  and {} more in `--format json`", values.len() - SLICES)
}
