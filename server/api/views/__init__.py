"""Each view finds its object by a helper of `base.View`, calls one action or query, and answers; a file a room."""
