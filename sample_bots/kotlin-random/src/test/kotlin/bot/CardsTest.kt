package bot

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.ArrayNode
import com.fasterxml.jackson.databind.node.ObjectNode
import java.nio.ByteBuffer
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory

/** The helpers of Cards.kt answer as SPEC says. */
class CardsTest {
    private fun view(vector: JsonNode) =
        View.read(ByteBuffer.wrap(bytes(vector["hex"]))) as TrickView

    /** The first vector about tricks, with a change. */
    private fun changed(change: (ObjectNode) -> Unit): TrickView {
        val view: ObjectNode = load("tricks").first()["view"].deepCopy()
        change(view)
        return View.read(ByteBuffer.wrap(packed(view))) as TrickView
    }

    @TestFactory
    fun `what may be played follows the suit that was led`() =
        each("following") { vector ->
            val view = view(vector)
            val led = suit(view.tricks.last().first(), view)
            val following = view.hand.filter { suit(it, view) == led }
            val mayPlay = vector["may_play"].map { it.asText() }
            assertEquals(mayPlay, following.ifEmpty { view.hand })
        }

    @TestFactory
    fun `a trick is taken by its strongest card`() =
        each("tricks") { vector ->
            val view = view(vector)
            assertEquals(vector["taken_by"].asInt(), taker(view))
            val mates = teammates(view)
            assertEquals(vector["teammates"].map { it.asInt() }, mates)
            for (seat in 0 until view.seats) {
                assertEquals(seat == view.seat || seat in mates, isWithMe(seat, view))
            }
        }

    @Test
    fun `the open trick was led by the last of the leaders`() {
        val before = changed {}
        val after = changed { view ->
            (view["leaders"] as ArrayNode).removeAll().add(0).add(1)
            (view["tricks"] as ArrayNode).insertArray(0).add("R2")
        }
        assertEquals((taker(before)!! + 1) % before.seats, taker(after))
    }

    @Test
    fun `nobody takes a trick that is not begun`() {
        assertNull(taker(changed { (it["tricks"] as ArrayNode).removeAll().addArray() }))
        assertNull(taker(changed { (it["tricks"] as ArrayNode).removeAll() }))
    }

    @TestFactory
    fun `a card of NOPE! shows its colours`() =
        each("showing") { vector ->
            val card = vector["card"].asText()
            assertEquals(vector["colours"].asText(), colours(card))
            for (colour in listOf("R", "G", "B", "Y")) {
                assertEquals(colour in vector["colours"].asText(), shows(card, colour))
            }
            val number = vector["number"]
            assertEquals(if (number.isNull) null else number.asInt(), number(card))
        }
}
