//! Grades: what a run of golden questions is worth, as a school would say it.
//!
//! The score of a question is the mean of its trials; that of the run is the mean over its
//! questions, and that of a category the mean within it.

use indexmap::IndexMap;
use serde::Serialize;
use toolgauge_core::{CaseId, Measure, Outcome};
use toolgauge_log::TrialSummary;

use crate::standing::{CaseStanding, GRADED_SCORER, Thresholds};
use crate::times::{Percentiles, percentiles};

/// The tag that puts questions into categories.
pub const CATEGORY: &str = "category";

/// The parts of the score, by the measures that hold them.
const PARTS: [(Measure, &str); 3] = [
    (Measure::ToolScore, "tool_usage"),
    (Measure::KeywordShare, "response_quality"),
    (Measure::NoError, "error_handling"),
];

/// A grade, from A down to F; there is no E.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Grade {
    /// 90 % and more.
    A,
    /// 80 % and more.
    B,
    /// 70 % and more.
    C,
    /// 60 % and more.
    D,
    /// Less.
    F,
}

impl Grade {
    /// The grade of a score.
    pub fn of(score: f64) -> Self {
        // What arithmetic leaves behind must not cost a grade.
        match score + 1e-9 {
            score if score >= 0.9 => Self::A,
            score if score >= 0.8 => Self::B,
            score if score >= 0.7 => Self::C,
            score if score >= 0.6 => Self::D,
            _ => Self::F,
        }
    }

    /// The letter that people are shown.
    pub fn letter(self) -> char {
        match self {
            Self::A => 'A',
            Self::B => 'B',
            Self::C => 'C',
            Self::D => 'D',
            Self::F => 'F',
        }
    }
}

/// How well a set of questions was answered.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Marks {
    /// How many questions could be scored.
    pub questions: usize,
    /// The mean over them.
    pub score: f64,
    /// Its grade.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grade: Option<Grade>,
    /// How many pass.
    pub passed: usize,
    /// How many are right in part.
    pub partial: usize,
    /// How many fail.
    pub failed: usize,
    /// The means of the parts of the score.
    pub parts: IndexMap<String, f64>,
    /// How long answers took, tools included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency: Option<Percentiles>,
}

/// What one question came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuestionMark {
    /// Its category, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// What is asked, or its first part. Not in JSON, where the case names it.
    #[serde(skip)]
    pub sentence: String,
    /// The mean of its trials.
    pub score: f64,
    /// Its grade.
    pub grade: Grade,
    /// Whether it passes.
    pub standing: CaseStanding,
    #[serde(skip)]
    parts: Vec<f64>,
    #[serde(skip)]
    seconds: Vec<f64>,
}

/// The grades of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Grades {
    /// From where on a question passes or is partial.
    pub thresholds: Thresholds,
    /// All questions together.
    pub overall: Marks,
    /// How many questions could not be scored.
    pub unscored: usize,
    /// The questions of each category.
    pub categories: IndexMap<String, Marks>,
    /// Each question.
    pub questions: IndexMap<CaseId, QuestionMark>,
}

impl Grades {
    /// The questions that do not pass, the worst first.
    pub fn not_passing(&self) -> Vec<(&CaseId, &QuestionMark)> {
        let lost = |(_, mark): &(&CaseId, &QuestionMark)| mark.standing != CaseStanding::Pass;
        let mut lost: Vec<(&CaseId, &QuestionMark)> = self.questions.iter().filter(lost).collect();
        lost.sort_by(|(_, one), (_, other)| one.score.total_cmp(&other.score));
        lost
    }

    /// The same grades, with questions held to other thresholds.
    #[must_use]
    pub fn held_to(mut self, thresholds: Thresholds) -> Self {
        self.thresholds = thresholds;
        for question in self.questions.values_mut() {
            question.standing = thresholds.standing(Some(question.score));
        }
        self.overall = marks(self.questions.values());
        let of = |category: &String| {
            let in_category = |mark: &&QuestionMark| mark.category.as_ref() == Some(category);
            (category.clone(), marks(self.questions.values().filter(in_category)))
        };
        self.categories = self.categories.keys().map(of).collect();
        self
    }
}

