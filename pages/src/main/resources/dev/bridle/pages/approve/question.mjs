// What an artifact asks, for people: nothing of it is left out, and who asks is verified first.
import { fromBase64url, utf8 } from './bytes.mjs';
import { canonical, without } from './canonical.mjs';
import { verifies } from './crypto.mjs';

const ISSUER_MEMBERS = ['algorithm', 'key_id', 'signature', 'signed_at'];

/** Members that are shown whole in a place of their own. */
const PLACED = ['content', 'sideEffect', 'editedFiles', 'said', 'notExact', 'replaces', 'grants'];

/** Why something is asked again. */
const REPEATS = {
  outcome_unknown: 'It was allowed before, and it is not known whether it was done.',
  lapsed: 'It was allowed before, and not done in time.',
  used: 'It was allowed once before, and that was used.',
  denied: 'It was rejected before.',
  expired: 'It was asked before, and nobody answered in time.',
  policy: 'It was allowed before, and the rules require more since.',
};

/**
 * Returns whether the server has signed an artifact.
 *
 * @param {(signature) => Promise<Uint8Array|undefined>} keyOf returns the server's key that a signature names
 */
export async function isOfServer(artifact, keyOf) {
  const { issuer } = artifact.payload;
  if (issuer === null || typeof issuer !== 'object') return false;
  if (Object.keys(issuer).some((name) => !ISSUER_MEMBERS.includes(name))) return false;
  const key = await keyOf(issuer);
  if (key === undefined) return false;
  const statement = { ...without(artifact, 'artifactHash'), payload: without(artifact.payload, 'issuer') };
  return verifies(key, signatureOf(issuer), utf8(canonical(statement)));
}

const ENDS = { approved: 'allowed', denied: 'rejected', replaced: 'replaced by another question' };

/** Returns how the server says that a question has ended; undefined if it does not say so itself. */
export async function signedEnd(end, asked, keyOf) {
  const { statement, signature } = end ?? {};
  if (statement?.format !== 'bridle-question-end-1' || statement.request_id !== asked.requestId
      || statement.artifact_hash !== asked.artifact.artifactHash) return undefined;
  const key = await keyOf(signature ?? {});
  if (key === undefined || !await verifies(key, signatureOf(signature), utf8(canonical(statement)))) return undefined;
  return `${ENDS[statement.end] ?? statement.end}${statement.by ? ` by ${statement.by}` : ''}`;
}

/** Returns the bytes of a signature; those of none if it is not one. */
export function signatureOf(issuer) {
  try {
    return fromBase64url('the signature', issuer.signature, 64);
  } catch {
    return new Uint8Array(0); // It verifies nothing.
  }
}

/**
 * Returns what an artifact asks.
 *
 * @param {boolean} isServers whether the server has signed it
 */
export function question(artifact, isServers) {
  const { payload } = artifact;
  const isPermission = isServers && /^bridle-permission-[12]$/.test(payload.format ?? '');
  return {
    requestId: artifact.requestId,
    artifact,
    isServers,
    isPermission,
    title: String(isPermission ? payload.title || payload.prompt || payload.kind : artifact.artifactType),
    prompt: isPermission && payload.title && payload.prompt ? String(payload.prompt) : '',
    kind: isPermission ? String(payload.kind) : artifact.artifactType,
    createdAt: Date.parse(artifact.createdAt),
    about: isPermission ? action(payload) : members(payload),
    warnings: isPermission ? warnings(payload) : [],
    said: isPermission && payload.said !== undefined ? members(parsed(payload.said)) : [],
    more: isPermission ? more(artifact) : members(without(artifact, 'payload')),
    allows: isServers ? allows(payload, isPermission) : [],
    rejects: rejects(payload, isPermission),
    grants: Object.entries((isPermission && payload.grants) || {})
      .map(([id, covers]) => ({ id, covers: String(covers) })),
    expiresAt: Date.parse(artifact.expiresAt),
  };
}

/** Returns the exact action: its command and folder first, then all else. */
function action(payload) {
  const rows = members(parsed(payload.content));
  const first = ['command', 'cwd'].flatMap((name) => rows.filter((row) => isOf(name, row)));
  const rest = rows.filter((row) => !first.includes(row));
  const files = (payload.editedFiles ?? []).flatMap((file) => members(file, 'edits'));
  return [...first, ...rest, ...files];
}

/** Returns whether a row is a member, or a part of it: a command may be a list of words. */
const isOf = (name, row) => row.name === name || row.name.startsWith(`${name}.`);

function warnings(payload) {
  const found = [];
  if (payload.notExact !== undefined) found.push(`It is not known exactly what will be done: ${payload.notExact}`);
  if (payload.sideEffect !== undefined) found.push(`Side effect: ${payload.sideEffect}`);
  if (payload.repeats !== undefined) found.push(`Asked again: ${REPEATS[payload.repeats] ?? payload.repeats}`);
  if (payload.replaces !== undefined) found.push(`It replaces the earlier question ${payload.replaces}`);
  return found;
}

// Nothing is hidden.
const more = (artifact) => [
  ...members(without(artifact.payload, ...PLACED)),
  ...members(without(artifact, 'payload')),
];

/** An approval must name an option where there is not exactly one that allows once. */
function allows(payload, isPermission) {
  const options = isPermission ? payload.options ?? [] : [];
  const once = options.filter((option) => option.kind === 'allow_once');
  if (options.length === 0 || once.length === 1) {
    return [{ caption: 'Allow once', option: once[0]?.id, said: once[0]?.name }];
  }
  const named = once.length > 0 ? once : options.filter((option) => option.kind === 'allow_always');
  const caption = once.length > 0 ? 'Allow once' : 'Allow (the agent takes it as always)';
  return named.map((option) => ({ caption, option: option.id, said: option.name }));
}

function rejects(payload, isPermission) {
  const options = isPermission ? payload.options ?? [] : [];
  const once = options.filter((option) => option.kind === 'reject_once');
  return { caption: 'Reject', option: once.length === 1 ? once[0].id : undefined };
}

/** A text of JSON, or a number outside of texts. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Returns what a JSON text is, its numbers as they are spelled; the text itself if it is none. */
function parsed(json) {
  try {
    JSON.parse(json);
    // A parsed number may be another one than that of the agent: 1e400, or one with many digits.
    const value = JSON.parse(json.replace(TOKEN, (token) => (token.startsWith('"') ? token : `"${token}"`)));
    return value !== null && typeof value === 'object' ? value : { content: json };
  } catch {
    return { content: String(json) };
  }
}

/** Quoted where it would be taken for something else: a name for a path, a text for a value that is none. */
const named = (name) => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));
const plain = (text) => (/^(true|false|null|\[\]|\{\})$/.test(text) ? JSON.stringify(text) : text);

export function members(value, path) {
  if (value === undefined) return [];
  if (typeof value === 'string') return [{ name: path, value: plain(value) }];
  const entries = value !== null && typeof value === 'object' ? Object.entries(value) : [];
  if (entries.length === 0) return [{ name: path, value: JSON.stringify(value) }];
  const below = path === undefined ? '' : `${path}.`;
  return entries.flatMap(([name, one]) => members(one, below + named(name)));
}
