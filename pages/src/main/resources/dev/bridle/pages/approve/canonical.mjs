// Canonical JSON (RFC 8785). What implementations disagree about is rejected.

const MOST_NESTED = 64;

export function canonical(value, depth = 0) {
  if (depth > MOST_NESTED) throw new Error('the document is nested too deeply');
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one, depth + 1)).join(',')}]`;
  if (value !== null && typeof value === 'object') return object(value, depth);
  if (typeof value === 'string') return string(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0)) return String(value);
  throw new Error('the document has null, or a number that is not whole');
}

function object(value, depth) {
  // The default order is that of UTF-16 code units, as RFC 8785 has it.
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${string(name)}:${canonical(value[name], depth + 1)}`).join(',')}}`;
}

function string(value) {
  if (!value.isWellFormed()) throw new Error('the document has half of a character');
  return JSON.stringify(value);
}

export const without = (value, ...names) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** Parses a JSON object; throws if it is something else. */
export function parseObject(what, json) {
  const value = JSON.parse(json);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new Error(`${what} is no object`);
  return value;
}
