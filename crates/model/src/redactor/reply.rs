//! A reply without secrets: a key may be spread over the pieces of a stream, and is whole only
//! once they are put together.

use toolgauge_core::{Arguments, AssistantMessage, Background, Malformation, Message, Reply, Turn};

use super::Redactor;

impl Redactor {
    /// Cleans everything that is kept of a reply.
    pub(crate) fn reply(&self, reply: &mut Reply) {
        // Without secrets nothing is walked, which is the rule for local servers.
        if self.messages.is_none() {
            return;
        }
        let Reply { message, turn, behind, background, failure } = reply;
        self.assistant(message);
        self.turn(turn);
        for message in behind {
            self.conversation(message);
        }
        self.background(background);
        if let Some(failure) = failure {
            failure.message = self.message(std::mem::take(&mut failure.message));
        }
    }

    fn assistant(&self, message: &mut AssistantMessage) {
        let AssistantMessage { content, reasoning, calls } = message;
        self.text(content);
        if let Some(reasoning) = reasoning {
            self.text(reasoning);
        }
        for call in calls {
            call.id.iter_mut().for_each(|id| self.text(id));
            self.text(&mut call.name);
            match &mut call.arguments {
                Arguments::Object(arguments) => self.fields(arguments),
                Arguments::Malformed { raw, why } => {
                    self.text(raw);
                    let (Malformation::NotJson(why) | Malformation::NotAnObject(why)) = why;
                    self.text(why);
                }
            }
        }
    }

    fn turn(&self, turn: &mut Turn) {
        turn.model.iter_mut().for_each(|model| self.text(model));
        turn.repeated.iter_mut().for_each(|attempt| self.text(&mut attempt.reason));
        turn.request.iter_mut().for_each(|request| self.value(request));
        turn.response.iter_mut().for_each(|response| self.value(response));
    }

    fn conversation(&self, message: &mut Message) {
        match message {
            Message::System { content } | Message::User { content } => self.text(content),
            Message::Assistant(message) => self.assistant(message),
            Message::Tool(answer) => {
                self.text(&mut answer.call_id);
                self.text(&mut answer.name);
                self.text(&mut answer.content);
            }
        }
    }

    fn background(&self, background: &mut Background) {
        background.sources.iter_mut().for_each(|source| self.text(source));
        background.tool_times.iter_mut().for_each(|time| self.text(&mut time.tool));
    }
}
