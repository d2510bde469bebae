// The error for opening a log that is missing and must not be created.
import { UserError } from '../process/errors.ts';

export class MissingLogError extends UserError {
  /** Completes "There is no …": `topic …` or `log in …`. */
  readonly what: string;

  constructor(what: string) {
    super(`There is no ${what}`);
    this.what = what;
  }
}
