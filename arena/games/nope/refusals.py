def refusal(state, seat, action):
    return ValueError((seat, action))
