import test from 'ava'
import { loginAddress, wayOn } from '../../web/ui/session/way-on.ts'

const ORIGIN = 'https://api.example'

// [dashboard.pages.5]
test('the login leads to the page of the dashboard that its address names', (t) => {
  for (const next of ['/dashboard', '/dashboard/numbers/num_1', '/dashboard/calls?status=FAILED&lang=pt#x'])
    t.is(wayOn(next, ORIGIN), next)
  const address = new URL(loginAddress('/dashboard/calls?status=FAILED', 'pt'), ORIGIN)
  t.is(address.pathname, '/login')
  t.is(address.searchParams.get('lang'), 'pt')
  t.is(wayOn(address.searchParams.get('next'), ORIGIN), '/dashboard/calls?status=FAILED')
})

test('whatever else the address of the login names leads to the first page of the dashboard', (t) => {
  for (const next of [
    null,
    '',
    '/',
    '/login',
    '/dashboards',
    'dashboard',
    '//evil.example/dashboard',
    '/\\evil.example/dashboard',
    '\\\\evil.example/dashboard',
    'https://evil.example/dashboard',
    'https://api.example/dashboard/numbers',
    'javascript:alert(1)//dashboard',
    '/dashboard/../login',
    '/dashboard/%2e%2e/login',
    '/dashboard/..\\..\\login',
    '/\t/evil.example/dashboard',
    '//',
    'https://',
  ])
    t.is(wayOn(next, ORIGIN), '/dashboard', String(next))
})
