//! The pages in a real browser: what they look like is judged, what they do is done.

use toolgauge_log::{LogWriter, RunStatus};
use toolgauge_testkit::{skip_check, wait_until};

use crate::browser::Browser;
use crate::chatbot::chatbots;
use crate::logs::{self, A, B};
use crate::shown::Shown;

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const TAB: &str = "\u{e004}";

/// The pages a person looks at.
fn pages() -> Vec<String> {
    vec![
        "/".into(),
        "/?group=1".into(),
        format!("/run/{A}"),
        format!("/run/{A}/cases"),
        format!("/run/{A}/cases?verdict=partial&q=kitchen&column=expected&column=tag%3Atier"),
        format!("/run/{A}/figures"),
        format!("/run/{A}/settings"),
        format!("/run/{A}/list?verdict=partial&sort=latency"),
        format!("/run/{A}/case?id=lamp-3&trial=1"),
        format!("/run/{A}/case?id=lamp-4&annotate=1"),
        "/compare".into(),
        format!("/compare?run={A}&run={B}"),
        format!("/compare/case?run={A}&run={B}&id=lamp-3"),
        format!("/compare/cases?run={A}&run={B}&show=different"),
        format!("/run/{A}/tree?id=lamp-3&trial=1"),
        "/glossary".into(),
        "/feedback".into(),
        "/run/nothing.eval".into(),
    ]
}

/// A viewer with every log read, and a browser to look at it.
fn both(shown: &Shown) -> Option<(Browser, String)> {
    let browser = Browser::start()?;
    shown.page("/");
    Some((browser, format!("http://{}", shown.host())))
}

