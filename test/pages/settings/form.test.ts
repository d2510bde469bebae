import test from 'ava';
import { parseForm } from '../../../src/pages/settings/form.ts';
import { PageError } from '../../../src/pages/settings/page-error.ts';

test('fields by their names, in their order', t => {
  const fields = parseForm('name=Sheet+at%20home&scope=a&scope=b&empty=&bare');
  t.deepEqual(
    [...fields],
    [
      ['name', ['Sheet at home']],
      ['scope', ['a', 'b']],
      ['empty', ['']],
      ['bare', ['']],
    ],
  );
  t.deepEqual(parseForm('n=%F0%9F%98%80+%C3%A9').get('n'), ['😀 é']);
  t.is(parseForm('').size, 0);
});

test('what browsers do not send is refused', t => {
  for (const text of ['n=%', 'n=%zz', 'n=%ff', 'n=é', 'n=\u0000', 'n=a\nb', 'a=1&'.repeat(1051)]) {
    t.throws(() => parseForm(text), { instanceOf: PageError }, text.slice(0, 20));
  }
});

test('odd names are names, not objects', t => {
  t.deepEqual([...parseForm('__proto__[x]=1&a.b=2').keys()], ['__proto__[x]', 'a.b']);
});
