package bot

import java.io.IOException
import java.net.InetSocketAddress
import java.net.StandardSocketOptions.TCP_NODELAY
import java.net.UnixDomainSocketAddress
import java.nio.ByteBuffer
import java.nio.channels.SocketChannel
import org.msgpack.core.MessagePackException

/** There is no connection, or not any more; the text says why. */
class Lost(text: String) : IOException(text)

/** The connection: SPEC 2 and 3. */
class Link private constructor(private val channel: SocketChannel) : AutoCloseable {
    private val frames = Frames()

    /** SPEC 3.1: the length of the body and the body, in one write. */
    fun send(body: ByteArray) {
        val frame = ByteBuffer.allocate(HEADER + body.size).putInt(body.size).put(body).flip()
        try {
            while (frame.hasRemaining()) channel.write(frame)
        } catch (error: IOException) {
            throw Lost("cannot send: ${error.message}")
        }
    }

    /** The next message. A read gives what is there: half a frame, or three. */
    fun receive(): Message {
        try {
            while (true) {
                frames.next()?.let {
                    return readMessage(it)
                }
                if (channel.read(frames.space()) < 0) {
                    throw Lost("the server closed the connection without a bye")
                }
            }
        } catch (lost: Lost) {
            throw lost
        } catch (error: IOException) {
            throw Lost("cannot read from the server: $error")
        } catch (error: MessagePackException) {
            throw Lost("cannot read from the server: $error")
        }
    }

    override fun close() = channel.close()

    companion object {
        /** Connects: SPEC 2.2. */
        fun open(address: Address): Link =
            try {
                Link(connected(address))
            } catch (error: IOException) {
                throw Lost("cannot connect to ${address.text}: ${error.message}")
            }

        private fun connected(address: Address): SocketChannel =
            when (address) {
                is Address.Unix -> SocketChannel.open(UnixDomainSocketAddress.of(address.path))
                is Address.Tcp -> {
                    val place = InetSocketAddress(address.host, address.port)
                    if (place.isUnresolved) throw Lost("no machine is called ${address.host}")
                    // Otherwise each answer may wait for an acknowledgement, some 40 ms.
                    SocketChannel.open(place).setOption(TCP_NODELAY, true)
                }
            }
    }
}