/// Fails if the console said anything or another host was asked.
fn quiet(browser: &Browser, shown: &Shown, allowed: &[&str]) {
    let complaints = browser.complaints(&shown.host());
    let complaints: Vec<&String> =
        complaints.iter().filter(|c| !allowed.iter().any(|known| c.contains(known))).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// Looks at pages in light and dark, on a screen and on a phone.
fn inspect(shown: &Shown, pages: &[String], allowed: &[&str]) {
    let Some((browser, site)) = both(shown) else { return };
    let axe = axe();
    // A page that is still being made loads itself again, in the middle of what is done with it.
    for path in pages.iter().filter(|path| shown.get(path).status == 200) {
        shown.page(path);
    }
    for (scheme, width) in [("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390)] {
        browser.prefer(scheme);
        browser.resize(width, 844);
        for path in pages {
            browser.open(&format!("{site}{path}"));
            browser.until("document.readyState === 'complete'");
            if let Some(axe) = &axe {
                let found = browser.violations(axe);
                assert!(found.is_empty(), "{path} {scheme} {width}: {found:#?}");
            }
            let over = browser.script(
                "const width = document.documentElement.clientWidth;
                 if (document.documentElement.scrollWidth <= width) return '';
                 return [...document.querySelectorAll('body *')]
                     .filter((e) => e.getBoundingClientRect().right > width + 1 && !e.closest('.scroll'))
                     .map((e) => e.outerHTML.slice(0, 120)).slice(0, 8).join('\\n') || 'something';",
            );
            assert_eq!(over, "", "{path} is wider than a screen of {width}");
        }
        quiet(&browser, shown, allowed);
    }
}

#[test]
fn charts_are_whole_and_readable_on_a_phone() {
    let shown = Shown::over(logs::two_runs);
    let Some((browser, site)) = both(&shown) else { return };
    let mut pages = pages();
    pages.retain(|path| path != "/run/nothing.eval");
    for path in &pages {
        shown.page(path);
    }
    let mut charts = 0;
    for width in [360, 390] {
        browser.resize(width, 844);
        for path in &pages {
            browser.open(&format!("{site}{path}"));
            browser.until("document.readyState === 'complete'");
            assert_eq!(browser.misfits(), serde_json::json!([]), "{path} {width}");
            let here = browser.script("return document.querySelectorAll('figure.chart').length");
            charts += here.as_u64().unwrap();
        }
    }
    assert!(charts >= 8, "only {charts} charts were looked at");
    browser.open(&format!("{site}/run/{A}/figures"));
    let title = "Score by the size of the world";
    for (width, drawing) in [(390, "drawn-narrow"), (1280, "drawn-wide")] {
        browser.resize(width, 844);
        let name = browser.name_of(&format!("#tiers-chart svg.{drawing}"));
        assert!(name.starts_with(title) && name.contains("medium"), "{drawing}: {name}");
    }
    quiet(&browser, &shown, &[]);
}

#[test]
fn every_page_is_accessible_quiet_and_fits_a_phone() {
    inspect(&Shown::over(logs::two_runs), &pages(), &["/run/nothing.eval"]);
}

#[test]
fn the_pages_of_chatbots_are_accessible_quiet_and_fit_a_phone() {
    let pages = [
        format!("/run/{A}"),
        format!("/run/{B}/case?id=rent"),
        format!("/compare/case?run={A}&run={B}&id=rent"),
    ];
    inspect(&Shown::over(chatbots), &pages, &[]);
}

#[test]
fn the_main_tables_need_no_sideways_scrolling_on_a_phone() {
    let shown = Shown::over(logs::two_runs);
    let Some((browser, site)) = both(&shown) else { return };
    browser.resize(390, 844);
    for (path, table) in [
        ("/".to_owned(), "table.runs"),
        (format!("/run/{A}/cases"), "table.cases"),
        (format!("/compare?run={A}&run={B}"), "table[class*=stacked]"),
    ] {
        browser.open(&format!("{site}{path}"));
        browser.until(&format!("document.querySelector('{table} tbody td')"));
        let told = browser.script(&format!(
            "const table = document.querySelector('{table}');
             const box = table.closest('.scroll');
             const headings = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
             const unlabelled = [...table.tBodies[0].rows[0].cells].filter((cell, place) =>
                 cell.dataset.label && cell.dataset.label !== headings[place]);
             return [box.scrollWidth <= box.clientWidth, unlabelled.length,
                 table.tBodies[0].rows[0].cells[1].getAttribute('role')];"
        ));
        assert_eq!(told[0], true, "{path} scrolls sideways");
        assert_eq!(told[1], 0, "{path} has a cell under another's heading");
        assert_eq!(
            told[2].as_str().map(|role| role.contains("header") || role == "cell"),
            Some(true)
        );
    }
    quiet(&browser, &shown, &[]);
}

#[test]
fn what_is_reached_by_keys_is_seen_on_a_phone_too() {
    let shown = Shown::over(logs::two_runs);
    let Some((browser, site)) = both(&shown) else { return };
    browser.resize(390, 844);
    browser.open(&format!("{site}/compare?run={A}&run={B}"));
    browser.until("document.querySelector('table.sortable button.sort')");
    for _ in 0..30 {
        browser.press(TAB);
        let unseen = browser.script(
            "const { width, height } = document.activeElement.getBoundingClientRect();
             const clipped = document.activeElement.closest('thead');
             return width < 2 || height < 2 || Boolean(clipped && clipped.offsetWidth < 2)
                 ? document.activeElement.outerHTML : '';",
        );
        assert_eq!(unseen, "");
    }
    quiet(&browser, &shown, &[]);
}

#[test]
fn a_long_list_scrolls_on_a_phone_too() {
    let shown = Shown::over(|folder| {
        logs::write(folder, A, &logs::run("qwen", 3_000, 0), 3);
    });
    shown.page(&format!("/run/{A}"));
    let Some((browser, site)) = both(&shown) else { return };
    browser.resize(390, 844);
    browser.open(&format!("{site}/run/{A}/cases"));
    browser.until("document.querySelectorAll('#list tbody tr').length < 200");
    browser.script("document.getElementById('list').scrollTop = 1e9");
    browser.until("document.querySelector('#list tbody').innerText.includes('lamp-2999')");
    let height = "return document.querySelector('#list tbody tr:not(.space)').offsetHeight -
        Number.parseFloat(getComputedStyle(document.getElementById('list')).getPropertyValue('--row'))";
    assert_eq!(browser.script(height), 0, "a place in the list can be calculated");
    quiet(&browser, &shown, &[]);
}

#[test]
fn on_paper_there_is_only_what_can_be_read_there() {
    let shown = Shown::over(logs::two_runs);
    let Some((browser, site)) = both(&shown) else { return };
    browser.devtools(
        "Emulation.setEmulatedMedia",
        &serde_json::json!({"media": "print", "features": [
            {"name": "prefers-color-scheme", "value": "dark"},
        ]}),
    );
    for path in pages() {
        browser.open(&format!("{site}{path}"));
        browser.until("document.readyState === 'complete'");
        let seen = browser.script(
            "return [...document.querySelectorAll('header.top, form:has(textarea), .filters, .contents, tr.space')]
                 .filter((e) => e.getClientRects().length > 0).map((e) => e.outerHTML.slice(0, 80))",
        );
        assert_eq!(seen, serde_json::json!([]), "{path}");
        let ink = browser.script("return getComputedStyle(document.body).color");
        assert_eq!(ink, "rgb(0, 0, 0)", "{path}");
        let ground = browser.script("return getComputedStyle(document.body).backgroundColor");
        assert_eq!(ground, "rgb(255, 255, 255)", "{path}");
    }
    quiet(&browser, &shown, &["/run/nothing.eval"]);
}

/// axe-core, where its place is told.
pub(crate) fn axe() -> Option<String> {
    let path = std::env::var_os("TOOLGAUGE_AXE");
    if path.is_none() {
        skip_check("axe-core's file, named by TOOLGAUGE_AXE", "TOOLGAUGE_REQUIRE_BROWSER");
    }
    path.map(|path| std::fs::read_to_string(path).unwrap())
}

#[test]
fn dark_and_light_follow_the_system_until_one_is_chosen() {
    let shown = Shown::over(logs::two_runs);
    let Some((browser, site)) = both(&shown) else { return };
    let ground = || browser.script("return getComputedStyle(document.body).backgroundColor");
    browser.prefer("light");
    browser.open(&site);
    let light = ground();
    browser.prefer("dark");
    let dark = ground();
    assert_ne!(light, dark);
    browser.click("#theme-button");
    assert_eq!(ground(), light, "the first choice is light");
    browser.open(&format!("{site}/compare"));
    assert_eq!(ground(), light, "the choice is kept");
    browser.press("t");
    browser.prefer("light");
    assert_eq!(ground(), dark, "the second choice is dark");
    quiet(&browser, &shown, &[]);
}

#[test]
fn a_long_list_is_filtered_sorted_and_scrolled() {
    let shown = Shown::over(|folder| {
        logs::write(folder, A, &logs::run("qwen", 3_000, 0), 3);
    });
    shown.page(&format!("/run/{A}"));
    let Some((browser, site)) = both(&shown) else { return };
    browser.open(&format!("{site}/run/{A}/cases"));
    browser.until("document.querySelectorAll('#list tbody tr').length < 200");
    let height = "return document.querySelector('#list tbody tr:not(.space)').offsetHeight -
        Number.parseFloat(getComputedStyle(document.getElementById('list')).getPropertyValue('--row'))";
    assert_eq!(browser.script(height), 0, "a place in the list can be calculated");
    browser.script("document.getElementById('list').scrollTop = 1e9");
    browser.until("document.querySelector('#list tbody').innerText.includes('lamp-2999')");
    browser.press("/");
    browser.press("lamp-2998");
    browser.until("document.getElementById('found-count').innerText === '1'");
    assert!(browser.url().ends_with("q=lamp-2998"), "{}", browser.url());
    browser.open(&browser.url());
    browser.until("document.getElementById('found-count').innerText === '1'");
    browser.open(&format!("{site}/run/{A}/cases"));
    browser.script(
        "const box = document.querySelector('select[name=verdict]'); box.value = 'partial';
         box.dispatchEvent(new Event('input', {bubbles: true}))",
    );
    browser.until("document.getElementById('found-count').innerText === '1,000'");
    browser.click("a[data-sort-by=latency]");
    browser.until("document.querySelector('th[aria-sort=descending]').innerText.includes('time')");
    assert!(browser.url().contains("verdict=partial") && browser.url().contains("sort=latency"));
    browser.until("document.querySelectorAll('#list tbody a').length > 5");
    browser.click("button[formaction]");
    browser.until("location.pathname.endsWith('/list')");
    browser.until("document.querySelectorAll('table.cases tbody tr').length === 1000");
    browser.until("document.body.innerText.includes('chosen from 3000 by verdict “partial”')");
    quiet(&browser, &shown, &[]);
}

#[test]
fn everything_can_be_reached_by_keys() {
    let shown = Shown::over(logs::two_runs);
    let Some((browser, site)) = both(&shown) else { return };
    let at = |part: &str| browser.until(&format!("location.href.includes({part:?})"));
    browser.open(&site);
    browser.press("j");
    browser.press(ENTER);
    at(&format!("/run/{B}"));
    browser.click("nav.tabs a[href$='/cases']");
    browser.until("document.getElementById('list')?.classList.contains('scrolling')");
    browser.press("jjk");
    browser.until("document.querySelector('#list tr.marked a').innerText === 'lamp-0'");
    browser.press("j");
    browser.press(ENTER);
    at("id=lamp-1&");
    browser.press("j");
    at("id=lamp-2&");
    browser.press("k");
    at("id=lamp-1&");
    browser.press(ESCAPE);
    at(&format!("/run/{B}/cases"));
    browser.press("?");
    browser.until("document.getElementById('help').open");
    browser.press(ESCAPE);
    browser.until("!document.getElementById('help').open");
    browser.press("gf");
    at("/feedback");
    browser.press("gr");
    browser.until("location.pathname === '/'");
    browser.press("jxjx");
    browser.until("document.querySelectorAll('input[name=run]:checked').length === 2");
    browser.press("c");
    at("/compare?run=");
    quiet(&browser, &shown, &[]);
}

#[test]
fn a_comparison_leads_to_both_transcripts() {
    let shown = Shown::over(logs::two_runs);
    let Some((browser, site)) = both(&shown) else { return };
    browser.open(&format!("{site}/compare?run={A}&run={B}"));
    browser.until("document.body.innerText.includes('no difference shown')");
    browser.click("a[href*='/compare/case?']");
    browser.until("document.querySelectorAll('.side-by-side .column').length === 2");
    browser.until("document.body.innerText.includes('kitchen')");
    quiet(&browser, &shown, &[]);
}

#[test]
fn a_run_grows_before_ones_eyes() {
    let shown = Shown::over(|_| {});
    let run = logs::run("qwen", 20, 0);
    let path = shown.folder.path().join("live.eval");
    let mut writer = LogWriter::create(&path, &run).unwrap();
    writer.append(&logs::trial(logs::case(0), 0, true)).unwrap();
    let Some((browser, site)) = both(&shown) else { return };
    browser.open(&site);
    browser.until("document.body.innerText.includes('1 of 20')");
    writer.append(&logs::trial(logs::case(1), 1, true)).unwrap();
    browser.until("document.body.innerText.includes('2 of 20')");
    browser.open(&format!("{site}/run/live.eval"));
    browser.until("document.body.innerText.includes('all 2 cases pass')");
    browser.script("window.same = true");
    for number in 2..10 {
        writer.append(&logs::trial(logs::case(number), number, number > 4)).unwrap();
    }
    browser.until("document.body.innerText.includes('10 of 20 trials')");
    browser.until("document.body.innerText.includes('7 of 10 cases pass, 3 partial.')");
    browser.until("document.querySelectorAll('.failing tbody tr').length === 3 && window.same");
    browser.open(&format!("{site}/run/live.eval/cases"));
    browser.until("document.getElementById('found-count')?.innerText === '10'");
    browser.script("window.same = true");
    for number in 10..20 {
        writer.append(&logs::trial(logs::case(number), number, true)).unwrap();
    }
    browser.until("document.body.innerText.includes('20 of 20 trials')");
    browser.until("document.getElementById('found-count').innerText === '20'");
    writer.finish(&RunStatus::Success).unwrap();
    browser.until("!document.body.innerText.includes('unfinished')");
    browser.until("!document.body.dataset.live && window.same");
    quiet(&browser, &shown, &[]);
}

#[test]
fn feedback_goes_round_by_keys_alone() {
    let shown = Shown::over(logs::two_runs);
    let Some((browser, site)) = both(&shown) else { return };
    shown.page(&format!("/run/{A}"));
    browser.open(&format!("{site}/run/{A}/annotate?verdict=partial"));
    browser.until("location.href.includes('id=lamp-0')");
    browser.press("c");
    browser.press("the kitchen is not the hall");
    browser.press(TAB);
    browser.press(r#"{"calls": []}"#);
    browser.press(ESCAPE);
    browser.press("d");
    browser.until("location.href.includes('id=lamp-3')");
    browser.press("u");
    browser.until("location.href.includes('id=lamp-6')");
    browser.open(&format!("{site}/feedback"));
    browser.until("document.body.innerText.includes('the kitchen is not the hall')");
    browser.until("document.querySelectorAll('main tbody tr').length === 2");
    browser.click("main a[href*='feedback/case']");
    browser.until("document.body.innerText.includes('promoted_from')");
    quiet(&browser, &shown, &[]);
}

#[test]
fn without_scripts_everything_is_there() {
    let shown = Shown::over(|folder| {
        logs::write(folder, A, &logs::run("qwen", 250, 0), 3);
    });
    let Some((browser, site)) = both(&shown) else { return };
    shown.page(&format!("/run/{A}"));
    browser.devtools("Emulation.setScriptExecutionDisabled", &serde_json::json!({"value": true}));
    browser.open(&format!("{site}/run/{A}/cases"));
    browser.click("nav.pages a[href*='page=1']");
    browser.click("#list tbody a[href*='id=lamp-100&']");
    browser.click("#next");
    // A click comes back before the page it leads to is there.
    wait_until(|| browser.url().contains("id=lamp-101"));
    browser.click("#thumb-down");
    browser.click("#feedback button");
    wait_until(|| shown.page("/feedback").contains("lamp-101"));
    quiet(&browser, &shown, &[]);
}

#[test]
fn a_log_that_means_harm_does_none() {
    let shown = Shown::over(logs::hostile);
    let Some((browser, site)) = both(&shown) else { return };
    shown.page("/run/hostile.eval");
    let id: String = form_urlencoded::byte_serialize(logs::HARM.as_bytes()).collect();
    for path in [
        "/".to_owned(),
        "/run/hostile.eval".to_owned(),
        format!("/run/hostile.eval?q={id}"),
        format!("/run/hostile.eval/case?id={id}"),
        format!("/compare?run=hostile.eval&run=hostile.eval&id={id}"),
        format!("/compare/case?run=hostile.eval&run=hostile.eval&id={id}"),
        "/run/hostile.eval/raw?id=..%2F..%2Fetc%2Fpasswd".to_owned(),
    ] {
        browser.open(&format!("{site}{path}"));
        browser.until("document.readyState === 'complete'");
        let planted = "return document.querySelectorAll('img, svg[onload], [onerror]').length";
        assert_eq!(browser.script(planted), 0, "{path}");
    }
    quiet(&browser, &shown, &[]);
}

#[test]
fn a_text_is_copied_by_its_button() {
    let shown = Shown::over(logs::two_runs);
    let Some((browser, site)) = both(&shown) else { return };
    browser.open(&format!("{site}/run/{A}/case?id=lamp-3"));
    browser.until("document.querySelector('.again button.copy')");
    browser.devtools(
        "Browser.grantPermissions",
        &serde_json::json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}),
    );
    browser.script(
        "window.copied = ''; navigator.clipboard.writeText = async (text) => { window.copied = text; };
         document.querySelector('.again button.copy').click();",
    );
    browser.until("window.copied === 'toolgauge run lamps --case lamp-3'");
    browser.until("document.querySelector('.again button.copy').innerText === 'Copied'");
    quiet(&browser, &shown, &[]);
}

#[test]
fn words_of_a_transcript_are_found_while_one_types() {
    let shown = Shown::over(logs::two_runs);
    let Some((browser, site)) = both(&shown) else { return };
    browser.open(&format!("{site}/run/{A}/cases"));
    browser.until("document.getElementById('list').classList.contains('scrolling')");
    browser.press("/");
    browser.press("kitchen");
    browser.until("document.getElementById('found-count').innerText === '14'");
    browser
        .until("document.querySelector('#list tbody td.answered').innerText.includes('kitchen')");
    browser.click(".choose-columns summary");
    browser.click(".choose-columns input[value=expected]");
    browser.until("[...document.querySelectorAll('#list thead th')].some((th) => th.innerText === 'expected')");
    assert!(browser.url().contains("q=kitchen"), "{}", browser.url());
    quiet(&browser, &shown, &[]);
}

#[test]
fn under_a_path_scripts_find_their_way() {
    let base = |viewer: &mut toolgauge_view::Viewer| {
        viewer.base_path = toolgauge_view::BasePath::read("/evals").unwrap();
    };
    let shown = Shown::set_up(logs::two_runs, base);
    let Some((browser, site)) = both(&shown) else { return };
    browser.open(&format!("{site}/evals/run/{A}/cases"));
    browser.until("document.getElementById('list')?.classList.contains('scrolling')");
    browser.press("/");
    browser.press("lamp-39");
    browser.until("document.getElementById('found-count').innerText === '1'");
    browser.press(ESCAPE);
    browser.press("gf");
    browser.until("location.pathname === '/evals/feedback'");
    quiet(&browser, &shown, &[]);
}
