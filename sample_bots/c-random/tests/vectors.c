/* Runs the vectors of arena's protocol/vectors as far as they concern a bot, and then reads bytes
 * that are nothing at all. Prints a line for each vector that fails; the exit code is 1 if one did.
 *
 * Of decide and high it asks only that their answers are legal. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cards.h"
#include "decide.h"
#include "tests/json.h"
#include "tests/load.h"
#include "wire/messages.h"

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
    static Request request;
    request.match = mp_field(message, "match");
    request.id = mp_field(message, "id").number;
    char action[1024];
    copy_text(mp_field(message, "action"), action, sizeof action);
    Value note = mp_field(message, "note");
    char note_text[1024];
    copy_text(note, note_text, sizeof note_text);
    pack_action(&out, &request, action, note.kind == MP_TEXT ? note_text : NULL);
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
        static Request request;
        expect(read_request(whole(bytes.bytes, bytes.size), &request), "a request");
        expect(request.time_us == mp_field(message, "time_us").number, "time_us");
    }
}

/* SPEC 4.5: the bytes of every answer that could be given. */
static void check_answers(Value message)
{
    static Request request;
    expect(read_request(message, &request), "a request");
    Value legal = mp_field(message, "legal");
    expect((uint32_t)request.legal_count == legal.count, "number of legal actions");
    for (int i = 0; i < request.legal_count; i++) {
        uint8_t bytes[WIRE_MAX_BOT_BODY];
        Writer out = {.bytes = bytes, .room = sizeof bytes};
        pack_action(&out, &request, request.legal[i], NULL);
        Value action = written(&out);
        expect(mp_is(mp_field(action, "type"), "action"), "type of our answer");
        expect(same(mp_field(action, "match"), mp_field(message, "match")), "its match");
        expect(same(mp_field(action, "id"), mp_field(message, "id")), "its id");
        expect(same(mp_field(action, "action"), mp_entry(legal, (uint32_t)i)), "its action");
    }
}

static bool is_legal(const Request *request, const char *action)
{
    for (int i = 0; i < request->legal_count; i++) {
        if (action != NULL && strcmp(request->legal[i], action) == 0) {
            return true;
        }
    }
    return false;
}

/* Each is asked several times, as the answer may be drawn by lot. */
static void check_ideas(Value message)
{
    static Request request;
    expect(read_request(message, &request), "a request");
    for (int i = 0; i < 20; i++) {
        expect(is_legal(&request, decide(&request)), "decide gave an action that is not legal");
        expect(is_legal(&request, high(&request)), "high gave an action that is not legal");
    }
}

/* ---- Typed views ---- */

/* Whether the bytes of a field say the same as its member. */
static void expect_number(Value view, const char *name, int number)
{
    Value value = mp_field(view, name);
    expect(value.kind == MP_NIL ? number == NIL : value.number == number, name);
}

static void expect_text(Value view, const char *name, const char *text)
{
    Value value = mp_field(view, name);
    expect(value.kind == MP_NIL ? text[0] == '\0' : mp_is(value, text), name);
}

static void expect_numbers(Value view, const char *name, int count, const int *at)
{
    Value list = mp_field(view, name);
    expect((uint32_t)count == list.count, name);
    for (int i = 0; i < count; i++) {
        expect(mp_entry(list, (uint32_t)i).number == at[i], name);
    }
}

static void expect_texts(Value list, const char *name, int count, Text *at)
{
    expect((uint32_t)count == list.count, name);
    for (int i = 0; i < count; i++) {
        expect(mp_is(mp_entry(list, (uint32_t)i), at[i]), name);
    }
}

