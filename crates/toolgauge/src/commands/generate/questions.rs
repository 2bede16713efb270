//! Golden questions over a database and documents.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;
use toolgauge_business::{BusinessWorld, Database, Documents, QueryLimits, generate};
use toolgauge_report::number::counted;

use super::Args;
use crate::ExitStatus;
use crate::failure::{Failure, TryFailure};
use crate::printer::Printer;
use crate::suites;

/// How many questions are made unless somebody says.
const USUAL: usize = 50;

/// Writes a suite of questions whose answers the data prove.
pub(super) fn exec(args: &Args, printer: &mut Printer) -> Result<ExitStatus, Failure> {
    let limits = QueryLimits::default();
    let database = args.database.as_ref().map(|file| Database::from_path(file, limits));
    let documents = args.documents.as_ref().map(|folder| Documents::from_folder(folder));
    let database = database.transpose().map_err(TryFailure::from)?;
    let documents = documents.transpose().map_err(TryFailure::from)?;
    let world = BusinessWorld::new(database, documents);
    let wanted = args.cases.unwrap_or(USUAL);
    let questions = generate::questions(&world, args.seed, wanted);
    if questions.is_empty() {
        return Err(Failure::NothingToAsk);
    }
    let named = || PathBuf::from(format!("questions-{}", args.seed));
    let folder = args.output.clone().unwrap_or_else(named);
    super::make_empty(&folder)?;
    let lines: Vec<String> = questions.iter().map(Value::to_string).collect();
    toolgauge_log::replace_file(&folder.join("questions.jsonl"), lines.join("\n") + "\n")?;
    toolgauge_log::replace_file(&folder.join("suite.yaml"), suite(args, &folder)?)?;
    let shown = folder.display().to_string();
    let suite = suites::load(&shown)?;
    printer.print(&format!(
        "{shown}: {}, each proved by a query or a passage; run it with `toolgauge run {shown}`\n",
        counted(suite.cases.len(), "question"),
    ))?;
    if questions.len() < wanted {
        printer.note(format!("the data give no more than {} questions", questions.len()));
    }
    Ok(ExitStatus::Done)
}

/// The suite beside the questions.
fn suite(args: &Args, folder: &Path) -> Result<String, Failure> {
    let mut world = Vec::new();
    for (key, path) in [("database", &args.database), ("documents", &args.documents)] {
        if let Some(path) = path {
            let path = Value::from(from_folder(folder, path)?);
            world.push(format!("  {key}: {path}\n"));
        }
    }
    let world = world.concat();
    let retrieval = if args.documents.is_some() { "retrieval, " } else { "" };
    let seed = args.seed;
    Ok(format!(
        "# Made by `toolgauge generate questions --seed {seed}`. Change the words of a question as you \
         like;\n# `toolgauge check` says whether its proof still holds.\n\n\
         name: questions-{seed}\n\
         world:\n  kind: business\n{world}\
         system: >-\n  You answer questions about a company. Look the answer up with your tools, and say \
         so if\n  there is none.\n\
         solver: {{kind: loop, max_turns: 8}}\n\
         scorers: [chatbot, {retrieval}grounding]\n\
         cases: questions.jsonl\n"
    ))
}

/// A path as it is written in a file of this folder, with forward slashes.
fn from_folder(folder: &Path, path: &Path) -> Result<String, Failure> {
    let whole =
        |path: &Path| path.canonicalize().map_err(|error| Failure::file("read", path, error));
    let (folder, path) = (whole(folder)?, whole(path)?);
    let shared = folder.components().zip(path.components()).take_while(|(a, b)| a == b).count();
    // Of two drives nothing is shared, and then only the whole path leads there.
    if shared == 0 {
        return Ok(path.display().to_string());
    }
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    let down = path.components().skip(shared);
    let parts = up.chain(down).map(|part| part.as_os_str().to_string_lossy().into_owned());
    Ok(parts.collect::<Vec<_>>().join("/"))
}
