// The screens about this phone: whether its browser can be used, its pairing, and its keys.
import { fromBase64url, hex } from './bytes.mjs';
import { sha256 } from './crypto.mjs';
import { button, el, fact, fill, focusOn, heading } from './dom.mjs';
import { completed, parseCode, parseLink, prepare } from './pairing.mjs';
import { pinned } from './pins.mjs';
import { Refused, Relay } from './relay.mjs';
import { visible } from './text.mjs';
import { isFinal, pairingFailure } from './words.mjs';

const POLL_MILLIS = 2000;

/** Returns the screen of a browser that can't do what is needed. */
export function unsupportedView() {
  const title = heading('This browser can’t be used');
  return {
    heading: title,
    node: el('div', {}, title,
      el('p', {}, 'Answers are signed in the browser, which needs Chrome 137, Firefox 130 or Safari 17, or later.'),
      el('p', {}, 'The page must be opened by HTTPS or on localhost, and not in a private window that keeps nothing.'),
      !globalThis.isSecureContext && el('p', { class: 'warning' }, 'This page was opened by plain HTTP.')),
  };
}

/** Returns the screen that says that the server does not know this phone any more. */
export function removedView() {
  const title = heading('This phone was removed');
  return {
    heading: title,
    node: el('div', {}, title,
      el('p', {}, 'The server takes no answers of this phone any more. If you have not removed it, ask who runs the'
        + ' server.'),
      el('p', {}, 'To pair it again, run “bridle phone add” at the computer.'),
      el('p', {}, el('a', { href: '#/pair', class: 'target' }, 'Pair again'))),
  };
}

const fingerprint = async (key) => `sha256:${hex(await sha256(fromBase64url('the key', key, 32)))}`;

/**
 * Returns the screen about this phone.
 *
 * @param app
 */
export function phoneView(app) {
  const { device } = app;
  const title = heading('This phone');
  const facts = [['Answers as', 'principal'], ['Server', 'relay'], ['Its name', 'label'], ['Place', 'place'],
    ['Id at the server', 'approvalDeviceId']];
  const [own, servers] = [el('span'), el('span')];
  fingerprint(device.signPub).then((text) => { own.textContent = text; });
  pinned(device).then((pins) => fingerprint(pins.at(-1).x)).then((text) => { servers.textContent = text; });
  const forgetting = el('div', {}, button('Forget this phone', () => {
    const sure = el('p', { class: 'warning' }, 'The keys of this phone are deleted, and can’t be brought back. Answers'
      + ' that were not sent are lost. “bridle phone remove” at the computer ends the rights of this phone.');
    fill(forgetting, sure,
      button('Forget it', (event) => {
        // The second tap of two was meant for the first button.
        if (event.detail > 1) return;
        event.currentTarget.disabled = true;
        app.forget();
      }, { class: 'large reject' }),
      button('Cancel', () => app.show()));
    focusOn(sure);
  }, { class: 'large' }));
  return {
    heading: title,
    node: el('div', {}, title,
      el('dl', { class: 'rows' },
        facts.map(([name, member]) => fact(name, visible(String(device[member])))),
        fact('Key of this phone', own), fact('Key of the server', servers)),
      el('p', {}, '“bridle phone list” at the computer shows the key of each phone.'),
      forgetting),
  };
}

/** The screens that pair this phone. */
export class PairingView {
  #app;
  #place = el('div');
  #isClosed = false;

