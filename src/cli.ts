#!/usr/bin/env node
// The command line: `budgeting <command>`.
import { runCommand } from './commands/run-command.ts';

process.exitCode = await runCommand(process.argv.slice(2), process.env);
