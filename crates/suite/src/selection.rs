//! Which cases of a suite to run.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use globset::{Glob, GlobSet, GlobSetBuilder};
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use toolgauge_core::{Case, CaseId};

use crate::nearest::{enumerate, nearest};
use crate::suite::Suite;

/// Which cases of a suite to run. The default is all of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// Ids, or globs over ids; none means all. A case needs to match one of them.
    pub ids: Vec<String>,
    /// Tags and their values. Of several values for one tag one must fit, and every tag named
    /// must fit.
    pub tags: Vec<(String, String)>,
    /// Only these, if given: the cases that failed in some log.
    pub only: Option<BTreeSet<CaseId>>,
    /// Only the cases that the suite names for a quick run.
    pub quick: bool,
    /// Only so many of what is left, drawn at random.
    pub sample: Option<RandomDraw>,
    /// Only the first so many of what is left then.
    pub limit: Option<usize>,
}

/// A random draw that comes out the same for the same seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomDraw {
    /// How many cases to draw.
    pub size: usize,
    /// What the draw depends on.
    pub seed: u64,
}

/// Why no case could be selected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// An id that no case has, or a glob that matches none.
    #[error("no case of the suite `{suite}` matches `{pattern}`")]
    NoSuchCase {
        /// The name of the suite that was selected from.
        suite: String,
        /// The id or glob.
        pattern: String,
        /// What would be right.
        hint: Option<String>,
    },
    /// A glob that cannot be read.
    #[error("`{pattern}` is not a glob: {why}")]
    BadGlob {
        /// The glob.
        pattern: String,
        /// What is wrong with it.
        why: String,
    },
    /// A tag that no case has.
    #[error("no case of the suite `{suite}` has the tag `{tag}`")]
    NoSuchTag {
        /// The name of the suite that was selected from.
        suite: String,
        /// The name of the tag that was asked for.
        tag: String,
        /// What would be right.
        hint: Option<String>,
    },
    /// A value that no case has for a tag.
    #[error("no case of the suite `{suite}` has `{tag}={value}`")]
    NoSuchValue {
        /// The name of the suite that was selected from.
        suite: String,
        /// The name of the tag that was asked for.
        tag: String,
        /// The value that was asked for.
        value: String,
        /// What would be right.
        hint: Option<String>,
    },
    /// A quick run of a suite that names no cases for it.
    #[error("the suite `{suite}` names no cases for a quick run")]
    NoQuickCases {
        /// The name of the suite that was selected from.
        suite: String,
    },
    /// Each condition is met by some case, but no case meets them all.
    #[error("no case of the suite `{suite}` meets all conditions at once")]
    NothingLeft {
        /// The name of the suite that was selected from.
        suite: String,
    },
}

impl SelectionError {
    /// What would be right, if something is near.
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::NoSuchCase { hint, .. }
            | Self::NoSuchTag { hint, .. }
            | Self::NoSuchValue { hint, .. } => hint.as_deref(),
            Self::NoQuickCases { .. } => {
                Some("draw some with `--sample 40`, or name them under `quick` in the suite")
            }
            Self::BadGlob { .. } | Self::NothingLeft { .. } => None,
        }
    }
}

impl Selection {
    /// The cases that are selected, in the order of the suite; with each number of decoys, if it
    /// names some.
    pub fn select(&self, suite: &Suite) -> Result<Vec<Arc<Case>>, SelectionError> {
        let ids = IdFilter::new(&self.ids, suite)?;
        self.check_tags(suite)?;
        if self.quick && suite.quick.is_empty() {
            return Err(SelectionError::NoQuickCases { suite: suite.name.clone() });
        }
        let quick: HashSet<&CaseId> = suite.quick.iter().collect();
        let wanted = |case: &&Arc<Case>| {
            ids.accepts(&case.id)
                && (!self.quick || quick.contains(&case.id))
                && self.tags_fit(case)
                && self.only.as_ref().is_none_or(|only| suite.is_among(case, only))
        };
        let mut cases: Vec<Arc<Case>> = suite.cases.iter().filter(wanted).cloned().collect();
        if cases.is_empty() {
            return Err(SelectionError::NothingLeft { suite: suite.name.clone() });
        }
        if let Some(sample) = self.sample {
            cases = draw(&cases, sample);
        }
        if let Some(limit) = self.limit {
            cases.truncate(limit);
        }
        Ok(suite.with_decoys(cases))
    }

