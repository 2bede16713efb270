//! The files that pages load: inside the binary, under an address that changes with them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::base_path;

const VIEW_CSS: &str = include_str!("../assets/view.css");
const VIEW_JS: &str = include_str!("../assets/view.js");
const THEME_JS: &str = include_str!("../assets/theme.js");
const ICON: &str = include_str!("../assets/icon.svg");

static STYLE: LazyLock<String> =
    LazyLock::new(|| format!("{}\n{VIEW_CSS}", toolgauge_report::html::STYLE));

static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    [STYLE.as_str(), VIEW_JS, THEME_JS, ICON].hash(&mut hasher);
    format!("{:016x}", hasher.finish())
});

/// The address of a file.
pub(crate) fn address(name: &str) -> String {
    base_path::address(&format!("/assets/{}/{name}", *VERSION))
}

/// Answers with the icon, which browsers ask for by themselves beside plain texts.
pub(crate) async fn icon() -> Response {
    ([(header::CONTENT_TYPE, "image/svg+xml")], ICON).into_response()
}

/// Answers with a file. An address of an older version gets the current file: there is no other.
pub(crate) async fn asset(Path((_, name)): Path<(String, String)>) -> Response {
    let (kind, text) = match name.as_str() {
        "view.css" => ("text/css; charset=utf-8", STYLE.as_str()),
        "view.js" => ("text/javascript; charset=utf-8", VIEW_JS),
        "theme.js" => ("text/javascript; charset=utf-8", THEME_JS),
        "icon.svg" => ("image/svg+xml", ICON),
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    let kept = (header::CACHE_CONTROL, "public, max-age=31536000, immutable");
    ([(header::CONTENT_TYPE, kind), kept], text).into_response()
}
