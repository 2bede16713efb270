"""Calls made by chance in a home: sensible ones, twisted ones, and sequences."""

import random
import unicodedata

DEVICE_CLASSES = "awning blind garage window tv speaker outlet water".split()
COLORS = ["red", "blue", "Dark Olive Green", "warm white", "white"]
TWISTS = [None, "", "  ", 0, -1, 5, 12.5, True, [], {}, ["light"], {"a": 1}, "50%", "40", "all", "None"]


def make(home: dict, offered: dict[str, list[str]], seed: int, count: int) -> list[dict]:
    return Maker(home, offered, seed).calls(count)


class Maker:
    def __init__(self, home: dict, offered: dict[str, list[str]], seed: int):
        self.home, self.offered, self.random = home, offered, random.Random(seed)
        self.exposed = [e for e in home["entities"] if e.get("exposed", True)] or home["entities"]
        self.tools = sorted({name for names in offered.values() for name in names})

    def calls(self, count: int) -> list[dict]:
        found = []
        while len(found) < count:
            if self.random.random() < (0.6 if self.home.get("at_once") else 0.15):
                found += self.sequence()
            else:
                found.append(self.call())
        return found

    def sequence(self) -> list[dict]:
        """Several calls in a row, the later ones from the state the earlier ones left."""
        kinds = ["Timer", "Media", "List", "Light", "", "Turn"]
        kind = self.random.choice(kinds)
        tools = [tool for tool in self.tools if kind in tool] or self.tools
        steps = [self.call(self.random.choice(tools)) for _ in range(self.random.randint(2, 6))]
        satellite = self.random.choice([*self.offered])
        for step in steps:
            step["satellite"] = satellite
        for step in steps[1:]:
            step["continues_previous_state"] = True
            if self.home.get("at_once"):
                step["at_once"] = True
        return steps

    def call(self, tool: str | None = None) -> dict:
        pick = self.random
        satellite = pick.choice([*self.offered])
        if tool is None and "played" in self.home and pick.random() < 0.6:
            return {"satellite": satellite} | self.effect()
        if tool is None:
            tool = pick.choice(self.offered[satellite] if pick.random() < 0.97 else [*self.tools, "HassToggle"])
        arguments = self.arguments(tool)
        if pick.random() < 0.2:
            self.twist(arguments)
        return {"tool": tool, "args": arguments, "satellite": satellite}

    def effect(self) -> dict:
        """A scene is set, or a script is run."""
        does = [e for e in self.exposed if "scene" in e or e["id"] in self.home["played"]]
        chosen = self.random.choice(does)
        if "scene" in chosen or self.random.random() < 0.2:
            return {"tool": self.full_name("HassTurnOn"), "args": {"name": chosen["name"]}}
        lit = [e["area"] for e in self.exposed if e["id"].startswith("light.") and e.get("area")]
        passed = {"room": self.random.choice(lit)} if lit and self.random.random() < 0.7 else {}
        return {"tool": self.full_name(chosen["id"].split(".")[1]), "args": passed}

    def full_name(self, bare: str) -> str:
        return next((tool for tool in self.tools if tool.split("__")[-1] == bare), bare)

    def twist(self, arguments: dict) -> None:
        pick = self.random
        extra = ["device_class", "foo", "preferred_area_id", "name", "domain", "area", "start_minutes"]
        key = pick.choice([*arguments, *extra])
        if pick.random() < 0.2:
            arguments.pop(key, None)
        else:
            arguments[key] = pick.choice(TWISTS)

    def of(self, *domains: str) -> dict:
        fitting = [e for e in self.exposed if e["id"].split(".")[0] in domains]
        return self.random.choice(fitting or self.exposed)

    def name(self, thing: dict) -> str:
        pick = self.random
        name = pick.choice([thing["name"]] * 3 + thing.get("aliases", []))
        if pick.random() < 0.12:
            name = pick.choice([name.upper(), f" {name}", f"the {name}", unicodedata.normalize("NFD", name),
                                name.replace("ß", "SS"), name + "\u00a0", thing.get("id", name)])
        return name

    def place(self, places: list[dict]) -> str:
        return self.name(self.random.choice(places)) if places and self.random.random() < 0.93 else "Attic"

    def target(self, *domains: str) -> dict:
        """A device by name, an area, a floor, or just a kind of device."""
        pick, entity = self.random, self.of(*domains)
        domain, way, found = entity["id"].split(".")[0], pick.random(), {}
        if way < 0.5:
            found["name"] = self.name(entity)
        elif way < 0.75:
            found["area"] = entity.get("area") or self.place(self.home["areas"])
        elif way < 0.9:
            found["floor"] = self.place(self.home["floors"])
        if pick.random() < 0.6 or not found:
            found["domain"] = pick.choice([[domain], domain])
        if pick.random() < 0.08:
            found["area"] = self.place(self.home["areas"])
        if pick.random() < 0.1:
            found["device_class"] = [pick.choice(DEVICE_CLASSES)]
        return found

    def arguments(self, tool: str) -> dict:
        bare, pick = tool.split("__")[-1], self.random
        number = lambda most: pick.choice([pick.randint(0, most), pick.randint(0, most), str(pick.randint(0, most)), most + 1])
        if tool.startswith("script__"):
            fields = self.home["scripts"].get(bare, {}).get("fields", {})
            return {name: self.field(field) for name, field in fields.items() if pick.random() < 0.7}
        if "Timer" in bare:
            return self.timer(bare)
        if "List" in bare:
            return {"item": pick.choice(["Milk", "eggs", " bread ", "1", "ß"]), "name": self.name(self.of("todo"))}
        if bare in ("get_items", "todo_get_items"):
            return {"todo_list": self.name(self.of("todo")), "status": pick.choice(["all", "completed", "needs_action", "open"])}
        if bare in ("get_events", "calendar_get_events"):
            return {"calendar": self.name(self.of("calendar")), "range": pick.choice(["today", "week", "month"])}
        if bare == "GetLiveContext":
            chosen = {"name": self.name(self.of()), "area": self.place(self.home["areas"]), "domain": pick.choice(["light", ["light", "fan"], ""])}
            return {key: value for key, value in chosen.items() if pick.random() < 0.3}
        if bare == "HassBroadcast":
            return {"message": "Dinner"}
        if bare in ("GetDateTime", "HassGetCurrentTime", "HassGetCurrentDate", "HassNevermind"):
            return {}
        if bare == "HassRespond":
            return {"response": "Fine."}
        if bare == "HassGetWeather":
            return {"name": self.name(self.of("weather"))} if pick.random() < 0.6 else {}
        if bare in ("search_media", "play_media"):
            what = {"search_query": pick.choice(["Queen", "jazz", ""])} if bare == "search_media" else {"media_content_id": "lib://q", "media_content_type": "music"}
            where = {"player_name": self.name(self.of("media_player")), "player_area": self.place(self.home["areas"]), "player_floor": self.place(self.home["floors"])}
            return what | {key: value for key, value in where.items() if pick.random() < 0.4}
        return self.control(bare, number)

    def control(self, bare: str, number) -> dict:
        pick = self.random
        settings = {
            "HassLightSet": ("light", {"brightness": number(100), "color": pick.choice(COLORS), "temperature": pick.choice([2700, 0, 9000, "4000"])}),
            "HassSetPosition": ("cover", {"position": number(100)}),
            "HassFanSetSpeed": ("fan", {"percentage": number(100)}),
            "HassSetVolume": ("media_player", {"volume_level": number(100)}),
            "HassSetVolumeRelative": ("media_player", {"volume_step": pick.choice(["up", "down", 10, -30, "20", 101])}),
            "HassClimateSetTemperature": ("climate", {"temperature": pick.choice([21, "20.5", 99])}),
            "HassHumidifierSetpoint": ("humidifier", {"humidity": number(100)}),
            "HassHumidifierMode": ("humidifier", {"mode": pick.choice(["eco", "boost", "sleep"])}),
            "HassVacuumCleanArea": ("vacuum", {}),
        }
        usual = {"Vacuum": "vacuum", "Mower": "lawn_mower", "Media": "media_player", "Mov": "cover"}
        domain = next((domain for part, domain in usual.items() if part in bare), None)
        domain, given = settings.get(bare, (domain, {}))
        found = self.target(*([domain] if domain else []))
        if bare == "HassLightSet":
            given = {key: value for key, value in given.items() if pick.random() < 0.5}
        return found | given

    def timer(self, bare: str) -> dict:
        pick = self.random
        times = {key: pick.choice([0, 1, 5, 10, 30]) for key in ("hours", "minutes", "seconds") if pick.random() < 0.5}
        found = {} if bare in ("HassPauseTimer", "HassUnpauseTimer", "HassCancelTimer") else times
        if pick.random() < 0.3:
            found = found | {"name": pick.choice(["pasta", "Pasta ", "tea"])}
        if "Start" not in bare and pick.random() < 0.3:
            found = found | {"start_minutes": pick.choice([5, 10])}
        return found

    def field(self, field: dict):
        kind = next(iter(field["selector"]))
        if kind in ("area", "floor"):
            name = self.place(self.home["areas" if kind == "area" else "floors"])
            return [name] if field["selector"][kind].get("multiple") else name
        return self.random.choice(["x", 5, True])
