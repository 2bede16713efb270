//! Places where everything only looks things up: a database, documents. Questions are put to
//! whatever could know, and answered from what comes back.

use serde_json::{Map, Value};

use super::findings;
use super::indexed_tool::IndexedTool;
use super::schema::{ParameterKind, ToolParameter};
use super::sql;
use super::tables::{SchemaTable, tables};
use super::words::{content_stems, words};
use toolgauge_core::{Tool, ToolMessage};

/// Words that speak of documents wherever they are asked about.
const DOCUMENTARY: &[&str] = &[
    "accord",
    "agreement",
    "amend",
    "articl",
    "claus",
    "contract",
    "document",
    "file",
    "letter",
    "minut",
    "notic",
    "paragraph",
    "polici",
    "provis",
    "record",
    "report",
    "say",
    "section",
    "state",
    "term",
];

/// Words that ask what there is rather than what it says.
const LISTING: &[&str] = &["list", "which", "what", "many", "show", "all", "available", "have"];

/// The tools of a place where everything only looks things up.
#[derive(Debug)]
pub(super) struct Inquiry {
    /// What takes SQL: the tool, its parameter and the tables.
    database: Option<(usize, String, Vec<SchemaTable>)>,
    /// What takes words to look for: the tool and its parameter.
    search: Option<(usize, String)>,
    /// What lists documents, with the stems of its name.
    listing: Option<(usize, Vec<String>)>,
}

/// A call to make.
pub(super) type PlannedQuery = (usize, Map<String, Value>);

impl Inquiry {
    /// Recognises such a place: every tool takes SQL, takes words to look for, or lists.
    pub(super) fn of(tools: &[Tool], indexed: &[IndexedTool]) -> Option<Self> {
        if !indexed.iter().all(|tool| tool.reads) {
            return None;
        }
        let mut found = Self { database: None, search: None, listing: None };
        for (at, (tool, indexed)) in tools.iter().zip(indexed).enumerate() {
            let required: Vec<&ToolParameter> =
                indexed.parameters.iter().filter(|parameter| parameter.required).collect();
            let tables = tables(&tool.description);
            match required.as_slice() {
                [only] if !tables.is_empty() && takes(only, &["sql", "queri", "statement"]) => {
                    found.database.get_or_insert((at, only.name.clone(), tables));
                }
                [only]
                    if takes(
                        only,
                        &["queri", "search", "question", "q", "keyword", "text", "term"],
                    ) =>
                {
                    found.search.get_or_insert((at, only.name.clone()));
                }
                [] if tool.name.to_lowercase().contains("list") => {
                    found.listing.get_or_insert((at, super::words::identifier_stems(&tool.name)));
                }
                // Among tools of other kinds, questions are not all there is to do.
                _ => return None,
            }
        }
        (found.database.is_some() || found.search.is_some()).then_some(found)
    }

    /// The calls that could answer a question.
    pub(super) fn plan(&self, question: &str) -> Vec<PlannedQuery> {
        let stems = content_stems(question);
        let documentary = stems.iter().any(|stem| DOCUMENTARY.contains(&stem.as_str()));
        let mut planned = Vec::new();
        if let Some((tool, parameter, tables)) = &self.database
            && let Some(sql) = sql::query(tables, question)
        {
            planned.push(call(*tool, parameter, sql));
        }
        if let Some((tool, name)) = &self.listing
            && asks_for_list(question, &stems, name)
        {
            planned.push((*tool, Map::new()));
        } else if documentary || planned.is_empty() {
            planned.extend(self.search(question));
        }
        planned
    }

    /// What to try next when nothing was found: the documents, if they were not searched yet.
    pub(super) fn plan_again(
        &self,
        question: &str,
        used: &[&str],
        tools: &[IndexedTool],
    ) -> Vec<PlannedQuery> {
        let tried = |tool: usize| used.contains(&tools[tool].name.as_str());
        self.search(question).filter(|(tool, _)| !tried(*tool)).into_iter().collect()
    }

    fn search(&self, question: &str) -> Option<PlannedQuery> {
        let (tool, parameter) = self.search.as_ref()?;
        let words = words(question);
        let said =
            words.iter().filter(|word| !word.stop).map(|word| &question[word.start..word.end]);
        let said = said.collect::<Vec<_>>().join(" ");
        (!said.is_empty()).then(|| call(*tool, parameter, said))
    }
}

fn asks_for_list(question: &str, stems: &[String], name: &[String]) -> bool {
    let things = stems.iter().any(|stem| name.contains(stem) && stem != "list");
    let words = words(question);
    // `which documents`, but not `which clause of the document`.
    things && stems.len() <= 5 && words.iter().any(|word| LISTING.contains(&word.text.as_str()))
}

