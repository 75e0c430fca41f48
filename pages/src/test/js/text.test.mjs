import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visible } from '../../main/resources/dev/bridle/pages/approve/text.mjs';

const HIDDEN = [
  ['\u001b[2J', '⟨U+001B⟩[2J'],
  ['\u009b31m', '⟨U+009B⟩31m'],
  ['a\rb', 'a⟨U+000D⟩b'],
  ['a\nb', 'a⟨U+000A⟩b'],
  ['a\tb', 'a⟨U+0009⟩b'],
  ['rm \u202efdp', 'rm ⟨U+202E⟩fdp'],
  ['pay\u200bpal', 'pay⟨U+200B⟩pal'],
  ['a\u2028b\u2029', 'a⟨U+2028⟩b⟨U+2029⟩'],
  ['a\u00a0b', 'a⟨U+00A0⟩b'],
  ['a\u3164b', 'a⟨U+3164⟩b'],
  ['a\ufe01b', 'a⟨U+FE01⟩b'],
  ['a\ue000b', 'a⟨U+E000⟩b'],
  ['a\u{10ffff}b', 'a⟨U+10FFFF⟩b'],
  ['\u{e0041}', '⟨U+E0041⟩'],
  ['\u{e0100}', '⟨U+E0100⟩'],
  ['\ud800x', '⟨U+D800⟩x'],
  ['\u034f\u115f\u1160\u17b4\u17b5\u2800\uffa0\u180b\u180f',
    '⟨U+034F⟩⟨U+115F⟩⟨U+1160⟩⟨U+17B4⟩⟨U+17B5⟩⟨U+2800⟩⟨U+FFA0⟩⟨U+180B⟩⟨U+180F⟩'],
  ['⟨U+202E⟩', '⟨U+27E8⟩U+202E⟨U+27E9⟩'],
  ['e\u0301\u0301\u0301\u0301', 'e\u0301\u0301\u0301⟨U+0301⟩'],
];

test('what can’t be seen is named', () => {
  for (const [text, shown] of HIDDEN) assert.equal(visible(text), shown);
});

test('what can be seen stays', () => {
  for (const text of ['', 'ls -la', 'Grüße aus Zürich', '日本語のテキスト', 'שלום', 'é', '1 + 1 = 2 €', '👍 done', '<b>']) {
    assert.equal(visible(text), text);
  }
});

test('lines stay where they are asked for', () => {
  assert.equal(visible('one\n\ttwo\r\n', true), 'one\n    two⟨U+000D⟩\n');
});
