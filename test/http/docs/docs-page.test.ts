// /llms.txt: what assistants read first. Its form is that of llmstxt.org: a title, a quoted summary, lists of links.
import test from 'ava';
import { ROUTES } from '../../../schemas/generated/api.ts';
import { renderLlmsText } from '../../../src/http/docs/docs-page.ts';
import { FACTS } from './real-page.ts';

const TEXT = renderLlmsText(FACTS);

test('it begins with one title and a summary', t => {
  const { title } = FACTS.document.info;
  t.true(TEXT.startsWith(`# ${title}\n\n> `));
  t.is(TEXT.match(/^# /gm)?.length, 1);
});

test('it names the documents under the address of the service', t => {
  const links = [...TEXT.matchAll(/\]\(([^)]+)\)/g)].map(([, address]) => address);
  t.deepEqual(links, ['http://service.test/docs.md', 'http://service.test/api/v1/openapi.json']);
});

test('it names every endpoint that needs a token, with its summary', t => {
  const listed = [...TEXT.matchAll(/^- GET http:\/\/service\.test\/api\/v1(\S+): (.+)$/gm)];
  t.deepEqual(
    listed.map(([, path, summary]) => `${path} ${summary}`).sort(),
    ROUTES.map(({ path, name }) => `${path} ${summaryOf(name)}`).sort(),
  );
});

function summaryOf(name: string): string {
  const route = ROUTES.find(one => one.name === name);
  return FACTS.document.paths[route?.path ?? '']?.get?.summary ?? '?';
}
