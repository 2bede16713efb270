//! What the pages say, and what they keep.

use toolgauge_core::{AcceptedWay, Outcome, StateChange};
use toolgauge_log::{LogWriter, RunStatus};
use toolgauge_testkit::wait_until;

use crate::logs::{self, A, B};
use crate::shown::Shown;

/// How many lines of cases a page has.
fn lines(body: &str) -> usize {
    body.matches("/case?id=").count()
}

#[test]
fn a_list_to_print_holds_every_line_up_to_a_bound() {
    let shown = Shown::over(|folder| {
        logs::write(folder, A, &logs::run("qwen", 2_500, 0), 3);
    });
    let first = shown.page(&format!("/run/{A}/list"));
    assert_eq!(lines(&first), 2_000);
    assert!(first.contains("Trials 1 to 2000 of 2500") && first.contains("Page 1 of 2"));
    assert!(first.len() < 3_000_000, "{} bytes", first.len());
    let second = shown.page(&format!("/run/{A}/list?page=1"));
    assert_eq!(lines(&second), 500);
    assert!(second.contains("Trials 2001 to 2500 of 2500"));
    let none = shown.page(&format!("/run/{A}/list?q=nothing-like-it"));
    assert!(none.contains("No trials, chosen from 2500 by words “"), "{none}");
    assert!(shown.page(&format!("/run/{A}/cases")).contains("List to print"));
}

#[test]
fn the_table_of_runs_is_filtered_sorted_and_grouped() {
    let shown = Shown::over(logs::two_runs);
    let all = shown.page("/");
    assert!(all.contains("qwen") && all.contains("llama") && all.contains("lamps"));
    let one = shown.page("/?q=QWEN");
    assert!(one.contains(">qwen<") && !one.contains(">llama<"));
    assert!(shown.page("/?q=nobody").contains("No run matches"));
    assert!(shown.page("/?suite=lamps&group=1").contains("<h2>"));
    let place = |body: &str, name: &str| body.find(&format!(">{name}<")).unwrap();
    let by_score = shown.page("/?sort=score");
    assert!(place(&by_score, "llama") < place(&by_score, "qwen"));
    let reversed = shown.page("/?sort=score&reversed=1");
    assert!(place(&reversed, "qwen") < place(&reversed, "llama"));
}

#[test]
fn an_empty_folder_says_what_to_do() {
    let shown = Shown::over(|_| {});
    assert!(shown.page("/").contains("toolgauge run"));
}

#[test]
fn the_list_of_cases_is_filtered_by_everything() {
    let shown = Shown::over(logs::two_runs);
    let rows = |query: &str| lines(&shown.page(&format!("/run/{A}/rows?count=500&{query}")));
    assert_eq!(rows(""), 40);
    assert_eq!(rows("verdict=partial"), 14);
    assert_eq!(rows("verdict=pass"), 26);
    assert_eq!(rows("verdict=fail"), 0);
    assert_eq!(rows("cause=wrong_value"), 14);
    assert_eq!(rows("cause=extra_call"), 0);
    assert_eq!(rows("dimension=arguments"), 14);
    assert_eq!(rows("dimension=tool_name"), 0);
    assert_eq!(rows("pattern=wrong_value%40turn_on.room"), 14);
    assert_eq!(rows("tag=tier%3Dsmall"), 14);
    assert_eq!(rows("tag%3Atier=small&tag%3Alanguage=de"), 7);
    assert_eq!(rows("q=LAMP-39"), 1);
    assert_eq!(rows("q=hall+lamp-1"), 11);
    assert_eq!(rows("tag=nothing%3Dx"), 0);
    assert_eq!(rows("from=35"), 5);
}

#[test]
fn the_list_of_cases_is_sorted() {
    let shown = Shown::over(logs::two_runs);
    let first = |query: &str| {
        let body = shown.page(&format!("/run/{A}/rows?count=1&{query}"));
        let id = body.split("/case?id=").nth(1).unwrap();
        id.split('&').next().unwrap().to_owned()
    };
    assert_eq!(first(""), "lamp-0");
    assert_eq!(first("reversed=1"), "lamp-39");
    assert_eq!(first("sort=case&reversed=1"), "lamp-9");
    assert_eq!(first("sort=score"), "lamp-1");
    assert_eq!(first("sort=latency"), "lamp-39");
}

