//! Chatbots: subjects that choose and call tools of their own and answer in the end.
//!
//! A chatbot is asked by a channel: over HTTP, or by starting a command. Everything else is the
//! same for both: the messages of a case go into one session, one after the other, each with as
//! many attempts as the settings allow, and what came back is read by the same pointers.

mod answer;
mod channel;
mod chat;
mod command;
mod http;
mod place;
mod template;

pub(crate) use answer::read_answer;
pub use answer::{AnswerForm, AnswerPlaces};
pub use command::{CommandChatbot, CommandInput, CommandSettings};
pub use http::{HttpChatbot, HttpChatbotSettings};
pub use template::Template;
