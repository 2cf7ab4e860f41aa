import test from 'ava'
import { missingLines, neededLines } from '../../web/dashboard/pages/embeds/policy.ts'
import { nearest } from '../../web/dashboard/pages/embeds/origins.ts'
import { backendSnippet, pageSnippet } from '../../web/dashboard/pages/embeds/snippets.ts'

const SDK = {
  script: { version: '1.0.0', url: 'https://api.example/embed/v1.0.0.js', integrity: 'sha384-abc' },
  chatUrl: 'https://chat.example',
  connectUrl: 'https://connect.example:8443/x',
}
const ALL = {
  'script-src': ['https://api.example'],
  'connect-src': ['https://api.example', 'https://connect.example:8443', 'https://chat.example'],
  'frame-src': ['https://connect.example:8443', 'https://chat.example'],
}
const lacks = (policy: string) =>
  Object.fromEntries(missingLines(policy, SDK).map(({ directive, origins }) => [directive, origins]))

// [dashboard.embeds.4]
test('a policy needs the hosts of the service in three lines, and one that has them lacks nothing', (t) => {
  const lines = neededLines(SDK)
  t.deepEqual(Object.fromEntries(lines.map(({ directive, origins }) => [directive, origins])), ALL)
  const whole = lines.map(({ directive, origins }) => `${directive} ${origins.join(' ')}`).join('; ')
  t.deepEqual(lacks(whole), {})
  t.deepEqual(lacks(`Content-Security-Policy: ${whole}`), {}, 'copied with its name')
  t.deepEqual(lacks(''), {}, 'a page without a policy')
  t.deepEqual(lacks("default-src 'none'"), ALL)
  t.deepEqual(lacks("default-src 'self'; style-src *"), ALL)
  t.deepEqual(lacks(`${whole}, default-src 'self'`), ALL, 'each of two policies must allow')
  const one = { ...SDK, chatUrl: 'https://api.example', connectUrl: 'https://api.example' }
  t.deepEqual(
    neededLines(one).map(({ origins }) => origins),
    [['https://api.example'], ['https://api.example'], ['https://api.example']],
  )
})

// [dashboard.embeds.4]
test('sources of a policy count as browsers read them: schemes, wildcards, ports, paths, nonces', (t) => {
  const script = (sources: string) => lacks(`script-src ${sources}`)['script-src'] === undefined
  for (const good of [
    '*',
    'https:',
    'http:',
    'HTTPS://API.EXAMPLE',
    'api.example',
    'api.example:443',
    'api.example:*',
    '*.example',
    'http://api.example',
    'https://api.example/embed/',
    'https://api.example/embed/v1.0.0.js',
    "'nonce-r4nd0m'",
    "'nonce-r4nd0m' 'strict-dynamic'",
    "'sha384-abc'",
  ])
    t.true(script(good), good)
  for (const bad of [
    "'none'",
    "'self'",
    'wss:',
    'https://api.example:8443',
    'https://api.example.evil',
    'https://evil-api.example',
    '*.api.example',
    'https://api.example/embed',
    'https://api.example/embed/v2.0.0.js',
    "https://api.example 'strict-dynamic'",
    'https://api.example"><img>',
  ])
    t.false(script(bad), bad)
  t.deepEqual(lacks('frame-src connect.example:8443; child-src *')['frame-src'], ['https://chat.example'])
  t.deepEqual(lacks('child-src *'), {}, 'frames look there where frame-src is absent')
  t.deepEqual(lacks('frame-src https://chat.example/x *.example:8443')['frame-src'], ['https://chat.example'])
  t.deepEqual(lacks('script-src *; script-src none'), {}, 'the first of two counts')
  t.deepEqual(lacks("script-src *; script-src-elem 'self'"), { 'script-src': ['https://api.example'] })
})

// [dashboard.embeds.1]
test('the origin that somebody means is found where one could be allowed, and none is made up', (t) => {
  t.is(nearest('crm.example'), 'https://crm.example')
  t.is(nearest('https://CRM.example:443/a?b#c'), 'https://crm.example')
  t.is(nearest('http://localhost:8080/'), 'http://localhost:8080')
  for (const none of ['*', 'https://*.crm.example', 'http://crm.example', 'javascript:alert(1)', 'https://[::1]', '//'])
    t.is(nearest(none), null, none)
})

// [dashboard.embeds.3]
test('the code to copy names one version with its integrity, and a key only by the name of its variable', (t) => {
  const page = pageSnippet('chat', SDK.script)
  t.true(
    page.includes(
      '<script src="https://api.example/embed/v1.0.0.js" integrity="sha384-abc" crossorigin="anonymous"></script>',
    ),
  )
  t.true(page.includes('Channel.chat.mount('))
  t.true(pageSnippet('connect', SDK.script).includes('Channel.connect.mount('))
  const backend = backendSnippet('chat', 'https://api.example')
  t.true(backend.includes('"https://api.example/v1/embed/sessions" -H "x-api-key: $TENANT_KEY"'))
  const body = JSON.parse(/-d '(.*)'$/.exec(backend)?.[1] ?? '') as object
  t.deepEqual(Object.keys(body), ['surface', 'channelNumberIds', 'allowedOrigins'])
  t.false(backendSnippet('connect', 'https://api.example').includes('channelNumberIds'), 'none is all numbers')
})
