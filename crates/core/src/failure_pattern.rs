//! Known ways in which models fail at voice control, each with a change to the prompt worth
//! trying.

macro_rules! patterns {
    ($($(#[$doc:meta])* $variant:ident => $id:literal, $words:literal, $remedy:literal;)*) => {
        /// A known way to fail.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FailurePattern {
            $($(#[$doc])* $variant,)*
        }

        impl FailurePattern {
            /// Every pattern, in the order tables show them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The pattern with that short name.
            pub fn by_id(id: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|pattern| pattern.id() == id)
            }

            /// The short name used in measures and tables.
            pub fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// The words shown to people.
            pub fn words(self) -> &'static str {
                match self { $(Self::$variant => $words,)* }
            }

            /// One line of a prompt, or a setting, worth trying against it.
            pub fn remedy(self) -> &'static str {
                match self { $(Self::$variant => $remedy,)* }
            }
        }
    };
}

patterns! {
    /// An entity id stands where a name belongs.
    EntityId => "F1", "entity id for a name",
        "say that `name` takes a value listed under `names`, never an id with a dot or underscores";
    /// A part of a name stands where the whole belongs.
    TruncatedName => "F1p", "truncated name",
        "say that names must be copied whole and letter by letter from the list";
    /// A tool of the same family was called.
    RelatedTool => "F2", "related but wrong tool",
        "name the tool to use for the kind of request in one line";
    /// A lock was turned the wrong way.
    LockDirection => "F2L", "lock direction",
        "repeat at the end of the prompt that turning on locks and turning off unlocks";
    /// A tool was called that is not offered.
    InventedTool => "F3", "invented tool or lost prefix",
        "say that tool names must be used exactly as given, prefix included";
    /// An argument was left out.
    MissingArgument => "F4", "missing argument",
        "say which arguments a request of this kind always carries, such as `domain` with `area`";
    /// An area or a device class was added.
    ExtraFilter => "F5", "extra area or device class",
        "say that a device is addressed by `name` alone, without area or device class";
    /// More or fewer calls were made than needed.
    CallCount => "F6", "wrong number of calls",
        "say that one call by area replaces one call for each device, and that each command gets its call";
    /// A call was made that should not have been, or the other way round.
    CalledOrNot => "F7", "called or did not call",
        "say when to act at once, when to ask, and that a question about the home needs the live context";
    /// The domain does not fit.
    DomainFilter => "F8", "wrong domain filter",
        "say that `domain` is the one listed with the device, or leave it out";
    /// Something no tool can do was forced onto one.
    OutOfScope => "F9", "out of scope forced onto a tool",
        "add one sentence: if no tool fits, say so and call none";
    /// Tool calling does not work at all.
    NoToolCalling => "F10", "no usable tool calling",
        "check the chat template and the server's tool-call parser before changing the prompt";
    /// The subject thought before it answered.
    Thinking => "FT", "thinking that costs latency",
        "turn thinking off or give it a budget, and compare";
}
