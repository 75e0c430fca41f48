import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Refused, Relay, Unreachable } from '../../main/resources/dev/bridle/pages/approve/relay.mjs';

const { fetch } = globalThis;
afterEach(() => { globalThis.fetch = fetch; });

/** Has calls answered, and returns them. */
function answering(...answers) {
  const calls = [];
  globalThis.fetch = async (url, init) => {
    calls.push({ url, ...init });
    const next = answers.shift();
    if (next instanceof Error) throw next;
    return next;
  };
  return calls;
}

const relay = new Relay('/base', 'token');
const json = (body, status = 200) => new Response(JSON.stringify(body), { status });
const page = (items, nextCursor) => json({ body: { items, nextCursor } });

test('the inbox is read to its end', async () => {
  const first = { body: { items: [1, 2], nextCursor: 'a/b' }, trace: { 'dev.bridle.notices': [{ msgId: 'notice_1' }] } };
  const calls = answering(json(first), page([3], null));
  assert.deepEqual(await relay.inbox('phone-7'), { items: [1, 2, 3], notices: [{ msgId: 'notice_1' }] });
  assert.deepEqual(calls.map((call) => call.url),
    ['/base/v1/approvers/phone-7/inbox?limit=50', '/base/v1/approvers/phone-7/inbox?limit=50&cursor=a%2Fb']);
  assert.equal(calls[0].headers.authorization, 'Bearer token');
  assert.equal(calls[0].redirect, 'error');
});

test('a notice is acknowledged for no request', async () => {
  const calls = answering(json({}));
  await relay.acknowledge('notice_1', 'phone-7');
  assert.equal(calls[0].url, '/base/v1/acks');
  const { createdAt, body, ...rest } = JSON.parse(calls[0].body);
  assert.deepEqual(rest, { msgType: 'ack.submit', requestId: '-', sender: { approverId: 'phone-7' } });
  assert.deepEqual(body, { msgId: 'notice_1', status: 'received', ackAt: createdAt });
});

test('a pairing has its key, and no token', async () => {
  const calls = answering(json({}));
  await new Relay('/base').complete({ body: { nonce: 'n' }, idempotencyKey: 'key' });
  assert.equal(calls[0].headers['idempotency-key'], 'key');
  assert.equal(calls[0].headers.authorization, undefined);
  assert.equal(calls[0].body, '{"nonce":"n"}');
});

test('a refusal has its status, its code and what the server says', async () => {
  const body = { code: 'HARP_ERR_SCOPE', message: 'Too much.' };
  answering(json({ body }, 403), new Response('<html>', { status: 502 }));
  await assert.rejects(relay.exchange('x'), { status: 403, code: 'HARP_ERR_SCOPE', message: 'Too much.' });
  await assert.rejects(relay.exchange('x'), { status: 502, code: '', message: 'The server answers 502.' });
});

test('what does not arrive whole has not arrived', async () => {
  answering(new TypeError('Failed to fetch'), new Response('{"body":'));
  await assert.rejects(relay.exchange('x'), Unreachable);
  await assert.rejects(relay.exchange('x'), Unreachable);
});

test('events are heard however they are cut', async () => {
  const data = JSON.stringify({ 'event: x': 'y'.repeat(5000) });
  const text = `: begin\n\nevent: approval.request\nid: 1\ndata: ${data}\n\nevent:ping\r\n\n`;
  for (const size of [1, 7, 300, text.length]) {
    const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g'));
    answering(new Response(new ReadableStream({
      start(stream) {
        chunks.forEach((chunk) => stream.enqueue(new TextEncoder().encode(chunk)));
        stream.close();
      },
    })));
    const heard = [];
    await relay.follow('phone-7', (event) => heard.push(event));
    assert.deepEqual(heard, ['open', 'approval.request', 'ping'], String(size));
  }
});

test('a stream that is refused is followed no further', async () => {
  answering(json({}, 401));
  await assert.rejects(relay.follow('phone-7', () => assert.fail()), (e) => e instanceof Refused && e.status === 401);
});
