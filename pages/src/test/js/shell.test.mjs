import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const PAGE = new URL('../../main/resources/dev/bridle/pages/approve/', import.meta.url);
const files = readdirSync(PAGE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== 'LICENSE')
  .map((entry) => `${entry.path ?? entry.parentPath}/${entry.name}`.replaceAll('//', '/').split('/approve/')[1]);
const read = (name) => readFileSync(new URL(name, PAGE), 'utf8');
const own = files.filter((name) => !name.startsWith('vendor/'));

test('the worker keeps exactly the files of the page', () => {
  const listed = /const SHELL = \[([^\]]*)\]/.exec(read('sw.js'))[1].match(/'[^']+'/g).map((name) => name.slice(1, -1));
  const expected = files.filter((name) => name !== 'sw.js').map((name) => (name === 'index.html' ? './' : name));
  assert.deepEqual([...listed].sort(), expected.sort());
});

test('the page is small', () => {
  const size = files.filter((name) => name !== 'icon.svg').reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0);
  assert.ok(size < 60_000, `${size} bytes`);
});

test('nothing runs that the policy forbids, and nothing is asked of others', () => {
  for (const name of own) {
    const text = read(name);
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacent|document\.write|\beval\(|new Function/, name);
    assert.doesNotMatch(text, /\.style\b|<style|style="| on\w+="/, name);
    if (name === 'icon.svg') continue;
    assert.doesNotMatch(text, /https?:\/\//, name);
    for (const line of text.split('\n')) assert.ok(line.length <= 120, `${name}: ${line}`);
  }
});

test('what is imported is there', () => {
  for (const name of files.filter((one) => one.endsWith('.mjs'))) {
    for (const [, imported] of read(name).matchAll(/from '\.\/([^']+)'/g)) {
      assert.ok(files.includes(imported), `${name}: ${imported}`);
    }
  }
});
