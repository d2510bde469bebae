// The names of the databases: the path of MONGODB_URL goes before both, so that deployments can share a replica set.
import { UserError } from '../process/errors.ts';

/** The database of the read model, which can be rebuilt at any time; its name as a path changes no name. */
const READ_MODEL = 'budgeting';
/** MongoDB takes names of at most 63 bytes, and the longest of ours adds `_budgeting_access`. */
const PREFIX_LENGTH_MAX = 46;
/** MongoDB keeps these for itself; as a path, they mostly name the database that knows the user. */
const RESERVED: readonly string[] = ['admin', 'config', 'local'];

export interface DatabaseNames {
  readonly readModel: string;
  /** Returns the name of another database of this deployment. */
  of(name: string): string;
}

/**
 * Receives the address without user and options, because a refusal shows its path.
 *
 * @throws UserError when the path is no name that the databases can begin with
 */
export function databaseNames(address: string): DatabaseNames {
  const path = pathOf(address);
  const of = (name: string) => (path === '' || path === READ_MODEL ? name : `${path}_${name}`);
  return { readModel: of(READ_MODEL), of };
}

function pathOf(address: string): string {
  const [, path = ''] = /^[^:]+:\/\/[^/]*\/(.*)$/s.exec(address) ?? [];
  if (path === '') return '';
  const shown = JSON.stringify(path.slice(0, 2 * PREFIX_LENGTH_MAX));
  if (RESERVED.includes(path.toLowerCase())) {
    throw refusal(
      `another database name than admin, config and local, got ${shown}: to sign in by ${path}, leave it out and add authSource=${path}`,
    );
  }
  if (/^[A-Za-z0-9_-]+$/.test(path) && path.length <= PREFIX_LENGTH_MAX) return path;
  throw refusal(
    `a database name of at most ${PREFIX_LENGTH_MAX} of A–Z a–z 0–9 _ -, or none, got ${shown}`,
  );
}

function refusal(expected: string): UserError {
  return new UserError(`Expected the path of MONGODB_URL to be ${expected}`, { exitCode: 2 });
}
