import test from 'ava'
import {
  appliedAfterRead,
  afterCreation,
  decideTemplateEvent,
  NEVER_APPLIED,
  templateRefOf,
  UNTOLD,
} from '../../src/domain/template-events.ts'
import { readTemplateBody } from '../../src/domain/template-form.ts'
import type { TemplateEventKind } from '../../src/domain/template-events.ts'
import {
  isAlreadyGone,
  isEditable,
  isNameTaken,
  isTemplateSendable,
  submitReasonOf,
  templateCategoryOf,
  templateStatusOf,
  unsendableParts,
  upstreamCategoryOf,
} from '../../src/domain/template-upstream.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds))
const decide = (kind: TemplateEventKind, value: Record<string, unknown>, applied = NEVER_APPLIED) =>
  decideTemplateEvent(kind, value, at(5), { ...UNTOLD, applied })
const changeOf = (kind: TemplateEventKind, value: Record<string, unknown>) => {
  const decision = decide(kind, value)
  return 'change' in decision ? decision.change : decision.kind
}

// [templates.status.3] [templates.status.4] [templates.status.5] [templates.status.6] [templates.status.7]
// [templates.object.4]
test('each word of upstream is one of four statuses, or none any more', (t) => {
  const rows = {
    APPROVED: ['APPROVED', 'REINSTATED', 'FLAGGED'],
    PENDING: ['PENDING', 'IN_APPEAL'],
    REJECTED: ['REJECTED'],
    DISABLED: [
      'PAUSED',
      'DISABLED',
      'LIMIT_EXCEEDED',
      'LOCKED',
      'ARCHIVED',
      'PENDING_DELETION',
      'SOMETHING_NEW',
      'constructor',
      '',
    ],
  }
  for (const [status, words] of Object.entries(rows))
    for (const word of words) t.is(templateStatusOf(word), status as never, word)
  t.is(templateStatusOf('DELETED'), null)
})

// [templates.status.2] [templates.object.7] [templates.object.8]
test('approved templates are sent, and LOCAL ones at once, when all of them can be', (t) => {
  t.true(isTemplateSendable('APPROVED', []))
  t.true(isTemplateSendable(null, []))
  for (const status of ['PENDING', 'REJECTED', 'DISABLED'] as const) t.false(isTemplateSendable(status, []))
  t.false(isTemplateSendable('APPROVED', ['MPM']))
  t.false(
    isTemplateSendable(
      null,
      unsendableParts(readTemplateBody({ body: 'x', buttons: [{ type: 'ORDER_DETAILS', text: 'Pay' }] }).body),
    ),
  )
  t.deepEqual(unsendableParts(readTemplateBody({ body: 'x', buttons: [{ type: 'QUICK_REPLY', text: 'q' }] }).body), [])
})

