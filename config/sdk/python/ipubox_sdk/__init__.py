"""What the packages popdist, poptorch and horovod of ipubox share.

Programs import those; nothing here is theirs to call.  How programs speak
to ipubox is in ipubox-link(7).
"""
