// All commands, in the order of help.
import { appendCommand } from './append.ts';
import { budgetDeleteCommand } from './budget-delete.ts';
import { budgetListCommand } from './budget-list.ts';
import { completionCommand } from './completion.ts';
import { explainCommand } from './explain.ts';
import { importActualCommand } from './import-actual.ts';
import { importYnabCommand } from './import-ynab.ts';
import { parkedListCommand } from './parked-list.ts';
import { parkedResumeCommand } from './parked-resume.ts';
import { parkedRetryCommand } from './parked-retry.ts';
import { parkedSkipCommand } from './parked-skip.ts';
import { projectCommand } from './project.ts';
import { rebuildCommand } from './rebuild.ts';
import { rollbackCommand } from './rollback.ts';
import { serveCommand } from './serve.ts';
import { signInCommand } from './sign-in.ts';
import { startCommand } from './start.ts';
import { statusCommand } from './status.ts';
import type { Command } from './syntax/command.ts';
import { tokenIssueCommand } from './token-issue.ts';
import { tokenListCommand } from './token-list.ts';
import { tokenRevokeCommand } from './token-revoke.ts';
import { verifyCommand } from './verify.ts';

export const COMMANDS: readonly Command[] = [
  startCommand,
  serveCommand,
  projectCommand,
  appendCommand,
  importYnabCommand,
  importActualCommand,
  budgetListCommand,
  budgetDeleteCommand,
  tokenIssueCommand,
  tokenListCommand,
  tokenRevokeCommand,
  signInCommand,
  statusCommand,
  parkedListCommand,
  parkedRetryCommand,
  parkedSkipCommand,
  parkedResumeCommand,
  verifyCommand,
  explainCommand,
  rebuildCommand,
  rollbackCommand,
  completionCommand,
];
