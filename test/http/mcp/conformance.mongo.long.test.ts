// The protocol's own conformance suite, against /mcp: all scenarios that a revision requires of servers. The suite asks for tools,
// prompts and resources of a server made for it; a check that fails because they are not there says nothing about this one.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { installNode } from '../../../scripts/node/install-node.ts';
import { installPinned } from '../../../scripts/pinned-packages.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { budget, space } from '../../model/scene.ts';
import { type Served, serve } from '../serve.ts';
import { startTokenProxy, type TokenProxy } from './token-proxy.ts';

const mongo = useMongo(test);
let served: Served;
let proxy: TokenProxy;

/** The suite needs functions of this Node. */
const NODE = '22';
const RUN_MS_MAX = 300_000;

/** The scenarios whose checks all concern this server. */
const PASSED: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
  '2026-07-28': ['tools-list', 'dns-rebinding-protection', 'http-header-validation'],
};
/** How many checks of `server-stateless` concern this server. */
const STATELESS_CHECKS_MIN = 21;

/** What a check says that needs the suite's own server. */
const NOT_OURS = [
  /got "test_\w+"/,
  /^(?:Failed: |JSON-RPC error: )?(?:MCP error -32601: )?Expected a known method, got "(?:prompts|resources|completion|logging)\//,
  /^(?:prompts|resources)\/\S+ returned JSON-RPC error -32601/,
  /^Not testable: /,
  /^Tool 'json_schema_2020_12_tool' not found/,
  // After a call of a tool that is not there.
  /^Expected InputRequiredResult with inputRequests and requestState$/,
  /^Prerequisite failed: could not get initial InputRequiredResult/,
];

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

test.before(async () => {
  served = await serve(mongo, 'http_mcp_conformance');
  await served.model.project('s1', ...space(['anna']));
  await served.model.project('b1', budget('s1'));
  proxy = await startTokenProxy(served.origin, await served.issue('anna'));
});

mongo.beforeStop(async () => {
  await proxy?.stop();
  await served?.stop();
});

/** Returns the checks of each scenario that a revision requires, without those of extensions. */
async function run(revision: string): Promise<Map<string, Check[]>> {
  const suite = await installPinned(process.env, 'conformance', 'The conformance suite of MCP');
  const node = join(await installNode(NODE, process.env), 'node');
  const entry = join(suite, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const url = ['--url', `${proxy.origin}/mcp`];
    const options = ['server', ...url, '--requirements', revision, '-o', folder];
    // It ends with 1, because checks fail that need its own server.
    await promisify(execFile)(node, [entry, ...options], { timeout: RUN_MS_MAX }).catch(() => {});
    const found = new Map<string, Check[]>();
    for (const name of await readdir(folder)) {
      const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
      if (scenario.startsWith('tasks-')) continue;
      found.set(scenario, JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')));
    }
    return found;
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const [revision, passed] of Object.entries(PASSED)) {
  test.serial(`conformance to ${revision}`, async t => {
    t.timeout(2 * RUN_MS_MAX);
    const scenarios = await run(revision);
    t.true(scenarios.size >= 30, `${scenarios.size} scenarios`);
    for (const [scenario, checks] of scenarios) {
      for (const { id, status, errorMessage = '' } of checks) {
        if (status !== 'FAILURE') continue;
        const isOurs = !NOT_OURS.some(pattern => pattern.test(errorMessage));
        t.false(isOurs || passed.includes(scenario), `${scenario} ${id}: ${errorMessage}`);
      }
    }
    for (const scenario of passed) {
      const checks = scenarios.get(scenario) ?? [];
      t.true(
        checks.some(({ status }) => status === 'SUCCESS'),
        scenario,
      );
    }
    if (revision === '2025-11-25') return;
    const succeeded = (scenario: string) =>
      (scenarios.get(scenario) ?? []).filter(({ status }) => status === 'SUCCESS').length;
    t.true(
      succeeded('server-stateless') >= STATELESS_CHECKS_MIN,
      `${succeeded('server-stateless')}`,
    );
    t.true(succeeded('caching') >= 3);
  });
}
