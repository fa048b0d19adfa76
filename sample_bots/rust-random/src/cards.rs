//! Helpers for cards: what the rules say of them, so that your idea need not.

use crate::views::TrickView;

// The trick games. A card is its colour's letter and its rank: "R13".

/// The letter of the suit that a card belongs to in this round (11.4).
pub fn suit<'a>(card: &'a str, view: &TrickView<'a>) -> &'a str {
    match view.trump {
        Some(trump) if view.game == "nyet" && is_supertrump(card, view) => trump,
        _ => &card[..1],
    }
}

/// A card's number.
pub fn rank(card: &str) -> u32 {
    match card[1..].parse() {
        Ok(rank) => rank,
        Err(_) => panic!("{card:?} is no card of a trick game"),
    }
}

/// Whether a card takes whatever else is played (11.5).
pub fn is_supertrump(card: &str, view: &TrickView) -> bool {
    let low = if view.game == "njet" { 0 } else { 1 }; // 11.1
    view.supertrump == Some(&card[..1]) && rank(card) == low
}

/// Higher for the card that takes the trick (11.5); of two equal ones the card played later takes
/// it. `led` is the first card of the trick; for a card that leads, the card itself.
pub fn strength<'a>(card: &'a str, led: &'a str, view: &TrickView<'a>) -> u32 {
    let suit_of_card = suit(card, view);
    if is_supertrump(card, view) {
        300
    } else if view.trump == Some(suit_of_card) {
        200 + rank(card)
    } else if suit_of_card == suit(led, view) {
        100 + rank(card)
    } else {
        rank(card)
    }
}

/// The seat that takes the open trick as it lies; `None` while no card lies there.
pub fn taker(view: &TrickView) -> Option<usize> {
    let trick = view.tricks.last()?;
    // Of equally strong cards `max_by_key` gives the last, which is the one that takes.
    let place = (0..trick.len()).max_by_key(|&at| strength(trick[at], trick[0], view))?;
    Some((view.leaders.last()? + place) % view.seats)
}

/// The other seats of your team (11.3.3); none before teams are chosen.
pub fn teammates(view: &TrickView) -> Vec<usize> {
    (0..view.seats)
        .filter(|&seat| seat != view.seat && is_with_me(seat, view))
        .collect()
}

/// Whether the tricks of a seat are yours too: it is your own, or on your team.
pub fn is_with_me(seat: usize, view: &TrickView) -> bool {
    match &view.team {
        Some(team) => team.contains(&seat) == team.contains(&view.seat),
        None => seat == view.seat, // Not chosen yet.
    }
}

// NOPE! (12.1). The "!" of an action such as "X!", which lays the card X alone (12.10), is no part
// of the card: take it off with `action.trim_end_matches('!')`.

/// The letters of the colours that a card shows, such as "RG" or "RGBY".
pub fn colours(card: &str) -> &str {
    match card {
        "J" | "X" | "S*" => "RGBY",
        _ => card
            .trim_start_matches(['T', 'S'])
            .trim_end_matches(['1', '2', '3']),
    }
}

/// Whether a card shows a colour, given by its letter.
pub fn shows(card: &str, colour: char) -> bool {
    colours(card).contains(colour)
}

/// How many cards a card asks for; `None` for action cards, which print no number.
pub fn number(card: &str) -> Option<u32> {
    if card == "J" {
        return Some(1);
    }
    card.chars().last()?.to_digit(10)
}
