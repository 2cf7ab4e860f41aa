import test from 'ava'
import { DEFAULT_BRANDING, resolveBranding } from '../../src/domain/branding.ts'
import type { Branding, BrandingField, BrandingSources } from '../../src/domain/branding.ts'
import {
  BRANDING_FIELDS,
  BUTTON_FIELDS,
  checkButtonField,
  checkField,
  checkRedirect,
  isEmbeddedQuery,
  logosUrl,
  readBrandingQuery,
} from '../../src/domain/branding-fields.ts'

const BASE_URL = 'http://gateway.example:3000'
const LOGOS = logosUrl(BASE_URL)

/** For each field: the value at each level, and a value that no level accepts. */
const SAMPLES: {
  readonly [F in BrandingField]: {
    readonly query: string | null
    readonly levels: readonly [Branding[F], Branding[F], Branding[F], Branding[F]]
    readonly invalid: unknown
  }
} = {
  logoUrl: {
    query: 'logo',
    levels: ['https://q.example/', 'https://o.example/', 'https://l.example/', 'https://t.example/'],
    invalid: 'http://x.example/',
  },
  supportUrl: {
    query: 'support',
    levels: ['https://q.example/', 'https://o.example/', 'https://l.example/', 'https://t.example/'],
    invalid: 'javascript:alert(1)',
  },
  defaultRedirectUrl: {
    query: null,
    levels: ['https://q.example/', 'https://o.example/', 'https://l.example/', 'https://t.example/'],
    invalid: '//x.example',
  },
  primaryColor: { query: 'primary', levels: ['#000001', '#000002', '#000003', '#000004'], invalid: 'red' },
  backgroundColor: { query: 'bg', levels: ['#000001', '#000002', '#000003', '#000004'], invalid: '#fff' },
  companyName: { query: 'title', levels: ['query', 'override', 'link', 'tenant'], invalid: 'x'.repeat(61) },
  subtitle: { query: 'subtitle', levels: ['query', 'override', 'link', 'tenant'], invalid: '' },
  hidePilotStatusBranding: { query: 'hideBranding', levels: [true, true, true, true], invalid: 'yes' },
}

const SAYS = ['absent', 'null', 'valid', 'invalid'] as const
type Says = (typeof SAYS)[number]

/** What a level contributes to a field. An invalid value is ignored. */
function said(field: BrandingField, says: Says, level: 0 | 1 | 2 | 3): object {
  const { levels, invalid } = SAMPLES[field]
  if (says === 'absent') return {}
  const checked = checkField(field, { null: null, valid: levels[level], invalid }[says], LOGOS)
  return checked.ok ? { [field]: checked.value } : {}
}

function asked(field: BrandingField, says: Says): Partial<Branding> {
  const { query, levels, invalid } = SAMPLES[field]
  const text = { absent: undefined, null: '', valid: String(levels[0]), invalid: String(invalid) }[says]
  return query === null ? {} : readBrandingQuery({ [query]: text }, LOGOS)
}

/** The contract's rule for one field, written a second time. */
function expected(field: BrandingField, [query, override, link, tenant]: readonly [Says, Says, Says, Says]): unknown {
  const { levels } = SAMPLES[field]
  if (query === 'valid' && SAMPLES[field].query !== null) return levels[0]
  for (const [says, level] of [
    [override, 1],
    [link, 2],
  ] as const) {
    if (says === 'valid') return levels[level]
    if (says === 'null') return DEFAULT_BRANDING[field]
  }
  return tenant === 'valid' ? levels[3] : DEFAULT_BRANDING[field]
}

// [branding.precedence.1] [branding.precedence.2] [branding.precedence.3] [branding.precedence.4]
// [branding.precedence.5] [branding.precedence.6]
test('each field is what the first of query, embed session, link, tenant and default says of it, whatever the others hold', (t) => {
  let rows = 0
  for (const field of BRANDING_FIELDS) {
    for (const query of SAYS)
      for (const override of SAYS)
        for (const link of SAYS)
          for (const tenant of SAYS) {
            const sources: BrandingSources = {
              query: asked(field, query),
              override: said(field, override, 1),
              link: said(field, link, 2),
              tenant: { ...DEFAULT_BRANDING, ...said(field, tenant, 3) },
            }
            const row = [query, override, link, tenant] as const
            const wanted = { ...DEFAULT_BRANDING, [field]: expected(field, row), button: null }
            if (JSON.stringify(resolveBranding(sources)) !== JSON.stringify(wanted))
              t.fail(`${field}: ${row.join(', ')}`)
            rows += 1
          }
  }
  t.is(rows, 8 * 4 ** 4)
})

// [branding.precedence.6]
test('without any source the defaults alone are drawn', (t) => {
  t.deepEqual(resolveBranding({ query: null, override: null, link: null, tenant: null }), {
    ...DEFAULT_BRANDING,
    button: null,
  })
})

