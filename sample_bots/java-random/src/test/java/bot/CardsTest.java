package bot;

import static bot.Vectors.bytes;
import static bot.Vectors.each;
import static bot.Vectors.load;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import bot.View.TrickView;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The helpers of {@link Cards} answer as SPEC says. */
class CardsTest {

  private static TrickView view(JsonNode vector) throws IOException {
    return (TrickView) View.read(ByteBuffer.wrap(bytes(vector.get("hex"))));
  }

  @TestFactory
  Stream<DynamicTest> whatMayBePlayedFollowsTheSuitThatWasLed() throws IOException {
    return each(
        "following",
        vector -> {
          TrickView view = view(vector);
          String led = Cards.suit(view.tricks().get(view.tricks().size() - 1).get(0), view);
          List<String> following =
              view.hand().stream().filter(card -> Cards.suit(card, view).equals(led)).toList();
          List<String> mayPlay = following.isEmpty() ? view.hand() : following;
          assertEquals(vector.get("may_play"), Vectors.JSON.valueToTree(mayPlay));
        });
  }

  @TestFactory
  Stream<DynamicTest> aTrickIsTakenByItsStrongestCard() throws IOException {
    return each(
        "tricks",
        vector -> {
          TrickView view = view(vector);
          assertEquals(OptionalInt.of(vector.get("taken_by").asInt()), Cards.taker(view));
          List<Integer> teammates = Cards.teammates(view);
          assertEquals(vector.get("teammates"), Vectors.JSON.valueToTree(teammates));
          assertTrue(Cards.isWithMe(view.seat(), view));
          for (int seat = 0; seat < view.seats(); seat++) {
            boolean isOurs = seat == view.seat() || teammates.contains(seat);
            assertEquals(isOurs, Cards.isWithMe(seat, view));
          }
        });
  }

  @Test
  void theLeaderOfTheOpenTrickIsTheLastOfLeaders() throws IOException {
    ObjectNode vector = load("tricks").get(0).deepCopy();
    TrickView whole = view(vector);
    int taker = Cards.taker(whole).getAsInt();
    ObjectNode view = (ObjectNode) vector.get("view");
    view.withArray("leaders").removeAll().add(0).add(1);
    view.withArray("tricks").insertArray(0).add("R2");
    vector.put("hex", HexFormat.of().formatHex(Vectors.packed(view)));
    assertEquals(OptionalInt.of((taker + 1) % whole.seats()), Cards.taker(view(vector)));
  }

  @Test
  void nobodyTakesATrickThatIsNotBegun() throws IOException {
    ObjectNode vector = load("tricks").get(0).deepCopy();
    ObjectNode view = (ObjectNode) vector.get("view");
    view.withArray("tricks").removeAll().addArray();
    vector.put("hex", HexFormat.of().formatHex(Vectors.packed(view)));
    assertEquals(OptionalInt.empty(), Cards.taker(view(vector)));
  }

  @TestFactory
  Stream<DynamicTest> aCardOfNopeShowsItsColours() throws IOException {
    return each(
        "showing",
        vector -> {
          String card = vector.get("card").asText();
          String colours = vector.get("colours").asText();
          assertEquals(colours, Cards.colours(card));
          for (String colour : List.of("R", "G", "B", "Y")) {
            assertEquals(colours.contains(colour), Cards.shows(card, colour));
          }
          JsonNode number = vector.get("number");
          OptionalInt expected =
              number.isNull() ? OptionalInt.empty() : OptionalInt.of(number.asInt());
          assertEquals(expected, Cards.number(card));
        });
  }
}
