// The keys of the server that this phone knows: the one that it was paired with, and those that follow that one.
import { fromBase64url } from './bytes.mjs';
import { Unreachable } from './relay.mjs';
import { counts, followed, narrowed, pinOf } from './succession.mjs';

/** A key that no chain led to is looked for again after so long. */
const AGAIN = 600_000;

/** The server is not asked more often, whatever keys others name. */
const BETWEEN = 10_000;

const MOST_UNKNOWN = 100;

/** So often, the server is asked whether keys that are known have ended. */
const DAY = 86_400_000;

/** Returns the keys that a device has pinned, oldest first. */
export const pinned = async (device) => device.pins ?? [await pinOf(device.identity)];

export class Pins {
  /** Grows when what is known of a key changes. */
  version = 0;

  #device;
  #relay;
  #store;
  #notBefore = 0;
  #unknown = new Map();
  #next = 0;

  constructor(device, relay, store) {
    this.#device = device;
    this.#relay = relay;
    this.#store = store;
  }

  /** Returns the server's key that a signature names; undefined if that is none, or did not count any more. */
  known = async (signature) => {
    const pin = (await pinned(this.#device)).find((one) => one.id === signature.key_id);
    return signature.algorithm === 'Ed25519' && pin !== undefined && counts(pin, signature.signed_at)
      ? fromBase64url('the pinned key', pin.x, 32) : undefined;
  };

  /** Returns the same, and asks the server first how it came to a key that is unknown. */
  asked = async (signature) => {
    const id = signature.key_id;
    const isPinned = (await pinned(this.#device)).some((one) => one.id === id);
    if (typeof id === 'string' && (!isPinned || Date.now() >= this.#next)) await this.#look(id);
    return this.known(signature);
  };

  async #look(id) {
    const now = Date.now();
    if (now < this.#notBefore || now < (this.#unknown.get(id) ?? 0)) return;
    this.#notBefore = now + BETWEEN;
    if (this.#unknown.size >= MOST_UNKNOWN) this.#unknown.clear();
    try {
      const answer = await this.#relay.keys();
      this.#asked(id, now);
      await this.#take(answer);
    } catch (e) {
      if (!(e instanceof Unreachable)) this.#asked(id, now);
    }
  }

  #asked(id, now) {
    this.#unknown.set(id, now + AGAIN);
    this.#next = now + DAY;
  }

  async #take(answer) {
    const before = await pinned(this.#device);
    // A key that the server has ended counts no more, also where nothing follows it.
    const pins = await followed(before, answer).catch(() => narrowed(before, answer.keys));
    if (JSON.stringify(pins) === JSON.stringify(before)) return;
    this.version++;
    this.#device.pins = await this.#store.putPins({ ...this.#device, pins });
  }
}
