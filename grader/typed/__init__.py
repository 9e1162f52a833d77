"""What learners type, from keyboard, clipboard or calculator, made into values. ``grader.reading`` is the way in."""
