//! The company as a world: every trial asks the same books and papers.

use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value, json};
use toolgauge_core::{Arguments, Books, Case, Proof, Tool, ToolCall};

use super::arguments::{count, optional_text, text};
use super::books;
use super::database::Database;
use super::document::{BusinessDocument, DocumentKind};
use super::documents::Documents;
use super::index::{PassageHit, words};
use super::tools;
use toolgauge_world::{ProofFound, ToolReply, World, WorldState};

/// A database, a folder of documents, or both, behind tools that only read.
#[derive(Clone, Debug)]
pub struct BusinessWorld {
    database: Option<Database>,
    documents: Option<Arc<Documents>>,
    tools: Arc<[Tool]>,
    /// Everything they say, put together when it is first asked for.
    books: Arc<OnceLock<Option<Arc<Books>>>>,
}

impl BusinessWorld {
    /// A world of these. Only the tools are offered that have something to work on.
    pub fn new(database: Option<Database>, documents: Option<Documents>) -> Self {
        let mut offered = Vec::new();
        offered.extend(database.as_ref().map(tools::query));
        offered.extend(documents.as_ref().map(tools::search));
        offered.extend(documents.as_ref().map(tools::list));
        let (documents, tools) = (documents.map(Arc::new), offered.into());
        Self { database, documents, tools, books: Arc::default() }
    }

    /// The database, if there is one.
    pub fn database(&self) -> Option<&Database> {
        self.database.as_ref()
    }

    /// The documents, if there are any.
    pub fn documents(&self) -> Option<&Documents> {
        self.documents.as_deref()
    }

    fn carry_out(&self, name: &str, arguments: &Map<String, Value>) -> Result<ToolReply, String> {
        match (name, &self.database, self.documents()) {
            (tools::QUERY, Some(database), _) => {
                let rows = database.query(text(arguments, "sql")?);
                let rows = rows.map_err(|error| error.to_string())?;
                Ok(ToolReply::done(rows.to_json()))
            }
            (tools::SEARCH, _, Some(documents)) => search(documents, arguments),
            (tools::LIST, _, Some(documents)) => list(documents, arguments),
            _ => {
                let known: Vec<&str> = self.tools.iter().map(|tool| tool.name.as_str()).collect();
                Err(format!("unknown tool `{name}` (known: {})", known.join(", ")))
            }
        }
    }

    /// What a proof finds: cells and passages.
    fn prove(&self, proof: &Proof) -> Result<ProofFound, String> {
        let mut found = ProofFound::default();
        if let Some(sql) = &proof.sql {
            let database = self.database.as_ref().ok_or("there is no database to ask")?;
            let rows = database.query(sql).map_err(|error| format!("its SQL fails: {error}"))?;
            if rows.rows.is_empty() != proof.empty {
                let what = if proof.empty { "rows, and should not" } else { "no row" };
                return Err(format!("its SQL finds {what}: {sql}"));
            }
            found.rows = Some(rows.to_json());
            found.texts.extend(rows.rows.into_iter().flatten().map(|cell| match cell {
                Value::String(text) => text,
                other => other.to_string(),
            }));
        }
        let named = proof.document.as_ref();
        let document = named.map(|id| self.document(id)).transpose()?;
        match (&proof.passage, document) {
            (Some(passage), Some(document)) if document.says(passage) => {
                found.texts.push(passage.clone());
            }
            (Some(passage), Some(document)) => {
                return Err(format!("`{}` does not say: {passage}", document.id));
            }
            (Some(passage), None) => {
                return Err(format!("it names no `document` that says: {passage}"));
            }
            (None, Some(document)) => found.texts.push(document.text.clone()),
            (None, None) => {}
        }
        Ok(found)
    }

    fn document(&self, id: &str) -> Result<&BusinessDocument, String> {
        let documents = self.documents().ok_or("there are no documents")?;
        documents.get(id).map_err(|error| error.to_string())
    }
}

impl World for BusinessWorld {
    fn tools(&self, _case: &Case) -> Arc<[Tool]> {
        Arc::clone(&self.tools)
    }

    fn briefing(&self, _case: &Case) -> Option<Arc<str>> {
        None
    }

    fn complaints(&self, case: &Case) -> Vec<String> {
        let Some(answer) = &case.expectation.answer else { return Vec::new() };
        answer.documents.keys().filter_map(|id| self.document(id).err()).collect()
    }

