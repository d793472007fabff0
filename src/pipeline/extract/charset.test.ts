import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBody, sniffEncoding } from './charset.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

test('a byte order mark wins, then the header, then the meta', () => {
  assert.equal(sniffEncoding(bytes('\xef\xbb\xbf<meta charset=koi8-r>'), 'text/html; charset=gbk'), 'utf-8');
  assert.equal(sniffEncoding(bytes('<meta charset=koi8-r>'), 'text/html; charset="GB2312"'), 'gbk');
  assert.equal(sniffEncoding(bytes('<meta charset=koi8-r>'), 'text/html'), 'koi8-r');
  assert.equal(sniffEncoding(bytes('<p>nothing said</p>')), undefined);
});

const METAS: [string, string | undefined][] = [
  ['<meta charset="iso8859-2">', 'iso-8859-2'],
  ["<meta\ncharset = 'iso8859-2'>", 'iso-8859-2'],
  ['<metacharset=iso8859-2>', undefined],
  ['<meta http-equiv="Content-Type" content="text/html; charset=iso8859-2">', 'iso-8859-2'],
  ['<meta content="text/html; charset=iso8859-2">', undefined],
  ['<!-- <meta charset=iso8859-2> --><meta charset=koi8-r>', 'koi8-r'],
  ['<!--><meta charset=koi8-r>', 'koi8-r'],
  ['<meta charset=utf-16le>', 'utf-8'],
  ['<meta charset=x-user-defined>', 'windows-1252'],
  ['<meta charset=nonsense><meta charset=koi8-r>', 'koi8-r'],
  ['<a title="<meta charset=gbk>"><meta charset=koi8-r>', 'koi8-r'],
  ['<meta charset=euc-jp', undefined],
  ['<?xml version="1.0" encoding="euc-jp"?><html>', 'euc-jp'],
];
for (const [html, expected] of METAS) {
  test(`prescan: ${html.replaceAll('\n', ' ')}`, () => assert.equal(sniffEncoding(bytes(html)), expected));
}

/** Samples without a declaration, as bytes of their encoding. */
const SAMPLES: [string, string, Buffer][] = [
  ['windows-1251', 'Привет, мир', bytes('\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0')],
  ['koi8-r', 'Привет, мир', bytes('\xf0\xd2\xc9\xd7\xc5\xd4, \xcd\xc9\xd2')],
  ['windows-1252', 'Café – naïve', bytes('Caf\xe9 \x96 na\xefve')],
  ['shift_jis', 'こんにちは', bytes('\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd')],
  ['euc-jp', 'こんにちは', bytes('\xa4\xb3\xa4\xf3\xa4\xcb\xa4\xc1\xa4\xcf')],
  ['gbk', '中国的人在这里', bytes('\xd6\xd0\xb9\xfa\xb5\xc4\xc8\xcb\xd4\xda\xd5\xe2\xc0\xef')],
  ['euc-kr', '안녕하세요 이것은', bytes('\xbe\xc8\xb3\xe7\xc7\xcf\xbc\xbc\xbf\xe4 \xc0\xcc\xb0\xcd\xc0\xba')],
  ['iso-2022-jp', 'こん', bytes('\x1b$B$3$s\x1b(B')],
];
for (const [charset, text, body] of SAMPLES) {
  test(`detects ${charset}`, () => assert.deepEqual(decodeBody(body), { text, charset }));
}

test('plain UTF-8 needs no declaration, and survives a wrong one', () => {
  const body = Buffer.from('Zürich – 東京');
  assert.deepEqual(decodeBody(body), { text: 'Zürich – 東京', charset: 'utf-8' });
  assert.deepEqual(decodeBody(body, 'text/html; charset=iso-8859-1'), { text: 'Zürich – 東京', charset: 'utf-8' });
});

test('a page that says UTF-8 and is not is detected', () => {
  assert.equal(
    decodeBody(bytes('<meta charset=utf-8>Caf\xe9 cr\xe8me'), 'text/html').text,
    '<meta charset=utf-8>Café crème',
  );
});
