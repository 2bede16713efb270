//! The cells of a run: those that were asked for, or that of a log which lacks some trials.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::Table;
use toolgauge_engine::EngineError;
use toolgauge_engine::shard_logs::is_pattern;
use toolgauge_log::Log;
use toolgauge_suite::{Selection, Suite};

use super::args::Args;
use crate::adaptive::Until;
use crate::cell::Cell;
use crate::failure::Failure;
use crate::flags::WithFlags as _;
use crate::invocation::{Invocation, LeftOut, PassedOver, RecordedInvocation};
use crate::judges;
use crate::last_log::named_log;
use crate::layer::Layer;
use crate::printer::Printer;
use crate::settings::Settings;
use crate::subjects;
use crate::{keys, suites, worlds};
use toolgauge_engine::public_name;

/// How many trials a run may have: each one that is planned takes memory.
const MOST_TRIALS: usize = 2_000_000;

/// Every suite on every model.
pub(super) async fn cells(args: &Args, settings: &Settings) -> Result<Vec<Cell>, Failure> {
    let mut settings = settings.clone();
    if settings.run.model.is_empty() {
        let key = keys::key(&settings.server.key_variable, args.server.key_file.as_deref())?;
        settings.run.model.push(subjects::only_model(&settings, key).await?);
    }
    let judge = args.judge.order(&settings)?;
    if judge.is_none() && args.scorers.iter().any(|name| name == judges::SCORER) {
        return Err(Failure::NoJudge);
    }
    let of_servers = args.mcp.as_ref().zip(args.case_file.as_ref()).map(|(servers, cases)| {
        // Whoever names the servers wants them started.
        worlds::allow_commands();
        vec![suites::of_servers(servers, cases)]
    });
    let default = || vec![suites::DEFAULT.to_owned()];
    let named = || if args.suites.is_empty() { default() } else { args.suites.clone() };
    let names = &of_servers.unwrap_or_else(named);
    let shard = args.shard.map(|shard| shard.resolve(|name| std::env::var(name).ok()));
    let shard = shard.transpose()?;
    let mut cells = Vec::new();
    for name in names {
        let name = match &args.data {
            Some(folder) => suites::with_data(name, folder),
            None => name.clone(),
        };
        let suite = Arc::new(suites::load_with(&name, &args.world.overrides())?);
        for model in &settings.run.model {
            let mut settings = settings.clone();
            settings.run.trials = args.trials.unwrap_or(suite.trials.max(settings.run.trials));
            let invocation = Invocation {
                world: args.world.overrides(),
                body: args.sampling.extra(),
                scorers: args.scorers.clone(),
                fixes: args.fixes.rules(),
                judge: judge.clone(),
                shard,
                ..Invocation::new(&name, model, settings)
            };
            cells.push(cell(args, &suite, invocation)?);
        }
    }
    Ok(cells)
}

fn cell(args: &Args, suite: &Arc<Suite>, mut invocation: Invocation) -> Result<Cell, Failure> {
    let mut selection = args.selection(&invocation.settings)?;
    if args.suites.is_empty() && args.mcp.is_none() && selection == Selection::default() {
        selection.tags.push(("tier".to_owned(), suites::DEFAULT_TIER.to_owned()));
    }
    let variants = args.variants.iter().cloned().map(Some).collect::<Vec<_>>();
    for variant in variants.iter().flatten() {
        if !suite.variants.contains_key(variant) {
            return Err(EngineError::NoSuchVariant {
                name: variant.clone(),
                known: suite.variants.keys().cloned().collect(),
            }
            .into());
        }
    }
    let cases = selection.select(suite)?;
    let planned = &mut invocation.settings.run;
    if let Some(half_width) = planned.until {
        let until = Until::new(half_width, planned.budget, cases.len());
        (planned.budget, planned.trials) = (Some(until.budget), until.passes(cases.len()));
    }
    let trials = usize::try_from(planned.trials).unwrap_or(usize::MAX);
    let planned = cases.len().saturating_mul(trials).saturating_mul(variants.len().max(1));
    if planned > MOST_TRIALS {
        return Err(EngineError::TooManyTrials { planned, most: MOST_TRIALS }.into());
    }
    Ok(Cell {
        cases,
        suite: Arc::clone(suite),
        key: invocation.key(args.server.key_file.as_deref())?,
        invocation,
        variants: if variants.is_empty() { vec![None] } else { variants },
    })
}

