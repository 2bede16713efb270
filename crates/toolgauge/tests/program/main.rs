//! The program as a whole: its commands through the real binary, and how it is put together.

mod architecture;
mod cluster_command;
mod compare;
mod docs;
mod generate_questions;
mod home_assistant;
mod home_command;
mod import;
mod labelled_replies;
mod mcp_world;
mod partial;
mod run;
mod serve_command;
mod tables_command;
mod try_command;
mod view_command;
mod workbench;
