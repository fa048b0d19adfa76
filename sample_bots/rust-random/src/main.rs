//! The least a bot can be in Rust: it plays any legal action, in every game.
//!
//! Your idea goes into `decide.rs`. The loop of messages is here; `messages.rs` has a struct for
//! each message, and `link.rs` brings them over the wire. Numbers in comments are sections of
//! SPEC.md.

// Helpers, the second example and most fields are there for you: this bot uses few of them.
#[allow(dead_code)]
mod cards;
mod decide;
#[allow(dead_code)]
mod high;
mod link;
#[allow(dead_code)]
mod messages;
#[cfg(test)]
mod vectors;
#[allow(dead_code)]
mod views;

use std::env::VarError;
use std::error::Error;
use std::io::{Read, Write};
use std::time::Duration;
use std::{env, process, thread};

use decide::decide;
use link::{Address, Receiver, Sender, connect};
use messages::{Action, Bye, FromServer, Hello, ToServer};

/// The reasons of `bye` after which all is well (4.8), and after which a bot that dials in may
/// come again (2.5).
const WELL: [&str; 3] = ["done", "stopping", "replaced"];
const AGAIN: [&str; 3] = ["stopping", "hung", "token-in-use"];

fn main() {
    let settings = Settings::from_environment().unwrap_or_else(|error| {
        eprintln!("{error}"); // Standard error is kept for you (2.4).
        process::exit(1)
    });
    loop {
        let (well, again) = match session(&settings) {
            Ok(bye) => {
                let reason = bye.reason.as_str();
                if !WELL.contains(&reason) {
                    eprintln!("{}", bye.text);
                }
                (WELL.contains(&reason), AGAIN.contains(&reason))
            }
            Err(error) => {
                eprintln!("{error}");
                (false, true)
            }
        };
        match settings.pause {
            Some(pause) if again => thread::sleep(pause),
            _ => process::exit(if well { 0 } else { 1 }),
        }
    }
}

/// The environment that a bot is started with (2.1).
struct Settings {
    address: Address,
    token: String,
    /// Before a bot that dials in comes again (2.5); others end with their connection.
    pause: Option<Duration>,
}

impl Settings {
    fn from_environment() -> Result<Self, String> {
        let address = variable("ARENA_CONNECT", "unix:PATH or tcp:HOST:PORT")?;
        let token = variable("ARENA_TOKEN", "the token of your bot")?;
        let pause = env::var_os("ARENA_RETRY_S").map(|text| match text.to_str().map(str::parse) {
            Some(Ok(seconds)) if seconds > 0 => Ok(Duration::from_secs(seconds)),
            _ => Err(format!(
                "ARENA_RETRY_S is {text:?}; it should be seconds, such as 5"
            )),
        });
        Ok(Settings {
            address: address.parse()?,
            token,
            pause: pause.transpose()?,
        })
    }
}

/// A variable that every bot has.
fn variable(name: &str, like: &str) -> Result<String, String> {
    let wrong = match env::var(name) {
        Ok(value) if !value.is_empty() => return Ok(value),
        Ok(_) => "is empty",
        Err(VarError::NotPresent) => "is not set",
        Err(VarError::NotUnicode(_)) => "is no text in UTF-8",
    };
    Err(format!(
        "{name} {wrong}; it should be {like} (SPEC 2.1). `arena` sets it for the bots that it \
         starts; for one that dials in you set it"
    ))
}

/// One connection, from hello to the bye that is returned.
fn session(settings: &Settings) -> Result<Bye, Box<dyn Error>> {
    let (receiver, sender) = connect(&settings.address)?;
    play(receiver, sender, &settings.token)
}

/// Says hello and then answers every request, until the server says bye.
fn play(
    mut receiver: Receiver<impl Read>,
    mut sender: Sender<impl Write>,
    token: &str,
) -> Result<Bye, Box<dyn Error>> {
    sender.send(&ToServer::Hello(Hello::new(token)))?;
    loop {
        match FromServer::decode(receiver.receive()?)? {
            // 4.4: we owe a decision, and the clock runs.
            FromServer::Request(request) => {
                let action = Action {
                    match_name: request.match_name,
                    id: request.id,
                    action: decide(&request)
                        .map_err(|error| format!("decide, request {}: {error}", request.id))?,
                    note: None,
                };
                sender.send(&ToServer::Action(action))?;
            }
            // 4.6: what we did wrong, in words. It wants no answer.
            FromServer::Fault(fault) => eprintln!("{}", fault.text),
            // 4.8: the server hangs up, and says why.
            FromServer::Bye(bye) => return Ok(bye),
            // 4: everything else may be passed over, also what is not invented yet.
            _ => {}
        }
    }
}
