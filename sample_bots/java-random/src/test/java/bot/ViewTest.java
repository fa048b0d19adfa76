package bot;

import static bot.Vectors.JSON;
import static bot.Vectors.load;
import static bot.Vectors.packed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.msgpack.value.Value;

/** A view that was read says the same as the view that was sent. */
class ViewTest {

  /** Writes records with the names that fields have on the wire. */
  private static final ObjectMapper WRITER =
      new ObjectMapper()
          .setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .registerModule(
              new SimpleModule()
                  .addSerializer(Value.class, new ValueWriter())
                  .addSerializer(View.NopeTurn.class, new TurnWriter()));

  private static final class ValueWriter extends JsonSerializer<Value> {
    @Override
    public void serialize(Value value, JsonGenerator out, SerializerProvider all)
        throws IOException {
      out.writeRawValue(value.toJson());
    }
  }

  /** A turn is a list on the wire. */
  private static final class TurnWriter extends JsonSerializer<View.NopeTurn> {
    @Override
    public void serialize(View.NopeTurn turn, JsonGenerator out, SerializerProvider all)
        throws IOException {
      out.writeStartArray();
      out.writeNumber(turn.number());
      out.writeNumber(turn.count());
      out.writeString(turn.colours());
      out.writeNumber(turn.drawn());
      for (String laid : turn.laid()) {
        out.writeString(laid);
      }
      out.writeEndArray();
    }
  }

  private static JsonNode written(View view) throws IOException {
    return JSON.readTree(WRITER.writeValueAsString(view));
  }

  private static View read(JsonNode view) throws IOException {
    return View.read(ByteBuffer.wrap(packed(view)));
  }

  @Test
  void everyFieldOfAViewIsRead() throws IOException {
    Set<String> phases = new HashSet<>();
    for (JsonNode conversation : load("conversations")) {
      for (JsonNode step : conversation.get("steps")) {
        JsonNode sent = step.path("message").path("view");
        // Those for the bot alone have fields of a later server.
        if (!sent.isMissingNode() && !step.has("only_bot")) {
          View view = read(sent);
          assertEquals(sent, written(view));
          phases.add(view.phase());
        }
      }
    }
    Set<String> all = Set.of("tokens", "team", "discard", "play", "lay", "set", "choose", "over");
    assertEquals(all, phases);
  }

  @Test
  void fieldsOfALaterServerArePassedOver() throws IOException {
    JsonNode sent = load("following").get(0).get("view");
    ObjectNode later = JSON.createObjectNode();
    later.putObject("added").put("later", 1);
    later.setAll((ObjectNode) sent);
    assertEquals(sent, written(read(later)));
  }

  @Test
  void aFieldThatIsNotThereIsNamed() throws IOException {
    ObjectNode view = load("following").get(0).get("view").deepCopy();
    view.remove("hand_sizes");
    Exception error = assertThrows(IOException.class, () -> read(view));
    assertEquals("a view without the field hand_sizes", error.getMessage());
  }

  @Test
  void aGameThatIsNotInventedYetHasNoView() throws IOException {
    assertNull(read(JSON.createObjectNode().put("game", "later")));
    assertNull(read(JSON.createObjectNode().put("game", 1)));
    assertNull(read(JSON.createObjectNode()));
  }
}
