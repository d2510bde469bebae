// All commands, in the order of help.
import { append } from './append.ts';
import { budgetDelete } from './budget-delete.ts';
import { budgetList } from './budget-list.ts';
import { completion } from './completion.ts';
import { explain } from './explain.ts';
import { importActual } from './import-actual.ts';
import { importYnab } from './import-ynab.ts';
import { parkedList } from './parked-list.ts';
import { parkedResume } from './parked-resume.ts';
import { parkedRetry } from './parked-retry.ts';
import { parkedSkip } from './parked-skip.ts';
import { project } from './project.ts';
import { rebuild } from './rebuild.ts';
import { rollback } from './rollback.ts';
import { serve } from './serve.ts';
import { signIn } from './sign-in.ts';
import { start } from './start.ts';
import { status } from './status.ts';
import type { Command } from './syntax/command.ts';
import { tokenIssue } from './token-issue.ts';
import { tokenList } from './token-list.ts';
import { tokenRevoke } from './token-revoke.ts';
import { verify } from './verify.ts';

export const COMMANDS: readonly Command[] = [
  ...[start, serve, project, append, importYnab, importActual, budgetList, budgetDelete],
  ...[tokenIssue, tokenList, tokenRevoke, signIn, status],
  ...[parkedList, parkedRetry, parkedSkip, parkedResume],
  ...[verify, explain, rebuild, rollback, completion],
];
