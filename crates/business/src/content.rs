//! What was found in a file, before it is cut into passages.

/// What was found in a file.
#[derive(Debug, Default)]
pub(super) struct FileContent {
    pub(super) title: Option<String>,
    pub(super) text: String,
    pub(super) blocks: Vec<DocumentBlock>,
}

/// A part of a document that is not cut without need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DocumentBlock {
    /// A heading, from level 1.
    Heading(usize, String),
    /// A paragraph, a list or a table.
    Paragraph(String),
    /// Rows of a table, under its first row.
    Rows { header: String, rows: Vec<String> },
}

/// The first heading among blocks.
pub(super) fn first_heading(blocks: &[DocumentBlock]) -> Option<String> {
    blocks.iter().find_map(|block| match block {
        DocumentBlock::Heading(_, heading) => Some(heading.clone()),
        _ => None,
    })
}
