//! JSON as Python's `json` module reads and writes it.
//!
//! That is RFC 8259 plus `NaN`, `Infinity` and `-Infinity`, lone surrogate escapes, integers of
//! any size, and objects in which a key may come twice (the last one counts). Result files
//! hold much text and few values worth building, so this reader *skims*: [`Scanner`] checks
//! every byte but keeps nothing, and [`build`] makes a value of the few places that are asked
//! for. Skimming needs no stack, however deep the text is nested; building stops at
//! [`DEEPEST`].
//!
//! Scalars that [`serde_json::Value`] cannot hold become stand-ins (see
//! [`toolgauge_core::json`]), and [`write()`] turns them back.

mod build;
mod nesting;
mod node;
mod number;
mod scanner;
mod text;
mod token;
mod write;

pub use build::{DEEPEST, build, parse};
pub(crate) use build::{build_members, members};
pub(crate) use node::Node;
pub(crate) use number::python_repr;
pub use scanner::{ByteSpan, ScanStop, Scanner};
pub use text::decode;
pub(crate) use text::decode_document;
pub use token::ObjectKey;
pub use write::write;