fn marks<'a>(questions: impl Iterator<Item = &'a QuestionMark>) -> Marks {
    let questions: Vec<&QuestionMark> = questions.collect();
    let count = |standing| questions.iter().filter(|mark| mark.standing == standing).count();
    let score = mean(questions.iter().map(|mark| mark.score));
    let seconds: Vec<f64> = questions.iter().flat_map(|mark| &mark.seconds).copied().collect();
    let parts = PARTS.iter().enumerate().map(|(at, (_, name))| {
        ((*name).to_owned(), mean(questions.iter().filter_map(|mark| mark.parts.get(at).copied())))
    });
    Marks {
        questions: questions.len(),
        score,
        grade: (!questions.is_empty()).then(|| Grade::of(score)),
        passed: count(CaseStanding::Pass),
        partial: count(CaseStanding::Partial),
        failed: count(CaseStanding::Fail),
        parts: parts.collect(),
        latency: percentiles(&seconds),
    }
}

/// The mean of some numbers, the same in whatever order they come.
#[expect(clippy::cast_precision_loss, reason = "sums of scores stay far below 2^52 billionths")]
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    const UNIT: f64 = 1e12;
    #[expect(clippy::cast_possible_truncation, reason = "a score, scaled")]
    let units: Vec<i128> = values.map(|value| (value * UNIT).round() as i128).collect();
    if units.is_empty() {
        return 0.0;
    }
    units.iter().sum::<i128>() as f64 / UNIT / units.len() as f64
}

/// Adds trials up to [`Grades`].
#[derive(Clone, Debug, Default)]
pub struct GradeBook {
    questions: IndexMap<CaseId, GradedQuestion>,
}

#[derive(Clone, Debug, Default)]
struct GradedQuestion {
    category: Option<String>,
    sentence: String,
    scores: Vec<f64>,
    parts: Vec<[f64; 3]>,
    seconds: Vec<f64>,
}

impl GradeBook {
    /// Takes one trial into account, if it was scored by the scorer that grades are given on.
    pub fn add(&mut self, trial: &TrialSummary) {
        let Some(outcome) = trial.outcomes.get(GRADED_SCORER) else { return };
        let question = self.questions.entry(trial.id.case.clone()).or_default();
        if question.category.is_none() {
            question.category = trial.tags.get(CATEGORY).cloned();
        }
        if question.sentence.is_empty() {
            question.sentence.clone_from(&trial.sentence);
        }
        let Outcome::Scored(score) = outcome else { return };
        question.scores.push(score.value);
        let part = |measure| score.measure(measure).unwrap_or_default();
        question.parts.push(PARTS.map(|(measure, _)| part(measure)));
        if let Some(total) = trial.latency() {
            // The time of the model's turns does not hold the tools that were run between them.
            let tools =
                trial.tool_times.iter().map(|tool| tool.on_top().as_secs_f64()).sum::<f64>();
            question.seconds.push(total.as_secs_f64() + tools);
        }
    }

    /// The grades; `None` if no trial was graded. Questions stand in the order of the names, if
    /// these name them.
    pub fn grades<'a>(&self, order: impl Iterator<Item = &'a CaseId>) -> Option<Grades> {
        if self.questions.is_empty() {
            return None;
        }
        let thresholds = Thresholds::default();
        let mut questions = IndexMap::new();
        let mut unscored = 0;
        let named: IndexMap<&CaseId, &GradedQuestion> =
            order.filter_map(|case| self.questions.get_key_value(case)).collect();
        let others = self.questions.iter().filter(|(case, _)| !named.contains_key(case));
        for (case, question) in
            named.iter().map(|(case, question)| (*case, *question)).chain(others)
        {
            if question.scores.is_empty() {
                unscored += 1;
                continue;
            }
            let score = mean(question.scores.iter().copied());
            let part = |at: usize| mean(question.parts.iter().map(|parts| parts[at]));
            let mark = QuestionMark {
                category: question.category.clone(),
                sentence: question.sentence.clone(),
                score,
                grade: Grade::of(score),
                standing: thresholds.standing(Some(score)),
                parts: (0..PARTS.len()).map(part).collect(),
                seconds: question.seconds.clone(),
            };
            questions.insert(case.clone(), mark);
        }
        let mut names: Vec<String> =
            questions.values().filter_map(|mark: &QuestionMark| mark.category.clone()).collect();
        names.sort();
        names.dedup();
        let categories = names.into_iter().map(|name| (name, Marks::default())).collect();
        let overall = Marks::default();
        let grades = Grades { thresholds, overall, unscored, categories, questions };
        Some(grades.held_to(thresholds))
    }
}

#[cfg(test)]
mod tests;
