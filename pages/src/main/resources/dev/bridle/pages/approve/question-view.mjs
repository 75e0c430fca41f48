// The screen of one question, with the buttons that answer it.
import { countsUntil } from './decision.mjs';
import { button, el, fill, focusOn, heading } from './dom.mjs';
import { Refused } from './relay.mjs';
import { visible } from './text.mjs';
import { answered, arrived, brief, clock, failure, left } from './words.mjs';

/** A tap so soon after something has moved was meant for something else. */
export const SETTLING = 500;

const LONGEST_REASON = 1000;

/** What is longer is shown whole once a person asks for it. */
const LONGEST = 20_000;
const MOST_ROWS = 500;

const back = () => el('p', {}, el('a', { href: '#/', class: 'target' }, 'Back to the questions'));

/**
 * Returns the screen of a question that is not asked any more, or never was.
 *
 * @param [answer] how it has ended, if that is known
 */
export function goneView(answer) {
  const title = heading(answer ? visible(answered(answer), true) : 'This is not asked any more');
  return {
    heading: title,
    node: el('div', {}, title,
      answer ? [el('p', {}, visible(brief(answer.title), true)), el('p', {}, visible(arrived(answer), true))]
        : el('p', {}, 'It was answered, withdrawn, or has expired.'),
      back()),
  };
}

/** The screen of a question that can be opened. */
export class QuestionView {
  #app;
  #asked;
  #cuts = new Cuts(() => this.#settle());
  #movedAt = performance.now();
  #isAnswered = false;
  #isOver = false;
  #allowing = [];
  #answering = [];
  #ends = [];
  #answers = el('section', { 'aria-labelledby': 'answer' });
  #gate = el('p', { class: 'warning', role: 'status' });
  #time = el('span');
  #over = el('div', { role: 'status' });
  #sizes = new ResizeObserver(() => this.#moved());
  #timer;

