// docs/assistants.md: its programs run as they are printed, with two foreign clients of the protocol, against `npm start`.
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { installPython } from '../../scripts/python-packages.ts';
import { blocksOf } from './recipe-page.ts';
import { runBlock } from './shell-blocks.ts';
import { useScene } from './use-scene.ts';

const PACKAGES = [
  'aiofile==3.12.3',
  'annotated-types==0.8.0',
  'anyio==4.16.0',
  'attrs==26.1.0',
  'Authlib==1.9.10',
  'beartype==0.23.1',
  'cachetools==8.0.2',
  'caio==0.12.10',
  'certifi==2026.10.19.post1',
  'cffi==2.1.1',
  'click==8.5.1',
  'cryptography==50.0.2',
  'cyclopts==5.5.2',
  'dnspython==2.9.2',
  'docstring_parser==0.18.0',
  'email-validator==2.4.0',
  'exceptiongroup==1.3.2',
  'fastmcp==4.2.3',
  'fastmcp-slim==4.2.3',
  'griffelib==2.4.1',
  'h11==0.16.0',
  'httpcore2==2.16.2',
  'httpx2==2.16.2',
  'idna==3.20',
  'joserfc==1.8.0',
  'jsonref==1.1.0',
  'jsonschema==4.26.0',
  'jsonschema-path==0.5.0',
  'jsonschema-specifications==2025.9.1',
  'markdown-it-py==4.3.0',
  'mcp==2.3.0',
  'mcp-types==2.3.0',
  'mdurl==0.1.2',
  'openapi-pydantic==0.6.0',
  'opentelemetry-api==1.45.2',
  'packaging==26.3',
  'pathable==0.6.0',
  'platformdirs==4.14.8',
  'py-key-value-aio==0.5.0',
  'pycparser==3.12',
  'pydantic==2.14.4',
  'pydantic-settings==2.16.3',
  'pydantic_core==2.50.5',
  'Pygments==2.21.0',
  'PyJWT==2.15.1',
  'pyperclip==1.11.0',
  'python-dotenv==1.2.4',
  'python-multipart==0.0.34',
  'PyYAML==6.0.4',
  'referencing==0.37.0',
  'rich==15.0.0',
  'rich-rst==2.2.0',
  'rpds-py==2026.9.1',
  'sse-starlette==3.7.0',
  'starlette==1.10.0',
  'truststore==0.10.5',
  'typing-inspection==0.4.5',
  'typing_extensions==4.16.0',
  'uncalled-for==0.6.2',
  'uvicorn==0.54.0',
  'watchfiles==1.3.0',
  'websockets==17.4',
];

interface Sum {
  readonly id: string | null;
  readonly net: string;
  readonly count: number;
}

const { programTest, scene } = await useScene(test);
const programs = blocksOf(readFileSync('docs/assistants.md', 'utf8')).filter(
  ({ language }) => language === 'py',
);

test('the page has a program for each client', t => {
  t.deepEqual(
    programs.map(({ file }) => file),
    ['spending_mcp.py', 'spending_fastmcp.py'],
  );
});

for (const { file: name, code } of programs) {
  const file = name ?? '';
  programTest(`${file} reads the sums of the API, and ends with the refusal of a tool`, async t => {
    t.timeout(600_000);
    const python = join(await installPython('mcp-clients', PACKAGES), 'bin', 'python3');
    const { service } = scene();
    const follow = (scopes: string[]) =>
      scene().follow(t, { title: 'assistants', scopes, blocks: [] });
    const { token, folder } = await follow(['transactions:read']);
    await writeFile(join(folder, file), code);
    const run = (TOKEN: string) =>
      runBlock(`'${python}' ${file}`, folder, { ...process.env, MCP_URL: `${service}/mcp`, TOKEN });
    const { out, code: status, err } = await run(token);
    t.is(status, 0, err);
    const query = 'budget_id=household&group_by=category';
    const { sums } = await scene().read<{ sums: Sum[] }>(`/sums?${query}`);
    t.true(sums.length > 10);
    t.deepEqual(
      out.trim().split('\n'),
      sums.map(({ id, net, count }) => `${id ?? 'None'} ${net} ${count}`),
    );
    const { token: lacking } = await follow(['accounts:read']);
    const refused = await run(lacking);
    t.not(refused.code, 0);
    t.regex(refused.err, /insufficient_scope/);
  });
}
