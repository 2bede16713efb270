//! The pages of a run: overview, cases, figures, settings.

use toolgauge_log::LogWriter;
use toolgauge_testkit::wait_until;

use crate::http::Answer;
use crate::logs::{self, A};
use crate::shown::Shown;

/// How many trials a list shows, once all transcripts are searched.
fn found(shown: &Shown, query: &str) -> usize {
    let address = format!("/run/{A}/rows?count=500&{query}");
    wait_until(|| !shown.page(&address).contains("data-searching"));
    shown.page(&address).matches("/case?id=").count()
}

#[test]
fn the_overview_says_how_it_went_and_names_what_failed() {
    let shown = Shown::over(logs::two_runs);
    let page = shown.page(&format!("/run/{A}"));
    for words in [
        "26 of 40 cases pass, 14 partial.",
        "That is above the ",
        "floor</a> of 0.100, the score of a subject that <bdi>never calls a tool",
        "Cases that do not pass",
        "Turn on lamp 0 in the hall",
        "turn_on room: hall",
        "kitchen",
        "All 14 that do not pass",
        "What cost the points",
        "wrong value",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let order = ["lamp-0<", "lamp-3<", "lamp-6<"].map(|case| page.find(case).unwrap());
    assert!(order.is_sorted(), "equal ones in the order of the suite");
    assert!(!page.contains("id=\"list\"") && !page.contains("<figure"), "these have their pages");
}

#[test]
fn addresses_of_the_old_page_lead_to_the_list() {
    let shown = Shown::over(logs::two_runs);
    shown.page(&format!("/run/{A}"));
    let answer: Answer = shown.get(&format!("/run/{A}?verdict=partly&q=lamp-3"));
    assert_eq!(answer.status, 308);
    let list = answer.header("location").unwrap();
    assert_eq!(list, format!("/run/{A}/cases?verdict=partly&q=lamp-3"));
    // lamp-3, lamp-30, lamp-33, lamp-36 and lamp-39 are wrong.
    assert_eq!(shown.page(list).matches("/case?id=").count(), 5);
}

#[test]
fn a_run_without_trials_says_what_to_do() {
    let shown = Shown::over(|folder| {
        // Nothing is written but the head.
        drop(LogWriter::create(&folder.join(A), &logs::run("qwen", 3, 0)).unwrap());
    });
    assert!(shown.page(&format!("/run/{A}")).contains("toolgauge run --resume"));
    assert!(shown.page(&format!("/run/{A}/cases")).contains("No trial has ended yet"));
}

#[test]
fn words_are_found_in_transcripts_arguments_and_answers() {
    let shown = Shown::over(logs::two_runs);
    assert_eq!(found(&shown, "q=kitchen"), 14, "an argument of a call");
    assert_eq!(found(&shown, "q=KITCH"), 14, "a part of it");
    assert_eq!(found(&shown, "q=success"), 40, "what a tool answered");
    assert_eq!(found(&shown, "q=Done."), 40, "what the subject said");
    assert_eq!(found(&shown, "q=should+use+tool"), 40, "what it thought");
    assert_eq!(found(&shown, "q=kitchen+lamp-39"), 1, "with the name of the case");
    assert_eq!(found(&shown, "q=%22room%22%3A%22kitchen%22"), 14, "as JSON has it");
    assert_eq!(found(&shown, "q=bathroom"), 0);
    let none = shown.page(&format!("/run/{A}/cases?q=bathroom"));
    assert!(none.contains("show all trials"), "{none}");
}

#[test]
fn words_are_found_in_what_a_run_adds() {
    let shown = Shown::over(|_| {});
    let mut writer =
        LogWriter::create(&shown.folder.path().join(A), &logs::run("qwen", 9, 0)).unwrap();
    for number in 0..9 {
        writer.append(&logs::trial(logs::case(number), number, number % 3 != 0)).unwrap();
        if number % 4 == 0 {
            let wrong = number / 3 + 1;
            wait_until(|| found(&shown, "q=kitchen") == wrong);
        }
    }
}

#[test]
fn the_columns_of_the_list_are_chosen() {
    let shown = Shown::over(logs::two_runs);
    let head = |query: &str| {
        let page = shown.page(&format!("/run/{A}/cases?{query}"));
        let head = page.split("<thead").nth(1).unwrap().split("</thead>").next().unwrap();
        let cells = head.split("<th").skip(1).map(|cell| {
            let text = cell.split('>').skip(1).filter_map(|part| part.split('<').next());
            text.collect::<String>()
        });
        cells.collect::<Vec<String>>().join("|")
    };
    assert_eq!(head(""), "verdict|score|case|asked|answered|lost by|time");
    let chosen = "column=came&column=expected&column=tag%3Atier&column=expected";
    assert_eq!(head(chosen), "verdict|score|case|expected|tier");
    let page = shown.page(&format!("/run/{A}/cases?column=instead&column=tag%3Atier&sort=case"));
    assert!(page.contains(">kitchen<") && page.contains(">small<"), "{page}");
    assert!(page.contains("column=instead&amp;column=tag%3Atier"), "links keep the columns");
}

#[test]
fn the_list_is_downloaded_as_csv() {
    let shown = Shown::over(logs::two_runs);
    shown.page(&format!("/run/{A}"));
    let answer = shown.get(&format!("/run/{A}/cases.csv?q=kitchen&column=answered&column=calls"));
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"a.csv\""));
    let body = answer.body;
    let lines: Vec<&str> = body.lines().filter(|line| line.contains(',')).collect();
    assert_eq!(lines[0], "case,trial,verdict,score,answered,calls");
    assert_eq!(
        lines[1],
        "lamp-0,1,partial,0.5,\"turn_on name=\"\"lamp 0\"\" room=kitchen “Done.”\",1"
    );
    assert_eq!(lines.len(), 15);
}
