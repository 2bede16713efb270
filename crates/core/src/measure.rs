//! The numbers beside a score's value that other crates read by name.

use crate::Score;

macro_rules! measures {
    ($($(#[$doc:meta])* $variant:ident => $name:literal;)*) => {
        /// A number beside a score's value that something else is computed from. Scorers may give
        /// others, which are shown and averaged under their own names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Measure {
            $($(#[$doc])* $variant,)*
        }

        impl Measure {
            const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name used in logs and tables.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

measures! {
    /// 1 where the end state is right although the calls differ from the expected ones.
    RightByStateOnly => "right_by_state_only";
    /// 1 where the calls are the expected ones although the end state is wrong.
    RightByCallsOnly => "right_by_calls_only";
    /// 1 where something was done that should not have been, to a thing that the world guards.
    Unsafe => "unsafe";
    /// What the trial weighs in the safety score.
    Weight => "weight";
    /// How well the expected tools were used, from 0 to 1.
    ToolScore => "tool_score";
    /// The share of keywords that were found.
    KeywordShare => "keyword_share";
    /// 1 where nothing looks like an error.
    NoError => "no_error";
    /// The share of a judge's votes by which the words of the answer are right.
    JudgedRight => "judged_right";
    /// How long the answer took.
    Seconds => "seconds";
    /// How many claims the answer makes.
    Claims => "claims";
    /// How many of them nothing supports.
    UnsupportedClaims => "unsupported_claims";
    /// The share of claims that nothing supports.
    UnsupportedShare => "unsupported_share";
    /// How many claims are contradicted.
    Contradictions => "contradictions";
    /// The mark that another tool recorded for an imported trial.
    Recorded => "recorded";
    /// The mark that the same tool's rule gives when it is computed here.
    Recomputed => "recomputed";
}

/// Which way a figure gets better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The more of it, the better.
    More,
    /// The less of it, the better.
    Less,
}

impl Measure {
    /// The measure of this name, if it is one of these.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|measure| measure.name() == name)
    }

    /// Which way the measure of this name gets better; `None` where neither way is better, and for
    /// what scorers of other tools count.
    pub fn better(name: &str) -> Option<Better> {
        // The times of single tools are measures as well, named after the tool.
        let Some(measure) = Self::named(name) else {
            return name.ends_with("_seconds").then_some(Better::Less);
        };
        match measure {
            Self::RightByStateOnly | Self::Weight | Self::Claims => None,
            Self::RightByCallsOnly
            | Self::Unsafe
            | Self::Seconds
            | Self::UnsupportedClaims
            | Self::UnsupportedShare
            | Self::Contradictions => Some(Better::Less),
            Self::ToolScore
            | Self::KeywordShare
            | Self::NoError
            | Self::JudgedRight
            | Self::Recorded
            | Self::Recomputed => Some(Better::More),
        }
    }
}

impl Score {
    /// A number beside the value, if the scorer gave it.
    pub fn measure(&self, measure: Measure) -> Option<f64> {
        self.measures.get(measure.name()).copied()
    }

    /// Whether a number beside the value is above 0.
    pub fn has(&self, measure: Measure) -> bool {
        self.measure(measure).is_some_and(|value| value > 0.0)
    }

    /// Notes a number beside the value.
    pub fn set_measure(&mut self, measure: Measure, value: f64) {
        self.measures.insert(measure.name().to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_time_and_harm_less_is_better() {
        let less = ["seconds", "fan_seconds", "unsafe", "contradictions", "right_by_calls_only"];
        assert!(less.iter().all(|name| Measure::better(name) == Some(Better::Less)));
        assert_eq!(Measure::better("keyword_share"), Some(Better::More));
        assert_eq!(Measure::better("weight"), None);
        assert_eq!(Measure::better("somebody's own"), None);
    }

    #[test]
    fn a_measure_is_read_by_the_name_it_is_written_by() {
        let mut score = Score::default();
        assert_eq!(score.measure(Measure::Weight), None);
        score.set_measure(Measure::Weight, 3.0);
        score.set_measure(Measure::Unsafe, 0.0);
        assert_eq!(score.measure(Measure::Weight), Some(3.0));
        assert!(score.has(Measure::Weight));
        assert!(!score.has(Measure::Unsafe));
        let names: Vec<&String> = score.measures.keys().collect();
        assert_eq!(names, ["weight", "unsafe"]);
    }
}
