"""Says "ready" and then computes for ever, without a pause."""

print("ready", flush=True)
while True:
    pass
