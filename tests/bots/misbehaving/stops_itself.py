"""Stops at its second request, as by Ctrl-Z."""

import os
import signal

from tests.bots.misbehaving.wire import misplay

misplay(2, lambda wire, request: os.kill(os.getpid(), signal.SIGSTOP))
