package bot

import java.io.IOException
import java.nio.ByteBuffer
import org.msgpack.core.MessageBufferPacker
import org.msgpack.core.MessagePack
import org.msgpack.core.MessageUnpacker
import org.msgpack.value.MapValue
import org.msgpack.value.ValueType

/** The messages of the server that a bot needs: SPEC 4. */
sealed interface Message

/** SPEC 4.4: you owe a decision. */
class Request(
    val match: String,
    val id: Long,
    /** Good until the next message is read. */
    val packedView: ByteBuffer,
    /** The actions that you may take; never empty. */
    val legal: List<String>,
    /** How long you have, in microseconds. */
    val timeUs: Long,
) : Message {
    /**
     * All that your seat may know (SPEC 10.3); null in a game that [View] does not know. It is
     * decoded when you first ask, which must be before the next message is read.
     */
    val view: View? by lazy(LazyThreadSafetyMode.NONE) { View.read(packedView) }

    /** The same as values of the msgpack library, for a game that [View] does not know. */
    fun anyView(): MapValue = unpacker(packedView).unpackValue().asMapValue()
}

/** SPEC 4.7: the match is over. [packedView] is as above, or null where it was left out. */
class End(val match: String?, val packedView: ByteBuffer?) : Message {
    /** What your seat sees at the end, such as the last trick; null also where it was left out. */
    val view: View? by lazy(LazyThreadSafetyMode.NONE) { packedView?.let(View::read) }
}

/** SPEC 4.6. */
data class Fault(val text: String?) : Message

/** SPEC 4.8. */
data class Bye(val reason: String, val text: String?) : Message

/** Any other message: a bot may pass over it. */
data class Other(val type: String) : Message

/** One pass over the fields; those we do not know are passed over (SPEC 4). */
fun readMessage(body: ByteBuffer): Message {
    var type: String? = null
    var match: String? = null
    var text: String? = null
    var reason: String? = null
    var id = 0L
    var timeUs = 0L
    var view: ByteBuffer? = null
    var legal: List<String> = emptyList()

    val message = unpacker(body)
    repeat(message.unpackMapHeader()) {
        when (message.unpackString()) {
            "type" -> type = message.textOrNull()
            "match" -> match = message.textOrNull()
            "text" -> text = message.textOrNull()
            "reason" -> reason = message.textOrNull()
            "id" -> id = message.numberOrZero()
            "time_us" -> timeUs = message.numberOrZero()
            "legal" -> legal = message.textsOrNone()
            "view" -> {
                val from = message.totalReadBytes.toInt()
                message.skipValue()
                view = body.slice(from, message.totalReadBytes.toInt() - from)
            }
            else -> message.skipValue()
        }
    }
    if (message.hasNext()) throw IOException("bytes after a message (SPEC 3.3)")
    return when (val found = type) {
        null -> throw IOException("a message without a type (SPEC 4)")
        "request" -> request(match, id, view, legal, timeUs)
        "fault" -> Fault(text)
        "end" -> End(match, view)
        "bye" -> Bye(reason.orEmpty(), text)
        else -> Other(found)
    }
}

private fun request(
    match: String?,
    id: Long,
    view: ByteBuffer?,
    legal: List<String>,
    timeUs: Long,
): Request {
    if (match == null || view == null || legal.isEmpty()) {
        throw IOException("a request that is not as in SPEC 4.4")
    }
    return Request(match, id, view, legal, timeUs)
}

/** SPEC 4.1: who we are. The token says it; the rest is for people. */
fun hello(token: String): ByteArray =
    packed("type" to "hello", "protocol" to 1, "token" to token, "language" to "Kotlin")

/** SPEC 4.5: match and id are copied; the note is kept in the record. */
fun action(request: Request, action: String, note: String = ""): ByteArray {
    val fields =
        arrayOf(
            "type" to "action",
            "match" to request.match,
            "id" to request.id,
            "action" to action,
        )
    return if (note.isEmpty()) packed(*fields) else packed(*fields, "note" to note)
}

private fun packed(vararg fields: Pair<String, Any>): ByteArray =
    MessagePack.newDefaultBufferPacker().use { out: MessageBufferPacker ->
        out.packMapHeader(fields.size)
        for ((name, value) in fields) {
            out.packString(name)
            if (value is Number) out.packLong(value.toLong()) else out.packString(value.toString())
        }
        out.toByteArray()
    }

// A later server may use a name of ours for something else, in messages that we do not know.

private fun MessageUnpacker.textOrNull(): String? {
    if (nextFormat.valueType == ValueType.STRING) return unpackString()
    skipValue()
    return null
}

private fun MessageUnpacker.numberOrZero(): Long {
    if (nextFormat.valueType == ValueType.INTEGER) return unpackLong()
    skipValue()
    return 0
}

private fun MessageUnpacker.textsOrNone(): List<String> {
    if (nextFormat.valueType == ValueType.ARRAY) return list { textOrNull() }.filterNotNull()
    skipValue()
    return emptyList()
}
