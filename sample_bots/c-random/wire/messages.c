#include "wire/messages.h"

#include <string.h>

/* Copy the legal actions, each with a zero byte at its end. Those of a server fit: this byte takes
 * the place of the one or more bytes that stand before each text in the message. */
static bool read_legal(Value list, Request *request)
{
    if (list.kind != MP_LIST || list.count == 0 || list.count > MAX_LEGAL) {
        return false;
    }
    Reader actions = mp_inside(list);
    char *to = request->text;
    for (uint32_t i = 0; i < list.count; i++) {
        Value action = mp_next(&actions);
        size_t room = sizeof request->text - (size_t)(to - request->text);
        if (action.kind != MP_TEXT || action.size == 0 || action.size >= room) {
            return false;
        }
        request->legal[i] = to;
        memcpy(to, action.text, action.size);
        to += action.size;
        *to++ = '\0';
    }
    request->legal_count = (int)list.count;
    return true;
}

bool read_request(Value message, Request *request)
{
    Value match = {.kind = MP_NONE}, id = match, view = match, legal = match, time_us = match;
    Reader fields = mp_inside(message);
    for (uint32_t i = 0; i < message.count; i++) {
        Value name = mp_next(&fields);
        Value value = mp_next(&fields);
        if (value.kind == MP_BAD) {
            return false;
        }
        if (mp_is(name, "match")) {
            match = value;
        } else if (mp_is(name, "id")) {
            id = value;
        } else if (mp_is(name, "view")) {
            view = value;
        } else if (mp_is(name, "legal")) {
            legal = value;
        } else if (mp_is(name, "time_us")) {
            time_us = value;
        }
        /* SPEC 4: a field that we do not know is passed over. */
    }
    request->match = match;
    request->id = id.number;
    request->view = view;
    request->time_us = time_us.number;
    return match.kind == MP_TEXT && id.kind == MP_NUMBER && view.kind == MP_MAP &&
           time_us.kind == MP_NUMBER && read_legal(legal, request);
}

void pack_hello(Writer *out, const char *token)
{
    mp_write_map(out, 4);
    mp_write_word(out, "type");
    mp_write_word(out, "hello");
    mp_write_word(out, "protocol");
    mp_write_number(out, 1);
    mp_write_word(out, "token");
    mp_write_word(out, token);
    mp_write_word(out, "language");
    mp_write_word(out, "C");
}

void pack_action(Writer *out, const Request *request, const char *action, const char *note)
{
    mp_write_map(out, note ? 5 : 4);
    mp_write_word(out, "type");
    mp_write_word(out, "action");
    mp_write_word(out, "match");
    mp_write_text(out, request->match.text, request->match.size);
    mp_write_word(out, "id");
    mp_write_number(out, request->id);
    mp_write_word(out, "action");
    mp_write_word(out, action);
    if (note) {
        mp_write_word(out, "note");
        mp_write_word(out, note);
    }
}
