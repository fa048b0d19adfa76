"""The warden: a small process that starts bots, watches them, and ends all their processes.

It is a process of its own because the referee cannot keep two promises by itself: that all bots
are gone when the referee is killed with -9, and that a daemon which a bot has sent into the
background ends with that bot. It loads only the standard library, and little of that.
`arena.bots.processes` is its other end, in Trio.

The mechanism:

- The warden is a *child subreaper*: a process below it that loses its parent becomes its child.
  Each bot leads a session of its own. The tree of a bot is found in /proc, by walking down from
  the bot's first process and from those adopted children that are in the bot's session or carry
  its mark, an environment variable that a child inherits from its parent.
- A tree is killed in rounds until a look at /proc finds no process of it. The first process is not
  reaped before its tree is gone. So its number, which is also that of its process group, is not
  reused while the group is signalled. Any other process is signalled through a pidfd that was
  checked to be the process found in /proc, because its number may be reused at any time.
- The warden ends, after everything below it, on SIGTERM and when its link to the referee closes. It
  also ends when the referee is gone while some process holds a copy of the link open. If the warden
  itself is killed with -9, the kernel kills the first process of each bot, and the referee, if it
  still runs, kills all processes that carry the mark.

A process cannot lose its ancestry before it is adopted: the kernel hands orphans to the nearest
living subreaper above them in one step with the death of their parent, the warden is a subreaper
before it starts any bot, and a bot that makes itself a subreaper is still below the warden. The
limits are:

- A process that leaves its session *and* its parents *and* overwrites its environment is still
  below the warden, but its bot is not known: it ends with the warden, not with its bot.
- Processes that a bot has started by other services (cron, systemd, a container daemon) are not
  below the warden at all.
- A process that has changed its user (sudo) cannot be signalled. A process that the kernel holds in
  uninterruptible sleep ends when the kernel lets it go. Both are reported as left.
- All this is for bots that misbehave. A bot that means harm runs as our user and can end the
  warden first: only a sandbox helps against that (`spawn.confined`).
"""
