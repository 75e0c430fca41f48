import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base64url, fromBase64url, utf8 } from '../../main/resources/dev/bridle/pages/approve/bytes.mjs';
import { canonical, without } from '../../main/resources/dev/bridle/pages/approve/canonical.mjs';
import { sha256Hex, sign, verifies } from '../../main/resources/dev/bridle/pages/approve/crypto.mjs';
import { countsUntil, decide, message, salted, spell } from '../../main/resources/dev/bridle/pages/approve/decision.mjs';
import { privateKey, vectors } from './vectors.mjs';

const { device: known } = vectors.keys;
const device = {
  approverId: 'phone-7', kid: known.signerKeyId, keys: { signing: await privateKey('Ed25519', known.signingSeed) } };
const artifact = vectors.artifacts[1].document;
const NOW = Date.parse('2026-02-21T12:00:00.900Z');

const CHOICES = {
  'allow, once': { answer: 'allow' },
  'deny, with a reason and a button': { answer: 'deny', reason: 'Not on a Friday — "please"' },
  'deny, with a reason that is signed': {
    answer: 'deny', reason: 'Only “staging”, not yet 🚦', salt: 'YGFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6e3x9fn8' },
  'allow, with an option of the agent': { answer: 'allow', option: 'dry-run' },
  'allow for the session, with an option and a grant': { answer: 'allow', option: 'deploy', grant: 'this_action' },
};

for (const [name, choice] of Object.entries(CHOICES)) {
  test(`${name}: the signed bytes are those of the vectors`, async () => {
    const vector = vectors.decisions.find((one) => one.name === name);
    const decision = await decide(artifact, choice, device, NOW);
    const { nonce, expiresAt } = vector.input;
    assert.equal(canonical({ ...without(decision, 'signature'), nonce, expiresAt }), vector.signed);
    assert.equal(base64url(await sign(device.keys.signing, utf8(vector.signed))), vector.decision.signature);
    assert.equal(await sha256Hex(vector.signed), vector.hash);
  });

  test(`${name}: the message is that of the vectors`, () => {
    const vector = vectors.decisions.find((one) => one.name === name);
    const sent = message(vector.decision, choice, device, Date.parse(vector.input.sentAt));
    assert.deepEqual(sent, {
      ...vector.submit,
      body: without(vector.submit.body, 'decisionHash'),
      trace: { 'dev.bridle.decision': vector.decision, ...(choice.salt && { 'dev.bridle.reasonSalt': choice.salt }) },
    });
  });
}

test('a reason is signed where the server takes that', () => {
  const choice = { answer: 'deny', reason: 'no' };
  const taking = { payload: { accepts: ['reason'] } };
  assert.equal(fromBase64url('the salt', salted(taking, choice).salt).length, 32);
  assert.notEqual(salted(taking, choice).salt, salted(taking, choice).salt);
  for (const accepts of [undefined, [], ['number'], {}, 'x']) assert.equal(salted({ payload: { accepts } }, choice), choice);
  assert.equal(salted(taking, { answer: 'deny' }).salt, undefined);
});

test('a decision has its own nonce and a signature of its key', async () => {
  const one = await decide(artifact, { answer: 'allow' }, device, NOW);
  const other = await decide(artifact, { answer: 'allow' }, device, NOW);
  assert.notEqual(one.nonce, other.nonce);
  assert.equal(fromBase64url('the nonce', one.nonce).length, 16);
  assert.equal(await verifies(fromBase64url('the key', known.signingKey), fromBase64url('the signature', one.signature),
    utf8(canonical(without(one, 'signature')))), true);
});

test('a decision counts no longer than the question, five minutes, or eight hours for a grant', () => {
  assert.equal(spell(countsUntil(artifact, { answer: 'allow' }, NOW)), '2026-02-21T12:05:00Z');
  assert.equal(spell(countsUntil(artifact, { answer: 'allow' }, NOW + 420_000)), artifact.expiresAt);
  const long = { ...artifact, expiresAt: '2026-02-22T12:00:00Z' };
  assert.equal(spell(countsUntil(long, { answer: 'allow', grant: 'this_session' }, NOW)), '2026-02-21T20:00:00Z');
});

test('grants have their scopes', async () => {
  assert.equal((await decide(artifact, { answer: 'allow', grant: 'this_workspace' }, device, NOW)).scope, 'timebox');
  const session = await decide(artifact, { answer: 'allow', grant: 'this_action' }, device, NOW);
  assert.equal(session.scope, 'session');
  assert.equal(session.policyHints.sessionId, artifact.payload.sessionId);
});
