import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonical } from '../../main/resources/dev/bridle/pages/approve/canonical.mjs';
import { counts, followed, merged, narrowed, pinOf } from '../../main/resources/dev/bridle/pages/approve/succession.mjs';
import { copy, signer, succession, vectors } from './vectors.mjs';

const [K0, K1, K2, K3, THIEF] = await Promise.all([0x14, 0x21, 0x22, 0x23, 0x24].map(signer));
const [S01, S12, S23] = await Promise.all([[K0, K1], [K1, K2], [K2, K3]].map(([old, next]) => succession(old, next)));
const pins = [await pinOf(K0.x)];

const answer = (successions, keys = []) => ({ keys, successions: copy(successions) });
const ids = (found) => found.map((pin) => pin.id);
const refused = (given, wanted, known = pins) => assert.rejects(followed(known, given, wanted));

test('the chain of the vectors is followed from each of its keys', async () => {
  const chain = vectors.successions.map((one) => one.succession);
  const last = chain.at(-1).statement.new_key;
  const all = await followed(pins, answer(chain), last.kid);
  assert.deepEqual(ids(all), [K0.id, chain[0].statement.new_key.kid, last.kid]);
  assert.equal(all.at(-1).x, last.x);
  const later = await followed([await pinOf(chain[0].statement.new_key.x)], answer(chain), last.kid);
  assert.equal(later.length, 2);
});

test('a key that was followed counts no more for what it signs later', async () => {
  const [first, second] = await followed(pins, answer([S01]), K1.id);
  assert.equal(counts(first, '2026-02-21T12:00:00.125Z'), true);
  assert.equal(counts(first, '2026-03-01T12:05:00Z'), true);
  assert.equal(counts(first, '2026-03-01T12:05:01Z'), false);
  assert.equal(counts(second, '2036-01-01T00:00:00Z'), true);
  for (const time of [undefined, 5, 'laterZ', '2026-02-21T12:00:00+00:00']) assert.equal(counts(second, time), false);
});

test('what only a revoked key has named counts no more, unless the server publishes it', async () => {
  const chain = await followed(pins, answer([S01, S12]), K2.id);
  const revoked = [{ kid: K1.id, revoked: { reason: 'compromised' } }];
  const TIME = '2036-01-01T00:00:00Z';
  assert.deepEqual(narrowed(chain, revoked).map((pin) => counts(pin, TIME)), [false, false, false]);
  assert.deepEqual(narrowed(chain, [...revoked, { kid: K2.id }]).map((pin) => counts(pin, TIME)), [false, false, true]);
  assert.deepEqual(narrowed(chain, [{ kid: K1.id, revoked: null }]), chain);
});

test('two windows know together what either knows', async () => {
  const chain = await followed(pins, answer([S01]), K1.id);
  const ended = narrowed(pins, [{ kid: K0.id, revoked: {} }]);
  for (const both of [merged(chain, ended), merged(ended, chain)]) {
    assert.deepEqual(both.map((pin) => [pin.id, pin.until]), [[K0.id, 0], [K1.id, undefined]]);
  }
  assert.equal(merged(ended, chain)[0].next, K1.id);
});

test('following again adds nothing, and what comes later is added', async () => {
  const once = await followed(pins, answer([S01]), K1.id);
  assert.deepEqual(await followed(once, answer([S01]), K1.id), once);
  assert.deepEqual(ids(await followed(once, answer([S01, S12]), K2.id)), [K0.id, K1.id, K2.id]);
});

test('a chain that skips, is reordered, or begins elsewhere leads nowhere', async () => {
  await refused(answer([]), K1.id);
  await refused(answer([S01, S23]), K3.id);
  await refused(answer([S12, S01]), K2.id);
  await refused(answer([S12, S23]), K3.id);
  await refused(answer([S01, S12]), K3.id);
  await refused(answer([await succession(THIEF, K1)]), K1.id);
  await refused(answer(Array.from({ length: 101 }, () => S01)), K1.id);
});

