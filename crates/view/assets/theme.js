// Runs before the page is drawn: the chosen theme, and that scripts run at all.
"use strict";
document.documentElement.classList.add("has-scripts");
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch { /* Storage may be forbidden; the system's theme it is. */ }
