"""What a learner can do, still can, and should do next: pure folds over evidence. No Django in here."""
