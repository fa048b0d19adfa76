#define _DEFAULT_SOURCE

#include "wire/connection.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

void wire_say(const char *what, Value text)
{
    if (text.kind == MP_TEXT) {
        fprintf(stderr, "%s: %.*s\n", what, (int)text.size, text.text);
    }
}

void wire_again(void)
{
    const char *retry = getenv("ARENA_RETRY_S");
    if (retry == NULL) {
        return;
    }
    char *end;
    long seconds = strtol(retry, &end, 10);
    if (end == retry || *end != '\0' || seconds < 0 || seconds > 86400) {
        wire_fail("ARENA_RETRY_S is \"%s\", not a number of seconds (SPEC 2.5)", retry);
    }
    sleep((unsigned)seconds);
    execl("/proc/self/exe", "bot", (char *)NULL);
    wire_fail("this program cannot be started anew: %s", strerror(errno));
}

_Noreturn void wire_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("the bot ends: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs("\n", stderr);
    va_end(arguments);
    exit(1);
}

/* The connection was lost, or there is none: a bot that dials in may come again. */
static _Noreturn void lost(const char *what, const char *why)
{
    fprintf(stderr, "the session ends: %s: %s\n", what, why);
    wire_again();
    exit(1);
}

static _Noreturn void no_connection(const char *address, const char *why)
{
    fprintf(stderr, "no connection to %s, the address in ARENA_CONNECT: %s\n", address, why);
    wire_again();
    exit(1);
}

static int connect_unix(const char *path)
{
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof place.sun_path) {
        wire_fail("ARENA_CONNECT is \"unix:%s\"; expected a path of at most %zu bytes", path,
                  sizeof place.sun_path - 1);
    }
    memcpy(place.sun_path, path, strlen(path));
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&place, sizeof place) != 0) {
        no_connection(path, strerror(errno));
    }
    return fd;
}

static bool is_port(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return text[digits] == '\0' && digits >= 1 && digits <= 5 && atoi(text) <= 65535;
}

static int connect_tcp(const char *host_and_port)
{
    /* SPEC 2.2: the port follows the last colon; an IPv6 host stands in brackets. */
    const char *colon = strrchr(host_and_port, ':');
    char host[256] = {0};
    if (colon == NULL || colon == host_and_port || (size_t)(colon - host_and_port) >= sizeof host ||
        !is_port(colon + 1)) {
        wire_fail("ARENA_CONNECT is \"tcp:%s\"; expected tcp:HOST:PORT, such as "
                  "tcp:127.0.0.1:4000 (SPEC 2.2)",
                  host_and_port);
    }
    bool bracketed = host_and_port[0] == '[' && colon - host_and_port >= 2 && colon[-1] == ']';
    size_t length = (size_t)(colon - host_and_port) - (bracketed ? 2 : 0);
    memcpy(host, host_and_port + (bracketed ? 1 : 0), length);

    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found;
    int problem = getaddrinfo(host, colon + 1, &hints, &found);
    if (problem != 0) {
        no_connection(host_and_port, gai_strerror(problem));
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
        no_connection(host_and_port, strerror(errno));
    }
    /* Otherwise each answer may wait some 40 ms for an acknowledgement, on our clock. */
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

void wire_connect(Link *link, const char *address)
{
    if (address == NULL) {
        wire_fail("ARENA_CONNECT is not set; it should hold the address, unix:PATH or "
                  "tcp:HOST:PORT. `arena` sets it for the bots it starts (SPEC 2.1)");
    }
    if (strncmp(address, "unix:", 5) == 0 && address[5] != '\0') {
        link->socket = connect_unix(address + 5);
    } else if (strncmp(address, "tcp:", 4) == 0) {
        link->socket = connect_tcp(address + 4);
    } else {
        wire_fail("ARENA_CONNECT is \"%s\"; expected unix:PATH or tcp:HOST:PORT (SPEC 2.2)",
                  address);
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
            lost("the server does not take our message", strerror(errno));
        }
        at += sent;
        left -= (size_t)sent;
    }
}

void wire_send_hello(Link *link, const char *token)
{
    if (token == NULL || *token == '\0') {
        wire_fail("ARENA_TOKEN is %s; it should hold the bot's token, a word that comes with the "
                  "address. `arena` sets it for the bots it starts (SPEC 2.1)",
                  token == NULL ? "not set" : "empty");
    }
    Frame frame;
    Writer body = body_of(&frame);
    pack_hello(&body, token);
    send_frame(link, &frame, &body);
}

void wire_send_action(Link *link, const Request *request, const char *action, const char *note)
{
    if (action == NULL) {
        wire_fail("the action is NULL; expected one of request->legal");
    }
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
            lost("the connection broke", strerror(errno));
        }
        if (came == 0) {
            lost("the server closed the connection", "there was no bye");
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
