// The server's notices, above each screen.
import { button, el, fill, focusOn } from './dom.mjs';
import { SETTLING } from './question-view.mjs';
import { noticed } from './words.mjs';

/** Texts of others stand apart from the words around them. */
const line = (parts) => el('p', {}, parts.map((part) =>
  (part.exact === undefined ? part : el('span', { class: 'exact' }, part.exact))));

export class NoticesView {
  #app;
  #place;
  #shown = '';

  constructor(app, place) {
    this.#app = app;
    this.#place = place;
  }

  update() {
    const notices = this.#app.inbox?.notices.shown ?? [];
    const spelled = JSON.stringify(notices);
    if (this.#shown === spelled) return;
    this.#shown = spelled;
    const shownAt = performance.now();
    this.#place.hidden = notices.length === 0;
    fill(this.#place, notices.map((notice) => el('div', { class: 'warning' }, noticed(notice).map(line),
      button('Dismiss', async () => {
        // A tap so soon was meant for something else.
        if (performance.now() - shownAt < SETTLING) return;
        await this.#app.inbox.notices.dismiss(notice.notice_id);
        this.update();
        focusOn(document.querySelector('h1'));
      }))));
  }
}
