"""Canvas: a QTI 1.2 package in which each learner gets one variant of every group."""
