package bot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.MapValue;
import org.msgpack.value.ValueType;

/** The messages of SPEC 4: those of the server that a bot needs, and those of a bot. */
sealed interface Message {

  /** SPEC 4.4: you owe a decision. {@code packedView} is good until the next message is read. */
  record Request(String match, long id, ByteBuffer packedView, List<String> legal, long timeUs)
      implements Message {

    /**
     * All that your seat may know (SPEC 10.3); null in a game that {@link View} does not know. It
     * is decoded when you ask, and at each call: ask once, and keep it as long as you like.
     */
    View view() throws IOException {
      return View.read(packedView);
    }

    /** The same as values of the msgpack library, for a game that {@link View} does not know. */
    MapValue anyView() throws IOException {
      return Unpack.from(packedView).unpackValue().asMapValue();
    }
  }

  /** SPEC 4.7: the match is over. {@code packedView} is as above, or null where it was left out. */
  record End(String match, ByteBuffer packedView) implements Message {

    /** What your seat sees at the end, such as the last trick; null also where it was left out. */
    View view() throws IOException {
      return packedView == null ? null : View.read(packedView);
    }
  }

  /** SPEC 4.6. */
  record Fault(String text) implements Message {}

  /** SPEC 4.8. */
  record Bye(String reason, String text) implements Message {}

  /** Any other message: a bot may pass over it. */
  record Other(String type) implements Message {}

  /** One pass over the fields; what we do not know is passed over (SPEC 4). */
  static Message read(ByteBuffer body) throws IOException {
    String type = null;
    String match = null;
    String text = null;
    String reason = "";
    long id = 0;
    long timeUs = 0;
    ByteBuffer view = null;
    List<String> legal = List.of();

    MessageUnpacker in = Unpack.from(body);
    for (int left = in.unpackMapHeader(); left > 0; left--) {
      switch (in.unpackString()) {
        case "type" -> type = text(in);
        case "match" -> match = text(in);
        case "text" -> text = text(in);
        case "reason" -> reason = text(in);
        case "id" -> id = number(in);
        case "time_us" -> timeUs = number(in);
        case "legal" -> legal = texts(in);
        case "view" -> {
          int from = (int) in.getTotalReadBytes();
          in.skipValue();
          view = body.slice(from, (int) in.getTotalReadBytes() - from);
        }
        default -> in.skipValue();
      }
    }
    if (in.hasNext()) {
      throw new IOException("bytes after a message (SPEC 3.3)");
    }
    if (type == null) {
      throw new IOException("a message without a type (SPEC 4)");
    }
    return switch (type) {
      case "request" -> {
        if (match == null || view == null || legal.isEmpty()) {
          throw new IOException("a request that is not as in SPEC 4.4");
        }
        yield new Request(match, id, view, legal, timeUs);
      }
      case "fault" -> new Fault(text);
      case "end" -> new End(match, view);
      case "bye" -> new Bye(reason, text);
      default -> new Other(type);
    };
  }

  /** SPEC 4.1: who we are. The token says it; the rest is for people. */
  static byte[] hello(String token) throws IOException {
    try (MessageBufferPacker out = MessagePack.newDefaultBufferPacker()) {
      out.packMapHeader(4);
      out.packString("type").packString("hello");
      out.packString("protocol").packInt(1);
      out.packString("token").packString(token);
      out.packString("language").packString("Java");
      return out.toByteArray();
    }
  }

  /** SPEC 4.5: match and id are copied; the note is kept in the record, "" is none. */
  static byte[] action(Request request, String action, String note) throws IOException {
    try (MessageBufferPacker out = MessagePack.newDefaultBufferPacker()) {
      out.packMapHeader(note.isEmpty() ? 4 : 5);
      out.packString("type").packString("action");
      out.packString("match").packString(request.match());
      out.packString("id").packLong(request.id());
      out.packString("action").packString(action);
      if (!note.isEmpty()) {
        out.packString("note").packString(note);
      }
      return out.toByteArray();
    }
  }

  // A later server may use a name of ours for something else, in messages that we do not know.

  private static String text(MessageUnpacker in) throws IOException {
    if (in.getNextFormat().getValueType() == ValueType.STRING) {
      return in.unpackString();
    }
    in.skipValue();
    return null;
  }

  private static long number(MessageUnpacker in) throws IOException {
    if (in.getNextFormat().getValueType() == ValueType.INTEGER) {
      return in.unpackLong();
    }
    in.skipValue();
    return 0;
  }

  private static List<String> texts(MessageUnpacker in) throws IOException {
    List<String> texts = new ArrayList<>();
    if (in.getNextFormat().getValueType() == ValueType.ARRAY) {
      for (int left = in.unpackArrayHeader(); left > 0; left--) {
        texts.add(text(in));
      }
    } else {
      in.skipValue();
    }
    return texts;
  }
}
