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
    /// The mark that another tool recorded for an imported trial.
    Recorded => "recorded";
    /// The mark that the same tool's rule gives when it is computed here.
    Recomputed => "recomputed";
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
