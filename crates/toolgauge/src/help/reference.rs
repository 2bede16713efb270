//! The reference of all commands, `docs/reference/`, made of the definition that `--help` shows.
//!
//! `TOOLGAUGE_UPDATE_DOCS=1 cargo test -p toolgauge --lib reference` writes it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Arg, Command};
use toolgauge_tables::TableName;

use super::{EVERYWHERE, EXAMPLES};
use crate::cli;

/// The pages by their file names.
fn pages() -> BTreeMap<String, String> {
    let mut cli = cli::command();
    // Puts flags of every command, defaults and usages in place.
    cli.build();
    let mut pages = BTreeMap::new();
    let mut index = "# Commands\n\n| command | does |\n| --- | --- |\n".to_owned();
    for command in shown(&cli) {
        let name = command.get_name();
        let about = prose(&command.get_about().map(ToString::to_string).unwrap_or_default());
        let _ = writeln!(index, "| [`{name}`]({name}.md) | {about} |");
        let mut page = String::new();
        describe(command, &format!("toolgauge {name}"), 1, &mut page);
        pages.insert(format!("{name}.md"), page);
    }
    index.push_str("\nEvery command also takes these:\n\n");
    for arg in cli.get_arguments().filter(|arg| is_everywhere(arg)) {
        index.push_str(&option(arg));
    }
    let after = cli.get_after_help().map(ToString::to_string).unwrap_or_default();
    let statuses = after.lines().find(|line| line.starts_with("Exit statuses")).unwrap_or_default();
    let _ = writeln!(index, "\n{statuses}");
    pages.insert("commands.md".to_owned(), index);
    pages.insert("tables.md".to_owned(), tables());
    pages
}

/// The page of the tables that `export --format` writes and `sql` asks.
fn tables() -> String {
    let mut page = "# Tables\n\nThe tables of `toolgauge export --format`, of `toolgauge sql` and of \
                    Python's `toolgauge.read`. [Questions over many runs](../scale.md#ask-questions-over-many-runs) \
                    shows how to ask them.\n"
        .to_owned();
    for table in TableName::ALL {
        let about = table.about();
        let _ = write!(page, "\n## `{}`: {about}\n\n", table.name());
        page.push_str("| column | type | holds |\n| --- | --- | --- |\n");
        for column in table.columns() {
            let (name, kind, about) = (column.name, column.kind().name(), column.about);
            let _ = writeln!(page, "| `{name}` | {kind} | {about} |");
        }
    }
    page
}

fn shown(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|command| !command.is_hide_set())
}

fn is_everywhere(arg: &Arg) -> bool {
    arg.get_help_heading() == Some(EVERYWHERE)
}

/// Adds a command and those below it.
fn describe(command: &Command, path: &str, depth: usize, page: &mut String) {
    let long = command.get_long_about().or_else(|| command.get_about());
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let heading = "#".repeat(depth);
    let _ = write!(page, "{heading} `{path}`\n\n");
    let _ = write!(page, "{}\n\n", prose(&long.map(ToString::to_string).unwrap_or_default()));
    let _ = writeln!(page, "```text\n{usage}\n```");
    let examples: Vec<_> = EXAMPLES.iter().filter(|(known, ..)| *known == path).collect();
    if !examples.is_empty() {
        page.push_str("\n```text\n");
        for (_, command, purpose) in examples {
            let _ = writeln!(page, "# {purpose}\n{command}");
        }
        page.push_str("```\n");
    }
    for (title, args) in by_heading(command) {
        let _ = write!(page, "\n{heading}# {title}\n\n");
        for arg in args {
            page.push_str(&option(arg));
        }
    }
    for inner in shown(command) {
        page.push('\n');
        describe(inner, &format!("{path} {}", inner.get_name()), depth + 1, page);
    }
}

/// The arguments of a command in the order and under the headings of its help.
fn by_heading(command: &Command) -> Vec<(String, Vec<&Arg>)> {
    let mut groups: Vec<(String, Vec<&Arg>)> = Vec::new();
    for arg in command.get_arguments().filter(|arg| !arg.is_hide_set() && !is_everywhere(arg)) {
        let title = match arg.get_help_heading() {
            Some(title) => title,
            None if arg.is_positional() => "Arguments",
            None => "Options",
        };
        match groups.iter_mut().find(|(known, _)| known == title) {
            Some((_, args)) => args.push(arg),
            None => groups.push((title.to_owned(), vec![arg])),
        }
    }
    groups
}

/// One argument as an item of a list.
fn option(arg: &Arg) -> String {
    let help = arg.get_long_help().or_else(|| arg.get_help());
    let help = prose(&help.map(ToString::to_string).unwrap_or_default());
    let mut item = format!("* `{}`: {}", spelling(arg), help.replace("\n\n", "\n\n  "));
    let values: Vec<String> = arg
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| match value.get_help() {
            Some(help) => format!("  * `{}`: {}\n", value.get_name(), prose(&help.to_string())),
            None => format!("  * `{}`\n", value.get_name()),
        })
        .collect();
    let takes_value = arg.get_action().takes_values();
    let defaults = arg.get_default_values().iter().map(|value| value.to_string_lossy());
    let defaults = defaults.collect::<Vec<_>>().join(",");
    if takes_value && !defaults.is_empty() {
        let _ = write!(item, " Default: `{defaults}`.");
    }
    if let Some(variable) = arg.get_env() {
        let _ = write!(item, " Variable: `{}`.", variable.to_string_lossy());
    }
    item.push('\n');
    if takes_value {
        item.push_str(&values.concat());
    }
    item
}

/// How an argument is typed: `-m, --model MODEL`.
fn spelling(arg: &Arg) -> String {
    let names = arg.get_value_names().unwrap_or_default();
    let value = names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    if arg.is_positional() {
        return value;
    }
    let short = arg.get_short().map(|short| format!("-{short}"));
    let long = arg.get_long().map(|long| format!("--{long}"));
    let flags = [short, long].into_iter().flatten().collect::<Vec<_>>().join(", ");
    if arg.get_action().takes_values() { format!("{flags} {value}") } else { flags }
}

/// Text of a help for Markdown: outside of code, angle brackets are no tags.
fn prose(text: &str) -> String {
    let parts = text.trim_end_matches('.').split('`').enumerate();
    let parts = parts.map(|(index, part)| match index % 2 {
        0 => part.replace('<', "&lt;").replace('|', "\\|").replace('*', "\\*"),
        _ => part.to_owned(),
    });
    let text = parts.collect::<Vec<_>>().join("`");
    if text.ends_with(['`', ')', ']']) || text.ends_with(char::is_alphanumeric) {
        text + "."
    } else {
        text
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference")
}

/// Pages in the same folder that are written by hand.
const BY_HAND: [&str; 2] = ["json.md", "settings.md"];

#[test]
fn the_reference_in_the_docs_is_that_of_the_program() {
    for (name, page) in pages() {
        let path = folder().join(&name);
        if std::env::var_os("TOOLGAUGE_UPDATE_DOCS").is_some() {
            std::fs::create_dir_all(folder()).unwrap();
            std::fs::write(&path, &page).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == page,
            "docs/reference/{name} is stale: write it with `TOOLGAUGE_UPDATE_DOCS=1 cargo test -p \
             toolgauge --lib reference`"
        );
    }
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let known = pages().contains_key(&name) || BY_HAND.contains(&name.as_str());
        assert!(known, "docs/reference/{name} is about a command that is gone");
    }
}
