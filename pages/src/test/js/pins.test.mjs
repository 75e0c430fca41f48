import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Inbox } from '../../main/resources/dev/bridle/pages/approve/inbox.mjs';
import { Pins, pinned } from '../../main/resources/dev/bridle/pages/approve/pins.mjs';
import { signedEnd } from '../../main/resources/dev/bridle/pages/approve/question.mjs';
import { Refused, Unreachable } from '../../main/resources/dev/bridle/pages/approve/relay.mjs';
import { copy, envelope, privateKey, signer, succession, vectors } from './vectors.mjs';

const [issuer, before, thief] = await Promise.all([0x14, 0x21, 0x22].map(signer));
const BY_NEW = { algorithm: 'Ed25519', key_id: issuer.id, signed_at: '2026-03-01T12:00:00Z' };
const { device: known } = vectors.keys;
const agreement = await privateKey('X25519', known.agreementSecret);
const signing = await privateKey('Ed25519', known.signingSeed);

const realNow = Date.now;
let now;
beforeEach(() => {
  now = realNow();
  Date.now = () => now;
});

/** A phone that was paired before the server's key was rotated to the issuer of the vectors. */
class Ends {
  answer;
  fails;
  calls = 0;
  kept = [];
  device = { approverId: 'phone-7', kid: known.signerKeyId, identity: before.x, keys: { agreement, signing } };
  envelopes = vectors.artifacts.map(envelope);

  store = {
    questions: async () => this.envelopes,
    putQuestions: async () => {},
    answers: async () => [],
    claimAnswer: async () => true,
    putAnswer: async () => {},
    notices: async () => [],
    putPins: async ({ pins }) => {
      this.kept.push(copy(pins));
      return pins;
    },
  };

  relay = {
    inbox: async () => ({ items: this.envelopes, notices: [] }),
    decideOwn: async () => {},
    keys: async () => {
      this.calls++;
      if (this.fails) throw this.fails;
      return copy(this.answer);
    },
  };

  pins = () => new Pins(this.device, this.relay, this.store);
  inbox = () => new Inbox(this.device, this.relay, this.store);
}

async function rotated() {
  const ends = new Ends();
  ends.answer = { keys: [], successions: [await succession(before, issuer, early)] };
  return ends;
}

/** The vectors were signed soon after. */
const early = (statement) => { statement.signed_at = '2026-02-21T11:00:00Z'; };
const senders = (inbox) => [...inbox.questions.values()].map((one) => one.isServers);

test('a question by the key that followed is the server’s, and the key is kept', async () => {
  const ends = await rotated();
  const inbox = ends.inbox();
  await inbox.refresh();
  assert.deepEqual(senders(inbox), [true, true]);
  assert.equal(ends.calls, 1);
  assert.deepEqual(ends.kept.map((pins) => pins.map((pin) => pin.x)), [[before.x, issuer.x]]);
  const [asked] = inbox.questions.values();
  await inbox.answer(asked, { answer: 'allow' });
  ends.device.pins = ends.kept[0];
  const later = ends.inbox();
  await later.restore();
  assert.deepEqual(senders(later), [true, true]);
  assert.equal(ends.calls, 1);
});

test('nothing is asked of the server for what was kept', async () => {
  const ends = await rotated();
  const inbox = ends.inbox();
  await inbox.restore();
  assert.deepEqual(senders(inbox), [false, false]);
  assert.equal(ends.calls, 0);
});

test('a chain that does not hold changes nothing', async () => {
  for (const successions of [[], [await succession(thief, issuer)], 'none', [null]]) {
    const ends = await rotated();
    ends.answer.successions = successions;
    const inbox = ends.inbox();
    await inbox.refresh();
    assert.deepEqual(senders(inbox), [false, false]);
    assert.deepEqual([ends.kept, ends.device.pins], [[], undefined]);
    await assert.rejects(inbox.answer([...inbox.questions.values()][0], { answer: 'allow' }), /unknown sender/);
  }
});

test('keys that nobody asked about are followed too, so that made-up ones keep nothing back', async () => {
  const ends = await rotated();
  const pins = ends.pins();
  await pins.asked({ ...BY_NEW, key_id: 'made-up' });
  assert.notEqual(await pins.known(BY_NEW), undefined);
});