// [templates.update.3]
test('upstream takes another wording in four states', (t) => {
  t.deepEqual(['APPROVED', 'FLAGGED', 'REJECTED', 'PAUSED', 'PENDING', 'IN_APPEAL', 'DISABLED', null].map(isEditable), [
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})

// [templates.language.3]
test('OTP is AUTHENTICATION upstream, both ways', (t) => {
  t.is(upstreamCategoryOf('OTP'), 'AUTHENTICATION')
  t.is(upstreamCategoryOf('UTILITY'), 'UTILITY')
  t.deepEqual(['AUTHENTICATION', 'OTP', 'marketing', 'FREE', 'constructor', null].map(templateCategoryOf), [
    'OTP',
    'OTP',
    'MARKETING',
    null,
    null,
    null,
  ])
})

// [templates.create.12] [templates.create.13] [templates.create.14] [templates.create.15] [templates.create.16]
// [templates.create.17] [templates.create.18] [templates.create.19] [templates.create.20] [templates.create.22]
// [templates.create.23] [templates.create.24] [templates.create.25]
test('the reason of a refusal is told by code and subcode', (t) => {
  const rows: readonly [number | null, number | null, string][] = [
    [100, 33, 'ACCOUNT_INACCESSIBLE'],
    [100, 2388128, 'PAYMENT_BUTTON_NOT_ENABLED'],
    [100, 2388293, 'TOO_MANY_VARIABLES'],
    [100, 2388019, 'TEMPLATE_LIMIT'],
    [80008, 2388019, 'TEMPLATE_LIMIT'],
    [100, null, 'INVALID_PARAMETER'],
    [100, 2388299, 'INVALID_PARAMETER'],
    [192, null, 'PHONE_COUNTRY_CODE'],
    [368, 1346003, 'CONTENT_ABUSIVE'],
    [368, null, 'NUMBER_BLOCKED'],
    [368, 33, 'NUMBER_BLOCKED'],
    [131008, null, 'DISPLAY_NAME_NOT_APPROVED'],
    [131037, null, 'DISPLAY_NAME_NOT_APPROVED'],
    [131002, null, 'HEADER_FILE_REJECTED'],
    [131003, null, 'HEADER_FILE_REJECTED'],
    [3, null, 'PERMISSION_MISSING'],
    [10, null, 'PERMISSION_MISSING'],
    [200, null, 'PERMISSION_MISSING'],
    [299, null, 'PERMISSION_MISSING'],
    [190, 463, 'TOKEN_INVALID'],
    [199, null, 'OTHER'],
    [300, null, 'OTHER'],
    [1, null, 'OTHER'],
    [null, null, 'OTHER'],
  ]
  for (const [code, subcode, reason] of rows) t.is(submitReasonOf(code, subcode), reason as never, `${code}/${subcode}`)
})

test('a name that is taken and a template that is gone are told apart from what upstream hides', (t) => {
  t.deepEqual([2388023, 2388024, 2388025, null].map(isNameTaken), [true, true, false, false])
  t.deepEqual([isAlreadyGone(100, 2593002), isAlreadyGone(100, 33), isAlreadyGone(100, null)], [true, false, false])
})

test('an event names its template by digits that lost nothing, by name and by language', (t) => {
  t.deepEqual(
    templateRefOf({
      message_template_id: '123456789012345678901',
      message_template_name: 'n',
      message_template_language: 'en-US',
    }),
    { externalId: '123456789012345678901', name: 'n', language: 'en-US' },
  )
  t.is(templateRefOf({ message_template_id: 42 }).externalId, '42')
  for (const id of [Number.MAX_SAFE_INTEGER + 1, 1.5, -1, 'x1', '', '9'.repeat(65), null, undefined])
    t.is(templateRefOf({ message_template_id: id }).externalId, null)
  t.deepEqual(templateRefOf({ message_template_name: 'n'.repeat(513), message_template_language: 'x'.repeat(301) }), {
    externalId: null,
    name: null,
    language: null,
  })
})

// [templates.status.1] [templates.status.8]
test("a status event says the status, upstream's word, the reason and its text", (t) => {
  t.deepEqual(changeOf('STATUS', { event: 'APPROVED', reason: 'NONE' }), {
    officialStatus: 'APPROVED',
    upstreamStatus: 'APPROVED',
    statusReason: null,
    statusDescription: null,
  })
  t.deepEqual(changeOf('STATUS', { event: 'FLAGGED', reason: null }), {
    officialStatus: 'APPROVED',
    upstreamStatus: 'FLAGGED',
    statusReason: null,
    statusDescription: null,
  })
  t.deepEqual(
    changeOf('STATUS', {
      event: 'REJECTED',
      reason: 'INVALID_FORMAT',
      rejection_info: { reason: 'Bad.', recommendation: 'Mend it.' },
    }),
    {
      officialStatus: 'REJECTED',
      upstreamStatus: 'REJECTED',
      statusReason: 'INVALID_FORMAT',
      statusDescription: 'Bad. Mend it.',
    },
  )
  t.deepEqual(
    changeOf('STATUS', {
      event: 'PAUSED',
      reason: 'NONE',
      other_info: { title: 'FIRST_PAUSE', description: 'Three hours.' },
    }),
    {
      officialStatus: 'DISABLED',
      upstreamStatus: 'PAUSED',
      statusReason: 'FIRST_PAUSE',
      statusDescription: 'Three hours.',
    },
  )
})

// [templates.account-changes.2] [templates.status.7]
test('a deleted template is removed; what nobody knows, and what comes out of the archive, is read anew', (t) => {
  t.is(changeOf('STATUS', { event: 'DELETED' }), 'REMOVE')
  for (const event of ['UNARCHIVED', 'SOMETHING_NEW', undefined, 'constructor'])
    t.is(changeOf('STATUS', { event }), 'REREAD')
  t.is(changeOf('COMPONENTS', { message_template_element: 'x' }), 'REREAD')
})

// [templates.object.5]
test('a quality is one of four', (t) => {
  t.deepEqual(
    ['GREEN', 'yellow', 'RED', 'UNKNOWN', 'BLUE', null].map((score) =>
      changeOf('QUALITY', { new_quality_score: score }),
    ),
    ['GREEN', 'YELLOW', 'RED', 'UNKNOWN', 'UNKNOWN', 'UNKNOWN'].map((quality) => ({ quality })),
  )
})

// [templates.account-changes.6] [templates.account-changes.7]
test('a category with a correction sets the correction alone, without one itself', (t) => {
  t.deepEqual(changeOf('CATEGORY', { new_category: 'UTILITY', correct_category: 'MARKETING' }), {
    correctCategory: 'MARKETING',
  })
  t.deepEqual(changeOf('CATEGORY', { previous_category: 'UTILITY', new_category: 'AUTHENTICATION' }), {
    category: 'OTP',
  })
  t.deepEqual(changeOf('CORRECT_CATEGORY', { category: 'UTILITY', correct_category: 'MARKETING' }), {
    correctCategory: 'MARKETING',
  })
  t.deepEqual(changeOf('CORRECT_CATEGORY', { current_category: 'UTILITY', suggested_category: 'MARKETING' }), {
    correctCategory: 'MARKETING',
  })
  for (const kind of ['CATEGORY', 'CORRECT_CATEGORY'] as const) t.is(changeOf(kind, {}), 'REREAD')
})

// [templates.account-changes.3]
test('a change older than the last applied one of the same kind is ignored; within one second either may be newer', (t) => {
  const applied = { ...NEVER_APPLIED, status: at(6) }
  for (const event of ['REJECTED', 'DELETED', 'UNARCHIVED']) t.is(decide('STATUS', { event }, applied).kind, 'NONE')
  const sameSecond = { ...UNTOLD, upstreamStatus: 'PAUSED', applied: { ...applied, status: at(5) } }
  for (const [event, kind] of Object.entries({ PAUSED: 'CHANGE', REJECTED: 'DOUBT', DELETED: 'REMOVE' }))
    t.is(decideTemplateEvent('STATUS', { event }, at(5), sameSecond).kind, kind as never, event)
  t.deepEqual(decide('QUALITY', { new_quality_score: 'RED' }, { ...applied, quality: at(4) }), {
    kind: 'CHANGE',
    change: { quality: 'RED' },
    applied: { ...applied, quality: at(5) },
  })
})

// [templates.account-changes.3]
test('what a read changed is not known to be told: what disagrees with it is in doubt, what agrees is not', (t) => {
  const before = { ...UNTOLD, upstreamStatus: 'PAUSED', applied: { status: at(9), quality: at(9), category: at(9) } }
  const read = { upstreamStatus: 'APPROVED', quality: before.quality, category: null, correctCategory: null } as const
  const applied = appliedAfterRead(before, read)
  t.deepEqual(applied, { ...before.applied, status: null })
  for (const [event, kind] of Object.entries({ APPROVED: 'CHANGE', PAUSED: 'DOUBT', DELETED: 'REMOVE' }))
    t.is(decideTemplateEvent('STATUS', { event }, at(5), { ...before, ...read, applied }).kind, kind as never, event)
  t.deepEqual(appliedAfterRead(before, { ...before, quality: 'RED' }), { ...before.applied, quality: null })
  for (const field of ['category', 'correctCategory'])
    t.deepEqual(appliedAfterRead(before, { ...before, [field]: 'OTP' }), { ...before.applied, category: null })
  t.is(decideTemplateEvent('CATEGORY', { new_category: 'UTILITY' }, at(5), UNTOLD).kind, 'DOUBT')
})

// [templates.account-changes.4]
test('an event that overtakes the answer of its own creation wins over that answer', (t) => {
  const answer = { officialStatus: 'PENDING', upstreamStatus: 'PENDING', category: 'UTILITY' } as const
  t.deepEqual(afterCreation(answer, NEVER_APPLIED), answer)
  t.deepEqual(afterCreation(answer, { ...NEVER_APPLIED, status: at(1) }), { category: 'UTILITY' })
  t.deepEqual(afterCreation(answer, { ...NEVER_APPLIED, category: at(1) }), {
    officialStatus: 'PENDING',
    upstreamStatus: 'PENDING',
  })
})
