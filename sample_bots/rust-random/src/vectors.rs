//! The vectors that concern a bot: what the bytes on the wire mean, with this bot's own code.
//! They lie in the folder that ARENA_VECTORS names; without it, where they are in a checkout.

use std::io::{self, Read, Write};
use std::{env, fs};

use serde::de::DeserializeOwned;
use serde::Deserialize;
use serde_json::{json, Value};

use crate::link::{Broken, Receiver, Sender};
use crate::messages::{FromServer, ToServer};
use crate::play;

const MAX_BODY_BYTES: usize = 16384;

fn load<V: DeserializeOwned>(name: &str) -> Vec<V> {
    #[derive(Deserialize)]
    struct File<V> {
        vectors: Vec<V>,
    }
    let folder = env::var("ARENA_VECTORS").unwrap_or_else(|_| "../../protocol/vectors".into());
    let path = format!("{folder}/{name}.json");
    let text = fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{path}: {error}; set ARENA_VECTORS to their folder"));
    let file: File<V> = serde_json::from_str(&text).unwrap();
    assert!(!file.vectors.is_empty());
    file.vectors
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
        if let FromServer::Request(request) = decoded {
            message["view"] = request.view().unwrap();
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

#[test]
fn whole_conversations_are_played() {
    #[derive(Deserialize)]
    struct Vector {
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
    for vector in load::<Vector>("conversations") {
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
fn a_view_is_read_as_far_as_it_is_asked_for() {
    #[derive(Deserialize)]
    struct View<'a> {
        #[serde(borrow)]
        hand: Vec<&'a str>,
    }
    let body = rmp_serde::to_vec(&json!({
        "type": "request", "match": "m-1", "id": 1, "legal": ["R1"],
        "view": {"phase": "play", "trick": [], "hand": ["R1", "G7"]},
        "time_us": 1, "charged_us": 0,
    }))
    .unwrap();
    match FromServer::decode(&body).unwrap() {
        FromServer::Request(request) => {
            let view: View = request.view().unwrap();
            assert_eq!(view.hand, ["R1", "G7"]);
        }
        _ => panic!("that was a request"),
    }
}
