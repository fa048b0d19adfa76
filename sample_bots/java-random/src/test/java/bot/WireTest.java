package bot;

import static bot.Vectors.JSON;
import static bot.Vectors.bytes;
import static bot.Vectors.each;
import static bot.Vectors.load;
import static bot.Vectors.packed;
import static bot.Vectors.unpacked;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.msgpack.core.MessagePackException;

/** The vectors about frames and messages, and bytes that are no message at all. */
class WireTest {

  @TestFactory
  Stream<DynamicTest> framesComeOutHoweverTheyAreCut() throws IOException {
    return each(
        "frames",
        vector -> {
          Frames frames = new Frames(vector.get("max_body_bytes").asInt());
          List<String> found = new ArrayList<>();
          List<String> expected = new ArrayList<>();
          vector.get("bodies").forEach(body -> expected.add(body.asText()));
          boolean isRefused = false;
          try {
            for (JsonNode chunk : vector.get("chunks")) {
              frames.space().put(bytes(chunk));
              for (ByteBuffer body = frames.next(); body != null; body = frames.next()) {
                found.add(HexFormat.of().formatHex(bytes(body)));
              }
            }
          } catch (IOException refused) {
            isRefused = true;
          }
          assertEquals(expected, found);
          assertEquals("frame-too-long".equals(vector.get("breach").asText()), isRefused);
          if (!isRefused) {
            boolean isUnfinished = "frame-unfinished".equals(vector.get("at_end").asText());
            assertEquals(isUnfinished, frames.isUnfinished());
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> messagesAndTheirBytesSayTheSame() throws IOException {
    return each(
        "messages",
        vector -> {
          JsonNode message = vector.get("message");
          assertEquals(message, unpacked(bytes(vector.get("hex"))));
          if (vector.get("canonical").asBoolean()) {
            assertArrayEquals(bytes(vector.get("hex")), packed(message));
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> weReadWhatTheServerSaysAndSendWhatABotSays() throws IOException {
    return each(
        "messages",
        vector -> {
          byte[] body = bytes(vector.get("hex"));
          JsonNode message = vector.get("message");
          switch (message.get("type").asText()) {
            case "hello" -> {
              JsonNode hello = unpacked(Message.hello(message.get("token").asText()));
              for (String name : List.of("type", "protocol", "token")) {
                assertEquals(message.get(name), hello.get(name));
              }
            }
            case "action" -> {
              String match = message.get("match").asText();
              long id = message.get("id").asLong();
              var request = new Message.Request(match, id, null, List.of(), 0);
              String action = message.get("action").asText();
              byte[] sent = Message.action(request, action, message.path("note").asText());
              if (vector.get("canonical").asBoolean()) {
                assertArrayEquals(body, sent);
              }
            }
            default -> assertRead(message, Message.read(ByteBuffer.wrap(body)));
          }
        });
  }

  private static void assertRead(JsonNode expected, Message message) throws IOException {
    String type = expected.get("type").asText();
    if (message instanceof Message.Request request) {
      assertEquals("request", type);
      assertEquals(expected.get("view"), JSON.readTree(request.anyView().toJson()));
      assertEquals(expected.get("time_us").asLong(), request.timeUs());
      assertEquals(expected.get("legal"), JSON.valueToTree(request.legal()));
      for (String action : request.legal()) {
        JsonNode answer = unpacked(Message.action(request, action, ""));
        assertEquals("action", answer.get("type").asText());
        assertEquals(expected.get("match"), answer.get("match"));
        assertEquals(expected.get("id"), answer.get("id"));
        assertEquals(action, answer.get("action").asText());
        assertEquals(4, answer.size());
      }
    } else if (message instanceof Message.Fault fault) {
      assertEquals("fault", type);
      assertEquals(expected.get("text").asText(), fault.text());
    } else if (message instanceof Message.End end) {
      assertEquals("end", type);
      assertEquals(expected.get("match").asText(), end.match());
      assertEquals(expected.has("view"), end.packedView() != null);
    } else if (message instanceof Message.Bye bye) {
      assertEquals("bye", type);
      assertEquals(expected.get("text").asText(), bye.text());
    } else {
      assertEquals(new Message.Other(type), message);
      assertFalse(List.of("request", "fault", "end", "bye").contains(type));
    }
  }

  @TestFactory
  Stream<DynamicTest> conversationsAreHeardHoweverTheyAreCut() throws IOException {
    return each(
        "conversations",
        vector -> {
          List<JsonNode> said = new ArrayList<>();
          ByteArrayOutputStream stream = new ByteArrayOutputStream();
          for (JsonNode step : vector.get("steps")) {
            if (step.get("from").asText().equals("server")) {
              said.add(step.get("message"));
              stream.write(bytes(step.get("hex")));
            }
          }
          hear(said, stream.toByteArray(), stream.size(), 1);
          hear(said, stream.toByteArray(), 1, 1);
          for (int cut = 2; cut < stream.size(); cut += 7) {
            hear(said, stream.toByteArray(), cut, stream.size());
          }
        });
  }

  private static void hear(List<JsonNode> said, byte[] stream, int first, int then)
      throws IOException {
    Frames frames = new Frames(Frames.MAX_SERVER_BODY);
    Iterator<JsonNode> expected = said.iterator();
    int piece = first;
    for (int at = 0; at < stream.length; piece = then) {
      int size = Math.min(frames.space().remaining(), Math.min(piece, stream.length - at));
      frames.space().put(stream, at, size);
      at += size;
      for (ByteBuffer body = frames.next(); body != null; body = frames.next()) {
        assertRead(expected.next(), Message.read(body));
      }
    }
    assertFalse(expected.hasNext());
    assertFalse(frames.isUnfinished());
  }

  /** Either it is read, or refused by an exception that main tells. */
  private static void readAnything(byte[] body) {
    try {
      assertNotNull(Message.read(ByteBuffer.wrap(body)));
    } catch (IOException | MessagePackException refused) {
      assertNotNull(refused);
    }
  }

  @Test
  void damagedMessagesAreReadOrRefused() throws IOException {
    for (JsonNode vector : load("messages")) {
      byte[] body = bytes(vector.get("hex"));
      for (int size = 0; size < body.length; size++) {
        byte[] cut = Arrays.copyOf(body, size);
        assertThrows(MessagePackException.class, () -> Message.read(ByteBuffer.wrap(cut)));
      }
      for (int at = 0; at < body.length; at++) {
        byte[] damaged = body.clone();
        for (int change = 1; change < 256; change += 6) {
          damaged[at] = (byte) (body[at] + change);
          readAnything(damaged);
        }
      }
    }
  }

  @Test
  void noiseIsReadOrRefused() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      byte[] noise = new byte[random.nextInt(64)];
      random.nextBytes(noise);
      readAnything(noise);
    }
  }
}
