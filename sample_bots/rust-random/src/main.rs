//! The least a bot can be in Rust: it plays any legal action, in all four games.
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
use std::{env, process};

use choose::choose;
use link::{connect, Receiver, Sender};
use messages::{Action, FromServer, Hello, ToServer};

fn main() {
    if let Err(error) = run() {
        // Standard error is kept for you (2.4).
        eprintln!("{error}");
        process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
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
) -> Result<(), Box<dyn Error>> {
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
            // 4.8: the one way a session ends well.
            FromServer::Bye(bye) => {
                if bye.reason != "done" {
                    eprintln!("{}", bye.text);
                }
                return Ok(());
            }
            // 4: everything else may be passed over, also what is not invented yet.
            _ => {}
        }
    }
}
