//! No link leads nowhere, neither in the Markdown files nor in the book made of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use regex::Regex;
use toolgauge_testkit::skip_check;

use super::pages::{Page, all, repository};

/// What is wrong with a link of a page.
fn problem(page: &Page, link: &str) -> Option<String> {
    if ["http://", "https://", "mailto:"].iter().any(|scheme| link.starts_with(scheme)) {
        return None;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() {
        page.name.clone()
    } else {
        match resolved(&page.name, path) {
            Some(target) => target,
            None => return Some("leaves the repository".to_owned()),
        }
    };
    if !repository().join(&target).exists() {
        return Some(format!("there is no `{target}`"));
    }
    if page.is_in_book() && !target.starts_with("docs/") {
        return Some(format!("`{target}` is not in docs/, so the book lacks it"));
    }
    let known = anchor.is_empty() || Page::read(&target).anchors().iter().any(|a| a == anchor);
    (!known).then(|| format!("`{target}` has no heading for `#{anchor}`"))
}

/// A path relative to a page as one relative to the repository.
fn resolved(page: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.trim_end_matches('/').split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[test]
fn every_link_in_a_page_leads_somewhere() {
    let mut problems = Vec::new();
    let mut links = 0;
    for page in all() {
        for link in page.links() {
            links += 1;
            let problem = problem(&page, &link);
            problems.extend(problem.map(|problem| format!("{}: ({link}): {problem}", page.name)));
        }
    }
    assert!(links > 100, "only {links} links were found");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn a_link_to_a_missing_page_heading_or_outside_of_the_book_is_found() {
    let page = Page::read("docs/view.md");
    let found = |link| problem(&page, link).unwrap();
    assert_eq!(found("nowhere.md"), "there is no `docs/nowhere.md`");
    assert_eq!(found("log.md#nothing"), "`docs/log.md` has no heading for `#nothing`");
    assert_eq!(found("#nothing"), "`docs/view.md` has no heading for `#nothing`");
    assert_eq!(found("../README.md"), "`README.md` is not in docs/, so the book lacks it");
    assert_eq!(found("../../x.md"), "leaves the repository");
    assert_eq!(problem(&page, "log.md#damage"), None);
}

#[test]
fn every_page_of_the_docs_is_in_the_book() {
    let contents = Page::read("docs/SUMMARY.md").links();
    let pages = all().into_iter().filter(Page::is_in_book);
    let names = pages.map(|page| page.name.trim_start_matches("docs/").to_owned());
    let missing: Vec<String> =
        names.filter(|name| name != "SUMMARY.md" && !contents.contains(name)).collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:?}");
}

/// The HTML files of the built book, by their paths.
fn built_pages(book: &Path) -> BTreeMap<PathBuf, String> {
    let mut pages = BTreeMap::new();
    let mut folders = vec![book.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            // mdBook adds these two: one page with everything, and one for wrong addresses.
            let added = ["print.html", "404.html"].map(|name| book.join(name));
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "html") && !added.contains(&path) {
                pages.insert(path.clone(), std::fs::read_to_string(path).unwrap());
            }
        }
    }
    pages
}

#[test]
fn every_link_in_the_built_book_leads_somewhere() {
    let Some(book) = std::env::var_os("TOOLGAUGE_BOOK").map(PathBuf::from) else {
        let needs = "the book that `mdbook build` makes, named by TOOLGAUGE_BOOK";
        return skip_check(needs, "TOOLGAUGE_REQUIRE_BOOK");
    };
    let book = book.canonicalize().unwrap();
    let pages = built_pages(&book);
    assert!(pages.len() > 20, "{pages:?}");
    let link = Regex::new(r#"(?:href|src)="([^"]*)""#).unwrap();
    let mut problems = Vec::new();
    for (path, text) in &pages {
        for link in link.captures_iter(text).map(|link| link[1].to_owned()) {
            if link.contains("://") || link.starts_with("mailto:") || link.starts_with("data:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => path.clone(),
                _ => path.parent().unwrap().join(file),
            };
            let Ok(target) = target.canonicalize() else {
                problems.push(format!("{}: {link}", path.display()));
                continue;
            };
            let id = format!("id=\"{anchor}\"");
            if !anchor.is_empty() && pages.get(&target).is_some_and(|page| !page.contains(&id)) {
                problems.push(format!("{}: {link} (no such heading)", path.display()));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
