import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base64url, fromBase64url, hex, utf8 } from '../../main/resources/dev/bridle/pages/approve/bytes.mjs';
import { canonical } from '../../main/resources/dev/bridle/pages/approve/canonical.mjs';
import { sign, thumbprint, verifies } from '../../main/resources/dev/bridle/pages/approve/crypto.mjs';
import {
  completed, parseCode, parseLink, prepare, proofs,
} from '../../main/resources/dev/bridle/pages/approve/pairing.mjs';
import { privateKey, vectors } from './vectors.mjs';

const { pairing, keys } = vectors;
const { relay } = pairing.offer;
const offer = { ...pairing.offer, publicKey: pairing.offer.enforcerKey, expiresAt: '2026-02-21T12:10:00Z' };
const secret = fromBase64url('the secret', pairing.secret);
const TEXT = pairing.qrWithoutTls.text;
const enforcer = await privateKey('Ed25519', keys.enforcer.seed);

test('the proofs are those of the vectors', async () => {
  const made = await proofs(offer, relay, pairing.device, secret);
  assert.equal(hex(made.hash), pairing.transcriptHash);
  assert.equal(hex(made.possessed), pairing.possessionMessageHex);
  assert.equal(base64url(made.macs.approver), pairing.approverMac);
  assert.equal(base64url(made.macs.enforcer), pairing.enforcerMac);
  assert.equal(made.shortCode, pairing.shortCodeShown);
  const signing = await privateKey('Ed25519', keys.device.signingSeed);
  assert.equal(base64url(await sign(signing, made.possessed)), pairing.possession);
});

test('a key has its thumbprint', async () => {
  assert.equal(await thumbprint(fromBase64url('it', keys.device.signingKey)), keys.device.signerKeyId);
});

test('a link is read', () => {
  for (const link of [TEXT, `#${TEXT}`, `http://127.0.0.1:8085/approve/#${TEXT}`]) {
    const read = parseLink(link);
    assert.equal(read.relay, pairing.qrWithoutTls.relay);
    assert.equal(read.nonce, pairing.offer.nonce);
    assert.deepEqual(read.secret, secret);
    assert.equal(hex(read.identity), keys.enforcer.fingerprint.slice('sha256:'.length));
  }
});

test('another link is refused', () => {
  const members = TEXT.slice(TEXT.indexOf('?') + 1).split('&');
  const links = [
    '', 'harp-pair:1', 'harp-pair:1?', 'https://example.org/', TEXT.replace(':1?', ':2?'), `${TEXT}&g=x`, `${TEXT}&x=y`,
    `${TEXT}?x`, `${TEXT}=`, `${TEXT}&`, `${TEXT}A`, TEXT.replace(/n=[^&]*/, 'n='), TEXT.replace(/n=[^&]*/, 'n=AAAA'),
    TEXT.replace(/n=[^&]*/, 'n=..%2F..%2F'), TEXT.replace('g=http', 'g=%'), `${TEXT}&${members[0]}`,
    `harp-pair:1?g=${'x'.repeat(4096)}&${members.slice(1).join('&')}`, pairing.qr.text,
    ...members.map((member) => `harp-pair:1?${members.filter((one) => one !== member).join('&')}`),
  ];
  for (const link of links) {
    assert.throws(() => parseLink(link), (e) => /link/.test(e.message) && !(e instanceof URIError), link);
  }
});

test('a code is read as people type it', () => {
  assert.equal(parseCode(' abcd-oiL8 '), 'ABCD0118');
  for (const typed of ['', 'ABCD', 'ABCDEFGHJ', 'ABCDEFGU', 'ABCD/FGH']) {
    assert.equal(parseCode(typed), undefined, typed);
  }
});

test('another server than that of the link is refused', async () => {
  const link = parseLink(TEXT);
  await assert.rejects(prepare({ ...offer, publicKey: keys.issuer.publicKey }, relay, link), /another one/);
  await assert.rejects(prepare({ ...offer, nonce: 'AAECAwQFBgcICQoLDA0OEA' }, relay, link), /another one/);
});

/** Returns what a server answers that has enrolled a phone. */
async function enrolled(pending, change = (enrolment) => enrolment, key = enforcer) {
  const { device } = pending;
  const enrolment = change({
    format: 'bridle-enrolment-1', principal: 'ada', approver_id: device.approverId, signer_key_id: device.kid,
    signing_key: device.signPub, agreement_key: device.kxPub });
  const signature = base64url(await sign(key, utf8(canonical(enrolment))));
  const signed = { enrolment, signature: { signature } };
  return { confirmation: pending.expected, approvalDeviceId: 'apdev_1', enrolment: signed };
}

test('a pairing is completed, by link and by code', async () => {
  for (const link of [parseLink(TEXT), undefined]) {
    const pending = await prepare(offer, relay, link);
    assert.equal(pending.body.mac === undefined, link === undefined);
    const made = await proofs(offer, relay, pending.device, link?.secret);
    const [key, possession] = [pending.body.signingKey, pending.body.possession].map((it) => fromBase64url('it', it));
    assert.equal(await verifies(key, possession, made.possessed), true);
    const device = await completed(pending, await enrolled(pending), 'token');
    assert.equal(device.principal, 'ada');
    assert.equal(device.identity, offer.publicKey);
    assert.equal(device.token, 'token');
    assert.equal(device.keys.signing.extractable, false);
    assert.equal(device.keys.agreement.extractable, false);
  }
});

test('an enrolment of something else is refused', async () => {
  const pending = await prepare(offer, relay, parseLink(TEXT));
  const good = await enrolled(pending);
  const bad = {
    'no confirmation': { ...good, confirmation: undefined },
    'another confirmation': { ...good, confirmation: pairing.enforcerMac },
    'no enrolment': { ...good, enrolment: undefined },
    'no signature': { ...good, enrolment: { enrolment: good.enrolment.enrolment } },
    'another person': {
      ...good, enrolment: { ...good.enrolment, enrolment: { ...good.enrolment.enrolment, principal: 'eve' } } },
    'another key': await enrolled(pending, (one) => ({ ...one, signing_key: keys.device.signingKey })),
    'another agreement key': await enrolled(pending, (one) => ({ ...one, agreement_key: keys.device.agreementKey })),
    'another signer': await enrolled(pending, undefined, await privateKey('Ed25519', keys.issuer.seed)),
  };
  for (const [name, answer] of Object.entries(bad)) {
    await assert.rejects(completed(pending, answer, 'token'), undefined, name);
  }
});
