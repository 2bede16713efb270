//! Reports and refusals in German, French and Spanish, put into English word for word.

use super::statements::thing;
use super::*;

/// A home in which the things of these changes were changed, as they are now.
fn changed(changes: Value) -> EndStates {
    let things = [
        thing("light.strip", "Worktop strip", "Kitchen", "on"),
        thing("light.kitchen", "Kitchen ceiling light", "Kitchen", "on"),
        thing("light.corner", "Corner lamp", "Living Room", "on"),
        thing("cover.right", "Right blind", "Living Room", "closed"),
        thing("cover.left", "Left blind", "Living Room", "open"),
        thing("media_player.tv", "Television", "Living Room", "off"),
        thing("climate.bedroom", "Bedroom radiator", "Bedroom", "heat"),
        thing("climate.ella", "Ella's radiator", "Ella's room", "heat"),
        thing("climate.max", "Max's radiator", "Max's room", "heat"),
        thing("lock.front", "Front door", "Hall", "locked"),
    ];
    let mut states = EndStates { things: things.into(), ..EndStates::default() };
    states.actual.changes = changes.into();
    states
}

fn is_false(states: &EndStates, request: &str, reply: &str) -> bool {
    let case = Case::new("c", request);
    let transcript = Transcript::of(AssistantMessage::default());
    let evidence = Evidence::new(&case, &[], &transcript).with_states(Some(states));
    Reply::read_glossed(reply).false_gloss(&Context::new(&evidence)).is_some()
}

fn reports(changes: Value, request: &str, right: &[&str], wrong: &[&str]) {
    let states = changed(changes);
    tell_apart(|reply| !is_false(&states, request, reply), right, wrong);
}

#[test]
fn another_thing_place_or_colour_is_told_by_its_words() {
    reports(
        json!({"light.strip": {"state": ["off", "on"]}}),
        "allume le bandeau du plan de travail",
        &[
            "Le bandeau du plan de travail est allumé.",
            "J'ai allumé le bandeau de la cuisine.",
            "C'est fait, le plafonnier reste allumé.",
        ],
        &[
            "J'ai allumé le plafonnier de la cuisine.",
            "Le bandeau est allumé, et j'ai fermé les volets.",
            "Le bandeau du plan de travail est éteint.",
        ],
    );
    reports(
        json!({"light.corner": {"color": ["white", "red"]}}),
        "mach die ecklampe rot",
        &["Die Ecklampe leuchtet jetzt rot.", "Ich habe die Ecklampe auf Rot gestellt."],
        &["Die Ecklampe leuchtet jetzt rosa.", "Die Lampe in der Küche ist jetzt rot."],
    );
}

#[test]
fn a_verb_in_two_parts_or_at_the_end_is_read() {
    reports(
        json!({"cover.right": {"state": ["open", "closed"], "current_position": [100, 0]}}),
        "den rechten rollladen ganz runter",
        &[
            "Der rechte Rollladen ist jetzt ganz unten.",
            "Ich habe den rechten Rollladen ganz runtergefahren.",
            "Der rechte Rollladen fährt herunter.",
        ],
        &[
            "Der rechte Rollladen ist ganz oben.",
            "Ich habe den rechten Rollladen hochgefahren.",
            "Der rechte Rollladen fährt hoch.",
            "Der linke Rollladen ist unten.",
        ],
    );
    reports(
        json!({"lock.front": {"state": ["unlocked", "locked"]}}),
        "schließ die haustür ab",
        &["Ich schließe die Haustür ab.", "Ich habe die Haustür abgeschlossen."],
        &[
            "Ich schließe die Haustür auf.",
            "Die Haustür ist zu, und den Fernseher habe ich gleich mit ausgeschaltet.",
        ],
    );
}

#[test]
fn each_of_two_things_is_where_it_is() {
    reports(
        json!({
            "media_player.tv": {"state": ["on", "off"]},
            "climate.bedroom": {"temperature": [19, 17]},
        }),
        "apaga la televisión y baja el radiador del dormitorio a 17 grados",
        &["He apagado la televisión y he bajado el radiador del dormitorio a 17 grados."],
        &[
            "La televisión está apagada y el radiador del salón está a 17 grados.",
            "He apagado la televisión y he subido el radiador del dormitorio a 17 grados.",
        ],
    );
    reports(
        json!({"climate.ella": {"temperature": [20, 21]}}),
        "sube un grado el radiador de ella",
        &["El radiador de Ella está ahora a 21 grados."],
        &["El radiador de Max está ahora a 21 grados."],
    );
}

#[test]
fn behind_a_refusal_nothing_is_told_as_done() {
    let states = changed(json!({}));
    let acts = |reply: &str| {
        let case = Case::new("c", "llama a mi madre");
        let transcript = Transcript::of(AssistantMessage::default());
        let evidence = Evidence::new(&case, &[], &transcript).with_states(Some(&states));
        Reply::read_glossed(reply).act_beside_refusal(&Context::new(&evidence)).is_some()
    };
    tell_apart(
        |reply| !acts(reply),
        &["No puedo llamar a nadie.", "Je ne peux pas commander de pizza, désolé."],
        &[
            "No puedo hacer llamadas. Ya está sonando el teléfono de tu madre.",
            "No puedo llamar, pero le he enviado un mensaje.",
            "Désolé, je ne peux pas commander de pizza, mais j'ai allumé la télé.",
        ],
    );
}
