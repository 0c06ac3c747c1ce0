// Feeds a file to @xterm/headless, several times: node feed_xterm.mjs FILE COLS ROWS SCROLLBACK CHUNK_BYTES RUNS
// Prints the seconds of each run as JSON.
import { readFileSync } from "node:fs";
import xterm from "@xterm/headless";

const [file, ...numbers] = process.argv.slice(2);
const [cols, rows, scrollback, chunkBytes, runs] = numbers.map(Number);
const data = readFileSync(file);

async function once() {
  const terminal = new xterm.Terminal({ cols, rows, scrollback, allowProposedApi: true, convertEol: false });
  const started = performance.now();
  for (let start = 0; start < data.length; start += chunkBytes) {
    await new Promise((done) => terminal.write(data.subarray(start, start + chunkBytes), done));
  }
  const seconds = (performance.now() - started) / 1000;
  terminal.dispose();
  return seconds;
}

const seconds = [];
for (let run = 0; run < runs; run += 1) seconds.push(await once());
console.log(JSON.stringify(seconds));