/// The answer that tools' results hold, if they hold one.
pub(super) fn answer(question: &str, answered: &[&ToolMessage]) -> Option<String> {
    let wanted = content_stems(question);
    let found = answered.iter().rev().filter(|message| !findings::reports_error(message));
    let texts: Vec<String> =
        found.filter_map(|message| findings::relevant_text(&message.content, &wanted)).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// What is said when nothing was found.
pub(super) const NOTHING_FOUND: &str = "Sorry, I could not find that in the data I have.";

fn takes(parameter: &ToolParameter, named: &[&str]) -> bool {
    matches!(parameter.kind, ParameterKind::Text) && parameter.is_named(named)
}

fn call(tool: usize, parameter: &str, value: String) -> PlannedQuery {
    (tool, Map::from_iter([(parameter.to_owned(), Value::from(value))]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolgauge_core::{AssistantMessage, Message};

    use super::super::BaselineSubject;
    use super::super::index::ToolIndex;
    use super::*;
    use toolgauge_core::Briefing;

    fn tool(name: &str, description: &str, parameter: Option<&str>) -> Tool {
        let properties = match parameter {
            Some(name) => json!({name: {"type": "string"}}),
            None => json!({"folder": {"type": "string"}}),
        };
        let required: Vec<&str> = parameter.into_iter().collect();
        let parameters = json!({"type": "object", "properties": properties, "required": required});
        Tool { name: name.into(), description: description.into(), parameters }
    }

    fn briefing(more: Option<Tool>) -> Briefing {
        let schema = "Runs one read-only query. The tables:\nCREATE TABLE homes (home_id INTEGER \
                      PRIMARY KEY, name TEXT, price NUMERIC);";
        let tools = [
            tool("query_database", schema, Some("sql")),
            tool("search_document_content", "Searches the text of all documents", Some("query")),
            tool("list_business_documents", "Lists the documents", None),
        ];
        Briefing { system: None, tools: tools.into_iter().chain(more).collect() }
    }

    fn ask(conversation: &[Message]) -> AssistantMessage {
        BaselineSubject::new().respond(&briefing(None), conversation)
    }

    fn calls(message: &AssistantMessage) -> Vec<(String, Value)> {
        let object = |call: &toolgauge_core::ToolCall| call.arguments.as_object().unwrap().clone();
        message.calls.iter().map(|call| (call.name.clone(), object(call).into())).collect()
    }

    fn answered(
        mut conversation: Vec<Message>,
        said: AssistantMessage,
        content: &str,
    ) -> Vec<Message> {
        let (id, name) = (said.calls[0].id.clone().unwrap(), said.calls[0].name.clone());
        conversation.push(Message::Assistant(said));
        let answer = ToolMessage { call_id: id, name, content: content.into(), failed: false };
        conversation.push(Message::Tool(answer));
        conversation
    }

    #[test]
    fn a_question_goes_to_what_could_know() {
        let asked = |question: &str| calls(&ask(&[Message::user(question)]));
        assert_eq!(
            asked("How many homes do we own?"),
            [("query_database".into(), json!({"sql": "SELECT COUNT(*) FROM homes"}))]
        );
        assert_eq!(
            asked("What does the agreement say about quorum?"),
            [("search_document_content".into(), json!({"query": "agreement say quorum"}))]
        );
        assert_eq!(
            asked("Which documents do we have?"),
            [("list_business_documents".into(), json!({}))]
        );
        assert_eq!(asked("hello"), []);
    }

    #[test]
    fn what_the_database_does_not_know_is_searched_for_and_then_given_up() {
        let question = vec![Message::user("Which home has a leaking roof?")];
        let first = ask(&question);
        assert_eq!(calls(&first)[0].0, "query_database");
        let second = answered(question, first, r#"{"columns": ["name"], "rows": []}"#);
        let searching = ask(&second);
        assert_eq!(
            calls(&searching),
            [("search_document_content".into(), json!({"query": "home leaking roof"}))]
        );
        let nothing = answered(second.clone(), searching.clone(), r#"{"results": []}"#);
        assert_eq!(ask(&nothing).content, NOTHING_FOUND);
        let found =
            r#"{"results": [{"document": "a.md", "text": "The roof of Elm 4 is leaking."}]}"#;
        let found = ask(&answered(second, searching, found));
        assert_eq!(found.content, "According to a.md: The roof of Elm 4 is leaking.");
    }

    #[test]
    fn among_tools_that_act_questions_are_not_all_there_is() {
        let pay = tool("pay_bill", "Pays a bill", Some("bill"));
        let briefing = briefing(Some(pay));
        assert!(ToolIndex::new(&briefing.tools).inquiry.is_none());
        let message = BaselineSubject::new()
            .respond(&briefing, &[Message::user("What does the agreement say about quorum?")]);
        assert!(message.calls.iter().all(|call| call.name != "query_database"), "{message:?}");
    }
}
