/* Msgpack without a library: as much of it as SPEC 3.3 allows on the wire.
 *
 * Reading copies nothing. A Value points into the bytes it was read from and is good as long as
 * they are. Any bytes may be read: what is cut short or has no meaning gives MP_BAD, and nothing
 * before the first or after the last byte is ever looked at.
 *
 * A function given a Value of the wrong kind gives MP_NONE, so that questions can be nested:
 * mp_field(mp_field(view, "demand"), "count").number is 0 where no demand is in force. */

#ifndef MSGPACK_H
#define MSGPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum {
    MP_NONE, /* there is no such field or entry */
    MP_BAD,  /* the bytes end here, or mean nothing */
    MP_NIL,
    MP_BOOL,
    MP_NUMBER,
    MP_TEXT,
    MP_LIST,
    MP_MAP,
    MP_OTHER /* a floating-point number, raw bytes, an extension: never in a message of arena */
} Kind;

typedef struct {
    Kind kind;
    int64_t number;   /* MP_NUMBER; of MP_BOOL 0 or 1; otherwise 0 */
    const char *text; /* MP_TEXT: UTF-8, `size` bytes, no zero byte at the end */
    uint32_t size;
    uint32_t count;          /* MP_LIST and MP_MAP: the entries; a map's are pairs */
    const uint8_t *at, *end; /* MP_LIST and MP_MAP: the first entry, and where the bytes end */
} Value;

/* A place in some bytes, and their end. */
typedef struct {
    const uint8_t *at, *end;
} Reader;

/* The next value, with all that is in it: the reader stands behind it afterwards. */
Value mp_next(Reader *reader);

/* The next value, but of a list or map only its head: the reader stands before its entries. */
Value mp_head(Reader *reader);

/* A reader of what is in a list or map; a map's keys and values come in turn. */
Reader mp_inside(Value list_or_map);

/* The value of a key in a map. */
Value mp_field(Value map, const char *key);

/* An entry of a list, counted from 0. */
Value mp_entry(Value list, uint32_t index);

/* Whether a value is this text. Inline, so that the compiler counts the letters of a constant. */
static inline bool mp_is(Value value, const char *text)
{
    size_t size = strlen(text);
    return value.kind == MP_TEXT && value.size == size && memcmp(value.text, text, size) == 0;
}

/* Where bytes are written. What does not fit is not written, and `full` is set. */
typedef struct {
    uint8_t *bytes;
    size_t size, room;
    bool full;
} Writer;

/* Each writes the shortest form. After a list's or a map's head come its entries. */
void mp_write_nil(Writer *out);
void mp_write_bool(Writer *out, bool truth);
void mp_write_number(Writer *out, int64_t number);
void mp_write_text(Writer *out, const char *text, uint32_t size);
void mp_write_word(Writer *out, const char *word);
void mp_write_list(Writer *out, uint32_t count);
void mp_write_map(Writer *out, uint32_t count);

#endif
