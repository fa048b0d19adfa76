package bot;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.msgpack.core.MessagePackException;

/**
 * A bot that plays any legal action, in every game. Your idea goes into {@link #choose}.
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

  /** SPEC 4.8: the reasons of a bye after which all is well. */
  private static final List<String> WELL = List.of("done", "stopping", "replaced");

  /** SPEC 2.5: those after which a bot that dials in may come again. */
  private static final List<String> AGAIN = List.of("lost", "stopping", "hung", "token-in-use");

  private static Message.Bye play(Link link) throws IOException {
    link.send(Message.hello(System.getenv("ARENA_TOKEN")));
    while (true) {
      Message message = link.receive();
      if (message instanceof Message.Request request) {
        link.send(Message.action(request, choose(request), ""));
      } else if (message instanceof Message.Fault fault) {
        // SPEC 4.6: what we did wrong, in words. Standard error is kept for us.
        System.err.println("fault: " + fault.text());
      } else if (message instanceof Message.Bye bye) {
        // SPEC 4.8: the server hangs up, and says why.
        return bye;
      }
      // SPEC 4: everything else may be passed over, also what is not invented yet.
    }
  }

  private static Message.Bye session() {
    try (Link link = Link.open(System.getenv("ARENA_CONNECT"))) {
      return play(link);
    } catch (IOException | MessagePackException error) {
      return new Message.Bye("lost", error.toString());
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    // SPEC 2.5: only bots that dial in have this; others end with their connection.
    String retry = System.getenv("ARENA_RETRY_S");
    while (true) {
      Message.Bye bye = session();
      System.err.println("bye (" + bye.reason() + "): " + bye.text());
      if (retry == null || !AGAIN.contains(bye.reason())) {
        System.exit(WELL.contains(bye.reason()) ? 0 : 1);
      }
      Thread.sleep(1000 * Long.parseLong(retry));
    }
  }

  private Bot() {}
}
