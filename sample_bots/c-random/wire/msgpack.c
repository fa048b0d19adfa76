#include "wire/msgpack.h"

#include <string.h>

/* ---- Reading ---- */

static const Value NONE = {.kind = MP_NONE};
static const Value BAD = {.kind = MP_BAD};

static size_t left(const Reader *reader)
{
    return (size_t)(reader->end - reader->at);
}

/* A number of 1, 2, 4 or 8 bytes, big-endian. The caller has seen to it that they are there. */
static uint64_t big_endian(const uint8_t *at, size_t width)
{
    uint64_t number = 0;
    while (width-- > 0) {
        number = number << 8 | *at++;
    }
    return number;
}

/* Step over `size` bytes of content, if they are there. */
static Value content(Reader *reader, Kind kind, uint64_t size)
{
    if (size > left(reader)) {
        return BAD;
    }
    Value value = {.kind = kind};
    if (kind == MP_TEXT) {
        value.text = (const char *)reader->at;
        value.size = (uint32_t)size;
    }
    reader->at += size;
    return value;
}

static Value number(int64_t what)
{
    return (Value){.kind = MP_NUMBER, .number = what};
}

static Value container(const Reader *reader, Kind kind, uint64_t count)
{
    /* Each entry takes at least a byte, a pair two: so a count is refused before it is believed. */
    if (count > left(reader) / (kind == MP_MAP ? 2 : 1)) {
        return BAD;
    }
    return (Value){.kind = kind, .count = (uint32_t)count, .at = reader->at, .end = reader->end};
}

Value mp_head(Reader *reader)
{
    if (reader->at == reader->end) {
        return BAD;
    }
    uint8_t lead = *reader->at++;
    if (lead <= 0x7f) {
        return number(lead);
    }
    if (lead <= 0x8f) {
        return container(reader, MP_MAP, lead & 0x0f);
    }
    if (lead <= 0x9f) {
        return container(reader, MP_LIST, lead & 0x0f);
    }
    if (lead <= 0xbf) {
        return content(reader, MP_TEXT, lead & 0x1f);
    }
    if (lead >= 0xe0) {
        return number((int8_t)lead);
    }
    if (lead == 0xc0) {
        return (Value){.kind = MP_NIL};
    }
    if (lead == 0xc2 || lead == 0xc3) {
        return (Value){.kind = MP_BOOL, .number = lead & 1};
    }
    if (lead >= 0xd4 && lead <= 0xd8) {
        return content(reader, MP_OTHER, 1 + (UINT64_C(1) << (lead - 0xd4)));
    }

    /* The rest has a number of 1 to 8 bytes after the lead: the value, or its length. */
    static const uint8_t WIDTHS[32] = {
        [0x04] = 1, [0x05] = 2, [0x06] = 4,             /* raw bytes */
        [0x07] = 1, [0x08] = 2, [0x09] = 4,             /* extensions */
        [0x0a] = 4, [0x0b] = 8,                         /* floating-point numbers */
        [0x0c] = 1, [0x0d] = 2, [0x0e] = 4, [0x0f] = 8, /* whole numbers from 0 */
        [0x10] = 1, [0x11] = 2, [0x12] = 4, [0x13] = 8, /* whole numbers */
        [0x19] = 1, [0x1a] = 2, [0x1b] = 4,             /* texts */
        [0x1c] = 2, [0x1d] = 4,                         /* lists */
        [0x1e] = 2, [0x1f] = 4,                         /* maps */
    };
    size_t width = WIDTHS[lead & 0x1f];
    if (width == 0 || width > left(reader)) {
        return BAD; /* 0xc1 is nothing at all */
    }
    uint64_t what = big_endian(reader->at, width);
    reader->at += width;
    if (lead <= 0xc6) {
        return content(reader, MP_OTHER, what);
    }
    if (lead <= 0xc9) {
        return content(reader, MP_OTHER, 1 + what);
    }
    if (lead <= 0xcb) {
        return content(reader, MP_OTHER, 0);
    }
    if (lead <= 0xcf) {
        /* SPEC 3.3: none is larger than 9007199254740991. */
        return what > INT64_MAX ? BAD : number((int64_t)what);
    }
    switch (lead) {
    case 0xd0:
        return number((int8_t)what);
    case 0xd1:
        return number((int16_t)what);
    case 0xd2:
        return number((int32_t)what);
    case 0xd3:
        return number((int64_t)what);
    case 0xdc:
    case 0xdd:
        return container(reader, MP_LIST, what);
    case 0xde:
    case 0xdf:
        return container(reader, MP_MAP, what);
    default:
        return content(reader, MP_TEXT, what);
    }
}

static uint64_t values_in(Value value)
{
    return value.kind == MP_MAP ? UINT64_C(2) * value.count : value.count;
}

