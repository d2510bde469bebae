// Errors of a log that is not as it was left, as opposed to one that is only unreachable.
import { UserError } from '../process/errors.ts';

/** Records are missing from the log, or a part of it cannot be read. */
export class DamagedLogError extends UserError {}

/** The error for opening a log that is missing and must not be created. */
export class MissingLogError extends UserError {
  /** Completes "There is no …": `topic …` or `log in …`. */
  readonly what: string;

  constructor(what: string) {
    super(`There is no ${what}`);
    this.what = what;
  }
}
