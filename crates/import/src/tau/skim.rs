//! Finds in the text of a task the few places that scoring needs.

use crate::python_json::{ByteSpan, ObjectKey, ScanStop, Scanner};

/// Where in a task's text things stand. A member that comes twice counts as it comes last.
#[derive(Debug, Default)]
pub(super) struct Skim {
    pub(super) id: Option<ByteSpan>,
    pub(super) reward: Option<ByteSpan>,
    pub(super) info: Info,
    pub(super) trajectory: Trajectory,
    /// The calls of the whole trajectory.
    pub(super) calls: Vec<CallSpans>,
    /// The last member: where its key begins, and its value.
    pub(super) last_member: Option<(usize, ByteSpan)>,
    /// Values of members that bear the names of those to add.
    pub(super) scores: Vec<ByteSpan>,
    pub(super) losses: Vec<ByteSpan>,
}

/// What `info` says.
#[derive(Debug, Default)]
pub(super) struct Info {
    /// Whether it holds an `error`, whatever that is.
    pub(super) failed: bool,
    /// The value of `task.actions`.
    pub(super) actions: Option<ByteSpan>,
}

/// What `traj` is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Trajectory {
    #[default]
    Missing,
    NotAList,
    List(Strange),
}

impl Trajectory {
    pub(super) fn is_missing(self) -> bool {
        self == Self::Missing
    }
}

/// What is not as it should be within a trajectory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Strange {
    pub(super) message: bool,
    pub(super) calls: bool,
    pub(super) call: bool,
}

/// Where the parts of a call stand; both are missing when the call is not an object with a
/// `function`.
#[derive(Clone, Debug, Default)]
pub(super) struct CallSpans {
    pub(super) name: Option<ByteSpan>,
    pub(super) arguments: Option<ByteSpan>,
}

impl Skim {
    fn clear(&mut self) {
        let mut old = std::mem::take(self);
        old.calls.clear();
        old.scores.clear();
        old.losses.clear();
        self.calls = old.calls;
        self.scores = old.scores;
        self.losses = old.losses;
    }

    /// Moves past a task, which begins where the scanner stands; gives its length.
    pub(super) fn task(&mut self, scanner: &mut Scanner<'_>) -> Result<usize, ScanStop> {
        self.clear();
        let start = scanner.offset();
        scanner.members(|scanner, key| {
            let begin = key.start;
            let value = self.member(scanner, key)?;
            self.last_member = Some((begin, value));
            Ok(())
        })?;
        Ok(scanner.offset() - start)
    }

    fn member(
        &mut self,
        scanner: &mut Scanner<'_>,
        key: ObjectKey<'_>,
    ) -> Result<ByteSpan, ScanStop> {
        let name = key.bytes();
        match &*name {
            b"traj" => return self.trajectory(scanner),
            b"info" => return self.info(scanner),
            _ => {}
        }
        let value = scanner.value()?;
        match &*name {
            b"task_id" => self.id = Some(value.clone()),
            b"reward" => self.reward = Some(value.clone()),
            b"partial_score" => self.scores.push(value.clone()),
            b"losses" => self.losses.push(value.clone()),
            _ => {}
        }
        Ok(value)
    }

    fn info(&mut self, scanner: &mut Scanner<'_>) -> Result<ByteSpan, ScanStop> {
        self.info = Info::default();
        let info = &mut self.info;
        members_or_value(scanner, |scanner, key| {
            match &*key.bytes() {
                b"error" => {
                    info.failed = true;
                    scanner.value()?;
                }
                b"task" => {
                    info.actions = None;
                    members_or_value(scanner, |scanner, key| {
                        let value = scanner.value()?;
                        if &*key.bytes() == b"actions" {
                            info.actions = Some(value);
                        }
                        Ok(())
                    })?;
                }
                _ => {
                    scanner.value()?;
                }
            }
            Ok(())
        })
    }

    fn trajectory(&mut self, scanner: &mut Scanner<'_>) -> Result<ByteSpan, ScanStop> {
        self.calls.clear();
        if scanner.peek() != Some(b'[') {
            self.trajectory = Trajectory::NotAList;
            return scanner.value();
        }
        let start = scanner.offset();
        let mut strange = Strange::default();
        scanner.items(|scanner| self.message(scanner, &mut strange))?;
        self.trajectory = Trajectory::List(strange);
        Ok(start..scanner.offset())
    }

    fn message(
        &mut self,
        scanner: &mut Scanner<'_>,
        strange: &mut Strange,
    ) -> Result<(), ScanStop> {
        strange.message |= scanner.peek() != Some(b'{');
        let before = self.calls.len();
        let mut calls_strange = false;
        members_or_value(scanner, |scanner, key| {
            if &*key.bytes() != b"tool_calls" {
                scanner.value()?;
                return Ok(());
            }
            self.calls.truncate(before);
            match scanner.peek() {
                Some(b'[') => {
                    calls_strange = false;
                    scanner.items(|scanner| self.call(scanner, strange))
                }
                first => {
                    calls_strange = first != Some(b'n');
                    scanner.value().map(|_| ())
                }
            }
        })?;
        strange.calls |= calls_strange;
        Ok(())
    }

    fn call(&mut self, scanner: &mut Scanner<'_>, strange: &mut Strange) -> Result<(), ScanStop> {
        let mut function = None;
        members_or_value(scanner, |scanner, key| {
            if &*key.bytes() != b"function" {
                scanner.value()?;
                return Ok(());
            }
            let mut spans = CallSpans::default();
            let is_object = scanner.peek() == Some(b'{');
            members_or_value(scanner, |scanner, key| {
                let value = scanner.value()?;
                match &*key.bytes() {
                    b"name" => spans.name = Some(value),
                    b"arguments" => spans.arguments = Some(value),
                    _ => {}
                }
                Ok(())
            })?;
            function = is_object.then_some(spans);
            Ok(())
        })?;
        strange.call |= function.as_ref().is_none_or(|function| function.name.is_none());
        self.calls.push(function.unwrap_or_default());
        Ok(())
    }
}

/// Walks through an object, or moves past a value that is not one.
fn members_or_value<'a>(
    scanner: &mut Scanner<'a>,
    each: impl FnMut(&mut Scanner<'a>, ObjectKey<'a>) -> Result<(), ScanStop>,
) -> Result<ByteSpan, ScanStop> {
    if scanner.peek() != Some(b'{') {
        return scanner.value();
    }
    let start = scanner.offset();
    scanner.members(each)?;
    Ok(start..scanner.offset())
}
