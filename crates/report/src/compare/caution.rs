//! What makes two runs less than comparable, and by how much.

use serde::Serialize;
use toolgauge_core::{CaseId, Fix, Tool};

use super::pairing::RunPairing;

/// Something that differs between two runs beside what is meant to differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Caution {
    /// What differs: `run`, `suite`, `prompt`, `tools`, `scorers`, `fixes`, `cases`, `sentences`, `golds`,
    /// `trials`, `scale`, `server`, `warnings`, `damage`.
    pub about: &'static str,
    /// How, in words.
    pub message: String,
    /// The cases that it is about, where it is about some of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<CaseId>,
}

/// Everything that differs. The second run goes by the letter `b`, the first one by A.
pub(crate) fn cautions(pairing: &RunPairing<'_>, b: &str) -> Vec<Caution> {
    let found = [
        same_run(pairing, b),
        suite(pairing),
        cases(pairing, b),
        sentences(pairing),
        golds(pairing),
        trials(pairing),
        scale(pairing),
        prompt(pairing, b),
        tools(pairing, b),
        scorers(pairing, b),
        fixes(pairing, b),
        server(pairing),
        warnings(pairing, b),
        damage(pairing, b),
    ];
    let found = found.into_iter().flatten();
    let caution = |(about, message)| {
        let cases = if about == GOLDS { changed_golds(pairing) } else { Vec::new() };
        Caution { about, message, cases }
    };
    found.map(caution).collect()
}

/// What is told of cases that expect something else.
const GOLDS: &str = "golds";

/// How many changed cases are named in words; all of them stand in JSON.
const NAMED: usize = 10;

