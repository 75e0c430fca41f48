// The test vectors of docs/harp-device.md, and their keys, which are seeds.
import { readFileSync } from 'node:fs';
import { concat, fromBase64url } from '../../main/resources/dev/bridle/pages/approve/bytes.mjs';

const FILE = new URL('../../../../fixtures/harp/vectors.json', import.meta.url);

export const vectors = JSON.parse(readFileSync(FILE, 'utf8'));

/** What stands before 32 bytes in PKCS #8. */
const PREFIX = { Ed25519: 0x70, X25519: 0x6e };

/** Returns the private key of a seed. */
export function privateKey(name, seed) {
  const head = Uint8Array.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, PREFIX[name], 4, 0x22, 4, 0x20);
  return crypto.subtle.importKey('pkcs8', concat(head, fromBase64url('the seed', seed, 32)), { name }, false,
    [name === 'Ed25519' ? 'sign' : 'deriveBits']);
}

/** Returns a copy that may be changed. */
export const copy = (value) => structuredClone(value);

/** Returns the message that carries an artifact of the vectors. */
export const envelope = (artifact) => ({
  requestId: artifact.document.requestId,
  body: { artifactHash: `sha256:${artifact.document.artifactHash}`, ciphertext: copy(artifact.relayed) },
});
