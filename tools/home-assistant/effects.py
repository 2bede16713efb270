"""Scenes and scripts that do something, in Home Assistant's words and in toolgauge's."""

import random

STATES = {
    "light": ["on", "off"], "switch": ["on", "off"], "siren": ["on", "off"], "remote": ["on", "off"],
    "fan": ["on", "off"], "humidifier": ["on", "off"], "lock": ["locked", "unlocked", "open"],
    "cover": ["open", "closed"], "valve": ["open", "closed"], "climate": ["heat", "cool", "heat_cool", "off"],
    "media_player": ["playing", "paused", "on", "off", "idle"], "vacuum": ["cleaning", "docked", "returning", "paused", "idle"],
    "water_heater": ["eco", "performance", "off", "on"], "lawn_mower": ["mowing", "docked"],
    "sensor": ["17"], "binary_sensor": ["on"], "select": ["eco", "boost", "nothing"], "text": ["milk"],
    "number": ["5", "12.5", "500", "many"],
    "alarm_control_panel": ["armed_home", "armed_away", "armed_vacation", "disarmed", "triggered"],
}

# The service of Home Assistant that does what a tool does to a thing of a domain.
SERVICES = {
    ("HassTurnOn", "cover"): "cover.open_cover", ("HassTurnOff", "cover"): "cover.close_cover",
    ("HassTurnOn", "valve"): "valve.open_valve", ("HassTurnOff", "valve"): "valve.close_valve",
    ("HassTurnOn", "lock"): "lock.lock", ("HassTurnOff", "lock"): "lock.unlock",
    ("HassTurnOn", "button"): "button.press",
}
# So that every home has something for most kinds of states.
ONE_OF_EACH = {
    "light.mood": {"modes": ["hs", "color_temp"], "on": True, "brightness": 50}, "light.strip": {"modes": ["rgbw"], "on": False},
    "light.bulb": {"modes": ["rgbww"], "on": False}, "light.tube": {"modes": ["xy"], "on": False},
    "cover.shutter": {"position": 50, "closed": False, "features": 15}, "lock.gate": {"on": False},
    "fan.tower": {"percentage": 0, "features": 49}, "climate.stove": {"modes": ["off", "heat"], "features": 385},
    "media_player.radio": {"state": "playing", "volume": 0.4, "title": "News", "artist": "Radio", "features": 4212669},
    "humidifier.steam": {"on": False, "features": 1}, "water_heater.boiler": {},
    "cover.slats": {"position": 40, "tilt": 60, "closed": False, "features": 255}, "cover.hatch": {"closed": True, "features": 1},
    "cover.louvre": {"tilt": 0, "closed": True, "features": 128}, "lock.safe": {"on": True, "code": "^\\d{4}$"},
    "lock.latch": {"on": True, "features": 1}, "fan.round": {"percentage": 50, "features": 63},
    "fan.loud": {"percentage": 50, "features": 48}, "climate.air": {"modes": ["off", "heat_cool", "cool"], "features": 1023},
    "climate.floor": {"modes": ["heat"], "features": 384}, "water_heater.tank": {"features": 5},
    "vacuum.robot": {"features": 12316}, "vacuum.mop": {"features": 12344}, "siren.horn": {"features": 1},
    "media_player.box": {"state": "playing", "volume": 0.4, "features": 4347837}, "select.plan": {}, "number.level": {},
    "text.board": {}, "alarm_control_panel.house": {"features": 7}, "alarm_control_panel.shop": {"code": True},
}
# Other tools that stand for a service: what they are told, and what the service is told.
OTHER_TOOLS = {
    "light": [("HassLightSet", {"brightness": 40}, "turn_on", {"brightness_pct": 40})],
    "cover": [("HassSetPosition", {"position": 30}, "set_cover_position", {"position": 30})],
    "fan": [("HassFanSetSpeed", {"percentage": 20}, "turn_on", {"percentage": 20})],
    "climate": [("HassClimateSetTemperature", {"temperature": degrees}, "set_temperature", {"temperature": degrees})
                for degrees in (21, 90)],
    "media_player": [("HassMediaPause", {}, "media_pause", {}), ("HassMediaNext", {}, "media_next_track", {}),
                     ("HassSetVolume", {"volume_level": 30}, "volume_set", {"volume_level": 0.3})],
    "vacuum": [("HassVacuumStart", {}, "start", {}), ("HassVacuumReturnToBase", {}, "return_to_base", {})],
    "lawn_mower": [("HassLawnMowerStartMowing", {}, "start_mowing", {}), ("HassLawnMowerDock", {}, "dock", {})],
}
SWITCHED = "light switch siren remote fan humidifier media_player climate".split()


def furnish(home: dict, seed: int) -> dict:
    """The home, with something to do for its scenes and scripts. `played` has toolgauge's form."""
    return Maker(home, seed).furnished()


