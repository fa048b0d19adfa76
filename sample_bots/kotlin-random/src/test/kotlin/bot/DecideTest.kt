package bot

import com.fasterxml.jackson.databind.node.ArrayNode
import com.fasterxml.jackson.databind.node.ObjectNode
import java.nio.ByteBuffer
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

/** Whatever your idea is, it answers every request with a legal action. */
class DecideTest {
    private fun assertLegal(idea: (Request) -> String) {
        for (request in requests()) {
            val action = idea(request)
            assertTrue(action in request.legal) { "$action in ${request.legal}" }
        }
    }

    @Test fun `decide is legal`() = assertLegal(::decide)

    @Test fun `high is legal`() = assertLegal(::high)

    /** At a table of two, where yellow is trump and a blue 1 above it. */
    @ParameterizedTest
    @CsvSource(
        "'', G3 Y2 B1, 1, B1, leads its strongest card",
        "'', G3 Y2 B1, -2, G3, leads its weakest where tricks cost points",
        "G5, G3 G7 G9, 1, G7, takes a trick with the cheapest card that does",
        "G5, G5 G9, 1, G5, of equal cards the later takes the trick",
        "G9, G3 G7, 1, G3, gives its weakest where it cannot take it",
        "G5, G2 G3 G7, -2, G3, loses with its strongest where tricks cost points",
        "G5, G7 G9, -2, G9, gets rid of its strongest where it must take it",
    )
    fun `high chooses a card`(trick: String, hand: String, points: Int, card: String, why: String) {
        val view: ObjectNode = load("following").first()["view"].deepCopy()
        view.put("points", points)
        val cards = (view["tricks"] as ArrayNode).removeAll().addArray()
        if (trick.isNotEmpty()) cards.add(trick)
        val request = Request("m-1", 1, ByteBuffer.wrap(packed(view)), hand.split(" "), 1)
        assertEquals(card, high(request), why)
    }
}
