//! The tools that were offered in a run that is judged again.

use std::sync::Arc;

use toolgauge_core::{Books, Case, Run, Tool};
use toolgauge_world::World;

use crate::error::{EngineError, UnreadableHead};
use crate::invocation::RecordedInvocation;
use crate::{suites, worlds};

/// The tools that were offered, as far as a log or its suite can tell.
pub(super) enum Offered {
    /// The same to all cases.
    All(Arc<[Tool]>),
    /// As the suite's world offers them.
    ByWorld(Arc<dyn World>),
}

impl Offered {
    /// What a run offered. Judging by end states takes the world itself.
    pub(super) fn of(run: &Run, judged_by_state: bool) -> Result<Self, EngineError> {
        // What the log says is what was offered; the suite may have changed since.
        if !run.tools.is_empty() && !judged_by_state {
            return Ok(Self::All(run.tools.clone().into()));
        }
        let invocation = match RecordedInvocation::read(run) {
            Ok(recorded) => recorded.invocation,
            // A log of another program has no suite at hand.
            Err(UnreadableHead::NotStated) => return Ok(Self::All(Arc::new([]))),
            Err(unreadable) => return Err(unreadable.into()),
        };
        // Questions of other tools have tools of their own, which are in the log with each case.
        let has_decoys = invocation.world.contains_key(Case::DECOYS);
        if suites::is_questions(&invocation.suite) && !judged_by_state && !has_decoys {
            return Ok(Self::All(Arc::new([])));
        }
        let suite = suites::load_with(&invocation.suite, &worlds::at_rest(&invocation.world))?;
        Ok(Self::ByWorld(worlds::build(&suite, run.variant.as_deref())?))
    }

    /// The suite's world, if it is there.
    pub(super) fn world(&self) -> Option<&dyn World> {
        match self {
            Self::All(_) => None,
            Self::ByWorld(world) => Some(world.as_ref()),
        }
    }

    /// What the suite's world has written down today, if the suite is still there.
    pub(super) fn books(&self, run: &Run) -> Result<Option<Arc<Books>>, EngineError> {
        match self {
            Self::All(_) => Ok(Self::of(run, true)?.world().and_then(World::books)),
            Self::ByWorld(world) => Ok(world.books()),
        }
    }

    /// The tools of a case.
    pub(super) fn tools(&self, case: &Case) -> Arc<[Tool]> {
        match (self, &case.tools) {
            (Self::ByWorld(world), _) if case.decoys() > 0 => world.tools(case),
            (_, Some(own)) => Arc::clone(own),
            (Self::All(tools), None) => Arc::clone(tools),
            (Self::ByWorld(world), None) => world.tools(case),
        }
    }
}
