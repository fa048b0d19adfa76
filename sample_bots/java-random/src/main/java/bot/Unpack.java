package bot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.Value;
import org.msgpack.value.ValueType;

/** Reads the parts that views are made of. A value of another type is a MessagePackException. */
final class Unpack {

  /** Reads one value. */
  interface Reader<T> {
    T read(MessageUnpacker in) throws IOException;
  }

  static MessageUnpacker from(ByteBuffer bytes) {
    return MessagePack.newDefaultUnpacker(
        bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
  }

  /** The text of a field in a map; "" where it has none. */
  static String text(MessageUnpacker in, String name) throws IOException {
    for (int left = in.unpackMapHeader(); left > 0; left--) {
      boolean isIt = in.unpackString().equals(name);
      if (isIt && in.getNextFormat().getValueType() == ValueType.STRING) {
        return in.unpackString();
      }
      in.skipValue();
    }
    return "";
  }

  /** Null for nil. */
  static <T> T orNull(MessageUnpacker in, Reader<T> reader) throws IOException {
    return in.tryUnpackNil() ? null : reader.read(in);
  }

  static <T> List<T> list(MessageUnpacker in, Reader<T> reader) throws IOException {
    return list(in, in.unpackArrayHeader(), reader);
  }

  private static <T> List<T> list(MessageUnpacker in, int size, Reader<T> reader)
      throws IOException {
    // No room is taken for what is only announced: it may not come.
    List<T> found = new ArrayList<>();
    for (int left = size; left > 0; left--) {
      found.add(reader.read(in));
    }
    return found;
  }

  static List<Integer> numbers(MessageUnpacker in) throws IOException {
    return list(in, MessageUnpacker::unpackInt);
  }

  static List<String> texts(MessageUnpacker in) throws IOException {
    return list(in, MessageUnpacker::unpackString);
  }

  /** Begin a list whose first places have names; how many come after them. */
  static int rest(MessageUnpacker in, int named) throws IOException {
    int size = in.unpackArrayHeader();
    if (size < named) {
      throw new IOException("a list of " + size + "; expected " + named + " or more");
    }
    return size - named;
  }

  static List<String> texts(MessageUnpacker in, int size) throws IOException {
    return list(in, size, MessageUnpacker::unpackString);
  }

  /** A map that may hold anything. */
  static Map<String, Value> map(MessageUnpacker in) throws IOException {
    Map<String, Value> found = new HashMap<>();
    for (int left = in.unpackMapHeader(); left > 0; left--) {
      found.put(in.unpackString(), in.unpackValue());
    }
    return found;
  }

  /** A field that must have come. */
  static <T> T there(T value, String name) throws IOException {
    if (value == null) {
      throw new IOException("a view without the field " + name);
    }
    return value;
  }

  private Unpack() {}
}
