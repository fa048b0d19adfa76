package bot;

import java.time.Duration;
import java.util.Map;

/** What the environment says: where the server is (SPEC 2.2), who we are, when to come again. */
record Settings(Address address, String token, Duration retry) {

  /** A variable that is missing or wrong; the text says which, and what it should look like. */
  static final class Wrong extends Exception {
    private static final long serialVersionUID = 1;

    Wrong(String text) {
      super(text);
    }
  }

  /** {@code unix:PATH} has a path alone, {@code tcp:HOST:PORT} host and port. */
  record Address(String text, String path, String host, int port) {}

  /** {@code retry} is null for a bot that ends with its connection (SPEC 2.5). */
  static Settings read(Map<String, String> environment) throws Wrong {
    Address address = address(environment.get("ARENA_CONNECT"));
    String token = environment.get("ARENA_TOKEN");
    if (token == null || token.isEmpty()) {
      throw missing("ARENA_TOKEN", "the token of your bot", "2.3");
    }
    String retry = environment.get("ARENA_RETRY_S");
    return new Settings(address, token, retry == null || retry.isEmpty() ? null : seconds(retry));
  }

  private static Address address(String text) throws Wrong {
    if (text == null || text.isEmpty()) {
      throw missing("ARENA_CONNECT", "unix:PATH or tcp:HOST:PORT", "2.2");
    }
    if (text.startsWith("unix:") && text.length() > 5) {
      return new Address(text, text.substring(5), null, 0);
    }
    // The port follows the last colon; an IPv6 host stands in brackets, which Java knows.
    int colon = text.lastIndexOf(':');
    if (text.startsWith("tcp:") && colon > 4) {
      String port = text.substring(colon + 1);
      if (port.matches("[0-9]{1,5}") && Integer.parseInt(port) <= 65535) {
        return new Address(text, null, text.substring(4, colon), Integer.parseInt(port));
      }
    }
    throw new Wrong(
        "ARENA_CONNECT is \"%s\"; expected unix:PATH or tcp:HOST:PORT, such as tcp:127.0.0.1:4000"
                .formatted(text)
            + " or tcp:[::1]:4000 (SPEC 2.2)");
  }

  private static Duration seconds(String text) throws Wrong {
    if (!text.matches("[0-9]{1,9}(\\.[0-9]*)?")) {
      throw new Wrong(
          "ARENA_RETRY_S is \"%s\"; expected a number of seconds, such as 5 (SPEC 2.5)"
              .formatted(text));
    }
    return Duration.ofMillis((long) (1000 * Double.parseDouble(text)));
  }

  private static Wrong missing(String variable, String expected, String section) {
    return new Wrong(
        "%s is not set; expected %s (SPEC %s). `arena` sets it for the bots it starts."
            .formatted(variable, expected, section));
  }
}
