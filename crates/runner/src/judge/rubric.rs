//! What a judge looks at, and how much each of it counts.

use thiserror::Error;

/// One thing a judge looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Criterion {
    /// Its name, as the judge gives its mark.
    pub name: String,
    /// How much it counts.
    pub weight: u32,
    /// What is meant by it.
    pub meaning: String,
}

/// What a judge looks at, each thing with its weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rubric(Vec<Criterion>);

/// Why a text is not a rubric.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RubricError {
    /// A line is not a criterion.
    #[error("line {line}: `{text}` is not a criterion")]
    NotACriterion {
        /// Which line, counted from 1.
        line: usize,
        /// What it says.
        text: String,
    },
    /// A criterion is named twice.
    #[error("line {line}: `{name}` is named twice")]
    Twice {
        /// Which line, counted from 1.
        line: usize,
        /// The criterion.
        name: String,
    },
    /// Nothing counts.
    #[error("the rubric has no criterion that counts")]
    Empty,
}

impl Default for Rubric {
    fn default() -> Self {
        let criterion = |name: &str, weight, meaning: &str| Criterion {
            name: name.to_owned(),
            weight,
            meaning: meaning.to_owned(),
        };
        Self(vec![
            criterion("accuracy", 40, "what it states is true by the reference and the evidence"),
            criterion("completeness", 30, "everything that was asked for is in it"),
            criterion("clarity", 20, "a reader understands it at once"),
            criterion("relevance", 10, "it keeps to the question"),
        ])
    }
}

impl Rubric {
    /// Reads a rubric: one criterion a line, `name weight: what is meant`. Empty lines and lines
    /// that begin with `#` are passed over.
    pub fn parse(text: &str) -> Result<Self, RubricError> {
        let mut criteria: Vec<Criterion> = Vec::new();
        for (at, written) in text.lines().enumerate() {
            let written = written.trim();
            if written.is_empty() || written.starts_with('#') {
                continue;
            }
            let line = at + 1;
            let criterion = criterion(written);
            let not = || RubricError::NotACriterion { line, text: written.to_owned() };
            let criterion = criterion.ok_or_else(not)?;
            if criteria.iter().any(|known| known.name == criterion.name) {
                return Err(RubricError::Twice { line, name: criterion.name });
            }
            criteria.push(criterion);
        }
        if criteria.iter().all(|criterion| criterion.weight == 0) {
            return Err(RubricError::Empty);
        }
        Ok(Self(criteria))
    }

    /// The criteria, in order.
    pub fn criteria(&self) -> &[Criterion] {
        &self.0
    }
}

fn criterion(written: &str) -> Option<Criterion> {
    let (head, meaning) = written.split_once(':').unwrap_or((written, ""));
    let (name, weight) = head.trim().rsplit_once(char::is_whitespace)?;
    let weight = weight.trim_end_matches('%').parse().ok()?;
    let name = name.trim().to_lowercase();
    (!name.is_empty()).then(|| Criterion { name, weight, meaning: meaning.trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rubric_is_read_line_by_line() {
        let rubric = Rubric::parse("# mine\nTruth 3: it is so\n\nsource cited 1 %\n").unwrap_err();
        assert!(matches!(rubric, RubricError::NotACriterion { line: 4, .. }), "{rubric}");
        let rubric = Rubric::parse("Truth 3: it is so\nsource cited 1%\n").unwrap();
        let shown: Vec<_> = rubric.criteria().iter().map(|c| (c.name.as_str(), c.weight)).collect();
        assert_eq!(shown, [("truth", 3), ("source cited", 1)]);
        assert_eq!(rubric.criteria()[0].meaning, "it is so");
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let told = |text: &str| Rubric::parse(text).unwrap_err().to_string();
        assert_eq!(told("a 1\nb much: x"), "line 2: `b much: x` is not a criterion");
        assert_eq!(told("a 1\nA 2"), "line 2: `a` is named twice");
        assert_eq!(told("# nothing"), "the rubric has no criterion that counts");
    }

    #[test]
    fn the_usual_weights_add_up_to_a_hundred() {
        let sum: u32 = Rubric::default().criteria().iter().map(|c| c.weight).sum();
        assert_eq!(sum, 100);
    }
}