/// The cell of an earlier run, as its log describes it, and the log.
pub(super) fn resumed_cell(
    args: &Args,
    log: &Path,
    settings: &Settings,
    printer: &mut Printer,
) -> Result<(Cell, PathBuf), Failure> {
    let path = named_log(log, settings)?;
    if is_pattern(&path) {
        return Err(EngineError::CannotResume {
            log: path,
            why: "the newest log is a shard, which goes on by its own command".to_owned(),
        }
        .into());
    }
    let run = Log::open(&path)?.run().clone();
    let cannot = |why: &str| {
        Failure::from(EngineError::CannotResume { log: path.clone(), why: why.to_owned() })
    };
    let recorded = RecordedInvocation::read(&run).map_err(|why| cannot(&why.to_string()))?;
    let layer = Layer::default().server(&args.server).limits(&args.limits).table();
    if let Some(warning) = pass_over(&recorded.passed_over, &layer).map_err(|why| cannot(&why))? {
        let versions = (&run.program.version, env!("CARGO_PKG_VERSION"));
        printer.warning(format!(
            "`{}` was written by toolgauge {}, and this is {}; passed over: {warning}",
            path.display(),
            versions.0,
            versions.1
        ));
    }
    args.world.servers.permit();
    let mut invocation = recorded.invocation;
    let unused = args.unused_by_resume(&invocation.settings);
    if !unused.is_empty() {
        let unused = unused.join(", ");
        return Err(cannot(&format!("it goes on as it began, without {unused}")));
    }
    invocation.settings = invocation.settings.overlaid(&layer)?;
    complete(&mut invocation, args, &layer).map_err(|why| cannot(&why))?;
    let suite = Arc::new(suites::load_with(&invocation.suite, &invocation.world)?);
    if suite.hash != run.suite.hash {
        return Err(cannot("the suite has changed since, so that old and new would not compare"));
    }
    let all = Selection::default().select(&suite)?;
    let known: HashMap<_, _> = all.iter().map(|case| (&case.id, case)).collect();
    let cases: Option<Vec<_>> =
        run.cases.iter().map(|id| Some(Arc::clone(known.get(id)?))).collect();
    let cell = Cell {
        cases: cases.ok_or_else(|| cannot("the suite lacks some of its cases"))?,
        suite,
        key: invocation.key(args.server.key_file.as_deref())?,
        invocation,
        variants: vec![run.variant.clone()],
    };
    Ok((cell, path))
}

/// What of a log's settings a resumed run does without, in words. Fails where the rest of the run
/// would be asked for something else than its beginning, unless the flags give the setting again.
fn pass_over(entries: &[PassedOver], flags: &Table) -> Result<Option<String>, String> {
    let is_given = |entry: &&PassedOver| {
        let section = entry.section.as_ref().and_then(|section| flags.get(section));
        section.is_some_and(|section| section.get(&entry.name).is_some())
    };
    let names = |entries: &[&PassedOver]| {
        let names: Vec<String> = entries.iter().map(ToString::to_string).collect();
        names.join(", ")
    };
    let entries: Vec<&PassedOver> = entries.iter().filter(|entry| !is_given(entry)).collect();
    let needed: Vec<&PassedOver> =
        entries.iter().copied().filter(|entry| entry.changes_trials).collect();
    if !needed.is_empty() {
        return Err(format!(
            "without these settings its other trials would not compare: {}",
            names(&needed)
        ));
    }
    Ok((!entries.is_empty()).then(|| names(&entries)))
}

/// Puts back what the log leaves out because it may be a secret; whoever goes on gives it again.
fn complete(invocation: &mut Invocation, args: &Args, flags: &Table) -> Result<(), String> {
    let again = |what: &str, flag: &str| {
        Err(format!("the log leaves out {what}, which may be a secret; give `{flag}` again"))
    };
    let is_given = |key| flags.get("server").is_some_and(|server| server.get(key).is_some());
    let given = args.models();
    let named = given.iter().find(|model| public_name(model) == invocation.model);
    if !args.models.is_empty() && named.is_none() {
        return Err(format!("it is a log of `{}`", invocation.model));
    }
    for left_out in std::mem::take(&mut invocation.left_out) {
        match left_out {
            LeftOut::Model if named.is_none() => {
                return again(&format!("a part of `{}`", invocation.model), "--model");
            }
            LeftOut::BaseUrl if !is_given("base_url") => {
                return again("a part of the server's address", "--base-url");
            }
            LeftOut::LlamaFlags if !is_given("llama_flags") => {
                return again("some flags", "--llama-flag");
            }
            LeftOut::Judge => match args.judge.order(&invocation.settings) {
                Ok(Some(judge)) => invocation.judge = Some(judge),
                _ => return again("a part of the judge's address", "--judge"),
            },
            LeftOut::Body(name) => match args.sampling.extra().remove(&name) {
                Some(value) => drop(invocation.body.insert(name, value)),
                None => return again("a field of the body", &format!("--body {name}=…")),
            },
            LeftOut::Model | LeftOut::BaseUrl | LeftOut::LlamaFlags => {}
        }
    }
    if let Some(model) = named {
        invocation.model.clone_from(model);
    }
    Ok(())
}
