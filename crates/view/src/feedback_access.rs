//! Feedback is read and written on threads of their own, because SQLite waits for whoever has
//! locked the file, and no other page may wait with it.

use std::path::Path;
use std::time::Duration;

use axum::http::StatusCode;
use axum::response::Response;
use toolgauge_feedback::FeedbackError;

use crate::layout::sorry;
use crate::library::error_chain;
use crate::site::Site;

/// How long a request waits for its turn.
const TURN: Duration = Duration::from_secs(10);

/// Why feedback could not be read or kept.
#[derive(Clone, Debug)]
pub(crate) enum FeedbackRefusal {
    /// Another program has locked the file; later it may go.
    Busy,
    /// Something else, in words.
    Failed(String),
}

impl FeedbackRefusal {
    /// What to tell a person.
    pub(crate) fn words(&self) -> &str {
        match self {
            Self::Busy => {
                "Another program is writing feedback to this folder. Go back and try again in a \
                 moment; nothing was lost."
            }
            Self::Failed(why) => why,
        }
    }

    /// The page that tells it.
    pub(crate) fn page(&self, title: &str) -> Response {
        let status = match self {
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        sorry(status, title, self.words())
    }
}

impl From<FeedbackError> for FeedbackRefusal {
    fn from(error: FeedbackError) -> Self {
        if error.is_busy() { Self::Busy } else { Self::Failed(error_chain(&error)) }
    }
}

/// Does something with the feedback of the folder, on a thread that may wait.
pub(crate) async fn with_feedback<T: Send + 'static>(
    site: &Site,
    work: impl FnOnce(&Path) -> Result<T, FeedbackError> + Send + 'static,
) -> Result<T, FeedbackRefusal> {
    // Few at a time: writers that crowd would only wait for each other inside SQLite.
    let turn = tokio::time::timeout(TURN, site.feedback.clone().acquire_owned()).await;
    let Ok(Ok(turn)) = turn else { return Err(FeedbackRefusal::Busy) };
    let folder = site.library.logs().path().to_owned();
    let done = tokio::task::spawn_blocking(move || {
        let done = work(&folder);
        drop(turn);
        done
    });
    match done.await {
        Ok(done) => Ok(done?),
        Err(error) => Err(FeedbackRefusal::Failed(error.to_string())),
    }
}
