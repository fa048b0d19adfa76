package bot

import com.fasterxml.jackson.core.JsonGenerator
import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.JsonSerializer
import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.PropertyNamingStrategies
import com.fasterxml.jackson.databind.SerializerProvider
import com.fasterxml.jackson.databind.module.SimpleModule
import com.fasterxml.jackson.databind.node.ObjectNode
import java.io.IOException
import java.nio.ByteBuffer
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.msgpack.value.Value

/** A view that was read says the same as the view that was sent. */
class ViewTest {
    private object ValueWriter : JsonSerializer<Value>() {
        override fun serialize(value: Value, out: JsonGenerator, all: SerializerProvider) =
            out.writeRawValue(value.toJson())
    }

    /** A turn is a list on the wire. */
    private object TurnWriter : JsonSerializer<NopeTurn>() {
        override fun serialize(turn: NopeTurn, out: JsonGenerator, all: SerializerProvider) {
            out.writeStartArray()
            out.writeNumber(turn.number)
            out.writeNumber(turn.count)
            out.writeString(turn.colours)
            out.writeNumber(turn.drawn)
            turn.laid.forEach(out::writeString)
            out.writeEndArray()
        }
    }

    /** Writes views with the names that fields have on the wire. */
    private val writer =
        ObjectMapper()
            .setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .registerModule(
                SimpleModule()
                    .addSerializer(Value::class.java, ValueWriter)
                    .addSerializer(NopeTurn::class.java, TurnWriter)
            )

    private fun written(view: View?): JsonNode = JSON.readTree(writer.writeValueAsString(view))

    private fun read(view: JsonNode): View? = View.read(ByteBuffer.wrap(packed(view)))

    private fun first(): ObjectNode = load("following").first()["view"].deepCopy()

    @Test
    fun `every field of a view is read`() {
        val phases = mutableSetOf<String>()
        for (step in load("conversations").flatMap { it["steps"] }) {
            val sent = step.path("message").path("view")
            // Those for the bot alone have fields of a later server.
            if (!sent.isMissingNode && !step.has("only_bot")) {
                val view = read(sent)
                assertEquals(sent, written(view))
                phases += view!!.phase
            }
        }
        val all = setOf("tokens", "team", "discard", "play", "lay", "set", "choose", "over")
        assertEquals(all, phases)
    }

    @Test
    fun `fields of a later server are passed over`() {
        val later = JSON.createObjectNode()
        later.putObject("added").put("later", 1)
        later.setAll<ObjectNode>(first())
        assertEquals(first(), written(read(later)))
    }

    @Test
    fun `a field that is not there is named`() {
        val view = first().apply { remove("hand_sizes") }
        val error = assertThrows<IOException> { read(view) }
        assertEquals("a view without the field hand_sizes", error.message)
    }

    @Test
    fun `a game that is not invented yet has no view`() {
        assertNull(read(JSON.createObjectNode().put("game", "later")))
        assertNull(read(JSON.createObjectNode().put("game", 1)))
        assertNull(read(JSON.createObjectNode()))
    }
}
