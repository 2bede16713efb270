//! The cells of a matrix, a line each, under the name of their tier.

use std::fmt::{self, Display};

use super::table;
use crate::harmless::line;
use crate::leaderboard::Leaderboard;
use crate::render::tables;

impl Display for Leaderboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tiers = self.places.chunk_by(|one, other| one.cell.tier == other.cell.tier);
        for places in tiers {
            writeln!(f)?;
            let tier = places[0].cell.tier.as_deref().map(|tier| format!("tier {}", line(tier)));
            let floor = tables::floor_of(places).map(|floor| format!("floor {floor:.3}"));
            let words: Vec<String> = tier.into_iter().chain(floor).collect();
            if !words.is_empty() {
                writeln!(f, "{}", words.join(", "))?;
            }
            table::write_rows(f, &tables::leaderboard_of_tier(places))?;
        }
        writeln!(f, "\n{}", tables::LEGEND)?;
        for warning in tables::warnings(self) {
            writeln!(f, "{warning}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use toolgauge_core::CellName;
    use unicode_width::UnicodeWidthStr;

    use crate::leaderboard::{Leaderboard, LeaderboardPlace};
    use crate::rate::Rate;

    fn place(model: &str, prompt: &str, tier: &str) -> LeaderboardPlace {
        let rate = Rate { mean: 0.5, low: 0.4, high: 0.6, trials: 8, cases: 8 };
        LeaderboardPlace {
            rank: Some(1),
            near_best: false,
            cell: CellName {
                model: model.into(),
                prompt: Some(prompt.into()),
                tier: Some(tier.into()),
                ..CellName::default()
            },
            score: Some(rate),
            trials: 8,
            planned: 8,
            unscored: 0,
            by_calls: Some(rate),
            by_state: Some(rate),
            p50: Some(1.5),
            p95: Some(2.5),
            tokens_per_second: Some(40.0),
            floor: Some(if tier == "small" { 0.1 } else { 0.2 }),
            warnings: Vec::new(),
        }
    }

    #[test]
    fn every_line_of_a_leaderboard_says_which_cell_it_is_of() {
        let names = ["baseline", "A Model With Quite A Long Name 32B Instruct"];
        let places = ["small", "medium"].into_iter().flat_map(|tier| {
            let of = move |name| ["plain", "terse"].map(|prompt| place(name, prompt, tier));
            names.into_iter().flat_map(of)
        });
        let board = Leaderboard { places: places.collect() };
        for width in [60, 80, 120] {
            let text = format!("{board:width$}");
            let (table, _legend) = text.split_once("\nRanks").unwrap();
            assert!(table.lines().all(|line| line.width() <= width), "{text}");
            assert_eq!(table.matches("tier small, floor 0.100\n").count(), 1, "{text}");
            let blocks = table.matches("rank  cell").count();
            assert_eq!(table.matches("   1  baseline").count(), blocks * 2, "{text}");
            assert_eq!(table.matches("   1  A Model").count(), blocks * 2, "{text}");
        }
    }
}
