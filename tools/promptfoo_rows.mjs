// Rows as promptfoo writes them, with random outputs and the verdict of promptfoo's own rule on each.
//
//     node tools/promptfoo_rows.mjs RULE.mjs COUNT > rows.jsonl
//
// RULE.mjs is promptfoo's `src/assertions/toolCallF1.ts` as a module:
//
//     esbuild src/assertions/toolCallF1.ts --bundle --format=esm --outfile=RULE.mjs

import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

const { handleToolCallF1 } = await import(pathToFileURL(resolve(process.argv[2])));
const count = Number(process.argv[3] ?? 5000);

// A generator that gives the same numbers every time (mulberry32).
let state = 20261116;
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const pick = (items) => items[Math.floor(random() * items.length)];
const list = (most, make) => Array.from({ length: Math.floor(random() * (most + 1)) }, make);

const names = ['get_weather', 'f', 'g', 'book flight', 'ünïcode', '1', '', 'null'];
const name = () => (random() < 0.9 ? pick(names) : pick([1, null, true, 2.5, ['f'], { name: 'f' }]));
const call = () =>
  pick([
    () => ({ id: 'c', type: 'function', function: { name: name(), arguments: '{"a": 1}' } }),
    () => ({ type: 'function', function: pick([{}, null, 'f', [], { name: name() }]), name: name() }),
    () => ({ name: name() }),
    () => ({ type: 'tool_use', name: name(), input: { name: 'g' } }),
    () => ({ type: 'tool_use', functionCall: { name: name() } }),
    () => ({ functionCall: pick([{ name: name() }, null, 'f', []]), name: name() }),
    () => ({ type: 'text', text: 'f' }),
    () => pick(['f', 1, null, [], { tool_calls: [{ name: 'f' }] }]),
  ])();
const shape = () =>
  pick([
    () => ({ tool_calls: pick([list(4, call), list(4, call), 'f', null, {}]), name: name() }),
    () => list(4, call),
    () => call(),
    () => ({ toolCall: pick([{ functionCalls: list(3, call) }, { functionCalls: null }, null, 'f']) }),
    () => ({ content: list(3, call) }),
    () => pick([1, true, null, '', 'f, g', 'plain words']),
  ])();
const text = (value) => JSON.stringify(value) ?? 'null';
const output = () =>
  pick([
    shape,
    () => text(shape()),
    () => text(text(shape())),
    () => `Let me look.\n\n  ${text(shape())}  \r\n${text(shape())}\n{broken\n[1, 2`,
    () => ` \t${text(shape())}\n`,
  ])();
const expected = () => {
  const found = list(4, () => pick(names));
  if (found.length === 0) found.push('f');
  return random() < 0.5 ? found : found.join(random() < 0.5 ? ',' : ' , ');
};

for (let place = 0; place < count; place += 1) {
  const assertion = { type: 'tool-call-f1', value: expected() };
  if (random() < 0.5) assertion.threshold = pick([0, 0.25, 0.5, 0.66, 1]);
  const given = output();
  const result = handleToolCallF1({
    assertion, output: given, renderedValue: assertion.value, inverse: false,
  });
  const row = {
    promptIdx: 0, testIdx: place, success: result.pass, score: result.score, failureReason: 0,
    provider: { id: 'random' }, vars: { place }, prompt: { raw: 'Go.' },
    testCase: { description: `row ${place}`, assert: [assertion] },
    response: { output: given },
    gradingResult: { pass: result.pass, score: result.score, reason: '', componentResults: [result] },
  };
  console.log(JSON.stringify(row));
}