#[test]
fn without_scripts_cases_come_in_pages() {
    let shown = Shown::over(|folder| {
        logs::write(folder, A, &logs::run("qwen", 250, 0), 3);
    });
    let page = |number: usize| shown.page(&format!("/run/{A}/cases?page={number}"));
    assert!(page(0).contains("Page 1 of 3") && page(0).contains("page=1\""));
    assert!(page(2).contains("Page 3 of 3") && page(2).contains("lamp-249"));
    assert!(page(99).contains("Page 3 of 3"));
    assert!(!page(0).contains("http-equiv=\"refresh\""));
}

#[test]
fn a_case_shows_what_was_expected_and_what_was_done() {
    let shown = Shown::over(logs::two_runs);
    shown.page("/");
    let wrong = shown.page(&format!("/run/{A}/case?id=lamp-3"));
    for words in [
        "Turn on lamp 3 in the hall",
        "You switch lamps.",
        "I should use the tool.",
        "differs",
        "kitchen",
        "wrong value (turn_on.room)",
        "people say corridor too",
        "not applicable",
        "tier",
        "This case in other runs",
        "whole trial as JSON",
        "first token",
    ] {
        assert!(wrong.contains(words), "{words}");
    }
    let right = shown.page(&format!("/run/{A}/case?id=lamp-4"));
    assert!(right.contains("this one matched") && !right.contains("differs"));
    assert_eq!(shown.get(&format!("/run/{A}/case?id=lamp-99")).status, 404);
}

#[test]
fn a_case_shows_the_way_its_scorer_names() {
    let shown = Shown::over(|folder| {
        let mut writer = LogWriter::create(&folder.join(A), &logs::run("qwen", 3, 0)).unwrap();
        // Without a name the way is told by its quality: these are marked as the main one.
        let ways = [None, Some(AcceptedWay::AsWritten), Some(AcceptedWay::Alternative(0))];
        for (number, way) in ways.into_iter().enumerate() {
            let mut trial = logs::trial(logs::case(number), number, true);
            let Outcome::Scored(score) = &mut trial.outcomes[0] else { unreachable!() };
            score.way = way;
            writer.append(&trial).unwrap();
        }
        writer.finish(&RunStatus::Success).unwrap();
    });
    for (case, matched) in
        [("lamp-0", "as written"), ("lamp-1", "as written"), ("lamp-2", "acceptable")]
    {
        let page = shown.page(&format!("/run/{A}/case?id={case}"));
        let ways = page.split("Other accepted ways").nth(1).unwrap();
        let line = ways.split("<li>").find(|line| line.contains("this one matched")).unwrap();
        assert!(line.contains(matched), "{case}: {line}");
    }
}

#[test]
fn a_case_shows_what_became_of_its_world() {
    let shown = Shown::over(logs::in_a_world);
    let page = shown.page(&format!("/run/{A}/case?id=lamp-0"));
    let table = page.split("End state").nth(1).unwrap().split("</table>").next().unwrap();
    let rows: Vec<&str> = table.split("<tr").skip(2).collect();
    let told = [
        ["light.hall", "off", "on", "as expected"],
        ["lock.door", "locked", "unlocked", "should not have changed"],
        ["fan.bath", "off", "on", "not changed"],
    ];
    assert_eq!(rows.len(), told.len(), "{table}");
    for (row, words) in rows.iter().zip(told) {
        assert!(words.iter().all(|word| row.contains(word)), "{row}");
    }
    assert!(!page.contains("Behind the answers"), "nothing else is known");
    assert!(!page.contains("In the real home"), "there was none");
}

