"""What the REST door takes and gives, a file a room. Only what is named here leaves.

No key, seed, allowance or mistake rule is named.
"""
