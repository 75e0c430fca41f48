import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base64url, fromBase64url, text, utf8 } from '../../main/resources/dev/bridle/pages/approve/bytes.mjs';
import { canonical, parseObject } from '../../main/resources/dev/bridle/pages/approve/canonical.mjs';
import { sha256Hex } from '../../main/resources/dev/bridle/pages/approve/crypto.mjs';
import { Pins } from '../../main/resources/dev/bridle/pages/approve/pins.mjs';
import { isOfServer } from '../../main/resources/dev/bridle/pages/approve/question.mjs';
import { open } from '../../main/resources/dev/bridle/pages/approve/seal.mjs';
import { copy, envelope, privateKey, vectors } from './vectors.mjs';

const { device, issuer, enforcer } = vectors.keys;
const agreement = await privateKey('X25519', device.agreementSecret);
const [plain, extended] = vectors.artifacts;

test('canonical JSON is that of the vectors', async () => {
  for (const one of vectors.canonical) {
    assert.equal(canonical(JSON.parse(one.json)), one.canonical);
    assert.equal(await sha256Hex(one.canonical), one.sha256);
  }
});

test('what implementations disagree about has no canonical form', () => {
  for (const value of [{ a: null }, { a: 1.5 }, { a: 2 ** 53 }, { a: -0 }, { a: '\ud800' }, { '\ud800': 1 }]) {
    assert.throws(() => canonical(value), undefined, JSON.stringify(value));
  }
  let nested = {};
  for (let depth = 0; depth < 65; depth++) nested = { nested };
  assert.throws(() => canonical(nested), /nested/);
  assert.throws(() => parseObject('it', '[]'), /no object/);
});

test('bytes have one spelling', () => {
  assert.deepEqual([...fromBase64url('it', 'AAE')], [0, 1]);
  for (const spelled of ['AAE=', 'AAF', 'A', 'A+/A', ' AAE', undefined, null, 5]) {
    assert.throws(() => fromBase64url('it', spelled), undefined, String(spelled));
  }
  assert.throws(() => fromBase64url('it', 'AAE', 3));
  assert.throws(() => text(Uint8Array.of(0xff)));
  assert.equal(text(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)), '\ufeffa');
});

test('sealed artifacts open', async () => {
  for (const one of vectors.artifacts) assert.deepEqual(await open(envelope(one), agreement), one.document);
});

test('an artifact that was changed does not open', async () => {
  const changes = {
    ciphertext: (message) => { message.body.ciphertext.data = `A${message.body.ciphertext.data.slice(1)}`; },
    tag: (message) => { message.body.ciphertext.tag = plain.relayed.tag.replace(/^./, 'A'); },
    algorithm: (message) => { message.body.ciphertext.alg = 'AES-256-GCM'; },
    derivation: (message) => { message.body.ciphertext.kdf = 'X25519'; },
    label: (message) => { message.body.ciphertext.info = 'HARP-XCHACHA-EXTENSIONS-V1'; },
    'key of small order': (message) => { message.body.ciphertext.heKxPub = base64url(new Uint8Array(32)); },
    'other request': (message) => { message.requestId = 'harp_other'; },
    'other hash': (message) => { message.body.artifactHash = 'sha256:00'; },
    'no extensions': (message) => { delete message.body.ciphertext.extensions; },
    'changed extensions': (message) => { message.body.ciphertext.extensions.tag = plain.relayed.tag; },
    'nothing sealed': (message) => { delete message.body.ciphertext; },
    header: (message) => changeHeader(message, (header) => { header.expiresAt = '2027-02-21T12:10:00Z'; }),
    'unknown member of the header': (message) => changeHeader(message, (header) => { header.payload = {}; }),
    'member that is not hashed': (message) => changeHeader(message, (header) => { header.sessionId = 's'; }),
    'extensions twice': (message) => changeHeader(message, (header) => { header.extensions = {}; }),
  };
  for (const [name, change] of Object.entries(changes)) {
    const message = envelope(extended);
    change(message);
    await assert.rejects(open(message, agreement), undefined, name);
  }
});

function changeHeader(message, change) {
  const header = JSON.parse(text(fromBase64url('aad', message.body.ciphertext.aad)));
  change(header);
  message.body.ciphertext.aad = base64url(utf8(JSON.stringify(header)));
}

const pinned = ({ publicKey }) => new Pins({ identity: publicKey }).known;

test('the issuer is verified', async () => {
  for (const one of vectors.artifacts) {
    assert.equal(await isOfServer(one.document, pinned(issuer)), true);
    assert.equal(await isOfServer(one.document, pinned(enforcer)), false);
  }
});

test('what the issuer has not signed is not the server’s', async () => {
  const changes = {
    payload: (artifact) => { artifact.payload.prompt = 'Deploy nothing?'; },
    header: (artifact) => { artifact.repoRef = 'bridle:workspace/other'; },
    extensions: (artifact) => { artifact.extensions = {}; },
    'no issuer': (artifact) => { delete artifact.payload.issuer; },
    'issuer that is none': (artifact) => { artifact.payload.issuer = 'bridle'; },
    algorithm: (artifact) => { artifact.payload.issuer.algorithm = 'none'; },
    'key id': (artifact) => { artifact.payload.issuer.key_id = device.signerKeyId; },
    signature: (artifact) => { artifact.payload.issuer.signature = extended.document.payload.issuer.signature; },
    'signature that is none': (artifact) => { artifact.payload.issuer.signature = '?'; },
    'no time': (artifact) => { artifact.payload.issuer.signed_at = 'yesterdayZ'; },
    'time elsewhere': (artifact) => { artifact.payload.issuer.signed_at = '2026-02-21T12:00:00+01:00'; },
    'unknown member': (artifact) => { artifact.payload.issuer.more = 1; },
  };
  for (const [name, change] of Object.entries(changes)) {
    const artifact = copy(plain.document);
    change(artifact);
    assert.equal(await isOfServer(artifact, pinned(issuer)), false, name);
  }
});
