// What opening a log says where there is none and none is to be made.
import { UserError } from '../errors.ts';

export class MissingLogError extends UserError {
  /** Completes "There is no …": `topic …` or `log in …`. */
  readonly what: string;

  constructor(what: string) {
    super(`There is no ${what}`);
    this.what = what;
  }
}
