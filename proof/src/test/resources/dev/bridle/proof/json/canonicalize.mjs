// Reads JSON lines, or with --numbers the bits of doubles in hexadecimal, one a line, and prints their canonical form.
import { readFileSync } from "node:fs";

const [mode, file] = process.argv.slice(2);
const canonical = (value) =>
  Array.isArray(value) ? `[${value.map(canonical)}]`
  : value && typeof value === "object" ? `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)}}`
  : JSON.stringify(value);
const number = (bits) => JSON.stringify(new Float64Array(new BigUint64Array([BigInt(`0x${bits}`)]).buffer)[0]);
const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
process.stdout.write(lines.map((line) => `${mode === "--numbers" ? number(line) : canonical(JSON.parse(line))}\n`).join(""));
