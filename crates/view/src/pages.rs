//! One file a page: each holds its handler and what it draws.

pub(crate) mod again;
pub(crate) mod case;
pub(crate) mod cases;
pub(crate) mod compare;
pub(crate) mod feedback;
pub(crate) mod feedback_list;
pub(crate) mod figures;
pub(crate) mod glossary;
pub(crate) mod grid;
mod judgement;
pub(crate) mod overview;
pub(crate) mod raw;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod settings;
pub(crate) mod side_by_side;
mod timing;
