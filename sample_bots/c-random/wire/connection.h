/* The connection to the server: SPEC 2. When something is wrong, these functions say so on standard
 * error and end the program. */

#ifndef CONNECTION_H
#define CONNECTION_H

#include "wire/messages.h"

typedef struct {
    int socket;
    Frames frames;
} Link;

/* Connect to an address, unix:PATH or tcp:HOST:PORT (SPEC 2.2): the value of ARENA_CONNECT. */
void wire_connect(Link *link, const char *address);

/* Say hello with a token: the value of ARENA_TOKEN. */
void wire_send_hello(Link *link, const char *token);

/* Answer a request. `note` is a remark that is kept in the record of the match; NULL: none. */
void wire_send_action(Link *link, const Request *request, const char *action, const char *note);

/* Wait for the next message, a map. It is good until the next call. A value in it may be MP_BAD. */
Value wire_receive(Link *link);

/* Print a text of the server's on standard error, which is kept for the bot's author (SPEC 7.5). */
void wire_say(const char *what, Value text);

/* Print why the bot ends, and end it with exit code 1. */
_Noreturn void wire_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* SPEC 2.5: wait ARENA_RETRY_S seconds and start this program anew, in the same process. Returns at
 * once where the variable is not set: only a bot that dials in has it. */
void wire_again(void);

#endif
