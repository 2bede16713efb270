//! Why a text cannot take a case, and what every form of text needs to know.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::PromotionError;

/// Why a text cannot take a case.
#[derive(Debug)]
pub(super) enum CaseRefusal {
    /// There is no list of cases to add to.
    NoList(String),
    /// It has a case of that name.
    Taken(String),
}

impl CaseRefusal {
    pub(super) fn at(self, path: &Path) -> PromotionError {
        let path = PathBuf::from(path);
        match self {
            Self::NoList(why) => PromotionError::NotAList { path, why },
            Self::Taken(id) => PromotionError::Taken { path, id },
        }
    }
}

/// The name of a case.
pub(super) fn id(case: &Value) -> &str {
    case.get("id").and_then(Value::as_str).unwrap_or_default()
}

/// A text whose last line is whole.
pub(super) fn ended(text: &str) -> String {
    let mut text = text.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
