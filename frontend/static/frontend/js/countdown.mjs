/* Counts down to the end that the service names, follows an extension, and says so at 10, 5 and 1 minute. */

const SAID_AT = [10, 5, 1];
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ASK_EVERY = 30_000;

export function startCountdown({ ended, over }) {
  const box = document.getElementById("countdown");
  if (!box) return;
  const left = document.getElementById("countdown-left");
  const said = document.getElementById("countdown-said");
  const words = box.querySelector(".countdown-ends");
  // The service's time when its reply began to arrive: this browser's own clock may be anything.
  const arrived = performance.getEntriesByType("navigation")[0]?.responseStart ?? 0;
  let ends = Number(box.dataset.endsAt);
  let known = { now: Number(box.dataset.now), at: arrived };
  let before = Infinity;
  let isOver = false;

  const now = () => known.now + performance.now() - known.at;

  function show() {
    const rest = ends - now();
    left.hidden = rest > DAY;
    left.textContent = inWords(Math.max(0, rest));
    box.classList.toggle("countdown-soon", rest < 5 * MINUTE);
    for (const minutes of SAID_AT) {
      if (before > minutes * MINUTE && rest <= minutes * MINUTE && before !== Infinity) {
        said.textContent = minutes === 1 ? "One minute left." : `${minutes} minutes left.`;
      }
    }
    before = rest;
    if (rest <= 0 && !isOver) {
      isOver = true;
      said.textContent = "Time is up.";
      ended();
    }
  }

  async function ask() {
    const sent = performance.now();
    try {
      const response = await fetch(box.dataset.clock, { headers: { Accept: "application/json", "HX-Request": "true" } });
      if (!response.ok) return;
      const told = await response.json();
      known = { now: told.now, at: (sent + performance.now()) / 2 };
      if (told.handedIn && !isOver) {
        isOver = true;
        over();
      } else if (told.endsAt !== null && told.endsAt !== ends) {
        said.textContent = told.endsAt > ends ? `You have more time. ${told.words}.` : `${told.words}.`;
        ends = told.endsAt;
        before = Infinity;
        words.textContent = told.words;
      }
    } catch {
      /* Without a connection it goes on counting by itself. */
    }
    if (!isOver) show();
  }

  show();
  setInterval(() => !isOver && show(), 1000);
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
