//! What must hold for any bytes that come from outside: one function for every reader of them.
//!
//! `fuzz/` runs each function on bytes that a fuzzer finds by coverage. The tests of this crate run
//! each on the files of `corpus/`, on seeds made of real files of the repository, and on pieces of
//! both, without a fuzzer. CONTRIBUTING.md shows how to search and how to add what was found.

mod answers;
mod browser;
mod documents;
mod homes;
mod imports;
mod logs;
mod results;
mod scores;
pub mod seeds;
mod servers;
mod settings;
mod suites;

/// Something that reads bytes from outside.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name; the folder of its corpus has the same.
    pub name: &'static str,
    /// Reads the bytes, and panics if something does not hold.
    pub run: fn(&[u8]),
    /// The most bytes that are worth a try.
    pub longest: usize,
}

const fn target(name: &'static str, longest: usize, run: fn(&[u8])) -> Target {
    Target { name, run, longest }
}

/// All targets.
pub const TARGETS: &[Target] = &[
    target("answer_scores", 512, scores::answer_scores),
    target("anthropic", 2048, answers::anthropic),
    target("bfcl", 2048, results::bfcl),
    target("browser_page", 512, browser::page_text),
    target("browser_request", 256, browser::request),
    target("case_files", 1024, suites::case_files),
    target("chatbot_answer", 1024, answers::chatbot_answer),
    target("chatbot_file", 512, suites::chatbot_file),
    target("csv_document", 512, documents::csv),
    target("database", 16_384, documents::database),
    target("events", 512, answers::events),
    target("fault_plan", 256, settings::fault_plan),
    target("feedback", 16_384, settings::feedback),
    target("feedback_lines", 512, settings::feedback_lines),
    target("gate", 64, settings::gate),
    target("ha_datasets", 1024, results::ha_datasets),
    target("home_calls", 512, homes::home_calls),
    target("home_messages", 4096, homes::home_messages),
    target("home_prompt", 512, homes::home_prompt),
    target("home_storage", 1024, homes::home_storage),
    target("home_tools", 1024, homes::home_tools),
    target("html", 1024, documents::html),
    target("inspect_json", 2048, results::inspect_json),
    target("inventory", 1024, homes::inventory),
    target("judge", 512, answers::judge),
    target("keywords", 128, scores::keywords),
    target("labelled", 512, settings::labelled),
    target("log", 8192, logs::log),
    target("log_members", 8192, logs::log_members),
    target("loose_json", 256, answers::loose_json),
    target("markdown", 512, documents::markdown),
    target("matrix", 1536, suites::matrix),
    target("openai", 2048, answers::openai),
    target("partial", 1024, scores::partial),
    target("pdf", 4096, documents::pdf),
    target("promotion", 512, settings::promotion),
    target("python_json", 256, imports::python_json),
    target("recording", 2048, servers::recording),
    target("redactor", 256, answers::redactor),
    target("reply", 256, scores::reply),
    target("result_file", 2048, results::result_file),
    target("script", 1024, answers::script),
    target("serve_request", 1024, answers::serve_request),
    target("server_facts", 512, answers::server_facts),
    target("settings", 512, settings::settings),
    target("sql", 256, documents::sql),
    target("sql_script", 512, documents::sql_script),
    target("suite", 2048, suites::suite),
    target("tau", 4096, imports::tau),
    target("template", 256, suites::template),
    target("text_calls", 256, answers::text_calls),
    target("tool_schema", 512, suites::tool_schema),
    target("transcripts", 1024, logs::transcripts),
    target("written", 128, scores::written),
];

/// The target of this name.
pub fn by_name(name: &str) -> Option<Target> {
    TARGETS.iter().copied().find(|target| target.name == name)
}

/// The parts of an input, with a zero byte between each two; the last one holds the rest.
fn parts<const N: usize>(input: &[u8]) -> [&[u8]; N] {
    let mut parts = input.splitn(N, |byte| *byte == 0);
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}

/// The bytes as text, if they are one.
fn text(input: &[u8]) -> &str {
    str::from_utf8(input).unwrap_or_default()
}
