// What the log and the command line say of an error that nobody expected.
import { fileErrorLine } from './file-errors.ts';

/** Deeper causes of an error are left out. */
const CAUSES_MAX = 5;

/** MongoDB's code for a command that its user has no right to. */
const UNAUTHORIZED = 13;
/** MongoDB's codes for what takes too long, most often because it is locked: LockTimeout, MaxTimeMSExpired, WriteConflict. */
const LOCKED: readonly unknown[] = [24, 50, 112];
/** A connection that broke, no primary within the driver's patience, a primary that stepped down while it waited for others. */
const AWAY = /^Mongo(?:Network(?:Timeout)?|ServerSelection|WriteConcern)Error$/;
/** MongoDB quotes the refused command, or the key that is there twice: ids of users, addresses, hashes of tokens. */
const QUOTED = / (?:to execute command|dup key:) \{.*$/s;

/** Returns the message of an error without what it quotes: a text that was parsed, a command, a key. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof SyntaxError ? 'Unexpected text' : error.message.replace(QUOTED, '');
}

/** Returns an error in one line, without its stack, for failures that say nothing about this program. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${messageOf(error)}` : typeof error;
}

/** Returns one line for an error that a person can fix although no caller has explained it; null for any other error. */
export function explainedLine(error: unknown): string | null {
  return fileErrorLine(error) ?? databaseLine(error);
}

/** Returns why MongoDB did not answer; null for any other error. */
export function awayLine(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error.name === 'MongoOperationTimeoutError') {
    return `MongoDB did not answer in time: ${messageOf(error)}. Its logs say why`;
  }
  return AWAY.test(error.name) ? `MongoDB was away for a moment: ${messageOf(error)}` : null;
}

// By name and code: the driver has classes for them, but a command that only prints never loads the driver.
function databaseLine(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error.name === 'StaleError') {
    return `${error.message}, at every try: look at budgeting parked list, and try again in a moment`;
  }
  const away = awayLine(error);
  if (away !== null) return `${away}. A change may have been made all the same`;
  if (!error.name.startsWith('Mongo')) return null;
  const { code } = error as { code?: unknown };
  if (LOCKED.includes(code)) {
    return `MongoDB did not do it: ${messageOf(error)}. Another process, such as a projector that stands still, keeps locked what is to be changed, or the servers are too slow: try again in a minute`;
  }
  if (code !== UNAUTHORIZED) return null;
  const message = messageOf(error);
  const readModel = /^not authorized on (\S*budgeting)(?:_access)?$/.exec(message)?.[1];
  const databases = readModel ? `${readModel} and ${readModel}_access` : 'its two databases';
  return `MongoDB refuses access: ${message}. Expected MONGODB_URL to name a user with the role readWrite on ${databases} (docs/operations.md, First deployment)`;
}

/**
 * Returns the loggable part of an error. Leaves out all other fields, because errors of the database contain whole
 * documents with personal text, and what a message quotes.
 */
export function errorFields(error: unknown, causesMax = CAUSES_MAX): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name: type, cause } = error;
  const { code, codeName } = error as { code?: unknown; codeName?: unknown };
  const message = messageOf(error);
  const frames = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line));
  return {
    type,
    message,
    ...(isPlain(code) && { code }),
    ...(isPlain(codeName) && { codeName }),
    stack: [`${type}: ${message}`, ...frames].join('\n'),
    ...(cause !== undefined && causesMax > 0 && { cause: errorFields(cause, causesMax - 1) }),
  };
}

/**
 * Returns the line that the log would have for an error that ends the process. Written without the library of the log:
 * the last line must not wait for a file to be loaded, and a command that only prints never loads it.
 */
export function fatalLine(error: unknown, now: Date): string {
  const err = errorFields(error);
  const msg = 'Stopped by an error that nobody expected';
  return JSON.stringify({ level: 60, time: now.toISOString(), err, msg });
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
