//! Comparisons for people to read at a glance.

use std::fmt::{self, Display};

use comfy_table::Cell;

use super::table::{named, number, plain, write};
use crate::compare::{
    Comparison, Difference, Flip, SideFacts, UnscoredRule, amount_word, bare_p, described,
    interval, p_value, shown_amount, signed, signed_amount, signed_to, verdict_detail,
    verdict_words,
};
use crate::harmless::line;

impl Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        side(f, "A", &self.a)?;
        side(f, "B", &self.b)?;
        for caution in &self.cautions {
            writeln!(f, "  ! {}", line(&caution.message))?;
        }
        self.shared(f)?;
        self.scores(f)?;
        differences(f, "dimension", &self.dimensions)?;
        differences(f, "scorer", &self.scorers)?;
        differences(f, "measure", &self.measures)?;
        for (tag, values) in &self.slices {
            differences(f, tag, values)?;
        }
        self.losses(f)?;
        self.amounts(f)?;
        self.flips(f)
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

    fn shared(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shared = &self.shared;
        write!(f, "\n  compared   {}", shared.words())?;
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
        let Some(score) = &self.score else {
            return writeln!(f, "  verdict    no scored trial is shared: nothing can be said");
        };
        let rate =
            |rate: &crate::Rate| format!("{:.3} [{:.3}, {:.3}]", rate.mean, rate.low, rate.high);
        writeln!(f, "  A          {} ({})", rate(&score.a), line(&self.scorer))?;
        writeln!(f, "  B          {}", rate(&score.b))?;
        let (shown, test) = (change(score), score.test.words());
        writeln!(f, "  B − A     {shown}, {}, {test}", p_value(score.p_value))?;
        if let Some(right) = &self.right {
            let (a, b) = (right.a.mean, right.b.mean);
            let (shown, p) = (change(right), p_value(right.p_value));
            writeln!(f, "  all right  {a:.3} → {b:.3}: {shown}, {p}")?;
        }
        writeln!(f, "  verdict    {}", self.verdict_words())?;
        if let Some(probability) = score.probability_better {
            writeln!(f, "  Bayes      B is better with probability {probability:.3}")?;
        }
        if let Some(other) = &self.verdict_otherwise {
            let rule = match self.unscored {
                UnscoredRule::Exclude => "with unscored trials as failures",
                UnscoredRule::AsFailures => "with unscored trials excluded",
            };
            writeln!(f, "  but        {rule}: {}", verdict_words(other, None))?;
        }
        noise(f, "A", &self.a)?;
        noise(f, "B", &self.b)
    }

    fn losses(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.losses.is_empty() {
            return Ok(());
        }
        let mut table = plain();
        table.set_header(["  lost by", "times A", "B", "points A", "B", "change"]);
        for loss in &self.losses {
            table.add_row([
                Cell::new(format!("  {}", loss.cause.words())),
                number(loss.count_a),
                number(loss.count_b),
                number(format!("{:.2}", loss.points_a)),
                number(format!("{:.2}", loss.points_b)),
                number(signed_to(2, loss.points_b - loss.points_a)),
            ]);
        }
        write(f, &table)
    }

    fn amounts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.amounts.is_empty() {
            return Ok(());
        }
        let mut table = plain();
        table.set_header([
            "  ",
            "median A",
            "B",
            "mean A",
            "B",
            "change",
            "95 % interval",
            "p (Holm)",
            "",
        ]);
        for amount in &self.amounts {
            let shown = |value| shown_amount(amount.unit, value);
            let signed = |value| signed_amount(amount.unit, value);
            table.add_row([
                Cell::new(format!("  {}", amount.name)),
                number(shown(amount.a.median)),
                number(shown(amount.b.median)),
                number(shown(amount.a.mean)),
                number(shown(amount.b.mean)),
                number(signed(amount.difference)),
                Cell::new(interval(amount.low, amount.high, signed)),
                number(bare_p(amount.adjusted_p_value)),
                Cell::new(amount_word(amount)),
            ]);
        }
        write(f, &table)
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
        flipped(f, "fixed", flips.fixed, &flips.fixed_cases)?;
        flipped(f, "broken", flips.broken, &flips.broken_cases)
    }
}

/// A run with its letter.
pub(super) fn side(f: &mut fmt::Formatter<'_>, letter: &str, side: &SideFacts) -> fmt::Result {
    writeln!(f, "{letter}  {}", line(&described(side)))
}

fn noise(f: &mut fmt::Formatter<'_>, letter: &str, side: &SideFacts) -> fmt::Result {
    let Some(noise) = &side.noise else { return Ok(()) };
    let (flipped, cases) = (noise.flipped, noise.cases);
    let error = noise.standard_error;
    write!(
        f,
        "  noise {letter}    s.e. {error:.4}, {flipped} of {cases} cases flip between trials"
    )?;
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

fn differences<'a>(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    differences: impl IntoIterator<Item = (&'a String, &'a Difference)>,
) -> fmt::Result {
    let mut differences = differences.into_iter().peekable();
    if differences.peek().is_none() {
        return Ok(());
    }
    let mut table = plain();
    table.set_header([
        &format!("  {}", line(title)),
        "cases",
        "A",
        "B",
        "B − A",
        "95 % interval",
        "p (Holm)",
        "",
    ]);
    for (name, difference) in differences {
        let word = match (difference.is_shown(), difference.difference > 0.0) {
            (false, _) => "",
            (true, true) => "better",
            (true, false) => "worse",
        };
        table.add_row([
            named(name),
            number(difference.cases),
            number(format!("{:.3}", difference.a.mean)),
            number(format!("{:.3}", difference.b.mean)),
            number(signed(difference.difference)),
            Cell::new(interval(difference.low, difference.high, signed)),
            number(bare_p(difference.deciding_p_value())),
            Cell::new(word),
        ]);
    }
    write(f, &table)
}

fn flipped(f: &mut fmt::Formatter<'_>, kind: &str, all: usize, cases: &[Flip]) -> fmt::Result {
    if cases.is_empty() {
        return Ok(());
    }
    let mut table = plain();
    table.set_header([format!("  {kind}"), String::new(), "why it failed".to_owned()]);
    for flip in cases {
        let counts = match (flip.trials_a, flip.trials_b) {
            (1, 1) => String::new(),
            (a, b) => format!("{}/{a} → {}/{b}", flip.passed_a, flip.passed_b),
        };
        table.add_row([
            named(flip.case.as_str()),
            Cell::new(counts),
            Cell::new(line(&flip.reason)),
        ]);
    }
    write(f, &table)?;
    match all - cases.len() {
        0 => Ok(()),
        more => writeln!(f, "  and {more} more (--all-flips lists them)"),
    }
}

fn change(difference: &Difference) -> String {
    let found = interval(difference.low, difference.high, signed);
    format!("{} {found}", signed(difference.difference)).trim_end().to_owned()
}
