package main

import (
	"slices"
	"testing"

	"github.com/vmihailenco/msgpack/v5"
)

// The vectors of the games: what the helpers of cards.go say of real views.

func trickView(t *testing.T, body []byte) *TrickView {
	t.Helper()
	view := new(TrickView)
	if err := msgpack.Unmarshal(body, view); err != nil {
		t.Fatal(err)
	}
	return view
}

func TestTheSuitThatWasLedIsFollowed(t *testing.T) {
	type Vector struct {
		Name    string
		Hex     hexBytes
		MayPlay []string `json:"may_play"`
	}
	for _, vector := range load[Vector](t, "following") {
		view := trickView(t, vector.Hex)
		led := suit(view.Tricks[len(view.Tricks)-1][0], view)
		var follow []string
		for _, card := range view.Hand {
			if suit(card, view) == led {
				follow = append(follow, card)
			}
		}
		if follow == nil {
			follow = view.Hand
		}
		if !slices.Equal(follow, vector.MayPlay) {
			t.Errorf("%s: %q may be played, expected %q", vector.Name, follow, vector.MayPlay)
		}
	}
}

func TestATrickIsTakenAsTheRulesSay(t *testing.T) {
	type Vector struct {
		Name      string
		Hex       hexBytes
		TakenBy   int `json:"taken_by"`
		Teammates []int
	}
	for _, vector := range load[Vector](t, "tricks") {
		view := trickView(t, vector.Hex)
		if seat, ok := taker(view); !ok || seat != vector.TakenBy {
			t.Errorf("%s: taken by %d, expected %d", vector.Name, seat, vector.TakenBy)
		}
		if mates := teammates(view); !slices.Equal(mates, vector.Teammates) {
			t.Errorf("%s: teammates %d, expected %d", vector.Name, mates, vector.Teammates)
		}
		for seat := range view.Seats {
			mine := seat == view.Seat || slices.Contains(vector.Teammates, seat)
			if isWithMe(seat, view) != mine {
				t.Errorf("%s: seat %d is with me: %t, expected %t", vector.Name, seat, !mine, mine)
			}
		}
	}
}

func TestNobodyTakesAnEmptyTrick(t *testing.T) {
	for _, tricks := range [][][]string{nil, {{}}} {
		if seat, ok := taker(&TrickView{Seats: 2, Tricks: tricks, Leaders: []int{0}}); ok {
			t.Errorf("%d takes it", seat)
		}
	}
}

func TestBeforeTeamsAreChosenEachIsAlone(t *testing.T) {
	if mates := teammates(&TrickView{Seats: 4, Seat: 1}); len(mates) > 0 {
		t.Error(mates)
	}
}

func TestACardOfNopeShowsItsColoursAndNumber(t *testing.T) {
	type Vector struct {
		Card    string
		Colours string
		Number  *int
	}
	for _, vector := range load[Vector](t, "showing") {
		if letters := colours(vector.Card); letters != vector.Colours {
			t.Errorf("%s shows %s, expected %s", vector.Card, letters, vector.Colours)
		}
		for _, colour := range []string{"R", "G", "B", "Y"} {
			if shows(vector.Card, colour) != slices.Contains([]byte(vector.Colours), colour[0]) {
				t.Errorf("%s shows %s, or not", vector.Card, colour)
			}
		}
		count, ok := number(vector.Card)
		if ok != (vector.Number != nil) || ok && count != *vector.Number {
			t.Errorf("%s has the number %d", vector.Card, count)
		}
	}
}
