//! The vectors that concern a bot: what the bytes on the wire mean, with this bot's own code.
//! Then what the helpers for cards say of real views, and whether every action is legal.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::{env, fs};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::cards::{colours, is_with_me, number, shows, suit, taker, teammates};
use crate::decide::decide;
use crate::high::{card_to_play, high};
use crate::link::{Address, Broken, Receiver, Sender};
use crate::messages::{FromServer, ToServer, view_in};
use crate::play;
use crate::views::{TrickView, View};

const MAX_BODY_BYTES: usize = 16384;

fn load<V: DeserializeOwned>(name: &str) -> Vec<V> {
    #[derive(Deserialize)]
    struct File<V> {
        vectors: Vec<V>,
    }
    let path = format!("{}/{name}.json", folder());
    let text = fs::read_to_string(&path).unwrap_or_else(|error| {
        panic!("no vectors: {path}: {error}; set ARENA_VECTORS to the folder that has them")
    });
    let file: File<V> = serde_json::from_str(&text).unwrap();
    assert!(!file.vectors.is_empty(), "{path} has no vectors");
    file.vectors
}

/// The folder of the vectors: the one that ARENA_VECTORS names; else this bot's own, which
/// `arena new-bot` made; else that of a checkout of arena.
fn folder() -> String {
    let own = "vectors";
    env::var("ARENA_VECTORS").unwrap_or_else(|_| match fs::exists(own) {
        Ok(true) => own.into(),
        _ => "../../protocol/vectors".into(),
    })
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
        .collect()
}

/// What a body says, read without this bot's own types.
fn unpack(body: &[u8]) -> Value {
    rmp_serde::from_slice(body).unwrap()
}

/// A stream that gives one chunk a read.
struct Chunks(Vec<Vec<u8>>);

impl Read for Chunks {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Ok(0);
        }
        let count = self.0[0].as_slice().read(into)?;
        self.0[0].drain(..count);
        if self.0[0].is_empty() {
            self.0.remove(0);
        }
        Ok(count)
    }
}

/// A stream that keeps each write.
#[derive(Default)]
struct Written(Vec<Vec<u8>>);

