// Opens the artifacts that are sealed for this device (docs/harp-device.md, "Open an artifact").
import { fromBase64url, text, utf8 } from './bytes.mjs';
import { canonical, parseObject, without } from './canonical.mjs';
import { decrypted, derived, sha256Hex, shared } from './crypto.mjs';

const PAYLOAD = 'HARP-XCHACHA-PAYLOAD-V1';
const EXTENSIONS = 'HARP-XCHACHA-EXTENSIONS-V1';
const NOTICE = 'BRIDLE-HARP-NOTICE-V1';
const ASSOCIATED = [
  'requestId', 'artifactType', 'repoRef', 'createdAt', 'expiresAt', 'artifactHashAlg', 'artifactHash'];
const OPTIONAL = ['sessionId', 'baseRevision', 'metadata', 'extensions'];

/**
 * Opens an approval.request. Throws if it is not what its hash says.
 *
 * @param envelope the message
 * @param {CryptoKey} agreement the private half of the device's key
 * @returns the artifact, with its payload and extensions in the clear
 */
export async function open(envelope, agreement) {
  const sealed = envelope.body?.ciphertext;
  if (sealed === null || typeof sealed !== 'object') throw new Error('it has nothing that is sealed');
  const header = parseObject('the header', text(fromBase64url('aad', sealed.aad)));
  const isOfEnvelope = header.requestId === envelope.requestId
    && `sha256:${header.artifactHash}` === prefixed(envelope.body.artifactHash);
  if (!isOfEnvelope) {
    throw new Error('the sealed header is that of another request');
  }
  checkHeader(header);
  need('info', sealed.info, PAYLOAD);
  const box = await boxes(sealed, agreement, Object.fromEntries(ASSOCIATED.map((name) => [name, header[name]])));
  const artifact = { ...header, payload: await box(PAYLOAD, sealed.nonce, sealed.data, sealed.tag) };
  if (sealed.extensions) {
    if (header.extensions) throw new Error('the artifact has extensions twice');
    const second = sealed.extensions;
    need('info', second.info, EXTENSIONS);
    artifact.extensions = await box(EXTENSIONS, second.nonce, second.ciphertext, second.tag);
  }
  if (await sha256Hex(canonical(without(artifact, 'artifactHash'))) !== artifact.artifactHash) {
    throw new Error('the opened artifact has another hash');
  }
  return artifact;
}

/** Opens a notice of the server, whose signature is to be verified. Throws if it is not one for this phone. */
export async function openNotice(sealed, approverId, agreement) {
  need('info', sealed.info, NOTICE);
  const box = await boxes(sealed, agreement, { approverId, msgId: sealed.msgId });
  return box(NOTICE, sealed.nonce, sealed.data, sealed.tag);
}

/** Returns what opens the boxes of a seal, which are bound to what is associated with them. */
async function boxes(sealed, agreement, associated) {
  need('alg', sealed.alg, 'XChaCha20-Poly1305');
  need('kdf', sealed.kdf, 'X25519+HKDF-SHA256');
  const secret = await shared(agreement, fromBase64url('heKxPub', sealed.heKxPub, 32));
  const salt = fromBase64url('salt', sealed.salt, 16);
  return async (info, nonce, data, tag) =>
    parseObject('what is sealed', text(decrypted(
      await derived(secret, salt, info),
      fromBase64url('nonce', nonce, 24), utf8(canonical(associated)),
      fromBase64url('ciphertext', data), fromBase64url('tag', tag, 16))));
}

const prefixed = (hash) => (String(hash).startsWith('sha256:') ? hash : `sha256:${hash}`);

function checkHeader(header) {
  for (const name of ASSOCIATED) {
    if (typeof header[name] !== 'string' || header[name] === '') throw new Error(`the header lacks ${name}`);
  }
  for (const name of Object.keys(header)) {
    if (!ASSOCIATED.includes(name) && !OPTIONAL.includes(name)) throw new Error('the header has an unknown member');
  }
  need('artifactHashAlg', header.artifactHashAlg, 'SHA-256');
  if (Number.isNaN(Date.parse(header.expiresAt))) throw new Error('the header has no time of its end');
}

function need(what, given, expected) {
  if (given !== expected) throw new Error(`${what} is not ${expected}`);
}
