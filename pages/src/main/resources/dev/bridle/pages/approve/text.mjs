// Text of agents as people see it: what a screen hides or acts on becomes visible.

const HIDDEN = new RegExp('[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\p{Zl}\\p{Zp}'
  // Blanks that are letters or signs, variation selectors, and the brackets of this module itself.
  + '\\u{34F}\\u{115F}\\u{1160}\\u{17B4}\\u{17B5}\\u{2800}\\u{3164}\\u{FFA0}'
  + '\\u{180B}-\\u{180F}\\u{FE00}-\\u{FE0F}\\u{E0100}-\\u{E01EF}\\u{27E8}\\u{27E9}]|(?! )\\p{Zs}', 'u');
const MARK = /\p{M}/u;
const MOST_MARKS = 3;

/**
 * Returns a text in which nothing is hidden.
 *
 * @param {string} text any text
 * @param {boolean} [lines] whether newlines stay, and tabs become blanks
 */
export function visible(text, lines = false) {
  let shown = '';
  let marks = 0;
  for (const char of text) {
    marks = MARK.test(char) ? marks + 1 : 0;
    if (lines && char === '\n') shown += char;
    else if (lines && char === '\t') shown += '    ';
    else shown += HIDDEN.test(char) || marks > MOST_MARKS ? code(char) : char;
  }
  return shown;
}

const code = (char) => `⟨U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
