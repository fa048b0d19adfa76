/* Runs the vectors of arena's protocol/vectors as far as they concern a bot, and then reads bytes
 * that are nothing at all.
 *
 *     vectors [FOLDER]        without, the folder that ARENA_VECTORS names, or else the one here
 *
 * Prints a line for each vector that fails, then what was run; the exit code is 1 if one did. */

#define _DEFAULT_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "wire.h"

static int failures;
static const char *running = "";

static void expect(bool holds, const char *what)
{
    if (!holds) {
        failures++;
        printf("FAILED %s: %s\n", running, what);
    }
}

/* ---- Values ---- */

/* Whether two values say the same, in whatever form they are packed. */
static bool same(Value one, Value other)
{
    if (one.kind != other.kind || one.number != other.number || one.count != other.count) {
        return false;
    }
    if (one.kind == MP_TEXT) {
        return one.size == other.size && memcmp(one.text, other.text, one.size) == 0;
    }
    if (one.kind == MP_LIST) {
        Reader left = mp_inside(one), right = mp_inside(other);
        for (uint32_t i = 0; i < one.count; i++) {
            if (!same(mp_next(&left), mp_next(&right))) {
                return false;
            }
        }
    }
    if (one.kind == MP_MAP) {
        Reader fields = mp_inside(one);
        for (uint32_t i = 0; i < one.count; i++) {
            Value name = mp_next(&fields);
            char key[256];
            snprintf(key, sizeof key, "%.*s", (int)name.size, name.text);
            if (!same(mp_next(&fields), mp_field(other, key))) {
                return false;
            }
        }
    }
    return true;
}

static Value whole(const uint8_t *bytes, size_t size)
{
    Reader reader = {bytes, bytes + size};
    Value value = mp_next(&reader);
    expect(value.kind != MP_BAD && reader.at == reader.end, "not one whole value");
    return value;
}

static Value written(const Writer *writer)
{
    expect(!writer->full, "no room to write");
    return whole(writer->bytes, writer->size);
}

static void copy_text(Value text, char *to, size_t room)
{
    snprintf(to, room, "%.*s", (int)text.size, text.text);
}

/* ---- Vectors ---- */

#define MAX_BYTES 65536

typedef struct {
    uint8_t bytes[MAX_BYTES];
    size_t size;
} Bytes;

static void add_hex(Bytes *to, Value hex)
{
    for (uint32_t i = 0; i + 1 < hex.size && to->size < MAX_BYTES; i += 2) {
        char digits[3] = {hex.text[i], hex.text[i + 1]};
        to->bytes[to->size++] = (uint8_t)strtoul(digits, NULL, 16);
    }
}

static Value load(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        fprintf(stderr, "set ARENA_VECTORS to the folder protocol/vectors of arena\n");
        exit(2);
    }
    static char text[1 << 20];
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    /* Values point into it: those of one file are good until the next is loaded. */
    static uint8_t bytes[sizeof text];
    Writer out = {.bytes = bytes, .room = sizeof bytes};
    json_to_msgpack(text, &out);
    return mp_field(written(&out), "vectors");
}

static void add_bytes(Frames *frames, const uint8_t *bytes, size_t size)
{
    size_t room;
    uint8_t *space = frames_space(frames, &room);
    expect(size <= room, "more than there is room for");
    memcpy(space, bytes, size);
    frames_came(frames, size);
}

/* SPEC 3.1: bodies from chunks, cut anywhere. */
static void run_frames(Value vector)
{
    static Frames frames;
    frames.from = frames.to = 0;
    Value chunks = mp_field(vector, "chunks"), bodies = mp_field(vector, "bodies");
    size_t limit = (size_t)mp_field(vector, "max_body_bytes").number;
    uint32_t found = 0;
    FrameState state = FRAME_UNFINISHED;
    for (uint32_t i = 0; i < chunks.count && state != FRAME_TOO_LONG; i++) {
        Bytes chunk = {.size = 0}, expected;
        add_hex(&chunk, mp_entry(chunks, i));
        add_bytes(&frames, chunk.bytes, chunk.size);
        const uint8_t *body;
        size_t size;
        while ((state = frames_next(&frames, limit, &body, &size)) == FRAME_WHOLE) {
            expected.size = 0;
            add_hex(&expected, mp_entry(bodies, found++));
            expect(size == expected.size && memcmp(body, expected.bytes, size) == 0, "body");
        }
    }
    expect(found == bodies.count, "number of bodies");
    bool too_long = mp_is(mp_field(vector, "breach"), "frame-too-long");
    expect(too_long == (state == FRAME_TOO_LONG), "breach");
    bool unfinished = mp_is(mp_field(vector, "at_end"), "frame-unfinished");
    expect(too_long || unfinished == (frames.from < frames.to), "at_end");
}

