/*
 * The session: hello, then an action for every request, until bye. Your idea goes into Decide.kt,
 * which is all that this asks. The messages are told in SPEC.md; `arena spec` prints it.
 */
package bot

import kotlin.system.exitProcess

/** SPEC 4.8: the reasons of a bye after which all is well. */
private val WELL = setOf("done", "stopping", "replaced")

/** SPEC 2.5: those after which a bot that dials in may come again. */
private val AGAIN = setOf("lost", "stopping", "hung", "token-in-use")

private fun play(link: Link, token: String): Bye {
    link.send(hello(token))
    while (true) {
        when (val message = link.receive()) {
            is Request -> link.send(action(message, decide(message)))
            // SPEC 4.6: what we did wrong, in words. Standard error is kept for us.
            is Fault -> System.err.println("fault: ${message.text}")
            // SPEC 4.8: the server hangs up, and says why.
            is Bye -> return message
            // SPEC 4: everything else may be passed over, also what is not invented yet.
            is End,
            is Other -> {}
        }
    }
}

/** One connection. An exception of yours in `decide` is not caught: you want its trace. */
private fun session(settings: Settings): Bye =
    try {
        Link.open(settings.address).use { play(it, settings.token) }
    } catch (lost: Lost) {
        Bye("lost", lost.message)
    }

fun main() {
    val settings =
        try {
            Settings.read(System.getenv())
        } catch (wrong: WrongSettings) {
            System.err.println(wrong.message)
            exitProcess(1)
        }
    while (true) {
        val bye = session(settings)
        System.err.println("${bye.reason}: ${bye.text}")
        // SPEC 2.5: only bots that dial in come again; others end with their connection.
        val retry = settings.retry
        if (retry == null || bye.reason !in AGAIN) exitProcess(if (bye.reason in WELL) 0 else 1)
        Thread.sleep(retry.inWholeMilliseconds)
    }
}
