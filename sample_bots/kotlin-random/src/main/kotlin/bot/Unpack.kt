package bot

import java.io.IOException
import java.nio.ByteBuffer
import org.msgpack.core.MessagePack
import org.msgpack.core.MessageUnpacker
import org.msgpack.value.Value
import org.msgpack.value.ValueType

// The parts that views are made of, read. A value of another type is a MessagePackException.

fun unpacker(bytes: ByteBuffer): MessageUnpacker =
    MessagePack.newDefaultUnpacker(
        bytes.array(),
        bytes.arrayOffset() + bytes.position(),
        bytes.remaining(),
    )

/** Reads nil as null. */
inline fun <T> MessageUnpacker.orNull(read: MessageUnpacker.() -> T): T? =
    if (tryUnpackNil()) null else read()

inline fun <T> MessageUnpacker.list(read: MessageUnpacker.() -> T): List<T> =
    list(unpackArrayHeader(), read)

// No room is taken for what is only announced: it may not come.
inline fun <T> MessageUnpacker.list(size: Int, read: MessageUnpacker.() -> T): List<T> {
    val found = ArrayList<T>()
    repeat(size) { found += read() }
    return found
}

fun MessageUnpacker.numbers(): List<Int> = list { unpackInt() }

fun MessageUnpacker.texts(): List<String> = list { unpackString() }

/** Begins a list whose first places have names; how many come after them. */
fun MessageUnpacker.rest(named: Int): Int {
    val size = unpackArrayHeader()
    if (size < named) throw IOException("a list of $size; expected $named or more")
    return size - named
}

/** A map that may hold anything. */
fun MessageUnpacker.map(): Map<String, Value> {
    val found = LinkedHashMap<String, Value>()
    repeat(unpackMapHeader()) { found[unpackString()] = unpackValue() }
    return found
}

/** The text of a field in a map; null where it has none. */
fun MessageUnpacker.textOf(name: String): String? {
    repeat(unpackMapHeader()) {
        val isIt = unpackString() == name
        if (isIt && nextFormat.valueType == ValueType.STRING) return unpackString()
        skipValue()
    }
    return null
}

/** A field that must have come did not. */
fun missing(name: String): Nothing = throw IOException("a view without the field $name")
