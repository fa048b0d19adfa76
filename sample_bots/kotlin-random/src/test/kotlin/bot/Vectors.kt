package bot

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.ObjectMapper
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.HexFormat
import kotlin.io.path.isDirectory
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.fail
import org.msgpack.core.MessageBufferPacker
import org.msgpack.core.MessagePack

// The vectors of arena: JSON files, each with cases of one kind, told in their README.md.

val JSON = ObjectMapper()

/** In ARENA_VECTORS if that is set, else in this bot, else in the repository of arena. */
private fun folder(): Path {
    val named = System.getenv("ARENA_VECTORS")
    val places = if (named != null) listOf(named) else listOf("vectors", "../../protocol/vectors")
    return places.map(Path::of).firstOrNull { it.isDirectory() }
        ?: fail(
            "there are no vectors in ${places.joinToString(" or ")}; name their folder in " +
                "ARENA_VECTORS (`arena new-bot` copies them to vectors/)"
        )
}

fun load(name: String): JsonNode {
    val file = folder().resolve("$name.json")
    val vectors = JSON.readTree(file.toFile()).path("vectors")
    assertFalse(vectors.isEmpty, "there are no vectors in $file")
    return vectors
}

/** One test for each vector of a file. */
fun each(name: String, check: (JsonNode) -> Unit): List<DynamicTest> =
    load(name).map { vector -> dynamicTest(vector["name"].asText()) { check(vector) } }

/** Every request of the conversations. */
fun requests(): List<Request> {
    val found =
        load("conversations")
            .flatMap { it["steps"] }
            .filter { it.path("message").path("type").asText() == "request" }
            .map { readMessage(ByteBuffer.wrap(bytes(it["hex"]).drop(HEADER).toByteArray())) }
    assertFalse(found.isEmpty(), "there is no request in the conversations")
    return found.map { it as Request }
}

fun bytes(hex: JsonNode): ByteArray = HexFormat.of().parseHex(hex.asText())

fun bytes(body: ByteBuffer): ByteArray = ByteArray(body.remaining()).also(body.duplicate()::get)

fun unpacked(body: ByteArray): JsonNode =
    JSON.readTree(unpacker(ByteBuffer.wrap(body)).unpackValue().toJson())

fun packed(value: JsonNode): ByteArray =
    MessagePack.newDefaultBufferPacker().use { out ->
        out.pack(value)
        out.toByteArray()
    }

private fun MessageBufferPacker.pack(value: JsonNode) {
    when {
        value.isObject -> {
            packMapHeader(value.size())
            for ((name, field) in value.properties()) {
                packString(name)
                pack(field)
            }
        }
        value.isArray -> {
            packArrayHeader(value.size())
            value.forEach { pack(it) }
        }
        value.isTextual -> packString(value.asText())
        value.isBoolean -> packBoolean(value.asBoolean())
        value.isIntegralNumber -> packLong(value.asLong())
        else -> packNil()
    }
}