impl Write for &mut Written {
    fn write(&mut self, frame: &[u8]) -> io::Result<usize> {
        self.0.push(frame.to_vec());
        Ok(frame.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Written {
    /// The bodies of the frames; each must have been one write.
    fn bodies(self) -> Vec<Vec<u8>> {
        let body = |frame: Vec<u8>| {
            let length = frame.len() - 4;
            let mut receiver = Receiver::new(Chunks(vec![frame]), MAX_BODY_BYTES);
            let body = receiver.receive().unwrap().to_vec();
            assert_eq!(body.len(), length);
            body
        };
        self.0.into_iter().map(body).collect()
    }
}

#[test]
fn frames_are_read_however_they_are_cut() {
    #[derive(Deserialize)]
    struct Vector {
        name: String,
        max_body_bytes: usize,
        chunks: Vec<String>,
        bodies: Vec<String>,
        breach: Option<String>,
        at_end: Option<String>,
    }
    for vector in load::<Vector>("frames") {
        let chunks = vector.chunks.iter().map(|chunk| bytes(chunk)).collect();
        let mut receiver = Receiver::new(Chunks(chunks), vector.max_body_bytes);
        for expected in vector.bodies {
            let body = receiver.receive().unwrap();
            assert_eq!(body, bytes(&expected), "{}", vector.name);
        }
        // Then the stream ends, between two frames or as the vector says.
        let came = match receiver.receive() {
            Err(Broken::Closed) => None,
            Err(Broken::TooLong(_)) => Some("frame-too-long"),
            Err(Broken::Stream(error)) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Some("frame-unfinished")
            }
            other => panic!("{}: {other:?}", vector.name),
        };
        let expected = vector.breach.or(vector.at_end);
        assert_eq!(came, expected.as_deref(), "{}", vector.name);
    }
}

#[derive(Deserialize)]
struct MessageVector {
    name: String,
    from: String,
    message: Value,
    hex: String,
    canonical: bool,
}

#[test]
fn messages_from_the_server_are_read() {
    let vectors = load::<MessageVector>("messages");
    for vector in vectors.iter().filter(|vector| vector.from == "server") {
        let body = bytes(&vector.hex);
        assert_eq!(unpack(&body), vector.message, "{}", vector.name);
        let decoded = FromServer::decode(&body).unwrap();
        // As JSON again, to see that no field was lost or changed.
        let mut message = match &decoded {
            FromServer::Welcome(welcome) => json!(welcome),
            FromServer::Start(start) => json!(start),
            FromServer::Request(request) => json!(request),
            FromServer::Fault(fault) => json!(fault),
            FromServer::End(end) => json!(end),
            FromServer::Bye(bye) => json!(bye),
            FromServer::Unknown => json!({}),
        };
        message["type"] = vector.message["type"].clone();
        let view = match decoded {
            FromServer::Request(request) => request.view_as().unwrap(),
            FromServer::End(_) => view_in::<Option<Value>>(&body).unwrap(),
            _ => None,
        };
        if let Some(view) = view {
            message["view"] = view;
        }
        assert_eq!(message, vector.message, "{}", vector.name);
    }
}

#[test]
fn messages_to_the_server_are_packed() {
    let vectors = load::<MessageVector>("messages");
    for vector in vectors.iter().filter(|vector| vector.from == "bot") {
        let body = bytes(&vector.hex);
        assert_eq!(unpack(&body), vector.message, "{}", vector.name);
        let message = match vector.message["type"].as_str() {
            Some("hello") => ToServer::Hello(rmp_serde::from_slice(&body).unwrap()),
            _ => ToServer::Action(rmp_serde::from_slice(&body).unwrap()),
        };
        let mut written = Written::default();
        Sender::new(&mut written).send(&message).unwrap();
        let packed = written.bodies().remove(0);
        assert_eq!(unpack(&packed), vector.message, "{}", vector.name);
        if vector.canonical {
            assert_eq!(packed, body, "{}", vector.name);
        }
    }
}

#[derive(Deserialize)]
struct Conversation {
    name: String,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    from: String,
    #[serde(default)]
    message: Value,
    hex: String,
}

#[test]
fn whole_conversations_are_played() {
    for vector in load::<Conversation>("conversations") {
        let said = || vector.steps.iter().filter(|step| step.from == "server");
        for step in said() {
            let message = unpack(&bytes(&step.hex)[4..]);
            assert_eq!(message, step.message, "{}", vector.name);
        }
        // All that the server says, three bytes at a time.
        let all: Vec<u8> = said().flat_map(|step| bytes(&step.hex)).collect();
        let chunks = Chunks(all.chunks(3).map(<[u8]>::to_vec).collect());
        let mut written = Written::default();

        let receiver = Receiver::new(chunks, MAX_BODY_BYTES);
        let end = play(receiver, Sender::new(&mut written), "tK3x");

        if said().any(|step| step.message["type"] == "bye") {
            end.unwrap();
        } else {
            let error = end.unwrap_err();
            let broken = error.downcast_ref::<Broken>();
            assert!(matches!(broken, Some(Broken::Closed)), "{error}");
        }
        let mut answers = written.bodies().into_iter().map(|body| unpack(&body));
        let hello = answers.next().unwrap();
        assert_eq!(
            (&hello["type"], &hello["token"]),
            (&json!("hello"), &json!("tK3x"))
        );
        for step in said().filter(|step| step.message["type"] == "request") {
            let answer = answers.next().unwrap();
            assert_eq!(answer["type"], "action");
            assert_eq!(answer["match"], step.message["match"], "{}", vector.name);
            assert_eq!(answer["id"], step.message["id"], "{}", vector.name);
            let legal = step.message["legal"].as_array().unwrap();
            assert!(legal.contains(&answer["action"]), "{}", vector.name);
        }
        assert_eq!(answers.next(), None, "{}", vector.name);
    }
}

#[test]
fn every_request_is_answered_with_a_legal_action() {
    let conversations = load::<Conversation>("conversations");
    let steps = conversations.iter().flat_map(|vector| &vector.steps);
    for step in steps.filter(|step| step.message["type"] == "request") {
        let body = &bytes(&step.hex)[4..];
        let FromServer::Request(request) = FromServer::decode(body).unwrap() else {
            panic!("{}", step.message);
        };
        for decision in [decide(&request), high(&request)] {
            assert!(
                request.legal.contains(&decision.unwrap()),
                "{}",
                step.message
            );
        }
    }
}

#[test]
fn views_are_read_whole() {
    let mut games = BTreeSet::new();
    let conversations = load::<Conversation>("conversations");
    for step in conversations.iter().flat_map(|vector| &vector.steps) {
        // A mere hand is no view of any game.
        let Some(game) = step.message["view"]["game"].as_str() else {
            continue;
        };
        games.insert(game);
        let body = &bytes(&step.hex)[4..];
        let came = match FromServer::decode(body).unwrap() {
            FromServer::Request(request) => request.view(),
            FromServer::End(end) => end.view(),
            _ => panic!("{}", step.message),
        };
        let mut came = match came.unwrap() {
            View::Trick(view) => json!(view),
            View::Nope(view) => json!(view),
            View::Unknown => json!({}),
        };
        // A turn of NOPE! is a list, with its cards behind the rest.
        let seats = came.get_mut("recent").and_then(Value::as_array_mut);
        for turn in seats
            .into_iter()
            .flatten()
            .flat_map(|turns| turns.as_array_mut().unwrap())
        {
            let mut list = vec![
                &turn["number"],
                &turn["count"],
                &turn["colours"],
                &turn["drawn"],
            ];
            list.extend(turn["laid"].as_array().unwrap());
            *turn = json!(list);
        }
        let mut expected = step.message["view"].clone();
        // One conversation is with a later server (9).
        expected.as_object_mut().unwrap().remove("weather");
        assert_eq!(came, expected);
    }
    assert!(
        games.contains("nyet") && games.contains("nope"),
        "{games:?}"
    );
}

fn packed_request(view: Value) -> Vec<u8> {
    rmp_serde::to_vec(&json!({
        "type": "request", "match": "m-1", "id": 1, "legal": ["R1"], "view": view,
        "time_us": 1, "charged_us": 0,
    }))
    .unwrap()
}

#[test]
fn a_view_of_a_game_that_is_not_invented_yet_is_unknown_and_can_be_read() {
    #[derive(Deserialize)]
    struct Hand<'a> {
        #[serde(borrow)]
        hand: Vec<&'a str>,
    }
    let body = packed_request(json!({"game": "whist", "hand": ["R1", "G7"]}));
    let FromServer::Request(request) = FromServer::decode(&body).unwrap() else {
        panic!("that was a request");
    };
    assert_eq!(request.view().unwrap(), View::Unknown);
    let view: Hand = request.view_as().unwrap();
    assert_eq!(view.hand, ["R1", "G7"]);
}

#[test]
fn a_view_that_cannot_be_read_is_told() {
    let body = packed_request(json!({"game": "nope", "hand": 7}));
    let FromServer::Request(request) = FromServer::decode(&body).unwrap() else {
        panic!("that was a request");
    };
    let error = request.view().unwrap_err().to_string();
    assert!(error.starts_with("reading the view: "), "{error}");
}

#[test]
fn the_suit_that_was_led_is_followed() {
    #[derive(Deserialize)]
    struct Vector {
        name: String,
        hex: String,
        may_play: Vec<String>,
    }
    for vector in load::<Vector>("following") {
        let body = bytes(&vector.hex);
        let view: TrickView = rmp_serde::from_slice(&body).unwrap();
        let led = suit(view.tricks.last().unwrap()[0], &view);
        let mut follow = view.hand.clone();
        follow.retain(|card| suit(card, &view) == led);
        if follow.is_empty() {
            follow = view.hand.clone();
        }
        assert_eq!(follow, vector.may_play, "{}", vector.name);
    }
}

#[test]
fn a_trick_is_taken_as_the_rules_say() {
    #[derive(Deserialize)]
    struct Vector {
        name: String,
        hex: String,
        taken_by: usize,
        teammates: Vec<usize>,
    }
    for vector in load::<Vector>("tricks") {
        let body = bytes(&vector.hex);
        let mut view: TrickView = rmp_serde::from_slice(&body).unwrap();
        assert_eq!(taker(&view), Some(vector.taken_by), "{}", vector.name);
        // Were the trick led by the next seat, it would go to the next seat.
        *view.leaders.last_mut().unwrap() += 1;
        let next = (vector.taken_by + 1) % view.seats;
        assert_eq!(taker(&view), Some(next), "{}", vector.name);
        assert_eq!(teammates(&view), vector.teammates, "{}", vector.name);
        for seat in 0..view.seats {
            let mine = seat == view.seat || vector.teammates.contains(&seat);
            assert_eq!(is_with_me(seat, &view), mine, "{}: {seat}", vector.name);
        }
        // Before the first card, and before teams are chosen.
        view.tricks.push(vec![]);
        assert_eq!(taker(&view), None);
        view.team = None;
        assert!(teammates(&view).is_empty());
    }
}

#[test]
fn the_second_example_takes_tricks_cheaply() {
    let vectors = load::<Value>("following");
    let body = bytes(vectors[0]["hex"].as_str().unwrap());
    let mut view: TrickView = rmp_serde::from_slice(&body).unwrap();
    (view.game, view.seats, view.leaders) = ("nyet", 3, vec![0]);
    (view.trump, view.supertrump) = (Some("Y"), Some("B"));
    for (about, trick, team, points, legal, expected) in [
        ("the strongest leads", "", [0, 1], 1, "R3 R9", "R9"),
        ("or the weakest", "", [0, 1], -2, "R3 R9", "R3"),
        ("as cheaply as it can", "R5", [0, 2], 1, "R4 R7 R9", "R7"),
        ("of equals the later", "R5", [0, 2], 1, "R5 R7", "R5"),
        ("it cannot", "R5", [0, 2], 1, "R2 R4", "R2"),
        ("a teammate has it", "R5", [0, 1], 1, "R4 R7", "R4"),
        ("tricks cost points", "R5", [0, 2], -2, "R2 R4 R7", "R4"),
        ("and it must take", "R5", [0, 2], -2, "R6 R7", "R7"),
        ("it is no blue any more", "B1", [0, 2], -2, "B7 G9", "G9"),
    ] {
        view.tricks = vec![trick.split_whitespace().collect()];
        view.seat = view.tricks[0].len();
        (view.team, view.points) = (Some(team.into()), Some(points));
        let legal: Vec<_> = legal.split_whitespace().collect();
        assert_eq!(card_to_play(&legal, &view), Some(expected), "{about}");
    }
}

#[test]
fn a_card_of_nope_shows_its_colours_and_number() {
    #[derive(Deserialize)]
    struct Vector {
        card: String,
        colours: String,
        number: Option<u32>,
    }
    for vector in load::<Vector>("showing") {
        let card = vector.card.as_str();
        assert_eq!(colours(card), vector.colours, "{card}");
        assert_eq!(number(card), vector.number, "{card}");
        for colour in "RGBY".chars() {
            assert_eq!(
                shows(card, colour),
                vector.colours.contains(colour),
                "{card}"
            );
        }
    }
}

#[test]
fn an_address_is_read_or_refused_in_words() {
    for text in ["unix:/run/a:b", "tcp:localhost:4000", "tcp:[::1]:4000"] {
        assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
    }
    for text in [
        "",
        "unix",
        "unix:",
        "tcp:",
        "tcp:localhost",
        "tcp::4000",
        "tcp:localhost:0",
        "tcp:localhost:http",
        "tcp:localhost:65536",
        "tcp:::1:4000",
        "udp:localhost:4000",
    ] {
        let error = text.parse::<Address>().unwrap_err();
        assert!(
            error.contains(&format!("ARENA_CONNECT is {text:?}")),
            "{error}"
        );
    }
}
