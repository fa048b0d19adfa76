package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"github.com/vmihailenco/msgpack/v5"
)

// The messages of chapter 4. What may be nil on the wire is a pointer here. Fields that a
// struct does not name are passed over, so new ones do no harm (9).

// Hello is our first message (4.1). The token says who we are; the rest is for people.
type Hello struct {
	Type     string   `msgpack:"type"`
	Protocol int64    `msgpack:"protocol"`
	Token    string   `msgpack:"token"`
	Version  string   `msgpack:"version,omitempty"`
	Author   string   `msgpack:"author,omitempty"`
	Language string   `msgpack:"language,omitempty"`
	Offers   []string `msgpack:"offers,omitempty"`
}

// Action answers a request (4.5): Match and ID are copied from it, Action is out of its Legal.
type Action struct {
	Type   string `msgpack:"type"`
	Match  string `msgpack:"match"`
	ID     int64  `msgpack:"id"`
	Action string `msgpack:"action"`
	Note   string `msgpack:"note,omitempty"` // A remark that is kept in the record.
}

// Welcome: the hello was accepted (4.2).
type Welcome struct {
	Type     string           `msgpack:"type"`
	Protocol int64            `msgpack:"protocol"`
	Name     string           `msgpack:"name"`
	Offers   []string         `msgpack:"offers"`
	Limits   map[string]int64 `msgpack:"limits"`
}

// Start: a match begins (4.3).
type Start struct {
	Type       string           `msgpack:"type"`
	Match      string           `msgpack:"match"`
	Game       string           `msgpack:"game"`
	Options    map[string]any   `msgpack:"options"`
	Seats      int              `msgpack:"seats"`
	Names      []string         `msgpack:"names"`
	Seat       int              `msgpack:"seat"`
	Clock      map[string]int64 `msgpack:"clock"`
	Commitment string           `msgpack:"commitment"`
}

// Request asks for a decision (4.4). It is good until the next message is received.
type Request struct {
	Type      string   `msgpack:"type"`
	Match     string   `msgpack:"match"`
	ID        int64    `msgpack:"id"`
	Legal     []string `msgpack:"legal"`
	TimeUS    int64    `msgpack:"time_us"`
	ChargedUS int64    `msgpack:"charged_us"`

	sight
}

// Lot draws one of the legal actions, each with the same chance.
func (r *Request) Lot() string {
	return r.Legal[rand.IntN(len(r.Legal))]
}

// sight is the view in a message, decoded when it is asked for: it is most of a request's bytes,
// and a bot that does not look does not pay.
type sight struct {
	body []byte // Of the whole message.
	view View   // Once it was asked for.
	err  error  // Why it could not be decoded; play gives it on.
}

// View gives what your seat may know: a *TrickView, a *NopeView, or nil where the game is not
// invented yet.
func (s *sight) View() View {
	if s.view == nil && s.err == nil {
		s.view, s.err = s.decode()
	}
	return s.view
}

func (s *sight) decode() (View, error) {
	body, err := valueOf(s.body, "view")
	if body == nil {
		return nil, err
	}
	gameBody, err := valueOf(body, "game")
	if gameBody == nil {
		return nil, err
	}
	var game string
	if err := msgpack.Unmarshal(gameBody, &game); err != nil {
		return nil, err
	}
	view := newView(game)
	if view == nil {
		return nil, nil
	}
	if err := msgpack.Unmarshal(body, view); err != nil {
		return nil, fmt.Errorf("reading the view: %w", err)
	}
	return view, nil
}

// ReadView reads the view of any game into what you point to: a struct of yours with the fields
// you want, or a *map[string]any for all of them.
func (s *sight) ReadView(into any) error {
	body, err := valueOf(s.body, "view")
	if body == nil {
		return err
	}
	return msgpack.Unmarshal(body, into)
}

// Fault: we broke a rule (4.6). Text says it all.
type Fault struct {
	Type     string  `msgpack:"type"`
	Match    *string `msgpack:"match"`
	ID       *int64  `msgpack:"id"`
	Kind     string  `msgpack:"kind"`
	Code     string  `msgpack:"code"`
	Came     string  `msgpack:"came"`
	Expected string  `msgpack:"expected"`
	Played   *string `msgpack:"played"`
	Faults   int     `msgpack:"faults"`
	Forfeit  bool    `msgpack:"forfeit"`
	Text     string  `msgpack:"text"`
}

// End: the match is over (4.7). Its view is what our seat sees then; it may be left out.
type End struct {
	Type     string   `msgpack:"type"`
	Match    string   `msgpack:"match"`
	Scores   []int    `msgpack:"scores"`
	Places   []int    `msgpack:"places"`
	Ending   string   `msgpack:"ending"`
	Faults   []string `msgpack:"faults"`
	Forfeits []int    `msgpack:"forfeits"`

	sight
}

// Bye: the server hangs up (4.8).
type Bye struct {
	Type   string `msgpack:"type"`
	Reason string `msgpack:"reason"`
	Text   string `msgpack:"text"`
}

// Unknown is a message that this program knows nothing of (9).
type Unknown struct {
	Type string `msgpack:"type"`
}

// Decode reads the body of a frame: a pointer to one of the messages above.
func Decode(body []byte) (any, error) {
	value, err := valueOf(body, "type")
	if err != nil {
		return nil, err
	}
	kind := ""
	if value != nil { // Else no message of ours: passed over like any other unknown one.
		if err := msgpack.Unmarshal(value, &kind); err != nil {
			return nil, err
		}
	}
	var message any
	switch kind {
	case "welcome":
		message = new(Welcome)
	case "start":
		message = new(Start)
	case "request":
		message = &Request{sight: sight{body: body}}
	case "fault":
		message = new(Fault)
	case "end":
		message = &End{sight: sight{body: body}}
	case "bye":
		message = new(Bye)
	default:
		message = new(Unknown)
	}
	return message, msgpack.Unmarshal(body, message)
}

// valueOf gives what is left of a map in msgpack from the value of a field on; nil if the map has
// no such field. Fields may stand in any order.
func valueOf(body []byte, field string) ([]byte, error) {
	reader := bytes.NewReader(body)
	decoder := msgpack.GetDecoder()
	defer msgpack.PutDecoder(decoder)
	decoder.Reset(reader) // It reads no further than it must, so the reader knows its place.
	fields, err := decoder.DecodeMapLen()
	if err != nil {
		return nil, err
	}
	for range fields {
		name, err := decoder.DecodeString()
		if err != nil {
			return nil, err
		}
		if name == field {
			return body[len(body)-reader.Len():], nil
		}
		if err := decoder.Skip(); err != nil {
			return nil, err
		}
	}
	return nil, nil
}