  constructor(app, asked) {
    this.#app = app;
    this.#asked = asked;
    const title = visible(brief(asked.title));
    this.heading = heading(title);
    this.node = el('article', {}, back(), this.heading, this.#facts(), this.#sender(), this.#content(), this.#over,
      this.#answers);
    this.#offer();
    this.#settle();
    this.#tick();
    this.#timer = setInterval(() => this.#tick(), 1000);
    document.addEventListener('visibilitychange', this.#moved);
    this.#sizes.observe(this.node);
    this.#sizes.observe(document.querySelector('header'));
  }

  close() {
    clearInterval(this.#timer);
    this.#sizes.disconnect();
    document.removeEventListener('visibilitychange', this.#moved);
  }

  /** Says so when the question is not asked any more. */
  update() {
    if (!this.#isAnswered && !this.#app.inbox.questions.has(this.#asked.requestId)) {
      this.#end('This is not asked any more: it was answered elsewhere, withdrawn, or has expired.');
    }
  }

  #moved = () => {
    this.#movedAt = performance.now();
  };

  #facts() {
    const { kind, createdAt } = this.#asked;
    return el('p', { class: 'facts' }, visible(kind), ` · asked ${clock(createdAt)} · `, this.#time);
  }

  #sender() {
    if (this.#asked.isServers) return [];
    return el('div', { class: 'warning' }, el('h2', {}, 'Unknown sender'),
      el('p', {}, 'The server that this phone is paired with has not signed this. It may be false, so it can only be'
        + ' rejected here.'));
  }

  #content() {
    const { title, prompt, warnings, about, said, more } = this.#asked;
    const cut = this.#cuts;
    const details = el('details', {}, el('summary', {}, 'Details'), rows(more, cut));
    return [
      brief(title) !== title && [el('h2', {}, 'The whole title'), shown('p', title, cut, { class: 'exact' })],
      prompt !== '' && prompt !== title && shown('p', prompt, cut, { class: 'prompt' }),
      warnings.length > 0 && el('div', { class: 'warning' }, el('h2', {}, 'Warning'),
        el('ul', {}, warnings.map((warning) => shown('li', warning, cut)))),
      el('section', {},
        el('h2', {}, this.#asked.isPermission ? 'What will be done' : 'What is asked'), rows(about, cut)),
      said.length > 0 && el('section', { class: 'said' }, el('h2', {}, 'The agent says'),
        el('p', {}, 'These are words of the agent. They may be wrong, and do not change what will be done.'),
        rows(said, cut)),
      details,
    ];
  }

  #offer() {
    const { allows, grants, isServers } = this.#asked;
    this.#allowing = [];
    this.#answering = [];
    this.#ends = [];
    const buttons = isServers ? allows.map((one) => this.#allow(one)) : [];
    fill(this.#answers,
      el('h2', { id: 'answer' }, 'Your answer'), this.#gate, buttons,
      buttons.length > 0 && this.#counts({ answer: 'allow' }),
      isServers && buttons.length === 0 && el('p', {}, 'The agent offers nothing that could be allowed.'),
      grants.length > 0 && buttons.length > 0 && this.#opens('Allow more…', () => this.#grants()),
      this.#opens('Reject', () => this.#reason(), 'reject'));
  }

  /** Returns until when a choice counts, if it is made now. */
  #counts(choice) {
    const node = el('p', { class: 'facts' });
    this.#ends.push(() => {
      const until = clock(countsUntil(this.#asked.artifact, choice));
      node.textContent = choice.grant ? `Until ${until} at most.` : `Counts once, until ${until}.`;
    });
    this.#ends.at(-1)();
    return node;
  }

  /** The agent's own name of an option is marked as its words. */
  #caption = (caption, one) => (one.said === undefined ? caption : `${caption}: “${visible(brief(String(one.said)))}”`);

  #allow(one) {
    return this.#answer(this.#caption(one.caption, one), () => ({ answer: 'allow', option: one.option }), 'allow');
  }

  /** Returns a button that answers, once, if nothing has moved just before. */
  #answer(caption, choice, kind) {
    const made = button(caption, (event) => {
      if (this.#isAnswered || this.#isOver || performance.now() - this.#movedAt < SETTLING) return;
      const chosen = choice();
      // What is cut or over is checked again here: a state of a button is for people alone.
      if (chosen.answer === 'allow' && this.#cuts.count > 0) return;
      if (event.detail > 1) return; // The second tap of two was not meant for this.
      this.#send(chosen);
    }, { class: `large ${kind}` });
    (kind === 'allow' ? this.#allowing : this.#answering).push(made);
    return made;
  }

  /** Returns a button that opens what answers, in its own place. */
  #opens(caption, opened, kind = '') {
    const made = button(caption, () => {
      if (this.#isAnswered || this.#isOver || performance.now() - this.#movedAt < SETTLING) return;
      const [part, first] = opened();
      this.#moved();
      made.replaceWith(part);
      this.#settle();
      focusOn(first);
    }, { class: `large ${kind}` });
    this.#answering.push(made);
    return made;
  }

  #reason() {
    const text = el('textarea', { id: 'reason', rows: '3', maxlength: String(LONGEST_REASON) });
    const { option } = this.#asked.rejects;
    const part = el('div', { class: 'part', role: 'group', 'aria-label': 'Reject' },
      el('label', { for: 'reason' }, 'Reason (optional; the agent may read it)'), text,
      this.#answer('Reject', () => ({ answer: 'deny', option, reason: said(text.value) }), 'reject'),
      this.#closes());
    return [part, text];
  }

  #grants() {
    const { grants, allows } = this.#asked;
    const title = el('h3', {}, 'Allow more');
    const part = el('div', { class: 'part' }, title, el('p', {}, 'Choose what the agent may do without asking again.'),
      el('ul', { class: 'plain' }, grants.map((grant) => el('li', { class: 'grant' },
        el('p', { class: 'exact' }, visible(grant.covers, true)),
        this.#counts({ answer: 'allow', grant: grant.id }),
        this.#opens('Choose this', () => {
          const tapped = allows.map((one) => this.#answer(this.#caption('Allow this', one),
            () => ({ answer: 'allow', option: one.option, grant: grant.id }), 'allow'));
          return [el('div', {}, tapped), tapped[0]];
        })))),
      this.#closes());
    return [part, title];
  }

  #closes = () => button('Cancel', () => {
    this.#moved();
    this.#offer();
    this.#settle();
    focusOn(this.#answers.querySelector('h2'));
  });

  /** Enables what can be answered. */
  #settle() {
    this.#moved();
    const { count } = this.#cuts;
    const isGated = count > 0 && this.#asked.isServers;
    fill(this.#gate, isGated && `Not shown whole: ${count} of its parts. To allow it, open them first by “Show all”.`);
    this.#gate.hidden = !isGated;
    // People must find what they have to open.
    if (isGated) this.node.querySelectorAll('details:has(button)').forEach((one) => { one.open = true; });
    const isClosed = this.#isAnswered || this.#isOver;
    this.#allowing.forEach((one) => { one.disabled = isClosed || count > 0; });
    this.#answering.forEach((one) => { one.disabled = isClosed; });
  }

  #tick() {
    const rest = this.#asked.expiresAt - Date.now();
    this.#ends.forEach((shows) => shows());
    this.#time.textContent = rest > 0 ? `expires in ${left(rest)} (${clock(this.#asked.expiresAt)})` : 'expired';
    if (rest <= 0 && !this.#isAnswered) this.#end('This has expired. The agent asks again if it still needs it.');
  }

  /** Takes the buttons away, and says why. */
  #end(why) {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#timer);
    const hadFocus = this.#answers.contains(document.activeElement);
    this.#moved();
    this.#answers.remove();
    const said = el('p', { class: 'warning' }, why);
    fill(this.#over, said, back());
    if (hadFocus) focusOn(said);
  }

  async #send(choice) {
    this.#isAnswered = true;
    this.#settle();
    let error;
    try {
      await this.#app.inbox.answer(this.#asked, choice);
    } catch (e) {
      error = e;
    }
    const known = (await this.#app.store.answers()).find((one) => one.requestId === this.#asked.requestId);
    if (error instanceof Refused && error.status === 401) {
      this.#app.live.removed();
      return;
    }
    this.#failed(known, error);
    this.#app.live.sync().catch(() => {}); // The connection shows what is wrong with it.
  }

  #failed(known, error) {
    const title = el('h1', { tabindex: '-1' }, known?.choice ? visible(answered(known), true) : 'Not answered');
    fill(this.node, title,
      el('p', {}, visible(brief(this.#asked.title))),
      el('p', { class: error ? 'warning' : 'sent' }, visible(error ? failure(error) : arrived(known), true)),
      error && known?.state === 'waiting' && el('p', {}, visible(arrived(known))),
      error && known?.state === 'refused' && this.#again(),
      back());
    focusOn(title);
  }

  /** What was refused counts for nothing, and may be answered in another way. */
  #again = () => button('Open the question again', () => this.#app.show());
}

/** What is not shown whole. */
class Cuts {
  #open = new Set();
  #changed;

  /** @param {() => void} changed called when something was opened whole */
  constructor(changed) {
    this.#changed = changed;
  }

  /** How many parts are not shown whole. */
  get count() {
    return this.#open.size;
  }

  /** Notes a part that is cut, and returns what notes that it was opened. */
  cut() {
    const part = {};
    this.#open.add(part);
    return () => {
      this.#open.delete(part);
      this.#changed();
    };
  }
}

/**
 * Returns an element with a text in which nothing is hidden.
 *
 * @param {string} name of the element
 * @param {Cuts} cuts
 */
function shown(name, text, cuts, props = {}) {
  const all = visible(String(text), true);
  if (all === '') return el(name, props, el('em', {}, 'empty'));
  if (all.length <= LONGEST) return el(name, props, all);
  const opened = cuts.cut();
  // Half of a character is not shown.
  const end = /[\uD800-\uDBFF]/.test(all[LONGEST - 1]) ? LONGEST - 1 : LONGEST;
  const node = el(name, props, all.slice(0, end), '… ');
  node.append(button(`Show all (${all.length} characters)`, () => {
    fill(node, all);
    focusOn(node);
    opened();
  }));
  return node;
}

function rows(list, cuts) {
  const made = (row) => el('div', {}, shown('dt', row.name, cuts), shown('dd', row.value, cuts, { class: 'exact' }));
  if (list.length <= MOST_ROWS) return el('dl', { class: 'rows' }, list.map(made));
  const opened = cuts.cut();
  const node = el('dl', { class: 'rows' }, list.slice(0, MOST_ROWS).map(made));
  return el('div', {}, node, button(`Show all (${list.length} rows)`, (event) => {
    event.currentTarget.remove();
    node.append(...list.slice(MOST_ROWS).map(made));
    focusOn(node);
    opened();
  }));
}

/** Returns a reason as it can be signed; undefined where nothing is said. */
const said = (text) => text.trim().toWellFormed() || undefined;
