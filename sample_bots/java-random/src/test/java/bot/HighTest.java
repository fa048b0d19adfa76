package bot;

import static bot.Vectors.load;
import static bot.Vectors.packed;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule of thumb at a table of two, where yellow is trump and a blue 1 above it. */
class HighTest {

  @ParameterizedTest
  @CsvSource({
    "'', G3 Y2 B1, 1, B1", // leads its strongest card
    "'', G3 Y2 B1, -2, G3", // leads its weakest where tricks cost points
    "G5, G3 G7 G9, 1, G7", // takes a trick with the cheapest card that does
    "G5, G5 G9, 1, G5", // of equal cards the later takes the trick
    "G9, G3 G7, 1, G3", // gives its weakest where it cannot take it
    "G5, G2 G3 G7, -2, G3", // loses with its strongest where tricks cost points
    "G5, G7 G9, -2, G9", // and if it must take it, gets rid of that one
  })
  void aCardIsChosen(String trick, String hand, int points, String expected) throws IOException {
    ObjectNode view = (ObjectNode) load("following").get(0).get("view").deepCopy();
    view.put("points", points);
    var cards = view.withArray("tricks").removeAll().addArray();
    if (!trick.isEmpty()) {
      cards.add(trick);
    }
    ByteBuffer packedView = ByteBuffer.wrap(packed(view));
    List<String> legal = List.of(hand.split(" "));
    assertEquals(expected, High.high(new Message.Request("m-1", 1, packedView, legal, 1)));
  }
}
