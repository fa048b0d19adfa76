package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"github.com/vmihailenco/msgpack/v5"
)

const (
	headerBytes        = 4
	maxServerBodyBytes = 16384 // 8
)

// What Receive finds wrong.
var (
	ErrClosed  = errors.New("the server closed the connection without a bye")
	ErrTooLong = errors.New("a frame longer than the server may send (3.2)")
)

// Link brings messages over a connection, as frames (3.1): a header of four bytes, the length
// of the body, big-endian, and the body, which is one msgpack map.
type Link struct {
	reader  *bufio.Reader
	writer  io.Writer
	closer  io.Closer
	body    []byte       // The last frame received; used again for the next.
	frame   bytes.Buffer // The last frame sent; likewise.
	encoder *msgpack.Encoder
}

// Address is where ARENA_CONNECT points (2.2).
type Address struct {
	network, place string // As package net wants them.
}

// String is the address as it stands in ARENA_CONNECT.
func (a Address) String() string { return a.network + ":" + a.place }

// ParseAddress reads unix:PATH or tcp:HOST:PORT.
func ParseAddress(text string) (Address, error) {
	network, place, _ := strings.Cut(text, ":")
	address := Address{network, place}
	switch network {
	case "unix":
		if place != "" {
			return address, nil
		}
	case "tcp":
		host, port, err := net.SplitHostPort(place)
		number, notNumber := strconv.ParseUint(port, 10, 16)
		if err == nil && notNumber == nil && host != "" && number > 0 {
			return address, nil
		}
	}
	return Address{}, fmt.Errorf("ARENA_CONNECT is %q; it should be unix:PATH or"+
		" tcp:HOST:PORT, such as tcp:127.0.0.1:4000 (SPEC 2.2)", text)
}

// Dial connects to an address.
func Dial(address Address) (*Link, error) {
	// On TCP, package net switches Nagle's algorithm off by itself (TCP_NODELAY).
	connection, err := net.Dial(address.network, address.place)
	if err != nil {
		return nil, fmt.Errorf("cannot connect to %v (ARENA_CONNECT): %w", address, err)
	}
	link := NewLink(connection)
	link.closer = connection
	return link, nil
}

// Close closes the connection.
func (l *Link) Close() { l.closer.Close() }

// NewLink talks over any stream.
func NewLink(stream io.ReadWriter) *Link {
	link := &Link{
		// With room for the longest frame, a frame is usually got with one read.
		reader: bufio.NewReaderSize(stream, headerBytes+maxServerBodyBytes),
		writer: stream,
		body:   make([]byte, maxServerBodyBytes),
	}
	link.encoder = msgpack.NewEncoder(&link.frame)
	link.encoder.UseCompactInts(true) // Otherwise each number takes nine bytes.
	return link
}

// Receive waits for a frame and gives its body, which is good until the next call. A stream has
// no message boundaries (3.1): io.ReadFull reads on where a frame comes in pieces, and what came
// along of the next one waits in the reader.
func (l *Link) Receive() ([]byte, error) {
	var header [headerBytes]byte
	if _, err := io.ReadFull(l.reader, header[:]); err == io.EOF {
		return nil, ErrClosed
	} else if err != nil {
		return nil, fmt.Errorf("reading a header: %w", err)
	}
	length := binary.BigEndian.Uint32(header[:])
	if length > uint32(len(l.body)) {
		return nil, fmt.Errorf("%w: %d bytes announced", ErrTooLong, length)
	}
	body := l.body[:length]
	if _, err := io.ReadFull(l.reader, body); err != nil {
		return nil, fmt.Errorf("reading a body of %d bytes: %w", length, err)
	}
	return body, nil
}

// Send packs a message and writes its frame in one call (2.2): two calls are two packets, and
// the second may wait for the first.
func (l *Link) Send(message any) error {
	l.frame.Reset()
	l.frame.Write(make([]byte, headerBytes)) // Filled in when the length is known.
	if err := l.encoder.Encode(message); err != nil {
		return err
	}
	frame := l.frame.Bytes()
	binary.BigEndian.PutUint32(frame, uint32(len(frame)-headerBytes))
	_, err := l.writer.Write(frame)
	return err
}
