//! The readers of what browsers send and of texts that pages show, open to fuzz targets. Nothing
//! here makes a connection.

use axum::http::{HeaderMap, HeaderValue, header};
use serde_json::Value;

use crate::base_path::BasePath;
use crate::guard::HostRule;
use crate::json_tree::json_tree;
use crate::login::{Login, ViewerPassword, is_own_path};
use crate::markdown::markdown;
use crate::parameters::{Link, Parameters};
use crate::query::CaseQuery;

/// The query of an address, or a form: the list that it asks for has an address that asks for the
/// same list.
///
/// # Panics
///
/// If it asks for another list.
pub fn check_query(input: &[u8]) {
    let read = |query: &CaseQuery| {
        let link = Link::to("/").and(query.parameters()).href();
        let text = link.split_once('?').map_or("", |(_, text)| text);
        CaseQuery::read(&Parameters::read(text.as_bytes()))
    };
    // The first address may write a tag in another way than a form does.
    let query = read(&CaseQuery::read(&Parameters::read(input)));
    assert_eq!(read(&query), query);
    let _ = query.is_filter();
}

/// The head of a request, as texts: a host, a path, a base path and a cookie. Nobody
/// gets in by chance, and no page of another site is taken for one of ours.
///
/// # Panics
///
/// If that happens.
pub fn check_request(host: &str, path: &str, base: &str, cookie: &[u8]) {
    let rule = HostRule::new(([127, 0, 0, 1], 7878).into(), vec!["lab.local".to_owned()]);
    if rule.accepts(host) {
        let host = host.to_ascii_lowercase();
        let known = ["localhost:", "lab.local", "127.", "::1:", "[::1]:"];
        let is_figures = |c: char| c.is_ascii_hexdigit() || "[].:".contains(c);
        assert!(
            known.iter().any(|k| host.starts_with(k)) || host.chars().all(is_figures),
            "{host}"
        );
    }
    if let Some(base) = BasePath::read(base) {
        let inside = base.strip(path);
        assert!(inside.starts_with('/') || !path.starts_with('/'), "{inside}");
    }
    if is_own_path(path) {
        // Browsers drop tabs and line breaks and take `\` for `/`.
        let seen: String = path.chars().filter(|c| !c.is_control()).collect();
        assert!(seen.starts_with('/') && !seen.replace('\\', "/").starts_with("//"), "{seen:?}");
    }
    let login = Login::new(Some(ViewerPassword::random()), 7878, BasePath::default());
    let mut headers = HeaderMap::new();
    if let Ok(value) = HeaderValue::from_bytes(cookie) {
        headers.insert(header::COOKIE, value);
    }
    assert!(!login.has_cookie(&headers), "{headers:?}");
}

/// A text or JSON that somebody else wrote: a page has only elements that we put there.
///
/// # Panics
///
/// If it has others.
pub fn check_page_text(text: &str) {
    let mut page = markdown(text).0;
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        page.push_str(&json_tree(&value, 2).0);
    }
    for part in page.split('<').skip(1) {
        let element = part.split(['>', ' ']).next().unwrap_or_default();
        assert!(ELEMENTS.contains(&element.trim_start_matches('/')), "<{element}> in {page}");
    }
}

const ELEMENTS: &[&str] = &[
    "b",
    "bdi",
    "blockquote",
    "br",
    "code",
    "details",
    "div",
    "em",
    "h4",
    "h5",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "s",
    "span",
    "strong",
    "summary",
    "table",
    "td",
    "th",
    "tr",
    "ul",
];
