//! What every page works with.

use std::path::Path;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Path as AddressPath};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use tokio::sync::Semaphore;
use toolgauge_core::{CaseId, Run};

use crate::background_cache::BackgroundCache;
use crate::compared::Compared;
use crate::guard::Token;
use crate::index::TrialRow;
use crate::layout::{self, Section};
use crate::library::{Library, Lookup, OpenedLog};
use crate::parameters::Parameters;
use crate::rerun::{RerunCommand, Reruns};

/// What every page works with.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// The logs.
    pub(crate) library: Arc<Library>,
    /// What a request must bring to write.
    pub(crate) token: Token,
    /// Comparisons that were made.
    pub(crate) comparisons: Arc<BackgroundCache<Compared>>,
    /// Whether the folder of logs is gone when the viewer ends.
    pub(crate) temporary: bool,
    /// Who may wait for the file of feedback.
    pub(crate) feedback: Arc<Semaphore>,
    /// How a case is run again.
    pub(crate) command: fn(&Run, &CaseId, &Path) -> Option<RerunCommand>,
    /// The runs that visitors start, if they may.
    pub(crate) reruns: Option<Arc<Reruns>>,
}

impl Site {
    /// How a case of a log is run again, where the log says enough.
    pub(crate) fn rerun_command(&self, run: &Run, case: &CaseId) -> Option<RerunCommand> {
        (self.command)(run, case, self.library.logs().path())
    }

    /// A log, or the page to show in its place.
    pub(crate) async fn open(&self, name: &str) -> Result<Arc<OpenedLog>, Box<Response>> {
        match self.library.open(name).await {
            Lookup::Ready(opened) => Ok(opened),
            Lookup::Building(progress) => {
                let doing = "The log is being read for the first time.";
                Err(Box::new(layout::in_progress(Section::Runs, name, doing, &progress)))
            }
            Lookup::Failed(why) => {
                let title = "This log cannot be read";
                Err(Box::new(layout::sorry(StatusCode::UNPROCESSABLE_ENTITY, title, &why)))
            }
            Lookup::Missing => Err(Box::new(missing("There is no such log in the folder."))),
        }
    }
}

/// The log that an address names, as handlers are given it; in its place the page that says why
/// there is none, or not yet.
#[derive(Clone, Debug)]
pub(crate) struct NamedLog(pub(crate) Arc<OpenedLog>);

impl FromRequestParts<Site> for NamedLog {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, site: &Site) -> Result<Self, Response> {
        let named = AddressPath::<String>::from_request_parts(parts, site).await;
        let AddressPath(name) = named.map_err(IntoResponse::into_response)?;
        site.open(&name).await.map(Self).map_err(|page| *page)
    }
}

/// The trial of a log that the parameters name.
pub(crate) fn find_trial(opened: &OpenedLog, parameters: &Parameters) -> Option<TrialRow> {
    let rows = opened.index.of_case(parameters.get("id")?);
    let number = parameters.number("trial");
    let wanted = |row: &&TrialRow| number.is_none_or(|n| opened.index.trial(**row) as usize == n);
    rows.iter().find(wanted).copied()
}

/// The page for what is not there.
pub(crate) fn missing(what: &str) -> Response {
    layout::sorry(StatusCode::NOT_FOUND, "Not found", what)
}
