/* A bot: hello, then an action for every request, until bye. Your idea goes into decide.c.
 *
 * SPEC.md tells all of it; `arena spec` prints it. wire/ has the connection, the frames and the
 * messages; they need no change for a new idea. */

#include <stdlib.h>
#include <time.h>

#include "decide.h"
#include "wire/connection.h"

/* SPEC 4.8: whether all went well, so that the exit code is 0. */
static bool is_well(Value reason)
{
    return mp_is(reason, "done") || mp_is(reason, "stopping") || mp_is(reason, "replaced");
}

/* SPEC 2.5: whether a bot that dials in may come again. */
static bool may_come_again(Value reason)
{
    return mp_is(reason, "stopping") || mp_is(reason, "hung") || mp_is(reason, "token-in-use");
}

int main(void)
{
    static Link link;
    static Request request;
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    srand((unsigned)now.tv_sec ^ (unsigned)now.tv_nsec);
    wire_connect(&link, getenv("ARENA_CONNECT"));
    wire_send_hello(&link, getenv("ARENA_TOKEN"));
    for (;;) {
        Value message = wire_receive(&link);
        Value type = mp_field(message, "type");
        if (mp_is(type, "request")) {
            if (!read_request(message, &request)) {
                wire_fail("a request came that is not as in SPEC 4.4");
            }
            wire_send_action(&link, &request, decide(&request), NULL);
        } else if (mp_is(type, "fault")) {
            /* SPEC 4.6: the rule that we broke, in words. Standard error is kept for us. */
            wire_say("fault", mp_field(message, "text"));
        } else if (mp_is(type, "bye")) {
            /* SPEC 4.8: the server hangs up, and gives its reason. */
            Value reason = mp_field(message, "reason");
            wire_say("bye", mp_field(message, "text"));
            if (may_come_again(reason)) {
                wire_again();
            }
            return is_well(reason) ? 0 : 1;
        }
        /* SPEC 4: every other message may be passed over, also a type that is new to us. */
    }
}
