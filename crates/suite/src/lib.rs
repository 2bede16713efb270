//! Files in, valid suites out, with a place for every problem.
//!
//! [`load`] reads a suite from a folder, a file or the program itself and tells everything that
//! is wrong with the files at once; [`check`] tells what is wrong with the answers in it.

mod answer_form;
mod case_files;
mod case_form;
mod case_suite;
mod case_table;
mod chatbot_form;
mod check;
mod conversation_form;
mod decoys;
mod document;
mod expectation_form;
mod fields;
mod given_value;
mod golden_fields;
mod golden_form;
mod hash;
mod load;
mod locate;
mod manifest;
mod matrix;
mod more_form;
mod nearest;
mod problem;
mod reply_form;
mod sampling_form;
mod schema;
mod selection;
mod solver_form;
mod source;
mod starter;
mod suite;
mod suite_reader;
mod template;
mod tool_files;
mod tool_form;
mod trail;
mod voice_bench_form;

pub use chatbot_form::{AnswerSpec, ChatbotSpec, ChatbotWay, public_command};
pub use check::{
    Surroundings, cautions, check, check_declared, complaints, contradictions, tool_complaints,
    variant_complaints,
};
pub use given_value::{expectation_from_value, tool_from_value};
pub use load::{LoadedSuite, draft, load};
pub use matrix::{
    Matrix, MatrixLimits, MatrixModel, MatrixPrompt, MatrixSurroundings, ModelPlace, load_matrix,
};
pub use problem::{Problems, Severity, SuiteProblem};
pub use schema::{CASE_SCHEMA, CHATBOT_SCHEMA, MATRIX_SCHEMA, SUITE_SCHEMA};
pub use selection::{RandomDraw, Selection, SelectionError};
pub use source::{EmbeddedFiles, SuiteSource};
pub use starter::Starter;
pub use suite::{
    LoopLimits, ReplySpec, Sampling, SolverSpec, Suite, SystemTemplate, Variant, WorldSpec,
};
pub use template::{TemplateError, render_system, system_depends_on_case};
pub use voice_bench_form::is_foreign;
