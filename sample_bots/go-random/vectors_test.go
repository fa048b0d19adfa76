package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vmihailenco/msgpack/v5"
)

// The vectors that concern a bot: what the bytes on the wire mean, with this bot's own code.

// load reads the vectors of a file: of the folder that ARENA_VECTORS names; else of this bot's
// own, which `arena new-bot` made; else of a checkout of arena.
func load[Vector any](t *testing.T, name string) []Vector {
	t.Helper()
	folder := os.Getenv("ARENA_VECTORS")
	if folder == "" {
		folder = "vectors"
		if _, err := os.Stat(folder); err != nil {
			folder = "../../protocol/vectors"
		}
	}
	data, err := os.ReadFile(filepath.Join(folder, name+".json"))
	if err != nil {
		t.Fatalf("no vectors: %v; set ARENA_VECTORS to the folder that has them", err)
	}
	var file struct{ Vectors []Vector }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) == 0 {
		t.Fatalf("%s/%s.json has no vectors", folder, name)
	}
	return file.Vectors
}

// hexBytes are bytes that stand in the vectors as hexadecimal.
type hexBytes []byte

func (b *hexBytes) UnmarshalText(text []byte) (err error) {
	*b, err = hex.DecodeString(string(text))
	return err
}

// stream gives its chunks, one a read, and keeps what is written.
type stream struct {
	chunks  []hexBytes
	written [][]byte
}

func (s *stream) Read(into []byte) (int, error) {
	if len(s.chunks) == 0 {
		return 0, io.EOF
	}
	count := copy(into, s.chunks[0])
	s.chunks[0] = s.chunks[0][count:]
	if len(s.chunks[0]) == 0 {
		s.chunks = s.chunks[1:]
	}
	return count, nil
}

func (s *stream) Write(frame []byte) (int, error) {
	s.written = append(s.written, append([]byte(nil), frame...))
	return len(frame), nil
}

func TestFramesAreReadHoweverTheyAreCut(t *testing.T) {
	type Vector struct {
		Name         string
		MaxBodyBytes int `json:"max_body_bytes"`
		Chunks       []hexBytes
		Bodies       []hexBytes
		Breach       string
		AtEnd        string `json:"at_end"`
	}
	for _, vector := range load[Vector](t, "frames") {
		t.Run(vector.Name, func(t *testing.T) {
			link := NewLink(&stream{chunks: vector.Chunks})
			link.body = make([]byte, vector.MaxBodyBytes)
			for _, expected := range vector.Bodies {
				body, err := link.Receive()
				if err != nil || !bytes.Equal(body, expected) {
					t.Fatalf("%x, %v; expected %x", body, err, expected)
				}
			}
			// Then the stream ends, between two frames or as the vector says.
			_, err := link.Receive()
			came := ""
			switch {
			case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
				came = "frame-unfinished"
			case errors.Is(err, ErrTooLong):
				came = "frame-too-long"
			case !errors.Is(err, ErrClosed):
				t.Fatal(err)
			}
			if expected := vector.Breach + vector.AtEnd; came != expected {
				t.Errorf("%q, expected %q", came, expected)
			}
		})
	}
}

type messageVector struct {
	Name      string
	From      string
	Message   map[string]any
	Hex       hexBytes
	Canonical bool
}

func TestMessagesFromTheServerAreRead(t *testing.T) {
	for _, vector := range load[messageVector](t, "messages") {
		if vector.From == "server" {
			t.Run(vector.Name, func(t *testing.T) {
				checkRead(t, vector.Hex, vector.Message)
			})
		}
	}
}

// checkRead decodes a body, and packs it again to see that no field was lost or changed.
func checkRead(t *testing.T, body []byte, expected map[string]any) {
	t.Helper()
	same(t, unpack(t, body), expected)
	message, err := Decode(body)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := msgpack.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	fields := unpack(t, packed)
	if of, ok := message.(interface{ ReadView(any) error }); ok {
		var view map[string]any
		if err := of.ReadView(&view); err != nil {
			t.Fatal(err)
		}
		if view != nil {
			fields["view"] = view
		}
	}
	same(t, fields, expected)
}