/* Step over the next value, but not over its entries: how many these are is added to `open`.
 * A view is mostly short texts and small numbers, which are passed over without a Value. */
static bool step(Reader *reader, uint64_t *open)
{
    if (reader->at < reader->end) {
        uint8_t lead = *reader->at;
        size_t size = (lead & 0xe0) == 0xa0 ? 1u + (lead & 0x1f) : lead <= 0x7f ? 1 : SIZE_MAX;
        if (size <= left(reader)) {
            reader->at += size;
            return true;
        }
    }
    Value value = mp_head(reader);
    *open += values_in(value);
    return value.kind != MP_BAD;
}

/* Counting what is still to come, instead of calling itself, keeps the stack flat however deep
 * the bytes nest. */
Value mp_next(Reader *reader)
{
    Value value = mp_head(reader);
    for (uint64_t open = values_in(value); open > 0; open--) {
        if (!step(reader, &open)) {
            return BAD;
        }
    }
    return value;
}

Reader mp_inside(Value value)
{
    return (Reader){value.at, value.end};
}

Value mp_field(Value map, const char *key)
{
    if (map.kind != MP_MAP) {
        return NONE;
    }
    Reader reader = mp_inside(map);
    for (uint32_t i = 0; i < map.count; i++) {
        Value name = mp_next(&reader);
        Value value = mp_next(&reader);
        if (value.kind == MP_BAD) {
            return BAD;
        }
        if (mp_is(name, key)) {
            return value;
        }
    }
    return NONE;
}

Value mp_entry(Value list, uint32_t index)
{
    if (list.kind != MP_LIST || index >= list.count) {
        return NONE;
    }
    Reader reader = mp_inside(list);
    while (index-- > 0) {
        mp_next(&reader);
    }
    return mp_next(&reader);
}

/* ---- Writing ---- */

static void put(Writer *out, const void *bytes, size_t size)
{
    if (size > out->room - out->size) {
        out->full = true;
    }
    if (!out->full && size > 0) {
        memcpy(out->bytes + out->size, bytes, size);
        out->size += size;
    }
}

/* A lead byte and a number of `width` bytes behind it, big-endian. */
static void put_lead(Writer *out, unsigned lead, uint64_t what, size_t width)
{
    uint8_t bytes[9] = {(uint8_t)lead};
    for (size_t i = width; i > 0; i--) {
        bytes[i] = (uint8_t)what;
        what >>= 8;
    }
    put(out, bytes, 1 + width);
}

void mp_write_nil(Writer *out)
{
    put_lead(out, 0xc0, 0, 0);
}

void mp_write_bool(Writer *out, bool truth)
{
    put_lead(out, truth ? 0xc3 : 0xc2, 0, 0);
}

void mp_write_number(Writer *out, int64_t what)
{
    uint64_t bits = (uint64_t)what;
    if (what >= -32 && what <= 127) {
        put_lead(out, (uint8_t)bits, 0, 0);
    } else if (what >= 0) {
        int step = bits <= UINT8_MAX ? 0 : bits <= UINT16_MAX ? 1 : bits <= UINT32_MAX ? 2 : 3;
        put_lead(out, 0xccu + (unsigned)step, bits, (size_t)1 << step);
    } else {
        int step = what >= INT8_MIN ? 0 : what >= INT16_MIN ? 1 : what >= INT32_MIN ? 2 : 3;
        put_lead(out, 0xd0u + (unsigned)step, bits, (size_t)1 << step);
    }
}

void mp_write_text(Writer *out, const char *text, uint32_t size)
{
    if (size <= 31) {
        put_lead(out, 0xa0 | size, 0, 0);
    } else if (size <= UINT8_MAX) {
        put_lead(out, 0xd9, size, 1);
    } else if (size <= UINT16_MAX) {
        put_lead(out, 0xda, size, 2);
    } else {
        put_lead(out, 0xdb, size, 4);
    }
    put(out, text, size);
}

void mp_write_word(Writer *out, const char *word)
{
    mp_write_text(out, word, (uint32_t)strlen(word));
}

void mp_write_list(Writer *out, uint32_t count)
{
    if (count <= 15) {
        put_lead(out, 0x90 | count, 0, 0);
    } else if (count <= UINT16_MAX) {
        put_lead(out, 0xdc, count, 2);
    } else {
        put_lead(out, 0xdd, count, 4);
    }
}

void mp_write_map(Writer *out, uint32_t count)
{
    if (count <= 15) {
        put_lead(out, 0x80 | count, 0, 0);
    } else if (count <= UINT16_MAX) {
        put_lead(out, 0xde, count, 2);
    } else {
        put_lead(out, 0xdf, count, 4);
    }
}
