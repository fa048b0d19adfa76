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
		// Were the trick led by the next seat, it would go to the next seat.
		view.Leaders[len(view.Leaders)-1]++
		if seat, _ := taker(view); seat != (vector.TakenBy+1)%view.Seats {
			t.Errorf("%s: taken by %d, if led by the next seat", vector.Name, seat)
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

func TestTheSecondExampleTakesTricksCheaply(t *testing.T) {
	for _, of := range []struct {
		about    string
		trick    []string
		team     []int // Seat 0 led.
		points   int
		legal    []string
		expected string
	}{
		{"the strongest leads", nil, []int{0, 1}, 1, []string{"R3", "R9"}, "R9"},
		{"or the weakest", nil, []int{0, 1}, -2, []string{"R3", "R9"}, "R3"},
		{"as cheaply as it can", []string{"R5"}, []int{0, 2}, 1, []string{"R4", "R7", "R9"}, "R7"},
		{"of equals the later", []string{"R5"}, []int{0, 2}, 1, []string{"R5", "R7"}, "R5"},
		{"it cannot", []string{"R5"}, []int{0, 2}, 1, []string{"R2", "R4"}, "R2"},
		{"a teammate has it", []string{"R5"}, []int{0, 1}, 1, []string{"R4", "R7"}, "R4"},
		{"tricks cost points", []string{"R5"}, []int{0, 2}, -2, []string{"R2", "R4", "R7"}, "R4"},
		{"and it must take", []string{"R5"}, []int{0, 2}, -2, []string{"R6", "R7"}, "R7"},
		{"it is no blue any more", []string{"B1"}, []int{0, 2}, -2, []string{"B7", "G9"}, "G9"},
	} {
		view := &TrickView{
			Game: "nyet", Seats: 3, Seat: len(of.trick), Phase: "play", Trump: "Y", Supertrump: "B",
			Points: &of.points, Team: of.team, Tricks: [][]string{of.trick}, Leaders: []int{0},
		}
		request := &Request{Legal: of.legal, sight: sight{view: view}}
		if card := high(request); card != of.expected {
			t.Errorf("%s: %s, expected %s", of.about, card, of.expected)
		}
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
