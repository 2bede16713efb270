//! Comparisons for people to read at a glance.

use std::fmt::{self, Display};

use super::style::{self, HEADING, is_colored, paint};
use super::table;
use crate::compare::{
    Comparison, Difference, Flip, SideFacts, UnscoredRule, described, effect_words, interval,
    p_value, signed, signed_to, verdict_detail, verdict_words,
};
use crate::harmless::{line, line_within};
use crate::number::counted;
use crate::render::html::NoLinks;
use crate::render::tables;

/// The decision: the verdict, the cases that changed, and the figures that differ.
impl Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.decision(f)?;
        let left_out = self.tables(f, Difference::is_shown)?;
        if left_out > 0 {
            let figures = counted(left_out, "further figure");
            writeln!(f, "\n  {figures} without a shown difference: compare --full")?;
        }
        Ok(())
    }
}

/// A comparison with every figure.
#[derive(Clone, Copy, Debug)]
pub struct FullComparison<'a>(pub &'a Comparison);

impl Display for FullComparison<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.decision(f)?;
        self.0.tables(f, |_| true).map(drop)
    }
}

impl Comparison {
    /// The verdict in a sentence.
    pub fn verdict_words(&self) -> String {
        verdict_words(&self.verdict, self.score.as_ref())
    }

    /// What there is to say of the verdict beyond its word.
    pub fn verdict_detail(&self) -> Option<String> {
        verdict_detail(&self.verdict, self.score.as_ref())
    }

    fn decision(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        side(f, "A", &self.a, true)?;
        side(f, "B", &self.b, false)?;
        for caution in &self.cautions {
            writeln!(f, "{}", style::caution(is_colored(f), &line(&caution.message)))?;
        }
        writeln!(f)?;
        self.scores(f)?;
        self.shared(f)?;
        self.flips(f)
    }

    /// The tables of figures, with the differences that are asked for. Returns how many of them
    /// were left out.
    fn tables(
        &self,
        f: &mut fmt::Formatter<'_>,
        is_listed: impl Fn(&Difference) -> bool,
    ) -> Result<usize, fmt::Error> {
        let groups = [
            ("dimension", &self.dimensions),
            ("scorer", &self.scorers),
            ("measure", &self.measures),
        ];
        let slices = self.slices.iter().map(|(tag, values)| (tag.as_str(), values));
        let mut left_out = 0;
        for (heading, differences) in groups.into_iter().chain(slices) {
            let listed = differences.iter().filter(|(_, found)| is_listed(found));
            left_out += differences.len() - listed.clone().count();
            table::write(f, &tables::differences(heading, listed))?;
        }
        table::write(f, &tables::loss_changes(&self.losses))?;
        table::write(f, &tables::amount_changes(self))?;
        Ok(left_out)
    }

    fn shared(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shared = &self.shared;
        write!(f, "  compared   {}", shared.words())?;
        if shared.grouped {
            write!(f, ", clustered by group")?;
        }
        if shared.left_out_a + shared.left_out_b > 0 {
            let (a, b) = (shared.left_out_a, shared.left_out_b);
            write!(f, "; left out: {a} of A, {b} of B")?;
        }
        writeln!(f)?;
        let unscored: usize = self.a.unscored.values().chain(self.b.unscored.values()).sum();
        if unscored > 0 {
            let rule = match self.unscored {
                UnscoredRule::Exclude => "excluded (--unscored as-failures counts them as 0)",
                UnscoredRule::AsFailures => "failed ones count as 0",
            };
            let (a, b) = (reasons(&self.a), reasons(&self.b));
            writeln!(f, "  unscored   A: {a}; B: {b}; {rule}")?;
        }
        Ok(())
    }

