/* The storage that a platform lends to the pages in its frames (1EdTech LTI postMessage Storage). Messages go to the
   origin of the platform alone, and answers are taken from there alone. */

/* Milliseconds. Only a platform that says it lends storage is asked; on a busy phone its page may take seconds to answer,
   and who gives up too early sends people to a tab that they did not need. */
const PATIENCE = 6000;

function above() {
  return window.parent !== window ? window.parent : window.opener;
}

function lender(name) {
  const whole = above();
  if (!whole || !name || name === "_parent") return whole;
  try {
    return whole.frames[name] || whole;
  } catch {
    return whole;
  }
}

/* Resolves to the answer, or to null where none comes, or one that tells of an error. */
export function ask({ origin, frame }, subject, more) {
  return new Promise((resolve) => {
    const target = lender(frame);
    if (!target || !origin) return resolve(null);
    const id = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join("-");
    const end = (answer) => {
      clearTimeout(timer);
      window.removeEventListener("message", heard);
      resolve(answer);
    };
    const heard = (event) => {
      const said = event.data;
      if (event.origin !== origin || typeof said !== "object" || said === null) return;
      if (said.message_id !== id || said.subject !== `${subject}.response`) return;
      end(said.error ? null : said);
    };
    const timer = setTimeout(end, PATIENCE, null);
    window.addEventListener("message", heard);
    target.postMessage({ subject, message_id: id, ...more }, origin);
  });
}
