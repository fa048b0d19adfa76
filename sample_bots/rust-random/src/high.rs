use std::error::Error;

use crate::cards::{is_with_me, strength, taker};
use crate::messages::Request;
use crate::views::{TrickView, View};

/// A second example, a rule of thumb for the trick games: take tricks as cheaply as you can, and
/// leave those alone that a teammate takes. All else is left to chance.
///
/// Write `crate::high::high(request)` into `decide`, and it is your bot.
pub fn high<'a>(request: &Request<'a>) -> Result<&'a str, Box<dyn Error>> {
    match request.view()? {
        View::Trick(view) if view.phase == "play" => {
            card_to_play(&request.legal, &view).ok_or_else(|| "a view without a trick".into())
        }
        // Tokens, teams, discards, NOPE!, and games of a later day.
        _ => Ok(request.lot()),
    }
}

/// The card to play; `None` only where the view lacks what every view in phase `play` has.
pub fn card_to_play<'a>(legal: &[&'a str], view: &TrickView<'a>) -> Option<&'a str> {
    let trick = view.tricks.last()?; // The open one; empty if we lead.
    let shy = view.points? < 0; // A round in which tricks cost points.
    let power = |card: &&'a str| strength(card, trick.first().unwrap_or(card), view);
    let weakest = |cards: &[&'a str]| cards.iter().copied().min_by_key(power);
    let strongest = |cards: &[&'a str]| cards.iter().copied().max_by_key(power);

    let Some(holder) = taker(view) else {
        return if shy {
            weakest(legal)
        } else {
            strongest(legal)
        };
    };
    // Of two cards that are equally strong the later takes the trick.
    let to_beat = trick.iter().map(power).max()?;
    let (taking, losing): (Vec<_>, Vec<_>) = legal
        .iter()
        .copied()
        .partition(|card| power(card) >= to_beat);
    if shy {
        strongest(&losing).or(strongest(legal))
    } else if taking.is_empty() || is_with_me(holder, view) {
        weakest(legal)
    } else {
        weakest(&taking)
    }
}
