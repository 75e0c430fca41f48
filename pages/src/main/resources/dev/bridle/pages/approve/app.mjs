// The page on which a person answers questions of agents with the keys of this phone.
import { isSupported } from './crypto.mjs';
import { el, fill, focusOn, heading } from './dom.mjs';
import { Inbox } from './inbox.mjs';
import { InboxView } from './inbox-view.mjs';
import { Live, STATE } from './live.mjs';
import { NoticesView } from './notices-view.mjs';
import { PairingView, phoneView, removedView, unsupportedView } from './phone-view.mjs';
import { goneView, QuestionView } from './question-view.mjs';
import { Relay } from './relay.mjs';
import { Store } from './store.mjs';
import { visible } from './text.mjs';
import { clock } from './words.mjs';

const byId = (id) => document.getElementById(id);

/** Returns the link that the page was opened with, which has a secret, and removes it from the address at once. */
function takenLink() {
  if (!/^#harp-pair:/i.test(location.hash)) return undefined;
  const link = location.hash;
  history.replaceState(null, '', `${location.pathname}#/`);
  return link;
}

/** The URL of the server: this page is below it. */
const base = () => new URL('..', location.href.split(/[?#]/)[0]).href.replace(/\/$/, '');

class App {
  base = base();
  store;

  /** This phone; undefined as long as it is not paired. */
  device;
  inbox;
  live;

  #link;
  #view;
  #notices = new NoticesView(this, byId('notices'));
  #shown = 0;

  /** Tells other windows of this page that this phone was paired or forgotten. */
  #others = new BroadcastChannel('bridle-approve');

  constructor(link, store) {
    this.#link = link;
    this.store = store;
    this.#others.onmessage = () => location.reload();
    globalThis.addEventListener('hashchange', () => {
      this.#link = takenLink() ?? this.#link;
      this.show();
    });
  }

  async start() {
    const device = await this.store.device();
    if (device !== undefined) await this.#use(device);
    await this.show(undefined, false);
  }

  async #use(device) {
    this.live?.stop();
    this.device = device;
    const relay = new Relay(this.base, device.token);
    this.inbox = new Inbox(device, relay, this.store);
    this.live = new Live(device, relay, this.inbox, () => this.#changed());
    await this.inbox.restore();
    this.live.start();
  }

  /** Keeps a device that was paired, and begins with it. */
  async paired(device) {
    await this.store.putDevice(device);
    // Else a browser may delete what was not used for some time, and the keys with it.
    navigator.storage?.persist?.().catch(() => {});
    this.#others.postMessage('paired');
    await this.#use(device);
    await this.show('#/');
  }

  async forget() {
    this.live?.stop();
    await this.store.clear();
    this.#others.postMessage('forgotten');
    this.device = this.inbox = this.live = undefined;
    await this.show('#/');
  }

  /**
   * Shows the screen of the address.
   *
   * @param {string} [hash] another address
   * @param {boolean} [moves] whether the focus goes to its heading
   */
  async show(hash, moves = true) {
    if (hash !== undefined) history.replaceState(null, '', hash);
    const turn = ++this.#shown;
    const view = await this.#opened();
    if (turn !== this.#shown) {
      view.close?.(); // Another screen was opened meanwhile.
      return;
    }
    this.#view?.close?.();
    this.#view = view;
    fill(byId('main'), view.node);
    document.title = `${view.heading.textContent} – Bridle`;
    this.#changed();
    if (moves) {
      globalThis.scrollTo(0, 0);
      focusOn(view.heading);
    }
  }

  async #opened() {
    const hash = location.hash;
    const link = this.#link;
    this.#link = undefined;
    const pending = await this.store.pending();
    if (link !== undefined || pending !== undefined || this.device === undefined || hash === '#/pair') {
      return new PairingView(this, { link, pending });
    }
    if (hash === '#/phone') return phoneView(this);
    if (this.live.state === STATE.removed) return removedView();
    return hash.startsWith('#/q/') ? this.#question(idOf(hash)) : new InboxView(this);
  }

  async #question(requestId) {
    const answer = (await this.store.answers()).find((one) => one.requestId === requestId);
    const asked = this.inbox.questions.get(requestId);
    if (answer !== undefined && answer.state !== 'refused') return goneView(answer);
    if (asked === undefined && this.live.state === STATE.connecting) return this.#waiting();
    return asked === undefined || asked.fault !== undefined ? goneView(answer) : new QuestionView(this, asked);
  }

  /** A page may be opened at a question before the server was asked. */
  #waiting() {
    const title = heading('Asking the server…');
    return {
      heading: title,
      node: title,
      update: () => {
        if (this.live.state !== STATE.connecting) this.show();
      },
    };
  }

  #changed() {
    const isRemoved = this.live?.state === STATE.removed;
    if (isRemoved && !this.#wasRemoved) {
      this.#wasRemoved = true;
      this.show();
    }
    if (!isRemoved) this.#wasRemoved = false;
    byId('nav').hidden = this.device === undefined;
    const state = this.#state();
    if (byId('state').textContent !== state) byId('state').textContent = state;
    this.#notices.update();
    this.#view?.update?.();
  }

  #wasRemoved = false;

  #state() {
    if (this.live === undefined) return '';
    const { state, since, refusal } = this.live;
    if (state === STATE.live) return 'Live';
    if (state === STATE.removed) return 'This phone was removed';
    if (navigator.onLine === false) return 'Offline';
    if (state === STATE.connecting) return 'Connecting…';
    return refusal === undefined
      ? `Not connected since ${clock(since)} – the computer may be off. Trying again.`
      : `Not connected since ${clock(since)}: ${visible(refusal)} Trying again.`;
  }
}

/** Returns the id in an address; one that can't be read is none. */
function idOf(hash) {
  try {
    return decodeURIComponent(hash.slice('#/q/'.length));
  } catch {
    return '';
  }
}

/** Keeps the files of this page for when the computer is off. Without that, all else works. */
async function keepShell() {
  try {
    const url = new URL('sw.js', import.meta.url).href;
    const policy = globalThis.trustedTypes?.createPolicy('bridle', {
      createScriptURL: (asked) => {
        if (asked !== url) throw new TypeError('This page runs no other script.');
        return asked;
      },
    });
    await navigator.serviceWorker.register(policy ? policy.createScriptURL(url) : url, { scope: './' });
  } catch {
    // A browser may allow none.
  }
}

async function main() {
  const link = takenLink();
  if (!await isSupported()) {
    fill(byId('main'), unsupportedView().node);
    return;
  }
  try {
    await new App(link, await Store.open()).start();
    keepShell();
  } catch (e) {
    fill(byId('main'), el('h1', {}, 'This page could not start'),
      el('p', { class: 'warning' }, visible(String(e.message))), el('p', {}, 'Reload it, or close its other windows.'));
    throw e;
  }
}

main();
