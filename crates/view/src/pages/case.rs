//! One trial: what was asked, what was said, what was expected, how it was judged.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use toolgauge_core::{AcceptedWay, Background, Expectation, ExpectedCall, Trial};
use toolgauge_feedback::FeedbackEntry;
use toolgauge_log::{LogError, TrialSummary};
use toolgauge_report::html::{JudgedCalls, Tone, answered, badge, call_diff, name};
use toolgauge_report::number::seconds;

use super::again;
use super::cases::case_link;
use super::feedback::{self, FeedbackForm};
use super::judgement::{judgements, mark, world};
use super::timing::{timeline, turns};
use crate::conversation::{WordForm, conversation};
use crate::feedback_access::FeedbackRefusal;
use crate::index::TrialRow;
use crate::layout::{PageFrame, Section, sorry, when};
use crate::library::{OpenedLog, error_chain};
use crate::parameters::{Link, Parameters};
use crate::query::CaseQuery;
use crate::site::{NamedLog, Site, find_trial, missing};
use toolgauge_report::json_text::{in_a_line, indented};

/// As many other runs as are looked into.
const OTHERS: usize = 30;

/// Answers with the page of a trial.
pub(crate) async fn page(
    State(site): State<Site>,
    NamedLog(opened): NamedLog,
    parameters: Parameters,
) -> Response {
    let Some(row) = find_trial(&opened, &parameters) else {
        return missing("The log has no such trial.");
    };
    let trial = match opened.trial(row) {
        Ok(trial) => trial,
        Err(error) => return unreadable(&error),
    };
    let annotating = parameters.given("annotate").is_some();
    let is_markdown = parameters.given("markdown").is_some();
    let form = if is_markdown { WordForm::Markdown } else { WordForm::Plain };
    let query = CaseQuery::read(&parameters);
    let entries = feedback::of_case(&site, &opened, &trial.case.id).await;
    let shown = ShownTrial { site: &site, opened: &opened, row, query, annotating, form, entries };
    let page =
        PageFrame::new(Section::Runs, format!("{} · {}", trial.case.id, opened.brief.subject));
    page.with(&shown.content(&trial)).into_response()
}

/// The page for a trial that cannot be read.
pub(super) fn unreadable(error: &LogError) -> Response {
    sorry(StatusCode::UNPROCESSABLE_ENTITY, "This trial cannot be read", &error_chain(error))
}

/// A trial on its page.
struct ShownTrial<'a> {
    site: &'a Site,
    opened: &'a OpenedLog,
    row: TrialRow,
    /// The list it was found in.
    query: CaseQuery,
    /// Whether trials are gone through one by one.
    annotating: bool,
    /// How answers are shown.
    form: WordForm,
    /// What was said of the case.
    entries: Result<Vec<FeedbackEntry>, FeedbackRefusal>,
}