#[test]
fn a_case_of_a_real_home_shows_what_changed_there() {
    let shown = Shown::over(|folder| {
        let mut writer = LogWriter::create(&folder.join(A), &logs::run("agent", 1, 0)).unwrap();
        let mut trial = logs::trial(logs::case(0), 0, true);
        trial.transcript.background.observed = vec![StateChange {
            thing: "cover.blind".into(),
            property: "current_position".into(),
            before: 100.into(),
            after: 50.into(),
            expected: None,
        }];
        writer.append(&trial).unwrap();
        writer.finish(&RunStatus::Success).unwrap();
    });
    let page = shown.page(&format!("/run/{A}/case?id=lamp-0"));
    let section = page.split("In the real home").nth(1).unwrap();
    let table = section.split("</table>").next().unwrap();
    for words in ["cover.blind", "current_position", ">100<", ">50<"] {
        assert!(table.contains(words), "{words}: {table}");
    }
}

#[test]
fn pages_need_no_font_with_signs_or_emoji() {
    let (shown, world) = (Shown::over(logs::two_runs), Shown::over(logs::in_a_world));
    let ordinary = |c: char| u32::from(c) < 0x250 || "–—‘’“”…−←→".contains(c);
    for (site, path) in [
        (&shown, "/".to_owned()),
        (&shown, format!("/run/{A}")),
        (&shown, format!("/run/{A}/cases")),
        (&shown, format!("/run/{A}/figures")),
        (&shown, format!("/run/{A}/settings")),
        (&shown, format!("/run/{A}/case?id=lamp-3")),
        (&shown, format!("/compare?run={A}&run={B}")),
        (&shown, format!("/compare/case?run={A}&run={B}&id=lamp-3")),
        (&shown, "/feedback".to_owned()),
        (&world, format!("/run/{A}/case?id=lamp-0")),
    ] {
        let page = site.page(&path);
        let odd: String = page.chars().filter(|c| !ordinary(*c)).collect();
        assert_eq!(odd, "", "{path}");
    }
    let case = shown.page(&format!("/run/{A}/case?id=lamp-3"));
    for words in ["</svg>right</label>", "</svg>wrong</label>", "no opinion</label>"] {
        assert!(case.contains(words), "{words}");
    }
}

#[test]
fn neighbours_are_those_of_the_list() {
    let shown = Shown::over(logs::two_runs);
    let body = shown.page(&format!("/run/{A}/case?id=lamp-3&verdict=partial"));
    assert!(body.contains("/case?id=lamp-6&amp;trial=1&amp;verdict=partial"));
    assert!(body.contains("/case?id=lamp-0&amp;trial=1&amp;verdict=partial"));
    assert!(body.contains("2 of 14"));
}

#[test]
fn two_runs_are_compared_and_flips_lead_to_both_transcripts() {
    let shown = Shown::over(logs::two_runs);
    let body = shown.page(&format!("/compare?run={A}&run={B}"));
    for words in ["no difference shown", "B − A", "fixed", "broken", "arguments", "tier"] {
        assert!(body.contains(words), "{words}");
    }
    assert!(body.contains(&format!("/compare/case?run={A}&amp;run={B}&amp;id=lamp-3")));
    let both = shown.page(&format!("/compare/case?run={A}&run={B}&id=lamp-3"));
    assert!(both.contains("kitchen") && both.contains("qwen") && both.contains("llama"));
}

#[test]
fn several_runs_are_ranked() {
    let shown = Shown::over(|folder| {
        logs::two_runs(folder);
        logs::write(folder, "c.eval", &logs::run("gemma", 40, 20), 5);
    });
    let body = shown.page(&format!("/compare?run={A}&run={B}&run=c.eval"));
    assert!(body.contains("rank") && body.contains("gemma"));
    for link in [format!("/run/{B}"), format!("/compare?run={A}&amp;run={B}")] {
        assert!(body.contains(&format!("href=\"{link}\"")), "{link}: {body}");
    }
}

