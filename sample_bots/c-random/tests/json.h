/* The vectors are JSON. It is turned into msgpack here, so that one reader and one way to compare
 * serve both, and the writer of msgpack.c is put to work. Only for files we trust. */

#ifndef JSON_H
#define JSON_H

#include "wire/msgpack.h"

/* Write one JSON value, each key and entry in the order of the text. Ends the program if the text
 * is not JSON, or has a number that is not whole. */
void json_to_msgpack(const char *text, Writer *out);

#endif