static void check_hello(Value message)
{
    uint8_t bytes[WIRE_MAX_BOT_BODY];
    Writer out = {.bytes = bytes, .room = sizeof bytes};
    char token[WIRE_MAX_BOT_BODY];
    copy_text(mp_field(message, "token"), token, sizeof token);
    pack_hello(&out, token);
    Value hello = written(&out);
    expect(mp_is(mp_field(hello, "type"), "hello"), "type of our hello");
    expect(same(mp_field(hello, "protocol"), mp_field(message, "protocol")), "our protocol");
    expect(same(mp_field(hello, "token"), mp_field(message, "token")), "our token");
}

static void check_action(Value message, const Bytes *canonical)
{
    uint8_t bytes[WIRE_MAX_BOT_BODY];
    Writer out = {.bytes = bytes, .room = sizeof bytes};
    Request request = {.match = mp_field(message, "match"), .id = mp_field(message, "id")};
    Value note = mp_field(message, "note");
    char note_text[1024];
    copy_text(note, note_text, sizeof note_text);
    pack_action(&out, &request, mp_field(message, "action"),
                note.kind == MP_TEXT ? note_text : NULL);
    expect(same(written(&out), message), "our action");
    if (canonical != NULL) {
        expect(out.size == canonical->size && memcmp(bytes, canonical->bytes, out.size) == 0,
               "bytes of our action");
    }
}

/* SPEC 4: a message and its bytes. */
static void run_messages(Value vector)
{
    Bytes bytes = {.size = 0};
    add_hex(&bytes, mp_field(vector, "hex"));
    Value message = mp_field(vector, "message"), type = mp_field(message, "type");
    bool canonical = mp_field(vector, "canonical").number;
    expect(same(whole(bytes.bytes, bytes.size), message), "what the bytes say");
    if (canonical) {
        /* The JSON has been written by our writer: a view in JSON's order is these very bytes. */
        Reader after = {message.at, message.end};
        for (uint32_t i = 0; i < 2 * message.count; i++) {
            mp_next(&after);
        }
        size_t size = (size_t)(after.at - message.at);
        expect(message.count <= 15 && bytes.size == 1 + size &&
                   memcmp(bytes.bytes + 1, message.at, size) == 0,
               "bytes of what we write");
    }
    if (mp_is(type, "hello")) {
        check_hello(message);
    } else if (mp_is(type, "action")) {
        check_action(message, canonical ? &bytes : NULL);
    } else if (mp_is(type, "request")) {
        Request request;
        expect(read_request(whole(bytes.bytes, bytes.size), &request), "a request");
        expect(request.time_us == mp_field(message, "time_us").number, "time_us");
    }
}

/* SPEC 4.5: what we would answer to a request. */
static void check_answer(Value message)
{
    Request request;
    expect(read_request(message, &request), "a request");
    for (uint32_t i = 0; i < request.legal.count; i++) {
        uint8_t bytes[WIRE_MAX_BOT_BODY];
        Writer out = {.bytes = bytes, .room = sizeof bytes};
        pack_action(&out, &request, mp_entry(request.legal, i), NULL);
        Value action = written(&out);
        expect(mp_is(mp_field(action, "type"), "action"), "type of our answer");
        expect(same(mp_field(action, "match"), mp_field(message, "match")), "its match");
        expect(same(mp_field(action, "id"), mp_field(message, "id")), "its id");
        expect(same(mp_field(action, "action"), mp_entry(mp_field(message, "legal"), i)), "it");
    }
}

