import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Inbox } from '../../main/resources/dev/bridle/pages/approve/inbox.mjs';
import { Refused, Unreachable } from '../../main/resources/dev/bridle/pages/approve/relay.mjs';
import { copy, envelope, privateKey, vectors } from './vectors.mjs';

const { device: known, issuer, enforcer } = vectors.keys;
const device = {
  approverId: 'phone-7', kid: known.signerKeyId, identity: issuer.publicKey,
  keys: {
    signing: await privateKey('Ed25519', known.signingSeed),
    agreement: await privateKey('X25519', known.agreementSecret),
  },
};
const [ONE, OTHER] = vectors.artifacts.map((one) => one.document.requestId);

/** A store in memory, and a relay that answers as a test says. */
class Ends {
  kept = new Map();
  envelopes = vectors.artifacts.map(envelope);
  sent = [];
  fails = undefined;

  store = {
    questions: async () => [],
    notices: async () => [],
    putQuestions: async () => {},
    answers: async () => [...this.kept.values()].map(copy),
    putAnswer: async (answer) => { this.kept.set(answer.requestId, copy(answer)); },
    claimAnswer: async (answer) => {
      const before = this.kept.get(answer.requestId);
      if (before !== undefined && before.state !== 'refused') return false;
      this.kept.set(answer.requestId, copy(answer));
      return true;
    },
  };

  relay = {
    inbox: async () => ({ items: this.envelopes, notices: [] }),
    exchange: async () => ({ body: { state: 'expired' } }),
    decideOwn: (decision) => this.#take('own', decision),
    decide: (message) => this.#take('relay', message),
  };

  async #take(how, what) {
    if (this.fails !== undefined) throw this.fails;
    this.sent.push([how, what]);
  }

  async inbox(identity = device.identity) {
    const inbox = new Inbox({ ...device, identity }, this.relay, this.store);
    await inbox.refresh();
    return inbox;
  }

  state = () => [...this.kept.values()].map((answer) => answer.state);
}

test('the questions are those of the server', async () => {
  const ends = new Ends();
  ends.envelopes[0].body.ciphertext.tag = ends.envelopes[1].body.ciphertext.tag;
  const inbox = await ends.inbox();
  assert.deepEqual([...inbox.questions.keys()], [ONE, OTHER]);
  assert.match(inbox.questions.get(ONE).fault, /tag/);
  assert.equal(inbox.questions.get(OTHER).isServers, true);
});

test('a question is answered once', async () => {
  const ends = new Ends();
  const inbox = await ends.inbox();
  const asked = inbox.questions.get(ONE);
  const both = await Promise.allSettled(['allow', 'deny'].map((answer) => inbox.answer(asked, { answer })));
  assert.deepEqual(both.map((one) => one.status).sort(), ['fulfilled', 'rejected']);
  assert.equal(ends.sent.length, 1);
  assert.deepEqual(ends.state(), ['sent']);
});

test('a reason goes beside the decision, in an envelope', async () => {
  const ends = new Ends();
  const inbox = await ends.inbox();
  await inbox.answer(inbox.questions.get(ONE), { answer: 'deny', reason: 'no' });
  const [to, sent] = ends.sent[0];
  assert.equal(to, 'own');
  assert.equal(sent.msgType, 'decision.submit');
  assert.equal(sent.body.decision, 'deny');
  assert.deepEqual(sent.trace, { 'dev.bridle.reason': 'no' });
});

test('an unknown sender is allowed nothing', async () => {
  const ends = new Ends();
  const inbox = await ends.inbox(enforcer.publicKey);
  const asked = inbox.questions.get(ONE);
  await assert.rejects(inbox.answer(asked, { answer: 'allow' }), /unknown sender/);
  await inbox.answer(asked, { answer: 'deny' });
  assert.equal(ends.sent[0][0], 'relay');
});

test('what could not be sent is sent later, the same', async () => {
  for (const error of [new Unreachable(), new Refused(503), new Refused(429)]) {
    const ends = new Ends();
    const inbox = await ends.inbox();
    ends.fails = error;
    await assert.rejects(inbox.answer(inbox.questions.get(ONE), { answer: 'allow' }), error);
    assert.deepEqual(ends.state(), ['waiting']);
    const { decision } = ends.kept.get(ONE);
    ends.fails = undefined;
    await inbox.sendWaiting();
    assert.deepEqual(ends.sent, [['own', decision]]);
    assert.deepEqual(ends.state(), ['sent']);
  }
});

test('what is refused can be answered again, and keeps nothing else back', async () => {
  const ends = new Ends();
  const inbox = await ends.inbox();
  ends.fails = new Unreachable();
  for (const id of [ONE, OTHER]) {
    await assert.rejects(inbox.answer(inbox.questions.get(id), { answer: 'allow', option: 'deploy' }));
  }
  ends.fails = new Refused(403, { body: { code: 'HARP_ERR_SCOPE', message: 'Too much.' } });
  await inbox.sendWaiting();
  assert.deepEqual(ends.state(), ['refused', 'refused']);
  assert.equal(ends.kept.get(ONE).code, 'HARP_ERR_SCOPE');
  ends.fails = undefined;
  await inbox.answer(inbox.questions.get(ONE), { answer: 'deny' });
  assert.deepEqual(ends.state(), ['sent', 'refused']);
});

test('a removed phone sends nothing more', async () => {
  const ends = new Ends();
  const inbox = await ends.inbox();
  ends.fails = new Refused(401);
  await assert.rejects(inbox.answer(inbox.questions.get(ONE), { answer: 'deny' }), ends.fails);
  assert.deepEqual(ends.state(), ['refused']);
});

test('what ends elsewhere is noted', async () => {
  const ends = new Ends();
  const inbox = await ends.inbox();
  await inbox.answer(inbox.questions.get(ONE), { answer: 'deny' });
  ends.envelopes = [];
  await inbox.refresh();
  assert.equal(inbox.questions.size, 0);
  assert.equal(ends.kept.get(ONE).state, 'sent');
  assert.equal(ends.kept.get(OTHER).end, 'expired without an answer');
});
