//! Everything that the books of a world say, to hold details of an answer against.

/// What a world has written down: each row of its tables and each passage of its documents.
///
/// It is all there is, or there are no books: whoever looks for a detail in a part of them would
/// take what stands in the rest for an invention.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Books {
    /// The rows and passages, in no order that matters.
    pub records: Vec<BookRecord>,
}

/// One row of a table, or one passage of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BookRecord {
    /// The table or document that it stands in.
    pub source: String,
    /// What it says in words. A row names what it points to: `property: Maple Court`.
    pub text: String,
    /// The numbers of a row, by the names of their columns. Those of a passage are in its text.
    pub numbers: Vec<(String, f64)>,
    /// What a row can be grouped by: its words and days, and what it points to, by the names of
    /// their columns.
    pub cells: Vec<(String, String)>,
    /// Whether it is a row of a table.
    pub is_row: bool,
}