/* What the server says in a conversation, read in pieces of two sizes that take turns. */
static void hear(Value vector, const Bytes *stream, size_t first, size_t then)
{
    static Frames frames;
    frames.from = frames.to = 0;
    Reader steps = mp_inside(mp_field(vector, "steps"));
    uint32_t left = mp_field(vector, "steps").count;
    for (size_t at = 0, piece = first; at < stream->size;) {
        size_t size = piece < stream->size - at ? piece : stream->size - at;
        add_bytes(&frames, stream->bytes + at, size);
        at += size;
        piece = then;
        const uint8_t *body;
        while (frames_next(&frames, WIRE_MAX_SERVER_BODY, &body, &size) == FRAME_WHOLE) {
            Value step = {.kind = MP_NONE};
            while (!mp_is(mp_field(step, "from"), "server") && left > 0) {
                step = mp_next(&steps);
                left--;
            }
            Value message = whole(body, size);
            expect(same(message, mp_field(step, "message")), "what the server said");
            if (mp_is(mp_field(message, "type"), "request")) {
                check_answer(message);
            }
        }
    }
    for (; left > 0; left--) {
        Value step = mp_next(&steps);
        expect(!mp_is(mp_field(step, "from"), "server"), "not all that the server said");
    }
    expect(frames.from == frames.to, "bytes left");
}

static void run_conversations(Value vector)
{
    Value steps = mp_field(vector, "steps");
    Bytes stream = {.size = 0};
    for (uint32_t i = 0; i < steps.count; i++) {
        Value step = mp_entry(steps, i);
        if (mp_is(mp_field(step, "from"), "server")) {
            add_hex(&stream, mp_field(step, "hex"));
        }
    }
    expect(stream.size <= WIRE_MAX_SERVER_BODY, "a conversation too long for this test");
    hear(vector, &stream, stream.size, 1);
    hear(vector, &stream, 1, 1);
    for (size_t cut = 1; cut < stream.size; cut++) {
        hear(vector, &stream, cut, stream.size);
    }
}

static void run_all(const char *folder, const char *file, void (*run)(Value))
{
    Value vectors = load(folder, file);
    Reader reader = mp_inside(vectors);
    for (uint32_t i = 0; i < vectors.count; i++) {
        static char name[512];
        Value vector = mp_next(&reader);
        int length = snprintf(name, sizeof name, "%s: ", file);
        copy_text(mp_field(vector, "name"), name + length, sizeof name - (size_t)length);
        running = name;
        run(vector);
    }
    running = file;
    expect(vectors.count > 0, "no vectors");
    printf("%s: %u\n", file, vectors.count);
}

/* ---- Bytes that are nothing at all ---- */

static unsigned long touched;

/* Look at everything that can be reached; the build with checks tells whether that was allowed. */
static void look(Value value, int depth)
{
    for (uint32_t i = 0; i < value.size; i++) {
        touched += (uint8_t)value.text[i];
    }
    if (depth == 0 || value.count == 0) {
        return;
    }
    Reader reader = mp_inside(value);
    for (uint32_t i = 0; i < value.count; i++) {
        Value entry = mp_next(&reader);
        if (entry.kind == MP_BAD) {
            return;
        }
        look(entry, depth - 1);
    }
}

static void read_anything(const uint8_t *bytes, size_t size)
{
    Reader reader = {bytes, bytes + size};
    Value message = mp_head(&reader);
    look(message, 8);
    look(mp_entry(message, 1), 1);
    look(mp_field(mp_field(message, "view"), "hand"), 1);
    Request request;
    if (message.kind == MP_MAP && read_request(message, &request)) {
        uint8_t body[64];
        Writer out = {.bytes = body, .room = sizeof body};
        pack_action(&out, &request, mp_entry(request.legal, 0), NULL);
        touched += out.size;
    }
}

