import test from 'ava'
import { REFUSALS } from '../../../../src/domain/errors.ts'
import { readGraphError } from '../../../../src/providers/official/errors/graph-error.ts'
import type { GraphFailure } from '../../../../src/providers/official/errors/graph-error.ts'
import { refusalOf, shownCodeOf } from '../../../../src/providers/official/errors/error-map.ts'

function failure(code: unknown, status: number, more: Readonly<Record<string, unknown>> = {}): GraphFailure {
  const read = readGraphError(
    status,
    { error: { message: `(#${String(code)}) Title`, type: 'OAuthException', code, ...more } },
    'token',
    null,
  )
  if (!read) throw new Error('no error was read')
  return read
}

/** The status and code that the caller sees. */
function shown(of: GraphFailure): string {
  const { code } = refusalOf(of)
  const row = REFUSALS[code]
  return `${row.status} ${'shownAs' in row ? row.shownAs : code}`
}

const MAPPED: readonly (readonly [code: number, upstreamStatus: number, shown: string])[] = [
  [138000, 401, '409 OFFICIAL_CALLING_NOT_ENABLED'],
  [138006, 401, '403 OFFICIAL_CALL_PERMISSION_REQUIRED'],
  [138009, 400, '429 OFFICIAL_CALL_PERMISSION_REQUEST_LIMIT'],
  [138012, 400, '429 OFFICIAL_CALL_LIMIT_REACHED'],
  [138015, 400, '409 OFFICIAL_CALLING_TIER_TOO_LOW'],
  [138018, 400, '409 OFFICIAL_CALLING_PREREQUISITES_UNMET'],
  [131044, 400, '402 OFFICIAL_CALLING_PAYMENT_REQUIRED'],
  [131047, 400, '422 OFFICIAL_OUTSIDE_24H_WINDOW'],
  [100, 400, '422 OFFICIAL_ERROR'],
  [131009, 400, '422 OFFICIAL_ERROR'],
  [138001, 400, '422 OFFICIAL_ERROR'],
  [7654321, 400, '422 OFFICIAL_ERROR'],
  [7654321, 500, '502 OFFICIAL_ERROR'],
  [190, 401, '422 OFFICIAL_ERROR'],
  [2, 503, '502 OFFICIAL_ERROR'],
  [138007, 500, '502 OFFICIAL_ERROR'],
  [138002, 429, '429 OFFICIAL_ERROR'],
  [130429, 400, '429 OFFICIAL_ERROR'],
  [130429, 429, '429 OFFICIAL_ERROR'],
]

// [official.failure-codes.2]
for (const [code, status, expected] of MAPPED) {
  test(`upstream ${code} with HTTP ${status} is ${expected}, with its code and message`, (t) => {
    t.is(shown(failure(code, status)), expected)
    t.deepEqual(refusalOf(failure(code, status)).details, { upstreamCode: code, upstreamMessage: `(#${code}) Title` })
  })
}

test('no answer, and an answer of something else, are 502', (t) => {
  t.is(shown({ kind: 'unanswered', failure: { kind: 'timeout', message: 'late' } }), '502 OFFICIAL_ERROR')
  t.is(shown({ kind: 'unreadable', status: 200, waitMs: null }), '502 OFFICIAL_ERROR')
  t.deepEqual(refusalOf({ kind: 'unanswered', failure: { kind: 'timeout', message: 'late' } }).details, {
    upstreamCode: null,
    upstreamMessage: 'late',
  })
})

test('details of an error are read whatever their form', (t) => {
  const message = (more: Readonly<Record<string, unknown>>) =>
    (refusalOf(failure(100, 400, more)).details as { upstreamMessage: string }).upstreamMessage
  t.is(
    message({ error_data: { messaging_product: 'whatsapp', details: 'No fingerprint.' } }),
    '(#100) Title: No fingerprint.',
  )
  t.is(message({ error_data: 'No fingerprint.' }), '(#100) Title: No fingerprint.')
  t.is(message({ error_data: { blame_field_specs: [['calling']] } }), '(#100) Title')
  t.is(message({ error_data: null }), '(#100) Title')
  t.is(message({ error_user_msg: 'Say it so.', error_user_title: 'T' }), 'Say it so.')
  t.is(message({ message: 7 }), '')
})

test('a code may be text or missing', (t) => {
  t.is(shown(failure('138006', 401)), '403 OFFICIAL_CALL_PERMISSION_REQUIRED')
  t.is(shown(failure(undefined, 400)), '422 OFFICIAL_ERROR')
  t.is(shown(failure(null, 503)), '502 OFFICIAL_ERROR')
  t.is(shown(failure('constructor', 400)), '422 OFFICIAL_ERROR')
  t.is(readGraphError(400, { error: 'no object' }, 'token', null), null)
})

test('an error that ends a call is shown by our code', (t) => {
  t.is(shownCodeOf(138021), 'MEDIA_TIMEOUT')
  t.is(shownCodeOf(131044), 'OFFICIAL_CALLING_PAYMENT_REQUIRED')
  t.is(shownCodeOf(138020), 'OFFICIAL_ERROR')
  t.is(shownCodeOf(null), 'OFFICIAL_ERROR')
})
