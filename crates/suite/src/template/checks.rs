//! Puts a check behind every instruction of a compiled template that makes a value.
//!
//! The template engine has no hook for operators, so `x ~ x` would double a text unseen. Its
//! instructions are public as unstable machinery; Cargo.toml names one version for that reason.

use minijinja::machinery::{Instruction, Instructions};
use minijinja::value::Value;

/// The filter that measures what was just made. A template names filters by words, and this is none.
pub(super) const MEASURE: &str = "\u{0}measure";
/// The filter that measures what is about to be kept in a namespace.
pub(super) const MEASURE_ATTRIBUTE: &str = "\u{0}attribute";
/// The filter in place of `*`.
pub(super) const MULTIPLY: &str = "\u{0}multiply";

/// Not one of the filters that the engine remembers by number.
const UNNUMBERED: u8 = !0;

/// The same instructions, with checks.
pub(super) fn with_checks<'source>(plain: &Instructions<'source>) -> Instructions<'source> {
    let all: Vec<&Instruction<'source>> = (0..).map_while(|index| plain.get(index)).collect();
    let mut starts = Vec::with_capacity(all.len() + 1);
    let mut next = 0;
    for instruction in &all {
        starts.push(next);
        next += u32::try_from(checked(instruction).len()).unwrap_or(u32::MAX);
    }
    starts.push(next);
    let mut result = Instructions::new(plain.name(), plain.source());
    for (index, instruction) in (0..).zip(&all) {
        for mut instruction in checked(instruction) {
            if let Some(target) = target(&mut instruction) {
                // Jumps name instructions by number, and checks put in between have moved them.
                *target = starts.get(*target as usize).copied().unwrap_or(next);
            }
            match (plain.get_span(index), plain.get_line(index)) {
                (Some(span), _) => result.add_with_span(instruction, span),
                (None, Some(line)) => {
                    result.add_with_line(instruction, u16::try_from(line).unwrap_or(u16::MAX))
                }
                (None, None) => result.add(instruction),
            };
        }
    }
    result
}

/// What an instruction becomes.
fn checked<'source>(instruction: &Instruction<'source>) -> Vec<Instruction<'source>> {
    let measure = || Instruction::ApplyFilter(MEASURE, Some(1), UNNUMBERED);
    match instruction {
        // Written like a value, so that the formatter counts it inside of captures too.
        Instruction::EmitRaw(raw) => {
            vec![Instruction::LoadConst(Value::from(*raw)), Instruction::Emit]
        }
        Instruction::Mul => {
            vec![Instruction::ApplyFilter(MULTIPLY, Some(2), UNNUMBERED), measure()]
        }
        Instruction::SetAttr(name) => vec![
            Instruction::Swap,
            Instruction::ApplyFilter(MEASURE_ATTRIBUTE, Some(1), UNNUMBERED),
            Instruction::Swap,
            Instruction::SetAttr(name),
        ],
        Instruction::BuildMap(_)
        | Instruction::BuildList(_)
        | Instruction::BuildTuple(_)
        | Instruction::Slice
        | Instruction::Add
        | Instruction::StringConcat
        | Instruction::Eq
        | Instruction::Ne
        | Instruction::Gt
        | Instruction::Gte
        | Instruction::Lt
        | Instruction::Lte
        | Instruction::In
        | Instruction::CompareAndPreserve(_)
        | Instruction::ApplyFilter(..)
        | Instruction::PerformTest(..)
        | Instruction::EndCapture
        | Instruction::CallFunction(..)
        | Instruction::CallMethod(..)
        | Instruction::CallObject(_) => vec![instruction.clone(), measure()],
        _ => vec![instruction.clone()],
    }
}

/// Where an instruction jumps to, if it does.
fn target<'a>(instruction: &'a mut Instruction<'_>) -> Option<&'a mut u32> {
    match instruction {
        Instruction::Iterate(target)
        | Instruction::Jump(target)
        | Instruction::JumpIfFalse(target)
        | Instruction::JumpIfFalseOrPop(target)
        | Instruction::JumpIfTrueOrPop(target)
        | Instruction::BuildMacro(_, target, _) => Some(target),
        _ => None,
    }
}
