package main

import (
	"bytes"

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

	body []byte
}

// View reads the view into what you point to: a struct with the fields you want, out of 11.11
// or 12.11, or a *map[string]any for all of them.
//
// It is read on demand, because it is most of a request's bytes: who does not look does not pay.
func (r *Request) View(into any) error {
	return msgpack.Unmarshal(r.body, &struct {
		View any `msgpack:"view"`
	}{into})
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

// End: the match is over (4.7). View is what our seat sees then; nil where it was left out.
type End struct {
	Type     string         `msgpack:"type"`
	Match    string         `msgpack:"match"`
	Scores   []int          `msgpack:"scores"`
	Places   []int          `msgpack:"places"`
	Ending   string         `msgpack:"ending"`
	Faults   []string       `msgpack:"faults"`
	Forfeits []int          `msgpack:"forfeits"`
	View     map[string]any `msgpack:"view,omitempty"`
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
	kind, err := typeOf(body)
	if err != nil {
		return nil, err
	}
	var message any
	switch kind {
	case "welcome":
		message = new(Welcome)
	case "start":
		message = new(Start)
	case "request":
		message = &Request{body: body}
	case "fault":
		message = new(Fault)
	case "end":
		message = new(End)
	case "bye":
		message = new(Bye)
	default:
		message = new(Unknown)
	}
	return message, msgpack.Unmarshal(body, message)
}

// typeOf finds the type of a message, which says into what to read the rest. It comes first in
// practice, but fields may stand in any order.
func typeOf(body []byte) (string, error) {
	decoder := msgpack.GetDecoder()
	defer msgpack.PutDecoder(decoder)
	decoder.Reset(bytes.NewReader(body))
	fields, err := decoder.DecodeMapLen()
	if err != nil {
		return "", err
	}
	for ; fields > 0; fields-- {
		name, err := decoder.DecodeString()
		if err != nil {
			return "", err
		}
		if name == "type" {
			return decoder.DecodeString()
		}
		if err := decoder.Skip(); err != nil {
			return "", err
		}
	}
	return "", nil // No message of ours, then: passed over like any other unknown one.
}
