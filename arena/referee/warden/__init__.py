"""The warden: one small process that starts bots, watches them, and ends all they started.

It is a process of its own because some promises cannot be kept from within the referee: that
everything is gone when the referee is killed with -9, and that a daemon which a bot has sent
into the background ends with that bot. It loads nothing but the standard library, and little
of that; `arena.referee.processes` is its other end, in Trio.

How it works:

- It is a *child subreaper*: whoever loses its parent below it becomes its child. Each bot leads
  a session of its own. A bot's tree is found in /proc by walking down from the bot's first
  process and from those adopted children that are in its session or carry its mark, a
  variable in the environment that a child gets from its parent.
- It is killed in rounds, until a look at /proc finds nobody. The first process is not reaped
  before its tree is gone, so its number, which is also that of its process group, cannot be
  anyone else's while we signal the group. Any other process is signalled through a descriptor
  that was seen to be the one found in /proc: never a number that has changed hands.
- It ends, and everything below it first, when its link to the referee closes, when the referee
  is gone though a copy of the link is open somewhere, and on SIGTERM. If it is killed with -9
  itself, the kernel kills each bot's first process, and the referee, if there still is one,
  everything that carries the mark.

Can a process lose its ancestry before it is adopted? No: the kernel hands orphans to the
nearest living subreaper above them in one step with their parent's death, the warden is one
before it starts anybody, and a bot that makes itself a subreaper is still below it. But:

- A process that leaves its session *and* its parents *and* overwrites its environment is known
  as ours, not as whose: it ends with the warden, not with its bot.
- What a bot asks others to start (cron, systemd, a container daemon) is not below us at all.
- A process that has become another user's (sudo) cannot be signalled by us; one that the
  kernel holds in uninterruptible sleep ends when the kernel lets go. Both are reported as left.
- All of this is for bots that misbehave. One that means harm runs as our user and can end us
  before we end it: against that only a sandbox helps (`spawn.confined`).
"""
