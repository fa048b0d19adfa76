/* The types that views are made of, and readers that fill them: views.h uses both. No reader
 * allocates, and each gives false where the bytes are something else, or do not fit. */

#ifndef FIELDS_H
#define FIELDS_H

#include "wire/msgpack.h"

#include <limits.h>

/* A text of a view: a card, a box, a phase. It ends with a zero byte. The longest that there is
 * today has 14 bytes (SPEC 11.10). A longer one is cut to 15 and so never equal to one of these. */
typedef char Text[16];

/* A number that is nil. No number of a view is as small. */
#define NIL INT_MIN

/* A list: `count` entries, of at most `most`, in `at`. */
#define LIST_OF(type, most)                                                                        \
    struct {                                                                                       \
        int count;                                                                                 \
        type at[most];                                                                             \
    }

/* Read one value. `take_nil` takes nil if that comes next, and otherwise leaves the place. */
bool take_nil(Reader *from);
bool read_number(Reader *from, int *to);
bool read_text(Reader *from, Text to);
bool read_map(Reader *from, Value *to);
bool pass_over(Reader *from);

/* Read a list: its count alone, or all of it. */
bool read_count(Reader *from, int *count, int most);
bool read_numbers(Reader *from, int *count, int *at, int most);
bool read_texts(Reader *from, int *count, Text *at, int most);

/* The fields of a map, one after the other:
 *
 *     Fields fields = fields_of(map, &from);
 *     while (next_field(&fields)) {
 *         if (field_is(&fields, 0, "seats")) {
 *             fields.good = read_number(&from, &to->seats);
 *         } else {
 *             fields.good = pass_over(&from);
 *         }
 *     }
 *     return all_fields_came(&fields, 1);
 */
typedef struct {
    Reader *from;
    Value name;
    uint32_t left;
    uint64_t came; /* a bit for each field that we know */
    bool good;
} Fields;

Fields fields_of(Value map, Reader *from);
bool next_field(Fields *fields);
bool field_is(Fields *fields, int number, const char *name);
bool all_fields_came(const Fields *fields, int count);

#endif
