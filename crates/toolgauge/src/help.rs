//! How help is shown: `--help` has the common options and examples, `--help-all` has everything.

mod examples;
#[cfg(test)]
mod reference;

use std::fmt::Write as _;

use clap::{Arg, ArgAction, Command};

use self::examples::EXAMPLES;

/// The heading of the options that every command has. It comes after a command's own.
pub(crate) const EVERYWHERE: &str = "Everywhere";

/// The same command line with both forms of help, and examples for every command.
pub(crate) fn with_help(cli: Command) -> Command {
    let name = cli.get_name().to_owned();
    let cli = cli.disable_help_subcommand(true);
    with_help_of(cli, &name)
}

fn with_help_of(command: Command, path: &str) -> Command {
    let names: Vec<String> =
        command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let help = Arg::new("help").short('h').long("help").action(ArgAction::HelpShort);
    let all = Arg::new("help-all").long("help-all").action(ArgAction::HelpLong);
    // clap takes its own flag for both forms: the short one for `-h`, the long one for `--help`.
    let mut command = command
        .disable_help_flag(true)
        .arg(help.help("Print the common options and examples").help_heading(EVERYWHERE))
        .arg(all.help("Print every option, explained at length").help_heading(EVERYWHERE));
    let known = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let after = format!("{}\n{known}", examples_of(path));
    command = command.after_help(after.trim_end().to_owned());
    for name in names {
        let path = format!("{path} {name}");
        command = command.mut_subcommand(name, |command| with_help_of(command, &path));
    }
    command
}

/// The examples of a command, as help shows them.
fn examples_of(path: &str) -> String {
    let mut text = "Examples:\n".to_owned();
    for (_, command, purpose) in EXAMPLES.iter().filter(|(known, ..)| *known == path) {
        // Writing to a string cannot fail.
        let _ = write!(text, "  # {purpose}\n  {command}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use clap::error::ErrorKind;

    use super::EXAMPLES;
    use crate::cli;

    /// Every command by its path, as in `toolgauge feedback add`.
    fn paths(command: &clap::Command, path: &str, found: &mut Vec<String>) {
        found.push(path.to_owned());
        for command in command.get_subcommands() {
            paths(command, &format!("{path} {}", command.get_name()), found);
        }
    }

    fn all_paths() -> Vec<String> {
        let mut found = Vec::new();
        paths(&cli::command(), "toolgauge", &mut found);
        found
    }

    fn help(path: &str, flag: &str) -> String {
        help_of(cli::command(), path, flag)
    }

    fn help_of(cli: clap::Command, path: &str, flag: &str) -> String {
        let words = path.split(' ').chain([flag]);
        let shown = cli.try_get_matches_from(words).unwrap_err();
        assert_eq!(shown.kind(), ErrorKind::DisplayHelp, "{path}: {shown}");
        shown.to_string()
    }

    #[test]
    fn every_command_has_a_purpose_examples_and_a_short_help() {
        for path in all_paths() {
            let text = help(&path, "--help");
            let narrow = help_of(cli::command().term_width(80), &path, "--help");
            let lines = narrow.lines().count();
            assert!(lines <= 120, "`{path} --help` has {lines} lines at 80 columns");
            assert!(text.contains("\nExamples:\n  # "), "`{path} --help` has no examples:\n{text}");
            let purpose = text.lines().next().unwrap_or_default();
            assert!(purpose.ends_with(|c: char| c.is_alphanumeric()), "{path}: {purpose}");
            assert!(purpose.len() <= 100, "the purpose of `{path}` takes more than a line");
            assert_eq!(help(&path, "-h"), text);
        }
    }

    /// Every command with its path.
    fn all_commands(command: &clap::Command, path: &str, found: &mut Vec<(String, clap::Command)>) {
        found.push((path.to_owned(), command.clone()));
        for command in command.get_subcommands() {
            all_commands(command, &format!("{path} {}", command.get_name()), found);
        }
    }

    #[test]
    fn a_flag_has_one_form_in_every_command() {
        let (mut found, mut longs, mut shorts) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        all_commands(&cli::command(), "toolgauge", &mut found);
        for (path, command) in &found {
            for flag in command.get_arguments() {
                let Some(long) = flag.get_long() else { continue };
                let values = flag.get_value_names().unwrap_or_default();
                let takes =
                    if flag.get_action().takes_values() { values.concat() } else { String::new() };
                // What is written may be a file, a folder or a log; a log is replayed, and so are
                // servers.
                let is_any = matches!(long, "output" | "replay");
                let takes = if is_any { String::new() } else { takes };
                let form = (flag.get_short(), takes);
                let (known, first) = longs.entry(long.to_owned()).or_insert((form.clone(), path));
                assert_eq!(*known, form, "`--{long}` of `{path}` and of `{first}`");
                if let Some(short) = flag.get_short() {
                    let (known, first) = shorts.entry(short).or_insert((long.to_owned(), path));
                    assert_eq!(known, long, "`-{short}` of `{path}` and of `{first}`");
                }
            }
        }
    }

    #[test]
    fn former_names_of_flags_still_work() {
        for line in [
            "toolgauge score last --log-dir again",
            "toolgauge report last -o r.html --trials 3",
            "toolgauge run --matrix m.yaml --leaderboard l.md",
            "toolgauge serve --host 127.0.0.1",
        ] {
            let found = cli::command().try_get_matches_from(line.split(' '));
            assert!(found.is_ok(), "`{line}`: {}", found.unwrap_err());
        }
    }

    #[test]
    fn every_option_is_in_the_long_help() {
        let long = help("toolgauge run", "--help-all");
        for flag in ["--model", "--idle-timeout", "--judge-votes", "--tool-choice", "--quiet"] {
            assert!(long.contains(flag), "{flag} in\n{long}");
        }
    }

    #[test]
    fn every_example_can_be_typed() {
        for (path, command, _) in EXAMPLES {
            assert!(all_paths().iter().any(|known| known == path), "there is no `{path}`");
            // What feeds or takes a pipe is another program.
            let parts = command.split(" | ").map(str::trim);
            let own = parts.filter(|part| part.starts_with("toolgauge "));
            for part in own {
                let part = part.split(" > ").next().unwrap_or(part);
                let part = part.split(" < ").next().unwrap_or(part);
                let words = shlex::split(part).unwrap();
                let found = cli::command().try_get_matches_from(words);
                assert!(found.is_ok(), "`{part}`: {}", found.unwrap_err());
            }
        }
    }
}
