#include "wire/fields.h"

bool take_nil(Reader *from)
{
    Reader ahead = *from;
    if (mp_head(&ahead).kind != MP_NIL) {
        return false;
    }
    *from = ahead;
    return true;
}

bool read_number(Reader *from, int *to)
{
    Value value = mp_next(from);
    *to = (int)value.number;
    return value.kind == MP_NUMBER && value.number > INT_MIN && value.number <= INT_MAX;
}

bool read_text(Reader *from, Text to)
{
    Value value = mp_next(from);
    size_t size = value.size < sizeof(Text) ? value.size : sizeof(Text) - 1;
    if (value.kind != MP_TEXT) {
        return false;
    }
    memcpy(to, value.text, size);
    to[size] = '\0';
    return true;
}

bool read_map(Reader *from, Value *to)
{
    *to = mp_next(from);
    return to->kind == MP_MAP;
}

bool pass_over(Reader *from)
{
    return mp_next(from).kind != MP_BAD;
}

bool read_count(Reader *from, int *count, int most)
{
    Value list = mp_head(from);
    bool good = list.kind == MP_LIST && list.count <= (uint32_t)most;
    *count = good ? (int)list.count : 0;
    return good;
}

bool read_numbers(Reader *from, int *count, int *at, int most)
{
    bool good = read_count(from, count, most);
    for (int i = 0; good && i < *count; i++) {
        good = read_number(from, &at[i]);
    }
    return good;
}

bool read_texts(Reader *from, int *count, Text *at, int most)
{
    bool good = read_count(from, count, most);
    for (int i = 0; good && i < *count; i++) {
        good = read_text(from, at[i]);
    }
    return good;
}

Fields fields_of(Value map, Reader *from)
{
    return (Fields){.from = from, .left = map.count, .good = map.kind == MP_MAP};
}

bool next_field(Fields *fields)
{
    if (!fields->good || fields->left == 0) {
        return false;
    }
    fields->left--;
    fields->name = mp_next(fields->from);
    fields->good = fields->name.kind == MP_TEXT;
    return fields->good;
}

bool field_is(Fields *fields, int number, const char *name)
{
    /* No map has a key twice (SPEC 3.3). If one comes again, it is passed over. */
    uint64_t bit = UINT64_C(1) << number;
    if ((fields->came & bit) != 0 || !mp_is(fields->name, name)) {
        return false;
    }
    fields->came |= bit;
    return true;
}

bool all_fields_came(const Fields *fields, int count)
{
    /* SPEC 10.3: a field that does not apply is nil, never left out. */
    return fields->good && fields->came == (UINT64_C(1) << count) - 1;
}
