"""Making problem sets: rules, items, pools, publishing, extensions, copies."""
