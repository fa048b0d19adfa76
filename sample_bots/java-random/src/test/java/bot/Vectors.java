package bot;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** The vectors of arena: JSON files, each with cases of one kind, told in their README.md. */
final class Vectors {
  static final ObjectMapper JSON = new ObjectMapper();

  interface Check {
    void run(JsonNode vector) throws IOException;
  }

  /** In ARENA_VECTORS if that is set, else in this bot, else in the repository of arena. */
  private static Path folder() {
    String named = System.getenv("ARENA_VECTORS");
    List<String> places =
        named != null ? List.of(named) : List.of("vectors", "../../protocol/vectors");
    for (String place : places) {
      if (Files.isDirectory(Path.of(place))) {
        return Path.of(place);
      }
    }
    return fail(
        "there are no vectors in "
            + String.join(" or ", places)
            + "; name their folder in ARENA_VECTORS (`arena new-bot` copies them to vectors/)");
  }

  static JsonNode load(String name) throws IOException {
    Path file = folder().resolve(name + ".json");
    JsonNode vectors = JSON.readTree(file.toFile()).path("vectors");
    assertFalse(vectors.isEmpty(), "there are no vectors in " + file);
    return vectors;
  }

  /** One test for each vector of a file. */
  static Stream<DynamicTest> each(String name, Check check) throws IOException {
    return StreamSupport.stream(load(name).spliterator(), false)
        .map(vector -> dynamicTest(vector.get("name").asText(), () -> check.run(vector)));
  }

  /** Every message of the conversations that has a view and is of a type, as it was sent. */
  static List<Message> withViews(String type) throws IOException {
    List<Message> found = new ArrayList<>();
    for (JsonNode conversation : load("conversations")) {
      for (JsonNode step : conversation.get("steps")) {
        JsonNode message = step.path("message");
        if (message.path("type").asText().equals(type) && message.has("view")) {
          byte[] frame = bytes(step.get("hex"));
          ByteBuffer body = ByteBuffer.wrap(frame, Frames.HEADER, frame.length - Frames.HEADER);
          found.add(Message.read(body.slice()));
        }
      }
    }
    assertFalse(found.isEmpty(), "no " + type + " in the conversations");
    return found;
  }

  static byte[] bytes(JsonNode hex) {
    return HexFormat.of().parseHex(hex.asText());
  }

  static byte[] bytes(ByteBuffer body) {
    byte[] copy = new byte[body.remaining()];
    body.duplicate().get(copy);
    return copy;
  }

  static JsonNode unpacked(byte[] body) throws IOException {
    return JSON.readTree(MessagePack.newDefaultUnpacker(body).unpackValue().toJson());
  }

  static byte[] packed(JsonNode value) throws IOException {
    try (MessageBufferPacker out = MessagePack.newDefaultBufferPacker()) {
      pack(out, value);
      return out.toByteArray();
    }
  }

  private static void pack(MessageBufferPacker out, JsonNode value) throws IOException {
    if (value.isObject()) {
      out.packMapHeader(value.size());
      for (Iterator<Map.Entry<String, JsonNode>> all = value.fields(); all.hasNext(); ) {
        Map.Entry<String, JsonNode> field = all.next();
        out.packString(field.getKey());
        pack(out, field.getValue());
      }
    } else if (value.isArray()) {
      out.packArrayHeader(value.size());
      for (JsonNode entry : value) {
        pack(out, entry);
      }
    } else if (value.isTextual()) {
      out.packString(value.asText());
    } else if (value.isBoolean()) {
      out.packBoolean(value.asBoolean());
    } else if (value.isIntegralNumber()) {
      out.packLong(value.asLong());
    } else {
      out.packNil();
    }
  }

  private Vectors() {}
}
