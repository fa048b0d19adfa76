// The least a bot can be in Go: it plays any legal action, in all four games.
//
// The loop of messages is here. Your idea goes into choose.go; what is said stands in
// messages.go, and link.go brings it over the wire. Numbers in comments are sections of SPEC.md.
package main

import (
	"fmt"
	"log"
	"os"
)

func main() {
	log.SetFlags(0) // Standard error is kept for you (2.4); it needs no dates.
	link, err := Dial(os.Getenv("ARENA_CONNECT"))
	if err != nil {
		log.Fatal(err)
	}
	if err := play(link, os.Getenv("ARENA_TOKEN")); err != nil {
		log.Fatal(err)
	}
}

// play says hello and then answers every request, until the server says bye.
func play(link *Link, token string) error {
	hello := Hello{Type: "hello", Protocol: 1, Token: token, Version: "1.0", Language: "Go"}
	if err := link.Send(&hello); err != nil {
		return err
	}
	for {
		body, err := link.Receive()
		if err != nil {
			return err
		}
		message, err := Decode(body)
		if err != nil {
			return err
		}
		switch message := message.(type) {
		case *Request: // 4.4: we owe a decision, and the clock runs.
			action := Action{Type: "action", Match: message.Match, ID: message.ID}
			action.Action = choose(message)
			if err := link.Send(&action); err != nil {
				return err
			}
		case *Fault: // 4.6: what we did wrong, in words. It wants no answer.
			fmt.Fprintln(os.Stderr, message.Text)
		case *Bye: // 4.8: the one way a session ends well.
			if message.Reason != "done" {
				fmt.Fprintln(os.Stderr, message.Text)
			}
			return nil
		}
		// 4: everything else may be passed over, also what is not invented yet.
	}
}
