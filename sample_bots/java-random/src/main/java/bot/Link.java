package bot;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The connection: SPEC 2 and 3. */
final class Link implements AutoCloseable {
  private final SocketChannel channel;
  private final Frames frames = new Frames(Frames.MAX_SERVER_BODY);

  private Link(SocketChannel channel) {
    this.channel = channel;
  }

  /** SPEC 2.2: {@code unix:PATH} or {@code tcp:HOST:PORT}. */
  static Link open(String address) throws IOException {
    if (address == null) {
      throw new IOException(
          "ARENA_CONNECT is not set; `arena` sets it for the bots it starts (SPEC 2.1)");
    }
    if (address.startsWith("unix:")) {
      return new Link(SocketChannel.open(UnixDomainSocketAddress.of(address.substring(5))));
    }
    // The port follows the last colon; an IPv6 host stands in brackets, which Java knows.
    int colon = address.lastIndexOf(':');
    if (!address.startsWith("tcp:") || colon < 5) {
      throw new IOException(
          "ARENA_CONNECT is " + address + "; expected unix:PATH or tcp:HOST:PORT");
    }
    String host = address.substring(4, colon);
    int port = Integer.parseInt(address.substring(colon + 1));
    SocketChannel channel = SocketChannel.open(new InetSocketAddress(host, port));
    // Otherwise each answer may wait some 40 ms for an acknowledgement, on our clock.
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    return new Link(channel);
  }

  /** SPEC 3.1: the length of the body and the body, in one write. */
  void send(byte[] body) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(Frames.HEADER + body.length);
    frame.putInt(body.length).put(body).flip();
    while (frame.hasRemaining()) {
      channel.write(frame);
    }
  }

  /** The next message. A read gives what is there: half a frame, or three. */
  Message receive() throws IOException {
    ByteBuffer body = frames.next();
    while (body == null) {
      if (channel.read(frames.space()) < 0) {
        throw new EOFException("the server closed the connection without a bye");
      }
      body = frames.next();
    }
    return Message.read(body);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
