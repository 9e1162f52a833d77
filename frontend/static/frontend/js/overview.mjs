/* The pages of an attempt without boxes: when time is up they hand in what is saved. */

import { startCountdown } from "gym/countdown";

startCountdown({
  ended: () => document.getElementById("time-up")?.requestSubmit(),
  over: () => location.reload(),
});