// [branding.precedence.7] [branding.button.3]
test('a button comes from the embed session or else the link; null is none, and an empty one is a button', (t) => {
  const resolve = (override: BrandingSources['override'], link: BrandingSources['link']) =>
    resolveBranding({ query: null, override, link, tenant: null }).button
  t.deepEqual(resolve({ button: { label: 'Go' } }, { button: {} }), { label: 'Go' })
  t.deepEqual(resolve({}, { button: {} }), {})
  t.is(resolve({ button: null }, { button: {} }), null)
  t.is(resolve(null, { companyName: 'Acme' }), null)
})

test('a link that does not hide the attribution keeps it drawn where the tenant hides it', (t) => {
  const tenant = { ...DEFAULT_BRANDING, hidePilotStatusBranding: true }
  t.true(resolveBranding({ query: null, override: null, link: {}, tenant }).hidePilotStatusBranding)
  t.false(
    resolveBranding({ query: null, override: null, link: { hidePilotStatusBranding: false }, tenant })
      .hidePilotStatusBranding,
  )
})

const URL_FIELDS = ['logoUrl', 'supportUrl', 'defaultRedirectUrl'] as const

// [branding.fields.9] [branding.fields.1] [branding.fields.6] [branding.fields.7]
test('a URL is absolute, https and without a user; anything else is refused in every URL field', (t) => {
  const refused = [
    'http://acme.example/',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:image/png;base64,AAAA',
    'vbscript:x',
    'blob:https://acme.example/1',
    '/logo.png',
    'logo.png',
    '//acme.example/logo.png',
    'https://',
    'https://user@acme.example/',
    'https://user:pass@acme.example/',
    'https://acme.example:99999/',
    'https://acme.example/\u202Egnp',
    'https://acme\t.example/',
    '',
    `https://acme.example/${'x'.repeat(2_028)}`,
    `https://acme.example/${'é'.repeat(1_000)}`,
    'x'.repeat(10_000),
    5,
    true,
    {},
    ['https://acme.example/'],
  ]
  for (const field of URL_FIELDS) {
    for (const value of refused)
      t.false(checkField(field, value, LOGOS).ok, `${field}: ${JSON.stringify(value).slice(0, 80)}`)
    t.deepEqual(checkField(field, 'HTTPS://Acme.Example/a/../b?x=1#y', LOGOS), {
      ok: true,
      value: 'https://acme.example/b?x=1#y',
    })
    t.true(checkField(field, `https://acme.example/${'x'.repeat(2_027)}`, LOGOS).ok)
  }
})

// [branding.fields.10]
test('a logo, and nothing else, may lie below the logos of this service whatever their scheme', (t) => {
  const own = `${LOGOS}abc.png`
  t.deepEqual(checkField('logoUrl', own, LOGOS), { ok: true, value: own })
  t.false(checkField('supportUrl', own, LOGOS).ok)
  t.false(checkField('logoUrl', `${LOGOS}../../v1/branding`, LOGOS).ok)
  t.false(checkField('logoUrl', `${LOGOS}%2e%2e/%2e%2e/v1`, LOGOS).ok)
  t.false(checkField('logoUrl', 'http://gateway.example:3001/branding/logos/abc.png', LOGOS).ok)
  t.false(checkField('logoUrl', 'http://gateway.example:3000.evil.example/branding/logos/abc.png', LOGOS).ok)
  t.false(checkField('logoUrl', 'http://user@gateway.example:3000/branding/logos/abc.png', LOGOS).ok)
})

// [branding.fields.12] [branding.fields.13] [branding.fields.4] [branding.fields.5]
test('a text is counted in code points after trimming and holds no control or bidi-control characters', (t) => {
  t.deepEqual(checkField('companyName', '  Acme <img onerror=alert(1)> ', LOGOS), {
    ok: true,
    value: 'Acme <img onerror=alert(1)>',
  })
  t.true(checkField('companyName', ` ${'\u{1F600}'.repeat(60)} `, LOGOS).ok)
  t.false(checkField('companyName', '\u{1F600}'.repeat(61), LOGOS).ok)
  t.true(checkField('subtitle', 'x'.repeat(120), LOGOS).ok)
  for (const value of [
    '',
    '   ',
    'x'.repeat(121),
    'x'.repeat(10_000),
    'a\u0000b',
    'a\nb',
    'a\u009Fb',
    '\uD800',
    7,
    false,
    ['x'],
  ]) {
    t.false(checkField('subtitle', value, LOGOS).ok, JSON.stringify(value).slice(0, 40))
  }
  for (const code of [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069])
    t.false(checkField('companyName', `Acme${String.fromCodePoint(code)}`, LOGOS).ok)
})