test('a known key is asked about once a day, in case it has ended', async () => {
  const ends = await rotated();
  ends.device.identity = issuer.x;
  const pins = ends.pins();
  await pins.asked(BY_NEW);
  now += 3_600_000;
  await pins.asked(BY_NEW);
  assert.equal(ends.calls, 1);
  ends.answer = { keys: [{ kid: issuer.id, revoked: { reason: 'compromised' } }], successions: [] };
  now += 86_400_000;
  assert.equal(await pins.asked(BY_NEW), undefined);
});

test('an unknown key is asked about once for some time', async () => {
  const ends = await rotated();
  ends.answer.successions = [];
  const pins = ends.pins();
  for (let at = 0; at < 50; at++) {
    assert.equal(await pins.asked(BY_NEW), undefined);
    now += 11_000;
  }
  assert.equal(ends.calls, 1);
  ends.answer = (await rotated()).answer;
  now += 60_000;
  assert.deepEqual(await pins.asked(BY_NEW), await new Pins({ identity: issuer.x }).known(BY_NEW));
  assert.equal(ends.calls, 2);
});

test('many unknown keys do not make many calls', async () => {
  const ends = await rotated();
  const pins = ends.pins();
  for (let at = 0; at < 20; at++) await pins.asked({ ...BY_NEW, key_id: `key-${at}` });
  assert.equal(ends.calls, 1);
  now += 10_000;
  await pins.asked({ ...BY_NEW, key_id: 'key-20' });
  assert.equal(ends.calls, 2);
  assert.notEqual(await pins.known(BY_NEW), undefined);
});

test('a server that was not reached is asked soon again, one that refuses is not', async () => {
  const ends = await rotated();
  ends.fails = new Unreachable();
  const inbox = ends.inbox();
  await inbox.refresh();
  assert.deepEqual(senders(inbox), [false, false]);
  ends.fails = undefined;
  now += 10_000;
  await inbox.refresh();
  assert.deepEqual(senders(inbox), [true, true]);

  const refusing = await rotated();
  refusing.fails = new Refused(404);
  const pins = refusing.pins();
  await pins.asked(BY_NEW);
  now += 10_000;
  await pins.asked(BY_NEW);
  assert.equal(refusing.calls, 1);
});

test('a key that the server has declared compromised counts no more', async () => {
  const ends = await rotated();
  ends.device.identity = issuer.x;
  const inbox = ends.inbox();
  await inbox.refresh();
  assert.deepEqual(senders(inbox), [true, true]);
  const [asked] = inbox.questions.values();
  ends.answer = { keys: [{ kid: issuer.id, revoked: { reason: 'compromised' } }], successions: [] };
  await ends.pins().asked({ ...BY_NEW, key_id: thief.id });
  assert.equal(ends.kept.length, 1);
  await assert.rejects(inbox.answer(asked, { answer: 'allow' }), /unknown sender/);
});

test('a key that is followed ends what the old one counts for', async () => {
  const ends = await rotated();
  const pins = ends.pins();
  await pins.asked(BY_NEW);
  const [old] = await pinned(ends.device);
  assert.equal(old.next, issuer.id);
  assert.notEqual(await pins.known({ ...BY_NEW, key_id: before.id, signed_at: '2026-02-21T10:00:00Z' }), undefined);
  assert.equal(await pins.known({ ...BY_NEW, key_id: before.id }), undefined);
  assert.equal(await pins.known({ ...BY_NEW, algorithm: 'none' }), undefined);
});

test('the end of a question by the key that followed is the server’s word', async () => {
  const ends = await rotated();
  const asked = { requestId: 'r', artifact: { artifactHash: 'h' } };
  const statement = { format: 'bridle-question-end-1', request_id: 'r', artifact_hash: 'h', end: 'approved', by: 'ada' };
  const end = (signature) => ({ statement, signature });
  const signature = await issuer.sign(statement);
  assert.equal(await signedEnd(end({ ...BY_NEW, signature }), asked, ends.pins().asked), 'allowed by ada');
  const stolen = await thief.sign(statement);
  for (const other of [{ ...BY_NEW, signature: stolen }, { ...BY_NEW, key_id: thief.id, signature: stolen },
    { ...BY_NEW, key_id: before.id, signature }, {}, undefined, 'none']) {
    assert.equal(await signedEnd(end(other), asked, ends.pins().asked), undefined);
  }
});