impl ShownTrial<'_> {
    fn content(&self, trial: &Trial) -> Markup {
        html! {
            (self.trail())
            h1 { (name(trial.case.id.as_str())) " " (mark(self.opened.graded.standing_of(trial))) }
            (self.tags(trial))
            div.case {
                section.talk {
                    h2 { "Conversation" }
                    (self.forms(trial))
                    (conversation(self.opened.run(), trial, self.form))
                }
                div.verdicts {
                    section { h2 { (heading(&trial.case.expectation)) } (expected(trial)) }
                    (world(trial))
                    section { h2 { "Judgement" } (judgements(trial, self.opened.graded)) }
                }
                (feedback::form(&self.form(), trial))
            }
            section {
                h2 { "Time" }
                (timeline(trial))
                (turns(trial, |turn, what| self.raw(what).with("turn", turn.to_string())))
                (self.cost(trial))
            }
            (behind(trial))
            (again::command(self.site, self.opened, trial))
            (self.trials())
            (self.elsewhere(trial))
            (self.more(trial))
        }
    }

    /// The choice between words as they were written and their Markdown laid out.
    fn forms(&self, trial: &Trial) -> Markup {
        let marks = ["**", "\n#", "\n- ", "\n* ", "\n1.", "```", "|-", "| -", "]("];
        let is_marked = |text: &str| marks.iter().any(|mark| text.contains(mark));
        let here = case_link(self.opened, self.row, &self.query);
        html! {
            @match self.form {
                WordForm::Markdown => p.act { a href=(here) { "Show the answer as it was written" } },
                WordForm::Plain if is_marked(trial.transcript.final_text()) => p.act {
                    a href=(here.with("markdown", "1")) { "Lay out the Markdown of the answer" }
                },
                WordForm::Plain => {},
            }
        }
    }

    /// What the trial cost, where prices are known.
    fn cost(&self, trial: &Trial) -> Markup {
        let usage = TrialSummary::of(trial).usage;
        let cost = self.opened.price.and_then(|price| price.of(usage));
        html! { @if let Some(cost) = cost { p { "Cost: " b { (format!("{cost:.6}")) } ", by the prices in " code { "toolgauge.toml" } "." } } }
    }

    fn form(&self) -> FeedbackForm<'_> {
        let Self { site, opened, query, annotating, entries, .. } = self;
        FeedbackForm { site, opened, query, annotating: *annotating, entries }
    }

    fn raw(&self, what: &str) -> Link {
        self.named("/raw").with("what", what)
    }

    /// A page about this trial.
    fn named(&self, page: &str) -> Link {
        let index = &self.opened.index;
        Link::run(&self.opened.name, page)
            .with("id", index.case(self.row))
            .with("trial", index.trial(self.row).to_string())
    }

    /// Where the trial is, and its neighbours in the list it was found in.
    fn trail(&self) -> Markup {
        let rows = self.opened.select(&self.query);
        let place = rows.iter().position(|row| *row == self.row);
        let near = |step: isize| {
            let at = place?.checked_add_signed(step)?;
            let link = case_link(self.opened, *rows.get(at)?, &self.query);
            Some(if self.annotating { link.with("annotate", "1") } else { link })
        };
        let run = Link::run(&self.opened.name, "/cases").and(self.query.parameters());
        html! {
            nav.trail aria-label="Where you are" {
                a href=(Link::to("/")) { "Runs" } " / "
                a #up href=(run) { (name(&self.opened.brief.suite)) " · " (name(&self.opened.brief.subject)) }
                span.gap {}
                @if let Some(link) = near(-1) { a #previous rel="prev" href=(link) { "← Previous" } }
                @if let Some(place) = place { span.note { (place + 1) " of " (rows.len()) } }
                @if let Some(link) = near(1) { a #next rel="next" href=(link) { "Next →" } }
            }
        }
    }

    fn tags(&self, trial: &Trial) -> Markup {
        html! {
            @if !trial.case.tags.is_empty() || trial.case.group.is_some() {
                ul.tags aria-label="Tags" {
                    @for (tag, value) in trial.case.tags.iter().take(60) {
                        @let query = CaseQuery { tags: vec![(tag.clone(), value.clone())], ..CaseQuery::default() };
                        li { a href=(Link::run(&self.opened.name, "/cases").and(query.parameters())) { (name(tag)) ": " (name(value)) } }
                    }
                    @if let Some(group) = &trial.case.group { li { "group: " (name(group)) } }
                }
            }
        }
    }

    /// All trials of the case.
    fn trials(&self) -> Markup {
        let index = &self.opened.index;
        let rows = index.of_case(index.case(self.row));
        html! {
            @if rows.len() > 1 {
                section {
                    h2 { "All trials of this case" }
                    ul.trials {
                        @for row in rows.iter().take(200) {
                            @let overview = index.overview(*row);
                            li {
                                a href=(case_link(self.opened, *row, &self.query)) aria-current=[(*row == self.row).then_some("true")] { "#" (overview.trial) }
                                " " (mark(overview.mark))
                                @if let Some(value) = overview.value { " " (format!("{value:.3}")) }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The same case in other runs of the suite: how it went where the log is open already.
    fn elsewhere(&self, trial: &Trial) -> Markup {
        let mut others = self.site.library.list_now();
        others.retain(|log| {
            let suite = log.brief.as_ref().and_then(|brief| Some(&brief.as_ref().ok()?.suite));
            log.name != self.opened.name && suite == Some(&self.opened.brief.suite)
        });
        others.reverse();
        let id = trial.case.id.as_str();
        html! {
            @if !others.is_empty() {
                section {
                    h2 { "This case in other runs" }
                    ul.elsewhere {
                        @for log in others.iter().take(OTHERS) {
                            @if let Some(Ok(brief)) = &log.brief {
                                li {
                                    a href=(Link::run(&log.name, "/case").with("id", id)) {
                                        (name(&brief.subject))
                                        @if let Some(variant) = &brief.variant { " · " (name(variant)) }
                                    }
                                    " " (when(brief.created)) " "
                                    @if let Some(other) = self.site.library.at_hand(&log.name) {
                                        @for row in other.index.of_case(id).iter().take(5) {
                                            (mark(other.index.overview(*row).mark)) " "
                                        }
                                    }
                                    a href=(Link::to("/compare/case").with("run", self.opened.name.as_str()).with("run", log.name.as_str()).with("id", id)) { "side by side" }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    fn more(&self, trial: &Trial) -> Markup {
        html! {
            section {
                h2 { "Raw" }
                @if !trial.case.metadata.is_empty() {
                    details {
                        summary { "What else the suite says about the case" }
                        @let (text, cut) = indented(&trial.case.metadata, 20_000);
                        div.inside { pre.text { (text) @if cut { "\n…" } } }
                    }
                }
                p {
                    a.raw href=(self.raw("trial")) { "The whole trial as JSON" }
                }
                p.act {
                    a href=(self.named("/tree")) { "as a tree" } " · "
                    a href=(self.named("/case.json")) { "download it" }
                }
            }
        }
    }
}

/// What stood behind the answers: documents that were found, how long tools took, what was wrong with
/// arguments.
fn behind(trial: &Trial) -> Markup {
    let Background {
        sources,
        tool_times,
        judgements: _,
        changes: _,
        says_no_tools: _,
        recorded: _,
        // Shown with the end state.
        observed: _,
        // Shown with what is expected.
        proved: _,
        // Shown with the losses.
        likeness: _,
        violations,
    } = &trial.transcript.background;
    html! {
        @if !(sources.is_empty() && tool_times.is_empty() && violations.is_empty()) {
            section {
                h2 { "Behind the answers" }
                @if !sources.is_empty() {
                    h3 { "Documents that were found" }
                    ol { @for source in sources.iter().take(50) { li { (name(source)) } } }
                }
                @if !tool_times.is_empty() {
                    h3 { "How long calls took" }
                    ul { @for call in tool_times.iter().take(50) { li { (name(&call.tool)) " " (seconds(call.time.as_secs_f64())) } } }
                }
                @if !violations.is_empty() {
                    h3 { "Arguments that break the schema of their tool" }
                    ul { @for one in violations.iter().take(50) { li { (name(&one.tool)) ": " (name(&one.keyword)) " " (one.count) "×" } } }
                }
            }
        }
    }
}

/// What was expected beside what was done, in two words.
fn heading(expectation: &Expectation) -> &'static str {
    match (&expectation.answer, &expectation.calls) {
        (Some(_), None) => "Expected and answered",
        (Some(_), Some(_)) => "Expected, called and answered",
        (None, _) => "Expected and called",
    }
}

/// What was expected beside what was done, and which way was accepted.
pub(super) fn expected(trial: &Trial) -> Markup {
    let expectation = &trial.case.expectation;
    let calls = JudgedCalls::of(trial);
    let made = trial.transcript.calls().next().is_some();
    let several_scorers = trial.outcomes.len() > 1;
    html! {
        (answered(trial))
        @if let Some(kind) = expectation.response { p { "Expected kind of response: " b { (kind.name()) } } }
        @if calls.are_expected() {
            (call_diff(&calls, several_scorers))
        } @else if expectation.answer.is_none() {
            // Where an answer is expected, the calls stand in the conversation, and only their
            // tools are judged.
            p { "Calls are not judged in this case." }
            @if made { (call_diff(&calls, several_scorers)) }
        }
        @if !expectation.alternatives.is_empty() {
            (alternatives(expectation, calls.right, calls.way))
        }
        @if !expectation.more.is_empty() {
            details {
                summary { "What else is expected" }
                @let (text, cut) = indented(&expectation.more, 20_000);
                div.inside { pre.text { (text) @if cut { "\n…" } } }
            }
        }
    }
}

fn alternatives(expectation: &Expectation, right: bool, taken: Option<AcceptedWay>) -> Markup {
    let ways = &expectation.alternatives;
    let words = if right { "this one matched" } else { "compared with this one" };
    let tone = if right { Tone::Good } else { Tone::Plain };
    let told = |way: AcceptedWay| html! { @if taken == Some(way) { " " (badge(tone, words)) } };
    html! {
        details {
            summary { "Other accepted ways: " (ways.len()) }
            ul.ways.inside {
                @if let Some(calls) = &expectation.calls {
                    li {
                        b { "as written" } " " (calls_in_a_line(calls))
                        (told(AcceptedWay::AsWritten))
                    }
                }
                @for (place, way) in ways.iter().enumerate().take(100) {
                    li {
                        b { (way.quality.name()) } " " (calls_in_a_line(&way.calls))
                        @if let Some(reason) = &way.reason { " – " (name(reason)) }
                        (told(AcceptedWay::Alternative(place)))
                    }
                }
            }
        }
    }
}

fn calls_in_a_line(calls: &[ExpectedCall]) -> Markup {
    html! {
        @if calls.is_empty() { "no call" }
        @for call in calls.iter().take(10) {
            code dir="auto" { (name(&call.name)) " " (in_a_line(&call.arguments, 300)) } " "
        }
    }
}
