//! What the tools do, whatever a profile calls them.

use crate::profile::Profile;

/// What a tool does. Names differ between profiles by prefix alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolKind {
    TurnOn,
    TurnOff,
    Toggle,
    SetPosition,
    StopMoving,
    StartTimer,
    CancelTimer,
    CancelAllTimers,
    IncreaseTimer,
    DecreaseTimer,
    PauseTimer,
    UnpauseTimer,
    TimerStatus,
    Broadcast,
    CalendarEvents,
    SetTemperature,
    FanSetSpeed,
    LiveContext,
    HumidifierSetpoint,
    HumidifierMode,
    StartMowing,
    DockMower,
    LightSet,
    DateTime,
    MediaUnpause,
    MediaPause,
    MediaNext,
    MediaPrevious,
    SetVolume,
    SetVolumeRelative,
    Mute,
    Unmute,
    SearchMedia,
    PlayMedia,
    SearchAndPlay,
    ListItems,
    ListAdd,
    ListComplete,
    ListRemove,
    VacuumStart,
    VacuumReturn,
    VacuumCleanArea,
    GetState,
    GetTemperature,
    GetWeather,
    CurrentTime,
    CurrentDate,
    Nevermind,
    Respond,
    ShoppingListAdd,
    ShoppingListComplete,
}

/// When a tool is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolCondition {
    Always,
    /// When the prompt lists an entity.
    Listed,
    /// When the satellite can run timers.
    Timers,
    /// When an entity of one of these domains is exposed.
    Domains(&'static [&'static str]),
    /// When an exposed entity of this domain has a name.
    Named(&'static str),
    /// When an exposed media player can search and play.
    MediaSearch,
}

impl ToolKind {
    /// The tool with this name, prefix taken off.
    pub(crate) fn of(name: &str) -> Option<Self> {
        use ToolKind as Kind;
        Some(match name {
            "HassTurnOn" => Kind::TurnOn,
            "HassTurnOff" => Kind::TurnOff,
            "HassToggle" => Kind::Toggle,
            "HassSetPosition" => Kind::SetPosition,
            "HassStopMoving" => Kind::StopMoving,
            "HassStartTimer" => Kind::StartTimer,
            "HassCancelTimer" => Kind::CancelTimer,
            "HassCancelAllTimers" => Kind::CancelAllTimers,
            "HassIncreaseTimer" => Kind::IncreaseTimer,
            "HassDecreaseTimer" => Kind::DecreaseTimer,
            "HassPauseTimer" => Kind::PauseTimer,
            "HassUnpauseTimer" => Kind::UnpauseTimer,
            "HassTimerStatus" => Kind::TimerStatus,
            "HassBroadcast" => Kind::Broadcast,
            "get_events" | "calendar_get_events" => Kind::CalendarEvents,
            "HassClimateSetTemperature" => Kind::SetTemperature,
            "HassFanSetSpeed" => Kind::FanSetSpeed,
            "GetLiveContext" => Kind::LiveContext,
            "HassHumidifierSetpoint" => Kind::HumidifierSetpoint,
            "HassHumidifierMode" => Kind::HumidifierMode,
            "HassLawnMowerStartMowing" => Kind::StartMowing,
            "HassLawnMowerDock" => Kind::DockMower,
            "HassLightSet" => Kind::LightSet,
            "GetDateTime" => Kind::DateTime,
            "HassVacuumStart" => Kind::VacuumStart,
            "HassVacuumReturnToBase" => Kind::VacuumReturn,
            "HassVacuumCleanArea" => Kind::VacuumCleanArea,
            "get_items" | "todo_get_items" => Kind::ListItems,
            "HassListAddItem" => Kind::ListAdd,
            "HassListCompleteItem" => Kind::ListComplete,
            "HassListRemoveItem" => Kind::ListRemove,
            other => return Self::media(other).or_else(|| Self::classic(other)),
        })
    }

    /// Whether it starts, changes or tells of timers.
    pub(crate) fn is_timer(self) -> bool {
        matches!(
            self,
            Self::StartTimer
                | Self::CancelTimer
                | Self::CancelAllTimers
                | Self::IncreaseTimer
                | Self::DecreaseTimer
                | Self::PauseTimer
                | Self::UnpauseTimer
                | Self::TimerStatus
        )
    }