  /**
   * @param app
   * @param {{pending?: object, link?: string}} begun what was prepared, or the link with which the page was opened
   */
  constructor(app, { pending, link }) {
    this.#app = app;
    this.heading = heading('Pair this phone');
    this.node = el('div', {}, this.heading, this.#place);
    if (link !== undefined) this.#read(link);
    else if (pending !== undefined) this.#complete(pending);
    else this.#ask();
  }

  close() {
    this.#isClosed = true;
  }

  #put(...children) {
    if (!this.#isClosed) fill(this.#place, ...children);
  }

  #ask(fault = '', typed = '') {
    const field = el('input', {
      id: 'code', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', maxlength: '4500',
      'aria-describedby': 'code-help' });
    field.value = typed;
    const go = () => {
      if (/harp-pair:/i.test(field.value)) return this.#read(field.value.trim());
      const code = parseCode(field.value);
      if (code === undefined) return this.#ask('This is neither a code of 8 characters nor a link.', field.value);
      return this.#resolve(code);
    };
    field.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') go();
    });
    const said = fault !== '' && el('p', { class: 'warning', role: 'alert' }, visible(fault));
    this.#put(said,
      el('p', { id: 'code-help' }, 'Run “bridle phone add” at the computer, and scan the code that it shows. If this'
        + ' phone can’t scan it, type the 8 characters below it, or paste the link.'),
      el('label', { for: 'code' }, 'Code or link'), field,
      button('Continue', go, { class: 'large' }), this.#leave());
    if (fault !== '') focusOn(field);
  }

  /** A phone that is paired can keep its pairing. */
  #leave = () => this.#app.device !== undefined && button('Keep the pairing as it is', () => this.#forgotten('#/'));

  #read(text) {
    let link;
    try {
      link = parseLink(text);
    } catch (e) {
      this.#ask(e.message);
      return;
    }
    if (link.relay !== this.#app.base) {
      this.#ask(`This link is for another server, ${link.relay}, and this page is of ${this.#app.base}. Open the link`
        + ' itself in the browser.');
      return;
    }
    this.#resolve(link.nonce, link);
  }

  async #resolve(codeOrNonce, link) {
    this.#put(el('p', { role: 'status' }, 'Asking the server…'));
    try {
      this.#confirm(await new Relay(this.#app.base).resolve(codeOrNonce), link);
    } catch (e) {
      this.#failed(e, () => this.#resolve(codeOrNonce, link));
    }
  }

  /** Shows whose server it is. */
  #confirm(offer, link) {
    const { device, base } = this.#app;
    const pair = button(device === undefined ? 'Pair this phone' : 'Replace the pairing', async () => {
      pair.disabled = true;
      try {
        const pending = await prepare(offer, base, link);
        await this.#app.store.putPending(pending);
        await this.#complete(pending);
      } catch (e) {
        this.#failed(e);
      }
    }, { class: 'large allow' });
    const title = el('h2', {}, 'Is this your server?');
    this.#put(title,
      el('dl', { class: 'rows' },
        fact('Server', new URL(base).host), fact('Address', base),
        fact('Its name', visible(String(offer.enforcerLabel))), fact('Place', visible(String(offer.workspaceName)))),
      device !== undefined && el('p', { class: 'warning' },
        `This phone is paired already, with ${visible(device.label)} as ${visible(String(device.principal))}. A new`
        + ' pairing replaces that: its keys, questions and answers on this phone are deleted.'),
      pair, this.#leave());
    focusOn(title);
  }

  /** Sends what was prepared; after a reload, the same again, since only the answer has the token. */
  async #complete(pending) {
    try {
      let answer = {};
      if (pending.token === undefined) {
        this.#put(el('p', { role: 'status' }, 'Pairing…'));
        answer = await new Relay(this.#app.base).complete(pending);
        pending.token = answer.deviceToken;
        await this.#app.store.putPending(pending);
      }
      if (answer.enrolment === undefined) answer = await this.#enrolled(pending);
      if (answer !== undefined) await this.#finish(pending, answer);
    } catch (e) {
      if (isFinal(e)) await this.#app.store.forgetPending();
      this.#failed(e, isFinal(e) ? undefined : () => this.#complete(pending));
    }
  }

  async #finish(pending, answer) {
    let device;
    try {
      device = await completed(pending, answer, pending.token);
    } catch (e) {
      // Nothing of it can be trusted, and the offer is used.
      await this.#app.store.forgetPending();
      throw e;
    }
    await this.#app.paired(device);
  }

  /** Shows the short code, and waits until a person has typed it at the computer. */
  async #enrolled(pending) {
    const said = el('p', { role: 'status' }, 'Waiting for the computer…');
    const title = el('h2', {}, 'Type this at the computer');
    if (pending.expected === undefined) {
      // Read as single characters, since it is no word.
      const spelled = pending.shortCode.split('').join(' ').replaceAll(' - ', ', ');
      this.#put(title, el('p', { class: 'code' }, el('span', { 'aria-hidden': 'true' }, pending.shortCode),
        el('span', { class: 'heard' }, spelled)),
      el('p', {}, '“bridle phone add” asks for it. It proves that nobody is between this phone and the server.'),
      said, this.#restart(), this.#leave());
      focusOn(title);
    } else {
      this.#put(said, this.#restart(), this.#leave());
    }
    const relay = new Relay(this.#app.base, pending.token);
    while (!this.#isClosed) {
      try {
        const status = await relay.pairing(pending.nonce);
        if (status.approvalDeviceId && status.enrolment) return status;
        said.textContent = 'Waiting for the computer…';
      } catch (e) {
        if (e instanceof Refused && e.status === 401) {
          await this.#app.store.forgetPending();
          throw new Error('The server does not know this pairing any more. Run “bridle phone add” again.');
        }
        if (isFinal(e)) throw e;
        const waiting = pairingFailure(e);
        if (said.textContent !== waiting) said.textContent = waiting;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLIS));
    }
    return undefined;
  }

  #restart = () => button('Start again', () => this.#forgotten('#/pair'));

  async #forgotten(hash) {
    this.#isClosed = true;
    await this.#app.store.forgetPending();
    await this.#app.show(hash);
  }

  #failed(error, again) {
    const said = el('p', { class: 'warning', role: 'alert' }, visible(pairingFailure(error)));
    this.#put(said, again && button('Try again', again, { class: 'large' }), this.#restart(), this.#leave());
    focusOn(said);
  }
}
