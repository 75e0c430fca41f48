// The screen of all questions, and of what was answered.
import { button, el, fill, focusOn, heading } from './dom.mjs';
import { visible } from './text.mjs';
import { answered, arrived, brief, clock } from './words.mjs';

const MOST_SHOWN = 20;

/** The screen of all questions. */
export class InboxView {
  #app;
  #isWhole = false;
  #isClosed = false;
  #shown = new Map();
  #count = el('p', { role: 'status' });
  #pending = el('div');
  #unknown = el('div');
  #closed = el('div');
  #answered = el('div');

  constructor(app) {
    this.#app = app;
    this.heading = heading('Questions');
    this.node = el('div', {}, this.heading, this.#count, this.#pending, this.#unknown, this.#closed, this.#answered);
  }

  close() {
    this.#isClosed = true;
  }

  async update() {
    const answers = await this.#app.store.answers();
    if (this.#isClosed || this.#app.inbox === undefined) return;
    const own = new Set(answers.filter((one) => /waiting|sent/.test(one.state)).map((one) => one.requestId));
    const now = Date.now();
    const open = [...this.#app.inbox.questions.values()]
      .filter((one) => !own.has(one.requestId) && (one.fault !== undefined || one.expiresAt > now));
    const faulty = open.filter((one) => one.fault !== undefined);
    const known = open.filter((one) => one.isServers);
    const unknown = open.filter((one) => one.isServers === false);
    this.#say(known.length);
    this.#put(this.#pending, known.map((one) => this.#question(one)));
    this.#put(this.#unknown, unknown.map((one) => this.#question(one)), 'Unknown sender',
      'The server that this phone is paired with has not signed these. They can only be rejected.');
    this.#put(this.#closed, faulty.map(({ fault }) =>
      ({ title: '', facts: `This can’t be opened, and can’t be answered here: ${visible(fault)}` })), 'Not readable');
    const list = this.#isWhole ? answers : answers.slice(0, MOST_SHOWN);
    this.#put(this.#answered, list.map(ended), 'Answered', '', answers.length > list.length && answers.length);
  }

  #say(count) {
    const text = count === 0 ? 'Nothing is asked.' : `${count} ${count === 1 ? 'question waits' : 'questions wait'}.`;
    if (this.#count.textContent !== text) this.#count.textContent = text;
    document.title = count === 0 ? 'Questions – Bridle' : `(${count}) Questions – Bridle`;
  }

  #question = (one) => ({
    href: `#/q/${encodeURIComponent(one.requestId)}`,
    title: visible(brief(one.title)),
    exact: visible(brief(one.about[0]?.value ?? '')),
    facts: `${visible(one.kind)} · expires ${clock(one.expiresAt)}`,
  });

  /** Puts a list into its place, unless it is there already: what people are about to tap should not move. */
  #put(place, items, title, explained = '', rest = false) {
    const spelled = JSON.stringify([items, rest]);
    if (this.#shown.get(place) === spelled) return;
    this.#shown.set(place, spelled);
    const focused = place.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
    fill(place,
      title !== undefined && items.length > 0 && el('h2', {}, title),
      explained !== '' && items.length > 0 && el('p', {}, explained),
      items.length > 0 && el('ul', { class: 'plain' }, items.map(row)),
      rest !== false && button(`Show all (${rest})`, () => {
        this.#isWhole = true;
        this.update().then(() => focusOn(place.querySelector('h2')));
      }));
    if (focused !== null) {
      focusOn([...place.querySelectorAll('a')].find((link) => link.getAttribute('href') === focused) ?? this.heading);
    }
  }
}

/** Returns what is shown of a question that has ended. */
const ended = (answer) => ({
  title: visible(brief(answer.title)),
  facts: visible(`${answered(answer)} · ${clock(answer.at)} · ${arrived(answer)}`.replace(/ · $/, ''), true),
  isWarning: answer.state === 'refused' || answer.state === 'waiting',
});

function row({ href, title, exact, facts, isWarning }) {
  const parts = [title !== '' && el('span', { class: 'title' }, title),
    exact && exact !== title && el('span', { class: 'exact' }, exact),
    el('span', { class: isWarning ? 'facts strong' : 'facts' }, facts)];
  return el('li', {}, href ? el('a', { href, class: 'card' }, parts) : el('div', { class: 'card' }, parts));
}
