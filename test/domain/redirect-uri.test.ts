import test from 'ava'
import { askedScopes, READ_SCOPES, SCOPES } from '../../src/domain/oauth.ts'
import { isLoopback, isRedirectUri, isSameRedirectUri, redirectHostOf } from '../../src/domain/redirect-uri.ts'
import { httpsRefusal } from '../../src/domain/secure-base.ts'

// [oauth.clients.1]
test('a client is sent to https, to the own machine, and to a private scheme with a dot', (t) => {
  for (const uri of [
    'https://a.example/cb',
    'https://a.example',
    'https://a.example:8443/cb?x=1',
    'http://localhost/cb',
    'http://localhost:1/cb',
    'http://127.0.0.1:9/',
    'http://[::1]:9/cb',
    'com.example.app:/cb',
    'com.example.app://cb/x',
    `https://a.example/${'x'.repeat(2_048 - 'https://a.example/'.length)}`,
  ])
    t.true(isRedirectUri(uri), uri)
  for (const uri of [
    'http://a.example/cb',
    'http://127.0.0.2/',
    'http://localhost.evil.example/',
    'javascript:alert(1)',
    'javascript.x%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'myapp:/cb',
    'https:a.example',
    'https:///a.example/cb',
    'https://u@a.example/',
    'https://u:p@a.example/',
    'https://a.example/#f',
    'https://a.example/ b',
    'https://a.example\\@b.example/',
    'https://a.example/\n',
    'https://ä.example/',
    '//a.example/',
    '/cb',
    '',
    `https://a.example/${'x'.repeat(2_048)}`,
    'com.example.:/cb',
    'com.example-:/cb',
    'https:\\\\a.example',
    'x:https://a.example/',
    'http:/localhost/cb',
    'blob:https://a.example/x',
  ])
    t.false(isRedirectUri(uri), uri)
})

// [oauth.clients.1]
test('addresses are the same by their letters, but for the port of the own machine', (t) => {
  t.true(isSameRedirectUri('http://localhost:1/cb', 'http://localhost:2/cb'))
  t.true(isSameRedirectUri('http://localhost/cb', 'http://localhost:2/cb'))
  t.true(isSameRedirectUri('http://[::1]:3/cb?a', 'http://[::1]/cb?a'))
  t.true(isSameRedirectUri('http://localhost', 'http://localhost:2'))
  for (const [one, two] of [
    ['http://localhost/cb', 'http://127.0.0.1/cb'],
    ['http://localhost/cb', 'http://localhost/cb/'],
    ['http://localhost/cb', 'http://localhost:1/CB'],
    ['https://a.example/cb', 'https://a.example:1/cb'],
    ['http://localhost', 'http://localhost:80@evil.example'],
    ['http://localhost/', 'http://localhost:99999/'],
    ['http://localhost:1', 'http://localhost:1x.example/'],
    ['http://localhost/cb', 'com.example:http://localhost:2/cb'],
    ['https://a.example/cb', 'https://b.example/cb'],
  ] as const) {
    t.false(isSameRedirectUri(one, two), two)
  }
})

test('a person is shown where the answer goes', (t) => {
  t.deepEqual(['https://a.example:8443/cb', 'http://127.0.0.1:5/cb', 'com.example.app:/cb'].map(redirectHostOf), [
    'a.example:8443',
    '127.0.0.1:5',
    'com.example.app',
  ])
  t.deepEqual(['no address', ''].map(redirectHostOf), ['', ''])
  t.false(isLoopback('no address'))
  t.deepEqual(['https://localhost/cb', 'http://localhost/cb', 'http://[::1]:1/', 'com.localhost:/'].map(isLoopback), [
    false,
    true,
    true,
    false,
  ])
})

// [oauth.resources-and-scopes.3]
test('unknown scopes are dropped, none asked are all that read, and none lets anybody manage the account', (t) => {
  t.deepEqual(askedScopes(undefined), READ_SCOPES)
  t.deepEqual(askedScopes('chat:send openid chat:read chat:read'), ['chat:read', 'chat:send'])
  t.deepEqual(askedScopes('openid account:manage'), [])
  t.false(SCOPES.includes('account:manage'))
})

test('passwords and OAuth are refused when the base URL is plain http on a host that others reach', (t) => {
  for (const what of ['passwords and invitations', 'OAuth'] as const) {
    for (const base of [
      'https://a.example',
      'http://localhost:3000',
      'http://app.localhost:3000',
      'http://127.0.0.1',
      'http://127.1.2.3:8',
      'http://[::1]:3000',
    ])
      t.is(httpsRefusal(base, what), null, base)
    for (const base of [
      'http://a.example',
      'http://10.0.0.1',
      'http://localhost.example',
      'http://notlocalhost',
      'http://127.0.0.1.example',
      'http://0.0.0.0',
      'http://[::ffff:127.0.0.1]',
    ])
      t.like(httpsRefusal(base, what), { code: 'HTTPS_REQUIRED' }, base)
  }
})
