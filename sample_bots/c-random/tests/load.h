/* The files of arena's protocol/vectors. */

#ifndef LOAD_H
#define LOAD_H

#include "wire/msgpack.h"

/* The folder with the vectors: the one that ARENA_VECTORS names, or else vectors/ here, which
 * `arena new-bot` has made, or else the one in the repository of arena. Ends the program if there
 * is none. */
const char *vectors_folder(void);

/* The vectors of FOLDER/NAME.json, as msgpack. They are good until the next file is loaded. Ends
 * the program if the file cannot be read. */
Value load_vectors(const char *folder, const char *name);

/* Bytes of at most a frame or a conversation. */
#define MAX_BYTES 65536

typedef struct {
    uint8_t bytes[MAX_BYTES];
    size_t size;
} Bytes;

/* Add the bytes that hexadecimal digits stand for. */
void add_hex(Bytes *to, Value hex);

#endif
