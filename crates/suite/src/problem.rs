//! What is wrong with a suite, and where.

use std::fmt;

use serde::Serialize;

/// Whether a problem keeps a suite from running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It does.
    Error,
    /// It does not, but somebody should look at it.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// One thing that is wrong, where it is, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SuiteProblem {
    /// Whether it keeps the suite from running.
    pub severity: Severity,
    /// The file it is in, as it is shown to people.
    pub file: String,
    /// The line, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl SuiteProblem {
    /// Where the problem is: `path:line:column`, as far as that is known.
    pub fn place(&self) -> String {
        match (self.line, self.column) {
            (Some(line), Some(column)) => format!("{}:{line}:{column}", self.file),
            (Some(line), None) => format!("{}:{line}", self.file),
            _ => self.file.clone(),
        }
    }
}

impl fmt::Display for SuiteProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.place(), self.severity, self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

/// Everything that is wrong with a suite, in the order of files and lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Problems(Vec<SuiteProblem>);

impl Problems {
    /// The problems, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, SuiteProblem> {
        self.0.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of them keeps the suite from running.
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|problem| problem.severity == Severity::Error)
    }

    /// How many there are of one severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.0.iter().filter(|problem| problem.severity == severity).count()
    }

    /// These problems and those, as one list without repetitions.
    #[must_use]
    pub fn and(self, others: Self) -> Self {
        self.0.into_iter().chain(others.0).collect()
    }
}

impl FromIterator<SuiteProblem> for Problems {
    fn from_iter<I: IntoIterator<Item = SuiteProblem>>(problems: I) -> Self {
        let mut problems: Vec<SuiteProblem> = problems.into_iter().collect();
        // A stable sort: problems of one place stay in the order they were found.
        problems.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
        problems.dedup();
        Self(problems)
    }
}

impl IntoIterator for Problems {
    type Item = SuiteProblem;
    type IntoIter = std::vec::IntoIter<SuiteProblem>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Problems {
    type Item = &'a SuiteProblem;
    type IntoIter = std::slice::Iter<'a, SuiteProblem>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
