package bot

import kotlin.time.Duration.Companion.milliseconds
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.junit.jupiter.params.provider.ValueSource

/** What is wrong in the environment is told in words. */
class SettingsTest {
    private fun read(connect: String? = "unix:/a", token: String? = "tK3x", retry: String? = null) =
        Settings.read(
            buildMap {
                connect?.let { put("ARENA_CONNECT", it) }
                token?.let { put("ARENA_TOKEN", it) }
                retry?.let { put("ARENA_RETRY_S", it) }
            }
        )

    private fun assertRefused(begin: String, read: () -> Settings) {
        val text = assertThrows<WrongSettings> { read() }.message!!
        assertTrue(text.startsWith(begin), text)
    }

    @Test
    fun `both kinds of address are taken apart`() {
        val unix = "unix:/tmp/a:b"
        assertEquals(Address.Unix(unix, "/tmp/a:b"), read(unix).address)
        val tcp = "tcp:[::1]:4000"
        assertEquals(Address.Tcp(tcp, "[::1]", 4000), read(tcp).address)
    }

    @ParameterizedTest
    @ValueSource(
        strings =
            [
                "unix:",
                "tcp:",
                "tcp::4000",
                "tcp:host",
                "tcp:host:",
                "tcp:host:http",
                "tcp:host:70000",
                "udp:host:1",
                "host:4000",
            ]
    )
    fun `an address that is none is named`(connect: String) =
        assertRefused("ARENA_CONNECT is \"$connect\"; expected unix:PATH or tcp:") { read(connect) }

    @Test
    fun `what is missing is named`() {
        for (nothing in listOf(null, "")) {
            assertRefused("ARENA_CONNECT is not set; expected unix:") { read(connect = nothing) }
            assertRefused("ARENA_TOKEN is not set; expected the") { read(token = nothing) }
        }
    }

    @ParameterizedTest
    @CsvSource("5, 5000", "0.25, 250", "0, 0")
    fun `seconds between tries may be a fraction`(retry: String, ms: Int) =
        assertEquals(ms.milliseconds, read(retry = retry).retry)

    @Test fun `without seconds a bot ends with its connection`() = assertNull(read().retry)

    @ParameterizedTest
    @ValueSource(strings = ["soon", "-1", "5s"])
    fun `seconds that are none are named`(retry: String) =
        assertRefused("ARENA_RETRY_S is \"$retry\";") { read(retry = retry) }

    @ParameterizedTest
    @ValueSource(strings = ["unix:/nowhere/at-all", "tcp:no.machine.invalid:4000"])
    fun `an address that nobody listens on is named`(connect: String) {
        val text = assertThrows<Lost> { Link.open(read(connect).address) }.message!!
        assertTrue(text.startsWith("cannot connect to $connect: "), text)
    }
}