/* Each message of the vectors, cut at every place, and with each byte changed to every other. */
static void run_damaged(const char *folder)
{
    Value vectors = load(folder, "messages");
    unsigned long count = 0;
    for (uint32_t i = 0; i < vectors.count; i++) {
        Bytes good = {.size = 0};
        add_hex(&good, mp_field(mp_entry(vectors, i), "hex"));
        for (size_t size = 0; size < good.size; size++, count++) {
            /* As long as it is and no longer, so that a look beyond its end is seen. */
            uint8_t *cut = malloc(size);
            memcpy(cut, good.bytes, size);
            Reader reader = {cut, cut + size};
            expect(mp_next(&reader).kind == MP_BAD, "half a message was read");
            read_anything(cut, size);
            free(cut);
        }
        uint8_t *damaged = malloc(good.size);
        memcpy(damaged, good.bytes, good.size);
        for (size_t at = 0; at < good.size; at++) {
            for (int byte = 0; byte < 256; byte++, count++) {
                damaged[at] = (uint8_t)byte;
                read_anything(damaged, good.size);
            }
            damaged[at] = good.bytes[at];
        }
        free(damaged);
    }
    printf("damaged messages: %lu\n", count);
}

static void run_noise(void)
{
    enum { COUNT = 100000, LONGEST = 64 };
    srandom(1);
    for (int i = 0; i < COUNT; i++) {
        size_t size = (size_t)random() % LONGEST;
        uint8_t *bytes = malloc(size);
        for (size_t at = 0; at < size; at++) {
            bytes[at] = (uint8_t)random();
        }
        read_anything(bytes, size);
        free(bytes);
    }
    printf("noise: %d\n", COUNT);
}

static void run_extremes(void)
{
    running = "extremes";
    /* As deep as a frame is long: a reader that calls itself would run out of stack. */
    static uint8_t deep[WIRE_MAX_SERVER_BODY];
    memset(deep, 0x91, sizeof deep);
    Reader reader = {deep, deep + sizeof deep};
    expect(mp_next(&reader).kind == MP_BAD, "a list without an end");
    deep[sizeof deep - 1] = 0;
    expect(whole(deep, sizeof deep).kind == MP_LIST, "a list in a list in a list");

    /* Four thousand million entries, or bytes, and none of them there. */
    for (int lead = 0xc4; lead <= 0xdf; lead++) {
        const uint8_t bytes[] = {(uint8_t)lead, 0xff, 0xff, 0xff, 0xff};
        read_anything(bytes, sizeof bytes);
    }
    const uint8_t huge[] = {0xdf, 0xff, 0xff, 0xff, 0xff};
    reader = (Reader){huge, huge + sizeof huge};
    expect(mp_next(&reader).kind == MP_BAD, "a map of nothing");

    /* What does not fit is not written. */
    uint8_t small[8];
    Writer out = {.bytes = small, .room = sizeof small};
    mp_write_word(&out, "hello");
    mp_write_word(&out, "world");
    mp_write_nil(&out);
    expect(out.full && out.size <= sizeof small, "a writer without room");

    /* Numbers at the edges of each form. */
    static const int64_t EDGES[] = {0,
                                    127,
                                    128,
                                    255,
                                    256,
                                    65535,
                                    65536,
                                    INT64_C(4294967295),
                                    INT64_C(4294967296),
                                    INT64_C(9007199254740991),
                                    INT64_MAX,
                                    -1,
                                    -32,
                                    -33,
                                    -128,
                                    -129,
                                    -32768,
                                    -32769,
                                    INT64_C(-2147483648),
                                    INT64_C(-2147483649),
                                    INT64_C(-9007199254740991),
                                    INT64_MIN};
    for (size_t i = 0; i < sizeof EDGES / sizeof *EDGES; i++) {
        uint8_t bytes[9];
        out = (Writer){.bytes = bytes, .room = sizeof bytes};
        mp_write_number(&out, EDGES[i]);
        expect(written(&out).number == EDGES[i], "a number written and read");
    }
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : getenv("ARENA_VECTORS");
    if (folder == NULL) {
        folder = "../../protocol/vectors";
    }
    run_all(folder, "frames", run_frames);
    run_all(folder, "messages", run_messages);
    run_all(folder, "conversations", run_conversations);
    run_damaged(folder);
    run_noise();
    run_extremes();
    if (failures > 0) {
        printf("%d FAILED\n", failures);
    }
    return failures > 0;
}
