/* Reads views that were damaged at random, for some seconds:
 *
 *     fuzz SECONDS [SEED]
 *
 * The views are those of the vectors. It is built with every access checked, so a reader that goes
 * wrong ends it with a report. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cards.h"
#include "decide.h"
#include "tests/load.h"

#define MAX_SEEDS 256

typedef struct {
    uint8_t *bytes;
    size_t size;
} Packed;

static Packed seeds[MAX_SEEDS];
static int seed_count;

static void keep(const uint8_t *bytes, size_t size)
{
    if (seed_count == MAX_SEEDS || size == 0) {
        return;
    }
    Packed *seed = &seeds[seed_count++];
    seed->bytes = malloc(size);
    seed->size = size;
    memcpy(seed->bytes, bytes, size);
}

/* The bytes of a whole value: from `before`, where a Reader stood, to `after` it. */
static void keep_views_of_steps(Value steps)
{
    for (uint32_t i = 0; i < steps.count; i++) {
        Value message = mp_field(mp_entry(steps, i), "message");
        if (message.kind != MP_MAP) {
            continue;
        }
        Reader fields = mp_inside(message);
        for (uint32_t k = 0; k < message.count; k++) {
            Value name = mp_next(&fields);
            const uint8_t *before = fields.at;
            mp_next(&fields);
            if (mp_is(name, "view")) {
                keep(before, (size_t)(fields.at - before));
            }
        }
    }
}

static void keep_all(const char *folder)
{
    static const char *const FILES[] = {"following", "tricks"};
    for (size_t file = 0; file < sizeof FILES / sizeof *FILES; file++) {
        Value vectors = load_vectors(folder, FILES[file]);
        for (uint32_t i = 0; i < vectors.count; i++) {
            static Bytes bytes;
            bytes.size = 0;
            add_hex(&bytes, mp_field(mp_entry(vectors, i), "hex"));
            keep(bytes.bytes, bytes.size);
        }
    }
    Value vectors = load_vectors(folder, "conversations");
    for (uint32_t i = 0; i < vectors.count; i++) {
        keep_views_of_steps(mp_field(mp_entry(vectors, i), "steps"));
    }
}

/* A byte that msgpack gives a meaning: the leads of lists, maps, texts, numbers and nil. */
static uint8_t telling_byte(void)
{
    static const uint8_t LEADS[] = {
        0x00, 0x01, 0x04, 0x06, 0x07, 0x10, 0x7f, 0x80, 0x81, 0x8f, 0x90, 0x91, 0x94, 0x96, 0x97,
        0x9f, 0xa0, 0xa1, 0xaf, 0xbf, 0xc0, 0xc1, 0xc2, 0xc4, 0xca, 0xcc, 0xcd, 0xce, 0xcf, 0xd0,
        0xd1, 0xd2, 0xd3, 0xd4, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xdf, 0xe0, 0xff};
    return rand() % 2 ? LEADS[(size_t)rand() % sizeof LEADS] : (uint8_t)rand();
}

/* Change, drop, double or cut some bytes, or put a part of another view there. */
static size_t damage(uint8_t *bytes, size_t size, size_t room)
{
    for (int changes = 1 + rand() % 6; changes > 0 && size > 1; changes--) {
        size_t at = (size_t)rand() % size;
        size_t some = 1 + (size_t)rand() % 16;
        const Packed *other = &seeds[rand() % seed_count];
        switch (rand() % 12) {
        case 0:
            size = at + 1;
            break;
        case 1:
            some = some < size - at ? some : size - at;
            memmove(bytes + at, bytes + at + some, size - at - some);
            size -= some;
            break;
        case 2:
            some = some < size - at ? some : size - at;
            if (size + some <= room) {
                memmove(bytes + at + some, bytes + at, size - at);
                size += some;
            }
            break;
        case 3:
            some = some < size - at ? some : size - at;
            if (some <= other->size) {
                memcpy(bytes + at, other->bytes + (size_t)rand() % (other->size - some + 1), some);
            }
            break;
        default:
            bytes[at] = telling_byte();
        }
    }
    return size;
}

static unsigned long read_as_tricks, read_as_nope, touched;

static void ask_about_tricks(const TrickView *view)
{
    for (int i = 0; i < view->hand.count; i++) {
        const char *card = view->hand.at[i];
        touched += (unsigned long)card_strength(card, card, view);
        touched += strlen(card_colours(card)) + (unsigned long)card_number(card);
    }
    touched += (unsigned long)trick_taker(view) + (unsigned long)teammates(view).count;
}

static void ask_about_nope(const NopeView *view)
{
    for (int i = 0; i < view->discard.count; i++) {
        touched += strlen(card_colours(view->discard.at[i])) + strlen(view->discard.at[i]);
    }
    for (int seat = 0; seat < view->recent.count; seat++) {
        for (int i = 0; i < view->recent.at[seat].count; i++) {
            touched += (unsigned long)view->recent.at[seat].at[i].laid.count;
        }
    }
}

static void read_views(const uint8_t *bytes, size_t size)
{
    static Request request = {.legal = {"R1", "G13", "K0", "J"}, .legal_count = 4};
    static TrickView tricks;
    static NopeView nope;
    Reader reader = {bytes, bytes + size};
    Value view = mp_next(&reader);
    if (read_trick_view(view, &tricks)) {
        read_as_tricks++;
        ask_about_tricks(&tricks);
        request.view = view;
        touched += strlen(high(&request));
    }
    if (read_nope_view(view, &nope)) {
        read_as_nope++;
        ask_about_nope(&nope);
    }
}

int main(int argc, char **argv)
{
    long seconds = argc > 1 ? strtol(argv[1], NULL, 10) : 60;
    unsigned start = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : (unsigned)time(NULL);
    srand(start);
    keep_all(vectors_folder());
    if (seed_count == 0) {
        fprintf(stderr, "FAILED: no vector has a view\n");
        return 2;
    }
    printf("fuzz: %d views, seed %u\n", seed_count, start);
    unsigned long count = 0;
    for (time_t end = time(NULL) + seconds; time(NULL) < end; count++) {
        const Packed *seed = &seeds[rand() % seed_count];
        static uint8_t bytes[8192];
        memcpy(bytes, seed->bytes, seed->size);
        size_t size = damage(bytes, seed->size, sizeof bytes);
        /* As long as it is and no longer, so that a look beyond its end is seen. */
        uint8_t *exact = malloc(size);
        memcpy(exact, bytes, size);
        read_views(exact, size);
        free(exact);
    }
    printf("fuzz: %lu damaged views, of which %lu were read as trick games and %lu as nope\n",
           count, read_as_tricks, read_as_nope);
    for (int i = 0; i < seed_count; i++) {
        free(seeds[i].bytes);
    }
    return 0;
}
