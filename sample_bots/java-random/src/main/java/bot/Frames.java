package bot;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Bodies out of a stream that may be cut or joined anywhere (SPEC 3.1); no socket in it. */
final class Frames {
  static final int HEADER = 4;

  /** SPEC 3.2 and 8: a longer body is refused. */
  static final int MAX_SERVER_BODY = 16384;

  private final int maxBody;

  /** Ready to be written to: what has come ends at its position. */
  private final ByteBuffer buffer = ByteBuffer.allocate(HEADER + MAX_SERVER_BODY);

  /** Where that begins which was not given out. */
  private int from = 0;

  Frames(int maxBody) {
    this.maxBody = maxBody;
  }

  /** Where to put bytes that come: write to it as a channel does. */
  ByteBuffer space() {
    // What is left is part of one frame, and most often nothing.
    buffer.flip().position(from);
    buffer.compact();
    from = 0;
    return buffer;
  }

  /** The next body, good until {@link #space} is called; null if more must come first. */
  ByteBuffer next() throws IOException {
    int held = buffer.position() - from;
    if (held < HEADER) {
      return null;
    }
    long size = Integer.toUnsignedLong(buffer.getInt(from));
    if (size > maxBody) {
      throw new IOException(
          "a frame of " + size + " bytes; " + maxBody + " are the most there may be (SPEC 3.2)");
    }
    if (held < HEADER + size) {
      return null;
    }
    ByteBuffer body = buffer.slice(from + HEADER, (int) size);
    from += HEADER + (int) size;
    return body;
  }

  /** Whether a frame is begun that is not whole. */
  boolean isUnfinished() {
    return from < buffer.position();
  }
}
