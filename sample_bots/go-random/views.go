// Code generated from the field tables of the games; DO NOT EDIT.

package main

import (
	"fmt"

	"github.com/vmihailenco/msgpack/v5"
)

// The views of 11.11 and 12.11. Where a comment says nil, a text is "" here, a list is nil, and
// a number or a struct is a nil pointer. Fields that are not named here are passed over, and a
// text may have values that are not invented yet (9).

// PreviousRound is the round finished last.
type PreviousRound struct {
	// Its number, from 1.
	Round int `msgpack:"round"`
	// Its dealer.
	Dealer int `msgpack:"dealer"`
	// Row 1: its first player.
	First int `msgpack:"first"`
	// Row 2: the open box.
	Discard string `msgpack:"discard"`
	// Row 3: a colour letter, or `-` for none.
	Trump string `msgpack:"trump"`
	// Row 4: a colour letter, or `-` for none.
	Supertrump string `msgpack:"supertrump"`
	// Row 5: what a trick and a piece of loot were worth.
	Points int `msgpack:"points"`
	// The first player's team, ascending.
	Team []int `msgpack:"team"`
	// The seat that held the bonus card; nil with 2 or 4 seats.
	Bonus *int `msgpack:"bonus"`
	// By seat, the tricks taken.
	TricksWon []int `msgpack:"tricks_won"`
	// By seat, the loot captured.
	Loot []int `msgpack:"loot"`
	// By seat, the points of that round alone.
	Scored []int `msgpack:"scored"`
	// The seat that led its last trick.
	LastLeader int `msgpack:"last_leader"`
	// The cards of its last trick, in order of play.
	LastTrick []string `msgpack:"last_trick"`
	// The seat that took it.
	LastWinner int `msgpack:"last_winner"`
}

// TrickView is a view of nyet, njet and njet-it.
type TrickView struct {
	// The name of the rule set (11.1).
	Game string `msgpack:"game"`
	// How many sit at the table.
	Seats int `msgpack:"seats"`
	// Your seat, from 0.
	Seat int `msgpack:"seat"`
	// Every option of 11.7 with the value in force.
	Options map[string]any `msgpack:"options"`
	// The round being played, from 1.
	Round int `msgpack:"round"`
	// The match has at most so many rounds.
	Rounds int `msgpack:"rounds"`
	// `tokens`, `team`, `discard` (or pass) or `play`: what is asked for (11.3); `over`.
	Phase string `msgpack:"phase"`
	// This round's dealer.
	Dealer int `msgpack:"dealer"`
	// The seat that owes a decision; nil in phase `discard`, where all do, and when over.
	Turn *int `msgpack:"turn"`
	// By seat, the points of all finished rounds.
	Scores []int `msgpack:"scores"`
	// Your cards, in the order of 11.10, copies repeated, without those you have chosen to
	// discard or pass.
	Hand []string `msgpack:"hand"`
	// By seat, the cards held; in phase `discard` still those dealt.
	HandSizes []int `msgpack:"hand_sizes"`
	// The boxes not covered, in the order of 11.10.
	Open []string `msgpack:"open"`
	// The boxes covered this round, first to last.
	Tokens []string `msgpack:"tokens"`
	// The seat that placed, or will place, the first token; the others follow clockwise.
	FirstToken int `msgpack:"first_token"`
	// Row 1: the first player; nil until all rows are settled.
	First *int `msgpack:"first"`
	// Row 2: the open box, such as `1x`; nil until settled.
	Discard string `msgpack:"discard"`
	// Row 3: a colour letter, or `-` for none; nil until settled.
	Trump string `msgpack:"trump"`
	// Row 4: a colour letter, or `-` for none; nil until settled.
	Supertrump string `msgpack:"supertrump"`
	// Row 5: what a trick and a piece of loot are worth; nil until settled.
	Points *int `msgpack:"points"`
	// The first player's team, ascending; all others are the other team; nil until chosen.
	Team []int `msgpack:"team"`
	// The seat that holds the bonus card; nil until chosen, and with 2 or 4 seats.
	Bonus *int `msgpack:"bonus"`
	// The cards you have discarded or passed this round, as chosen.
	Given []string `msgpack:"given"`
	// The cards passed to you this round, once all have chosen.
	Received []string `msgpack:"received"`
	// Every trick of the round, each its cards in order of play; no trick before phase `play`; in
	// phase `play` the last is the open one, and may be empty.
	Tricks [][]string `msgpack:"tricks"`
	// For each of `tricks`, the seat that led it.
	Leaders []int `msgpack:"leaders"`
	// By seat, the tricks taken this round.
	TricksWon []int `msgpack:"tricks_won"`
	// By seat, the loot captured this round (11.6).
	Loot []int `msgpack:"loot"`
	// The round finished last; nil in the first round.
	Previous *PreviousRound `msgpack:"previous"`
}

