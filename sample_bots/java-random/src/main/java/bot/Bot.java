package bot;

import java.io.IOException;
import java.util.List;

/**
 * Connects, says hello, and answers every request until the server says bye. Your idea goes into
 * {@link Decide}, which is all that this asks.
 *
 * <p>What comes and goes is told in SPEC.md; {@code arena spec} prints it.
 */
public final class Bot {

  /** SPEC 4.8: the reasons of a bye after which all is well. */
  private static final List<String> WELL = List.of("done", "stopping", "replaced");

  /** SPEC 2.5: those after which a bot that dials in may come again. */
  private static final List<String> AGAIN = List.of("lost", "stopping", "hung", "token-in-use");

  private static Message.Bye play(Link link, String token) throws IOException {
    link.send(Message.hello(token));
    while (true) {
      Message message = link.receive();
      if (message instanceof Message.Request request) {
        link.send(Message.action(request, Decide.decide(request), ""));
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

  /** One connection. An exception of yours in {@link Decide} is not caught: you want its trace. */
  private static Message.Bye session(Settings settings) throws IOException {
    try (Link link = Link.open(settings.address())) {
      return play(link, settings.token());
    } catch (Link.Lost lost) {
      return new Message.Bye("lost", lost.getMessage());
    }
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Settings settings;
    try {
      settings = Settings.read(System.getenv());
    } catch (Settings.Wrong wrong) {
      System.err.println(wrong.getMessage());
      System.exit(1);
      return;
    }
    while (true) {
      Message.Bye bye = session(settings);
      System.err.println(bye.reason() + ": " + bye.text());
      // SPEC 2.5: only bots that dial in come again; others end with their connection.
      if (settings.retry() == null || !AGAIN.contains(bye.reason())) {
        System.exit(WELL.contains(bye.reason()) ? 0 : 1);
      }
      Thread.sleep(settings.retry().toMillis());
    }
  }

  private Bot() {}
}
