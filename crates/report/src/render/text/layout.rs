//! How wide the columns of a table are, and which of them have room side by side.

/// What is left free between columns.
const GAP: usize = 2;

/// Words are wrapped no narrower than this.
const NARROWEST: usize = 12;

/// A column by what it needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeasuredColumn {
    /// The width of its widest cell.
    pub(super) wanted: usize,
    /// Whether its cells may be wrapped: words may, numbers may not.
    pub(super) bends: bool,
}

impl MeasuredColumn {
    fn least(self) -> usize {
        if self.bends { self.wanted.min(NARROWEST) } else { self.wanted }
    }
}

/// The least width of columns side by side.
pub(super) fn least(columns: &[MeasuredColumn]) -> usize {
    let gaps = GAP * columns.len().saturating_sub(1);
    columns.iter().map(|column| column.least()).sum::<usize>() + gaps
}

/// Columns that have room side by side, by their numbers. The first ones name the rows, so that
/// they begin every block.
pub(super) fn blocks(
    columns: &[MeasuredColumn],
    names: usize,
    space: Option<usize>,
) -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..columns.len()).collect();
    let Some(space) = space.filter(|space| least(columns) > *space) else { return vec![all] };
    let named: Vec<usize> = (0..names).collect();
    let mut blocks = vec![named.clone()];
    for column in names..columns.len() {
        let Some(block) = blocks.last_mut() else { break };
        block.push(column);
        let measured: Vec<MeasuredColumn> = block.iter().map(|at| columns[*at]).collect();
        // One column beside the names stays, whatever its width: there is no better place.
        if least(&measured) > space && block.len() > names + 1 {
            block.pop();
            blocks.push([&named[..], &[column]].concat());
        }
    }
    blocks
}

/// How wide each column is. Where there is too little space, columns of words that are narrower
/// than an equal part of it keep their width, and the others share what is left.
pub(super) fn widths(columns: &[MeasuredColumn], space: Option<usize>) -> Vec<usize> {
    let mut widths: Vec<usize> = columns.iter().map(|column| column.wanted).collect();
    let gaps = GAP * columns.len().saturating_sub(1);
    let Some(space) = space.filter(|space| widths.iter().sum::<usize>() + gaps > *space) else {
        return widths;
    };
    let fixed: usize = columns.iter().filter(|column| !column.bends).map(|c| c.wanted).sum();
    let mut left = space.saturating_sub(gaps + fixed);
    let mut open: Vec<usize> = (0..columns.len()).filter(|at| columns[*at].bends).collect();
    while !open.is_empty() {
        let part = left / open.len();
        let (fits, wide): (Vec<usize>, Vec<usize>) =
            open.iter().partition(|at| widths[**at] <= part);
        left -= fits.iter().map(|at| widths[*at]).sum::<usize>();
        open = wide;
        if fits.is_empty() {
            break;
        }
    }
    for (number, column) in open.iter().enumerate() {
        let more = usize::from(number < left % open.len());
        widths[*column] = (left / open.len() + more).max(1);
    }
    widths
}
