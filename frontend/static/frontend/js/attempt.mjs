/* The boxes of an attempt: saved as one types, kept when they cannot be, and handed in when time is up. Every button
   works without this. */

import htmx from "htmx";
import { startCountdown } from "gym/countdown";
import { copiesOf, forgetCopy, keepCopy, putInto, typedIn } from "gym/unsaved";

const QUIET = 1000;
const LONGEST = 8000;
const RETRIES = [2000, 4000, 8000, 15000, 20000];

const form = document.getElementById("sheet");
const state = document.getElementById("save-state");
const notice = document.getElementById("notice");
const isOpen = Boolean(state);

let isDirty = false;
let isStopped = false;
let failedSince = "";
let failures = 0;
let timer = 0;
let saving = null;
let isLeaving = false;
let isSignedOut = false;
let isLocked = false;
let bringingBack = null;

// By the clocks of the course, as every other time on the page.
const clock = () =>
  new Date().toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: form.dataset.zone });
const said = () => JSON.stringify(typedIn(form));

function tell(words, link = null) {
  const line = document.createElement("p");
  line.className = "notice notice-error";
  line.textContent = `${words} `;
  if (link) {
    const way = document.createElement("a");
    way.href = link.href;
    way.textContent = link.text;
    line.append(way);
  }
  notice.replaceChildren(line);
}

function showState(words, isFailing = false) {
  if (!state) return;
  state.textContent = words;
  state.classList.toggle("save-failing", isFailing);
}

function note(words) {
  tell(words);
  notice.firstElementChild.classList.remove("notice-error");
}

function failing(why) {
  failedSince ||= clock();
  showState(`Not saved yet since ${failedSince}: ${why}. Trying again.`, true);
  clearTimeout(timer);
  timer = setTimeout(save, RETRIES[Math.min(failures, RETRIES.length - 1)]);
  failures += 1;
  return "failing";
}

function stop(words, link) {
  isStopped = true;
  clearTimeout(timer);
  showState("Not saved", true);
  tell(words, link);
  return "stopped";
}

function renewToken() {
  // Signing in again in another tab renews the token; the one in this form is then out of date, and the cookie is not.
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
  if (!token) return;
  for (const field of document.querySelectorAll("input[name='csrfmiddlewaretoken']")) field.value = token;
}

function send(typed, fields = {}, keepalive = false) {
  renewToken();
  const body = new URLSearchParams(typed);
  for (const name of ["csrfmiddlewaretoken", "learner", "form", "variant", "based_on"]) body.set(name, form.elements[name].value);
  const locale = form.querySelector("input[name='locale']:checked");
  if (locale) body.set("locale", locale.value);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const headers = { Accept: "application/json", "HX-Request": "true" };
  const signal = AbortSignal.timeout(LONGEST);
  return fetch(form.action, { method: "POST", body, headers, keepalive, signal });
}

async function told(response) {
  try {
    return await response.clone().json();
  } catch {
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    return { kind: "page", says: page.body.textContent.replace(/\s+/g, " ").trim() };
  }
}

function saved(answer, sent) {
  form.elements.based_on.value = answer.version;
  failures = 0;
  if (failedSince) notice.replaceChildren();
  if (form.dataset.unsaved === "yes") note("What you typed before you were signed out is back in its boxes, and saved.");
  delete form.dataset.unsaved;
  failedSince = "";
  isSignedOut = false;
  isDirty = said() !== sent;
  if (isDirty) {
    keepCopy(form);
    later();
  } else {
    forgetCopy(form);
    showState(`Saved at ${clock()}`);
    markPlace();
  }
  return "saved";
}

function markPlace() {
  // The sign of the item beside the sheet, which was made when nothing was typed yet.
  const place = document.querySelector(".place-blank[aria-current]");
  if (!place) return;
  place.querySelector(".place-said").textContent = "typed and saved";
  const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  for (const [name, value] of [["cx", 8], ["cy", 8], ["r", 5.2]]) ring.setAttribute(name, value);
  place.querySelector(".icon")?.replaceChildren(ring);
}

