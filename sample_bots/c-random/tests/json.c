#include "tests/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *convert(const char *at, Writer *out);

static const char *past_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static _Noreturn void refuse(const char *at)
{
    fprintf(stderr, "not the JSON that vectors have: %.40s\n", at);
    exit(2);
}

/* U+0000 to U+FFFF; the vectors have no pairs of surrogates. */
static size_t utf8(unsigned long character, char *to)
{
    if (character < 0x80) {
        to[0] = (char)character;
        return 1;
    }
    if (character < 0x800) {
        to[0] = (char)(0xc0 | character >> 6);
        to[1] = (char)(0x80 | (character & 0x3f));
        return 2;
    }
    to[0] = (char)(0xe0 | character >> 12);
    to[1] = (char)(0x80 | (character >> 6 & 0x3f));
    to[2] = (char)(0x80 | (character & 0x3f));
    return 3;
}

static const char *convert_text(const char *at, Writer *out)
{
    /* Unescaped it is never longer than it was. */
    char *text = malloc(strlen(at) + 1);
    size_t size = 0;
    for (at++; *at != '"'; at++) {
        if (*at == '\0') {
            refuse("a text without an end");
        }
        if (*at != '\\') {
            text[size++] = *at;
            continue;
        }
        at++;
        static const char NAMES[] = "\"\\/bfnrt", MEANINGS[] = "\"\\/\b\f\n\r\t";
        const char *name = strchr(NAMES, *at);
        if (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") >= 4) {
            char digits[5] = {at[1], at[2], at[3], at[4]};
            size += utf8(strtoul(digits, NULL, 16), text + size);
            at += 4;
        } else if (*at != '\0' && name != NULL) {
            text[size++] = MEANINGS[name - NAMES];
        } else {
            refuse(at);
        }
    }
    mp_write_text(out, text, (uint32_t)size);
    free(text);
    return at + 1;
}

/* The entries of a list or map, and how many there are. */
static const char *convert_entries(const char *at, Writer *out, uint32_t *count)
{
    char end = *at == '{' ? '}' : ']';
    at = past_space(at + 1);
    for (*count = 0; *at != end; ++*count) {
        if (end == '}') {
            at = past_space(convert(at, out));
            if (*at++ != ':') {
                refuse(at - 1);
            }
        }
        at = past_space(convert(at, out));
        if (*at == ',') {
            at = past_space(at + 1);
        } else if (*at != end) {
            refuse(at);
        }
    }
    return at + 1;
}

static const char *convert_container(const char *at, Writer *out)
{
    /* The head says how many entries follow, and its own length depends on that: count first, by
     * writing into a writer without room. */
    uint32_t count;
    Writer nowhere = {.room = 0};
    const char *end = convert_entries(at, &nowhere, &count);
    if (out->room == 0) {
        return end;
    }
    if (*at == '{') {
        mp_write_map(out, count);
    } else {
        mp_write_list(out, count);
    }
    return convert_entries(at, out, &count);
}

static const char *convert(const char *at, Writer *out)
{
    at = past_space(at);
    switch (*at) {
    case '{':
    case '[':
        return convert_container(at, out);
    case '"':
        return convert_text(at, out);
    }
    if (strncmp(at, "null", 4) == 0) {
        mp_write_nil(out);
        return at + 4;
    }
    if (strncmp(at, "true", 4) == 0) {
        mp_write_bool(out, true);
        return at + 4;
    }
    if (strncmp(at, "false", 5) == 0) {
        mp_write_bool(out, false);
        return at + 5;
    }
    char *end;
    long long number = strtoll(at, &end, 10);
    if (end == at || *end == '.' || *end == 'e' || *end == 'E') {
        refuse(at);
    }
    mp_write_number(out, number);
    return end;
}

void json_to_msgpack(const char *text, Writer *out)
{
    const char *end = past_space(convert(text, out));
    if (*end != '\0') {
        refuse(end);
    }
}
