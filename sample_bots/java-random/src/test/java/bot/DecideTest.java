package bot;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever your idea is, it answers every request with a legal action. */
// An endless loop in an idea fails its test after a minute, and does not go on.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DecideTest {

  private interface Idea {
    String of(Message.Request request) throws IOException;
  }

  private static void assertLegal(Idea idea) throws IOException {
    for (Message message : Vectors.withViews("request")) {
      Message.Request request = (Message.Request) message;
      String action = idea.of(request);
      assertTrue(request.legal().contains(action), () -> action + " in " + request.legal());
    }
  }

  @Test
  void decideIsLegal() throws IOException {
    assertLegal(Decide::decide);
  }

  @Test
  void highIsLegal() throws IOException {
    assertLegal(High::high);
  }
}
