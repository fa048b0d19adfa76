//! Made from the field tables of the games: the views of 11.11 and 12.11. Where a comment says
//! nil, there is an `Option`. Fields that are not named here are passed over, and a text may have
//! values that are not invented yet (9).

use std::collections::BTreeMap;
use std::fmt::{Formatter, Result as Written};

use rmp_serde::decode::Error;
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::messages::{Setting, view_in};

/// The round finished last.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub struct PreviousRound<'a> {
    /// Its number, from 1.
    pub round: usize,
    /// Its dealer.
    pub dealer: usize,
    /// Row 1: its first player.
    pub first: usize,
    /// Row 2: the open box.
    pub discard: &'a str,
    /// Row 3: a colour letter, or `-` for none.
    pub trump: &'a str,
    /// Row 4: a colour letter, or `-` for none.
    pub supertrump: &'a str,
    /// Row 5: what a trick and a piece of loot were worth.
    pub points: i64,
    /// The first player's team, ascending.
    pub team: Vec<usize>,
    /// The seat that held the bonus card; nil with 2 or 4 seats.
    pub bonus: Option<usize>,
    /// By seat, the tricks taken.
    pub tricks_won: Vec<usize>,
    /// By seat, the loot captured.
    pub loot: Vec<usize>,
    /// By seat, the points of that round alone.
    pub scored: Vec<i64>,
    /// The seat that led its last trick.
    pub last_leader: usize,
    /// The cards of its last trick, in order of play.
    #[serde(borrow)]
    pub last_trick: Vec<&'a str>,
    /// The seat that took it.
    pub last_winner: usize,
}

/// A view of nyet, njet and njet-it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub struct TrickView<'a> {
    /// The name of the rule set (11.1).
    pub game: &'a str,
    /// How many sit at the table.
    pub seats: usize,
    /// Your seat, from 0.
    pub seat: usize,
    /// Every option of 11.7 with the value in force.
    #[serde(borrow)]
    pub options: BTreeMap<&'a str, Setting<'a>>,
    /// The round being played, from 1.
    pub round: usize,
    /// The match has at most so many rounds.
    pub rounds: usize,
    /// `tokens`, `team`, `discard` (or pass) or `play`: what is asked for (11.3); `over`.
    pub phase: &'a str,
    /// This round's dealer.
    pub dealer: usize,
    /// The seat that owes a decision; nil in phase `discard`, where all do, and when over.
    pub turn: Option<usize>,
    /// By seat, the points of all finished rounds.
    pub scores: Vec<i64>,
    /// Your cards, in the order of 11.10, copies repeated, without those you have chosen to
    /// discard or pass.
    #[serde(borrow)]
    pub hand: Vec<&'a str>,
    /// By seat, the cards held; in phase `discard` still those dealt.
    pub hand_sizes: Vec<usize>,
    /// The boxes not covered, in the order of 11.10.
    #[serde(borrow)]
    pub open: Vec<&'a str>,
    /// The boxes covered this round, first to last.
    #[serde(borrow)]
    pub tokens: Vec<&'a str>,
    /// The seat that placed, or will place, the first token; the others follow clockwise.
    pub first_token: usize,
    /// Row 1: the first player; nil until all rows are settled.
    pub first: Option<usize>,
    /// Row 2: the open box, such as `1x`; nil until settled.
    #[serde(borrow)]
    pub discard: Option<&'a str>,
    /// Row 3: a colour letter, or `-` for none; nil until settled.
    #[serde(borrow)]
    pub trump: Option<&'a str>,
    /// Row 4: a colour letter, or `-` for none; nil until settled.
    #[serde(borrow)]
    pub supertrump: Option<&'a str>,
    /// Row 5: what a trick and a piece of loot are worth; nil until settled.
    pub points: Option<i64>,
    /// The first player's team, ascending; all others are the other team; nil until chosen.
    pub team: Option<Vec<usize>>,
    /// The seat that holds the bonus card; nil until chosen, and with 2 or 4 seats.
    pub bonus: Option<usize>,
    /// The cards you have discarded or passed this round, as chosen.
    #[serde(borrow)]
    pub given: Vec<&'a str>,
    /// The cards passed to you this round, once all have chosen.
    #[serde(borrow)]
    pub received: Vec<&'a str>,
    /// Every trick of the round, each its cards in order of play; no trick before phase `play`; in
    /// phase `play` the last is the open one, and may be empty.
    #[serde(borrow)]
    pub tricks: Vec<Vec<&'a str>>,
    /// For each of `tricks`, the seat that led it.
    pub leaders: Vec<usize>,
    /// By seat, the tricks taken this round.
    pub tricks_won: Vec<usize>,
    /// By seat, the loot captured this round (11.6).
    pub loot: Vec<usize>,
    /// The round finished last; nil in the first round.
    #[serde(borrow)]
    pub previous: Option<PreviousRound<'a>>,
}

/// What must be laid.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub struct Demand<'a> {
    /// How many cards.
    pub count: usize,
    /// The letters of the colours, in the order `RGBY`.
    pub colours: &'a str,
}

