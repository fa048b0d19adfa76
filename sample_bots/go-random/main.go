// The least a bot can be in Go: it plays any legal action, in every game.
//
// Your idea goes into decide.go. The loop of messages is here; messages.go has a struct for each
// message, and link.go brings them over the wire. Numbers in comments are sections of SPEC.md.
package main

import (
	"fmt"
	"log"
	"os"
	"time"
	"unicode/utf8"
)

func main() {
	log.SetFlags(0) // Standard error is kept for you (2.4); it needs no dates.
	address, token, pause, err := settings()
	if err != nil {
		log.Fatal(err)
	}
	for {
		bye, err := session(address, token)
		switch {
		case err != nil:
			log.Print(err)
		case !endsWell(bye.Reason):
			log.Print(bye.Text)
		}
		// A bot that `arena` starts ends with its connection; one that dials in may come again.
		if pause == 0 || (err == nil && !comesAgain(bye.Reason)) {
			if err != nil || !endsWell(bye.Reason) {
				os.Exit(1)
			}
			return
		}
		time.Sleep(pause)
	}
}

// settings reads the environment (2.1): the address, the token, and the pause before a bot that
// dials in comes again, 0 if it does not (2.5).
func settings() (address Address, token string, pause time.Duration, err error) {
	text, err := variable("ARENA_CONNECT", "unix:PATH or tcp:HOST:PORT")
	if err == nil {
		address, err = ParseAddress(text)
	}
	if err == nil {
		token, err = variable("ARENA_TOKEN", "the token of your bot")
	}
	if seconds, isSet := os.LookupEnv("ARENA_RETRY_S"); isSet && err == nil {
		pause, err = time.ParseDuration(seconds + "s")
		if err != nil || pause <= 0 {
			err = fmt.Errorf("ARENA_RETRY_S is %q; it should be seconds, such as 5", seconds)
		}
	}
	return address, token, pause, err
}

// variable reads a variable that every bot has.
func variable(name, like string) (string, error) {
	value, isSet := os.LookupEnv(name)
	wrong := "is no text in UTF-8"
	switch {
	case !isSet:
		wrong = "is not set"
	case value == "":
		wrong = "is empty"
	case utf8.ValidString(value):
		return value, nil
	}
	return "", fmt.Errorf("%s %s; it should be %s (SPEC 2.1)."+
		" `arena` sets it for the bots that it starts; for one that dials in you set it", name, wrong, like)
}

// endsWell tells whether all is well after a bye (4.8).
func endsWell(reason string) bool {
	return reason == "done" || reason == "stopping" || reason == "replaced"
}

// comesAgain tells whether a bot that dials in may connect again after a bye (2.5).
func comesAgain(reason string) bool {
	return reason == "stopping" || reason == "hung" || reason == "token-in-use"
}

// session is one connection, from hello to bye.
func session(address Address, token string) (*Bye, error) {
	link, err := Dial(address)
	if err != nil {
		return nil, err
	}
	defer link.Close()
	return play(link, token)
}

// play says hello and then answers every request, until the server says bye.
func play(link *Link, token string) (*Bye, error) {
	hello := Hello{Type: "hello", Protocol: 1, Token: token, Version: "1.0", Language: "Go"}
	if err := link.Send(&hello); err != nil {
		return nil, err
	}
	for {
		body, err := link.Receive()
		if err != nil {
			return nil, err
		}
		message, err := Decode(body)
		if err != nil {
			return nil, err
		}
		switch message := message.(type) {
		case *Request: // 4.4: we owe a decision, and the clock runs.
			action := Action{Type: "action", Match: message.Match, ID: message.ID}
			action.Action = decide(message)
			if message.err != nil {
				return nil, message.err
			}
			if err := link.Send(&action); err != nil {
				return nil, err
			}
		case *Fault: // 4.6: what we did wrong, in words. It wants no answer.
			fmt.Fprintln(os.Stderr, message.Text)
		case *Bye: // 4.8: the server hangs up, and says why.
			return message, nil
		}
		// 4: everything else may be passed over, also what is not invented yet.
	}
}
