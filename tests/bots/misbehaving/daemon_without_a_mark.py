"""Leaves a daemon in a session of its own whose environment is empty, and ends.

The daemon is the command given as arguments.
"""

import os
import sys

reader, writer = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve(sys.argv[1], sys.argv[1:], {})
    os._exit(0)
os.close(writer)
os.read(reader, 1)  # ends when the daemon has become that command, which closes its copy