static void check_trick_view(Value packed)
{
    static TrickView view;
    bool good = read_trick_view(packed, &view);
    expect(good, "a view of a trick game");
    if (!good) {
        return;
    }
    expect_text(packed, "game", view.game);
    expect_text(packed, "phase", view.phase);
    expect_text(packed, "trump", view.trump);
    expect_number(packed, "seat", view.seat);
    expect_number(packed, "turn", view.turn);
    expect_number(packed, "points", view.points);
    expect_number(packed, "bonus", view.bonus);
    expect_numbers(packed, "scores", view.scores.count, view.scores.at);
    expect_numbers(packed, "team", view.team.count, view.team.at);
    expect_numbers(packed, "leaders", view.leaders.count, view.leaders.at);
    expect_texts(mp_field(packed, "hand"), "hand", view.hand.count, view.hand.at);
    expect_texts(mp_field(packed, "tokens"), "tokens", view.tokens.count, view.tokens.at);
    Value tricks = mp_field(packed, "tricks"), previous = mp_field(packed, "previous");
    expect((uint32_t)view.tricks.count == tricks.count, "number of tricks");
    for (int i = 0; i < view.tricks.count; i++) {
        Trick *trick = &view.tricks.at[i];
        expect_texts(mp_entry(tricks, (uint32_t)i), "a trick", trick->count, trick->at);
    }
    expect(view.has_previous == (previous.kind == MP_MAP), "whether there is a round before");
    if (view.has_previous) {
        expect_number(previous, "bonus", view.previous.bonus);
        expect_number(previous, "last_winner", view.previous.last_winner);
        expect_numbers(previous, "scored", view.previous.scored.count, view.previous.scored.at);
    }
    expect(same(view.options, mp_field(packed, "options")), "options");
}

static void check_nope_view(Value packed)
{
    static NopeView view;
    bool good = read_nope_view(packed, &view);
    expect(good, "a view of nope");
    if (!good) {
        return;
    }
    expect_text(packed, "game", view.game);
    expect_text(packed, "phase", view.phase);
    expect_text(packed, "ending", view.ending);
    expect_number(packed, "seat", view.seat);
    expect_number(packed, "turn", view.turn);
    expect_number(packed, "drew", view.drew);
    expect_numbers(packed, "hand_sizes", view.hand_sizes.count, view.hand_sizes.at);
    expect_numbers(packed, "places", view.places.count, view.places.at);
    expect_texts(mp_field(packed, "hand"), "hand", view.hand.count, view.hand.at);
    expect_texts(mp_field(packed, "discard"), "discard", view.discard.count, view.discard.at);
    Value demand = mp_field(packed, "demand"), choice = mp_field(packed, "choice");
    expect(view.has_demand == (demand.kind == MP_MAP), "whether there is a demand");
    expect(view.has_choice == (choice.kind == MP_MAP), "whether there is a choice");
    if (view.has_demand) {
        expect_number(demand, "count", view.demand.count);
        expect_text(demand, "colours", view.demand.colours);
    }
    Value recent = mp_field(packed, "recent");
    expect((uint32_t)view.recent.count == recent.count, "recent");
    for (int seat = 0; seat < view.recent.count; seat++) {
        Value turns = mp_entry(recent, (uint32_t)seat);
        expect((uint32_t)view.recent.at[seat].count == turns.count, "turns");
        for (int i = 0; i < view.recent.at[seat].count; i++) {
            NopeTurn *turn = &view.recent.at[seat].at[i];
            Value list = mp_entry(turns, (uint32_t)i);
            expect(mp_entry(list, 0).number == turn->number, "number of a turn");
            expect(mp_entry(list, 1).number == turn->count, "count of a turn");
            expect(mp_is(mp_entry(list, 2), turn->colours), "colours of a turn");
            expect(mp_entry(list, 3).number == turn->drawn, "cards drawn in a turn");
            expect((uint32_t)turn->laid.count + 4 == list.count, "cards laid in a turn");
            for (int k = 0; k < turn->laid.count; k++) {
                expect(mp_is(mp_entry(list, (uint32_t)k + 4), turn->laid.at[k]), "a card laid");
            }
        }
    }
}

static void check_view(Value view)
{
    if (mp_is(mp_field(view, "game"), "nope")) {
        check_nope_view(view);
    } else {
        check_trick_view(view);
    }
}

/* The view of a vector, and its bytes say the same as its JSON. */
static bool vector_view(Value vector, Bytes *bytes, TrickView *view)
{
    bytes->size = 0;
    add_hex(bytes, mp_field(vector, "hex"));
    Value packed = whole(bytes->bytes, bytes->size);
    expect(same(packed, mp_field(vector, "view")), "what the bytes of the view say");
    check_trick_view(packed);
    return read_trick_view(packed, view);
}