func TestMessagesToTheServerArePacked(t *testing.T) {
	for _, vector := range load[messageVector](t, "messages") {
		if vector.From != "bot" {
			continue
		}
		t.Run(vector.Name, func(t *testing.T) {
			same(t, unpack(t, vector.Hex), vector.Message)
			var message any = new(Action)
			if vector.Message["type"] == "hello" {
				message = new(Hello)
			}
			if err := msgpack.Unmarshal(vector.Hex, message); err != nil {
				t.Fatal(err)
			}
			output := new(stream)
			if err := NewLink(output).Send(message); err != nil {
				t.Fatal(err)
			}
			body := sent(t, output)[0]
			for name, value := range vector.Message {
				if value == "" || reflect.DeepEqual(value, []any{}) {
					delete(vector.Message, name) // 4.1, 4.5: we leave out what is empty.
					vector.Canonical = false
				}
			}
			same(t, unpack(t, body), vector.Message)
			if vector.Canonical && !bytes.Equal(body, vector.Hex) {
				t.Errorf("%x, expected %x", body, vector.Hex)
			}
		})
	}
}

type conversation struct {
	Name  string
	Steps []struct {
		From    string
		Message map[string]any
		Hex     hexBytes
	}
}

func TestWholeConversationsArePlayed(t *testing.T) {
	for _, vector := range load[conversation](t, "conversations") {
		t.Run(vector.Name, func(t *testing.T) {
			// All that the server says, three bytes at a time.
			var all []byte
			var requests []map[string]any
			saysBye := false
			for _, step := range vector.Steps {
				if step.From != "server" {
					continue
				}
				all = append(all, step.Hex...)
				same(t, unpack(t, step.Hex[headerBytes:]), step.Message)
				switch step.Message["type"] {
				case "request":
					requests = append(requests, step.Message)
				case "bye":
					saysBye = true
				}
			}
			talk := new(stream)
			for ; len(all) > 3; all = all[3:] {
				talk.chunks = append(talk.chunks, all[:3])
			}
			talk.chunks = append(talk.chunks, all)

			_, err := play(NewLink(talk), "tK3x")

			if saysBye && err != nil || !saysBye && !errors.Is(err, ErrClosed) {
				t.Error(err)
			}
			answers := sent(t, talk)
			same(t, unpack(t, answers[0])["token"], "tK3x")
			answers = answers[1:]
			if len(answers) != len(requests) {
				t.Fatalf("%d answers to %d requests", len(answers), len(requests))
			}
			for i, request := range requests {
				answer := unpack(t, answers[i])
				same(t, answer["match"], request["match"])
				same(t, answer["id"], request["id"])
				if !slices.Contains(request["legal"].([]any), answer["action"]) {
					t.Errorf("%v is not in %v", answer["action"], request["legal"])
				}
			}
		})
	}
}

func TestEveryRequestIsAnsweredWithALegalAction(t *testing.T) {
	for _, vector := range load[conversation](t, "conversations") {
		for _, step := range vector.Steps {
			if step.Message["type"] != "request" {
				continue
			}
			message, err := Decode(step.Hex[headerBytes:])
			if err != nil {
				t.Fatal(err)
			}
			request := message.(*Request)
			for name, bot := range map[string]func(*Request) string{"decide": decide, "high": high} {
				if action := bot(request); !slices.Contains(request.Legal, action) {
					t.Errorf("%s: %q of %s is not in %q", vector.Name, action, name, request.Legal)
				}
			}
			if request.err != nil {
				t.Errorf("%s: %v", vector.Name, request.err)
			}
		}
	}
}

func TestViewsAreReadWhole(t *testing.T) {
	games := map[string]bool{}
	for _, vector := range load[conversation](t, "conversations") {
		for _, step := range vector.Steps {
			expected, ok := step.Message["view"].(map[string]any)
			if !ok || expected["game"] == nil { // A mere hand is no view of any game.
				continue
			}
			delete(expected, "weather") // One conversation is with a later server (9).
			message, err := Decode(step.Hex[headerBytes:])
			if err != nil {
				t.Fatal(err)
			}
			packed, err := msgpack.Marshal(message.(interface{ View() View }).View())
			if err != nil {
				t.Fatal(err)
			}
			same(t, asViewed(unpack(t, packed)), asViewed(expected))
			games[expected["game"].(string)] = true
		}
	}
	if !games["nyet"] || !games["nope"] {
		t.Errorf("views of %v only", games)
	}
}

