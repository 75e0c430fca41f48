import assert from 'node:assert/strict';
import { test } from 'node:test';
import { members, question } from '../../main/resources/dev/bridle/pages/approve/question.mjs';
import { copy, vectors } from './vectors.mjs';

const option = (id, kind) => ({ id, name: `Name of ${id}`, kind });

/** Returns the question of an artifact with other members of the payload. */
function asked(payload = {}, isServers = true, artifact = {}) {
  const made = copy(vectors.artifacts[0].document);
  Object.assign(made, artifact);
  Object.assign(made.payload, payload);
  return question(made, isServers);
}

const allowed = (options) => asked({ options }).allows.map((one) => `${one.caption} ${one.option ?? '-'}`);

test('an approval names an option where not exactly one allows once', () => {
  assert.deepEqual(allowed(undefined), ['Allow once -']);
  assert.deepEqual(allowed([]), ['Allow once -']);
  assert.deepEqual(allowed([option('a', 'allow_once'), option('b', 'allow_always')]), ['Allow once a']);
  assert.deepEqual(allowed([option('a', 'allow_once'), option('b', 'allow_once'), option('c', 'allow_always')]),
    ['Allow once a', 'Allow once b']);
  assert.deepEqual(allowed([option('a', 'allow_always'), option('b', 'allow_always'), option('c', 'reject_once')]),
    ['Allow (the agent takes it as always) a', 'Allow (the agent takes it as always) b']);
  assert.deepEqual(allowed([option('a', 'reject_once')]), []);
  assert.equal(asked({ options: [option('a', 'allow_once')] }).allows[0].said, 'Name of a');
});

test('a rejection names the option that rejects once, if there is one', () => {
  assert.equal(asked({ options: [option('a', 'reject_once')] }).rejects.option, 'a');
  assert.equal(asked({ options: [option('a', 'reject_once'), option('b', 'reject_once')] }).rejects.option, undefined);
  assert.equal(asked({ options: [option('a', 'reject_always')] }).rejects.option, undefined);
});

test('an unknown sender can be allowed nothing', () => {
  const unknown = asked({ title: 'Pay' }, false);
  assert.deepEqual([unknown.allows, unknown.grants, unknown.isPermission], [[], [], false]);
  assert.equal(unknown.title, 'command.review');
  assert.equal(unknown.about.find((row) => row.name === 'title').value, 'Pay');
});

test('the command and the folder come first', () => {
  const content = JSON.stringify({ args: ['-v'], cwd: '/srv', command: ['make', 'all'], commander: 'x' });
  assert.deepEqual(asked({ content, editedFiles: ['/srv/a'] }).about, [
    { name: 'command.0', value: 'make' }, { name: 'command.1', value: 'all' }, { name: 'cwd', value: '/srv' },
    { name: 'args.0', value: '-v' }, { name: 'commander', value: 'x' }, { name: 'edits', value: '/srv/a' }]);
});

test('numbers keep their spelling', () => {
  const content = String.raw`{"a":12345678901234567890,"b":[1e400,-0.10],"c":"1.0 \" 2","d\"3":true,"e":null}`;
  assert.deepEqual(asked({ content }).about, [
    { name: 'a', value: '12345678901234567890' }, { name: 'b.0', value: '1e400' }, { name: 'b.1', value: '-0.10' },
    { name: 'c', value: '1.0 " 2' }, { name: '"d\\"3"', value: 'true' }, { name: 'e', value: 'null' }]);
});

test('content that is no object is shown as it is', () => {
  for (const content of ['no JSON', '"text"', '5', '']) {
    assert.deepEqual(asked({ content }).about, [{ name: 'content', value: content }]);
  }
});

test('all that was asked is shown', () => {
  const payload = { notExact: 'a', sideEffect: 'network', repeats: 'denied', replaces: 'perm_1', later: { x: [1] } };
  const all = asked(payload, true, { metadata: { y: 'z' } });
  const text = JSON.stringify([all.title, all.about, all.warnings, all.said, all.more, all.grants]);
  const parsed = ['payload.content', 'payload.said'];
  const leaves = members(all.artifact).filter((row) => !parsed.includes(row.name));
  for (const { value } of leaves) assert.ok(text.includes(JSON.stringify(value).slice(1, -1)), value);
  assert.equal(all.warnings.length, 4);
  assert.match(all.warnings[2], /rejected before/);
  assert.deepEqual(all.said, [{ name: 'title', value: 'Deploy \u001b[31mnow' }]);
});

test('members of any name are shown', () => {
  assert.deepEqual(members(JSON.parse('{"__proto__":{"constructor":""},"a":[],"b":{}}')), [
    { name: '__proto__.constructor', value: '' }, { name: 'a', value: '[]' }, { name: 'b', value: '{}' }]);
});

test('no member is taken for another, nor a text for a value that is none', () => {
  const content = '{"":{"command":"ls"},"command":"rm -rf /","a.b":1,"a":{"b":"true"}}';
  assert.deepEqual(asked({ content }).about, [
    { name: 'command', value: 'rm -rf /' }, { name: '"".command', value: 'ls' }, { name: '"a.b"', value: '1' },
    { name: 'a.b', value: '"true"' }]);
});

test('the title is what there is', () => {
  assert.equal(asked({ title: 'Deploy' }).title, 'Deploy');
  assert.equal(asked({ title: 'Deploy' }).prompt, vectors.artifacts[0].document.payload.prompt);
  assert.equal(asked({}).title, vectors.artifacts[0].document.payload.prompt);
  assert.equal(asked({ prompt: '' }).title, 'command');
});
