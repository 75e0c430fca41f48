// Notices of the server: shown only if it has signed them for this phone, and kept until a person dismisses them.
import { utf8 } from './bytes.mjs';
import { canonical } from './canonical.mjs';
import { verifies } from './crypto.mjs';
import { signatureOf } from './question.mjs';
import { Refused } from './relay.mjs';
import { openNotice } from './seal.mjs';

const KINDS = ['test', 'device_enrolled'];

/** Dismissed ones are remembered, so that one that comes again is not shown again. */
const MOST_DISMISSED = 100;

/**
 * Returns what a notice says; undefined if the server has not signed it for this phone.
 *
 * @param sealed what the inbox shows of it
 * @param device this phone
 * @param {(signature) => Promise<Uint8Array|undefined>} keyOf returns the server's key that a signature names
 */
export async function signedNotice(sealed, device, keyOf) {
  try {
    const { statement, signature } = await openNotice(sealed, device.approverId, device.keys.agreement);
    const isOwn = statement.format === 'bridle-notice-1' && KINDS.includes(statement.kind)
      && statement.approver_id === device.approverId && statement.notice_id === sealed.msgId;
    const key = isOwn ? await keyOf(signature) : undefined;
    const isSigned = key !== undefined && await verifies(key, signatureOf(signature), utf8(canonical(statement)));
    return isSigned ? statement : undefined;
  } catch {
    return undefined; // It is sealed for another phone, or was changed.
  }
}

export class Notices {
  #all = [];
  #device;
  #relay;
  #store;
  #keyOf;

  constructor(device, relay, store, keyOf) {
    this.#device = device;
    this.#relay = relay;
    this.#store = store;
    this.#keyOf = keyOf;
  }

  /** What is to be shown, oldest first. */
  get shown() {
    return this.#all.filter((one) => !one.isDismissed).map((one) => one.statement);
  }

  async restore() {
    this.#all = await this.#store.notices();
  }

  /** Keeps what has come, and acknowledges it after that. Other windows may have taken or dismissed some. */
  async take(sealed) {
    await this.restore();
    for (const one of sealed) {
      const statement = await signedNotice(one, this.#device, this.#keyOf);
      if (statement === undefined) continue;
      this.#all = await this.#store.changeNotices((all) => added(all, statement));
      try {
        await this.#relay.acknowledge(statement.notice_id, this.#device.approverId);
      } catch (e) {
        // One that the server has forgotten meanwhile keeps back nothing else.
        if (!(e instanceof Refused) || e.status !== 404) throw e;
      }
    }
  }

  async dismiss(id) {
    this.#all = await this.#store.changeNotices((all) =>
      all.map((one) => (one.statement.notice_id === id ? { ...one, isDismissed: true } : one)));
  }
}

/** Returns the notices with another one; a test takes the place of the last one. */
function added(all, statement) {
  if (all.some((one) => one.statement.notice_id === statement.notice_id)) return all;
  const isOver = (one) => one.isDismissed || (statement.kind === 'test' && one.statement.kind === 'test');
  const over = all.filter(isOver).slice(-MOST_DISMISSED).map((one) => ({ ...one, isDismissed: true }));
  return [...over, ...all.filter((one) => !isOver(one)), { statement, isDismissed: false }];
}
