//! Tables of two runs compared.

use toolgauge_core::Better;

use crate::compare::{
    Comparison, Difference, Flip, LossChange, amount_word, bare_p, interval, shown_amount, signed,
    signed_amount, signed_to,
};
use crate::number::count;
use crate::render::html::Links;
use crate::render::table::{CellContent, FigureCell, FigureColumn, FigureTable, Forms};
use crate::render::tone::Tone;

/// What a comment in a pull request leaves out.
const NOT_MARKDOWN: Forms = Forms { text: true, markdown: false, html: true };

/// Differences by name, with bars on one scale.
pub(crate) fn differences<'a>(
    heading: &str,
    differences: impl IntoIterator<Item = (&'a String, &'a Difference)>,
) -> FigureTable {
    let differences: Vec<_> = differences.into_iter().collect();
    let ends = differences.iter().flat_map(|(_, found)| {
        [Some(found.difference), found.low, found.high].into_iter().flatten().map(f64::abs)
    });
    // All bars share a scale, and one that is not so fine that noise fills it.
    let scale = ends.fold(0.05, f64::max);
    let columns = [
        FigureColumn::names(heading),
        FigureColumn::numbers("cases").only_in(NOT_MARKDOWN),
        FigureColumn::numbers("A"),
        FigureColumn::numbers("B"),
        FigureColumn::numbers("B − A"),
        FigureColumn::intervals("95 % interval"),
        FigureColumn::numbers("p (Holm)").only_in(NOT_MARKDOWN),
        // A comment has the score, which is tested alone, in the same table.
        FigureColumn::numbers("p").only_in(Forms::MARKDOWN),
        FigureColumn::words("shown").short("").dashed().only_in(NOT_MARKDOWN),
        FigureColumn::bars("as a bar around zero").only_in(Forms::HTML),
    ];
    let rows = differences.iter().map(|(key, found)| difference_row(key, found, scale));
    let table = FigureTable::new(format!("Differences by {heading}"), columns);
    table.sortable().stacked().rows(rows)
}

fn difference_row(key: &str, found: &Difference, scale: f64) -> [FigureCell; 10] {
    let p = found.deciding_p_value();
    let rises = if found.difference > 0.0 { Better::More } else { Better::Less };
    let shown = match found.better {
        _ if !found.is_shown() => FigureCell::words(""),
        Some(better) if better == rises => FigureCell::words("better").badge(Tone::Good),
        Some(_) => FigureCell::words("worse").badge(Tone::Bad),
        None => FigureCell::words("differs"),
    };
    let Difference { difference: value, low, high, .. } = *found;
    [
        FigureCell::name(key),
        FigureCell::words(count(found.cases as u64)).sorted_by(found.cases),
        FigureCell::words(format!("{:.3}", found.a.mean)),
        FigureCell::words(format!("{:.3}", found.b.mean)),
        FigureCell::words(signed(value)).sorted_by(format!("{value:.6}")),
        FigureCell::words(interval(low, high, |end| signed(end).trim().to_owned())),
        FigureCell::words(bare_p(p)).sorted_by(format!("{p:.6}")),
        FigureCell::words(bare_p(p)),
        shown,
        FigureCell::of(CellContent::DifferenceBar { value, low, high, scale }),
    ]
}

/// Where points were lost before and after.
pub(crate) fn loss_changes(losses: &[LossChange]) -> FigureTable {
    let columns = [
        FigureColumn::names("lost by"),
        FigureColumn::numbers("times A"),
        FigureColumn::numbers("times B").short("B"),
        FigureColumn::numbers("points A").explained("over all trials, as in the summary"),
        FigureColumn::numbers("points B")
            .short("B")
            .explained("for as many trials per case as A has"),
        FigureColumn::numbers("change"),
    ];
    let rows = losses.iter().map(|loss| {
        let change = loss.points_b - loss.points_a;
        [
            FigureCell::words(loss.cause.words()),
            FigureCell::words(count(loss.count_a as u64)),
            FigureCell::words(count(loss.count_b as u64)),
            FigureCell::words(format!("{:.2}", loss.points_a)),
            FigureCell::words(format!("{:.2}", loss.points_b)),
            FigureCell::words(signed_to(2, change)).sorted_by(format!("{change:.6}")),
        ]
    });
    let table = FigureTable::new("Lost points by cause on both sides", columns);
    table.sortable().stacked().rows(rows)
}

/// Time, tokens and cost on both sides.
pub(crate) fn amount_changes(comparison: &Comparison) -> FigureTable {
    let columns = [
        FigureColumn::names("amount").short(""),
        FigureColumn::numbers("median A"),
        FigureColumn::numbers("median B").short("B"),
        FigureColumn::numbers("mean A"),
        FigureColumn::numbers("mean B").short("B"),
        FigureColumn::numbers("change"),
        FigureColumn::intervals("95 % interval"),
        FigureColumn::numbers("p (Holm)"),
        FigureColumn::words("shown").short("").dashed(),
    ];
    let rows = comparison.amounts.iter().map(|amount| {
        let shown = |value: f64| FigureCell::words(shown_amount(amount.unit, value));
        let signed = |value: f64| signed_amount(amount.unit, value);
        let word = amount_word(amount);
        let tone = if word == "less" { Tone::Good } else { Tone::Caution };
        [
            FigureCell::words(amount.name),
            shown(amount.a.median),
            shown(amount.b.median),
            shown(amount.a.mean),
            shown(amount.b.mean),
            FigureCell::words(signed(amount.difference)),
            FigureCell::words(interval(amount.low, amount.high, signed)),
            FigureCell::words(bare_p(amount.adjusted_p_value)),
            FigureCell::words(word).toned(tone),
        ]
    });
    FigureTable::new("Time, tokens and cost on both sides", columns).stacked().rows(rows)
}

/// Cases that flipped in one direction.
pub(crate) fn flips(kind: &'static str, cases: &[Flip], links: &dyn Links) -> FigureTable {
    let columns = [
        FigureColumn::names("case").short(kind),
        FigureColumn::words("").only_in(Forms::TEXT),
        FigureColumn::numbers("pass A").only_in(Forms::HTML),
        FigureColumn::numbers("pass B").only_in(Forms::HTML),
        FigureColumn::words("why it failed"),
    ];
    let rows = cases.iter().map(|flip| {
        let (a, b) = (flip.trials_a, flip.trials_b);
        let counts = match (a, b) {
            (1, 1) => String::new(),
            _ => format!("{}/{a} → {}/{b}", flip.passed_a, flip.passed_b),
        };
        [
            FigureCell::name(flip.case.as_str()).linked(links.case(&flip.case)),
            FigureCell::words(counts),
            FigureCell::words(format!("{}/{a}", flip.passed_a)),
            FigureCell::words(format!("{}/{b}", flip.passed_b)),
            FigureCell::name(&flip.reason),
        ]
    });
    let table = FigureTable::new(format!("Cases that were {kind}"), columns);
    table.sortable().stacked().rows(rows)
}
