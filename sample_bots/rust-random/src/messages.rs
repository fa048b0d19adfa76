//! The messages of chapter 4. What may be nil on the wire is an `Option` here. Fields that a
//! struct does not name are passed over, so new ones do no harm (9).
//!
//! Most of these fields are for you to use: this bot looks at few of them.
#![allow(dead_code)]

use std::collections::BTreeMap;

use rmp_serde::decode::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    Start(Start),
    Request(Request<'a>),
    Fault(Fault),
    End(End),
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
pub struct Start {
    #[serde(rename = "match")]
    pub match_name: String,
    pub game: String,
    pub options: BTreeMap<String, Value>,
    pub seats: usize,
    pub names: Vec<String>,
    pub seat: usize,
    pub clock: BTreeMap<String, u64>,
    pub commitment: String,
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
    /// The view: as a struct of yours with the fields you want, out of 11.11 or 12.11, or as a
    /// `serde_json::Value` with all of them, which holds what came in msgpack just as well.
    ///
    /// It is read on demand, because it is most of a request's bytes: who does not look does
    /// not pay.
    pub fn view<V: Deserialize<'a>>(&self) -> Result<V, Error> {
        #[derive(Deserialize)]
        struct WithView<V> {
            view: V,
        }
        let with: WithView<V> = rmp_serde::from_slice(self.body)?;
        Ok(with.view)
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

/// The match is over (4.7). `view` is what our seat sees then; `None` where it was left out.
#[derive(Deserialize)]
#[cfg_attr(test, derive(Serialize))]
pub struct End {
    #[serde(rename = "match")]
    pub match_name: String,
    pub scores: Vec<i64>,
    pub places: Vec<usize>,
    pub ending: String,
    pub faults: Vec<String>,
    pub forfeits: Vec<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Value>,
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
            "end" => FromServer::End(rmp_serde::from_slice(body)?),
            "bye" => FromServer::Bye(rmp_serde::from_slice(body)?),
            _ => FromServer::Unknown,
        })
    }
}
