/* A bot that costs next to nothing: it answers every request at once with the first legal
 * action, so that what is measured is the referee.
 *
 *     null_bot [-r REPORT] [-t MICROSECONDS] [ADDRESS TOKEN...]
 *
 * Address and token are those of the environment if none are given.
 * One connection for each token, all held by this process (epoll, if there are several).
 * -r: at the end, write a line for each decision, in order: how long it took by our own clock,
 *     between the return of read and the call of write, and how long we waited for a processor
 *     before read could return; nanoseconds (one token only).
 * -t: think before answering, asleep, a time that goes up from 0 to this in eight steps.
 * Ends when all connections have ended, by `bye` or otherwise.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 65536, FRAME = 16388, ANSWER = 512 };

typedef struct {
    int fd;
    size_t held;
    unsigned char rest[FRAME];
} Link;

typedef struct {
    const unsigned char *at;
    size_t size;
} Piece;

static long think_us = 0;
static FILE *report = NULL;
static int core_waits = -1;

typedef struct {
    uint64_t took_ns, waited_ns;
} Decision;

static Decision *decisions = NULL;
static size_t decision_count = 0, decision_room = 0;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint32_t big_endian(const unsigned char *at, int bytes)
{
    uint32_t number = 0;
    while (bytes--)
        number = number << 8 | *at++;
    return number;
}

/* How a container or text at `at` begins: the size of its header, and its count. */
static size_t text_head(const unsigned char *at, size_t *length)
{
    if ((*at & 0xe0) == 0xa0) return *length = *at & 0x1f, 1;
    if (*at == 0xd9) return *length = at[1], 2;
    return *length = big_endian(at + 1, 2), 3;
}

static size_t list_head(const unsigned char *at, size_t *count)
{
    if ((*at & 0xf0) == 0x90) return *count = *at & 0x0f, 1;
    return *count = big_endian(at + 1, 2), 3;
}

static size_t map_head(const unsigned char *at, size_t *count)
{
    if ((*at & 0xf0) == 0x80) return *count = *at & 0x0f, 1;
    return *count = big_endian(at + 1, 2), 3;
}

/* The byte after the value at `at`. Only what the protocol has: no float, bin or ext, and no
 * text or list of 64 KiB. */
static const unsigned char *skip(const unsigned char *at)
{
    size_t count;
    unsigned char kind = *at;
    if (kind < 0x80 || kind >= 0xe0 || (kind >= 0xc0 && kind <= 0xc3)) return at + 1;
    if ((kind & 0xe0) == 0xa0 || kind == 0xd9 || kind == 0xda) {
        size_t head = text_head(at, &count);
        return at + head + count;
    }
    if (kind >= 0xcc && kind <= 0xcf) return at + 1 + (1 << (kind - 0xcc));
    if (kind >= 0xd0 && kind <= 0xd3) return at + 1 + (1 << (kind - 0xd0));
    if ((kind & 0xf0) == 0x90 || kind == 0xdc) {
        at += list_head(at, &count);
    } else {
        at += map_head(at, &count);
        count *= 2;
    }
    while (count--)
        at = skip(at);
    return at;
}

static int is_text(const unsigned char *at, const char *text)
{
    size_t length, head = text_head(at, &length);
    return length == strlen(text) && memcmp(at + head, text, length) == 0;
}

static unsigned char *append(unsigned char *to, const void *data, size_t size)
{
    memcpy(to, data, size);
    return to + size;
}

static void put(int fd, const void *data, size_t size)
{
    if (write(fd, data, size) != (ssize_t)size && errno != EPIPE && errno != ECONNRESET)
        fail("write");
}

static void note(Decision decision)
{
    if (decision_count == decision_room) {
        decision_room = decision_room ? 2 * decision_room : 4096;
        decisions = realloc(decisions, decision_room * sizeof *decisions);
        if (!decisions) fail("realloc");
    }
    decisions[decision_count++] = decision;
}

/* How long the kernel has kept us waiting for a processor so far. */
static uint64_t core_waits_ns(void)
{
    char text[80] = {0};
    unsigned long long ran, waited;
    if (core_waits < 0) core_waits = open("/proc/self/schedstat", O_RDONLY);
    if (core_waits < 0 || pread(core_waits, text, sizeof text - 1, 0) <= 0) return 0;
    return sscanf(text, "%llu %llu", &ran, &waited) == 2 ? waited : 0;
}

static void think(void)
{
    static long step = 0;
    struct timespec pause = {0, think_us * (step++ % 8) / 7 * 1000};
    if (think_us) nanosleep(&pause, NULL);
}

/* 0: the server has said bye. */
static int take(Link *link, const unsigned char *body, uint64_t came, uint64_t waited)
{
    Piece match = {0}, id = {0}, action = {0};
    int is_request = 0;
    size_t fields;
    const unsigned char *at = body + map_head(body, &fields);
    while (fields--) {
        const unsigned char *key = at, *value = skip(at);
        at = skip(value);
        Piece piece = {value, (size_t)(at - value)};
        if (is_text(key, "type")) {
            if (is_text(value, "bye")) return 0;
            if (!is_text(value, "request")) return 1;
            is_request = 1;
        } else if (is_text(key, "match")) {
            match = piece;
        } else if (is_text(key, "id")) {
            id = piece;
        } else if (is_text(key, "legal")) {
            size_t count;
            action.at = value + list_head(value, &count);
            action.size = (size_t)(skip(action.at) - action.at);
        }
    }
    if (!is_request) return 1;
    unsigned char answer[ANSWER] = {0}, *end = answer + 4;
    end = append(end, "\x84\xa4type\xa6""action\xa5match", 19);
    end = append(end, match.at, match.size);
    end = append(end, "\xa2id", 3);
    end = append(end, id.at, id.size);
    end = append(end, "\xa6""action", 7);
    end = append(end, action.at, action.size);
    size_t size = (size_t)(end - answer) - 4;
    answer[2] = (unsigned char)(size >> 8);
    answer[3] = (unsigned char)size;
    think();
    if (report) note((Decision){now_ns() - came, waited});
    put(link->fd, answer, size + 4);
    return 1;
}

