import test from 'ava'
import { createAddressGuard } from '../../src/net/address-guard.ts'
import { checkUrl } from '../../src/net/url-guard.ts'

const guard = createAddressGuard([])

function verdict(url: string, allow: readonly string[] = []): string {
  const checked = checkUrl(url, allow.length === 0 ? guard : createAddressGuard(allow))
  return checked.ok ? 'ok' : checked.failure.kind
}

const LOOPBACK_FORMS = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.0.0.1./',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http://[::1]/',
  'http://[::]/',
  'http://0/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[2002:7f00:1::]/',
  'http://169.254.169.254/latest/meta-data',
  'http://10.0.0.1/',
  'http://192.168.0.1:8080/',
  'http://%31%32%37.0.0.1/',
  'HTTP:\\\\127.0.0.1\\x',
  'http://example.com@127.0.0.1/',
  'http://8.8.8.8@127.0.0.1/',
  'http://user:pass@[::1]/',
  'http:127.0.0.1',
  'ht\ntp://127.0.0.1/',
]
for (const url of LOOPBACK_FORMS) {
  test(`${JSON.stringify(url)} is refused by its address`, (t) => {
    t.is(verdict(url), 'forbidden')
  })
}

for (const url of [
  '',
  'nonsense',
  '/path',
  'file:///etc/passwd',
  'ftp://example.com/a.mp3',
  'gopher://127.0.0.1:6379/',
  'data:audio/wav;base64,UklGRg==',
  'javascript:1',
  'http://',
  'http://300.1.1.1/',
  'http://[fe80::1%25eth0]/',
]) {
  test(`${JSON.stringify(url)} is no http address`, (t) => {
    t.is(verdict(url), 'invalid-url')
  })
}

test('a public host passes, its fragment is dropped', (t) => {
  const checked = checkUrl('https://Example.com:8443/a b.mp3?x=1#frag', guard)
  t.true(checked.ok)
  if (checked.ok) {
    t.is(checked.value.url.href, 'https://example.com:8443/a%20b.mp3?x=1')
    t.is(checked.value.host, 'example.com')
    t.false(checked.value.isLiteral)
  }
  t.is(verdict('http://8.8.8.8/a.mp3'), 'ok')
  t.is(verdict('http://[2606:4700:4700::1111]/'), 'ok')
})

test('a user name or password is refused even before a public host', (t) => {
  t.is(verdict('http://user@example.com/'), 'forbidden')
  t.is(verdict('http://:secret@example.com/'), 'forbidden')
})

test('ports of mail servers and databases are refused', (t) => {
  for (const port of [22, 25, 5432, 6379]) t.is(verdict(`http://example.com:${port}/`), 'forbidden')
  for (const port of [1, 9, 81, 8443])
    t.is(verdict(`http://example.com:${port}/`), 'ok', 'a port that nothing acts on is at most closed')
})

test('an address over 2048 characters is refused', (t) => {
  t.is(verdict(`http://example.com/${'a'.repeat(2_029)}`), 'ok')
  t.is(verdict(`http://example.com/${'a'.repeat(2_030)}`), 'invalid-url')
})

test('EGRESS_ALLOW lifts a literal in all its spellings', (t) => {
  for (const url of ['http://127.0.0.1:8080/', 'http://2130706433:8080/', 'http://[::ffff:127.0.0.1]/'])
    t.is(verdict(url, ['127.0.0.1']), 'ok')
  t.is(verdict('http://127.0.0.2/', ['127.0.0.1']), 'forbidden')
})
