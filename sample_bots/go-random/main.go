// The least a bot can be in Go: it plays any legal action, in every game.
//
// The loop of messages is here. Your idea goes into choose.go; what is said stands in
// messages.go, and link.go brings it over the wire. Numbers in comments are sections of SPEC.md.
package main

import (
	"fmt"
	"log"
	"os"
	"time"
)

func main() {
	log.SetFlags(0) // Standard error is kept for you (2.4); it needs no dates.
	// 2.5: only bots that dial in have this; others end with their connection.
	pause, noPause := time.ParseDuration(os.Getenv("ARENA_RETRY_S") + "s")
	for {
		bye, err := session()
		switch {
		case err != nil:
			log.Print(err)
		case !endsWell(bye.Reason):
			log.Print(bye.Text)
		}
		if noPause != nil || (err == nil && !comesAgain(bye.Reason)) {
			if err != nil || !endsWell(bye.Reason) {
				os.Exit(1)
			}
			return
		}
		time.Sleep(pause)
	}
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
func session() (*Bye, error) {
	link, err := Dial(os.Getenv("ARENA_CONNECT"))
	if err != nil {
		return nil, err
	}
	defer link.Close()
	return play(link, os.Getenv("ARENA_TOKEN"))
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
			action.Action = choose(message)
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
