// The error of a log that does not hold what it says it holds, apart from one that merely cannot be reached.
import { UserError } from '../errors.ts';

/** A hole in the log, or a part of it that cannot be read. */
export class DamagedLogError extends UserError {}
