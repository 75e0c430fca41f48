// How one key of the server takes the place of another one (docs/harp-device.md, "Key succession").
import { fromBase64url, utf8 } from './bytes.mjs';
import { canonical } from './canonical.mjs';
import { thumbprint, verifies } from './crypto.mjs';

const FORMAT = 'bridle-key-succession-1';
const MOST = 100;

/** The server's processes share storage, and their clocks may differ by as many seconds. */
const SKEW = 300;

/**
 * A key that this phone has pinned.
 *
 * @typedef {Object} Pin
 * @property {string} id
 * @property {string} x the key, in base64url
 * @property {string} [installation] whose it is, where its succession says so
 * @property {string} [next] the key that took its place
 * @property {number} [until] the second from which on it signs nothing that counts
 */

export const pinOf = async (x) => ({ id: await thumbprint(fromBase64url('the key', x, 32)), x });

/** Returns the second of a time that ends with Z; NaN if it is none. */
const second = (time) => (typeof time === 'string' && /Z$/.test(time) ? Math.floor(Date.parse(time) / 1000) : NaN);

/** Returns whether a key counts for what it has signed at a time. */
export const counts = (pin, time) => second(time) < (pin.until ?? Infinity);

const ending = (pin, until) => ({ ...pin, until: Math.min(pin.until ?? Infinity, until) });

/**
 * Returns keys with what the server says of their end. It may only end them earlier. A key that only a revoked one
 * has named, and that the server does not publish, counts no more either.
 */
export function narrowed(pins, keys) {
  const published = new Map(keys.map((key) => [key.kid, key]));
  const doubtful = new Set();
  return pins.map((pin) => {
    const { exp, revoked } = published.get(pin.id) ?? {};
    const isOver = (revoked !== undefined && revoked !== null) || (doubtful.has(pin.id) && !published.has(pin.id));
    if (isOver) doubtful.add(pin.next);
    if (isOver) return ending(pin, 0);
    return Number.isFinite(exp) ? ending(pin, exp) : pin;
  });
}

/** Returns the pins of two windows: what either knows, and the earlier end of each. */
export const merged = (some, others) => {
  const all = new Map(some.map((pin) => [pin.id, pin]));
  for (const pin of others) {
    const known = all.get(pin.id) ?? pin;
    all.set(pin.id, { ...pin, ...known, ...(pin.until !== undefined && ending(known, pin.until)) });
  }
  return [...all.values()];
};

/**
 * Returns the pinned keys and those that follow them; throws if no chain of signatures leads from them to a key, or
 * if one of them has signed what is no succession.
 *
 * @param {Pin[]} pins
 * @param answer what the server publishes
 * @param {string} [wanted] the id of the key
 * @returns {Promise<Pin[]>}
 */
export async function followed(pins, { keys, successions }, wanted) {
  if (successions.length > MOST) throw new Error('there are too many successions');
  const known = new Map(narrowed(pins, keys).map((pin) => [pin.id, pin]));
  for (const signed of successions) {
    const old = known.get(signed.statement.old_key_id);
    if (old === undefined) continue; // Nobody whom this phone knows says so.
    const next = await named(old, signed);
    if (old.next === undefined ? known.has(next.id) : old.next !== next.id) throw new Error('a key has two successors');
    known.set(old.id, { ...ending(old, second(signed.statement.signed_at) + SKEW + 1), next: next.id });
    if (old.next === undefined) known.set(next.id, narrowed([next], keys)[0]);
  }
  if (wanted !== undefined && !known.has(wanted)) throw new Error('no chain leads to the key');
  return [...known.values()];
}

/** Returns the key that a pinned one has named its successor. */
async function named(old, signed) {
  const { statement, signature } = signed;
  const key = statement.new_key;
  const isWhole = has(signed, 'signature', 'statement') && has(key, 'crv', 'kid', 'kty', 'x')
    && has(statement, 'format', 'installation', 'new_key', 'old_key_id', 'signed_at')
    && has(signature, 'algorithm', 'key_id', 'signature', 'signed_at')
    && statement.format === FORMAT && key.kty === 'OKP' && key.crv === 'Ed25519'
    && signature.algorithm === 'Ed25519' && signature.key_id === old.id
    && signature.signed_at === statement.signed_at && counts(old, statement.signed_at)
    && typeof statement.installation === 'string'
    && statement.installation === (old.installation ?? statement.installation);
  const next = { ...await pinOf(key.x), installation: statement.installation };
  if (!isWhole || next.id !== key.kid || !await verifies(fromBase64url('the key', old.x, 32),
    fromBase64url('the signature', signature.signature, 64), utf8(canonical(statement)))) {
    throw new Error('this is no succession');
  }
  return next;
}

/** Returns whether an object has these members, which are in their order, and no others. */
const has = (value, ...names) => Object.keys(value).sort().join() === names.join();
