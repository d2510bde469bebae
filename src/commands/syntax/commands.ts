// All commands: what each takes and does. Arguments are checked by it, and help and completion are made of it.
import { LINK_MINUTES } from '../../access/sign-in-address.ts';
import { LIFETIME_DAYS_MAX } from '../../access/token-request.ts';
import { type CommandSyntax, type GivenValues, JSON_OUTPUT, USER } from './command-syntax.ts';
import { IMPORT_COMMANDS } from './import-commands.ts';

const STREAM = { STREAM: 'Id of the budget or space, as parked list shows it' };

export const COMMANDS = {
  start: {
    usage: '[--empty]',
    summary: 'runs the whole system in one process tree, as npm start does',
    details:
      'MongoDB and the event log are embedded in DATA_DIR, unless MONGODB_URL and KAFKA_BROKERS name others. An empty embedded log gets a sample history.',
    options: { empty: { about: 'Starts without the sample' } },
    examples: ['start', 'start --empty'],
  },
  serve: {
    usage: '',
    summary: 'runs a reader: API, its docs and the settings page; any number side by side',
    examples: ['serve'],
  },
  project: {
    usage: '',
    summary: 'runs a projector; all projectors share the partitions of the log',
    examples: ['project'],
  },
  append: {
    usage: 'FILE|- [--check|--wait]',
    summary: 'checks events, one a line, then appends all of them or nothing',
    details:
      'Each bad line is named with its reasons (docs/events.md). A log that is not the one that was projected is refused.',
    operands: { FILE: 'File of CloudEvents in JSON, one a line; - reads standard input' },
    options: {
      check: { about: 'Appends nothing, and names the events that would park their stream' },
      wait: { about: 'Ends when the events are applied' },
    },
    refuse: ({ check, wait }: GivenValues) =>
      check && wait ? 'Expected --check or --wait, got both' : null,
    examples: ['append history.ndjson', 'append - --wait'],
  },
  ...IMPORT_COMMANDS,
  'budget list': {
    usage: '[--user U] [--json]',
    summary: 'lists budgets: id, name, space, members, rows, position, why one is held',
    options: {
      user: { ...USER, about: 'Only budgets that this user reaches; default: all, 1000 at most' },
      json: JSON_OUTPUT,
    },
    examples: ['budget list --user anna'],
  },
  'budget delete': {
    usage: 'ID [--yes]',
    summary: 'deletes a budget and everything in it; asks before',
    operands: { ID: 'Id of the budget' },
    options: { yes: { about: 'Deletes without asking' } },
    examples: ['budget delete groceries-2026 --yes'],
  },
  'token issue': {
    usage: '--user U [--budget B]… [--scope S]… [--expires-in-days N] [--name T] [--json]',
    summary: 'makes a token and prints its value once',
    options: {
      user: { ...USER, about: 'Id of the user that the token acts as', required: true },
      budget: {
        value: 'B',
        about: 'Narrows the token to this budget; default: all budgets of the user',
        repeats: true,
      },
      scope: {
        value: 'S',
        about: 'Narrows it to this scope, such as accounts:read; default: all scopes',
        repeats: true,
      },
      'expires-in-days': {
        value: 'N',
        about: `Lifetime in days, 0 to ${LIFETIME_DAYS_MAX}; default: ${LIFETIME_DAYS_MAX}`,
      },
      name: { value: 'T', about: 'Name that lists show; default: API token' },
      json: JSON_OUTPUT,
    },
    refuse: refuseDays,
    examples: ['token issue --user anna --budget household --expires-in-days 30'],
  },
  'token list': {
    usage: '[--user U] [--json]',
    summary: 'lists tokens with their last four characters, scopes, budgets and state',
    options: { user: { ...USER, about: 'Only tokens of this user' }, json: JSON_OUTPUT },
    examples: ['token list --user anna'],
  },
  'token revoke': {
    usage: 'ID',
    summary: 'ends a token, from the next request on',
    operands: { ID: 'Id of the token, as token list shows it' },
    examples: ['token revoke 01931f5c-8c1e-7f3a-9b8e-3f6d2a1c4e50'],
  },
  'sign-in': {
    usage: '--user U',
    summary: 'makes a one-time link to the settings page, where no OpenID Connect issuer is set',
    details: `The link signs the user in once, within ${LINK_MINUTES} minutes.`,
    options: { user: { ...USER, required: true } },
    examples: ['sign-in --user anna'],
  },
  status: {
    usage: '[--json]',
    summary: 'shows the generations, how far they are, their lag and their held streams',
    options: { json: JSON_OUTPUT },
    examples: ['status'],
  },
  'parked list': {
    usage: '[--json]',
    summary: 'lists the held streams, each with its reason and the command that mends it',
    options: { json: JSON_OUTPUT },
    examples: ['parked list'],
  },
  'parked retry': {
    usage: 'STREAM',
    summary: "applies a held stream's queue again, in order",
    operands: STREAM,
    examples: ['parked retry household'],
  },
  'parked skip': {
    usage: 'STREAM [--event ID|--missing]',
    summary: 'drops the event that holds the stream',
    details:
      'Only what holds the stream when the command begins is dropped; if something else holds it meanwhile, the command changes nothing and says so.',
    operands: STREAM,
    options: {
      event: { value: 'ID', about: 'Only if this event holds the stream, as parked list shows it' },
      missing: { about: 'Gives up the missing sequences instead' },
    },
    refuse: ({ event, missing }: GivenValues) =>
      event !== undefined && missing ? 'Expected --event or --missing, got both' : null,
    examples: ['parked skip household', 'parked skip household --missing'],
  },
  'parked resume': {
    usage: '',
    summary: 'resumes projecting after too many streams would have been parked',
    examples: ['parked resume'],
  },
  verify: {
    usage: '[--sample N] [--budget B] [--json]',
    summary: 'folds the log from scratch and names every difference from the stored documents',
    details: 'Exit code 1: there are differences. Exit code 3: the log is damaged.',
    options: {
      sample: { value: 'N', about: 'Only so many streams, chosen at random; from 1' },
      budget: { value: 'B', about: 'Only this budget (or space)' },
      json: JSON_OUTPUT,
    },
    refuse: refuseSample,
    examples: ['verify --sample 100', 'verify --budget household'],
  },
  explain: {
    usage: 'STREAM [--at SEQUENCE] [--json]',
    summary: 'prints what one event changed in the figures that readers serve',
    details:
      'The events of the stream are folded in memory, up to the one before it and up to it; nothing is stored. Balances include rows of all dates.',
    operands: STREAM,
    options: {
      at: { value: 'SEQUENCE', about: 'Sequence of the event; default: the last one applied' },
      json: JSON_OUTPUT,
    },
    refuse: refuseSequence,
    examples: ['explain household', 'explain household --at 42'],
  },
  rebuild: {
    usage: '[--budget B|--abandon]',
    summary: "builds a generation from the log's start beside the active one, and switches to it",
    options: {
      budget: { value: 'B', about: 'Rebuilds this budget alone, in the active generation' },
      abandon: { about: 'Gives up the build that is under way' },
    },
    refuse: ({ budget, abandon }: GivenValues) =>
      budget !== undefined && abandon ? 'Expected --budget or --abandon, got both' : null,
    examples: ['rebuild', 'rebuild --budget household', 'rebuild --abandon'],
  },
  rollback: {
    usage: '',
    summary: 'switches back to the generation that was active before',
    examples: ['rollback'],
  },
  completion: {
    usage: 'bash|zsh',
    summary: 'prints a script that completes commands and options in the shell',
    details:
      'For bash, a line of ~/.bashrc is: source <(budgeting completion bash). For zsh, a line of ~/.zshrc after compinit: source <(budgeting completion zsh).',
    operands: { SHELL: 'bash or zsh' },
    refuse: (_: GivenValues, [shell]: readonly string[]) =>
      shell === 'bash' || shell === 'zsh' ? null : `Expected bash or zsh, got ${shell}`,
    examples: ['completion bash'],
  },
} as const satisfies Readonly<Record<string, CommandSyntax>>;

function refuseDays({ 'expires-in-days': days }: GivenValues): string | null {
  if (days === undefined || /^\d{1,9}$/.test(String(days))) return null;
  return `Expected --expires-in-days to be a whole number from 0 to ${LIFETIME_DAYS_MAX}, got ${days}`;
}

function refuseSample({ sample }: GivenValues): string | null {
  if (sample === undefined || /^[1-9]\d{0,8}$/.test(String(sample))) return null;
  return `Expected --sample to be a number of streams from 1, got ${sample}`;
}

function refuseSequence({ at }: GivenValues): string | null {
  if (at === undefined || /^[1-9]\d{0,9}$/.test(String(at))) return null;
  return `Expected --at to be a sequence from 1, got ${at}`;
}
