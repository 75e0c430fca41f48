// What happened, in words: times, answers and errors, with what to do.
import { Refused, Unreachable } from './relay.mjs';
import { visible } from './text.mjs';

const LONGEST_TITLE = 160;

/** What a refused decision means, by the code of the server. */
const REFUSALS = {
  AlreadyDecidedConflict: 'It was answered already, on another device or at the computer. There is nothing more to do.',
  ExchangeClosedConflict: 'It was withdrawn, or answered elsewhere. There is nothing more to do.',
  HARP_ERR_REPLAY: 'It was answered already. There is nothing more to do.',
  HARP_ERR_EXPIRED: 'It came too late. If this happens at once, the clock of this phone or of the computer is wrong:'
    + ' correct it, and answer again.',
  HARP_ERR_SIGNATURE_INVALID: 'The server does not know the signature of this phone. Pair the phone again.',
  HARP_ERR_POLICY_DENY: 'The phone was removed, or the question is over. Answer at the computer.',
  HARP_ERR_HASH_MISMATCH: 'The question has changed since. Wait until it is asked again.',
  HARP_ERR_SCOPE: 'The server does not let this phone allow so much. Allow less, or answer at the computer.',
};

const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

/** Returns a time of the day, with the day if that is another one. */
export function clock(millis, now = Date.now()) {
  if (!Number.isFinite(millis)) return 'an unknown time';
  return new Date(millis).toDateString() === new Date(now).toDateString() ? TIME.format(millis) : DAY.format(millis);
}

/** Returns how long is left, as people say it. */
export function left(millis) {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  if (seconds >= 7200) return `${Math.floor(seconds / 3600)} hours`;
  if (seconds >= 600) return `${Math.floor(seconds / 60)} minutes`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} minutes`;
}

/** Returns a title for a list or a heading, in which a cut is visible. */
export function brief(title) {
  const { length } = title;
  return length <= LONGEST_TITLE ? title : `${title.slice(0, LONGEST_TITLE).toWellFormed()} … (${length} characters)`;
}

const exact = (text) => ({ exact: visible(brief(String(text))) });

/** Returns what a notice of the server says: lines of words, and of texts that others have chosen. */
export function noticed({ kind, at, device }) {
  const when = clock(Date.parse(at));
  if (kind === 'test') return [[`Test from your server, ${when}`]];
  return [
    ['New phone ', device.name === undefined ? 'without a name' : exact(device.name), ' for ', exact(device.principal),
      `, paired ${when}.`],
    ['Not yours? Run ', exact(`bridle phone remove ${device.id}`), ' at the computer.'],
    ['Its key: ', exact(device.fingerprint)]];
}

/** Returns what was answered, and whether that was not taken, or how a question has ended otherwise. */
export function answered(answer) {
  if (answer.choice === undefined) return capital(answer.end ?? 'ended');
  const before = { refused: 'Not taken: ', waiting: 'Not sent yet: ' }[answer.state];
  return before ? before + chosen(answer).replace(/^./, (first) => first.toLowerCase()) : chosen(answer);
}

function chosen(answer) {
  const { choice } = answer;
  const option = answer.said ? ` (“${answer.said}”)` : '';
  if (choice.answer === 'deny') return `Rejected${choice.reason ? `: “${choice.reason}”` : ''}`;
  return choice.grant ? `Allowed: ${answer.covers ?? choice.grant}${option}` : `Allowed once${option}`;
}

/** Returns whether an answer has arrived. */
export function arrived(answer) {
  if (answer.state === 'sent') return 'Sent.';
  if (answer.state === 'waiting') {
    const until = clock(Date.parse(answer.decision.expiresAt));
    return `It is sent by itself once the computer can be reached, until ${until}.`;
  }
  return answer.state === 'refused' ? `It counts for nothing. ${REFUSALS[answer.code] ?? answer.end}` : '';
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns what went wrong with an answer, and what to do. */
export function failure(error) {
  if (error instanceof Unreachable) {
    return 'The computer can’t be reached. The answer is kept on this phone, and sent by itself once it can.';
  }
  if (!(error instanceof Refused)) return `It was not answered: ${error.message}`;
  if (error.status === 401) return 'This phone was removed from the server, so its answer counts for nothing.';
  if (error.status === 429 || error.status >= 500) {
    return 'The server is busy. The answer is kept on this phone, and sent again by itself.';
  }
  return REFUSALS[error.code] ?? `The server refuses the answer: ${error.message} Answer at the computer.`;
}

/** Returns what went wrong with a pairing, and what to do. */
export function pairingFailure(error) {
  if (error instanceof Unreachable) {
    return 'The computer can’t be reached. Check that it is on, and that this phone is in a network that reaches it.';
  }
  if (!(error instanceof Refused)) return error.message;
  if (error.status === 404) {
    return 'The link or code is unknown, was used already, or is older than 10 minutes. Run “bridle phone add” again.';
  }
  if (error.status === 409) return 'Another phone has used this link or code. Run “bridle phone add” again.';
  if (error.status === 422) return `The server takes no more phones, or not this one: ${error.message}`;
  if (error.status === 429) return 'There were too many attempts. Wait for a minute, and try again.';
  return `${error.message} Run “bridle phone add” again.`;
}

/** Returns whether trying again would be refused again. */
export const isFinal = (error) => error instanceof Refused && [400, 404, 409, 422].includes(error.status);
