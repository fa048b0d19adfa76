package main

import "slices"

// high is a second example, a rule of thumb for the trick games: take tricks as cheaply as you
// can, and leave those alone that a teammate takes. All else is left to chance.
//
// Write `return high(request)` into decide, and it is your bot.
func high(request *Request) string {
	view, ok := request.View().(*TrickView)
	if !ok || view.Phase != "play" {
		return request.Lot() // Tokens, teams, discards, NOPE!, and games of a later day.
	}
	trick := view.Tricks[len(view.Tricks)-1] // The open one; empty if we lead.
	power := func(card string) int {
		if len(trick) == 0 {
			return strength(card, card, view)
		}
		return strength(card, trick[0], view)
	}
	byPower := func(a, b string) int { return power(a) - power(b) }
	weakest := slices.MinFunc(request.Legal, byPower)
	strongest := slices.MaxFunc(request.Legal, byPower)
	shy := *view.Points < 0 // A round in which tricks cost points.
	holder, ok := taker(view)
	switch {
	case !ok && shy: // We lead.
		return weakest
	case !ok:
		return strongest
	}

	// Of two cards that are equally strong the later takes the trick.
	toBeat := power(slices.MaxFunc(trick, byPower))
	var taking, losing []string
	for _, card := range request.Legal {
		if power(card) >= toBeat {
			taking = append(taking, card)
		} else {
			losing = append(losing, card)
		}
	}
	switch {
	case shy && len(losing) > 0:
		return slices.MaxFunc(losing, byPower)
	case shy:
		return strongest
	case len(taking) > 0 && !isWithMe(holder, view):
		return slices.MinFunc(taking, byPower)
	}
	return weakest
}