function refused(response, answer) {
  isSignedOut = response.status === 401;
  if (isSignedOut) {
    tell(answer.says, { href: answer.address, text: "Sign in again" });
    return failing("you are signed out");
  }
  if (answer.kind === "attempt-over") {
    if (answer.kept) forgetCopy(form);
    lock();
    return stop(answer.says, { href: location.pathname, text: "Look at the attempt as it stands." });
  }
  if (response.status === 429 || response.status >= 500) return failing("the service is busy");
  return stop(answer.says || "This was not taken.", { href: location.pathname, text: "Open the item again." });
}

async function attemptToSave({ keepalive = false } = {}) {
  // What an earlier page typed comes first: this one would pass for older than it is.
  if (bringingBack) await bringingBack;
  const sent = said();
  let response;
  try {
    response = await send(typedIn(form), {}, keepalive);
  } catch {
    return failing(navigator.onLine ? "the service cannot be reached" : "there is no connection");
  }
  const answer = await told(response);
  if (!response.ok) return refused(response, answer);
  if (answer.kind !== "aside") return saved(answer, sent);
  forgetCopy(form);
  if (isBlank()) {
    const words = "Something newer was saved from another page. Nothing is typed here, so that it replaced nothing.";
    return stop(words, { href: location.pathname, text: "Show what is saved." });
  }
  return stop("Something newer was saved from another page. What you typed here is set aside, and nothing is lost.", {
    href: location.pathname,
    text: "Show both, and choose.",
  });
}

function save(options) {
  clearTimeout(timer);
  if (!isDirty || isStopped) return Promise.resolve("saved");
  saving ??= attemptToSave(options).finally(() => {
    saving = null;
  });
  return saving;
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(save, QUIET);
}

const isBlank = () => typedIn(form).every(([, value]) => !value.trim());

function lock() {
  if (isLocked) return;
  isLocked = true;
  for (const box of form.querySelectorAll(".answer-box:not([readonly])")) {
    box.readOnly = true;
    box.dataset.wasOpen = "yes";
  }
  for (const group of form.querySelectorAll(".choices:not([disabled])")) {
    group.disabled = true;
    group.dataset.wasOpen = "yes";
  }
}

function unlock() {
  isLocked = false;
  notice.replaceChildren();
  for (const item of form.querySelectorAll("[data-was-open]")) {
    if (item.classList.contains("choices")) item.disabled = false;
    else item.readOnly = false;
    delete item.dataset.wasOpen;
  }
}

// Signs that turn the direction of writing come along with what is pasted, and would show another number than is there.
const TURNS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

form.addEventListener("input", (event) => {
  const box = event.target;
  if (box.classList.contains("answer-box") && box.value.search(TURNS) >= 0) box.value = box.value.replace(TURNS, "");
  box.closest("[data-step]")?.querySelector(".feedback")?.classList.add("feedback-older");
  if (!isOpen) return;
  isDirty = true;
  keepCopy(form);
  if (!failedSince && !isStopped) showState("Saving …");
  if (!failedSince) later();
});

form.addEventListener("keydown", (event) => {
  // Enter in a box would press the first button; a try costs something, so it goes on to the next box.
  if (event.key !== "Enter" || !event.target.classList?.contains("answer-box")) return;
  event.preventDefault();
  const boxes = [...form.querySelectorAll(".answer-box, .choices input, #check, #go-on")];
  boxes[boxes.indexOf(event.target) + 1]?.focus();
});

document.addEventListener("submit", (event) => {
  renewToken();
  const isOwn = event.target === form;
  // The other forms of the page leave it just as well: another variant, and what was set aside.
  if (!isOwn && !event.target.matches(".another, .aside-box form")) return;
  if (isLeaving || !isOpen) return;
  if (!isDirty && !failedSince) return;
  if (isStopped) {
    if (!isOwn) return;
    event.preventDefault();
    notice.scrollIntoView({ block: "nearest" });
    return;
  }
  // Saved first: a page that cannot be reached would take what is typed with it.
  event.preventDefault();
  const { submitter: pressed, target: leaving } = event;
  void settled().then((outcome) => {
    if (outcome !== "saved" || isLeaving) return;
    isLeaving = true;
    leaving.requestSubmit(pressed);
  });
});

