//! One file a command: each holds its arguments and what it does.

mod atlas;
mod baseline;
mod cases;
mod check;
mod cluster;
mod compare;
mod completions;
mod config;
mod export;
mod feedback;
mod generate;
mod history;
mod home;
mod import;
mod init;
mod judge;
mod list;
mod man;
mod mcp;
mod merge;
mod partial;
mod prompt;
mod report;
mod run;
mod score;
mod serve;
mod sql;
mod summary;
mod try_world;
mod view;

use clap::Subcommand;

use crate::ExitStatus;
use crate::failure::Failure;
use crate::printer::Printer;

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(Box<run::Args>),
    Partial(partial::Args),
    Import(import::Args),
    Export(export::Args),
    Sql(sql::Args),
    Atlas(atlas::Args),
    Prompt(Box<prompt::Args>),
    Score(score::Args),
    Merge(merge::Args),
    Cluster(cluster::Args),
    Summary(summary::Args),
    Compare(Box<compare::Args>),
    Report(report::Args),
    View(view::Args),
    Judge(Box<judge::Args>),
    Baseline(baseline::Args),
    Cases(cases::Args),
    History(history::Args),
    Feedback(feedback::Args),
    Check(check::Args),
    Serve(serve::Args),
    Mcp(mcp::Args),
    List(list::Args),
    Init(init::Args),
    Generate(generate::Args),
    Home(home::Args),
    Try(try_world::Args),
    Config(config::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Does what was asked for. `cli` describes all that can be typed, for the commands that tell it.
pub(crate) fn exec(
    command: &Command,
    cli: fn() -> clap::Command,
    printer: &mut Printer,
) -> Result<ExitStatus, Failure> {
    match command {
        Command::Run(args) => run::exec(args, printer),
        Command::Partial(args) => partial::exec(args, printer),
        Command::Import(args) => import::exec(args, printer),
        Command::Export(args) => export::exec(args, printer),
        #[cfg(feature = "sql")]
        Command::Sql(args) => sql::exec(args, printer),
        #[cfg(not(feature = "sql"))]
        Command::Sql(args) => sql::exec(args),
        Command::Atlas(args) => atlas::exec(args, printer),
        Command::Prompt(args) => prompt::exec(args, printer),
        Command::Score(args) => score::exec(args, printer),
        Command::Merge(args) => merge::exec(args, printer),
        Command::Cluster(args) => cluster::exec(args, cli, printer),
        Command::Summary(args) => summary::exec(args, printer),
        Command::Compare(args) => compare::exec(args, printer),
        Command::Report(args) => report::exec(args, printer),
        Command::View(args) => view::exec(args, printer),
        Command::Judge(args) => judge::exec(args, printer),
        Command::Baseline(args) => baseline::exec(args, printer),
        Command::Cases(args) => cases::exec(args, printer),
        Command::History(args) => history::exec(args, printer),
        Command::Feedback(args) => feedback::exec(args, printer),
        Command::Check(args) => check::exec(args, printer),
        Command::Serve(args) => serve::exec(args, printer),
        Command::Mcp(args) => mcp::exec(args, printer),
        Command::List(args) => list::exec(args, printer),
        Command::Init(args) => init::exec(args, printer),
        Command::Generate(args) => generate::exec(args, printer),
        Command::Home(args) => home::exec(args, printer),
        Command::Try(args) => try_world::exec(args, printer),
        Command::Config(args) => config::exec(args, printer),
        Command::Completions(args) => completions::exec(args, cli(), printer),
        Command::Man(args) => man::exec(args, cli(), printer),
    }
}
