"""What a model is sent: the element list, set-of-marks images, the history of steps, the whole request.

Pure: the same values give the same request, to the byte. May import `core`, `agents.dialects`, the profile
and the message types. Start with `request`.
"""
