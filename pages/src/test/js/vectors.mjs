// The test vectors of docs/harp-device.md, and their keys, which are seeds.
import { readFileSync } from 'node:fs';
import { base64url, concat, fromBase64url, utf8 } from '../../main/resources/dev/bridle/pages/approve/bytes.mjs';
import { canonical } from '../../main/resources/dev/bridle/pages/approve/canonical.mjs';
import { sign, thumbprint } from '../../main/resources/dev/bridle/pages/approve/crypto.mjs';

const FILE = new URL('../../../../fixtures/harp/vectors.json', import.meta.url);

export const vectors = JSON.parse(readFileSync(FILE, 'utf8'));

/** What stands before 32 bytes in PKCS #8. */
const PREFIX = { Ed25519: 0x70, X25519: 0x6e };

/** Returns the private key of a seed. */
export function privateKey(name, seed, isExtractable = false) {
  const head = Uint8Array.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, PREFIX[name], 4, 0x22, 4, 0x20);
  return crypto.subtle.importKey('pkcs8', concat(head, fromBase64url('the seed', seed, 32)), { name }, isExtractable,
    [name === 'Ed25519' ? 'sign' : 'deriveBits']);
}

/** Returns a copy that may be changed. */
export const copy = (value) => structuredClone(value);

/** Returns the message that carries an artifact of the vectors. */
export const envelope = (artifact) => ({
  requestId: artifact.document.requestId,
  body: { artifactHash: `sha256:${artifact.document.artifactHash}`, ciphertext: copy(artifact.relayed) },
});

/** Returns a key that signs statements, of a seed of one byte. */
export async function signer(byte) {
  const seed = base64url(new Uint8Array(32).fill(byte));
  const key = await privateKey('Ed25519', seed, true);
  const { x } = await crypto.subtle.exportKey('jwk', key);
  return {
    x,
    id: await thumbprint(fromBase64url('the key', x, 32)),
    sign: async (statement) => base64url(await sign(key, utf8(canonical(statement)))),
  };
}

/**
 * Returns what one key signs of the next one.
 *
 * @param {(statement) => void} [change] changes the statement before it is signed
 */
export async function succession(old, next, change = () => {}) {
  const statement = {
    format: 'bridle-key-succession-1', installation: 'installation_01', old_key_id: old.id,
    signed_at: '2026-03-01T12:00:00Z', new_key: { kty: 'OKP', crv: 'Ed25519', x: next.x, kid: next.id } };
  change(statement);
  return { statement, signature: { algorithm: 'Ed25519', key_id: old.id, signed_at: statement.signed_at,
    signature: await old.sign(statement) } };
}
