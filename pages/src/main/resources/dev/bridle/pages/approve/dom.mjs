// Elements, made of names and texts only: markup of others never runs.

/**
 * Returns an element.
 *
 * @param {string} name
 * @param {Object} [props] attributes; `onclick` and the like are listeners; undefined and false are left out
 * @param {...(Node|string|undefined|false|Array)} children texts are shown as they are
 */
export function el(name, props = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== false && child !== ''));
  return node;
}

/** Returns the heading of a screen, which gets the focus when that opens. */
export const heading = (...children) => el('h1', { tabindex: '-1' }, ...children);

export const button = (caption, onclick, props = {}) => el('button', { type: 'button', onclick, ...props }, caption);

export const fill = (node, ...children) => node.replaceChildren(...el('div', {}, ...children).childNodes);

/** Moves the focus to an element that people did not reach by themselves. */
export function focusOn(node) {
  if (!node.hasAttribute('tabindex') && !/^(A|BUTTON|INPUT|TEXTAREA|SUMMARY)$/.test(node.tagName)) {
    node.setAttribute('tabindex', '-1');
  }
  node.focus();
}

/** Returns a row of a list of facts. */
export const fact = (name, value) => el('div', {}, el('dt', {}, name), el('dd', { class: 'exact' }, value));