test('what was changed, or is signed by another key, is no succession', async () => {
  const changes = {
    'signature of another key': async (one) => { one.signature.signature = await THIEF.sign(one.statement); },
    'signature of another statement': (one) => { one.signature.signature = S12.signature.signature; },
    'signature that is none': (one) => { one.signature.signature = '?'; },
    'another signer named': (one) => { one.signature.key_id = THIEF.id; },
    algorithm: (one) => { one.signature.algorithm = 'none'; },
    'unknown member of the signature': (one) => { one.signature.more = '1'; },
    'unknown member beside': (one) => { one.more = '1'; },
    'new key exchanged': (one) => { Object.assign(one.statement.new_key, { x: THIEF.x, kid: THIEF.id }); },
    installation: (one) => { one.statement.installation = 'installation_other'; },
    'no signature': (one) => { delete one.signature; },
    'no new key': (one) => { delete one.statement.new_key; },
  };
  for (const [name, change] of Object.entries(changes)) {
    const given = answer([S01]);
    await change(given.successions[0]);
    await assert.rejects(followed(pins, given, K1.id), undefined, name);
  }
});

test('a statement that the key has signed itself has to be whole', async () => {
  const changes = {
    format: (statement) => { statement.format = 'bridle-key-succession-2'; },
    'unknown member': (statement) => { statement.only_for = 'tests'; },
    'no installation': (statement) => { delete statement.installation; },
    'installation that is none': (statement) => { statement.installation = 5; },
    'time elsewhere': (statement) => { statement.signed_at = '2026-03-01T12:00:00+00:00'; },
    'another id than the thumbprint': (statement) => { statement.new_key.kid = K2.id; },
    'another curve': (statement) => { statement.new_key.crv = 'X25519'; },
    'member of the key': (statement) => { statement.new_key.use = 'sig'; },
    'key that is none': (statement) => { statement.new_key.x = 'AAAA'; },
  };
  for (const [name, change] of Object.entries(changes)) {
    await assert.rejects(followed(pins, answer([await succession(K0, K1, change)]), K1.id), undefined, name);
  }
});

test('the time of the signature is that of the statement', async () => {
  const given = answer([S01]);
  given.successions[0].signature.signed_at = '2026-03-01T12:00:01Z';
  await refused(given, K1.id);
});

test('a chain stays in one installation', async () => {
  const foreign = await succession(K1, K2, (statement) => { statement.installation = 'installation_other'; });
  await refused(answer([S01, foreign]), K2.id);
  await refused(answer([S01, foreign]), K1.id);
  const once = await followed(pins, answer([S01]), K1.id);
  await refused(answer([S01, foreign]), K2.id, once);
});

test('a key has one successor', async () => {
  const fork = await succession(K0, THIEF);
  await refused(answer([S01, fork]), THIEF.id);
  const once = await followed(pins, answer([S01]), K1.id);
  await refused(answer([fork]), THIEF.id, once);
  const back = await succession(K1, K0);
  await refused(answer([S01, back]), K1.id);
});

test('a key that was revoked or has ended names no other one', async () => {
  const revoked = { kid: K0.id, revoked: { revoked_at: 1, reason: 'compromised', compromised_since: 1 } };
  await refused(answer([S01], [revoked]), K1.id);
  await refused(answer([S01], [{ kid: K0.id, exp: 1_700_000_000 }]), K1.id);
  await refused(answer([S01, S12], [{ ...revoked, kid: K1.id }]), K2.id);
  const [old] = await followed(pins, answer([S01], [{ kid: K0.id, exp: 4_000_000_000 }]), K1.id);
  assert.equal(counts(old, '2027-01-01T00:00:00Z'), false); // It is not prolonged.
});

test('the signed bytes are the canonical statement', async () => {
  const { signed, succession: given } = vectors.successions[0];
  assert.equal(canonical(given.statement), signed);
  assert.equal(await K0.sign(given.statement), given.signature.signature);
});
