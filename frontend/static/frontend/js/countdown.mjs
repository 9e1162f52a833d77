/* Counts down to the end that the service names, follows whatever becomes of that end, and says so at 10, 5 and 1 minute.
   The end is believed only once the service itself has said that it has come: more time may have been given since. */

const SAID_AT = [10, 5, 1];
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ASK_EVERY = 30_000;
const ASK_AGAIN = 2000;
/* After a failure, and up to as much again by chance, so that a whole class does not come back at one moment. */
const RETRY_AFTER = 4000;

/* ended    time is up, as the service says
   over     it was handed in from another page
   reached  the countdown is at zero, and the service is being asked
   waiting  it cannot be asked, as nobody is signed in any more (true) or it cannot be reached
   resumed  there is more time after all */
export function startCountdown({ ended, over, reached = () => {}, waiting = () => {}, resumed = () => {} }) {
  const box = document.getElementById("countdown");
  if (!box) return;
  const left = document.getElementById("countdown-left");
  const said = document.getElementById("countdown-said");
  const words = box.querySelector(".countdown-ends");
  const until = box.querySelector(".countdown-until");
  // The service's time when its reply began to arrive: this browser's own clock may be anything.
  const arrived = performance.getEntriesByType("navigation")[0]?.responseStart ?? 0;
  let ends = box.dataset.endsAt ? Number(box.dataset.endsAt) : null;
  let known = { now: Number(box.dataset.now), at: arrived };
  let before = Infinity;
  let isOver = false;
  let isReached = false;
  let asked = null;
  let retry;
  let askedAt = -Infinity;

  const now = () => known.now + performance.now() - known.at;

  function say(text, isSeen) {
    said.textContent = text;
    said.classList.toggle("visually-hidden", !isSeen);
  }

  function show() {
    box.hidden = ends === null;
    if (ends === null) return;
    const rest = ends - now();
    left.hidden = rest > DAY;
    left.textContent = inWords(Math.max(0, rest));
    box.classList.toggle("countdown-soon", rest < 5 * MINUTE);
    for (const minutes of SAID_AT) {
      if (before > minutes * MINUTE && rest <= minutes * MINUTE && before !== Infinity) {
        say(minutes === 1 ? "One minute left." : `${minutes} minutes left.`, false);
      }
    }
    before = rest;
  }

  function tick() {
    if (isOver) return;
    show();
    const isUp = ends !== null && now() >= ends;
    if (isUp && known.now >= ends) {
      isOver = true;
      say("Time is up.", false);
      ended();
    } else if (isUp) {
      if (!isReached) reached();
      isReached = true;
      if (performance.now() - askedAt >= ASK_AGAIN) void ask();
    } else if (isReached) {
      isReached = false;
      resumed();
    }
  }

  function follow(told) {
    if (told.endsAt === ends) return;
    if (told.endsAt === null) say("The end was taken away: there is no countdown any more.", true);
    else if (ends === null) say(`An end was set. ${told.words}.`, true);
    else say(told.endsAt > ends ? `You have more time. ${told.words}.` : `You have less time. ${told.words}.`, true);
    ends = told.endsAt;
    before = Infinity;
    words.textContent = told.words;
    until.textContent = told.until;
  }

  async function attemptToAsk() {
    const sent = (askedAt = performance.now());
    try {
      const signal = AbortSignal.timeout(8000);
      const headers = { Accept: "application/json", "HX-Request": "true" };
      const response = await fetch(box.dataset.clock, { headers, signal });
      if (!response.ok) throw new Error(String(response.status));
      const told = await response.json();
      known = { now: told.now, at: (sent + performance.now()) / 2 };
      if (told.handedIn && !isOver) {
        isOver = true;
        over();
      }
      if (!isOver) follow(told);
    } catch (error) {
      // Without a connection it goes on counting by itself.
      if (isReached && !isOver) waiting(error.message === "401");
      else if (error.message !== "401") {
        clearTimeout(retry);
        retry = setTimeout(() => !isOver && ask(), RETRY_AFTER * (1 + Math.random()));
      }
      return;
    }
    tick();
  }

  function ask() {
    asked ??= attemptToAsk().finally(() => {
      asked = null;
    });
    return asked;
  }

  tick();
  setInterval(tick, 1000);
  setInterval(() => !isOver && ask(), ASK_EVERY);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && !isOver && ask());
  addEventListener("online", () => !isOver && ask());
}

function inWords(rest) {
  const seconds = Math.ceil(rest / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
