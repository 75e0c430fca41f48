// Pairs this phone with its server, by a link with a secret or by a typed code (docs/harp-device.md, "Pairing").
import { base64url, concat, fromBase64url, random, same, utf8 } from './bytes.mjs';
import { canonical } from './canonical.mjs';
import {
  agreementKeys, derived, hmac, publicBytes, sha256, sign, signingKeys, thumbprint, verifies,
} from './crypto.mjs';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const PROOF = 'BRIDLE-HARP-PAIR-V1';
const MEMBERS = ['g', 'n', 'e', 's'];
const LONGEST_LINK = 4096;
const CHANGED = 'The link was changed on its way here. Open it again, or type the code.';

/**
 * Reads the text of a QR code, as the fragment of the link has it. One that pins the server's certificate (t) is
 * refused, since a page can't see certificates.
 *
 * @param {string} link the link, its fragment, or the text alone
 * @returns {{relay: string, nonce: string, identity: Uint8Array, secret: Uint8Array}}
 */
export function parseLink(link) {
  const text = link.slice(link.indexOf('#') + 1);
  const at = text.indexOf('?');
  if (text.slice(0, at) !== 'harp-pair:1') throw new Error('This is no link of “bridle phone add”.');
  if (text.length > LONGEST_LINK) throw new Error(CHANGED);
  const found = new Map();
  for (const member of text.slice(at + 1).split('&')) {
    const [name, value, ...rest] = member.split('=');
    if (name === 't') throw new Error('This link is for an app, and not for this page: see “bridle phone add”.');
    if (!MEMBERS.includes(name) || !value || rest.length > 0 || found.has(name)) throw new Error(CHANGED);
    found.set(name, value);
  }
  if (found.size !== MEMBERS.length) throw new Error(CHANGED);
  try {
    const nonce = fromBase64url('n', found.get('n'));
    if (nonce.length < 16 || nonce.length > 64) throw new Error('n has another length');
    return {
      relay: decodeURIComponent(found.get('g')),
      nonce: found.get('n'),
      identity: fromBase64url('e', found.get('e'), 32),
      secret: fromBase64url('s', found.get('s'), 16),
    };
  } catch {
    throw new Error(CHANGED);
  }
}

/**
 * Returns a typed code as the server knows it: case, hyphens and blanks don't count; undefined if it is none.
 *
 * @param {string} typed what a person has typed
 */
export function parseCode(typed) {
  const code = typed.toUpperCase().replace(/[-\s]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return code.length === 8 && [...code].every((char) => CROCKFORD.includes(char)) ? code : undefined;
}

/**
 * Prepares what completes a pairing. It is kept until the server has answered, since the answer has the only token.
 *
 * @param offer what the relay has resolved
 * @param {string} relay the relay's URL as the transcript has it
 * @param {ReturnType<typeof parseLink>} [link] absent where a code was typed
 */
export async function prepare(offer, relay, link) {
  const enforcerKey = fromBase64url('publicKey', offer.publicKey, 32);
  if (link && (offer.nonce !== link.nonce || !same(await sha256(enforcerKey), link.identity))) {
    throw new Error('The server that answers is another one than that of the link.');
  }
  const [signing, agreement] = [await signingKeys(), await agreementKeys()];
  const signPub = await publicBytes(signing.publicKey);
  const device = {
    approverId: `phone-${base64url(random(12))}`,
    deviceId: base64url(random(16)),
    kxPub: base64url(await publicBytes(agreement.publicKey)),
    kid: await thumbprint(signPub),
    signPub: base64url(signPub),
    approverNonce: base64url(random(16)),
    capabilities: { extensions: true },
  };
  const { possessed, macs, shortCode } = await proofs(offer, relay, device, link?.secret);
  const possession = await sign(signing.privateKey, possessed);
  return {
    relay,
    identity: offer.publicKey,
    label: offer.enforcerLabel,
    place: offer.workspaceName,
    device,
    keys: { signing: signing.privateKey, agreement: agreement.privateKey },
    expected: macs && base64url(macs.enforcer),
    nonce: offer.nonce,
    shortCode,
    idempotencyKey: base64url(random(24)),
    body: {
      nonce: offer.nonce, approverId: device.approverId, deviceId: device.deviceId, publicKey: device.kxPub,
      signingKey: device.signPub, signerKeyId: device.kid, approverNonce: device.approverNonce,
      possession: base64url(possession), ...(macs && { mac: base64url(macs.approver) }),
      capabilities: device.capabilities },
  };
}

/**
 * Returns what proves to both sides that they have seen the same: it is made of the transcript.
 *
 * @param offer what the relay has resolved
 * @param {string} relay the relay's URL
 * @param device the device's ids and public keys
 * @param {Uint8Array} [secret] the link's
 */
export async function proofs(offer, relay, device, secret) {
  const transcript = utf8(canonical({
    v: 'bridle-harp-pair-1', relay, nonce: offer.nonce, enforcerId: offer.enforcerId, enforcerKey: offer.publicKey,
    enforcerLabel: offer.enforcerLabel, workspaceName: offer.workspaceName, ...device }));
  const hash = await sha256(transcript);
  return {
    hash,
    possessed: concat(utf8(`${PROOF}\0approver\0`), hash),
    macs: secret && await macsOf(secret, offer.nonce, hash),
    shortCode: shortCode(await sha256(concat(utf8('BRIDLE-HARP-SAS-V1\0'), transcript))),
  };
}

async function macsOf(secret, nonce, hash) {
  const keys = await derived(secret, fromBase64url('nonce', nonce), PROOF, 64);
  return {
    approver: await hmac(keys.subarray(0, 32), concat(utf8('approver\0'), hash)),
    enforcer: await hmac(keys.subarray(32), concat(utf8('enforcer\0'), hash)),
  };
}

function shortCode(bytes) {
  const bits = Array.from(bytes.subarray(0, 10), (byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.match(/.{5}/g).map((five) => CROCKFORD[parseInt(five, 2)]).join('').match(/.{4}/g).join('-');
}

/**
 * Checks what the server has answered.
 *
 * @param pending what was prepared
 * @param answer the answer, or the status of the pairing, with an enrolment
 * @returns the device as it is kept
 */
export async function completed(pending, answer, token) {
  const { device } = pending;
  if (pending.expected && answer.confirmation !== pending.expected) {
    throw new Error('The server could not prove that it has shown the link.');
  }
  const { enrolment, signature } = answer.enrolment ?? {};
  if (!enrolment) throw new Error('The server has not said whom it has enrolled.');
  const isOwn = enrolment.approver_id === device.approverId && enrolment.signer_key_id === device.kid
    && enrolment.signing_key === device.signPub && enrolment.agreement_key === device.kxPub;
  const isSigned = signature !== undefined && await verifies(
    fromBase64url('the key', pending.identity, 32), fromBase64url('the signature', signature.signature, 64),
    utf8(canonical(enrolment)));
  if (!isOwn || !isSigned) throw new Error('The server has enrolled other keys than those of this phone.');
  return {
    relay: pending.relay, identity: pending.identity, label: pending.label, place: pending.place,
    keys: pending.keys, token, principal: enrolment.principal, approvalDeviceId: answer.approvalDeviceId, ...device };
}