    /// Whether it calls a service on everything it matches, as most intents do.
    pub(crate) fn is_service(self) -> bool {
        matches!(
            self,
            Self::TurnOn
                | Self::TurnOff
                | Self::Toggle
                | Self::SetPosition
                | Self::StopMoving
                | Self::FanSetSpeed
                | Self::StartMowing
                | Self::DockMower
                | Self::LightSet
                | Self::MediaUnpause
                | Self::MediaPause
                | Self::MediaNext
                | Self::MediaPrevious
                | Self::SetVolume
                | Self::Mute
                | Self::Unmute
                | Self::VacuumStart
                | Self::VacuumReturn
        )
    }

    /// Whether Home Assistant tells the intent where the satellite is.
    pub(crate) fn takes_preferences(self) -> bool {
        self.is_service()
            || matches!(
                self,
                Self::SetTemperature
                    | Self::SetVolumeRelative
                    | Self::SearchAndPlay
                    | Self::VacuumCleanArea
                    | Self::GetState
                    | Self::GetTemperature
            )
    }

    fn media(name: &str) -> Option<Self> {
        Some(match name {
            "HassMediaUnpause" => Self::MediaUnpause,
            "HassMediaPause" => Self::MediaPause,
            "HassMediaNext" => Self::MediaNext,
            "HassMediaPrevious" => Self::MediaPrevious,
            "HassSetVolume" => Self::SetVolume,
            "HassSetVolumeRelative" => Self::SetVolumeRelative,
            "HassMediaPlayerMute" => Self::Mute,
            "HassMediaPlayerUnmute" => Self::Unmute,
            "search_media" => Self::SearchMedia,
            "play_media" => Self::PlayMedia,
            "HassMediaSearchAndPlay" => Self::SearchAndPlay,
            _ => return None,
        })
    }

    /// Tools that Home Assistant has but withholds from models.
    fn classic(name: &str) -> Option<Self> {
        Some(match name {
            "HassGetState" => Self::GetState,
            "HassClimateGetTemperature" => Self::GetTemperature,
            "HassGetWeather" => Self::GetWeather,
            "HassGetCurrentTime" => Self::CurrentTime,
            "HassGetCurrentDate" => Self::CurrentDate,
            "HassNevermind" => Self::Nevermind,
            "HassRespond" => Self::Respond,
            "HassShoppingListAddItem" => Self::ShoppingListAdd,
            "HassShoppingListCompleteItem" => Self::ShoppingListComplete,
            _ => return None,
        })
    }

    /// When a profile offers the tool. The older benchmark offers all of them always.
    pub(crate) fn gate(self, profile: Profile) -> ToolCondition {
        if profile == Profile::Classic {
            return ToolCondition::Always;
        }
        match self {
            Self::SetPosition | Self::StopMoving => ToolCondition::Domains(&["cover", "valve"]),
            Self::StartTimer
            | Self::CancelTimer
            | Self::IncreaseTimer
            | Self::DecreaseTimer
            | Self::PauseTimer
            | Self::UnpauseTimer
            | Self::TimerStatus => ToolCondition::Timers,
            Self::CalendarEvents => ToolCondition::Named("calendar"),
            Self::SetTemperature => ToolCondition::Domains(&["climate"]),
            Self::FanSetSpeed => ToolCondition::Domains(&["fan"]),
            Self::LiveContext if profile == Profile::V2026_2 => ToolCondition::Listed,
            Self::HumidifierSetpoint | Self::HumidifierMode => {
                ToolCondition::Domains(&["humidifier"])
            }
            Self::StartMowing | Self::DockMower => ToolCondition::Domains(&["lawn_mower"]),
            Self::LightSet => ToolCondition::Domains(&["light"]),
            Self::MediaUnpause
            | Self::MediaPause
            | Self::MediaNext
            | Self::MediaPrevious
            | Self::SetVolume
            | Self::SetVolumeRelative
            | Self::Mute
            | Self::Unmute
            | Self::SearchAndPlay => ToolCondition::Domains(&["media_player"]),
            Self::SearchMedia | Self::PlayMedia => ToolCondition::MediaSearch,
            Self::ListItems | Self::ListAdd | Self::ListComplete | Self::ListRemove => {
                ToolCondition::Named("todo")
            }
            Self::VacuumStart | Self::VacuumReturn | Self::VacuumCleanArea => {
                ToolCondition::Domains(&["vacuum"])
            }
            _ => ToolCondition::Always,
        }
    }

    /// The parameter that lists a home's names, and the domain they come from.
    pub(crate) fn names_in(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::CalendarEvents => Some(("calendar", "calendar")),
            Self::ListItems => Some(("todo_list", "todo")),
            _ => None,
        }
    }
}