#[test]
fn an_unfinished_run_is_marked_and_grows() {
    let shown = Shown::over(|_| {});
    let run = logs::run("qwen", 20, 0);
    let path = shown.folder.path().join("live.eval");
    let mut writer = LogWriter::create(&path, &run).unwrap();
    for number in 0..5 {
        writer.append(&logs::trial(logs::case(number), number, true)).unwrap();
    }
    let before = shown.page("/run/live.eval");
    assert!(before.contains("unfinished") && before.contains("5 of 20 trials"));
    assert!(before.contains("http-equiv=\"refresh\"") && before.contains("data-live="));
    assert!(shown.page("/").contains("5 of 20"));
    for number in 5..20 {
        writer.append(&logs::trial(logs::case(number), number, number != 7)).unwrap();
    }
    wait_until(|| shown.page("/run/live.eval").contains("20 of 20 trials"));
    wait_until(|| lines(&shown.page("/run/live.eval/rows?verdict=partial")) == 1);
    writer.finish(&RunStatus::Success).unwrap();
    wait_until(|| !shown.page("/run/live.eval").contains("unfinished"));
    wait_until(|| shown.page("/").contains("finished") && !shown.page("/").contains("unfinished<"));
}

#[test]
fn a_log_that_grew_is_shown_like_one_that_was_read_at_once() {
    let shown = Shown::over(|_| {});
    let run = logs::run("qwen", 60, 0);
    let path = shown.folder.path().join("live.eval");
    let mut writer = LogWriter::create(&path, &run).unwrap();
    // Some of every tag and tier come late, and not in the order of the plan.
    for number in (0..60).rev() {
        writer.append(&logs::trial(logs::case(number), number, number % 4 != 1)).unwrap();
        if number % 9 == 0 {
            let counted = format!("{} of 60 trials", 60 - number);
            wait_until(|| shown.page("/run/live.eval").contains(&counted));
        }
    }
    let copied = |folder: &std::path::Path| {
        std::fs::copy(&path, folder.join("live.eval")).unwrap();
    };
    let again = Shown::over(copied);
    for query in [
        "rows?count=60",
        "rows?sort=latency",
        "rows?q=lamp+1&tag=tier%3Dlarge",
        "rows?cause=wrong_value",
        "rows?dimension=arguments",
    ] {
        let address = format!("/run/live.eval/{query}");
        assert_eq!(shown.page(&address), again.page(&address), "{query}");
    }
    let figures = |body: &str| body.split_once("<main").unwrap().1.replace("data-version", "");
    let (grown, anew) =
        (shown.page("/run/live.eval/figures"), again.page("/run/live.eval/figures"));
    let steady = |body: &str| {
        let tokens = body.split('"').filter(|part| part.len() != 64);
        tokens.collect::<Vec<_>>().join("\"")
    };
    let cards = |body: &str| figures(body).split("<h2>").take(3).map(steady).collect::<String>();
    assert_eq!(cards(&grown), cards(&anew));
}

/// The token in a page.
fn token(body: &str) -> String {
    let at = body.split("name=\"token\" value=\"").nth(1).unwrap();
    at.split('"').next().unwrap().to_owned()
}

#[test]
fn feedback_needs_a_token_of_this_server() {
    let shown = Shown::over(logs::two_runs);
    let other = Shown::over(logs::two_runs);
    let case = format!("/run/{A}/case?id=lamp-3");
    let form =
        |token: &str| format!("token={token}&log={A}&id=lamp-3&trial=1&thumb=down&comment=no");
    let foreign = token(&other.page(&case));
    for token in ["", "x", &foreign] {
        assert_eq!(shown.post("/feedback", &[], &form(token)).status, 403, "{token}");
    }
    let own = token(&shown.page(&case));
    let origin = [("origin", "http://evil.example")];
    assert_eq!(shown.post("/feedback", &origin, &form(&own)).status, 403);
    assert!(!shown.folder.path().join("feedback.sqlite").exists());
    assert!(shown.page("/feedback").contains("There is no feedback yet"));
}