async function settled() {
  let outcome = await (saving ?? save());
  // What was typed while the last save was under way.
  if (outcome === "saved" && isDirty) outcome = await save();
  if (outcome === "failing" && !isSignedOut) tell("The service cannot be reached. What you typed is kept here: stay on this page, it is saved as soon as it can be.");
  return outcome;
}

addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
addEventListener("online", () => failedSince && save());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") void save({ keepalive: true });
  else if (failedSince) void save();
});
addEventListener("pagehide", () => void save({ keepalive: true }));

async function timeUp() {
  lock();
  tell("Time is up. What you typed is being handed in.");
  let outcome = await settled();
  while (outcome === "failing") {
    if (!isSignedOut) tell("Time is up, and the service cannot be reached. What was saved is handed in for you; what you typed since is kept here and sent as soon as it can be.");
    await new Promise((done) => setTimeout(done, RETRIES[1]));
    outcome = await (saving ?? save());
  }
  isLeaving = true;
  document.getElementById("time-up")?.requestSubmit();
}

async function bringBack() {
  // Copies of pages that were closed, or of other tabs: the service decides whether they are still the newest.
  const present = typedIn(form);
  let isAside = false;
  for (const copy of copiesOf(form).filter((each) => each.page !== form.elements.form.value)) {
    if (JSON.stringify(copy.typed) === said()) {
      forgetCopy(form, copy.page);
      continue;
    }
    let response;
    try {
      response = await send(copy.typed, { based_on: copy.basedOn, form: copy.page });
    } catch {
      // The copy is still there: the next page tries again.
      tell("The service cannot be reached. What you typed here before is kept in this browser: load this page again later.");
      return;
    }
    const answer = await told(response);
    if (response.ok || answer.kept) forgetCopy(form, copy.page);
    if (response.ok && answer.kind === "aside") isAside = true;
    if (!response.ok) tell(answer.says, answer.address ? { href: answer.address, text: "Sign in again" } : null);
    // Unchanged is what the closed page managed to save itself, while this one was on its way.
    if (response.ok && answer.kind !== "aside") shown(present, answer);
  }
  if (isAside && !isDirty) location.reload();
}

function shown(present, answer) {
  const typed = Object.entries(answer.answers).flatMap(([step, said]) =>
    [said].flat().map((value) => [`answer-${step}`, value]),
  );
  // What was typed since this page was loaded is newer.
  const isSince = (name) => JSON.stringify(valuesOf(present, name)) !== JSON.stringify(valuesOf(typedIn(form), name));
  const newer = typedIn(form).filter(([name]) => isSince(name));
  putInto(form, [...typed.filter(([name]) => !isSince(name)), ...newer]);
  form.elements.based_on.value = answer.version;
  if (isDirty) keepCopy(form);
  else showState(`Saved at ${clock()}`);
  markPlace();
  note("What you typed here last is back in its boxes, and saved.");
  for (const box of form.querySelectorAll(".answer-box")) if (box.value) htmx.trigger(box, "reread");
}

const valuesOf = (typed, wanted) => typed.filter(([name]) => name === wanted).map(([, value]) => value);

function tend() {
  for (const helper of form.querySelectorAll("[data-needs-script]")) helper.hidden = false;
  // Put back by the service after signing in again, or typed faster than this was loaded: not saved yet.
  const isTyped = [...form.querySelectorAll(".answer-box")].some((box) => box.value !== box.defaultValue);
  if (isOpen && (isTyped || form.dataset.unsaved === "yes")) {
    isDirty = true;
    keepCopy(form);
    later();
  }
  bringingBack = bringBack().finally(() => {
    bringingBack = null;
  });
}

document.addEventListener("DOMContentLoaded", tend);
startCountdown({
  ended: timeUp,
  reached: () => void save(),
  waiting: (isNobody) => {
    lock();
    if (isNobody) tell("Time is up, and you have been signed out. What was saved is handed in for you.", { href: location.pathname, text: "Sign in again" });
    else tell("Time is up, and the service cannot be reached. What was saved is handed in for you; what you typed since is kept here and sent as soon as it can be.");
  },
  resumed: unlock,
  over: () => stop("This attempt was handed in from another page.", { href: location.pathname, text: "Look at it." }),
});
