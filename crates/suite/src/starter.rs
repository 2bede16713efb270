//! Small working suites to start from, with comments that explain them.

/// A kind of suite to start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starter {
    /// Tool calls of a model, with the forms that expectations have.
    Calls,
    /// Questions to a chatbot, and what its answers must say.
    Chatbot,
    /// Voice commands to a home of Home Assistant.
    Home,
    /// Tool calls as rows of a table, for a spreadsheet.
    Table,
}

/// A file of a template by its name in the suite, and its text.
macro_rules! template {
    ($folder:literal: $($file:literal),+) => {
        &[$(($file, include_str!(concat!("../template/", $folder, "/", $file)))),+]
    };
}

impl Starter {
    fn template(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Calls => template!("calls": "suite.yaml"),
            Self::Chatbot => template!("chatbot": "suite.yaml", "answers.ndjson", "bot.yaml"),
            Self::Home => template!("home": "suite.yaml", "home.yaml"),
            Self::Table => template!("table": "suite.yaml", "cases.csv"),
        }
    }

    /// The files of the suite, by name. The suite gets the given name.
    pub fn files(self, name: &str) -> Vec<(&'static str, String)> {
        let named = |text: &str| text.replace("name: my-suite", &format!("name: {name}"));
        self.template().iter().map(|(file, text)| (*file, named(text))).collect()
    }

    /// What to give `toolgauge run` beside the suite, for a first look: the files of a folder
    /// stand in for a subject where the built-in baseline cannot.
    pub fn first_subject(self) -> Option<&'static str> {
        (self == Self::Chatbot).then_some("script:answers.ndjson")
    }
}
