//! What each variant of a cell is run with: its subject, its world and its prompts.

use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use toolgauge_core::{Briefing, Case, Run, RunEntry, ServerFacts, Tool};
use toolgauge_runner::{Arm, Briefings};
use toolgauge_suite::Sampling;
use toolgauge_world::World;

use super::Cell;
use super::shard_part::CellPart;
use crate::error::EngineError;
use crate::invocation::Invocation;
use crate::settings::public_flags;
use crate::subjects::{
    self, FirstPrompt, Host, PlayedCases, ServerCheck, Servers, SubjectOptions, llama,
};
use crate::waiting::Waiting;
use crate::{prompt_order, shards, worlds};

/// One variant made ready: the arm to run, the cases as it puts them, and the head of its log.
pub(super) struct VariantSetup {
    pub(super) host: Host,
    pub(super) arm: Arm,
    pub(super) cases: Vec<Arc<Case>>,
    pub(super) run: Run,
    /// The servers, the same for all variants.
    pub(super) servers: Arc<Servers>,
}

impl VariantSetup {
    /// Leaves only the cases of a shard. What the head says of floors and prompts stays that of the
    /// whole plan, as the merged log will have it.
    fn cut(
        &mut self,
        cell: &Cell,
        variant: Option<&str>,
        part: &CellPart,
    ) -> Result<(), EngineError> {
        let entry = part.entry(cell, variant)?;
        self.run.id = shards::shard_id(&entry.plan, part.number);
        RunEntry::Shard.put(&mut self.run.settings, json!(entry));
        self.run.cases = part.pick(&self.run.cases).into();
        self.cases = part.pick(&self.cases);
        self.arm.briefings = part.pick(&self.arm.briefings);
        Ok(())
    }
}

impl Cell {
    /// Every variant made ready, and its server looked at.
    pub(super) async fn sides(
        &self,
        served: &Invocation,
        part: Option<&CellPart>,
        waiting: &Waiting<'_>,
    ) -> Result<Vec<VariantSetup>, EngineError> {
        let patience = served.settings.limits.patience.duration();
        let at_once = served.settings.run.concurrency;
        let servers = Arc::<Servers>::default();
        let mut sides = Vec::new();
        // A suite from elsewhere may name any file of this machine, and its content goes to a
        // server.
        for file in self.suite.outside_files() {
            let file = file.display();
            waiting
                .observer()
                .warning(&format!("the suite reads `{file}`, which is outside its folder"));
        }
        for variant in &self.variants {
            let mut side = self.side(variant.as_deref(), served, &servers)?;
            if let Some(part) = part {
                side.cut(self, variant.as_deref(), part)?;
            }
            // Only what is run first: a server of one slot would have forgotten it by the time the
            // others are read.
            let first = side.arm.briefings.iter().min_by(|a, b| prompt_order::compare(a, b));
            let first = first.filter(|_| sides.is_empty());
            let first = first.map(|briefing| FirstPrompt { briefing, at_once });
            let ServerCheck { facts, warnings } = side.host.greet(first, patience, waiting).await?;
            for warning in &warnings {
                waiting.observer().warning(warning);
            }
            side.run.server = facts.map(|facts| self.with_flags(facts));
            side.run.warnings = warnings;
            sides.push(side);
        }
        Ok(sides)
    }

    /// What a server says of itself, with the flags of one that was started for this run.
    fn with_flags(&self, mut facts: ServerFacts) -> ServerFacts {
        if llama::is_file(Path::new(&self.invocation.model)) {
            facts.flags = public_flags(&self.invocation.settings.server.llama_flags);
        }
        facts
    }

    pub(super) fn side(
        &self,
        variant: Option<&str>,
        served: &Invocation,
        servers: &Arc<Servers>,
    ) -> Result<VariantSetup, EngineError> {
        let world = worlds::build(&self.suite, variant)?;
        let host = self.host(variant, served, servers, &world)?;
        let briefings = self.briefings(variant, world.as_ref())?;
        let subject = Arc::clone(&host.subject);
        let identity = subject.identity();
        if self.has_decoys() && identity.calls_its_own_tools() {
            return Err(EngineError::DecoysOfOwnTools { subject: identity.name });
        }
        let run = self.head(variant, identity, world.as_ref(), &briefings)?;
        let cases = worlds::cases_of(&self.suite, variant, &self.cases, world.as_ref());
        let servers = Arc::clone(servers);
        Ok(VariantSetup { host, arm: Arm { subject, world, briefings }, cases, run, servers })
    }

    /// Whether cases are asked with tools of other servers among their own.
    pub(super) fn has_decoys(&self) -> bool {
        self.suite.decoys().is_ok_and(|counts| !counts.is_empty())
    }

    /// How answers are sampled: by the suite, its variant, and what was asked for.
    pub fn sampling(&self, variant: Option<&str>) -> Sampling {
        let variant = variant.and_then(|name| self.suite.variants.get(name));
        let sampling = variant.map(|variant| &variant.sampling);
        self.invocation.sampling(&self.suite.sampling, sampling)
    }

    fn host(
        &self,
        variant: Option<&str>,
        served: &Invocation,
        servers: &Arc<Servers>,
        world: &Arc<dyn World>,
    ) -> Result<Host, EngineError> {
        let cases = worlds::cases_of(&self.suite, variant, &self.cases, world.as_ref());
        subjects::build(SubjectOptions {
            played: Some(PlayedCases { world: Arc::clone(world), cases }),
            servers: Arc::clone(servers),
            model: &served.model,
            settings: &served.settings,
            sampling: self.sampling(variant),
            key: self.key.clone(),
        })
    }

    /// What the subject is told before each case; what is the same for all is made once.
    pub fn briefings(
        &self,
        variant: Option<&str>,
        world: &dyn World,
    ) -> Result<Vec<Arc<Briefing>>, EngineError> {
        let each = toolgauge_suite::system_depends_on_case(&self.suite, variant)?
            // A prompt may list the tools.
            || self.has_decoys();
        let render = |case: Option<&Case>, tools: &[Tool]| {
            let system = toolgauge_suite::render_system(&self.suite, variant, case, tools)?;
            Ok::<_, EngineError>(system.map(Arc::<str>::from))
        };
        let mut shared = Briefings::default();
        let mut same_for_all = None;
        let mut briefings = Vec::with_capacity(self.cases.len());
        for case in &self.cases {
            let tools = world.tools(case);
            let system = match world.briefing(case) {
                Some(system) => Some(system),
                None if each => render(Some(case), &tools)?,
                None => match &same_for_all {
                    Some(system) => Clone::clone(system),
                    None => same_for_all.insert(render(None, &tools)?).clone(),
                },
            };
            briefings.push(shared.share(system, tools));
        }
        Ok(briefings)
    }
}
