// The error for a log that lost records or cannot be read, as opposed to one that is only unreachable.
import { UserError } from '../process/errors.ts';

/** Records are missing from the log, or a part of it cannot be read. */
export class DamagedLogError extends UserError {}
