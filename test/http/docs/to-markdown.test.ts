// The page as Markdown: every form that the page uses, and that the text of the real page is all there.
import test from 'ava';
import { renderMarkdown } from '../../../src/http/docs/render-page.ts';
import { parseHtml, toMarkdown } from '../../../src/http/docs/to-markdown.ts';
import { html, trustedHtml } from '../../../src/pages/kit/html.ts';
import { codeBlocksOf } from '../../docs/docs-programs.ts';
import { FACTS, PAGE } from './real-page.ts';

const TEXT = renderMarkdown(FACTS);

const FORMS: readonly (readonly [title: string, page: string, text: string])[] = [
  ['headings', '<h1>One</h1><section><h3>Two</h3></section>', '# One\n\n### Two\n'],
  ['a paragraph over lines', '<p>One\n  two</p>', 'One two\n'],
  ['an empty paragraph', '<p> </p><p>One</p>', 'One\n'],
  ['text outside of a paragraph', 'One <code>two</code><p>Three</p>', 'One `two`\n\nThree\n'],
  ['code', '<p><code>a &lt; b</code>, <code>a `b`</code></p>', '`a < b`, `` a `b` ``\n'],
  [
    'letters that mean something',
    '<p>*a* [b] c_d _e_ &lt;f&gt;</p>',
    '\\*a\\* \\[b\\] c_d \\_e\\_ \\<f>\n',
  ],
  ['strong', '<p><strong>One</strong> two</p>', '**One** two\n'],
  ['spaces at the ends of an element', '<p>One<span> two </span>three</p>', 'One two three\n'],
  ['a link to another page', '<p><a href="/x">One</a></p>', '[One](http://service.test/x)\n'],
  ['a link to another host', '<p><a href="https://a.test">One</a></p>', '[One](https://a.test)\n'],
  ['a link within the page', '<p>See <a href="#x">One</a></p>', 'See One\n'],
  ['a list', '<ul><li>One</li>\n<li>Two</li></ul>', '- One\n- Two\n'],
  ['a numbered list', '<ol><li>One</li><li>Two</li></ol>', '1. One\n2. Two\n'],
  [
    'definitions, one inside another',
    '<dl><dt>a</dt><dd><p>One</p><p>Two</p><dl><dt>b</dt><dd>Three</dd></dl></dd><dt>c</dt><dd></dd></dl>',
    '- a: One\n  Two\n  - b: Three\n- c\n',
  ],
  [
    'a definition that begins with a list',
    '<dl><dt>a</dt><dd><ul><li>One</li></ul></dd></dl>',
    '- a\n  - One\n',
  ],
  [
    'a table',
    '<table><thead><tr><th scope="col">A</th><th>B</th></tr></thead><tbody><tr><td>1 | 2</td><td></td></tr></tbody></table>',
    '| A | B |\n|---|---|\n| 1 \\| 2 |  |\n',
  ],
  [
    'a program',
    '<div><pre class="wide"><code class="language-js">if (a &lt; b)\n  c();\n</code></pre><button>Copy</button></div>',
    '```js\nif (a < b)\n  c();\n```\n',
  ],
  [
    'details, closed on the page',
    '<details><summary>One</summary><p>Two</p></details>',
    '**One**\n\nTwo\n',
  ],
  [
    'a form that sends requests',
    '<details hidden data-try="/x"><summary>Try it</summary><form><input id="a"><p>x</p></form></details><p>One</p>',
    'One\n',
  ],
];

for (const [title, page, text] of FORMS) {
  test(title, t => t.is(toMarkdown(trustedHtml(page), 'http://service.test'), text));
}

test('an element that has no form in Markdown is refused, so that nobody forgets it', t => {
  const message = 'Expected an element that has a form in Markdown, got aside';
  t.throws(() => toMarkdown(html`<aside>One</aside>`, ''), { message });
  t.throws(() => toMarkdown(html`<details><p>One</p></details>`, ''), { message: /summary first/ });
  t.throws(() => toMarkdown(html`<pre>One</pre>`, ''), { message: /code in it/ });
});

test('HTML that is not well-formed is refused', t => {
  t.throws(() => parseHtml('<p>One</div>'), { message: 'Expected the end of p, got that of div' });
  t.throws(() => parseHtml('</p>'), { message: 'Expected the end of the text, got that of p' });
  t.throws(() => parseHtml('<p>One'), { message: 'Expected the end of p, got none' });
});

test('attributes and texts are unescaped once', t => {
  t.deepEqual(parseHtml('<p title="a &amp;lt; &quot;b&quot;" hidden>&#39;&amp;gt;</p>'), [
    { tag: 'p', attributes: { title: 'a &lt; "b"', hidden: '' }, children: ["'&gt;"] },
  ]);
});

test('the text has every heading and every program of the page, in the same order', t => {
  const headings = [...TEXT.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm)];
  const shown = [...PAGE.matchAll(/<h[1-4][^>]*>(.*?)<\/h[1-4]>/g)];
  const plain = (text = '') => text.replaceAll(/<[^>]*>|`/g, '');
  t.deepEqual(
    headings.map(([, text]) => plain(text)),
    shown.map(([, text]) => plain(text)),
  );
  const programs = [...TEXT.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)];
  t.deepEqual(
    programs.map(([, language, code]) => ({ language, code })),
    codeBlocksOf(PAGE).map(({ language, code }) => ({ language, code: code.trimEnd() })),
  );
});

test('the text has no tag, no form and no link within the page', t => {
  const prose = TEXT.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`]*`/g, '');
  t.notRegex(prose, /(?<!\\)<\/?[a-z]|\]\(#|Try it|Copy/);
  t.true(TEXT.length < PAGE.length / 2);
});
