"""Devices that do at once what they are told, for every domain a model can control.

Where Home Assistant leaves something to the device, they do what toolgauge does: a fan that is
turned on runs at full speed, the next track is called `Next`.
"""

import copy
import datetime
import importlib

ENTITIES = {}


def build(domain: str, described: dict):
    """An entity of a domain as a home describes it."""
    module = importlib.import_module(f"homeassistant.components.{domain}")
    base, start, methods = getattr(Devices, domain)(module)

    def __init__(self):
        self.entity_id = described["id"]
        self._attr_unique_id = described["id"].replace(".", "_")
        self._attr_name = described["name"]
        self.reset(write=False)

    def reset(self, write=True):
        self._attr_available = described.get("available", True)
        start(self, copy.deepcopy(described.get("settings", {})))
        if write:
            self.async_write_ha_state()

    members = {"_attr_should_poll": False, "__init__": __init__, "reset": reset, **methods}
    entity = type(f"Bench{domain.title()}", (base,), members)()
    ENTITIES[described["id"]] = entity
    return entity


def sets(**values):
    """A method that sets attributes, whatever it is passed."""

    async def method(self, *_args, **_settings):
        for name, value in values.items():
            setattr(self, f"_attr_{name}", value)
        self.async_write_ha_state()

    return method


def keeps(name):
    """A method that sets an attribute to what it is passed."""

    async def method(self, *args, **settings):
        (value,) = [*args, *settings.values()]
        setattr(self, f"_attr_{name}", value)
        self.async_write_ha_state()

    return method


def switched(base, attributes=None):
    def start(self, settings):
        self._attr_is_on = settings.get("on", False)
        for name, value in (attributes or {}).items():
            setattr(self, f"_attr_{name}", value)

    return base, start, {"async_turn_on": sets(is_on=True), "async_turn_off": sets(is_on=False)}


def still(base, attributes=None):
    """Something that only has a state."""

    def start(self, settings):
        for name, value in (attributes or {}).items():
            setattr(self, f"_attr_{name}", value)

    return base, start, {}


