"""The PopVision analysis library reads Poplar's reports, which ipubox does
not write: this says what to read instead.  Where the real package is
installed, it takes this one's place.
"""
from ipubox_sdk.handover import hand_over

if not hand_over(__name__):
    raise ImportError(
        "pva reads Poplar's profile.pop, which ipubox does not write; a "
        "profile of ipubox has its numbers in summary.json, which "
        "ipubox-profile(7) describes")
