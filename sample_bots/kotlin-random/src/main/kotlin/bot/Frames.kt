package bot

import java.io.IOException
import java.nio.ByteBuffer

const val HEADER = 4

/** SPEC 3.2 and 8: a longer body is refused. */
const val MAX_SERVER_BODY = 16384

/** Bodies out of a stream that may be cut or joined anywhere (SPEC 3.1); no socket in it. */
class Frames(private val maxBody: Int = MAX_SERVER_BODY) {
    /** Ready to be written to: what has come ends at its position. */
    private val buffer = ByteBuffer.allocate(HEADER + MAX_SERVER_BODY)

    /** The place of the first byte that was not given out. */
    private var from = 0

    /** Whether a frame is begun that is not whole. */
    val isUnfinished: Boolean
        get() = from < buffer.position()

    /** Where to put bytes that come: write to it as a channel does. */
    fun space(): ByteBuffer {
        // What is left is part of one frame, and most often nothing.
        buffer.flip().position(from)
        buffer.compact()
        from = 0
        return buffer
    }

    /** The next body, good until [space] is called; null if more must come first. */
    fun next(): ByteBuffer? {
        val held = buffer.position() - from
        if (held < HEADER) return null
        val size = Integer.toUnsignedLong(buffer.getInt(from))
        if (size > maxBody) {
            throw IOException(
                "a frame of $size bytes; $maxBody are the most there may be (SPEC 3.2)"
            )
        }
        if (held < HEADER + size) return null
        val body = buffer.slice(from + HEADER, size.toInt())
        from += HEADER + size.toInt()
        return body
    }
}
