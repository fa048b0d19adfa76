package bot;

import static bot.Cards.isWithMe;
import static bot.Cards.strength;
import static bot.Cards.taker;
import static java.util.Comparator.comparingInt;

import bot.View.TrickView;
import java.io.IOException;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** A second example: one rule of thumb for the tricks. The rest goes by lot. */
final class High {

  /** Take tricks, as cheaply as you can; in a round in which tricks cost points, shun them. */
  static String high(Message.Request request) throws IOException {
    List<String> legal = request.legal();
    if (!(request.view() instanceof TrickView view) || !view.phase().equals("play")) {
      return Decide.byLot(legal);
    }
    List<String> trick = view.tricks().get(view.tricks().size() - 1);
    boolean isShy = view.points() < 0;

    // Where we lead, a card is of the suit that is led.
    Comparator<String> byStrength =
        comparingInt(card -> strength(card, trick.isEmpty() ? card : trick.get(0), view));
    if (trick.isEmpty()) {
      return isShy ? Collections.min(legal, byStrength) : Collections.max(legal, byStrength);
    }
    String best = Collections.max(trick, byStrength);
    // Of two cards that are equally strong the later takes the trick.
    List<String> taking =
        legal.stream().filter(card -> byStrength.compare(card, best) >= 0).toList();
    List<String> losing =
        legal.stream().filter(card -> byStrength.compare(card, best) < 0).toList();
    if (isShy) {
      return Collections.max(losing.isEmpty() ? legal : losing, byStrength);
    }
    if (!taking.isEmpty() && !isWithMe(taker(view).getAsInt(), view)) {
      return Collections.min(taking, byStrength);
    }
    return Collections.min(legal, byStrength);
  }

  private High() {}
}
