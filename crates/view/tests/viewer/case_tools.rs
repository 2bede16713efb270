//! What the page of a case offers: files, trees, Markdown, the timeline, the command.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolgauge_core::{AssistantMessage, Message, ToolMessage};
use toolgauge_log::{LogWriter, RunStatus};
use toolgauge_report::TokenPrice;
use toolgauge_testkit::wait_until;
use toolgauge_view::RerunCommand;

use crate::logs::{self, A, B};
use crate::shown::Shown;

/// A run of one case, whose tool answers a nested object and whose subject writes Markdown.
fn nested(folder: &std::path::Path) {
    let mut trial = logs::trial(logs::case(0), 0, false);
    let weather = json!({"city": "Bern", "days": [{"day": "Monday", "high": 21, "text": "sun <b>", "wind": "a light breeze from the west"}]});
    trial.transcript.messages[1] = Message::Tool(ToolMessage {
        call_id: "call_1".into(),
        name: "turn_on".into(),
        content: weather.to_string(),
        failed: false,
    });
    trial.transcript.messages[2] = Message::Assistant(AssistantMessage {
        content: "**Sun** in Bern:\n\n- Monday <script>alert(1)</script>".into(),
        ..AssistantMessage::default()
    });
    let mut writer = LogWriter::create(&folder.join(A), &logs::run("qwen", 1, 0)).unwrap();
    writer.append(&trial).unwrap();
    writer.finish(&RunStatus::Success).unwrap();
}

#[test]
fn json_of_a_tool_is_a_tree_beside_its_text() {
    let shown = Shown::over(nested);
    let page = shown.page(&format!("/run/{A}/case?id=lamp-0"));
    let tree = page.split("class=\"json-tree\"").nth(1).unwrap();
    for part in ["2 fields", "city", "Bern", "1 item<", "sun &lt;b&gt;", "as text"] {
        assert!(tree.contains(part), "{part}: {tree}");
    }
    let raw = shown.page(&format!("/run/{A}/tree?id=lamp-0&what=request&turn=0"));
    assert!(raw.contains("json-tree") && raw.contains("secret-free"), "{raw}");
    assert_eq!(shown.get(&format!("/run/{A}/tree?id=nobody")).status, 404);
}

#[test]
fn markdown_is_laid_out_on_demand_and_never_acts() {
    let shown = Shown::over(nested);
    let plain = shown.page(&format!("/run/{A}/case?id=lamp-0"));
    assert!(plain.contains("**Sun** in Bern") && plain.contains("markdown=1"));
    let laid_out = shown.page(&format!("/run/{A}/case?id=lamp-0&markdown=1"));
    assert!(laid_out.contains("<strong>Sun</strong> in Bern"), "{laid_out}");
    assert!(laid_out.contains("<li>Monday &lt;script&gt;"), "{laid_out}");
}

#[test]
fn a_case_and_a_log_are_downloaded() {
    let shown = Shown::over(logs::two_runs);
    shown.page(&format!("/run/{A}"));
    let case = shown.get(&format!("/run/{A}/case.json?id=lamp-3&trial=1"));
    assert_eq!(case.header("content-disposition"), Some("attachment; filename=\"lamp-3-1.json\""));
    let case: Value = serde_json::from_str(&case.body).unwrap();
    assert_eq!(case["case"]["id"], "lamp-3");
    // The log is no text, so that only its size is looked at here.
    let size = std::fs::metadata(shown.folder.path().join(A)).unwrap().len();
    let bytes = crate::http::bytes(shown.address, &format!("/run/{A}/file"), &shown.host());
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("attachment; filename=\"a.eval\""), "{}", &text[..400]);
    assert!(bytes.len() as u64 > size && (bytes.len() as u64) < size + 4_000, "{}", bytes.len());
}

#[test]
fn turns_and_calls_are_on_one_timeline() {
    let shown = Shown::over(logs::two_runs);
    let page = shown.page(&format!("/run/{A}/case?id=lamp-3"));
    let table = page.split("Turns and calls in their order").nth(2).unwrap();
    let table = table.split("</table>").next().unwrap();
    for step in ["turn 1: turn_on", ">turn_on<", "turn 2: answers", "0.22 s"] {
        assert!(table.contains(step), "{step}: {table}");
    }
}

