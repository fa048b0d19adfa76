package bot

import com.fasterxml.jackson.databind.JsonNode
import java.io.ByteArrayOutputStream
import java.io.IOException
import java.nio.ByteBuffer
import java.util.HexFormat
import kotlin.random.Random
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory
import org.junit.jupiter.api.assertThrows
import org.msgpack.core.MessagePackException

/** The vectors about frames and messages, and bytes that are no message at all. */
class WireTest {
    @TestFactory
    fun `frames come out however they are cut`() =
        each("frames") { vector ->
            val frames = Frames(vector["max_body_bytes"].asInt())
            val found = mutableListOf<String>()
            var isRefused = false
            try {
                for (chunk in vector["chunks"]) {
                    frames.space().put(bytes(chunk))
                    generateSequence { frames.next() }
                        .forEach { found += HexFormat.of().formatHex(bytes(it)) }
                }
            } catch (_: IOException) {
                isRefused = true
            }
            assertEquals(vector["bodies"].map { it.asText() }, found)
            assertEquals(vector["breach"].asText() == "frame-too-long", isRefused)
            if (!isRefused) {
                assertEquals(vector["at_end"].asText() == "frame-unfinished", frames.isUnfinished)
            }
        }

    @TestFactory
    fun `messages and their bytes say the same`() =
        each("messages") { vector ->
            val message = vector["message"]
            assertEquals(message, unpacked(bytes(vector["hex"])))
            if (vector["canonical"].asBoolean()) {
                assertArrayEquals(bytes(vector["hex"]), packed(message))
            }
        }

    @TestFactory
    fun `we read what the server says and send what a bot says`() =
        each("messages") { vector ->
            val body = bytes(vector["hex"])
            val message = vector["message"]
            when (message["type"].asText()) {
                "hello" -> {
                    val hello = unpacked(hello(message["token"].asText()))
                    for (name in listOf("type", "protocol", "token")) {
                        assertEquals(message[name], hello[name])
                    }
                }
                "action" -> {
                    val empty = ByteBuffer.allocate(0)
                    val match = message["match"].asText()
                    val request = Request(match, message["id"].asLong(), empty, emptyList(), 0)
                    val note = message.path("note").asText()
                    val sent = action(request, message["action"].asText(), note)
                    if (vector["canonical"].asBoolean()) assertArrayEquals(body, sent)
                }
                else -> assertRead(message, readMessage(ByteBuffer.wrap(body)))
            }
        }

    private fun assertRead(expected: JsonNode, message: Message) {
        val type = expected["type"].asText()
        when (message) {
            is Request -> {
                assertEquals("request", type)
                assertEquals(expected["view"], JSON.readTree(message.anyView().toJson()))
                assertEquals(expected["time_us"].asLong(), message.timeUs)
                assertEquals(expected["legal"].map { it.asText() }, message.legal)
                for (action in message.legal) {
                    val answer = unpacked(action(message, action))
                    assertEquals("action", answer["type"].asText())
                    assertEquals(expected["match"], answer["match"])
                    assertEquals(expected["id"], answer["id"])
                    assertEquals(action, answer["action"].asText())
                    assertEquals(4, answer.size())
                }
            }
            is Fault -> {
                assertEquals("fault", type)
                assertEquals(expected["text"].asText(), message.text)
            }
            is End -> {
                assertEquals("end", type)
                assertEquals(expected["match"].asText(), message.match)
                assertEquals(expected.has("view"), message.packedView != null)
                if (!expected.has("view")) assertNull(message.view)
            }
            is Bye -> {
                assertEquals("bye", type)
                assertEquals(expected["reason"].asText(), message.reason)
                assertEquals(expected["text"].asText(), message.text)
            }
            is Other -> {
                assertEquals(type, message.type)
                assertFalse(type in listOf("request", "fault", "end", "bye"))
            }
        }
    }

    @TestFactory
    fun `conversations are heard however they are cut`() =
        each("conversations") { vector ->
            val steps = vector["steps"].filter { it["from"].asText() == "server" }
            val stream = ByteArrayOutputStream()
            steps.forEach { stream.writeBytes(bytes(it["hex"])) }
            val said = steps.map { it["message"] }
            hear(said, stream.toByteArray(), stream.size(), 1)
            hear(said, stream.toByteArray(), 1, 1)
            for (cut in 2 until stream.size() step 7) {
                hear(said, stream.toByteArray(), cut, stream.size())
            }
        }

    private fun hear(said: List<JsonNode>, stream: ByteArray, first: Int, then: Int) {
        val frames = Frames()
        val expected = said.iterator()
        var piece = first
        var at = 0
        while (at < stream.size) {
            val size = minOf(piece, stream.size - at, frames.space().remaining())
            frames.space().put(stream, at, size)
            at += size
            piece = then
            generateSequence { frames.next() }
                .forEach { assertRead(expected.next(), readMessage(it)) }
        }
        assertFalse(expected.hasNext())
        assertFalse(frames.isUnfinished)
    }

    /** Either it is read, or refused by an exception that the session tells. */
    private fun readAnything(body: ByteArray) {
        try {
            readMessage(ByteBuffer.wrap(body))
        } catch (_: IOException) {} catch (_: MessagePackException) {}
    }

    @Test
    fun `damaged messages are read or refused`() {
        for (vector in load("messages")) {
            val body = bytes(vector["hex"])
            for (size in body.indices) {
                assertThrows<MessagePackException> {
                    readMessage(ByteBuffer.wrap(body.copyOf(size)))
                }
            }
            for (at in body.indices) {
                val damaged = body.clone()
                for (change in 1 until 256 step 6) {
                    damaged[at] = (body[at] + change).toByte()
                    readAnything(damaged)
                }
            }
        }
    }

    @Test
    fun `noise is read or refused`() {
        val random = Random(1)
        repeat(10_000) { readAnything(random.nextBytes(random.nextInt(64))) }
    }
}
