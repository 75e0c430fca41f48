// The questions that wait for this phone, and its answers.
import { decide, enveloped, message, salted } from './decision.mjs';
import { Notices } from './notices.mjs';
import { Pins } from './pins.mjs';
import { isOfServer, question, signedEnd } from './question.mjs';
import { Refused, Unreachable } from './relay.mjs';
import { open } from './seal.mjs';

/** How an exchange has ended, by the state that the relay gives. */
const ENDS = {
  decided: 'answered elsewhere',
  delivered: 'answered elsewhere',
  expired: 'expired without an answer',
  withdrawn: 'the relay says that it was withdrawn',
  cancelled: 'the relay says that it was canceled',
};

export class Inbox {
  /** The questions by their ids, oldest first; one that can't be opened has a fault in its place. */
  questions = new Map();

  #device;
  #relay;
  #store;
  #pins;

  /** What was known of the server's keys when the questions were verified. */
  #verifiedBy = 0;

  #sending = new Set();

  constructor(device, relay, store) {
    this.#device = device;
    this.#relay = relay;
    this.#store = store;
    this.#pins = new Pins(device, relay, store);
    this.notices = new Notices(device, relay, store, this.#pins.asked);
  }

  /** Shows what was there when the server was reached last. */
  async restore() {
    await this.notices.restore();
    await this.#take(await this.#store.questions(), this.#pins.known);
  }

  /** Asks the server. What is gone from there has ended. */
  async refresh() {
    const { items: envelopes, notices } = await this.#relay.inbox(this.#device.approverId);
    const there = new Set(envelopes.map((envelope) => envelope.requestId));
    const gone = [...this.questions.values()].filter((one) => !there.has(one.requestId));
    await this.#store.putQuestions(envelopes);
    await this.#take(envelopes, this.#pins.asked);
    for (const one of gone) await this.#note(one);
    await this.notices.take(notices);
  }

  async #take(envelopes, keyOf) {
    const { version } = this.#pins;
    const taken = new Map();
    for (const envelope of envelopes) {
      const before = this.questions.get(envelope.requestId);
      taken.set(envelope.requestId,
        before === undefined ? await this.#opened(envelope, keyOf) : await this.#verified(before, keyOf));
    }
    this.questions = taken;
    this.#verifiedBy = version;
  }

  /** Verifies a question again where more may be known of the server's keys than before. */
  async #verified(one, keyOf) {
    if (one.fault !== undefined || (one.isServers && this.#verifiedBy === this.#pins.version)) return one;
    const isServers = await isOfServer(one.artifact, keyOf);
    return isServers === one.isServers ? one : question(one.artifact, isServers);
  }

  async #opened(envelope, keyOf) {
    try {
      const artifact = await open(envelope, this.#device.keys.agreement);
      return question(artifact, await isOfServer(artifact, keyOf));
    } catch (e) {
      return { requestId: envelope.requestId, fault: e.message || 'its seal is broken' };
    }
  }

  /** Notes how a question has ended that this phone has not answered. */
  async #note(gone) {
    const answers = await this.#store.answers();
    const own = answers.find((answer) => answer.requestId === gone.requestId);
    if (own !== undefined || gone.fault !== undefined) return;
    let end = ENDS.withdrawn;
    try {
      const status = await this.#relay.exchange(gone.requestId);
      end = await signedEnd(status.trace?.['dev.bridle.end'], gone, this.#pins.asked)
        ?? ENDS[status.body.state] ?? String(status.body.state);
    } catch {
      if (gone.expiresAt <= Date.now()) end = ENDS.expired;
    }
    await this.#store.putAnswer({ requestId: gone.requestId, title: gone.title, at: Date.now(), state: 'ended', end });
  }

  /**
   * Signs an answer, keeps it, and sends it. A question is answered once.
   *
   * @param asked the question
   * @param {import('./decision.mjs').Choice} choice
   */
  async answer(asked, choice) {
    const isServers = asked.isServers && await isOfServer(asked.artifact, this.#pins.known);
    if (choice.answer === 'allow' && !isServers) throw new Error('An unknown sender is allowed nothing.');
    const said = salted(asked.artifact, choice);
    const decision = await decide(asked.artifact, said, this.#device);
    const answer = {
      requestId: asked.requestId, title: asked.title, at: Date.now(), state: 'waiting', choice: said, decision,
      isServers: asked.isServers, covers: asked.grants.find((grant) => grant.id === choice.grant)?.covers,
      said: asked.allows.find((one) => one.option !== undefined && one.option === choice.option)?.said };
    if (!await this.#store.claimAnswer(answer)) throw new Error('This question was answered already.');
    await this.#send(answer);
  }

  /** Sends what was answered while the server could not be reached. */
  async sendWaiting() {
    for (const answer of await this.#store.answers()) {
      if (answer.state !== 'waiting') continue;
      try {
        await this.#send(answer);
      } catch (e) {
        // One that is refused does not keep back the others.
        if (!(e instanceof Refused) || e.status === 401) throw e;
      }
    }
  }

  async #send(answer) {
    if (this.#sending.has(answer.requestId)) return;
    this.#sending.add(answer.requestId);
    try {
      await this.#sent(answer);
    } finally {
      this.#sending.delete(answer.requestId);
    }
  }

  async #sent(answer) {
    // One that is over is sent too: the server may have taken it before, and only its answer was lost.
    try {
      if (answer.isServers) {
        await this.#relay.decideOwn(enveloped(answer.decision, answer.choice, this.#device));
      } else await this.#relay.decide(message(answer.decision, answer.choice, this.#device));
      await this.#store.putAnswer({ ...answer, state: 'sent' });
    } catch (e) {
      if (e instanceof Unreachable) throw e;
      const isLater = e instanceof Refused && (e.status === 429 || e.status >= 500);
      if (!isLater) await this.#store.putAnswer({ ...answer, state: 'refused', end: e.message, code: e.code });
      throw e;
    }
  }
}