class Devices:
    @staticmethod
    def switch(m):
        return switched(m.SwitchEntity)

    @staticmethod
    def siren(m):
        base, start, methods = switched(m.SirenEntity)

        def start_siren(self, settings):
            start(self, settings)
            self._attr_supported_features = m.SirenEntityFeature(settings.get("features", 3))

        return base, start_siren, methods

    @staticmethod
    def remote(m):
        return switched(m.RemoteEntity)

    @staticmethod
    def binary_sensor(m):
        base, start, _ = switched(m.BinarySensorEntity)
        return base, start, {}

    @staticmethod
    def light(m):
        colors = {"hs_color": "hs", "rgb_color": "rgb", "rgbw_color": "rgbw", "rgbww_color": "rgbww",
                  "xy_color": "xy", "color_temp_kelvin": "color_temp"}

        def start(self, settings):
            modes = settings.get("modes", ["hs", "color_temp"])
            self._attr_supported_color_modes = {m.ColorMode(mode) for mode in modes}
            self._attr_color_mode = m.ColorMode(modes[0])
            self._attr_is_on = settings.get("on", False)
            self._attr_brightness = settings.get("brightness")
            self._attr_min_color_temp_kelvin, self._attr_max_color_temp_kelvin = 2000, 6500
            for name in colors:
                setattr(self, f"_attr_{name}", None)

        async def turn_on(self, **settings):
            self._attr_is_on = True
            self._attr_brightness = settings.get("brightness", self._attr_brightness) or 255
            for name, mode in colors.items():
                if name in settings:
                    setattr(self, f"_attr_{name}", settings[name])
                    self._attr_color_mode = m.ColorMode(mode)
            self.async_write_ha_state()

        return m.LightEntity, start, {"async_turn_on": turn_on, "async_turn_off": sets(is_on=False)}

    @staticmethod
    def lock(m):
        def start(self, settings):
            self._attr_is_locked, self._attr_is_open = settings.get("on", False), False
            self._attr_code_format = settings.get("code")
            self._attr_supported_features = m.LockEntityFeature(settings.get("features", 0))

        return m.LockEntity, start, {
            "async_lock": sets(is_locked=True, is_open=False), "async_unlock": sets(is_locked=False, is_open=False),
            "async_open": sets(is_locked=False, is_open=True),
        }

    @staticmethod
    def alarm_control_panel(m):
        def start(self, settings):
            self._attr_alarm_state = m.AlarmControlPanelState.DISARMED
            self._attr_code_arm_required = settings.get("code", False)
            self._attr_supported_features = m.AlarmControlPanelEntityFeature(settings.get("features", 63))

        states = {"disarm": "disarmed", "arm_home": "armed_home", "arm_away": "armed_away", "arm_night": "armed_night",
                  "arm_vacation": "armed_vacation", "arm_custom_bypass": "armed_custom_bypass", "trigger": "triggered"}
        return m.AlarmControlPanelEntity, start, {
            f"async_alarm_{name}": sets(alarm_state=m.AlarmControlPanelState(state)) for name, state in states.items()}

    @staticmethod
    def select(m):
        def start(self, settings):
            self._attr_options, self._attr_current_option = ["eco", "boost"], "eco"

        return m.SelectEntity, start, {"async_select_option": keeps("current_option")}

    @staticmethod
    def number(m):
        def start(self, settings):
            self._attr_native_min_value, self._attr_native_max_value, self._attr_native_step = 0, 50, 0.5
            self._attr_native_value = 20.0

        return m.NumberEntity, start, {"async_set_native_value": keeps("native_value")}

    @staticmethod
    def text(m):
        def start(self, settings):
            self._attr_native_value = "note"

        return m.TextEntity, start, {"async_set_value": keeps("native_value")}

    @staticmethod
    def cover(m):
        def start(self, settings):
            self._attr_device_class = settings.get("device_class")
            self._attr_current_cover_position = settings.get("position")
            self._attr_current_cover_tilt_position = settings.get("tilt")
            self._attr_is_closed = settings.get("closed", False)
            self._attr_supported_features = m.CoverEntityFeature(settings.get("features", 15))

        async def move(self, position):
            if self._attr_current_cover_position is not None:
                self._attr_current_cover_position = position
            self._attr_is_closed = position == 0
            self.async_write_ha_state()

        async def to(self, **settings):
            await move(self, settings["position"])

        async def tilt(self, tilt_position):
            self._attr_current_cover_tilt_position = tilt_position
            self.async_write_ha_state()

        return m.CoverEntity, start, {
            "async_open_cover": lambda self, **_: move(self, 100),
            "async_close_cover": lambda self, **_: move(self, 0),
            "async_set_cover_position": to,
            "async_stop_cover": sets(),
            "async_open_cover_tilt": lambda self, **_: tilt(self, 100),
            "async_close_cover_tilt": lambda self, **_: tilt(self, 0),
            "async_set_cover_tilt_position": tilt,
        }

    @staticmethod
    def valve(m):
        def start(self, settings):
            self._attr_reports_position = True
            self._attr_current_valve_position = 100 if settings.get("on") else 0
            self._attr_supported_features = m.ValveEntityFeature(15)

        return m.ValveEntity, start, {
            "async_open_valve": sets(current_valve_position=100),
            "async_close_valve": sets(current_valve_position=0),
            "async_set_valve_position": keeps("current_valve_position"),
            "async_stop_valve": sets(),
        }

    @staticmethod
    def fan(m):
        def start(self, settings):
            features = settings.get("features", 49)
            self._attr_supported_features = m.FanEntityFeature(features)
            self._attr_percentage = settings.get("percentage", 0)
            self._attr_preset_modes, self._attr_preset_mode = ["breeze", "night"] if features & 8 else None, None
            self._attr_oscillating = False if features & 2 else None
            self._attr_current_direction = "forward" if features & 4 else None

        async def turn_on(self, percentage=None, preset_mode=None, **_):
            self._attr_percentage = (self._attr_percentage or 100) if percentage is None else percentage
            self._attr_preset_mode = preset_mode
            self.async_write_ha_state()

        async def set_percentage(self, percentage):
            self._attr_percentage, self._attr_preset_mode = percentage, None
            self.async_write_ha_state()

        return m.FanEntity, start, {
            "async_turn_on": turn_on, "async_turn_off": sets(percentage=0, preset_mode=None),
            "async_set_percentage": set_percentage, "async_set_preset_mode": keeps("preset_mode"),
            "async_oscillate": keeps("oscillating"), "async_set_direction": keeps("current_direction"),
        }

    @staticmethod
    def climate(m):
        def start(self, settings):
            modes = [m.HVACMode(mode) for mode in settings.get("modes", ["off", "heat"])]
            self._attr_hvac_modes, self._attr_hvac_mode = modes, modes[-1]
            self._attr_supported_features = m.ClimateEntityFeature(settings.get("features", 385))
            self._attr_temperature_unit = "°C"
            self._attr_current_temperature, self._attr_target_temperature = 19.5, 20.0
            self._attr_target_temperature_low, self._attr_target_temperature_high = 18.0, 24.0
            self._attr_preset_modes, self._attr_preset_mode = ["away", "home"], "home"
            self._attr_fan_modes, self._attr_fan_mode = ["low", "high"], "low"
            self._attr_swing_modes, self._attr_swing_mode = ["on", "off"], "off"
            self._attr_swing_horizontal_modes, self._attr_swing_horizontal_mode = ["on", "off"], "off"
            self._attr_target_humidity = 50

        async def set_temperature(self, **settings):
            for name, attribute in (("temperature", "target_temperature"), ("target_temp_low", "target_temperature_low"),
                                    ("target_temp_high", "target_temperature_high")):
                if settings.get(name) is not None:
                    setattr(self, f"_attr_{attribute}", settings[name])
            self.async_write_ha_state()

        return m.ClimateEntity, start, {
            "async_set_temperature": set_temperature, "async_set_hvac_mode": keeps("hvac_mode"),
            "async_set_preset_mode": keeps("preset_mode"), "async_set_fan_mode": keeps("fan_mode"),
            "async_set_swing_mode": keeps("swing_mode"), "async_set_humidity": keeps("target_humidity"),
            "async_set_swing_horizontal_mode": keeps("swing_horizontal_mode"),
        }

    @staticmethod
    def water_heater(m):
        def start(self, settings):
            self._attr_supported_features = m.WaterHeaterEntityFeature(settings.get("features", 11))
            self._attr_is_away_mode_on = False
            self._attr_temperature_unit = "°C"
            self._attr_operation_list = ["off", "eco", "performance"]
            self._attr_current_operation = "eco"
            self._attr_current_temperature, self._attr_target_temperature = 50.0, 55.0

        async def set_temperature(self, **settings):
            self._attr_target_temperature = settings["temperature"]
            self.async_write_ha_state()

        return m.WaterHeaterEntity, start, {
            "async_turn_on": sets(current_operation="eco"), "async_turn_off": sets(current_operation="off"),
            "async_set_operation_mode": keeps("current_operation"), "async_set_temperature": set_temperature,
            "async_turn_away_mode_on": sets(is_away_mode_on=True), "async_turn_away_mode_off": sets(is_away_mode_on=False),
        }

    @staticmethod
    def media_player(m):
        state = m.MediaPlayerState

        def start(self, settings):
            self._attr_state = state(settings.get("state", "off"))
            self._attr_supported_features = m.MediaPlayerEntityFeature(settings.get("features", 4212669))
            self._attr_volume_level = settings.get("volume")
            self._attr_is_volume_muted = False
            self._attr_media_title = settings.get("title")
            self._attr_media_artist = settings.get("artist")
            self._attr_volume_step = 0.1
            features = self._attr_supported_features
            self._attr_source_list, self._attr_source = (["Disc", "Line"], "Disc") if features & 2048 else (None, None)
            self._attr_sound_mode_list, self._attr_sound_mode = (["Hall", "Film"], "Hall") if features & 65536 else (None, None)

        async def play_media(self, media_type, media_id, **_):
            self._attr_state, self._attr_media_title = state.PLAYING, media_id
            self.async_write_ha_state()

        async def search_media(self, query):
            words = query.search_query
            id = "lib://" + "_".join(words.strip().casefold().split())
            found = m.BrowseMedia(title=words, media_class="artist", media_content_type="music",
                                  media_content_id=id, can_play=True, can_expand=False)
            return m.SearchMedia(result=[found])

        return m.MediaPlayerEntity, start, {
            "async_media_pause": sets(state=state.PAUSED),
            "async_media_play": sets(state=state.PLAYING),
            "async_media_stop": sets(state=state.IDLE),
            "async_select_source": keeps("source"),
            "async_select_sound_mode": keeps("sound_mode"),
            "async_media_next_track": sets(media_title="Next"),
            "async_media_previous_track": sets(media_title="Previous"),
            "async_set_volume_level": keeps("volume_level"),
            "async_mute_volume": keeps("is_volume_muted"),
            "async_turn_on": sets(state=state.ON),
            "async_turn_off": sets(state=state.OFF),
            "async_play_media": play_media,
            "async_search_media": search_media,
        }

    @staticmethod
    def vacuum(m):
        def start(self, settings):
            features = m.VacuumEntityFeature(settings.get("features", 12312))
            self._attr_supported_features, self._attr_activity = features, m.VacuumActivity.DOCKED
            self._attr_fan_speed_list, self._attr_fan_speed = ["quiet", "max"], "quiet"

        return m.StateVacuumEntity, start, {
            "async_start": sets(activity=m.VacuumActivity.CLEANING),
            "async_return_to_base": sets(activity=m.VacuumActivity.RETURNING),
            "async_pause": sets(activity=m.VacuumActivity.PAUSED),
            "async_stop": sets(activity=m.VacuumActivity.IDLE),
            "async_set_fan_speed": keeps("fan_speed"),
        }

    @staticmethod
    def lawn_mower(m):
        def start(self, settings):
            self._attr_supported_features = m.LawnMowerEntityFeature(7)
            self._attr_activity = m.LawnMowerActivity.DOCKED

        return m.LawnMowerEntity, start, {
            "async_start_mowing": sets(activity=m.LawnMowerActivity.MOWING),
            "async_dock": sets(activity=m.LawnMowerActivity.DOCKED),
        }

    @staticmethod
    def humidifier(m):
        def start(self, settings):
            features = settings.get("features", 1)
            self._attr_supported_features = m.HumidifierEntityFeature(features)
            self._attr_available_modes = ["normal", "eco", "boost"] if features else None
            self._attr_mode = "normal" if features else None
            self._attr_is_on, self._attr_target_humidity = settings.get("on", False), 45

        return m.HumidifierEntity, start, {
            "async_turn_on": sets(is_on=True), "async_turn_off": sets(is_on=False),
            "async_set_humidity": keeps("target_humidity"), "async_set_mode": keeps("mode"),
        }

    @staticmethod
    def todo(m):
        def start(self, settings):
            item = lambda at, text: m.TodoItem(uid=str(at), summary=text, status=m.TodoItemStatus.NEEDS_ACTION)
            items = settings.get("items", [])
            self._attr_todo_items = [item(at, text) for at, text in enumerate(items, 1)]
            self._attr_supported_features = m.TodoListEntityFeature(7)

        async def create(self, item):
            item.uid = str(len(self._attr_todo_items) + 1)
            self._attr_todo_items.append(item)
            self.async_write_ha_state()

        async def update(self, item):
            for known in self._attr_todo_items:
                if known.uid == item.uid:
                    known.status = item.status
            self.async_write_ha_state()

        async def delete(self, uids):
            self._attr_todo_items = [item for item in self._attr_todo_items if item.uid not in uids]
            self.async_write_ha_state()

        return m.TodoListEntity, start, {"async_create_todo_item": create, "async_update_todo_item": update,
                                         "async_delete_todo_items": delete}

    @staticmethod
    def calendar(m):
        day = datetime.date.fromisoformat

        def start(self, settings):
            self.events = [m.CalendarEvent(start=day(e["start"]), end=day(e["end"]), summary=e["summary"])
                           for e in settings.get("events", [])]

        async def get_events(self, hass, begin, end):
            return [e for e in self.events if e.start_datetime_local < end and e.end_datetime_local > begin]

        return m.CalendarEntity, start, {"event": property(lambda self: None), "async_get_events": get_events}

    @staticmethod
    def sensor(m):
        def start(self, settings):
            self._attr_native_value = settings.get("value")
            self._attr_native_unit_of_measurement = settings.get("unit")
            self._attr_device_class = settings.get("device_class")

        return m.SensorEntity, start, {}

    @staticmethod
    def button(m):
        base, start, _ = still(m.ButtonEntity)
        return base, start, {"async_press": sets()}

    @staticmethod
    def scene(m):
        base, start, _ = still(m.Scene)
        return base, start, {"async_activate": sets()}

    @staticmethod
    def weather(m):
        return still(m.WeatherEntity, {"native_temperature_unit": "°C", "condition": "rainy",
                                       "native_temperature": 11.5, "humidity": 80})
