//! The messages of chapter 4. What may be nil on the wire is an `Option` here. Fields that a
//! struct does not name are passed over, so new ones do no harm (9).
//!
//! Most of these fields are for you to use: this bot looks at few of them.

use std::collections::BTreeMap;

use rmp_serde::decode::Error;
use serde::de::Error as _;
use serde::{Deserialize, Serialize};

use crate::views::View;

/// What a bot says.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ToServer<'a> {
    Hello(Hello<'a>),
    Action(Action<'a>),
}

/// Our first message (4.1). The token says who we are; the rest is for people.
#[derive(Serialize)]
#[cfg_attr(test, derive(Deserialize))]
pub struct Hello<'a> {
    pub protocol: u64,
    pub token: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offers: Option<Vec<&'a str>>,
}

impl<'a> Hello<'a> {
    pub fn new(token: &'a str) -> Self {
        Hello {
            protocol: 1,
            token,
            version: Some(env!("CARGO_PKG_VERSION")),
            author: None,
            language: Some("Rust"),
            offers: None,
        }
    }
}

/// The answer to a request (4.5): `match_name` and `id` are copied from it, `action` is out of
/// its `legal`, and `note` is a remark that is kept in the record.
#[derive(Serialize)]
#[cfg_attr(test, derive(Deserialize))]
pub struct Action<'a> {
    #[serde(rename = "match")]
    pub match_name: &'a str,
    pub id: u64,
    pub action: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'a str>,
}

/// What the server says.
pub enum FromServer<'a> {
    Welcome(Welcome),
    Start(Start<'a>),
    Request(Request<'a>),
    Fault(Fault),
    End(End<'a>),
    Bye(Bye),
    /// A message that this program knows nothing of (9).
    Unknown,
}

/// The hello was accepted (4.2).
#[derive(Deserialize)]
#[cfg_attr(test, derive(Serialize))]
pub struct Welcome {
    pub protocol: u64,
    pub name: String,
    pub offers: Vec<String>,
    pub limits: BTreeMap<String, u64>,
}

/// A match begins (4.3).
#[derive(Deserialize)]
#[cfg_attr(test, derive(Serialize))]
pub struct Start<'a> {
    #[serde(rename = "match")]
    pub match_name: String,
    pub game: String,
    #[serde(borrow)]
    pub options: BTreeMap<&'a str, Setting<'a>>,
    pub seats: usize,
    pub names: Vec<String>,
    pub seat: usize,
    pub clock: BTreeMap<String, u64>,
    pub commitment: String,
}

/// The value of an option (10.4), which may be anything.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(Serialize))]
#[serde(untagged)]
pub enum Setting<'a> {
    Nil,
    Is(bool),
    Number(i64),
    Text(&'a str),
    #[serde(borrow)]
    List(Vec<Setting<'a>>),
    Map(BTreeMap<&'a str, Setting<'a>>),
}

/// You owe a decision (4.4). It borrows from the frame that it came in.
#[derive(Deserialize)]
#[cfg_attr(test, derive(Serialize))]
pub struct Request<'a> {
    #[serde(rename = "match")]
    pub match_name: &'a str,
    pub id: u64,
    #[serde(borrow)]
    pub legal: Vec<&'a str>,
    pub time_us: u64,
    pub charged_us: u64,
    #[serde(skip)]
    body: &'a [u8],
}

impl<'a> Request<'a> {
    /// One of the legal actions, each with the same chance.
    pub fn lot(&self) -> &'a str {
        self.legal[fastrand::usize(..self.legal.len())]
    }

    /// What your seat may know.
    ///
    /// It is decoded when you ask for it, because it is most of a request's bytes: who does not
    /// look does not pay.
    pub fn view(&self) -> Result<View<'a>, Error> {
        view_of(self.body)
    }

    /// The view of any game, as a struct of yours with the fields you want.
    pub fn view_as<V: Deserialize<'a>>(&self) -> Result<V, Error> {
        view_in(self.body)
    }
}

/// The view in the body of a message, by the game that it is of.
fn view_of(body: &[u8]) -> Result<View<'_>, Error> {
    #[derive(Deserialize)]
    struct Game<'a> {
        #[serde(borrow)]
        game: Option<&'a str>,
    }
    match view_in::<Option<Game>>(body)? {
        Some(Game { game: Some(game) }) => View::read(game, body),
        _ => Ok(View::Unknown),
    }
}

/// The view in the body of a message.
pub fn view_in<'a, V: Deserialize<'a>>(body: &'a [u8]) -> Result<V, Error> {
    #[derive(Deserialize)]
    struct WithView<V> {
        view: V,
    }
    match rmp_serde::from_slice::<WithView<V>>(body) {
        Ok(message) => Ok(message.view),
        Err(error) => Err(Error::custom(format_args!("reading the view: {error}"))),
    }
}

/// We broke a rule (4.6). `text` says it all.
#[derive(Deserialize)]
#[cfg_attr(test, derive(Serialize))]
pub struct Fault {
    #[serde(rename = "match")]
    pub match_name: Option<String>,
    pub id: Option<u64>,
    pub kind: String,
    pub code: String,
    pub came: String,
    pub expected: String,
    pub played: Option<String>,
    pub faults: u64,
    pub forfeit: bool,
    pub text: String,
}

/// The match is over (4.7).
#[derive(Deserialize)]
#[cfg_attr(test, derive(Serialize))]
pub struct End<'a> {
    #[serde(rename = "match")]
    pub match_name: String,
    pub scores: Vec<i64>,
    pub places: Vec<usize>,
    pub ending: String,
    pub faults: Vec<String>,
    pub forfeits: Vec<usize>,
    #[serde(skip)]
    body: &'a [u8],
}

impl<'a> End<'a> {
    /// What our seat sees then; `View::Unknown` also where it was left out.
    pub fn view(&self) -> Result<View<'a>, Error> {
        view_of(self.body)
    }
}

/// The server hangs up (4.8).
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(Serialize))]
pub struct Bye {
    pub reason: String,
    pub text: String,
}

impl<'a> FromServer<'a> {
    /// Reads the body of a frame: once for its type, which says what the rest is, and once for
    /// that. (serde can do it in one go, with `tag = "type"`, but copies every field for that.)
    pub fn decode(body: &'a [u8]) -> Result<Self, Error> {
        #[derive(Deserialize)]
        struct Type<'a> {
            r#type: &'a str,
        }
        let Type { r#type } = rmp_serde::from_slice(body)?;
        Ok(match r#type {
            "welcome" => FromServer::Welcome(rmp_serde::from_slice(body)?),
            "start" => FromServer::Start(rmp_serde::from_slice(body)?),
            "request" => {
                let mut request: Request = rmp_serde::from_slice(body)?;
                request.body = body;
                FromServer::Request(request)
            }
            "fault" => FromServer::Fault(rmp_serde::from_slice(body)?),
            "end" => {
                let mut end: End = rmp_serde::from_slice(body)?;
                end.body = body;
                FromServer::End(end)
            }
            "bye" => FromServer::Bye(rmp_serde::from_slice(body)?),
            _ => FromServer::Unknown,
        })
    }
}
