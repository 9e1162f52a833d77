/* Leaves with the platform what shows later that the launch was begun here, and goes on there, stored or not. */

import { ask } from "./storage.mjs";

const page = document.getElementById("storage").dataset;

await ask(page, "lti.put_data", { key: page.name, value: page.secret });
location.replace(page.address);
