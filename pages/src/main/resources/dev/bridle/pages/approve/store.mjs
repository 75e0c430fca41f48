// What this phone keeps: its keys, what is pending, and what was answered. Private keys are kept by the browser, which
// lets nobody read them.
import { merged } from './succession.mjs';

const NAME = 'bridle-approve';
const STORES = ['device', 'questions', 'answers'];
const OWN = 'own';
const PENDING = 'pending';
const NOTICES = 'notices';

const MOST_ANSWERS = 200;

function asked(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export class Store {
  #database;

  constructor(database) {
    this.#database = database;
  }

  static async open() {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => STORES.forEach((name) => request.result.createObjectStore(name));
    return new Store(await asked(request));
  }

  #in = (name) => this.#database.transaction(name).objectStore(name);

  /** Changes some stores in one transaction. */
  async #write(names, change) {
    const transaction = this.#database.transaction(names, 'readwrite', { durability: 'strict' });
    const ended = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error ?? new Error('This phone could not keep it.'));
    });
    change(...[names].flat().map((name) => transaction.objectStore(name)));
    await ended;
  }

  device = () => asked(this.#in('device').get(OWN));

  pending = () => asked(this.#in('device').get(PENDING));

  putPending = (pending) => this.#write('device', (store) => store.put(pending, PENDING));

  forgetPending = () => this.#write('device', (store) => store.delete(PENDING));

  /** Keeps a device that was paired, in the place of what was pending and of all that was of a former one. */
  putDevice = (device) => this.#write(STORES, (...stores) => {
    stores.forEach((store) => store.clear());
    stores[0].put(device, OWN);
  });

  /** Keeps the keys that a device has pinned beside what other windows know, and returns them all. */
  putPins = async ({ approverId, pins }) => {
    let all = pins;
    await this.#write('device', (store) => {
      const own = store.get(OWN);
      own.onsuccess = () => {
        if (own.result?.approverId !== approverId) return; // Another device has taken its place.
        all = merged(own.result.pins ?? [], pins);
        store.put({ ...own.result, pins: all }, OWN);
      };
    });
    return all;
  };

  /** Returns the notices of the server, with those that were dismissed lately. */
  notices = async () => await asked(this.#in('device').get(NOTICES)) ?? [];

  /** Changes the notices in one transaction of all windows of this page, and returns them. */
  changeNotices = async (change) => {
    let changed;
    await this.#write('device', (store) => {
      const known = store.get(NOTICES);
      known.onsuccess = () => {
        changed = change(known.result ?? []);
        store.put(changed, NOTICES);
      };
    });
    return changed;
  };

  /** Returns the messages of the inbox as it was seen last. */
  questions = () => asked(this.#in('questions').getAll());

  putQuestions = (envelopes) => this.#write('questions', (store) => {
    store.clear();
    envelopes.forEach((envelope) => store.put(envelope, envelope.requestId));
  });

  /** Returns the answers of this phone, newest first. */
  answers = async () => (await asked(this.#in('answers').getAll())).sort((one, other) => other.at - one.at);

  /**
   * Keeps the first answer to a question, of all windows of this page. One that was refused counts for nothing.
   *
   * @returns {Promise<boolean>} whether it is the first
   */
  claimAnswer = async (answer) => {
    let isFirst = false;
    await this.#write('answers', (store) => {
      const known = store.get(answer.requestId);
      known.onsuccess = () => {
        isFirst = known.result === undefined || known.result.state === 'refused';
        if (isFirst) store.put(answer, answer.requestId);
      };
    });
    return isFirst;
  };

  putAnswer = async (answer) => {
    await this.#write('answers', (store) => store.put(answer, answer.requestId));
    const old = (await this.answers()).slice(MOST_ANSWERS).filter((one) => one.state !== 'waiting');
    if (old.length > 0) await this.#write('answers', (store) => old.forEach((one) => store.delete(one.requestId)));
  };

  /** Forgets everything, the keys too. */
  clear = () => this.#write(STORES, (...stores) => stores.forEach((store) => store.clear()));
}
