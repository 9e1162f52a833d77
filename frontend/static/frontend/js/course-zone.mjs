/* Proposes the browser's time zone for a new course, where the page knows none. Without scripts one chooses it. */

const select = document.getElementById("id_time_zone");
const help = document.getElementById("id_time_zone_helptext");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

if (select.value === "UTC" && zone !== "UTC" && [...select.options].some((each) => each.value === zone)) {
  select.value = zone;
  help.append(" This one is where your browser is.");
}
