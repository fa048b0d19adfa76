package main

import (
	"math/rand"
	"time"
)

// A source of our own: older Go seeds the common one the same each time.
var chance = rand.New(rand.NewSource(time.Now().UnixNano()))

// choose is where your idea goes: a request comes in, one of its legal actions goes out.
//
// request.View shows what your seat may know, and request.TimeUS how long you have (6.2).
// A view holds all that matters for the decision, so nothing need be kept between two calls.
func choose(request *Request) string {
	return request.Legal[chance.Intn(len(request.Legal))]
}