    fn cautions(&self) -> Vec<String> {
        let left_out = self.documents().map(Documents::warnings).unwrap_or_default();
        left_out.iter().map(|left| format!("`{}` is left out: {}", left.file, left.why)).collect()
    }

    fn evidence(&self, proof: &Proof) -> Option<Result<ProofFound, String>> {
        Some(self.prove(proof))
    }

    fn books(&self) -> Option<Arc<Books>> {
        let read = || books::books(self.database.as_ref(), self.documents()).map(Arc::new);
        self.books.get_or_init(read).clone()
    }

    fn enter(&self, _case: &Case) -> Box<dyn WorldState> {
        Box::new(self.clone())
    }
}

impl WorldState for BusinessWorld {
    fn call(&mut self, call: &ToolCall) -> ToolReply {
        let answer = match &call.arguments {
            Arguments::Object(arguments) => self.carry_out(&call.name, arguments),
            Arguments::Malformed { why, .. } => Err(why.to_string()),
        };
        answer.unwrap_or_else(|why| ToolReply::failed(json!({"error": why}).to_string()))
    }

    fn may_take_long(&self) -> bool {
        true
    }
}

fn search(documents: &Documents, arguments: &Map<String, Value>) -> Result<ToolReply, String> {
    let query = text(arguments, "query")?;
    let only = optional_text(arguments, "document")?;
    let (usual, most) = tools::PASSAGES;
    let limit = count(arguments, "limit", usual, most)?;
    let hits = documents.search(query, only, limit).map_err(|error| error.to_string())?;
    let mut content = json!({"results": hits.iter().map(shown).collect::<Vec<Value>>()});
    if hits.is_empty() {
        content["note"] = "no passage holds any of these words".into();
    }
    let sources = distinct(hits.iter().map(|hit| hit.document.id.as_str()));
    Ok(ToolReply { sources, ..ToolReply::done(content.to_string()) })
}

fn shown(hit: &PassageHit<'_>) -> Value {
    let mut shown = json!({
        "document": hit.document.id,
        "title": hit.document.title,
        "passage": hit.position,
        "score": (hit.score * 100.0).round() / 100.0,
        "text": hit.passage.text,
    });
    if !hit.passage.headings.is_empty() {
        shown["heading"] = hit.passage.headings.join(" > ").into();
    }
    shown
}

fn list(documents: &Documents, arguments: &Map<String, Value>) -> Result<ToolReply, String> {
    let folder = optional_text(arguments, "folder")?;
    let kind = optional_text(arguments, "kind")?.map(kind).transpose()?;
    let query = optional_text(arguments, "query")?;
    let found = documents.below(folder.unwrap_or_default()).map_err(|error| error.to_string())?;
    let wanted = words(query.unwrap_or_default());
    let fit = |document: &BusinessDocument| {
        let own = format!("{} {}", document.id, document.title).to_lowercase();
        wanted.iter().filter(|word| own.contains(word.as_str())).count()
    };
    let mut found: Vec<&BusinessDocument> = found
        .into_iter()
        .filter(|document| kind.is_none_or(|kind| document.kind == kind))
        .filter(|document| query.is_none() || fit(document) > 0)
        .collect();
    found.sort_by_key(|document| std::cmp::Reverse(fit(document)));
    let listed: Vec<Value> = found
        .iter()
        .map(|document| {
            json!({
                "id": document.id,
                "title": document.title,
                "kind": document.kind.name(),
                "bytes": document.bytes,
                "first_line": document.first_line(),
            })
        })
        .collect();
    let content = json!({"documents": listed, "count": listed.len()});
    // To list everything is not to find something.
    let narrowed = folder.is_some() || query.is_some();
    let ids = found.iter().filter(|_| narrowed).map(|document| document.id.as_str());
    Ok(ToolReply { sources: distinct(ids), ..ToolReply::done(content.to_string()) })
}

fn kind(name: &str) -> Result<DocumentKind, String> {
    let same = |kind: &DocumentKind| kind.name().eq_ignore_ascii_case(name.trim());
    DocumentKind::ALL.into_iter().find(same).ok_or_else(|| {
        let known = DocumentKind::ALL.map(DocumentKind::name).join(", ");
        format!("there is no kind `{name}` (known: {known})")
    })
}

/// Names without those that came before.
fn distinct<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for name in names {
        if !distinct.iter().any(|known| known == name) {
            distinct.push(name.to_owned());
        }
    }
    distinct
}
