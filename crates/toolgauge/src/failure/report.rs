//! Why a report cannot be written.

use std::path::PathBuf;

use toolgauge_report::chart::ChartKind;

/// Why a report cannot be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReportFailure {
    /// The ending is none we know.
    #[error("the ending of `{}` does not say what to write", path.display())]
    UnknownEnding {
        /// The file.
        path: PathBuf,
    },
    /// An SVG shows one chart, and none was named.
    #[error("an SVG shows one chart, and none is named")]
    NoChart,
    /// A chart was named for something that is not one chart.
    #[error("`--chart` goes with an SVG")]
    ChartWithoutSvg,
    /// There is nothing to draw.
    #[error("there is nothing to draw for the chart `{}`: {}", kind.name(), why(*kind))]
    NothingToDraw {
        /// The chart.
        kind: ChartKind,
    },
}

impl ReportFailure {
    /// What to do next.
    pub(crate) fn hint(&self) -> String {
        let names = || ChartKind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
        match self {
            Self::UnknownEnding { .. } => "end it in .html, .md, .csv, .json, .xml or .svg, or \
                                           say `--format`"
                .to_owned(),
            Self::NoChart => format!("`--chart` takes one of: {}", names()),
            Self::ChartWithoutSvg => "end the file in .svg, or leave `--chart` out".to_owned(),
            Self::NothingToDraw { .. } => format!("other charts are: {}", names()),
        }
    }
}

/// What a chart needs.
fn why(kind: ChartKind) -> &'static str {
    match kind {
        ChartKind::Scores | ChartKind::Trend => "no trial could be scored",
        ChartKind::Dimensions => "nothing was judged on its own",
        ChartKind::Tiers => "no tag of the suite tells sizes",
        ChartKind::Losses => "no point was lost",
        ChartKind::Latency => "no time is known, or all times are the same",
        ChartKind::Differences => "it takes two logs that share scored cases",
    }
}
