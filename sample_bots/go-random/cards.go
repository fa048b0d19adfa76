package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Helpers for the trick games. A card is its colour's letter and its rank: "R13".

// suit gives the letter of the suit that a card belongs to in this round (11.4).
func suit(card string, view *TrickView) string {
	if view.Game == "nyet" && isSupertrump(card, view) {
		return view.Trump
	}
	return card[:1]
}

// rank gives a card's number.
func rank(card string) int {
	number, err := strconv.Atoi(card[1:])
	if err != nil {
		panic(fmt.Sprintf("%q is no card of a trick game", card))
	}
	return number
}

// isSupertrump tells whether a card takes whatever else is played (11.5).
func isSupertrump(card string, view *TrickView) bool {
	low := 1 // 11.1
	if view.Game == "njet" {
		low = 0
	}
	return card[:1] == view.Supertrump && rank(card) == low
}

// strength is higher for the card that takes the trick (11.5); of two equal ones the card played
// later takes it. led is the first card of the trick; for a card that leads, the card itself.
func strength(card, led string, view *TrickView) int {
	switch {
	case isSupertrump(card, view):
		return 300
	case suit(card, view) == view.Trump:
		return 200 + rank(card)
	case suit(card, view) == suit(led, view):
		return 100 + rank(card)
	}
	return rank(card)
}

// taker gives the seat that takes the open trick as it lies; false while no card lies there.
func taker(view *TrickView) (seat int, ok bool) {
	if len(view.Tricks) == 0 {
		return 0, false
	}
	trick := view.Tricks[len(view.Tricks)-1]
	if len(trick) == 0 {
		return 0, false
	}
	best := 0
	for place, card := range trick {
		if strength(card, trick[0], view) >= strength(trick[best], trick[0], view) {
			best = place
		}
	}
	return (view.Leaders[len(view.Leaders)-1] + best) % view.Seats, true
}

// teammates gives the other seats of your team (11.3.3); none before teams are chosen.
func teammates(view *TrickView) []int {
	var mates []int
	for seat := range view.Seats {
		if seat != view.Seat && isWithMe(seat, view) {
			mates = append(mates, seat)
		}
	}
	return mates
}

// isWithMe tells whether the tricks of a seat are yours too: it is your own, or on your team.
func isWithMe(seat int, view *TrickView) bool {
	if view.Team == nil { // Not chosen yet.
		return seat == view.Seat
	}
	return slices.Contains(view.Team, seat) == slices.Contains(view.Team, view.Seat)
}

// Helpers for NOPE! (12.1). The "!" of an action such as "X!", which lays the card X alone
// (12.10), is no part of the card: take it off with strings.TrimSuffix(action, "!").

// colours gives the letters of the colours that a card shows, such as "RG" or "RGBY".
func colours(card string) string {
	switch card[0] {
	case 'J', 'X':
		return "RGBY"
	case 'T', 'S':
		if card == "S*" {
			return "RGBY"
		}
		return card[1:]
	}
	return strings.TrimRight(card, "123")
}

// shows tells whether a card shows a colour, given by its letter.
func shows(card, colour string) bool {
	return strings.Contains(colours(card), colour)
}

// number gives how many cards a card asks for; false for action cards, which print no number.
func number(card string) (count int, ok bool) {
	if card == "J" {
		return 1, true
	}
	count, err := strconv.Atoi(card[len(card)-1:])
	return count, err == nil
}
