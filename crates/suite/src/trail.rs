//! The way from a file down to one value in it, and the list of what was found on the way.
//!
//! A trail lives on the stack while a value is read and costs nothing when all is well; only a
//! finding turns it into a [`Spot`] that can be looked up in the file later.

use std::cell::RefCell;

use toolgauge_core::PathStep;

use crate::problem::Severity;

/// The number of a file in the list of files a suite is made of.
pub(crate) type FileNumber = usize;

/// Where a document or a case starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    pub(crate) file: FileNumber,
    pub(crate) start: FilePart,
}

/// What part of a file something starts at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilePart {
    /// The whole document.
    Document,
    /// The value on this line of a file of lines.
    Line(usize),
    /// The row of a table that begins on this line.
    Row(usize),
    /// This item of a list.
    Item(usize),
    /// This item of the list under `cases`.
    Case(usize),
    /// This item of the list under `tools`.
    Tool(usize),
}

impl Origin {
    /// The start of a whole file.
    pub(crate) fn document(file: FileNumber) -> Self {
        Self { file, start: FilePart::Document }
    }

    /// The trail that begins here.
    pub(crate) fn trail(self) -> Trail<'static> {
        Trail { parent: None, step: TrailStep::Origin(self) }
    }
}

/// The way down to the value that is being read.
#[derive(Clone, Copy)]
pub(crate) struct Trail<'a> {
    parent: Option<&'a Trail<'a>>,
    step: TrailStep<'a>,
}

#[derive(Clone, Copy)]
enum TrailStep<'a> {
    Origin(Origin),
    Key(&'a str),
    Index(usize),
}

impl<'a> Trail<'a> {
    /// One step further, into an object.
    pub(crate) fn key(&'a self, key: &'a str) -> Trail<'a> {
        Trail { parent: Some(self), step: TrailStep::Key(key) }
    }

    /// One step further, into a list.
    pub(crate) fn index(&'a self, index: usize) -> Trail<'a> {
        Trail { parent: Some(self), step: TrailStep::Index(index) }
    }

    /// The place this trail leads to.
    pub(crate) fn spot(&self) -> Spot {
        let mut steps = Vec::new();
        let mut trail = *self;
        let origin = loop {
            match trail.step {
                TrailStep::Origin(origin) => break origin,
                TrailStep::Key(key) => steps.push(PathStep::Key(key.to_owned())),
                TrailStep::Index(index) => steps.push(PathStep::Index(index)),
            }
            trail = *trail.parent.expect("every trail begins with an origin");
        };
        match origin.start {
            // Steps are collected from the end, so the start of the way is added last and reversed
            // with it.
            FilePart::Item(index) => steps.push(PathStep::Index(index)),
            FilePart::Case(index) => {
                steps.extend([PathStep::Index(index), PathStep::Key("cases".to_owned())]);
            }
            FilePart::Tool(index) => {
                steps.extend([PathStep::Index(index), PathStep::Key("tools".to_owned())]);
            }
            FilePart::Document | FilePart::Line(_) | FilePart::Row(_) => {}
        }
        steps.reverse();
        Spot { origin, steps, exact: None, further_lines: 0 }
    }
}

/// A place in a file, by the way that leads to it.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    pub(crate) origin: Origin,
    pub(crate) steps: Vec<PathStep>,
    /// Line and column, where a parser has said so itself.
    pub(crate) exact: Option<(usize, Option<usize>)>,
    /// How many lines below the found place the problem is (within a text of several lines).
    pub(crate) further_lines: usize,
}

impl Spot {
    /// A place a parser has named itself.
    pub(crate) fn exact(file: FileNumber, line: usize, column: Option<usize>) -> Self {
        Self {
            origin: Origin::document(file),
            steps: Vec::new(),
            exact: Some((line, column)),
            further_lines: 0,
        }
    }
}

/// Something that was found, before its place is looked up.
#[derive(Debug)]
pub(crate) struct SuiteFinding {
    pub(crate) severity: Severity,
    pub(crate) spot: Spot,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    /// Another place that belongs to it, with the words that lead to it.
    pub(crate) related: Option<(&'static str, Spot)>,
}

/// Everything found so far.
#[derive(Debug, Default)]
pub(crate) struct SuiteFindings(RefCell<Vec<SuiteFinding>>);

impl SuiteFindings {
    /// Notes an error.
    pub(crate) fn error(&self, trail: &Trail<'_>, message: impl Into<String>) {
        self.add(Severity::Error, trail.spot(), message.into(), None);
    }

    /// Notes an error and what would be right.
    pub(crate) fn error_with(
        &self,
        trail: &Trail<'_>,
        message: impl Into<String>,
        hint: impl Into<Option<String>>,
    ) {
        self.add(Severity::Error, trail.spot(), message.into(), hint.into());
    }

    /// Notes something that does not keep the suite from running.
    pub(crate) fn warn(
        &self,
        trail: &Trail<'_>,
        message: impl Into<String>,
        hint: impl Into<Option<String>>,
    ) {
        self.add(Severity::Warning, trail.spot(), message.into(), hint.into());
    }

    /// Notes an error at a place that is not on a trail.
    pub(crate) fn error_at(&self, spot: Spot, message: impl Into<String>, hint: Option<String>) {
        self.add(Severity::Error, spot, message.into(), hint);
    }

    /// Notes a finding that is already put together.
    pub(crate) fn push(&self, finding: SuiteFinding) {
        self.0.borrow_mut().push(finding);
    }

    fn add(&self, severity: Severity, spot: Spot, message: String, hint: Option<String>) {
        self.push(SuiteFinding { severity, spot, message, hint, related: None });
    }

    /// How many were found so far.
    pub(crate) fn len(&self) -> usize {
        self.0.borrow().len()
    }

    /// All of them, in the order they were found.
    pub(crate) fn into_vec(self) -> Vec<SuiteFinding> {
        self.0.into_inner()
    }
}
