import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base64url, fromBase64url, random, utf8 } from '../../main/resources/dev/bridle/pages/approve/bytes.mjs';
import { canonical } from '../../main/resources/dev/bridle/pages/approve/canonical.mjs';
import {
  agreementKeys, derived, publicBytes, shared, sign,
} from '../../main/resources/dev/bridle/pages/approve/crypto.mjs';
import { Notices, signedNotice } from '../../main/resources/dev/bridle/pages/approve/notices.mjs';
import { Refused, Unreachable } from '../../main/resources/dev/bridle/pages/approve/relay.mjs';
import { xchacha20poly1305 } from '../../main/resources/dev/bridle/pages/approve/vendor/noble-ciphers/xchacha20poly1305.js';
import { noticed } from '../../main/resources/dev/bridle/pages/approve/words.mjs';
import { copy, privateKey, vectors } from './vectors.mjs';

const { issuer } = vectors.keys;
const signing = await privateKey('Ed25519', issuer.seed);
const own = await agreementKeys();
const device = { approverId: 'phone-7', identity: issuer.publicKey, keys: { agreement: own.privateKey } };
const keyOf = async () => fromBase64url('the key', issuer.publicKey, 32);
const INFO = 'BRIDLE-HARP-NOTICE-V1';

const statement = (more = {}) => ({
  format: 'bridle-notice-1', tenant_id: 'default', notice_id: 'notice_1', kind: 'device_enrolled',
  approver_id: 'phone-7', at: '2026-11-25T10:00:00.125Z',
  device: { id: 'approval_device_2', name: 'Ben’s phone', principal: 'ben', fingerprint: `sha256:${'0'.repeat(64)}` },
  ...more });

async function signed(said, key = signing) {
  return { statement: said, signature: { signature: base64url(await sign(key, utf8(canonical(said)))) } };
}

/** Seals a notice as the server does. */
async function sealed(notice, { to = own, approverId = 'phone-7', info = INFO } = {}) {
  const once = await agreementKeys();
  const [salt, nonce] = [random(16), random(24)];
  const key = await derived(await shared(once.privateKey, await publicBytes(to.publicKey)), salt, info);
  const msgId = notice.statement?.notice_id ?? 'notice_1';
  const box = xchacha20poly1305(key, nonce, utf8(canonical({ approverId, msgId }))).encrypt(utf8(canonical(notice)));
  return {
    msgId, alg: 'XChaCha20-Poly1305', kdf: 'X25519+HKDF-SHA256', info,
    heKxPub: base64url(await publicBytes(once.publicKey)), salt: base64url(salt), nonce: base64url(nonce),
    data: base64url(box.slice(0, -16)), tag: base64url(box.slice(-16)) };
}

/** A store in memory, and a relay that acknowledges unless a test says otherwise. */
class Ends {
  kept = [];
  acknowledged = [];
  fails = undefined;

  store = {
    notices: async () => copy(this.kept),
    changeNotices: async (change) => {
      this.kept = copy(change(copy(this.kept)));
      return copy(this.kept);
    },
  };

  relay = {
    acknowledge: async (id, approverId) => {
      if (this.fails !== undefined) throw this.fails;
      this.acknowledged.push([id, approverId, this.kept.length]);
    },
  };

  async opened() {
    const notices = new Notices(device, this.relay, this.store, keyOf);
    await notices.restore();
    return notices;
  }
}

const ids = (notices) => notices.shown.map((one) => one.notice_id);

test('a notice that the server has signed is shown', async () => {
  assert.deepEqual(await signedNotice(await sealed(await signed(statement())), device, keyOf), statement());
});

test('what the server has not signed for this phone is not shown', async () => {
  const other = await privateKey('Ed25519', vectors.keys.device.signingSeed);
  const changed = await signed(statement());
  changed.statement = statement({ device: { ...statement().device, name: 'My own phone' } });
  const attacks = {
    'another key': sealed(await signed(statement(), other)),
    'a changed name': sealed(changed),
    'no signature': sealed({ statement: statement() }),
    'a signature that is none': sealed({ statement: statement(), signature: { signature: '?' } }),
    'no statement': sealed({ signature: { signature: '' } }),
    'another approver': sealed(await signed(statement({ approver_id: 'phone-8' }))),
    'sealed for another approver': sealed(await signed(statement()), { approverId: 'phone-8' }),
    'sealed for another phone': sealed(await signed(statement()), { to: await agreementKeys() }),
    'sealed as the payload of a question': sealed(await signed(statement()), { info: 'HARP-XCHACHA-PAYLOAD-V1' }),
    'a statement of another kind': sealed(await signed(statement({ format: 'bridle-question-end-1' }))),
    'an unknown kind': sealed(await signed(statement({ kind: 'pay' }))),
    'under another id': sealed(await signed(statement())).then((one) => ({ ...one, msgId: 'notice_2' })),
    'another algorithm': sealed(await signed(statement())).then((one) => ({ ...one, alg: 'none' })),
    'in the clear': signed(statement()),
    nothing: null,
    'a text': 'notice',
  };
  const ends = new Ends();
  const notices = await ends.opened();
  for (const [name, attack] of Object.entries(attacks)) {
    assert.equal(await signedNotice(await attack, device, keyOf), undefined, name);
    await notices.take([await attack]);
  }
  assert.deepEqual([notices.shown, ends.kept, ends.acknowledged], [[], [], []]);
});