/* Read once and take what is whole; 0 at the end of the connection. All connections read into
 * one buffer and keep only what is left of a frame: a thousand buffers would push the referee,
 * which shares the core, out of its cache. */
static int serve(Link *link)
{
    static unsigned char buffer[BUFFER];
    if (link->held) memcpy(buffer, link->rest, link->held);
    uint64_t waited = report ? core_waits_ns() : 0;
    ssize_t got = read(link->fd, buffer + link->held, BUFFER - link->held);
    if (got <= 0) return 0;
    uint64_t came = report ? now_ns() : 0;
    if (report) waited = core_waits_ns() - waited;
    size_t held = link->held + (size_t)got;
    const unsigned char *at = buffer;
    while (held >= 4) {
        size_t size = 4 + big_endian(at, 4);
        if (size > FRAME) return 0;
        if (held < size) break;
        if (!take(link, at + 4, came, waited)) return 0;
        at += size;
        held -= size;
    }
    memcpy(link->rest, at, held);
    link->held = held;
    return 1;
}

static int connected(const char *address)
{
    int fd;
    if (strncmp(address, "unix:", 5) == 0) {
        struct sockaddr_un place = {.sun_family = AF_UNIX};
        strncpy(place.sun_path, address + 5, sizeof place.sun_path - 1);
        fd = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(fd, (struct sockaddr *)&place, sizeof place)) fail(address);
        return fd;
    }
    struct sockaddr_in place = {.sin_family = AF_INET};
    const char *port = strrchr(address, ':');
    char host[64] = {0};
    int one = 1;
    if (strncmp(address, "tcp:", 4) || port - address < 5 || port - address > 60) {
        fprintf(stderr, "expected unix:PATH or tcp:IPV4:PORT, got %s\n", address);
        exit(2);
    }
    memcpy(host, address + 4, (size_t)(port - address - 4));
    place.sin_port = htons((uint16_t)atoi(port + 1));
    inet_pton(AF_INET, host, &place.sin_addr);
    fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&place, sizeof place)) fail(address);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

static void hello(int fd, const char *token)
{
    unsigned char frame[256] = {0}, *end = frame + 4;
    size_t length = strlen(token);
    if (length > 128) {
        fprintf(stderr, "a token of %zu bytes\n", length);
        exit(2);
    }
    end = append(end, "\x83\xa4type\xa5hello\xa8protocol\x01\xa5token\xd9", 29);
    *end++ = (unsigned char)length;
    end = append(end, token, length);
    frame[3] = (unsigned char)(end - frame - 4);
    put(fd, frame, (size_t)(end - frame));
}

static void serve_all(Link **links, int count)
{
    int poll = epoll_create1(0), left = count;
    struct epoll_event events[256];
    for (int i = 0; i < count; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = links[i]};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, links[i]->fd, &event)) fail("epoll_ctl");
    }
    while (left) {
        int ready = epoll_wait(poll, events, 256, -1);
        if (ready < 0 && errno != EINTR) fail("epoll_wait");
        for (int i = 0; i < ready; i++) {
            Link *link = events[i].data.ptr;
            if (!serve(link)) {
                close(link->fd);
                left--;
            }
        }
    }
}

int main(int argc, char **argv)
{
    const char *report_path = NULL;
    int option;
    while ((option = getopt(argc, argv, "r:t:")) != -1) {
        if (option == 'r') report_path = optarg;
        else if (option == 't') think_us = atol(optarg);
        else return 2;
    }
    /* Without arguments as a bot that is started finds them. */
    char *given[] = {getenv("ARENA_CONNECT"), getenv("ARENA_TOKEN"), NULL};
    if (optind == argc && given[0] && given[1]) {
        argv = given;
        argc = 2;
        optind = 0;
    }
    int count = argc - optind - 1;
    if (count < 1 || (report_path && count > 1)) {
        fprintf(stderr, "null_bot [-r REPORT] [-t MICROSECONDS] [ADDRESS TOKEN...]\n");
        return 2;
    }
    if (report_path && !(report = fopen(report_path, "w"))) fail(report_path);
    Link **links = calloc((size_t)count, sizeof *links);
    for (int i = 0; i < count; i++) {
        links[i] = calloc(1, sizeof *links[i]);
        links[i]->fd = connected(argv[optind]);
        hello(links[i]->fd, argv[optind + 1 + i]);
    }
    if (count > 1)
        serve_all(links, count);
    else
        while (serve(links[0])) {}
    for (size_t i = 0; i < decision_count; i++)
        fprintf(report, "%llu %llu\n", (unsigned long long)decisions[i].took_ns,
                (unsigned long long)decisions[i].waited_ns);
    if (report && fclose(report)) fail(report_path);
    return 0;
}
