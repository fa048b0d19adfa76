package bot;

import bot.View.TrickView;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** What the cards are worth: SPEC 11.4 and 11.5 for the trick games, 12.1 for NOPE!. */
final class Cards {
  private static final String EVERY_COLOUR = "RGBY";

  // The trick games. Ask once the board is settled: from the phase `team` on.

  /** The number on a card: 13 of {@code "R13"}. */
  static int rank(String card) {
    return Integer.parseInt(card.substring(1));
  }

  /** Whether a card is above the trumps: one of the low rank, in the colour of row 4. */
  static boolean isSupertrump(String card, TrickView view) {
    int low = view.game().equals("njet") ? 0 : 1;
    return rank(card) == low && printed(card).equals(view.supertrump());
  }

  /** The suit of a card this round: its colour, but that of a supertrump in {@code nyet}. */
  static String suit(String card, TrickView view) {
    boolean isTrump = view.game().equals("nyet") && isSupertrump(card, view);
    return isTrump ? view.trump() : printed(card);
  }

  /**
   * How strong a card is in a trick that began with the card {@code led}: the higher takes it, of
   * equals the later. For a card that you would lead yourself, {@code led} is that card.
   */
  static int strength(String card, String led, TrickView view) {
    if (isSupertrump(card, view)) {
      return 300;
    }
    if (suit(card, view).equals(view.trump())) {
      return 200 + rank(card);
    }
    return suit(card, view).equals(suit(led, view)) ? 100 + rank(card) : rank(card);
  }

  /** The seat that takes the open trick as it lies; empty where no card was led yet. */
  static OptionalInt taker(TrickView view) {
    int last = view.tricks().size() - 1;
    if (last < 0 || view.tricks().get(last).isEmpty()) {
      return OptionalInt.empty();
    }
    List<String> trick = view.tricks().get(last);
    int best = 0;
    for (int place = 1; place < trick.size(); place++) {
      if (strengthAt(place, trick, view) >= strengthAt(best, trick, view)) {
        best = place;
      }
    }
    return OptionalInt.of((view.leaders().get(last) + best) % view.seats());
  }

  /** The other seats of your team, ascending. */
  static List<Integer> teammates(TrickView view) {
    return IntStream.range(0, view.seats())
        .filter(seat -> seat != view.seat() && isWithMe(seat, view))
        .boxed()
        .toList();
  }

  /** Whether a seat is on your team, or is you. Ask once teams are there: from `discard` on. */
  static boolean isWithMe(int seat, TrickView view) {
    return view.team().contains(seat) == view.team().contains(view.seat());
  }

  private static String printed(String card) {
    return card.substring(0, 1);
  }

  private static int strengthAt(int place, List<String> trick, TrickView view) {
    return strength(trick.get(place), trick.get(0), view);
  }

  // NOPE!. In `legal`, an action card that may be laid alone has a `!` after it (SPEC 12.10):
  // `X!` is the card X. Strip it before you ask: action.replace("!", "").

  /** The letters of the colours that a card shows: {@code "RG"} of {@code "RG2"}. */
  static String colours(String card) {
    if (card.equals("J") || card.equals("X") || card.equals("S*")) {
      return EVERY_COLOUR;
    }
    // TR and SR show R.
    boolean isAction = card.startsWith("T") || card.startsWith("S");
    return isAction ? card.substring(1) : card.substring(0, card.length() - 1);
  }

  /** Whether a card shows a colour, given by its letter. */
  static boolean shows(String card, String colour) {
    return colours(card).contains(colour);
  }

  /** How many cards a card asks of the next seat, 1 to 3; empty for action cards. */
  static OptionalInt number(String card) {
    if (card.equals("J")) {
      return OptionalInt.of(1);
    }
    char last = card.charAt(card.length() - 1);
    return Character.isDigit(last) ? OptionalInt.of(last - '0') : OptionalInt.empty();
  }

  private Cards() {}
}
