//! A company's books and papers: a real database and a real folder of documents behind three
//! tools, none of which can change anything.

mod arguments;
mod blocks;
mod books;
mod content;
mod database;
mod document;
mod documents;
pub mod generate;
mod guard;
mod html;
mod index;
mod passages;
mod pdf;
mod query;
mod quiet;
mod rows;
mod schema;
mod script;
mod today;
mod tools;
mod world;

pub use database::{Database, DatabaseError};
pub use document::{BusinessDocument, DocumentKind};
pub use documents::{DocumentError, Documents, Warning};
pub use index::PassageHit;
pub use passages::Passage;
pub use query::{QueryError, QueryLimits};
pub use rows::Rows;
pub use world::BusinessWorld;
