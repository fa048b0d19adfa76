package bot;

import java.io.IOException;
import java.util.Random;
import org.msgpack.core.MessagePackException;

/**
 * A bot that plays any legal action, in all four games. Your idea goes into {@link #choose}.
 *
 * <p>What comes and goes is told in SPEC.md; {@code arena spec} prints it.
 */
public final class Bot {
  private static final Random RANDOM = new Random();

  /**
   * YOUR IDEA GOES HERE: give one of {@code request.legal()}, which is never empty.
   *
   * <p>{@code request.view()} is all that your seat may know (SPEC 10.3); it is decoded when you
   * ask for it. {@code request.timeUs()} is how long you have, in microseconds (SPEC 6.2).
   */
  static String choose(Message.Request request) {
    return request.legal().get(RANDOM.nextInt(request.legal().size()));
  }

  private static void play(Link link) throws IOException {
    link.send(Message.hello(System.getenv("ARENA_TOKEN")));
    while (true) {
      Message message = link.receive();
      if (message instanceof Message.Request request) {
        link.send(Message.action(request, choose(request), ""));
      } else if (message instanceof Message.Fault fault) {
        // SPEC 4.6: what we did wrong, in words. Standard error is kept for us.
        System.err.println("fault: " + fault.text());
      } else if (message instanceof Message.Bye bye) {
        // SPEC 4.8: the one way in which a session ends well.
        System.err.println("bye: " + bye.text());
        return;
      }
      // SPEC 4: everything else may be passed over, also what is not invented yet.
    }
  }

  public static void main(String[] arguments) {
    try (Link link = Link.open(System.getenv("ARENA_CONNECT"))) {
      play(link);
    } catch (IOException | MessagePackException error) {
      System.err.println("the bot ends: " + error);
      System.exit(1);
    }
  }

  private Bot() {}
}