// asViewed writes alike what the wire and our structs say differently: a text that is nil is "",
// and a turn of NOPE! is a list with its cards behind the rest.
func asViewed(view map[string]any) map[string]any {
	for name, value := range view {
		turns, ok := value.([]any)
		switch {
		case value == "":
			view[name] = nil
		case ok && name == "recent":
			for _, ofSeat := range turns {
				for i, turn := range ofSeat.([]any) {
					if turn, ok := turn.(map[string]any); ok {
						places := []any{turn["Number"], turn["Count"], turn["Colours"], turn["Drawn"]}
						ofSeat.([]any)[i] = append(places, turn["Laid"].([]any)...)
					}
				}
			}
		}
	}
	return view
}

func TestAViewOfAGameThatIsNotInventedYetIsPassedOver(t *testing.T) {
	body, err := msgpack.Marshal(map[string]any{
		"type": "request",
		"view": map[string]any{"game": "whist", "hand": []string{"R1", "G7"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	message, err := Decode(body)
	if err != nil {
		t.Fatal(err)
	}
	request := message.(*Request)
	if view := request.View(); view != nil || request.err != nil {
		t.Error(view, request.err)
	}
	var view struct {
		Hand []string `msgpack:"hand"`
	}
	if err := request.ReadView(&view); err != nil {
		t.Fatal(err)
	}
	same(t, view.Hand, []string{"R1", "G7"})
}

func TestAViewThatCannotBeReadIsTold(t *testing.T) {
	body, err := msgpack.Marshal(map[string]any{
		"type": "request",
		"view": map[string]any{"game": "nope", "hand": 7},
	})
	if err != nil {
		t.Fatal(err)
	}
	message, err := Decode(body)
	if err != nil {
		t.Fatal(err)
	}
	request := message.(*Request)
	if view := request.View(); view != nil || request.err == nil {
		t.Error(view, request.err)
	}
}

func TestAnAddressIsReadOrRefusedInWords(t *testing.T) {
	for _, text := range []string{"unix:/run/a:b", "tcp:localhost:4000", "tcp:[::1]:4000"} {
		if address, err := ParseAddress(text); err != nil || address.String() != text {
			t.Error(text, address, err)
		}
	}
	for _, text := range []string{
		"", "unix", "unix:", "tcp:", "tcp:localhost", "tcp::4000", "tcp:localhost:0",
		"tcp:localhost:http", "tcp:localhost:65536", "tcp:::1:4000", "udp:localhost:4000",
	} {
		if address, err := ParseAddress(text); err == nil {
			t.Error(text, "was read as", address)
		} else if !strings.Contains(err.Error(), fmt.Sprintf("ARENA_CONNECT is %q", text)) {
			t.Error(err)
		}
	}
}

// sent gives the bodies of the frames that were written; each must have been one write.
func sent(t *testing.T, output *stream) [][]byte {
	t.Helper()
	var bodies [][]byte
	for _, frame := range output.written {
		body, err := NewLink(&stream{chunks: []hexBytes{frame}}).Receive()
		if err != nil || len(body) != len(frame)-headerBytes {
			t.Fatalf("%x is no frame: %v", frame, err)
		}
		bodies = append(bodies, body)
	}
	return bodies
}

func unpack(t *testing.T, body []byte) map[string]any {
	t.Helper()
	var fields map[string]any
	if err := msgpack.Unmarshal(body, &fields); err != nil {
		t.Fatalf("%x: %v", body, err)
	}
	return fields
}

func same(t *testing.T, came, expected any) {
	t.Helper()
	if came, expected = plain(came), plain(expected); !reflect.DeepEqual(came, expected) {
		t.Errorf("%v\nexpected %v", came, expected)
	}
}

// plain makes values alike that say the same: JSON has one type of number, msgpack many.
func plain(value any) any {
	switch of := reflect.ValueOf(value); of.Kind() {
	case reflect.Map:
		fields := map[string]any{}
		for _, key := range of.MapKeys() {
			fields[key.String()] = plain(of.MapIndex(key).Interface())
		}
		return fields
	case reflect.Slice:
		list := []any{}
		for i := range of.Len() {
			list = append(list, plain(of.Index(i).Interface()))
		}
		return list
	case reflect.Float64: // From JSON. Up to 2^53 each whole number is exact in it (3.3).
		return int64(of.Float())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return of.Int()
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return int64(of.Uint())
	}
	return value
}
