import { readFileSync } from 'node:fs'
import test from 'ava'
import { REFUSALS } from '../../src/domain/errors.ts'
import { PAGE, pageOf, refusalTexts } from './page.ts'
import { parse, textsOf } from './texts.ts'

const TEXTS = refusalTexts()

test('every text that a client may be refused with stands on the page', (t) => {
  t.true(TEXTS.length > 250)
  t.is(
    readFileSync(new URL(`../../${PAGE}`, import.meta.url), 'utf8'),
    pageOf(TEXTS),
    'npm run refusals writes it: read what changed as a stranger would',
  )
})

/** Their texts are those of a parameter's schema, of the guard of addresses, or put together of several parts. */
const TOLD_ELSEWHERE = [
  'INVALID_LIMIT',
  'INVALID_BEFORE',
  'MISSING_TO',
  'INVALID_SOURCE_TYPE',
  'MEDIA_URL_FORBIDDEN',
  'TEMPLATE_FOOTER_TEXT_INVALID',
  'TEMPLATE_FLOW_INVALID',
  'TEMPLATE_OTP_INVALID',
]

test('each code has a text on the page', (t) => {
  const told = new Set([...TOLD_ELSEWHERE, ...TEXTS.map(({ code }) => code)])
  t.deepEqual(
    Object.keys(REFUSALS).filter((code) => !told.has(code)),
    [],
  )
})

test('a text is found where it stands: in a call, a table, a choice, or what a function is given', (t) => {
  const here = `
    const WORDS = { used: 'It was used' }
    const a = refuse('BUSY', 'Try again')
    const b = refuse('BUSY', isLong ? 'Too long' : \`At most \${MOST} bytes\`)
    const c = refuse('BUSY', WORDS[why])
    const d = { code: 'TIMEOUT', message: 'Too late' }
    export function denied(message: string) { return refuse('TIMEOUT', message) }
    const e = denied('Not now')
    const f = refuse('OTHER', 'Not a code')`
  const there = `import { denied } from './here.ts'\nthrow denied('Not there')`
  t.deepEqual(
    textsOf([parse('here.ts', here), parse('there.ts', there)], new Set(['BUSY', 'TIMEOUT'])).map(
      ({ code, text }) => `${code} ${text}`,
    ),
    [
      'BUSY Try again',
      'BUSY Too long',
      'BUSY At most {MOST} bytes',
      'BUSY It was used',
      'TIMEOUT Too late',
      'TIMEOUT Not now',
      'TIMEOUT Not there',
    ],
  )
})
