/* The connection and the messages on it: SPEC 2 to 4. */

#ifndef WIRE_H
#define WIRE_H

#include "msgpack.h"

/* SPEC 8. Longer frames are refused by who receives them. */
#define WIRE_MAX_SERVER_BODY 16384
#define WIRE_MAX_BOT_BODY 4096
#define WIRE_HEADER 4

/* Frames out of a stream that may be cut or joined anywhere (SPEC 3.1); no socket in it. */
typedef struct {
    uint8_t bytes[WIRE_HEADER + WIRE_MAX_SERVER_BODY];
    size_t from, to; /* what has come and was not given out lies between */
} Frames;

typedef enum { FRAME_WHOLE, FRAME_UNFINISHED, FRAME_TOO_LONG } FrameState;

/* Where to put bytes that come, and how many at most; then frames_came says how many did. */
uint8_t *frames_space(Frames *frames, size_t *room);
void frames_came(Frames *frames, size_t size);

/* The next body. It is good until frames_space is called. `max_body` is at most
 * WIRE_MAX_SERVER_BODY. */
FrameState frames_next(Frames *frames, size_t max_body, const uint8_t **body, size_t *size);

/* What a request holds that a bot may need: SPEC 4.4. */
typedef struct {
    Value match, id, view, legal;
    int64_t time_us;
} Request;

/* The fields of a request, in one pass over it; false if it is none that can be read. Then all
 * of it has been seen, and nothing in its view is MP_BAD. */
bool read_request(Value message, Request *request);

/* The bodies of what a bot sends: SPEC 4.1 and 4.5. `note` is kept in the record; NULL: none. */
void pack_hello(Writer *out, const char *token);
void pack_action(Writer *out, const Request *request, Value action, const char *note);

/* The connection. All of these end the program with a message when something is wrong. */
typedef struct {
    int socket;
    Frames frames;
} Link;

/* `address` is unix:PATH or tcp:HOST:PORT (SPEC 2.2). */
void wire_connect(Link *link, const char *address);
void wire_send_hello(Link *link, const char *token);
void wire_send_action(Link *link, const Request *request, Value action, const char *note);

/* The next message, a map; it is good until the next call. What is in it may still be MP_BAD. */
Value wire_receive(Link *link);

/* On standard error, which is kept for the bot's author (SPEC 7.5). */
void wire_say(const char *what, Value text);
_Noreturn void wire_fail(const char *why);

/* SPEC 2.5: a bot that dials in waits and starts anew, as a fresh program in this process; any
 * other returns from here. Also called before the program ends for a connection that was lost. */
void wire_again(void);

#endif
