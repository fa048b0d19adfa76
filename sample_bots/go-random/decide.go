package main

// decide is where your idea goes: a request comes in, one of its legal actions goes out.
//
// Read request.Legal, what you may do, never empty; request.TimeUS, how long you have, in
// microseconds (6.2); and request.View(), what your seat may know, decoded when you ask for it:
//
//	if view, ok := request.View().(*TrickView); ok && view.Phase == "play" {
//		log.Print("I hold ", view.Hand, ", trump is ", view.Trump)
//	}
//
// views.go lists the fields of a *TrickView and of a *NopeView, and cards.go has helpers for
// both. A view holds what the decision needs, so nothing need be kept between two calls (10.3).
func decide(request *Request) string {
	return request.Lot()
}
