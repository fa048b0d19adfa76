/* A bot that plays any legal action, in every game. Your idea goes into `choose`.
 *
 * What comes and goes is told in SPEC.md; `arena spec` prints it. wire.h has the connection and
 * the frames, msgpack.h the values in them. */

#define _DEFAULT_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "wire.h"

/* YOUR IDEA GOES HERE: give one of `request->legal`, a list of texts that is never empty.
 *
 * `request->view` is all that your seat may know (SPEC 10.3). Nothing of it is decoded until you
 * ask:
 *     Value hand = mp_field(request->view, "hand");
 *     Reader cards = mp_inside(hand);
 *     for (uint32_t i = 0; i < hand.count; i++) {
 *         Value card = mp_next(&cards);        card.text has card.size bytes, such as R7
 *     }
 * `request->time_us` is how long you have, in microseconds (SPEC 6.2). */
static Value choose(const Request *request)
{
    return mp_entry(request->legal, (uint32_t)random() % request->legal.count);
}

int main(void)
{
    static Link link;
    srandom((unsigned)time(NULL) ^ (unsigned)getpid());
    wire_connect(&link, getenv("ARENA_CONNECT"));
    wire_send_hello(&link, getenv("ARENA_TOKEN"));
    for (;;) {
        Value message = wire_receive(&link);
        Value type = mp_field(message, "type");
        if (mp_is(type, "request")) {
            Request request;
            if (!read_request(message, &request)) {
                wire_fail("a request that is not as in SPEC 4.4");
            }
            wire_send_action(&link, &request, choose(&request), NULL);
        } else if (mp_is(type, "fault")) {
            /* SPEC 4.6: what we did wrong, in words. Standard error is kept for us. */
            wire_say("fault", mp_field(message, "text"));
        } else if (mp_is(type, "bye")) {
            /* SPEC 4.8: the server hangs up, and says why. */
            Value reason = mp_field(message, "reason");
            bool well = mp_is(reason, "done") || mp_is(reason, "stopping") ||
                        mp_is(reason, "replaced");
            wire_say("bye", mp_field(message, "text"));
            if (mp_is(reason, "stopping") || mp_is(reason, "hung") ||
                mp_is(reason, "token-in-use")) {
                wire_again();
            }
            return well ? 0 : 1;
        }
        /* SPEC 4: everything else may be passed over, also what is not invented yet. */
    }
}
