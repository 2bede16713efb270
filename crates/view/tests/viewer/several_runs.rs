//! Several runs, case by case.

use toolgauge_testkit::wait_until;

use crate::logs::{self, A, B};
use crate::shown::Shown;

/// The names of the cases that a page of the grid shows.
fn cases(shown: &Shown, query: &str) -> Vec<String> {
    for log in [A, B] {
        let rows = format!("/run/{log}/rows?{query}");
        wait_until(|| !shown.page(&rows).contains("data-searching"));
    }
    let page = shown.page(&format!("/compare/cases?run={A}&run={B}&{query}"));
    let rows = page.split("<tbody").nth(1).unwrap_or_default();
    let names = rows.split("role=\"rowheader\"").skip(1);
    names
        .map(|row| row.split("<bdi>").nth(1).unwrap().split('<').next().unwrap().to_owned())
        .collect()
}

#[test]
fn a_comparison_opens_with_what_broke_and_both_answers() {
    let shown = Shown::over(logs::two_runs);
    let page = shown.page(&format!("/compare?run={A}&run={B}"));
    let broken = page.find("cases broken").unwrap();
    let fixed = page.find("cases fixed").unwrap();
    let figures = page.find("id=\"figures\"").unwrap();
    assert!(broken < fixed && fixed < figures, "{broken} {fixed} {figures}");
    // lamp-4 is right in A and wrong in B.
    let row = page.split("role=\"rowheader\"").find(|row| row.contains(">lamp-4<")).unwrap();
    for words in ["Turn on lamp 4 in the hall", "hall", "kitchen", "pass", "partial", "Done."] {
        assert!(row.contains(words), "{words}: {row}");
    }
    assert!(!row.contains("{&quot;"), "calls in words, not in JSON: {row}");
}

#[test]
fn runs_stand_beside_each_other_case_by_case() {
    let shown = Shown::over(logs::two_runs);
    assert_eq!(cases(&shown, "").len(), 40);
    // Every third is wrong in A, every fourth in B: those of twelve in both.
    assert_eq!(cases(&shown, "show=different").len(), 14 + 10 - 2 * 4);
    assert_eq!(
        cases(&shown, "show=broken"),
        ["lamp-4", "lamp-8", "lamp-16", "lamp-20", "lamp-28", "lamp-32"]
    );
    assert_eq!(cases(&shown, "show=fixed").len(), 10);
    assert_eq!(cases(&shown, "show=broken&q=lamp-3"), ["lamp-32"]);
    assert_eq!(cases(&shown, "q=kitchen").len(), 14 + 10 - 4, "in the transcript of either");
    let none = shown.page(&format!("/compare/cases?run={A}&run={B}&q=bathroom"));
    assert!(none.contains("Show all cases"), "{none}");
    assert_eq!(shown.get("/compare/cases").status, 404);
    assert_eq!(shown.get(&format!("/compare/cases?run={A}&run=nothing.eval")).status, 404);
}

#[test]
fn a_case_that_a_run_does_not_have_leaves_its_place_empty() {
    let shown = Shown::over(|folder| {
        logs::write(folder, A, &logs::run("qwen", 6, 0), 3);
        logs::write(folder, B, &logs::run("llama", 4, 10), 3);
    });
    assert_eq!(cases(&shown, "show=different"), ["lamp-4", "lamp-5"]);
    assert_eq!(cases(&shown, "show=broken"), ["lamp-4", "lamp-5"]);
}
