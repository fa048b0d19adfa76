"""Ends by SIGKILL at its second request."""

import os
import signal

from tests.bots.misbehaving.wire import misplay

misplay(2, lambda wire, request: os.kill(os.getpid(), signal.SIGKILL))
