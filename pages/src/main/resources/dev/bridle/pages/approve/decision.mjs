// Signs decisions (docs/harp-device.md, "Decision").
import { base64url, concat, fromBase64url, random, utf8 } from './bytes.mjs';
import { canonical } from './canonical.mjs';
import { sha256, sign } from './crypto.mjs';

const ONCE_MILLIS = 5 * 60_000;
const GRANT_MILLIS = 8 * 3_600_000;

/** The grants that end with the session. Others outlast it. */
const OF_SESSION = 'this_action';

/**
 * What a person has chosen. With a salt, the reason is signed.
 *
 * @typedef {{answer: 'allow' | 'deny', grant?: string, option?: string, reason?: string, salt?: string}} Choice
 */

/** Returns a choice whose reason is signed, where the question's server takes that. */
export const salted = (artifact, choice) =>
  choice.reason && Array.isArray(artifact.payload.accepts) && artifact.payload.accepts.includes('reason')
    ? { ...choice, salt: base64url(random(32)) } : choice;

const commitment = async ({ reason, salt }) =>
  base64url(await sha256(concat(utf8('BRIDLE-HARP-REASON-V1\0'), fromBase64url('the salt', salt), utf8(reason))));

/** Returns the time of seconds as documents spell it. */
export const spell = (millis) => new Date(millis).toISOString().replace(/\.\d+Z$/, 'Z');

/** Returns until when a choice counts, in milliseconds. */
export function countsUntil(artifact, choice, now = Date.now()) {
  return Math.min(now + (choice.grant ? GRANT_MILLIS : ONCE_MILLIS), Date.parse(artifact.expiresAt));
}

/**
 * Returns a signed decision.
 *
 * @param artifact what it is about
 * @param {Choice} choice
 * @param device this phone
 */
export async function decide(artifact, choice, device, now = Date.now()) {
  const hints = {};
  if (choice.option) hints['dev.bridle.option'] = choice.option;
  if (choice.grant) hints['dev.bridle.grant'] = choice.grant;
  if (choice.salt) hints['dev.bridle.reason'] = await commitment(choice);
  const scope = !choice.grant ? 'once' : choice.grant === OF_SESSION ? 'session' : 'timebox';
  if (scope === 'session') hints.sessionId = artifact.sessionId ?? artifact.payload.sessionId;
  const decision = {
    requestId: artifact.requestId, artifactHashAlg: 'SHA-256', artifactHash: artifact.artifactHash,
    repoRef: artifact.repoRef, decision: choice.answer, scope,
    expiresAt: spell(countsUntil(artifact, choice, now)), nonce: base64url(random(16)), sigAlg: 'Ed25519',
    signerKeyId: device.kid, ...(Object.keys(hints).length > 0 && { policyHints: hints }) };
  const signature = await sign(device.keys.signing, utf8(canonical(decision)));
  return { ...decision, signature: base64url(signature) };
}

/** Returns the message that carries a decision about an artifact of another enforcer over the relay. */
export function message(decision, choice, device, now = Date.now()) {
  return {
    msgType: 'decision.submit', requestId: decision.requestId, createdAt: spell(now), expiresAt: decision.expiresAt,
    sender: { approverId: device.approverId },
    body: {
      artifactHash: `sha256:${decision.artifactHash}`, decision: choice.answer === 'allow' ? 'approve' : 'reject',
      signerKeyId: decision.signerKeyId, nonce: decision.nonce, signature: decision.signature,
      ...(choice.reason && { reason: choice.reason }) },
    trace: { 'dev.bridle.decision': decision, ...(choice.salt && { 'dev.bridle.reasonSalt': choice.salt }) } };
}

/** Returns what carries a decision to the server that asks: with a reason, an envelope around it. */
export function enveloped(decision, choice, device, now = Date.now()) {
  if (!choice.reason) return decision;
  return {
    envelopeId: decision.nonce, msgType: 'decision.submit', createdAt: spell(now),
    sender: { actor: 'MA', deviceId: device.approverId }, recipient: { actor: 'HE', deviceId: 'bridle' },
    body: decision,
    trace: { 'dev.bridle.reason': choice.reason, ...(choice.salt && { 'dev.bridle.reasonSalt': choice.salt }) } };
}
