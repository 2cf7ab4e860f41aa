import test from 'ava'
import { isAllowedOrigin, sessionOfToken } from '../../src/domain/embed-session.ts'

const ALLOWED = [
  'https://crm.example',
  'https://crm.example:8443',
  'https://xn--bcher-kva.example',
  'https://203.0.113.7',
  'https://a_b.example',
  'http://localhost',
  'http://localhost:5173',
  'http://app.localhost:3000',
  'http://127.0.0.1:8080',
  'https://localhost',
]
const REFUSED = [
  '',
  '*',
  'null',
  'https://*',
  'https://*.crm.example',
  'https://crm.example/',
  'https://crm.example/app',
  'https://crm.example?x',
  'https://crm.example#x',
  'https://crm.example:443',
  'HTTPS://crm.example',
  'https://CRM.example',
  'https://b\u00fccher.example',
  'https://user@crm.example',
  ' https://crm.example',
  'https://crm.example ',
  'http://crm.example',
  'http://localhost.example',
  'http://127.0.0.2',
  'http://127.1',
  'http://0.0.0.0',
  'http://notlocalhost',
  'http://localhost:80',
  'http://.localhost',
  'https://[::1]',
  'http://[::1]:3000',
  'ftp://crm.example',
  'file://',
  'data:text/html,x',
  'javascript:alert(1)',
  'blob:https://crm.example',
  '//crm.example',
  'crm.example',
  'https://crm.example;script-src',
  'https://crm.example,x.example',
  "https://'self'",
  'https://crm.example.',
  'https://crm..example',
]

// [embeds.origins.1]
for (const origin of ALLOWED) test(`${origin} may be allowed`, (t) => t.true(isAllowedOrigin(origin)))
// [embeds.origins.1] [embeds.origins.2]
for (const origin of REFUSED) test(`no origin is ${JSON.stringify(origin)}`, (t) => t.false(isAllowedOrigin(origin)))

// [embeds.tokens.1]
test('a token names its session, and a text of another form names none', (t) => {
  const id = 'emb_01kb0000000000000000000000'
  const secret = 'x'.repeat(43)
  t.is(sessionOfToken(`${id}.${secret}`), id)
  for (const text of [
    '',
    id,
    `${id}.`,
    `${id}.${secret.slice(1)}`,
    `${id}.${secret}\n`,
    `${id}.${secret}.x`,
    `rp_01kb0000000000000000000000.${secret}`,
    `x${id}.${secret}`,
  ]) {
    t.is(sessionOfToken(text), null, text)
  }
})
