#include "tests/load.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/json.h"

static bool has_vectors(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/messages.json", folder);
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

const char *vectors_folder(void)
{
    static const char *const FOLDERS[] = {"vectors", "../../protocol/vectors"};
    const char *given = getenv("ARENA_VECTORS");
    if (given != NULL) {
        return given;
    }
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++) {
        if (has_vectors(FOLDERS[i])) {
            return FOLDERS[i];
        }
    }
    fprintf(stderr, "FAILED: no vectors: neither vectors/ nor ../../protocol/vectors is here. Run "
                    "the tests in the bot's folder, or set ARENA_VECTORS to the folder "
                    "protocol/vectors of arena.\n");
    exit(2);
}

Value load_vectors(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        fprintf(stderr, "FAILED: set ARENA_VECTORS to the folder protocol/vectors of arena\n");
        exit(2);
    }
    static char text[1 << 22];
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    if (size == sizeof text) {
        fprintf(stderr, "FAILED: %s has more than %zu bytes\n", path, sizeof text - 1);
        exit(2);
    }
    text[size] = '\0';
    static uint8_t bytes[sizeof text];
    Writer out = {.bytes = bytes, .room = sizeof bytes};
    json_to_msgpack(text, &out);
    Reader reader = {bytes, bytes + out.size};
    return mp_field(mp_next(&reader), "vectors");
}

void add_hex(Bytes *to, Value hex)
{
    if (hex.size / 2 > MAX_BYTES - to->size) {
        fprintf(stderr, "FAILED: a vector has more than %d bytes\n", MAX_BYTES);
        exit(2);
    }
    for (uint32_t i = 0; i + 1 < hex.size; i += 2) {
        char digits[3] = {hex.text[i], hex.text[i + 1]};
        to->bytes[to->size++] = (uint8_t)strtoul(digits, NULL, 16);
    }
}
