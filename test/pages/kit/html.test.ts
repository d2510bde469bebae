import test from 'ava';
import { html, trustedHtml } from '../../../src/pages/kit/html.ts';

test('values are escaped, in text and in quoted attributes', t => {
  const name = `<b>"Tom" & 'Ann'</b>`;
  t.is(
    html`<a title="${name}">${name}</a>`.html,
    '<a title="&lt;b&gt;&quot;Tom&quot; &amp; &#39;Ann&#39;&lt;/b&gt;">&lt;b&gt;&quot;Tom&quot; &amp; &#39;Ann&#39;&lt;/b&gt;</a>',
  );
});

test('HTML stays unchanged, in lists too; null is empty, zero is zero', t => {
  const items = [html`<li>${'&'}</li>`, null, html`<li>2</li>`];
  t.is(html`<ul>${items}</ul>${null}${0}${''}`.html, '<ul><li>&amp;</li>\n\n<li>2</li></ul>0');
});

test('only text of the program itself is trusted as HTML', t => {
  t.is(html`${trustedHtml('<i>')}`.html, '<i>');
});
