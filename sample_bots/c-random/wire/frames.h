/* Frames out of a stream that may be cut or joined anywhere: SPEC 3.1. No socket in it. */

#ifndef FRAMES_H
#define FRAMES_H

#include <stddef.h>
#include <stdint.h>

/* SPEC 8. Longer frames are refused by the side that receives them. */
#define WIRE_MAX_SERVER_BODY 16384
#define WIRE_MAX_BOT_BODY 4096
#define WIRE_HEADER 4

typedef struct {
    uint8_t bytes[WIRE_HEADER + WIRE_MAX_SERVER_BODY];
    size_t from, to; /* the bytes that have come and were not given out lie between */
} Frames;

typedef enum { FRAME_WHOLE, FRAME_UNFINISHED, FRAME_TOO_LONG } FrameState;

/* Where to put bytes that come, and how many at most; then frames_came says how many did. */
uint8_t *frames_space(Frames *frames, size_t *room);
void frames_came(Frames *frames, size_t size);

/* The next body. It is good until frames_space is called. `max_body` is at most
 * WIRE_MAX_SERVER_BODY. */
FrameState frames_next(Frames *frames, size_t max_body, const uint8_t **body, size_t *size);

#endif
