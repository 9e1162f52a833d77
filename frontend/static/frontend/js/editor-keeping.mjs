/* Nothing that was typed is lost: it is stored as one types, and kept in this browser until it was. */

const PREFIX = "gym:author:";
const PAUSE = 1200;

function cookieToken() {
  return document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";
}

/* Post fields of the form, with what else is to be sent, for an answer in JSON. */
export async function send(form, address, fields) {
  const body = new FormData();
  body.set("csrfmiddlewaretoken", cookieToken() || form.elements.csrfmiddlewaretoken?.value || "");
  body.set("learner", form.elements.learner.value);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const reply = await fetch(address, { method: "POST", body, headers: { Accept: "application/json", "HX-Request": "true" } });
  const isJson = reply.headers.get("Content-Type")?.includes("application/json");
  return { status: reply.status, data: isJson ? await reply.json() : null };
}

function remember(key, kept) {
  try {
    if (kept) localStorage.setItem(PREFIX + key, JSON.stringify(kept));
    else localStorage.removeItem(PREFIX + key);
  } catch {
    /* Storage may be full or forbidden; the page itself still holds the text. */
  }
}

export function remembered(key) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key) ?? "null");
  } catch {
    return null;
  }
}

export class Keeper {
  /* `says(state, words)` tells how it stands: unsaved, saving, saved, stale, or failed. */
  constructor(form, says) {
    this.form = form;
    this.key = `${form.elements.learner.value}:${form.dataset.slug}`;
    this.says = says;
    this.text = form.elements.source.value;
    // A page may come with what is not stored yet: typed before one had to sign in again, or refused.
    this.saved = form.dataset.unsaved ? null : this.text;
    this.isStale = false;
    this.isLeaving = false;
    addEventListener("beforeunload", (event) => {
      if (!this.isLeaving && this.text !== this.saved) event.preventDefault();
    });
    addEventListener("pageshow", () => {
      this.isLeaving = false;
    });
    addEventListener("pagehide", () => this.keepHere());
  }

  changed(text) {
    this.text = text;
    if (text === this.saved) return;
    this.says("unsaved", "Not saved yet.");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), PAUSE);
    this.keepHere();
  }

  keepHere() {
    const isUnsaved = this.text !== this.saved;
    remember(this.key, isUnsaved ? { text: this.text, revision: this.form.elements.revision.value } : null);
  }

  forget() {
    remember(this.key, null);
  }

  /* Store what there is, now; whether everything is stored then. */
  async settle() {
    clearTimeout(this.timer);
    await this.saving;
    if (this.text !== this.saved) await this.save();
    return this.text === this.saved;
  }

  save() {
    if (this.isStale || this.isSaving || this.text === this.saved) return this.saving;
    this.saving = this.sendText(this.text);
    return this.saving;
  }

  async sendText(text) {
    this.isSaving = true;
    this.says("saving", "Saving …");
    try {
      const { status, data } = await send(this.form, this.form.dataset.save, { source: text, revision: this.form.elements.revision.value });
      if (data && status === 200) {
        this.saved = text;
        this.form.elements.revision.value = data.revision;
        this.keepHere();
        this.says(this.text === text ? "saved" : "unsaved", data.says);
      } else {
        this.isStale = status === 409;
        this.says(this.isStale ? "stale" : "failed", data?.says ?? "This could not be saved. It is kept in this browser: sign in again or reload the page.");
      }
    } catch {
      this.says("failed", "The service cannot be reached. What you typed is kept in this browser, and is sent again in a moment.");
      this.timer = setTimeout(() => this.save(), 8 * PAUSE);
    } finally {
      this.isSaving = false;
    }
    if (!this.isStale && this.text !== this.saved && this.text !== text) this.timer = setTimeout(() => this.save(), PAUSE);
  }
}
