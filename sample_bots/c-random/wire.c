#define _DEFAULT_SOURCE

#include "wire.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* ---- Frames ---- */

uint8_t *frames_space(Frames *frames, size_t *room)
{
    /* What is left is part of one frame, and most often nothing. */
    memmove(frames->bytes, frames->bytes + frames->from, frames->to - frames->from);
    frames->to -= frames->from;
    frames->from = 0;
    *room = sizeof frames->bytes - frames->to;
    return frames->bytes + frames->to;
}

void frames_came(Frames *frames, size_t size)
{
    frames->to += size;
}

FrameState frames_next(Frames *frames, size_t max_body, const uint8_t **body, size_t *size)
{
    const uint8_t *at = frames->bytes + frames->from;
    size_t held = frames->to - frames->from;
    if (held < WIRE_HEADER) {
        return FRAME_UNFINISHED;
    }
    *size = (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
    if (*size > max_body) {
        return FRAME_TOO_LONG;
    }
    if (held < WIRE_HEADER + *size) {
        return FRAME_UNFINISHED;
    }
    *body = at + WIRE_HEADER;
    frames->from += WIRE_HEADER + *size;
    return FRAME_WHOLE;
}

/* ---- Messages ---- */

bool read_request(Value message, Request *request)
{
    *request = (Request){.time_us = 0};
    Reader fields = mp_inside(message);
    for (uint32_t i = 0; i < message.count; i++) {
        Value name = mp_next(&fields);
        Value value = mp_next(&fields);
        if (value.kind == MP_BAD) {
            return false;
        }
        if (mp_is(name, "match")) {
            request->match = value;
        } else if (mp_is(name, "id")) {
            request->id = value;
        } else if (mp_is(name, "view")) {
            request->view = value;
        } else if (mp_is(name, "legal")) {
            request->legal = value;
        } else if (mp_is(name, "time_us")) {
            request->time_us = value.number;
        }
        /* SPEC 4: a field that we do not know is passed over. */
    }
    return request->match.kind == MP_TEXT && request->id.kind == MP_NUMBER &&
           request->view.kind == MP_MAP && request->legal.kind == MP_LIST &&
           request->legal.count > 0;
}

void pack_hello(Writer *out, const char *token)
{
    mp_write_map(out, 4);
    mp_write_word(out, "type");
    mp_write_word(out, "hello");
    mp_write_word(out, "protocol");
    mp_write_number(out, 1);
    mp_write_word(out, "token");
    mp_write_word(out, token);
    mp_write_word(out, "language");
    mp_write_word(out, "C");
}

void pack_action(Writer *out, const Request *request, Value action, const char *note)
{
    mp_write_map(out, note ? 5 : 4);
    mp_write_word(out, "type");
    mp_write_word(out, "action");
    mp_write_word(out, "match");
    mp_write_text(out, request->match.text, request->match.size);
    mp_write_word(out, "id");
    mp_write_number(out, request->id.number);
    mp_write_word(out, "action");
    mp_write_text(out, action.text, action.size);
    if (note) {
        mp_write_word(out, "note");
        mp_write_word(out, note);
    }
}

/* ---- The connection ---- */

void wire_say(const char *what, Value text)
{
    if (text.kind == MP_TEXT) {
        fprintf(stderr, "%s: %.*s\n", what, (int)text.size, text.text);
    }
}

void wire_again(void)
{
    /* Only bots that dial in have this; others end with their connection. */
    const char *retry = getenv("ARENA_RETRY_S");
    if (retry != NULL) {
        sleep((unsigned)atoi(retry));
        execl("/proc/self/exe", "bot", (char *)NULL);
    }
}

_Noreturn void wire_fail(const char *why)
{
    fprintf(stderr, "the bot ends: %s\n", why);
    exit(1);
}

static _Noreturn void fail_with_errno(const char *what)
{
    fprintf(stderr, "the session ends: %s: %s\n", what, strerror(errno));
    wire_again();
    exit(1);
}

static int connect_unix(const char *path)
{
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof place.sun_path) {
        wire_fail("the path in ARENA_CONNECT is longer than a Unix socket's can be");
    }
    memcpy(place.sun_path, path, strlen(path));
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&place, sizeof place) != 0) {
        fail_with_errno(path);
    }
    return fd;
}