    fn scores(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(score) = &self.score else { return self.unpaired(f) };
        let style = style::style(self.verdict.tone());
        let verdict = paint(is_colored(f), style, &self.verdict_words());
        writeln!(f, "  verdict    {verdict}")?;
        if let Some(other) = &self.verdict_otherwise {
            let rule = match self.unscored {
                UnscoredRule::Exclude => "with unscored trials as failures",
                UnscoredRule::AsFailures => "with unscored trials excluded",
            };
            writeln!(f, "  but        {rule}: {}", verdict_words(other, None))?;
        }
        writeln!(f, "  A          {} ({})", rate(&score.a), line(&self.scorer))?;
        writeln!(f, "  B          {}", rate(&score.b))?;
        let (shown, test) = (change(score), score.test.words());
        writeln!(f, "  B − A     {shown}, {}, {test}", p_value(score.p_value))?;
        if let Some(p) = self.mcnemar_p_value {
            let p = p_value(p);
            writeln!(f, "             {p} by the exact McNemar test, were all cases independent")?;
        }
        if let Some(effect) = self.effect_size {
            writeln!(
                f,
                "  effect     {} (Hedges' g: {})",
                signed_to(2, effect),
                effect_words(effect)
            )?;
        }
        if let Some(right) = &self.right {
            let (a, b) = (right.a.mean, right.b.mean);
            let (shown, p) = (change(right), p_value(right.p_value));
            writeln!(f, "  all right  {a:.3} → {b:.3}: {shown}, {p}")?;
        }
        if let Some(needed) = &self.needed {
            writeln!(f, "  to see     {}", needed.words(score.units))?;
        }
        if let Some(probability) = score.probability_better {
            writeln!(f, "  Bayes      B is better with probability {probability:.3}")?;
        }
        noise(f, "A", &self.a)?;
        noise(f, "B", &self.b)
    }

    /// What can be said of runs that share no case: little, since one may have had the harder ones.
    fn unpaired(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "  verdict    no scored trial is shared: nothing can be said of the same cases"
        )?;
        if let Some(unpaired) = &self.unpaired {
            writeln!(f, "  A          {} ({})", rate(&unpaired.a), line(&self.scorer))?;
            writeln!(f, "  B          {}", rate(&unpaired.b))?;
            let ends = interval(Some(unpaired.low), Some(unpaired.high), signed);
            let p = unpaired.p_value.map(|p| format!(", {}", p_value(p))).unwrap_or_default();
            let difference = signed(unpaired.difference);
            writeln!(f, "  B − A     {difference} {ends}{p}, of other cases")?;
        }
        Ok(())
    }

    fn flips(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flips = &self.flips;
        writeln!(
            f,
            "\n  {} fixed, {} broken, {} still pass, {} still fail{}",
            flips.fixed,
            flips.broken,
            flips.still_pass,
            flips.still_fail,
            match flips.wavering {
                0 => String::new(),
                wavering => format!(", {wavering} waver"),
            }
        )?;
        flipped(f, "broken", flips.broken, &flips.broken_cases)?;
        flipped(f, "fixed", flips.fixed, &flips.fixed_cases)
    }
}

/// A run with its letter. The first line of a report is set off.
pub(super) fn side(
    f: &mut fmt::Formatter<'_>,
    letter: &str,
    side: &SideFacts,
    first: bool,
) -> fmt::Result {
    // It ends with the path of its log, which people copy.
    let words = format!("{letter}  {}", line_within(&described(side), 1000));
    writeln!(f, "{}", paint(is_colored(f) && first, HEADING, &words))
}

fn noise(f: &mut fmt::Formatter<'_>, letter: &str, side: &SideFacts) -> fmt::Result {
    let Some(noise) = &side.noise else { return Ok(()) };
    let (flipped, cases) = (noise.flipped, counted(noise.cases, "case"));
    let error = noise.standard_error;
    write!(f, "  noise {letter}    s.e. {error:.4}, {flipped} of {cases} flip between trials")?;
    if let Some(icc) = noise.icc {
        write!(f, ", ICC {icc:.4}")?;
    }
    if let Some(floor) = noise.noise_floor {
        write!(f, "; two such runs differ by up to {floor:.3} by chance")?;
    }
    writeln!(f)
}

fn reasons(side: &SideFacts) -> String {
    let reasons: Vec<String> =
        side.unscored.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    if reasons.is_empty() { "none".to_owned() } else { reasons.join(", ") }
}

fn flipped(
    f: &mut fmt::Formatter<'_>,
    kind: &'static str,
    all: usize,
    cases: &[Flip],
) -> fmt::Result {
    if cases.is_empty() {
        return Ok(());
    }
    table::write(f, &tables::flips(kind, cases, &NoLinks))?;
    match all - cases.len() {
        0 => Ok(()),
        more => writeln!(f, "  and {more} more (--all-flips lists them)"),
    }
}

fn change(difference: &Difference) -> String {
    let found = interval(difference.low, difference.high, signed);
    format!("{} {found}", signed(difference.difference)).trim_end().to_owned()
}

/// A score with its interval.
fn rate(rate: &crate::Rate) -> String {
    format!("{:.3} [{:.3}, {:.3}]", rate.mean, rate.low, rate.high)
}
