/* Offers the time zone that the browser knows, where the plan has another one. Without scripts one chooses it. */

const select = document.getElementById("time-zone");
const offer = document.getElementById("browser-zone");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const option = [...select.options].find((each) => each.value === zone);

function showOffer() {
  offer.hidden = !option || select.value === zone;
}

if (option) {
  offer.querySelector("button").textContent = `Take ${option.textContent}, as this browser says`;
  offer.querySelector("button").addEventListener("click", () => {
    select.value = zone;
    showOffer();
    select.focus();
  });
  select.addEventListener("change", showOffer);
}
showOffer();