#[test]
fn a_cost_is_shown_where_prices_are_known() {
    let price = TokenPrice { input: 1.0, cached: 0.5, output: 2.0 };
    let shown = Shown::set_up(logs::two_runs, |viewer| {
        viewer.prices = BTreeMap::from([("qwen".to_owned(), price)]);
    });
    // Two turns of 900 tokens read and 30 written.
    let case = shown.page(&format!("/run/{A}/case?id=lamp-3"));
    assert!(case.contains("Cost: <b>0.001920</b>"), "{case}");
    assert!(shown.page(&format!("/run/{A}/figures")).contains("0.0768"));
    assert!(!shown.page(&format!("/run/{B}/case?id=lamp-3")).contains("Cost:"));
}

#[test]
fn words_are_explained_where_they_stand() {
    let shown = Shown::over(logs::two_runs);
    let page = shown.page(&format!("/run/{A}"));
    let floor = page.split("href=\"/glossary#floor\" title=\"").nth(1).unwrap();
    assert!(floor.starts_with("the score of the best policy"), "{floor}");
    assert!(shown.page("/glossary").contains("id=\"floor\""));
}

#[test]
fn the_command_to_run_a_case_again_is_shown_and_not_run() {
    let shown = Shown::over(logs::two_runs);
    let page = shown.page(&format!("/run/{A}/case?id=lamp-3"));
    assert!(page.contains("toolgauge run lamps --case lamp-3"), "{page}");
    assert!(!page.contains("Try again now"));
    let token = page.split("name=\"token\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let form = format!("token={token}&log={A}&id=lamp-3");
    assert_eq!(shown.post("/again", &[], &form).status, 403);
}

#[test]
fn what_a_log_must_not_choose_is_shown_and_not_run() {
    let shown = Shown::set_up(logs::two_runs, |viewer| {
        viewer.allow_run = Some("/no/such/program".into());
        viewer.command = |_, _, _| {
            let arguments = vec!["run".to_owned(), "x".to_owned()];
            Some(RerunCommand { arguments, refusal: Some("its <b>address</b> is foreign".into()) })
        };
    });
    let page = shown.page(&format!("/run/{A}/case?id=lamp-3"));
    assert!(page.contains("its &lt;b&gt;address&lt;/b&gt; is foreign"), "{page}");
    assert!(page.contains("toolgauge run x") && !page.contains("Try again now"), "{page}");
    let token = page.split("name=\"token\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let refused = shown.post("/again", &[], &format!("token={token}&log={A}&id=lamp-3"));
    assert!(refused.status == 403 && refused.body.contains("is foreign"), "{}", refused.body);
    assert_eq!(shown.get("/again").status, 404);
}

#[cfg(unix)]
#[test]
fn a_visitor_may_run_a_case_again_where_the_viewer_allows_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let tools = tempfile::tempdir().unwrap();
    let program = tools.path().join("program");
    std::fs::write(&program, "#!/bin/sh\necho \"asked: $*\"\nsleep 0.3\n").unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let shown = Shown::set_up(logs::two_runs, |viewer| viewer.allow_run = Some(program));
    assert_eq!(shown.get("/again").status, 404);
    let page = shown.page(&format!("/run/{A}/case?id=lamp-3"));
    assert!(page.contains("Try again now"));
    let token = page.split("name=\"token\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let form = |token: &str, id: &str| format!("token={token}&log={A}&id={id}");
    assert_eq!(shown.post("/again", &[], &form("guessed", "lamp-3")).status, 403);
    assert_eq!(shown.post("/again", &[], &form(token, "lamp-3;rm")).status, 404);
    let foreign = [("origin", "http://evil.example")];
    assert_eq!(shown.post("/again", &foreign, &form(token, "lamp-3")).status, 403);
    let started = shown.post("/again", &[], &form(token, "lamp-3"));
    assert_eq!((started.status, started.header("location")), (303, Some("/again")));
    assert_eq!(shown.post("/again", &[], &form(token, "lamp-4")).status, 409, "one at a time");
    let folder = shown.folder.path().canonicalize().unwrap();
    let asked = format!("asked: run lamps --case lamp-3 --log-dir {}", folder.display());
    wait_until(|| shown.page("/again").contains(&asked));
    wait_until(|| shown.page("/again").contains("It left no log"));
}