static int connect_tcp(const char *host_and_port)
{
    /* SPEC 2.2: the port follows the last colon; an IPv6 host stands in brackets. */
    const char *colon = strrchr(host_and_port, ':');
    char host[256] = {0};
    if (colon == NULL || (size_t)(colon - host_and_port) >= sizeof host) {
        wire_fail("expected tcp:HOST:PORT in ARENA_CONNECT (SPEC 2.2)");
    }
    bool bracketed = host_and_port[0] == '[' && colon - host_and_port >= 2 && colon[-1] == ']';
    size_t length = (size_t)(colon - host_and_port) - (bracketed ? 2 : 0);
    memcpy(host, host_and_port + (bracketed ? 1 : 0), length);

    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found;
    int problem = getaddrinfo(host, colon + 1, &hints, &found);
    if (problem != 0) {
        wire_fail(gai_strerror(problem));
    }
    int fd = -1;
    for (struct addrinfo *each = found; each != NULL; each = each->ai_next) {
        fd = socket(each->ai_family, each->ai_socktype | SOCK_CLOEXEC, each->ai_protocol);
        if (fd >= 0 && connect(fd, each->ai_addr, each->ai_addrlen) == 0) {
            break;
        }
        int why = errno;
        if (fd >= 0) {
            close(fd);
        }
        errno = why;
        fd = -1;
    }
    freeaddrinfo(found);
    if (fd < 0) {
        fail_with_errno(host_and_port);
    }
    /* Otherwise each answer may wait some 40 ms for an acknowledgement, on our clock. */
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

void wire_connect(Link *link, const char *address)
{
    if (address == NULL) {
        wire_fail("ARENA_CONNECT is not set; `arena` sets it for the bots it starts (SPEC 2.1)");
    }
    if (strncmp(address, "unix:", 5) == 0) {
        link->socket = connect_unix(address + 5);
    } else if (strncmp(address, "tcp:", 4) == 0) {
        link->socket = connect_tcp(address + 4);
    } else {
        wire_fail("expected unix:PATH or tcp:HOST:PORT in ARENA_CONNECT (SPEC 2.2)");
    }
}

/* Header and body, in one call: in two, the second might wait for the first (SPEC 2.2). */
typedef struct {
    uint8_t bytes[WIRE_HEADER + WIRE_MAX_BOT_BODY];
} Frame;

static Writer body_of(Frame *frame)
{
    return (Writer){.bytes = frame->bytes + WIRE_HEADER, .room = WIRE_MAX_BOT_BODY};
}

static void send_frame(Link *link, Frame *frame, const Writer *body)
{
    if (body->full) {
        wire_fail("a message of ours is longer than 4096 bytes (SPEC 3.2)");
    }
    for (int i = 0; i < WIRE_HEADER; i++) {
        frame->bytes[i] = (uint8_t)(body->size >> (24 - 8 * i));
    }
    const uint8_t *at = frame->bytes;
    for (size_t left = WIRE_HEADER + body->size; left > 0;) {
        /* MSG_NOSIGNAL: that the server has gone is told by errno, not by a signal that kills. */
        ssize_t sent = send(link->socket, at, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0) {
            fail_with_errno("the server does not take our message");
        }
        at += sent;
        left -= (size_t)sent;
    }
}

void wire_send_hello(Link *link, const char *token)
{
    if (token == NULL) {
        wire_fail("ARENA_TOKEN is not set; `arena` sets it for the bots it starts (SPEC 2.1)");
    }
    Frame frame;
    Writer body = body_of(&frame);
    pack_hello(&body, token);
    send_frame(link, &frame, &body);
}

void wire_send_action(Link *link, const Request *request, Value action, const char *note)
{
    Frame frame;
    Writer body = body_of(&frame);
    pack_action(&body, request, action, note);
    send_frame(link, &frame, &body);
}

Value wire_receive(Link *link)
{
    const uint8_t *body;
    size_t size;
    FrameState state;
    /* A read gives what is there: half a frame, or three. */
    while ((state = frames_next(&link->frames, WIRE_MAX_SERVER_BODY, &body, &size)) ==
           FRAME_UNFINISHED) {
        size_t room;
        uint8_t *space = frames_space(&link->frames, &room);
        ssize_t came = recv(link->socket, space, room, 0);
        if (came < 0 && errno == EINTR) {
            continue;
        }
        if (came < 0) {
            fail_with_errno("the connection broke");
        }
        if (came == 0) {
            fprintf(stderr, "the server closed the connection without a bye\n");
            wire_again();
            exit(1);
        }
        frames_came(&link->frames, (size_t)came);
    }
    if (state == FRAME_TOO_LONG) {
        wire_fail("a frame longer than a server's can be (SPEC 3.2); is this a server of arena?");
    }
    Reader reader = {body, body + size};
    Value message = mp_head(&reader);
    if (message.kind != MP_MAP) {
        wire_fail("a message that is not a msgpack map (SPEC 3.3); is this a server of arena?");
    }
    return message;
}
