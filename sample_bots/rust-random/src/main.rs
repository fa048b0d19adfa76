//! The least a bot can be in Rust: it plays any legal action, in every game.
//!
//! The loop of messages is here. Your idea goes into `choose.rs`; what is said stands in
//! `messages.rs`, and `link.rs` brings it over the wire. Numbers in comments are sections of
//! SPEC.md.

mod choose;
mod link;
mod messages;
#[cfg(test)]
mod vectors;

use std::error::Error;
use std::io::{Read, Write};
use std::time::Duration;
use std::{env, process, thread};

use choose::choose;
use link::{connect, Receiver, Sender};
use messages::{Action, Bye, FromServer, Hello, ToServer};

/// The reasons of `bye` after which all is well (4.8), and after which a bot that dials in may
/// come again (2.5).
const WELL: [&str; 3] = ["done", "stopping", "replaced"];
const AGAIN: [&str; 3] = ["stopping", "hung", "token-in-use"];

fn main() {
    // 2.5: only bots that dial in have this; others end with their connection.
    let retry = env::var("ARENA_RETRY_S").ok().and_then(|s| s.parse().ok());
    loop {
        let (well, again) = match session() {
            Ok(bye) => {
                let reason = bye.reason.as_str();
                if !WELL.contains(&reason) {
                    // Standard error is kept for you (2.4).
                    eprintln!("{}", bye.text);
                }
                (WELL.contains(&reason), AGAIN.contains(&reason))
            }
            Err(error) => {
                eprintln!("{error}");
                (false, true)
            }
        };
        match retry {
            Some(seconds) if again => thread::sleep(Duration::from_secs(seconds)),
            _ => process::exit(if well { 0 } else { 1 }),
        }
    }
}

/// One connection, from hello to the bye that is returned.
fn session() -> Result<Bye, Box<dyn Error>> {
    let address = env::var("ARENA_CONNECT").map_err(|e| format!("ARENA_CONNECT: {e}"))?;
    let token = env::var("ARENA_TOKEN").map_err(|e| format!("ARENA_TOKEN: {e}"))?;
    let (receiver, sender) = connect(&address)?;
    play(receiver, sender, &token)
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
                    action: choose(&request),
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
