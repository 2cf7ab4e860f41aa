import test from 'ava'
import { faultOf } from '../../web/ui/session/fault-of.ts'

function said(status: number, body: object, headers: Record<string, string> = {}) {
  return faultOf({ status, headers: new Headers(headers) }, body)
}

test('a refusal is told by its code where that says more than its status', (t) => {
  t.is(said(401, { code: 'INVALID_CREDENTIALS' }).kind, 'WRONG')
  t.is(said(401, {}).kind, 'SIGNED_OUT')
  t.is(said(403, { code: 'CSRF_REJECTED' }).kind, 'ELSEWHERE')
  t.is(said(403, { code: 'HTTPS_REQUIRED' }).kind, 'HTTPS')
  t.is(said(403, { code: 'PERMISSION_DENIED' }).kind, 'DENIED')
  t.is(said(404, { code: 'ROUTE_NOT_FOUND' }).kind, 'OFF')
  t.is(said(404, { code: 'NUMBER_NOT_FOUND' }).kind, 'GONE')
  t.is(said(400, {}).kind, 'INVALID')
  t.is(said(422, {}).kind, 'INVALID')
  t.is(said(503, { code: 'BUSY' }).kind, 'SERVER')
})

test('a refusal keeps what the service said: its code, its words, and what it has against each field', (t) => {
  t.deepEqual(said(409, { error: 'The number is there already', code: 'NUMBER_ALREADY_EXISTS' }), {
    kind: 'REFUSED',
    code: 'NUMBER_ALREADY_EXISTS',
    said: 'The number is there already',
  })
  const details = [{ path: 'settings.msgRejectCall', message: 'too long' }, { path: 3 }, null, 'x']
  t.deepEqual(said(400, { error: 'Invalid body', details }), {
    kind: 'INVALID',
    said: 'Invalid body',
    fields: [{ path: 'settings.msgRejectCall', message: 'too long' }],
  })
  t.deepEqual(said(400, { error: 7, code: null, details: { path: 'x' } }), {
    kind: 'INVALID',
    details: { path: 'x' },
  })
})

// [flows.scope.2] [flows.errors.5]
test('of a refusal in two languages the English words are kept, with what is wrong with a document', (t) => {
  const validationErrors = [{ error: 'INVALID_FLOW_JSON', line_start: 2 }]
  const body = { error: 'O documento foi recusado', errorEN: 'The document was refused', code: 'FLOW_JSON_INVALID' }
  t.deepEqual(said(422, { ...body, validationErrors }), {
    kind: 'INVALID',
    code: 'FLOW_JSON_INVALID',
    said: 'The document was refused',
    details: { validationErrors },
  })
})

test('too many requests say how long to wait, where the service says so', (t) => {
  t.deepEqual(said(429, {}, { 'retry-after': '9' }), { kind: 'BUSY', retryAfterMs: 9_000 })
  t.deepEqual(said(429, {}), { kind: 'BUSY', retryAfterMs: null })
})