test('a notice is kept before it is acknowledged, and stays until it is dismissed', async () => {
  const ends = new Ends();
  const notices = await ends.opened();
  await notices.take([await sealed(await signed(statement()))]);
  assert.deepEqual(ends.acknowledged, [['notice_1', 'phone-7', 1]]);
  assert.deepEqual(ids(notices), ['notice_1']);
  const reloaded = await ends.opened();
  assert.deepEqual(ids(reloaded), ['notice_1']);
  await reloaded.dismiss('notice_1');
  assert.deepEqual(ids(reloaded), []);
  assert.deepEqual(ids(await ends.opened()), []);
});

test('one that comes again is shown once, also after it was dismissed, and acknowledged again', async () => {
  const ends = new Ends();
  const notices = await ends.opened();
  const one = await sealed(await signed(statement()));
  ends.fails = new Unreachable();
  await assert.rejects(notices.take([one]), ends.fails);
  assert.deepEqual(ids(notices), ['notice_1']);
  await notices.dismiss('notice_1');
  ends.fails = undefined;
  await notices.take([one, one]);
  assert.deepEqual(ids(notices), []);
  assert.equal(ends.acknowledged.length, 2);
});

test('one that the server has forgotten keeps back no other', async () => {
  const ends = new Ends();
  const notices = await ends.opened();
  ends.fails = new Refused(404);
  await notices.take([
    await sealed(await signed(statement())), await sealed(await signed(statement({ notice_id: 'notice_2' })))]);
  assert.deepEqual(ids(notices), ['notice_1', 'notice_2']);
});

test('a test takes the place of the last one, and of nothing else', async () => {
  const ends = new Ends();
  const notices = await ends.opened();
  const said = [statement(), ...[2, 3].map((n) => {
    const { device: unused, ...rest } = statement({ notice_id: `notice_${n}`, kind: 'test' });
    return rest;
  })];
  const all = await Promise.all(said.map(async (one) => sealed(await signed(one))));
  await notices.take(all);
  assert.deepEqual(ids(notices), ['notice_1', 'notice_3']);
  await notices.take([all[1]]);
  assert.deepEqual(ids(notices), ['notice_1', 'notice_3']);
});

test('what is kept of dismissed ones is bounded, and what was not dismissed stays', async () => {
  const ends = new Ends();
  ends.kept = Array.from({ length: 150 }, (_, n) =>
    ({ statement: statement({ notice_id: `notice_${n + 100}` }), isDismissed: n !== 0 }));
  const notices = await ends.opened();
  await notices.take([await sealed(await signed(statement()))]);
  assert.equal(ends.kept.length, 102);
  assert.deepEqual(ids(notices), ['notice_100', 'notice_1']);
});

const spelled = (said) => noticed(said).map((line) => line.map((part) => part.exact ?? part).join(''));

test('a notice says which phone, whose, when, and what to do', () => {
  const now = new Date().toISOString();
  const [first, second, third] = spelled(statement({ at: now }));
  assert.match(first, /^New phone Ben’s phone for ben, paired .*\d\d.*\.$/);
  assert.equal(second, 'Not yours? Run bridle phone remove approval_device_2 at the computer.');
  assert.match(third, /^Its key: sha256:0+$/);
  assert.match(spelled({ kind: 'test', at: now })[0], /^Test from your server, .*\d\d/);
  const { name: unused, ...nameless } = statement().device;
  assert.match(spelled(statement({ device: nameless }))[0], /^New phone without a name for ben/);
});

test('a name is a text of its own, whatever it has', () => {
  const named = (name) => noticed(statement({ device: { ...statement().device, name } }))[0];
  const markup = '<img src=x onerror=alert(1)>';
  assert.deepEqual(named(markup)[1], { exact: markup });
  assert.deepEqual(named('a\u202eb\u0000')[1], { exact: 'a⟨U+202E⟩b⟨U+0000⟩' });
  const long = named('x'.repeat(300_000))[1].exact;
  assert.ok(long.length < 250 && long.includes('(300000 characters)'), long);
  assert.deepEqual(named(7)[1], { exact: '7' });
});

test('a notice with a name of 300 kB is opened, and kept', async () => {
  const ends = new Ends();
  const notices = await ends.opened();
  const said = statement({ device: { ...statement().device, name: '\u202e'.repeat(100_000) } });
  await notices.take([await sealed(await signed(said))]);
  assert.deepEqual(ids(notices), ['notice_1']);
});
