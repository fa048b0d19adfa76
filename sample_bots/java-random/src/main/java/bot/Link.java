package bot;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.msgpack.core.MessagePackException;

/** The connection: SPEC 2 and 3. */
final class Link implements AutoCloseable {

  /** There is no connection, or not any more; the text says why. */
  static final class Lost extends IOException {
    private static final long serialVersionUID = 1;

    Lost(String text) {
      super(text);
    }
  }

  private final SocketChannel channel;
  private final Frames frames = new Frames(Frames.MAX_SERVER_BODY);

  private Link(SocketChannel channel) {
    this.channel = channel;
  }

  /** Connect: SPEC 2.2. */
  static Link open(Settings.Address address) throws Lost {
    try {
      if (address.path() != null) {
        return new Link(SocketChannel.open(UnixDomainSocketAddress.of(address.path())));
      }
      InetSocketAddress place = new InetSocketAddress(address.host(), address.port());
      if (place.isUnresolved()) {
        throw new Lost("no machine is called " + address.host());
      }
      SocketChannel channel = SocketChannel.open(place);
      // Otherwise each answer may wait some 40 ms for an acknowledgement, on our clock.
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      return new Link(channel);
    } catch (IOException error) {
      throw new Lost("cannot connect to " + address.text() + ": " + error.getMessage());
    }
  }

  /** SPEC 3.1: the length of the body and the body, in one write. */
  void send(byte[] body) throws Lost {
    ByteBuffer frame = ByteBuffer.allocate(Frames.HEADER + body.length);
    frame.putInt(body.length).put(body).flip();
    try {
      while (frame.hasRemaining()) {
        channel.write(frame);
      }
    } catch (IOException error) {
      throw new Lost("cannot send: " + error.getMessage());
    }
  }

  /** The next message. A read gives what is there: half a frame, or three. */
  Message receive() throws Lost {
    try {
      ByteBuffer body = frames.next();
      while (body == null) {
        if (channel.read(frames.space()) < 0) {
          throw new Lost("the server closed the connection without a bye");
        }
        body = frames.next();
      }
      return Message.read(body);
    } catch (Lost lost) {
      throw lost;
    } catch (IOException | MessagePackException error) {
      throw new Lost("cannot read from the server: " + error);
    }
  }

  @Override
  public void close() throws Lost {
    try {
      channel.close();
    } catch (IOException error) {
      throw new Lost("cannot close the connection: " + error.getMessage());
    }
  }
}
