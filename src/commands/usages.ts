// The usage lines of each command, one per way of calling it; --help, README and error messages show them.

export const START_USAGE = 'start [--empty]';
export const SERVE_USAGE = 'serve';
export const PROJECT_USAGE = 'project';
export const APPEND_USAGE = 'append FILE|- [--check|--wait]';
export const IMPORT_USAGE = `import ynab FILE --user U|--space S --currency C [--name T] [--type ACCOUNT=TYPE]… [--off-budget ACCOUNT]… [--date-format DMY|MDY] [--accept-differences] [--dry-run]
import actual FILE --user U|--space S [--currency C] [--name T] [--type ACCOUNT=TYPE]… [--dry-run]
import ynab|actual FILE --into BUDGET [the options above]`;
export const BUDGET_USAGE = `budget list [--user U] [--json]
budget delete ID [--yes]`;
export const TOKEN_USAGE = `token issue --user U [--budget B]… [--scope S]… [--expires-in-days N] [--name T] [--json]
token list [--user U] [--json]
token revoke ID`;
export const SIGN_IN_USAGE = 'sign-in --user U';
export const STATUS_USAGE = 'status [--json]';
export const PARKED_USAGE = `parked list [--json]
parked retry STREAM
parked skip STREAM [--missing]
parked resume`;
export const VERIFY_USAGE = 'verify [--sample N] [--budget B] [--json]';
export const REBUILD_USAGE = 'rebuild [--budget B|--abandon]';
export const ROLLBACK_USAGE = 'rollback';