type CautionText = Option<(&'static str, String)>;

fn same_run(pairing: &RunPairing<'_>, letter: &str) -> CautionText {
    let (a, b) = (pairing.a, pairing.b);
    let same = a.run.id == b.run.id && a.run.variant == b.run.variant && a.label == b.label;
    same.then(|| ("run", format!("A and {letter} are the same run")))
}

fn suite(pairing: &RunPairing<'_>) -> CautionText {
    let (a, b) = (&pairing.a.run.suite, &pairing.b.run.suite);
    let version = |version: &Option<String>| version.clone().unwrap_or_else(|| "none".to_owned());
    if a.name != b.name {
        return Some(("suite", format!("different suites: `{}` and `{}`", a.name, b.name)));
    }
    if a.version != b.version {
        let (a, b) = (version(&a.version), version(&b.version));
        return Some(("suite", format!("different versions of the suite: {a} and {b}")));
    }
    (a.hash != b.hash).then(|| {
        let message = "the suite was changed without a new version: its cases, tools or prompt \
                       differ";
        ("suite", message.to_owned())
    })
}

fn cases(pairing: &RunPairing<'_>, letter: &str) -> CautionText {
    let shared = pairing.shared_cases();
    let (only_a, only_b) = (pairing.a.cases.len() - shared, pairing.b.cases.len() - shared);
    (only_a + only_b > 0).then(|| {
        let message = format!(
            "different cases: {only_a} only in A, {only_b} only in {letter}; {shared} are compared"
        );
        ("cases", message)
    })
}

fn sentences(pairing: &RunPairing<'_>) -> CautionText {
    let reworded = pairing.reworded();
    (reworded > 0).then(|| {
        let shared = pairing.shared_cases();
        ("sentences", format!("{reworded} of {shared} shared cases are worded differently"))
    })
}

fn changed_golds(pairing: &RunPairing<'_>) -> Vec<CaseId> {
    pairing.expecting_otherwise().into_iter().cloned().collect()
}

fn golds(pairing: &RunPairing<'_>) -> CautionText {
    let changed = pairing.expecting_otherwise();
    (!changed.is_empty()).then(|| {
        let names = changed.iter().take(NAMED).map(|case| format!("`{case}`"));
        let names = names.collect::<Vec<_>>().join(", ");
        let rest = match changed.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let (count, shared) = (changed.len(), pairing.shared_cases());
        (GOLDS, format!("{count} of {shared} shared cases expect something else: {names}{rest}"))
    })
}

fn trials(pairing: &RunPairing<'_>) -> CautionText {
    let (a, b) = (pairing.a.run.trials, pairing.b.run.trials);
    (a != b).then(|| ("trials", format!("{a} and {b} trials per case; each side's are averaged")))
}

fn scale(pairing: &RunPairing<'_>) -> CautionText {
    let is_open = pairing.a.score.is_open_scale() || pairing.b.score.is_open_scale();
    let message = "scores lie beyond 0 to 1, so that no case is called fixed or broken";
    is_open.then(|| ("scale", message.to_owned()))
}

fn prompt(pairing: &RunPairing<'_>, letter: &str) -> CautionText {
    let (a, b) = (&pairing.a.run.system_prompt, &pairing.b.run.system_prompt);
    if a == b {
        return None;
    }
    let text = |prompt: &Option<String>| prompt.clone().unwrap_or_default();
    let (a, b) = (text(a), text(b));
    let missing = |from: &str, other: &str| {
        from.lines().filter(|line| !other.lines().any(|known| known == *line)).count()
    };
    let (gone, new) = (missing(&a, &b), missing(&b, &a));
    let gone = crate::number::counted(gone, "line");
    let message = format!("different system prompts: {gone} only in A, {new} only in {letter}");
    Some(("prompt", message))
}

fn tools(pairing: &RunPairing<'_>, letter: &str) -> CautionText {
    let (a, b) = (&pairing.a.run.tools, &pairing.b.run.tools);
    if a == b {
        return None;
    }
    let lacks = |all: &[Tool], tool: &Tool| !all.iter().any(|other| other.name == tool.name);
    let only_a = a.iter().filter(|tool| lacks(b, tool)).count();
    let only_b = b.iter().filter(|tool| lacks(a, tool)).count();
    let changed =
        a.iter().filter(|tool| b.iter().any(|o| o.name == tool.name && o != *tool)).count();
    let message = match (only_a, only_b, changed) {
        (0, 0, 0) => "the tools are offered in another order".to_owned(),
        _ => format!(
            "different tools: {only_a} only in A, {only_b} only in {letter}, {changed} changed"
        ),
    };
    Some(("tools", message))
}

fn scorers(pairing: &RunPairing<'_>, letter: &str) -> CautionText {
    let (a, b) = (&pairing.a.scorer, &pairing.b.scorer);
    if a != b {
        return Some(("scorers", format!("judged by different scorers: `{a}` and `{b}`")));
    }
    let (a, b) = (&pairing.a.run.scorers, &pairing.b.run.scorers);
    let only = |one: &[String], other: &[String]| {
        one.iter().filter(|name| !other.contains(name)).cloned().collect::<Vec<_>>().join(", ")
    };
    let (only_a, only_b) = (only(a, b), only(b, a));
    let told = |names: &str| if names.is_empty() { "none".to_owned() } else { names.to_owned() };
    (!only_a.is_empty() || !only_b.is_empty()).then(|| {
        let (only_a, only_b) = (told(&only_a), told(&only_b));
        let message = format!("different scorers: {only_a} only in A, {only_b} only in {letter}");
        ("scorers", message)
    })
}

/// Rules of the classic scorer that were put right for one run alone.
fn fixes(pairing: &RunPairing<'_>, letter: &str) -> CautionText {
    let [a, b] = [&pairing.a.run, &pairing.b.run].map(toolgauge_core::Run::fixes);
    let told = |fixes: &[Fix]| match fixes {
        [] => "without `--fix`".to_owned(),
        fixes => format!("with `{}`", Fix::flag(fixes)),
    };
    let message = || format!("A is scored {}, {letter} {}", told(&a), told(&b));
    let is_same = a.iter().all(|fix| b.contains(fix)) && b.iter().all(|fix| a.contains(fix));
    (!is_same).then(|| ("fixes", message()))
}

/// The model and what comes with it may differ where models are compared; the rest may not.
fn server(pairing: &RunPairing<'_>) -> CautionText {
    const OF_THE_MODEL: [&str; 6] =
        ["model", "model file", "model bytes", "parameters", "quantisation", "chat template"];
    let (a, b) = (pairing.a.run.server.as_ref()?, pairing.b.run.server.as_ref()?);
    let same_subject = pairing.a.run.subject.name == pairing.b.run.subject.name;
    let (a, b) = (a.named(), b.named());
    let value = |facts: &[(&'static str, String)], name: &str| {
        facts.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
    };
    let mut names: Vec<&str> = a.iter().chain(&b).map(|(name, _)| *name).collect();
    names.sort_unstable();
    names.dedup();
    let differs = |name: &&str| {
        (same_subject || !OF_THE_MODEL.contains(name)) && value(&a, name) != value(&b, name)
    };
    let shown = |facts, name| value(facts, name).unwrap_or_else(|| "unknown".to_owned());
    let told: Vec<String> = names
        .into_iter()
        .filter(differs)
        .map(|name| format!("{name} {} and {}", shown(&a, name), shown(&b, name)))
        .collect();
    (!told.is_empty()).then(|| ("server", format!("different servers: {}", told.join(", "))))
}

fn warnings(pairing: &RunPairing<'_>, b: &str) -> CautionText {
    let sides = [("A", pairing.a), (b, pairing.b)];
    let told = sides.iter().flat_map(|(letter, side)| {
        side.run.warnings.iter().map(move |warning| format!("{letter}: {warning}"))
    });
    let told = told.collect::<Vec<_>>().join("; ");
    (!told.is_empty()).then_some(("warnings", told))
}

fn damage(pairing: &RunPairing<'_>, b: &str) -> CautionText {
    let sides = [("A", pairing.a), (b, pairing.b)];
    let told = sides.iter().filter_map(|(letter, side)| {
        Some(format!("{letter}: {}", side.damage.describe(side.trials)?))
    });
    let told = told.collect::<Vec<_>>().join("; ");
    (!told.is_empty()).then(|| ("damage", format!("samples are left out; {told}")))
}
