package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong in the environment is told in words. */
class SettingsTest {

  private static Settings read(String connect, String token, String retry) throws Settings.Wrong {
    Map<String, String> environment = new HashMap<>();
    environment.put("ARENA_CONNECT", connect);
    environment.put("ARENA_TOKEN", token);
    environment.put("ARENA_RETRY_S", retry);
    return Settings.read(environment);
  }

  private static String refusal(String connect, String token, String retry) {
    return assertThrows(Settings.Wrong.class, () -> read(connect, token, retry)).getMessage();
  }

  @Test
  void bothKindsOfAddressAreTakenApart() throws Settings.Wrong {
    assertEquals("/tmp/a:b", read("unix:/tmp/a:b", "tK3x", null).address().path());
    Settings.Address address = read("tcp:[::1]:4000", "tK3x", null).address();
    assertEquals("[::1]", address.host());
    assertEquals(4000, address.port());
    assertNull(address.path());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unix:",
        "tcp:",
        "tcp::4000",
        "tcp:host",
        "tcp:host:",
        "tcp:host:http",
        "tcp:host:70000",
        "udp:host:1",
        "host:4000"
      })
  void anAddressThatIsNoneIsNamed(String connect) {
    String text = refusal(connect, "tK3x", null);
    assertTrue(text.startsWith("ARENA_CONNECT is \"" + connect + "\"; expected unix:PATH or tcp:"));
  }

  @Test
  void whatIsMissingIsNamed() {
    assertTrue(refusal(null, "tK3x", null).startsWith("ARENA_CONNECT is not set; expected unix:"));
    assertTrue(refusal("", "tK3x", null).startsWith("ARENA_CONNECT is not set; expected unix:"));
    assertTrue(refusal("unix:/a", null, null).startsWith("ARENA_TOKEN is not set; expected the"));
    assertTrue(refusal("unix:/a", "", null).startsWith("ARENA_TOKEN is not set; expected the"));
  }

  @ParameterizedTest
  @CsvSource({"5, 5000", "0.25, 250", "0, 0"})
  void secondsBetweenTriesMayBeAFraction(String retry, long ms) throws Settings.Wrong {
    assertEquals(Duration.ofMillis(ms), read("unix:/a", "tK3x", retry).retry());
  }

  @Test
  void withoutSecondsABotEndsWithItsConnection() throws Settings.Wrong {
    assertNull(read("unix:/a", "tK3x", null).retry());
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "-1", "5s"})
  void secondsThatAreNoneAreNamed(String retry) {
    assertTrue(refusal("unix:/a", "tK3x", retry).startsWith("ARENA_RETRY_S is \"" + retry + "\";"));
  }

  @Test
  void anAddressThatNobodyListensOnIsNamed() throws Settings.Wrong {
    for (String connect : new String[] {"unix:/nowhere/at-all", "tcp:no.machine.invalid:4000"}) {
      Settings.Address address = read(connect, "tK3x", null).address();
      String text = assertThrows(Link.Lost.class, () -> Link.open(address)).getMessage();
      assertTrue(text.startsWith("cannot connect to " + connect + ": "), text);
    }
  }
}
