import test from 'ava'
import { redirectTo } from '../../web/connect/redirect.ts'
import { lookQuery, queryOnward, requestOf } from '../../web/connect/request.ts'

const TOKEN = 'rp_00000000000000000000000000'

// [pages.addresses.1] [pages.addresses.3]
test('the path says whose page it is, and at which method it opens', (t) => {
  const read = (path: string) => {
    const { source, opensAt } = requestOf(path, '')
    return [source.kind === 'link' ? source.token : source.kind, opensAt]
  }
  t.deepEqual(read(`/connect/${TOKEN}`), [TOKEN, null])
  t.deepEqual(read(`/connect/${TOKEN}/`), [TOKEN, null])
  t.deepEqual(read(`/connect/${TOKEN}/qr`), [TOKEN, 'qr'])
  t.deepEqual(read(`/connect/${TOKEN}/code`), [TOKEN, 'code'])
  t.deepEqual(read('/connect'), ['frame', null])
  t.deepEqual(read('/connect/preview'), ['preview', null])
  t.deepEqual(read('/connect/%E0%A4%A'), ['%E0%A4%A', null])
})

// [pages.addresses.2] [pages.addresses.3]
test('QR and credentials links are always the page; elsewhere the query chooses, in the words it has', (t) => {
  const mode = (path: string, query: string) => requestOf(path, query).mode
  t.is(mode(`/connect/${TOKEN}`, '?mode=button'), 'button')
  t.is(mode(`/connect/${TOKEN}`, '?mode=page'), 'page')
  t.is(mode(`/connect/${TOKEN}`, '?mode=Button'), null)
  t.is(mode(`/connect/${TOKEN}/qr`, '?mode=button'), 'page')
  t.is(mode(`/connect/${TOKEN}/code`, '?mode=button'), 'page')
})

test('of the query only what changes the look is passed on, with the language', (t) => {
  const request = requestOf(
    `/connect/${TOKEN}`,
    '?title=A%26B&redirectUrl=https://evil.example&button=1&mode=button&lang=pt-BR&primary=%23ff0000&hideBranding=1&embed=1',
  )
  t.is(request.language, 'pt')
  t.is(queryOnward(request), '?title=A%26B&primary=%23ff0000&hideBranding=1&lang=pt')
  t.is(lookQuery(request, false), '?title=A%26B&primary=%23ff0000&hideBranding=1')
  t.is(lookQuery(request, true), '?title=A%26B&primary=%23ff0000&hideBranding=1&embed=1')
  t.deepEqual(
    [queryOnward(requestOf('/connect', '?lang=xx')), lookQuery(requestOf('/connect', '?h=abc'), false)],
    ['', ''],
  )
})

// [pages.redirect.2]
test('a redirect tells how the link ended; the rest of its query stays as it was', (t) => {
  const connected = { status: 'connected', numberId: 'num_1' } as const
  t.is(redirectTo('https://acme.example/done', connected), 'https://acme.example/done?status=connected&numberId=num_1')
  t.is(
    redirectTo('https://acme.example/?a=b%20c+d&b&=x#end', connected),
    'https://acme.example/?a=b%20c+d&b&=x&status=connected&numberId=num_1#end',
  )
  t.is(
    redirectTo('https://acme.example/?status=old&s%74atus=older&numberId=9&z=1', connected),
    'https://acme.example/?z=1&status=connected&numberId=num_1',
  )
  t.is(
    redirectTo('https://acme.example/?numberId=theirs', { status: 'expired', numberId: null }),
    'https://acme.example/?numberId=theirs&status=expired',
  )
})

test('a redirect to anything but the web leads nowhere', (t) => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', 'not a url', '//host/path', 'file:///etc'])
    t.is(redirectTo(url, { status: 'connected', numberId: null }), null, url)
})
