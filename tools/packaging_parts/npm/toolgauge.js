#!/usr/bin/env node
// Starts the toolgauge of this platform, which npm installed beside this package.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const platform = `${process.platform}-${process.arch}`;
const name = process.platform === "win32" ? "toolgauge.exe" : "toolgauge";

let program;
try {
  program = require.resolve(`@toolgauge/${platform}/bin/${name}`);
} catch {
  console.error(`error: there is no toolgauge for ${platform} here`);
  console.error(`  hint: npm installs @toolgauge/${platform} as an optional dependency where it exists;`);
  console.error("        elsewhere, build it with cargo: docs/install.md in its repository");
  process.exit(2);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`error: cannot start ${program}: ${error.message}`);
  process.exit(2);
});
// A terminal sends Ctrl-C to both, and this process waits for the other to finish its log. Without
// a terminal, as in CI, whoever cancels knows this process only.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => (signal === "SIGTERM" || !process.stdin.isTTY) && child.kill(signal));
}
child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