    fn tags_fit(&self, case: &Case) -> bool {
        self.tags.iter().all(|(tag, _)| {
            let given = case.tags.get(tag);
            self.tags.iter().any(|(other, value)| other == tag && given == Some(value))
        })
    }

    fn check_tags(&self, suite: &Suite) -> Result<(), SelectionError> {
        for (tag, value) in &self.tags {
            let values: BTreeSet<&str> = suite
                .cases
                .iter()
                .filter_map(|case| case.tags.get(tag))
                .map(String::as_str)
                .collect();
            if values.is_empty() {
                let known: BTreeSet<&str> = suite
                    .cases
                    .iter()
                    .flat_map(|case| case.tags.keys().map(String::as_str))
                    .collect();
                return Err(SelectionError::NoSuchTag {
                    suite: suite.name.clone(),
                    tag: tag.clone(),
                    hint: Some(near_or_all(tag, "tags", &known)),
                });
            }
            if !values.contains(value.as_str()) {
                return Err(SelectionError::NoSuchValue {
                    suite: suite.name.clone(),
                    tag: tag.clone(),
                    value: value.clone(),
                    hint: Some(near_or_all(value, "values", &values)),
                });
            }
        }
        Ok(())
    }
}

/// Draws without replacement and keeps the order of the suite.
fn draw(cases: &[Arc<Case>], sample: RandomDraw) -> Vec<Arc<Case>> {
    // A generator with a name, because the sample must come out the same in later versions.
    let mut random = ChaCha8Rng::seed_from_u64(sample.seed);
    // All are put in an order of their own and the first are taken, so that a smaller sample of
    // the same seed is a part of a larger one.
    let mut chosen = index::sample(&mut random, cases.len(), cases.len()).into_vec();
    chosen.truncate(sample.size);
    chosen.sort_unstable();
    chosen.into_iter().map(|index| Arc::clone(&cases[index])).collect()
}

/// Ids and globs over ids.
struct IdFilter {
    exact: HashSet<CaseId>,
    globs: GlobSet,
    everything: bool,
}

impl IdFilter {
    fn new(patterns: &[String], suite: &Suite) -> Result<Self, SelectionError> {
        let mut filter = Self {
            exact: HashSet::new(),
            globs: GlobSet::empty(),
            everything: patterns.is_empty(),
        };
        if patterns.is_empty() {
            return Ok(filter);
        }
        let ids: HashSet<&CaseId> = suite.cases.iter().map(|case| &case.id).collect();
        let mut globs = GlobSetBuilder::new();
        for pattern in patterns {
            // An id may hold characters that mean something in a glob; as an id it comes first.
            let id = CaseId::new(pattern);
            if ids.contains(&id) {
                filter.exact.insert(id);
            } else {
                globs.add(compile(pattern, suite)?);
            }
        }
        filter.globs = globs.build().map_err(|error| bad_glob("", &error))?;
        Ok(filter)
    }

    fn accepts(&self, id: &CaseId) -> bool {
        self.everything || self.exact.contains(id) || self.globs.is_match(id.as_str())
    }
}

/// A glob that matches at least one case.
fn compile(pattern: &str, suite: &Suite) -> Result<Glob, SelectionError> {
    let glob = Glob::new(pattern).map_err(|error| bad_glob(pattern, &error))?;
    let matcher = glob.compile_matcher();
    if suite.cases.iter().any(|case| matcher.is_match(case.id.as_str())) {
        return Ok(glob);
    }
    let ids: Vec<&str> = suite.cases.iter().map(|case| case.id.as_str()).collect();
    let plain = pattern.replace(['*', '?'], "");
    Err(SelectionError::NoSuchCase {
        suite: suite.name.clone(),
        pattern: pattern.to_owned(),
        hint: nearest(&plain, ids).map(|near| format!("did you mean `{near}`?")),
    })
}

fn bad_glob(pattern: &str, error: &globset::Error) -> SelectionError {
    let pattern = error.glob().unwrap_or(pattern).to_owned();
    SelectionError::BadGlob { pattern, why: error.kind().to_string() }
}

fn near_or_all(word: &str, noun: &str, known: &BTreeSet<&str>) -> String {
    let known: Vec<&str> = known.iter().copied().collect();
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "the cases of this suite have no tags".to_owned(),
        None => format!("known {noun}: {}", enumerate(&known)),
    }
}
