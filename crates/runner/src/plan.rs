//! What is to be run: every trial, in the order it will be started.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use toolgauge_core::{Briefing, Subject};
use toolgauge_core::{Case, Tool, TrialId};
use toolgauge_score::Scorer;
use toolgauge_world::World;

use crate::judge::Judge;
use crate::likeness::LikenessGauge;
use crate::solver::Solver;

/// One side of a run: a subject, told something. A run with several arms (variants) takes them
/// in turns, so that a server that slows down during the night slows down for all of them.
#[derive(Clone)]
pub struct Arm {
    /// What is measured.
    pub subject: Arc<dyn Subject>,
    /// What the subject can act on.
    pub world: Arc<dyn World>,
    /// What the subject is told before each case, in the order of the cases.
    pub briefings: Vec<Arc<Briefing>>,
}

/// Makes one briefing of all that say the same, so that a subject prepares it once.
#[derive(Debug, Default)]
pub struct Briefings {
    known: HashMap<(usize, Option<Arc<str>>), Arc<Briefing>>,
}

impl Briefings {
    /// The briefing of this prompt and these tools. Lists of tools are the same when they are
    /// the same `Arc`, as those of a world are.
    pub fn share(&mut self, system: Option<Arc<str>>, tools: Arc<[Tool]>) -> Arc<Briefing> {
        let key = (tools.as_ptr().addr(), system.clone());
        // The briefing keeps its tools alive, so that no other list can take their address.
        let briefing =
            self.known.entry(key).or_insert_with(|| Arc::new(Briefing { system, tools }));
        Arc::clone(briefing)
    }
}

/// One trial to be run.
#[derive(Clone, Debug)]
pub struct Job {
    /// The arm it belongs to, by position.
    pub arm: usize,
    /// The case that is put to the subject.
    pub case: Arc<Case>,
    /// Which execution of the case this is, counted from 1.
    pub number: u32,
    /// What the subject is told beforehand.
    pub briefing: Arc<Briefing>,
}

impl Job {
    /// The name of the trial.
    pub fn id(&self) -> TrialId {
        TrialId { case: self.case.id.clone(), trial: self.number }
    }
}

/// How every case is treated.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// How it is put to the subject.
    pub solver: Solver,
    /// Who judges what happens; the first scorer's outcome is the one that counts.
    pub scorers: Vec<Scorer>,
    /// The model that judges what is said, before the scorers do.
    pub judge: Option<Arc<Judge>>,
    /// Who tells how alike keywords and answers are, where a suite asks for it.
    pub likeness: Option<Arc<LikenessGauge>>,
    /// How often it is executed.
    pub trials: u32,
}

/// All arms and all trials of a run.
#[derive(Clone)]
pub struct Plan {
    /// The sides.
    pub arms: Vec<Arm>,
    /// How every case is treated.
    pub procedure: Procedure,
    /// The trials, in the order they will be started.
    pub jobs: Vec<Job>,
}

impl Plan {
    /// Plans every case for every arm: all cases once before any of them twice, and the arms in
    /// turns within each case. What an arm has `finished` in an earlier, interrupted run is left
    /// out.
    pub fn new(
        arms: Vec<Arm>,
        cases: &[Arc<Case>],
        procedure: Procedure,
        finished: &[HashSet<TrialId>],
    ) -> Self {
        let mut jobs = Vec::with_capacity(cases.len() * arms.len() * procedure.trials as usize);
        // Trials outermost: a run that is interrupted has seen all cases equally often, give or
        // take one.
        for number in 1..=procedure.trials {
            for (position, case) in cases.iter().enumerate() {
                for (arm, side) in arms.iter().enumerate() {
                    let briefing = Arc::clone(&side.briefings[position]);
                    let job = Job { arm, case: Arc::clone(case), number, briefing };
                    if !finished.get(arm).is_some_and(|finished| finished.contains(&job.id())) {
                        jobs.push(job);
                    }
                }
            }
        }
        Self { arms, procedure, jobs }
    }
}
