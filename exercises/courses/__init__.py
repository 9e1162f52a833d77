"""How courses are run, as pure rules: who may do what, when a set is open for whom, and what an attempt is worth."""
