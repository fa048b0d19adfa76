#include "wire/frames.h"

#include <string.h>

uint8_t *frames_space(Frames *frames, size_t *room)
{
    /* The bytes left are part of one frame, and most often there are none. */
    memmove(frames->bytes, frames->bytes + frames->from, frames->to - frames->from);
    frames->to -= frames->from;
    frames->from = 0;
    *room = sizeof frames->bytes - frames->to;
    return frames->bytes + frames->to;
}

void frames_came(Frames *frames, size_t size)
{
    frames->to += size;
}

FrameState frames_next(Frames *frames, size_t max_body, const uint8_t **body, size_t *size)
{
    const uint8_t *at = frames->bytes + frames->from;
    size_t held = frames->to - frames->from;
    if (held < WIRE_HEADER) {
        return FRAME_UNFINISHED;
    }
    *size = (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
    if (*size > max_body) {
        return FRAME_TOO_LONG;
    }
    if (held < WIRE_HEADER + *size) {
        return FRAME_UNFINISHED;
    }
    *body = at + WIRE_HEADER;
    frames->from += WIRE_HEADER + *size;
    return FRAME_WHOLE;
}
