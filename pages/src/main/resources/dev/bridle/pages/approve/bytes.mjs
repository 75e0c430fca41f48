// Bytes and their spellings: base64url without padding in its one spelling, hex, UTF-8.

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const utf8 = (text) => encoder.encode(text);

/** Returns the text that bytes of UTF-8 are; throws if they are none. */
export const text = (bytes) => decoder.decode(bytes);

export function concat(...parts) {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export function base64url(bytes) {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/**
 * Returns the bytes of base64url; throws if it is spelled in another way.
 *
 * @param {string} what the name of the value, for the error
 * @param {number} [length] how many bytes there must be
 */
export function fromBase64url(what, spelled, length) {
  if (typeof spelled !== 'string' || !/^[A-Za-z0-9_-]*$/.test(spelled) || spelled.length % 4 === 1) {
    throw new Error(`${what} is not base64url`);
  }
  const binary = atob(spelled.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  if (base64url(bytes) !== spelled || (length !== undefined && bytes.length !== length)) {
    throw new Error(`${what} is not ${length ?? 'a number of'} bytes in base64url`);
  }
  return bytes;
}

/** Returns bytes in lower-case hexadecimal digits. */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const random = (length) => crypto.getRandomValues(new Uint8Array(length));

/** Returns whether bytes are the same, in a time that does not depend on where they differ. */
export function same(one, other) {
  let difference = one.length ^ other.length;
  for (let at = 0; at < Math.min(one.length, other.length); at++) difference |= one[at] ^ other[at];
  return difference === 0;
}