/* SPEC 11.4: the cards whose suit answers the lead, or all where there are none. */
static void run_following(Value vector)
{
    static Bytes bytes;
    static TrickView view;
    if (!vector_view(vector, &bytes, &view)) {
        return;
    }
    char led = card_suit(open_trick(&view)->at[0], &view);
    bool answers = false;
    for (int i = 0; i < view.hand.count; i++) {
        answers = answers || card_suit(view.hand.at[i], &view) == led;
    }
    Value may_play = mp_field(vector, "may_play");
    uint32_t found = 0;
    for (int i = 0; i < view.hand.count; i++) {
        if (!answers || card_suit(view.hand.at[i], &view) == led) {
            expect(mp_is(mp_entry(may_play, found++), view.hand.at[i]),
                   "a card that may be played");
        }
    }
    expect(found == may_play.count, "number of cards that may be played");
}

/* SPEC 11.5 and 11.3.3. */
static void run_tricks(Value vector)
{
    static Bytes bytes;
    static TrickView view;
    if (!vector_view(vector, &bytes, &view)) {
        return;
    }
    expect(trick_taker(&view) == mp_field(vector, "taken_by").number, "the seat that takes it");
    Seats others = teammates(&view);
    expect_numbers(vector, "teammates", others.count, others.at);
    for (int seat = 0; seat < view.seats; seat++) {
        bool expected = seat == view.seat;
        for (int i = 0; i < others.count; i++) {
            expected = expected || others.at[i] == seat;
        }
        expect(is_with_me(seat, &view) == expected, "is_with_me");
    }
}

/* SPEC 12.1, and 12.10 for the `!`. */
static void run_showing(Value vector)
{
    char card[16], alone[16], colours[16];
    copy_text(mp_field(vector, "card"), card, sizeof card);
    copy_text(mp_field(vector, "colours"), colours, sizeof colours);
    snprintf(alone, sizeof alone, "%.14s!", card);
    for (int i = 0; i < 2; i++) {
        const char *each = i == 0 ? card : alone;
        expect(strcmp(card_colours(each), colours) == 0, "colours");
        expect(card_number(each) == mp_field(vector, "number").number, "number");
        for (const char *colour = "RGBY"; *colour != '\0'; colour++) {
            expect(card_shows(each, *colour) == (strchr(colours, *colour) != NULL), "shows");
        }
    }
}

/* Before the teams are chosen a seat is with itself alone. An action that is no card shows none. */
static void run_questions_without_an_answer(void)
{
    running = "questions without an answer";
    static TrickView view;
    view = (TrickView){.game = "nyet", .seats = 4, .seat = 1};
    expect(teammates(&view).count == 0, "teammates before there are teams");
    expect(is_with_me(1, &view) && !is_with_me(2, &view), "who is with me before there are teams");
    expect(!is_with_me(NIL, &view), "nobody is with me");
    expect(open_trick(&view)->count == 0 && trick_taker(&view) == NIL, "no trick");
    expect(strcmp(card_colours("to2:3R"), "") == 0 && card_number("to2:3R") == 0, "a choice");
    expect(strcmp(card_colours("draw"), "") == 0 && card_number("draw") == 0, "a draw");
    expect(strcmp(card_colours(""), "") == 0 && !card_shows("", '\0'), "no card");
}

/* A Reader of a JSON text, as msgpack. */
static Reader packed(const char *json)
{
    static uint8_t bytes[4096];
    Writer out = {.bytes = bytes, .room = sizeof bytes};
    json_to_msgpack(json, &out);
    return (Reader){bytes, bytes + out.size};
}

