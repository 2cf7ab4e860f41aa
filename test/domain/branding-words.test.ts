import test from 'ava'
import type { BrandingField, ButtonStyle } from '../../src/domain/branding.ts'
import {
  checkButtonField,
  checkField,
  checkRedirect,
  isEmbeddedQuery,
  logosUrl,
  readBrandingQuery,
} from '../../src/domain/branding-fields.ts'

const LOGOS = logosUrl('http://gateway.example:3000')

// [branding.fields.9] [branding.fields.13] [branding.button.1]
test('what is wrong with a value is said in words', (t) => {
  const said = (field: BrandingField, value: unknown) => {
    const checked = checkField(field, value, LOGOS)
    return checked.ok ? checked.value : checked.message
  }
  const link = (rest: string) => `https://a.example/${rest}`
  const rows: readonly [BrandingField, unknown, string | boolean | null][] = [
    ['companyName', 5, 'must be a text'],
    ['companyName', 'a\u202Eb', 'must not contain control characters'],
    ['companyName', 'a\uD83D', 'must not contain half a character'],
    ['companyName', ' \u00a0 ', 'must not be empty'],
    ['companyName', '😀'.repeat(61), 'must have 60 characters at most'],
    ['companyName', 'x'.repeat(121), 'must have 60 characters at most'],
    ['companyName', ` ${'😀'.repeat(60)} `, '😀'.repeat(60)],
    ['subtitle', 'x'.repeat(121), 'must have 120 characters at most'],
    ['subtitle', 'x'.repeat(120), 'x'.repeat(120)],
    ['primaryColor', '#12345', 'must be #RRGGBB'],
    ['primaryColor', 'x#123456', 'must be #RRGGBB'],
    ['primaryColor', '#1234567', 'must be #RRGGBB'],
    ['primaryColor', 123_456, 'must be #RRGGBB'],
    ['primaryColor', '#ABCDEF', '#abcdef'],
    ['hidePilotStatusBranding', 1, 'must be true or false'],
    ['hidePilotStatusBranding', null, false],
    ['companyName', null, null],
    ['supportUrl', 5, 'must be an absolute https URL'],
    ['supportUrl', 'a.example', 'must be an absolute https URL'],
    ['supportUrl', 'http://a.example/', 'must be an absolute https URL'],
    ['supportUrl', 'https://a.example/\n', 'must not contain control characters'],
    ['supportUrl', 'https://u@a.example/', 'must not contain a user name or password'],
    ['supportUrl', 'https://:p@a.example/', 'must not contain a user name or password'],
    ['supportUrl', link('x'.repeat(2_048)), 'must have 2048 characters at most'],
    ['supportUrl', link('é'.repeat(1_000)), 'must have 2048 characters at most, as a URL parser writes it'],
    ['supportUrl', link('x'.repeat(2_048 - link('').length)), link('x'.repeat(2_048 - link('').length))],
    ['supportUrl', 'HTTPS://A.example', 'https://a.example/'],
    ['logoUrl', `${LOGOS}x.png`, `${LOGOS}x.png`],
    ['logoUrl', 'http://gateway.example:3000/branding/x.png', 'must be an absolute https URL'],
  ]
  for (const [field, value, expected] of rows)
    t.is(said(field, value), expected, `${field} ${String(value).slice(0, 40)}`)
  t.false(checkField('logoUrl', 'http://gateway.example/', 'no address').ok)
  t.deepEqual(checkRedirect('http://a.example/'), {
    ok: false,
    message: 'must be an https URL, or an http URL of a loopback host',
  })
  t.true(checkRedirect('http://localhost:3000/x').ok)
  t.true(checkRedirect('https://a.example/x').ok)
})

// [branding.button.1]
test('what is wrong with a field of a button is said in words', (t) => {
  const said = (field: keyof ButtonStyle, value: unknown) => {
    const checked = checkButtonField(field, value)
    return checked.ok ? checked.value : checked.message
  }
  for (const radius of [-1, 32.1, '5', null, Number.NaN])
    t.is(said('borderRadius', radius), 'must be a number from 0 to 32')
  for (const radius of [0, 0.5, 32]) t.is(said('borderRadius', radius), radius)
  for (const size of ['small', 'medium', 'large']) t.is(said('size', size), size)
  t.is(said('size', 'huge'), 'must be one of small, medium, large')
  t.is(said('label', 'x'.repeat(41)), 'must have 40 characters at most')
  t.is(said('fullWidth', 'yes'), 'must be true or false')
  t.is(said('icon', false), false)
  for (const field of ['backgroundColor', 'textColor', 'borderColor'] as const)
    t.is(said(field, 'red'), 'must be #RRGGBB')
})

test('of a query only what is asked for by its own name counts, and its first value', (t) => {
  t.deepEqual(readBrandingQuery({ primary: ['abcdef', '#000000'], bg: '#ABCDEF' }, LOGOS), {
    primaryColor: '#abcdef',
    backgroundColor: '#abcdef',
  })
  t.deepEqual(readBrandingQuery({ title: '#abc' }, LOGOS), { companyName: '#abc' })
  t.deepEqual(readBrandingQuery({ title: 'abc', constructor: 'x', primaryColor: '#000000' }, LOGOS), {
    companyName: 'abc',
  })
  for (const hide of ['1', 'true'])
    t.deepEqual(readBrandingQuery({ hideBranding: hide }, LOGOS), { hidePilotStatusBranding: true })
  for (const hide of ['0', 'false', '', 'yes']) t.deepEqual(readBrandingQuery({ hideBranding: hide }, LOGOS), {})
  t.deepEqual([{ embed: '1' }, { embed: ['1', '0'] }, { embed: '0' }, {}].map(isEmbeddedQuery), [
    true,
    true,
    false,
    false,
  ])
})
