/* Tells the platform that the registration is done, so that it closes this frame. */

const { origin } = document.getElementById("registered").dataset;
const whole = window.parent !== window ? window.parent : window.opener;
if (whole && origin) whole.postMessage({ subject: "org.imsglobal.lti.close" }, origin);
