//! Starts the viewer and keeps it going until it is told to stop.

use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::assets::{asset, icon};
use crate::connections::{bounded, serve_connections};
use crate::error::ViewError;
use crate::guard::{HostRule, Token, guard};
use crate::library::Library;
use crate::log_folder::LogFolder;
use crate::pages;
use crate::parameters::Link;
use crate::site::{Site, missing};

/// The largest form that is taken.
const LARGEST_FORM: usize = 1 << 20;

/// How many threads may wait for the file of feedback at once.
const FEEDBACK_AT_ONCE: usize = 2;

/// What is shown, and to whom.
#[derive(Clone, Debug)]
pub struct Viewer {
    /// The folder of logs.
    pub folder: PathBuf,
    /// Where the table of runs is kept from one start to the next, if anywhere.
    pub cache: Option<PathBuf>,
    /// Further host names the server may be reached by.
    pub host_names: Vec<String>,
}

/// Serves the viewer on `listener` until `stop` is done. What is being answered then has a moment to
/// be answered; it is over within two seconds, whoever hangs on.
pub async fn serve(
    listener: TcpListener,
    viewer: Viewer,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ViewError> {
    let logs = LogFolder::new(&viewer.folder)
        .map_err(|source| ViewError::Folder { folder: viewer.folder.clone(), source })?;
    let server = |source| ViewError::Server { source };
    let address = listener.local_addr().map_err(server)?;
    let rule = HostRule::new(address, viewer.host_names);
    let site = Site {
        library: Arc::new(Library::new(logs, viewer.cache)),
        token: Token::new(),
        comparisons: Arc::default(),
        feedback: Arc::new(Semaphore::new(FEEDBACK_AT_ONCE)),
    };
    serve_connections(listener, app(site, rule), stop).await;
    Ok(())
}

/// The address of a log's page, without scheme and host.
pub fn run_address(log: &str) -> String {
    Link::run(log, "").href()
}

/// Every page, behind the guard.
fn app(site: Site, rule: HostRule) -> Router {
    Router::new()
        .route("/", get(pages::runs::page))
        .route("/live", get(pages::runs::live))
        .route("/run/{log}", get(pages::run::page))
        .route("/run/{log}/live", get(pages::run::live))
        .route("/run/{log}/rows", get(pages::cases::rows))
        .route("/run/{log}/list", get(pages::cases::printed))
        .route("/run/{log}/case", get(pages::case::page))
        .route("/run/{log}/raw", get(pages::raw::page))
        .route("/compare", get(pages::compare::page))
        .route("/compare/case", get(pages::side_by_side::page))
        .route("/run/{log}/annotate", get(pages::feedback::annotate))
        .route("/feedback", get(pages::feedback::page).post(pages::feedback::keep))
        .route("/feedback/case", get(pages::feedback::promote))
        .route("/assets/{version}/{name}", get(asset))
        .route("/favicon.ico", get(icon))
        .fallback(async || missing("There is no such page."))
        .layer(DefaultBodyLimit::max(LARGEST_FORM))
        .layer(middleware::from_fn(bounded))
        .layer(middleware::from_fn_with_state(Arc::new(rule), guard))
        .with_state(site)
}
