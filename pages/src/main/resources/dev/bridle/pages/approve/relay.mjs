// Calls of the server that has served this page.

const TIMEOUT_MILLIS = 30_000;

/** A stream has a ping each 30 seconds: one that is silent for longer has broken without a word. */
const SILENT_MILLIS = 75_000;

/** The most of an unfinished line that is kept: only the names of events are read, and lines of data are long. */
const LONGEST_NAME = 200;

/** A refusal of the server, with what it says. */
export class Refused extends Error {
  constructor(status, body) {
    super(body?.body?.message ?? body?.error?.message ?? `The server answers ${status}.`);
    this.status = status;
    this.code = body?.body?.code ?? '';
  }
}

/** The server can't be reached: it may be off, or this phone may be offline. */
export class Unreachable extends Error {
  constructor() {
    super('The server can’t be reached.');
  }
}

export class Relay {
  /**
   * @param {string} base the server's URL, without a slash at the end
   * @param {string} [token] the token of this phone
   */
  constructor(base, token) {
    this.base = base;
    this.token = token;
  }

  resolve = (codeOrNonce) => this.#call('GET', `/v1/pairing/resolve/${encodeURIComponent(codeOrNonce)}`);

  complete = (pending) =>
    this.#call('POST', '/v1/pairing/complete', pending.body, { 'idempotency-key': pending.idempotencyKey });

  pairing = (nonce) => this.#call('GET', `/v1/pairing/${encodeURIComponent(nonce)}/status`);

  exchange = (requestId) => this.#call('GET', `/v1/exchanges/${encodeURIComponent(requestId)}`);

  /** Returns the server's keys, and how they follow each other. */
  keys = () => this.#call('GET', '/v1/enforcers/bridle/keys');

  /** Decides a question of the server itself: an invalid decision is refused, and changes nothing. */
  decideOwn = (decision) => this.#call('POST', '/v1/decision', decision);

  decide = (message) => this.#call('POST', '/v1/decisions', message);

  /** Says that a notice has arrived and is kept. */
  acknowledge = (msgId, approverId) => {
    const now = new Date().toISOString();
    return this.#call('POST', '/v1/acks', {
      msgType: 'ack.submit', requestId: '-', createdAt: now, sender: { approverId },
      body: { msgId, status: 'received', ackAt: now } });
  };

  /** Returns all pending approval.request messages, and the sealed notices of the server. */
  async inbox(approverId) {
    const items = [];
    const notices = [];
    let cursor = null;
    do {
      const at = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = await this.#call('GET', `/v1/approvers/${encodeURIComponent(approverId)}/inbox?limit=50${at}`);
      items.push(...page.body.items);
      notices.push(...page.trace?.['dev.bridle.notices'] ?? []);
      cursor = page.body.nextCursor ?? null;
    } while (cursor !== null);
    return { items, notices };
  }

  /**
   * Follows what comes, until the stream ends.
   *
   * @param {(event: string) => void} heard called at the start, and with each event
   */
  async follow(approverId, heard, signal) {
    const response = await this.#fetch('GET', `/v1/sse/approvers/${encodeURIComponent(approverId)}`, undefined,
      { accept: 'text/event-stream' }, signal);
    if (!response.ok) throw new Refused(response.status, await body(response));
    heard('open');
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const silent = setTimeout(() => reader.cancel().catch(() => {}), SILENT_MILLIS);
      const { done, value } = await reader.read().finally(() => clearTimeout(silent));
      if (done) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop().slice(0, LONGEST_NAME);
      for (const line of lines) {
        if (line.startsWith('event:')) heard(line.slice(6).trim());
      }
    }
  }

  async #call(method, path, content, headers = {}) {
    const response = await this.#fetch(method, path, content, headers, AbortSignal.timeout(TIMEOUT_MILLIS));
    const said = await body(response);
    if (!response.ok) throw new Refused(response.status, said);
    if (said === null) throw new Unreachable(); // The answer broke off.
    return said;
  }

  async #fetch(method, path, content, headers, signal) {
    try {
      return await fetch(this.base + path, {
        method, signal, cache: 'no-store', credentials: 'omit', redirect: 'error',
        headers: {
          ...headers,
          ...(this.token && { authorization: `Bearer ${this.token}` }),
          ...(content && { 'content-type': 'application/json' }) },
        ...(content && { body: JSON.stringify(content) }) });
    } catch {
      throw new Unreachable();
    }
  }
}

async function body(response) {
  try {
    return await response.json();
  } catch {
    return null;
  }
}