// [branding.fields.11] [branding.fields.2] [branding.fields.3] [branding.fields.8]
test('colours are six digits, kept in lower case; the flag is a boolean, and null unsets each', (t) => {
  t.deepEqual(checkField('primaryColor', '#0A7F5A', LOGOS), { ok: true, value: '#0a7f5a' })
  for (const value of ['0a7f5a', '#fff', '#0a7f5a00', '#0a7f5g', 'red', '#0a7f5a ', '#0a7f5a\n', 1])
    t.false(checkField('backgroundColor', value, LOGOS).ok, String(value))
  for (const value of ['true', 1, 'yes']) t.false(checkField('hidePilotStatusBranding', value, LOGOS).ok)
  for (const field of BRANDING_FIELDS)
    t.deepEqual(checkField(field, null, LOGOS), { ok: true, value: DEFAULT_BRANDING[field] })
})

// [branding.button.1] [branding.button.4]
test('a button has the values of its table, and no others', (t) => {
  const valid: Readonly<Record<string, readonly unknown[]>> = {
    label: [' Pair ', 'x'.repeat(40)],
    backgroundColor: ['#FFFFFF'],
    textColor: ['#000000'],
    borderColor: ['#123456'],
    borderRadius: [0, 32, 7.5],
    size: ['small', 'medium', 'large'],
    fullWidth: [true, false],
    icon: [true, false],
  }
  const invalid: Readonly<Record<string, readonly unknown[]>> = {
    label: ['', ' ', 'x'.repeat(41), 'a\u202Eb', null],
    backgroundColor: ['white', null],
    textColor: ['#fff'],
    borderColor: ['none'],
    borderRadius: [-1, 33, '8', Number.NaN, null],
    size: ['huge', null],
    fullWidth: ['true'],
    icon: [1],
  }
  t.deepEqual([...BUTTON_FIELDS].sort(), Object.keys(valid).sort())
  for (const field of BUTTON_FIELDS) {
    for (const value of valid[field] ?? []) t.true(checkButtonField(field, value).ok, `${field}: ${String(value)}`)
    for (const value of invalid[field] ?? []) t.false(checkButtonField(field, value).ok, `${field}: ${String(value)}`)
  }
  t.deepEqual(checkButtonField('label', ' Pair '), { ok: true, value: 'Pair' })
})

// [pairing.create.6]
test('a link leads to https after it paired, or to http on this machine', (t) => {
  for (const value of [
    'https://acme.example/done?x=1',
    'http://localhost:5173/done',
    'http://app.localhost/',
    'http://127.0.0.1:8080/',
    'http://127.1/',
    'http://[::1]:3000/',
  ])
    t.true(checkRedirect(value).ok, value)
  for (const value of [
    'http://acme.example/',
    'http://localhost.acme.example/',
    'http://127.0.0.1.acme.example/',
    'http://10.0.0.1/',
    'javascript:alert(1)',
    '/done',
    '//acme.example',
    'http://u:p@localhost/',
    'app://done',
    5,
  ])
    t.false(checkRedirect(value).ok, String(value))
})

// [branding.query.1] [branding.query.2] [branding.query.3] [branding.query.6]
test('a query sets only the look, each value independently', (t) => {
  t.deepEqual(
    readBrandingQuery(
      {
        logo: 'https://acme.example/l.png',
        support: 'javascript:alert(1)',
        title: ' Acme ',
        subtitle: 'x'.repeat(10_000),
        primary: '0A7F5A',
        bg: '#FFFFFF',
        hideBranding: '1',
        redirectUrl: 'https://evil.example/',
        defaultRedirectUrl: 'https://evil.example/',
        button: '{}',
        mode: 'button',
        companyName: 'Evil',
        embed: '1',
        numberId: 'num_1',
      },
      LOGOS,
    ),
    {
      logoUrl: 'https://acme.example/l.png',
      companyName: 'Acme',
      primaryColor: '#0a7f5a',
      backgroundColor: '#ffffff',
      hidePilotStatusBranding: true,
    },
  )
  t.deepEqual(readBrandingQuery({ title: '<img src=x onerror=alert(1)>' }, LOGOS), {
    companyName: '<img src=x onerror=alert(1)>',
  })
  for (const hideBranding of ['0', 'false', 'TRUE', '', 'yes'])
    t.deepEqual(readBrandingQuery({ hideBranding }, LOGOS), {})
  for (const primary of ['##0a7f5a', '#', '', 'fff', '#0a7f5']) t.deepEqual(readBrandingQuery({ primary }, LOGOS), {})
})

// [branding.query.4]
test('when a query has a name twice the first value counts; if that is invalid, neither does', (t) => {
  t.deepEqual(readBrandingQuery({ title: ['One', 'Two'], primary: ['red', '0a7f5a'] }, LOGOS), { companyName: 'One' })
  t.deepEqual(
    readBrandingQuery(
      Object.fromEntries([
        ['__proto__', 'x'],
        ['constructor', 'x'],
      ]),
      LOGOS,
    ),
    {},
  )
  t.true(isEmbeddedQuery({ embed: ['1', '0'] }))
  t.false(isEmbeddedQuery({ embed: 'true' }))
})
