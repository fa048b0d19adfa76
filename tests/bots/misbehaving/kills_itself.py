"""Ends by the signal whose number is its argument."""

import os
import sys

os.kill(os.getpid(), int(sys.argv[1]))
