// The cryptography of a device: WebCrypto, and XChaCha20-Poly1305 of noble-ciphers.
import { xchacha20poly1305 } from './vendor/noble-ciphers/xchacha20poly1305.js';
import { base64url, concat, hex, utf8 } from './bytes.mjs';

const ED25519 = { name: 'Ed25519' };
const X25519 = { name: 'X25519' };

/** Returns whether this browser has what a device needs. */
export async function isSupported() {
  if (!globalThis.isSecureContext || !globalThis.crypto?.subtle || !globalThis.indexedDB) return false;
  try {
    // Keys are of use only where they can be kept, too.
    structuredClone([(await signingKeys()).privateKey, (await agreementKeys()).privateKey]);
    return typeof ''.isWellFormed === 'function';
  } catch {
    return false;
  }
}

export const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

export const sha256Hex = async (text) => hex(await sha256(utf8(text)));

/** Makes a pair of keys whose private half never leaves this browser. */
export const signingKeys = () => crypto.subtle.generateKey(ED25519, false, ['sign', 'verify']);

export const agreementKeys = () => crypto.subtle.generateKey(X25519, false, ['deriveBits']);

export const publicBytes = async (key) => new Uint8Array(await crypto.subtle.exportKey('raw', key));

export const sign = async (key, bytes) => new Uint8Array(await crypto.subtle.sign(ED25519, key, bytes));

/** Returns whether a signature is that of a public key of 32 bytes. */
export async function verifies(publicKey, signature, bytes) {
  try {
    const key = await crypto.subtle.importKey('raw', publicKey, ED25519, true, ['verify']);
    return await crypto.subtle.verify(ED25519, key, signature, bytes);
  } catch {
    return false;
  }
}

/** Returns the id of an Ed25519 key: its thumbprint (RFC 7638). */
export const thumbprint = async (publicKey) =>
  base64url(await sha256(utf8(`{"crv":"Ed25519","kty":"OKP","x":"${base64url(publicKey)}"}`)));

/** Returns the secret that two halves share; throws if it is all zeros. */
export async function shared(privateKey, otherPublic) {
  const other = await crypto.subtle.importKey('raw', otherPublic, X25519, true, []);
  const secret = new Uint8Array(await crypto.subtle.deriveBits({ ...X25519, public: other }, privateKey, 256));
  if (secret.every((byte) => byte === 0)) throw new Error('the key of the seal is of small order');
  return secret;
}

export async function derived(secret, salt, info, length = 32) {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  const how = { name: 'HKDF', hash: 'SHA-256', salt, info: utf8(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(how, key, length * 8));
}

export async function hmac(key, bytes) {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytes));
}

/** Decrypts XChaCha20-Poly1305 with a detached tag; throws if anything was changed. */
export const decrypted = (key, nonce, associated, ciphertext, tag) =>
  xchacha20poly1305(key, nonce, associated).decrypt(concat(ciphertext, tag));