/// The choice that made a demand.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub struct Choice {
    /// The seat that made it.
    pub by: usize,
    /// The seat it named.
    pub to: usize,
}

/// A turn that a seat has finished.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(test, derive(serde::Serialize))]
pub struct NopeTurn<'a> {
    /// Counted from 1, over the turns of all seats.
    pub number: usize,
    /// Of the demand.
    pub count: usize,
    /// Of the demand.
    pub colours: &'a str,
    /// How many cards were drawn.
    pub drawn: usize,
    /// Each card laid, in order, none being Nope; and the choice for a select, if one was made.
    pub laid: Vec<&'a str>,
}

impl<'de: 'a, 'a> Deserialize<'de> for NopeTurn<'a> {
    /// Reads the list that it is on the wire.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Places;

        impl<'de> Visitor<'de> for Places {
            type Value = NopeTurn<'de>;

            fn expecting(&self, f: &mut Formatter) -> Written {
                f.write_str("a list of at least 4 values")
            }

            fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<Self::Value, S::Error> {
                let short = |places| S::Error::invalid_length(places, &Places);
                Ok(NopeTurn {
                    number: list.next_element()?.ok_or_else(|| short(0))?,
                    count: list.next_element()?.ok_or_else(|| short(1))?,
                    colours: list.next_element()?.ok_or_else(|| short(2))?,
                    drawn: list.next_element()?.ok_or_else(|| short(3))?,
                    laid: {
                        let mut texts = Vec::new();
                        while let Some(text) = list.next_element()? {
                            texts.push(text);
                        }
                        texts
                    },
                })
            }
        }

        deserializer.deserialize_seq(Places)
    }
}

/// A view of nope.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize))]
pub struct NopeView<'a> {
    /// `nope`.
    pub game: &'a str,
    /// How many sit at the table.
    pub seats: usize,
    /// Your seat, from 0.
    pub seat: usize,
    /// Every option of 12.8 with the value in force.
    #[serde(borrow)]
    pub options: BTreeMap<&'a str, Setting<'a>>,
    /// `lay`: a turn (12.4); `set`: you have begun a set, which only you see yet; `choose`: a
    /// select asks for its choice (12.5); `over`.
    pub phase: &'a str,
    /// The dealer; the next seat began.
    pub dealer: usize,
    /// The seat that owes a decision; nil when over.
    pub turn: Option<usize>,
    /// Turns finished so far, by all seats together.
    pub turns: usize,
    /// Your cards, in the order of 12.10, copies repeated.
    #[serde(borrow)]
    pub hand: Vec<&'a str>,
    /// The cards of your set so far, no longer in `hand`.
    #[serde(borrow)]
    pub chosen: Vec<&'a str>,
    /// By seat, the cards held, those in `chosen` included.
    pub hand_sizes: Vec<usize>,
    /// What must be laid (12.3): `{"count":2,"colours":"RG"}`, colours in the order `RGBY`; nil
    /// while a choice is open, and when over.
    #[serde(borrow)]
    pub demand: Option<Demand<'a>>,
    /// The choice that made this demand: `{"by":0,"to":2}`, the seat that made it and the seat it
    /// named; it stays under see-throughs, though another seat plays; nil where a card made it.
    pub choice: Option<Choice>,
    /// The whole discard pile, bottom to top.
    #[serde(borrow)]
    pub discard: Vec<&'a str>,
    /// How many cards the draw pile has.
    pub draw_pile: usize,
    /// The seats that are out, in the order they went.
    pub out: Vec<usize>,
    /// Cards drawn so far in the turn being taken; in phase `choose` those drawn in the turn that
    /// laid the select, 0 if it was opened first; 0 when over.
    pub drew: usize,
    /// By seat, its last four turns, oldest first. A turn is a list: its number, counted from 1
    /// over the turns of all seats as `turns` is; the count and the colours demanded; how many
    /// cards were drawn; each card laid, in order, none being Nope; and the choice for a select,
    /// if one was made: `[17,2,"RG",0,"SR","to2:3"]`.
    #[serde(borrow)]
    pub recent: Vec<Vec<NopeTurn<'a>>>,
    /// By seat, its place, from 1; nil until over.
    pub places: Option<Vec<usize>>,
    /// How the match ended (10.1); nil until over.
    #[serde(borrow)]
    pub ending: Option<&'a str>,
}

/// What your seat may know.
#[derive(Debug, Clone, PartialEq)]
pub enum View<'a> {
    /// Of nyet, njet and njet-it.
    Trick(Box<TrickView<'a>>),
    /// Of nope.
    Nope(Box<NopeView<'a>>),
    /// Of a game that is not invented yet.
    Unknown,
}

impl<'a> View<'a> {
    /// Reads the view of a game out of the body of a message.
    pub fn read(game: &str, message: &'a [u8]) -> Result<Self, Error> {
        Ok(match game {
            "nyet" | "njet" | "njet-it" => View::Trick(view_in(message)?),
            "nope" => View::Nope(view_in(message)?),
            _ => View::Unknown,
        })
    }
}
