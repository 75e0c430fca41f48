// Keeps what is shown as it is at the server, as long as this page is visible.
import { Refused, Unreachable } from './relay.mjs';

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;
const ENDS_SEEN = 5000;

const STEADY = 10_000;

/** The state of the connection. */
export const STATE = { connecting: 'connecting', live: 'live', lost: 'lost', removed: 'removed' };

export class Live {
  state = STATE.connecting;

  /** Since when it is not connected, in milliseconds. */
  since = Date.now();

  /** What the server has said at the last attempt, if it has. */
  refusal;

  #device;
  #relay;
  #inbox;
  #changed;
  #stream;
  #awake = () => {};
  #isStopped = false;
  #syncing;
  #again = false;

  /** @param {() => void} changed called when the state or the inbox has changed */
  constructor(device, relay, inbox, changed) {
    this.#device = device;
    this.#relay = relay;
    this.#inbox = inbox;
    this.#changed = changed;
  }

  start() {
    document.addEventListener('visibilitychange', this.#seen);
    globalThis.addEventListener('online', this.#online);
    globalThis.addEventListener('offline', this.#changed);
    this.#run();
  }

  stop() {
    this.#isStopped = true;
    document.removeEventListener('visibilitychange', this.#seen);
    globalThis.removeEventListener('online', this.#online);
    globalThis.removeEventListener('offline', this.#changed);
    this.#stream?.abort();
    this.#awake();
  }

  /** Sends what waits, and reads the inbox. Calls at the same time become one more. */
  sync() {
    this.#again = true;
    this.#syncing ??= this.#synced().finally(() => { this.#syncing = undefined; });
    return this.#syncing;
  }

  async #synced() {
    while (this.#again && !this.#isStopped) {
      this.#again = false;
      await this.#inbox.sendWaiting();
      await this.#inbox.refresh();
      this.#changed();
    }
  }

  /** Says that this phone was removed; nothing is asked after that. */
  removed() {
    this.stop();
    this.#put(STATE.removed);
  }

  #seen = () => {
    if (document.hidden) {
      this.#stream?.abort();
    } else {
      this.#awake();
    }
  };

  #online = () => {
    this.#awake();
    this.#changed();
  };

  async #run() {
    let wait = FIRST_WAIT;
    while (!this.#isStopped) {
      if (document.hidden) {
        this.#put(STATE.connecting);
        await new Promise((resolve) => { this.#awake = resolve; });
        wait = FIRST_WAIT;
        continue;
      }
      const began = Date.now();
      const { error, isOwn } = await this.#followed();
      if (isOwn) continue; // The page was hidden.
      if (error instanceof Refused && error.status === 401) {
        this.removed();
        return;
      }
      this.refusal = error === undefined || error instanceof Unreachable ? undefined : error.message;
      this.#put(STATE.lost);
      if (Date.now() - began > STEADY) wait = FIRST_WAIT;
      await this.#pause(wait * (0.5 + Math.random() / 2));
      wait = Math.min(wait * 2, LONGEST_WAIT);
    }
  }

  /** Follows the server until the stream ends, and returns why it did, and whether this page has ended it. */
  async #followed() {
    const stream = new AbortController();
    this.#stream = stream;
    let failed;
    const heard = () => this.sync().then(
      () => stream.signal.aborted || this.#put(STATE.live),
      (e) => {
        failed = e;
        stream.abort();
      });
    // The stream does not say that a question has ended.
    const timer = setInterval(() => this.#inbox.questions.size > 0 && heard(), ENDS_SEEN);
    try {
      await this.#relay.follow(this.#device.approverId, heard, stream.signal);
      return { error: failed, isOwn: false };
    } catch (e) {
      // What breaks while it is read is another error than those of calls.
      const broken = e instanceof Refused ? e : new Unreachable();
      return { error: failed ?? broken, isOwn: stream.signal.aborted && failed === undefined };
    } finally {
      clearInterval(timer);
    }
  }

  #pause = (millis) => new Promise((resolve) => {
    const timer = setTimeout(resolve, millis);
    this.#awake = () => {
      clearTimeout(timer);
      resolve();
    };
  });

  #put(state) {
    if (this.state === STATE.live && state !== STATE.live) this.since = Date.now();
    this.state = state;
    this.#changed();
  }
}
