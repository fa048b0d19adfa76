/* The messages that a bot reads and writes: SPEC 4. */

#ifndef MESSAGES_H
#define MESSAGES_H

#include "wire/frames.h"
#include "wire/msgpack.h"

/* An action has at least one letter, so it takes at least two bytes of a body. */
#define MAX_LEGAL (WIRE_MAX_SERVER_BODY / 2)

/* A request (SPEC 4.4). All of it is good until the next message is received. */
typedef struct {
    Value match;
    int64_t id;
    Value view;                      /* still packed: trick_view and nope_view of views.h read it */
    int legal_count;                 /* at least 1 */
    const char *legal[MAX_LEGAL];    /* each ends with a zero byte */
    int64_t time_us;                 /* microseconds left for the answer, bank included */
    char text[WIRE_MAX_SERVER_BODY]; /* the texts that `legal` points to */
} Request;

/* Read a request in one pass over the message. False: it is not as in SPEC 4.4. If true, all of
 * the message was looked at, and nothing in its view is MP_BAD. */
bool read_request(Value message, Request *request);

/* Write the body of a hello (SPEC 4.1). */
void pack_hello(Writer *out, const char *token);

/* Write the body of an action (SPEC 4.5). `note` is kept in the record; NULL: none. */
void pack_action(Writer *out, const Request *request, const char *action, const char *note);

#endif
