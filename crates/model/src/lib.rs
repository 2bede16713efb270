//! Subjects: what is measured, and the wire between it and toolgauge.

mod subject;

pub use subject::{Answer, Briefing, Reply, Request, Subject};
