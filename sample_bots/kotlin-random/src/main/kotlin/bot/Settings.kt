package bot

import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds

/** A variable that is missing or wrong; the text says which, and what it should look like. */
class WrongSettings(text: String) : Exception(text)

/** `ARENA_CONNECT`: SPEC 2.2. */
sealed interface Address {
    val text: String

    data class Unix(override val text: String, val path: String) : Address

    data class Tcp(override val text: String, val host: String, val port: Int) : Address
}

/**
 * What the environment says: where the server is, who we are, and when to come again. [retry] is
 * null for a bot that ends with its connection (SPEC 2.5).
 */
data class Settings(val address: Address, val token: String, val retry: Duration?) {
    companion object {
        fun read(environment: Map<String, String>): Settings {
            fun of(variable: String) = environment[variable].orEmpty().ifEmpty { null }
            val connect =
                of("ARENA_CONNECT") ?: missing("ARENA_CONNECT", "unix:PATH or tcp:HOST:PORT", "2.2")
            val address = address(connect)
            val token = of("ARENA_TOKEN") ?: missing("ARENA_TOKEN", "the token of your bot", "2.3")
            return Settings(address, token, of("ARENA_RETRY_S")?.let(::seconds))
        }

        private fun address(text: String): Address {
            val place = text.substringAfter(':')
            if (text.startsWith("unix:") && place.isNotEmpty()) return Address.Unix(text, place)
            // The port follows the last colon; an IPv6 host stands in brackets, which Java knows.
            val host = place.substringBeforeLast(':', "")
            val port = place.substringAfterLast(':', "")
            if (text.startsWith("tcp:") && host.isNotEmpty() && port.all { it in '0'..'9' }) {
                val number = port.toIntOrNull()
                if (number != null && number <= 65535) return Address.Tcp(text, host, number)
            }
            throw WrongSettings(
                "ARENA_CONNECT is \"$text\"; expected unix:PATH or tcp:HOST:PORT, " +
                    "such as tcp:127.0.0.1:4000 or tcp:[::1]:4000 (SPEC 2.2)"
            )
        }

        private fun seconds(text: String): Duration {
            if (!text.matches(Regex("[0-9]{1,9}([.][0-9]*)?"))) {
                throw WrongSettings(
                    "ARENA_RETRY_S is \"$text\"; expected a number of seconds, such as 5 (SPEC 2.5)"
                )
            }
            return text.toDouble().seconds
        }

        private fun missing(variable: String, expected: String, section: String): Nothing =
            throw WrongSettings(
                "$variable is not set; expected $expected (SPEC $section). " +
                    "`arena` sets it for the bots it starts."
            )
    }
}
