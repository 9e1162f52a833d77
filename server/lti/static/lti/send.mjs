/* Takes the answer to the platform. Without scripts the button does. */

document.getElementById("send").submit();
