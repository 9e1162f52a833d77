"""Database and queue servers as children of this process, for a laptop, the tests and the bench.

Production brings its own: nothing here runs where DATABASE_URL and REDIS_URL are set.
"""