/* Readers keep to the room that there is, and to the fields that must be there. */
static void run_odd_fields(void)
{
    running = "odd fields";
    struct {
        Text text;
        char guard;
    } cut = {.guard = '#'};
    Reader from = packed("\"a text of twenty-six letters\"");
    expect(read_text(&from, cut.text) && strcmp(cut.text, "a text of twent") == 0, "a long text");
    expect(cut.guard == '#', "a byte behind a text");

    int count, numbers[3] = {0, 0, 77};
    from = packed("[1, 2, 3]");
    expect(!read_numbers(&from, &count, numbers, 2) && numbers[2] == 77, "a long list");
    from = packed("[1, 2]");
    expect(read_numbers(&from, &count, numbers, 2) && count == 2, "a list that fits");
    from = packed("4294967296");
    expect(!read_number(&from, numbers), "a number larger than an int");
    from = packed("\"R7\"");
    expect(!read_number(&from, numbers), "a text for a number");

    static const char *const MAPS[] = {"{\"seats\": 2, \"seat\": 1}", "{\"seats\": 2}",
                                       "{\"seats\": 2, \"seats\": 1}",
                                       "{\"seats\": 2, \"later\": [{}], \"seat\": 1}"};
    static const bool COMPLETE[] = {true, false, false, true};
    for (int i = 0; i < 4; i++) {
        int seats, seat;
        from = packed(MAPS[i]);
        Fields fields = fields_of(mp_head(&from), &from);
        while (next_field(&fields)) {
            if (field_is(&fields, 0, "seats")) {
                fields.good = read_number(&from, &seats);
            } else if (field_is(&fields, 1, "seat")) {
                fields.good = take_nil(&from) || read_number(&from, &seat);
            } else {
                fields.good = pass_over(&from);
            }
        }
        expect(all_fields_came(&fields, 2) == COMPLETE[i], MAPS[i]);
    }

    static TrickView view;
    from = packed("{\"game\": \"nyet\", \"seats\": 4, \"seat\": 1}");
    expect(!read_trick_view(mp_next(&from), &view), "a view of three fields");
}

/* ---- Conversations ---- */

/* Read the frames of the server in a conversation, in pieces of two sizes that take turns. */
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
                check_answers(message);
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
    static Bytes stream;
    stream.size = 0;
    for (uint32_t i = 0; i < steps.count; i++) {
        Value step = mp_entry(steps, i);
        if (mp_is(mp_field(step, "from"), "server")) {
            add_hex(&stream, mp_field(step, "hex"));
        }
    }
    expect(stream.size <= WIRE_MAX_SERVER_BODY, "a conversation too long for this test");
    hear(vector, &stream, stream.size, 1);
    hear(vector, &stream, 1, 1);
    /* Cut at every place; of a long one at some hundred places. */
    for (size_t cut = 1; cut < stream.size; cut += 1 + stream.size / 3000 * 7) {
        hear(vector, &stream, cut, stream.size);
    }
    for (uint32_t i = 0; i < steps.count; i++) {
        Value message = mp_field(mp_entry(steps, i), "message");
        if (mp_is(mp_field(message, "type"), "request")) {
            check_ideas(message);
            check_view(mp_field(message, "view"));
        }
    }
}

static void run_all(const char *folder, const char *file, void (*run)(Value))
{
    Value vectors = load_vectors(folder, file);
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
    static Request request;
    if (message.kind == MP_MAP && read_request(message, &request)) {
        uint8_t body[64];
        Writer out = {.bytes = body, .room = sizeof body};
        pack_action(&out, &request, request.legal[0], NULL);
        touched += out.size;
        static TrickView tricks;
        static NopeView nope;
        touched += read_trick_view(request.view, &tricks) + read_nope_view(request.view, &nope);
    }
}

/* Each message of the vectors, cut at every place, and with each byte changed to every other. */
static void run_damaged(const char *folder)
{
    Value vectors = load_vectors(folder, "messages");
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
    srand(1);
    for (int i = 0; i < COUNT; i++) {
        size_t size = (size_t)rand() % LONGEST;
        uint8_t *bytes = malloc(size);
        for (size_t at = 0; at < size; at++) {
            bytes[at] = (uint8_t)rand();
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

    /* A value that does not fit is not written. */
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

int main(void)
{
    const char *folder = vectors_folder();
    run_all(folder, "frames", run_frames);
    run_all(folder, "messages", run_messages);
    run_all(folder, "following", run_following);
    run_all(folder, "tricks", run_tricks);
    run_all(folder, "showing", run_showing);
    run_questions_without_an_answer();
    run_odd_fields();
    run_all(folder, "conversations", run_conversations);
    run_damaged(folder);
    run_noise();
    run_extremes();
    if (failures > 0) {
        printf("%d FAILED\n", failures);
    }
    return failures > 0;
}
