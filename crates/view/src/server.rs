//! Starts the viewer and keeps it going until it is told to stop.

use std::collections::BTreeMap;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{get, post};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use toolgauge_core::{CaseId, Run};
use toolgauge_report::{Thresholds, TokenPrice};

use crate::assets::{asset, icon};
use crate::base_path::{BasePath, with_base_path};
use crate::connections::{bounded, serve_connections};
use crate::error::ViewError;
use crate::guard::{HostRule, Token, guard};
use crate::library::{Library, LogTerms};
use crate::log_folder::LogFolder;
use crate::login::{self, Login, ViewerPassword, only_who_may};
use crate::pages;
use crate::parameters::Link;
use crate::rerun::{RerunCommand, Reruns};
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
    /// What all addresses begin with.
    pub base_path: BasePath,
    /// What a visitor has to know; nothing if this machine alone can reach the server.
    pub password: Option<ViewerPassword>,
    /// What tokens cost, by the name of the subject.
    pub prices: BTreeMap<String, TokenPrice>,
    /// What graded questions are held to.
    pub graded: Thresholds,
    /// Whether the folder is gone when the viewer ends, so that nothing can be kept in it.
    pub temporary: bool,
    /// How a case is run again, where the log says enough. The path is the folder of logs.
    pub command: fn(&Run, &CaseId, &Path) -> Option<RerunCommand>,
    /// The program that visitors may start to run a case again, if they may.
    pub allow_run: Option<PathBuf>,
}

impl Viewer {
    /// Shows a folder of logs to this machine alone, and keeps nothing.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            cache: None,
            host_names: Vec::new(),
            base_path: BasePath::default(),
            password: None,
            prices: BTreeMap::new(),
            graded: Thresholds::default(),
            temporary: false,
            command: |_, _, _| None,
            allow_run: None,
        }
    }
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
    let entrance = Entrance {
        rule: Arc::new(HostRule::new(address, viewer.host_names)),
        login: Login::new(viewer.password, address.port(), viewer.base_path.clone()),
        base: viewer.base_path,
    };
    let terms = LogTerms { prices: viewer.prices, graded: viewer.graded };
    let site = Site {
        library: Arc::new(Library::new(logs, viewer.cache, terms)),
        token: Token::new(),
        comparisons: Arc::default(),
        feedback: Arc::new(Semaphore::new(FEEDBACK_AT_ONCE)),
        temporary: viewer.temporary,
        command: viewer.command,
        reruns: viewer.allow_run.map(|program| Arc::new(Reruns::new(program))),
    };
    serve_connections(listener, app(site, entrance), stop).await;
    Ok(())
}

/// The address of a log's page, without scheme, host and base path.
pub fn run_address(log: &str) -> String {
    Link::run(log, "").href()
}

/// What a request passes before a page sees it.
struct Entrance {
    rule: Arc<HostRule>,
    login: Login,
    base: BasePath,
}

/// Every page, behind the guard.
fn app(site: Site, Entrance { rule, login, base }: Entrance) -> Router {
    let pages = pages(&login);
    // A proxy may take the base path away before it passes a request on, or leave it.
    let all = match base.as_str() {
        "" => pages,
        path => Router::new()
            .nest(path, pages.clone())
            .route(&format!("{path}/"), get(pages::runs::page))
            .merge(pages),
    };
    all.fallback(async || missing("There is no such page."))
        .layer(DefaultBodyLimit::max(LARGEST_FORM))
        .layer(middleware::from_fn_with_state(login, only_who_may))
        .layer(middleware::from_fn(bounded))
        .layer(middleware::from_fn_with_state(base, with_base_path))
        .layer(middleware::from_fn_with_state(rule, guard))
        .with_state(site)
}

fn pages(login: &Login) -> Router<Site> {
    Router::new()
        .route("/", get(pages::runs::page))
        .route("/live", get(pages::runs::live))
        .merge(run_pages())
        .route("/compare", get(pages::compare::page))
        .route("/compare/cases", get(pages::grid::page))
        .route("/compare/case", get(pages::side_by_side::page))
        .route("/feedback", get(pages::feedback_list::page).post(pages::feedback::keep))
        .route("/feedback/case", get(pages::feedback_list::promote))
        .route("/again", get(pages::again::page).post(pages::again::start))
        .route("/again/live", get(pages::again::live))
        .route("/glossary", get(pages::glossary::page))
        .route("/login", post(login::enter).with_state(login.clone()))
        .route("/assets/{version}/{name}", get(asset))
        .route("/favicon.ico", get(icon))
}

/// The pages of one log.
fn run_pages() -> Router<Site> {
    Router::new()
        .route("/run/{log}", get(pages::overview::page))
        .route("/run/{log}/cases", get(pages::cases::page))
        .route("/run/{log}/cases.csv", get(pages::cases::csv))
        .route("/run/{log}/figures", get(pages::figures::page))
        .route("/run/{log}/settings", get(pages::settings::page))
        .route("/run/{log}/live", get(pages::run::live))
        .route("/run/{log}/rows", get(pages::cases::rows))
        .route("/run/{log}/list", get(pages::cases::printed))
        .route("/run/{log}/case", get(pages::case::page))
        .route("/run/{log}/case.json", get(pages::raw::download))
        .route("/run/{log}/file", get(pages::raw::log_file))
        .route("/run/{log}/raw", get(pages::raw::page))
        .route("/run/{log}/tree", get(pages::raw::tree))
        .route("/run/{log}/annotate", get(pages::feedback::annotate))
}
