//! The three tools, as a model is told of them.

use serde_json::json;
use toolgauge_core::Tool;

use super::database::Database;
use super::document::DocumentKind;
use super::documents::Documents;

pub(super) const QUERY: &str = "query_database";
pub(super) const SEARCH: &str = "search_document_content";
pub(super) const LIST: &str = "list_business_documents";

/// How many passages a search gives unless it is told otherwise, and at most.
pub(super) const PASSAGES: (usize, usize) = (5, 20);

pub(super) fn query(database: &Database) -> Tool {
    let limits = database.limits();
    let description = format!(
        "Runs one read-only SQL query (SQLite) on the company's database and returns columns and \
         rows as JSON. At most {} rows are returned and a query may take {} seconds, so aggregate \
         and filter in SQL. Use this for figures, names, dates and anything that is counted or \
         summed. The tables:\n{}",
        limits.rows,
        limits.time.as_secs_f64(),
        database.schema(),
    );
    let sql = json!({"type": "string", "description": "One SELECT statement in SQLite's dialect."});
    Tool {
        name: QUERY.into(),
        description,
        parameters: json!({"type": "object", "properties": {"sql": sql}, "required": ["sql"]}),
    }
}

pub(super) fn search(documents: &Documents) -> Tool {
    let description = format!(
        "Searches the full text of the company's {} documents and returns the passages that fit \
         best, each with the id of its document. Use this for what contracts, policies, letters, \
         reports and minutes say.{}",
        documents.len(),
        folders(documents),
    );
    let (usual, most) = PASSAGES;
    let parameters = json!({
        "type": "object",
        "properties": {
            "query": {
                "type": "string",
                "description": "The words to look for, in any order and form.",
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": most,
                "description": format!("How many passages to return; {usual} if not given."),
            },
            "document": {
                "type": "string",
                "description": "The id of a document, to search in that document alone.",
            },
        },
        "required": ["query"],
    });
    Tool { name: SEARCH.into(), description, parameters }
}

pub(super) fn list(documents: &Documents) -> Tool {
    let description = format!(
        "Lists the company's documents with their ids, titles, kinds, sizes and first lines. Use \
         this to see which documents exist.{}",
        folders(documents),
    );
    let parameters = json!({
        "type": "object",
        "properties": {
            "folder": {
                "type": "string",
                "description": "Only documents in this folder and those within it.",
            },
            "kind": {
                "type": "string",
                "enum": DocumentKind::ALL.map(DocumentKind::name),
                "description": "Only documents of this kind.",
            },
            "query": {
                "type": "string",
                "description": "Only documents with one of these words in their id or title.",
            },
        },
    });
    Tool { name: LIST.into(), description, parameters }
}

fn folders(documents: &Documents) -> String {
    let folders = documents.folders();
    if folders.is_empty() || folders.len() > 50 {
        return String::new();
    }
    format!(" Folders: {}.", folders.join(", "))
}