// Demand is what must be laid.
type Demand struct {
	// How many cards.
	Count int `msgpack:"count"`
	// The letters of the colours, in the order `RGBY`.
	Colours string `msgpack:"colours"`
}

// Choice is the choice that made a demand.
type Choice struct {
	// The seat that made it.
	By int `msgpack:"by"`
	// The seat it named.
	To int `msgpack:"to"`
}

// NopeTurn is a turn that a seat has finished.
type NopeTurn struct {
	// Counted from 1, over the turns of all seats.
	Number int
	// Of the demand.
	Count int
	// Of the demand.
	Colours string
	// How many cards were drawn.
	Drawn int
	// Each card laid, in order, none being Nope; and the choice for a select, if one was made.
	Laid []string
}

// DecodeMsgpack reads the list that a NopeTurn is on the wire.
func (n *NopeTurn) DecodeMsgpack(decoder *msgpack.Decoder) error {
	length, err := decoder.DecodeArrayLen()
	if err != nil {
		return err
	}
	if length < 4 {
		return fmt.Errorf("a NopeTurn of %d values; expected at least 4", length)
	}
	if err := decoder.DecodeMulti(&n.Number, &n.Count, &n.Colours, &n.Drawn); err != nil {
		return err
	}
	n.Laid = make([]string, length-4)
	for i := range n.Laid {
		if n.Laid[i], err = decoder.DecodeString(); err != nil {
			return err
		}
	}
	return nil
}

// NopeView is a view of nope.
type NopeView struct {
	// `nope`.
	Game string `msgpack:"game"`
	// How many sit at the table.
	Seats int `msgpack:"seats"`
	// Your seat, from 0.
	Seat int `msgpack:"seat"`
	// Every option of 12.8 with the value in force.
	Options map[string]any `msgpack:"options"`
	// `lay`: a turn (12.4); `set`: you have begun a set, which only you see yet; `choose`: a
	// select asks for its choice (12.5); `over`.
	Phase string `msgpack:"phase"`
	// The dealer; the next seat began.
	Dealer int `msgpack:"dealer"`
	// The seat that owes a decision; nil when over.
	Turn *int `msgpack:"turn"`
	// Turns finished so far, by all seats together.
	Turns int `msgpack:"turns"`
	// Your cards, in the order of 12.10, copies repeated.
	Hand []string `msgpack:"hand"`
	// The cards of your set so far, no longer in `hand`.
	Chosen []string `msgpack:"chosen"`
	// By seat, the cards held, those in `chosen` included.
	HandSizes []int `msgpack:"hand_sizes"`
	// What must be laid (12.3): `{"count":2,"colours":"RG"}`, colours in the order `RGBY`; nil
	// while a choice is open, and when over.
	Demand *Demand `msgpack:"demand"`
	// The choice that made this demand: `{"by":0,"to":2}`, the seat that made it and the seat it
	// named; it stays under see-throughs, though another seat plays; nil where a card made it.
	Choice *Choice `msgpack:"choice"`
	// The whole discard pile, bottom to top.
	Discard []string `msgpack:"discard"`
	// How many cards the draw pile has.
	DrawPile int `msgpack:"draw_pile"`
	// The seats that are out, in the order they went.
	Out []int `msgpack:"out"`
	// Cards drawn so far in the turn being taken; in phase `choose` those drawn in the turn that
	// laid the select, 0 if it was opened first; 0 when over.
	Drew int `msgpack:"drew"`
	// By seat, its last four turns, oldest first. A turn is a list: its number, counted from 1
	// over the turns of all seats as `turns` is; the count and the colours demanded; how many
	// cards were drawn; each card laid, in order, none being Nope; and the choice for a select,
	// if one was made: `[17,2,"RG",0,"SR","to2:3"]`.
	Recent [][]NopeTurn `msgpack:"recent"`
	// By seat, its place, from 1; nil until over.
	Places []int `msgpack:"places"`
	// How the match ended (10.1); nil until over.
	Ending string `msgpack:"ending"`
}

// View is what your seat may know: a *TrickView or a *NopeView.
type View interface {
	isView()
}

func (*TrickView) isView() {}
func (*NopeView) isView()  {}

// newView makes the empty view of a game; nil for one that is not invented yet.
func newView(game string) View {
	switch game {
	case "nyet", "njet", "njet-it":
		return new(TrickView)
	case "nope":
		return new(NopeView)
	}
	return nil
}