class Maker:
    def __init__(self, home: dict, seed: int):
        self.home, self.random = home, random.Random(seed)
        # A service that finds no light in a room does nothing, and a tool fails: so every room has one.
        for at, area in enumerate(home["areas"]):
            settings = {"modes": ["brightness"], "on": at % 2 == 0, "brightness": 99 if at % 2 == 0 else None}
            home["entities"].append({"id": f"light.room{at}", "name": f"Room light {at}", "area": area["name"],
                                     "settings": settings})
        for id, settings in ONE_OF_EACH.items():
            home["entities"].append({"id": id, "name": id.split(".")[1].replace("_", " "), "settings": settings})
        self.things = [e for e in home["entities"] if e["id"].split(".")[0] in STATES]

    def furnished(self) -> dict:
        for light in self.things:
            # A room is all its lights for a service, and those that are exposed for a tool.
            if light["id"].startswith("light."):
                light["exposed"] = True
        scenes = [f"scene.film_{at}" for at in range(8)]
        for at, id in enumerate(scenes):
            self.home["entities"].append({"id": id, "name": f"Film {at}", "scene": self.states()})
        played = {}
        for at in range(12):
            steps = [self.step(scenes) for _ in range(self.random.randint(1, 4))]
            room = {"selector": {"area": {}}, "required": False}
            self.home["scripts"][f"round{at}"] = {
                "alias": f"Round {at}", "sequence": [step[0] for step in steps], "fields": {"room": room}}
            self.home["entities"].append({"id": f"script.round{at}", "name": f"Round {at}"})
            played[f"script.round{at}"] = [step[1] for step in steps]
        return self.home | {"played": played}

    def states(self) -> dict:
        chosen = self.random.sample(self.things, min(len(self.things), self.random.randint(1, 6)))
        return {thing["id"]: self.state(thing["id"].split(".")[0]) for thing in chosen}

    def state(self, domain: str):
        pick = self.random
        state = pick.choice(STATES[domain])
        if pick.random() < 0.3:
            return state
        more = {
            "light": [{"brightness": pick.randint(1, 255)}, {"hs_color": [120.0, 50.0]}, {"color_temp_kelvin": 3000},
                      {"rgb_color": [255, 0, 40], "brightness": 99}, {"color_mode": "hs", "hs_color": [30.0, 80.0]},
                      {"xy_color": [0.3, 0.4]}, {"brightness": 40, "color_temp_kelvin": 2700}],
            "cover": [{"current_position": pick.choice([0, 30, 100])}, {"current_tilt_position": pick.choice([0, 60, 100])},
                      {"current_position": 40, "current_tilt_position": 60}],
            "fan": [{"percentage": pick.choice([33, 50, 66, 100])}, {"oscillating": pick.choice([True, False]), "direction": "reverse"},
                    {"preset_mode": pick.choice(["night", "none"]), "oscillating": False, "direction": "forward"},
                    {"percentage": 20, "oscillating": True, "direction": "forward"}],
            "climate": [{"temperature": pick.choice([18, 21.5])}, {"temperature": 90}, {"target_temp_low": 19, "target_temp_high": 23},
                        {"target_temp_low": 23, "target_temp_high": 19}, {"preset_mode": pick.choice(["away", "none"])},
                        {"fan_mode": pick.choice(["high", "none"])}, {"swing_mode": "on", "swing_horizontal_mode": "on"},
                        {"humidity": pick.choice([40, 10])}],
            "media_player": [{"volume_level": 0.2}, {"is_volume_muted": True}, {"source": "Line", "sound_mode": "Film"},
                             {"media_content_id": "lib://x", "media_content_type": "music"}],
            "humidifier": [{"humidity": pick.choice([60, 45])}, {"mode": pick.choice(["eco", "normal"])}],
            "water_heater": [{"temperature": 48}, {"away_mode": "on"}],
            "vacuum": [{"fan_speed": pick.choice(["max", "quiet"])}],
        }
        return {"state": state} | pick.choice(more.get(domain, [{}]))

    def step(self, scenes: list[str]) -> tuple[dict, dict]:
        """What a step does, as a script of Home Assistant has it, and as an inventory has it."""
        pick, way = self.random, self.random.random()
        tool = pick.choice(["HassTurnOn", "HassTurnOff"])
        if way < 0.3:
            states = self.states()
            return {"action": "scene.apply", "data": {"entities": states}}, {"set": states}
        if way < 0.4:
            scene = pick.choice(scenes)
            call = {"tool": "HassTurnOn", "arguments": {"name": scene}}
            return {"action": "scene.turn_on", "target": {"entity_id": scene}}, call
        if way < 0.5:
            # A service without its field fails in Home Assistant, so that it looks for the field first.
            other = {"action": "light.turn_on", "target": {"area_id": "{{ [room] }}"}}
            steps = {"if": "{{ room is defined }}", "then": [other]}
            return steps, {"tool": "HassTurnOn", "arguments": {"area": "{room}", "domain": ["light"]}}
        if way < 0.65:
            return self.other_step()
        able = [e for e in self.things if e.get("exposed", True) and self.service(tool, e["id"])]
        if not able:
            return {"action": "scene.apply", "data": {"entities": {}}}, {"set": {}}
        thing = pick.choice(able)["id"]
        action = {"action": self.service(tool, thing), "target": {"entity_id": thing}}
        return action, {"tool": tool, "arguments": {"name": thing}}

    def other_step(self) -> tuple[dict, dict]:
        """A step with one of the other tools, whether or not the thing can do it."""
        things = [e["id"] for e in self.things if e.get("exposed", True) and e["id"].split(".")[0] in OTHER_TOOLS]
        thing = self.random.choice(things)
        domain = thing.split(".")[0]
        tool, told, service, data = self.random.choice(OTHER_TOOLS[domain])
        action = {"action": f"{domain}.{service}", "target": {"entity_id": thing}, "data": data}
        return action, {"tool": tool, "arguments": {"name": thing, **told}}

    @staticmethod
    def service(tool: str, id: str) -> str | None:
        domain = id.split(".")[0]
        if domain in SWITCHED:
            return f"{domain}.{'turn_on' if tool == 'HassTurnOn' else 'turn_off'}"
        return SERVICES.get((tool, domain))
