package bot;

import java.io.IOException;
import java.util.List;
import java.util.Random;

/** The one place for your idea. */
final class Decide {
  private static final Random RANDOM = new Random();

  /**
   * YOUR IDEA GOES HERE: return one of {@code request.legal()}, which is never empty.
   *
   * <p>{@code request.timeUs()} is how long you have, in microseconds (SPEC 6.2). {@code
   * request.view()} is all that your seat may know (SPEC 10.3); {@link View} has its fields, and
   * {@link Cards} tells what the cards are worth. A view is read like this:
   *
   * <pre>{@code
   * if (request.view() instanceof View.TrickView view && view.phase().equals("play")) {
   *   view.hand();  // your cards, such as "R7"; view.trump() is a colour, such as "B"
   * }
   * }</pre>
   */
  static String decide(Message.Request request) throws IOException {
    return byLot(request.legal());
  }

  /** Any of these, each as likely as the others. */
  static String byLot(List<String> legal) {
    return legal.get(RANDOM.nextInt(legal.size()));
  }

  private Decide() {}
}