#[test]
fn feedback_is_kept_shown_and_promoted() {
    let shown = Shown::over(logs::two_runs);
    let case = format!("/run/{A}/case?id=lamp-3");
    let token = token(&shown.page(&case));
    let correction = r#"{"calls": [{"tool": "turn_off", "arguments": {}}]}"#;
    let form: String = form_urlencoded::Serializer::new(String::new())
        .extend_pairs([
            ("token", token.as_str()),
            ("log", A),
            ("id", "lamp-3"),
            ("trial", "1"),
            ("thumb", "down"),
            ("comment", "<b>no</b>, off"),
            ("correction", correction),
        ])
        .finish();
    let answer = shown.post("/feedback", &[], &form);
    assert_eq!(answer.status, 303, "{}", answer.body);
    assert_eq!(answer.header("location"), Some("/run/a.eval/case?id=lamp-3&trial=1"));
    let body = shown.page(&case);
    assert!(body.contains("&lt;b&gt;no&lt;/b&gt;, off") && body.contains("wrong</span>"));
    let list = shown.page("/feedback?thumb=down&q=off");
    for words in ["1 entry", "lamp-3", "Turn on lamp 3 in the hall", "room=kitchen", "promote"] {
        assert!(list.replace("</output>", "").contains(words), "{words}: {list}");
    }
    assert!(shown.page("/feedback?thumb=up").contains("No feedback matches"));
    let page = shown.page("/feedback/case?entry=1");
    for words in ["toolgauge feedback promote 1 --into lamps.yaml", "href=\"/feedback\"", "As text"]
    {
        assert!(page.contains(words), "{words}: {page}");
    }
    let promoted = shown.get("/feedback/case?entry=1&as=text").body;
    let promoted: serde_json::Value = serde_json::from_str(&promoted).unwrap();
    assert_eq!(promoted["say"], "Turn on lamp 3 in the hall");
    assert_eq!(promoted["expect"]["calls"][0]["tool"], "turn_off");
}

#[test]
fn comments_that_have_something_in_common_are_found_under_one_theme() {
    let shown = Shown::over(logs::two_runs);
    let token = token(&shown.page(&format!("/run/{A}/case?id=lamp-3")));
    let comments = [
        ("lamp-0", "it named the kitchen"),
        ("lamp-3", "why the <i>kitchens</i>?"),
        ("lamp-1", "fine"),
    ];
    for (case, comment) in comments {
        let form: String = form_urlencoded::Serializer::new(String::new())
            .extend_pairs([("token", token.as_str()), ("log", A), ("id", case), ("trial", "1")])
            .extend_pairs([("thumb", "down"), ("comment", comment)])
            .finish();
        assert_eq!(shown.post("/feedback", &[], &form).status, 303);
    }
    let page = shown.page("/feedback");
    for words in
        ["Themes of comments", "href=\"/feedback?theme=words+kitchen\"", "3</output> entries"]
    {
        assert!(page.contains(words), "{words}: {page}");
    }
    let page = shown.page("/feedback?theme=words+kitchen");
    assert!(page.contains("2</output> entries") && !page.contains("fine</pre>"), "{page}");
    assert!(page.contains("&lt;i&gt;kitchens"), "{page}");
    assert!(shown.page("/feedback?theme=none").contains("No feedback matches"));
}

#[test]
fn going_through_cases_leads_from_one_to_the_next() {
    let shown = Shown::over(logs::two_runs);
    shown.page(&format!("/run/{A}"));
    let start = shown.get(&format!("/run/{A}/annotate?verdict=partial"));
    let first = start.header("location").unwrap().to_owned();
    assert!(first.contains("id=lamp-0") && first.contains("annotate=1"), "{first}");
    let token = token(&shown.page(&first));
    let form =
        format!("token={token}&log={A}&id=lamp-0&trial=1&thumb=up&annotate=1&verdict=partial");
    let next = shown.post("/feedback", &[], &form);
    assert!(next.header("location").unwrap().contains("id=lamp-3"));
    let again = shown.get(&format!("/run/{A}/annotate?verdict=partial"));
    assert!(again.header("location").unwrap().contains("id=lamp-3"), "the first one has feedback");
}
