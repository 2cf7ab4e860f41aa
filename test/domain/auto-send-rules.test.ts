import test from 'ava'
import { refusalOfSettings } from '../../src/domain/auto-send-rules.ts'
import type { AnsweringTemplate } from '../../src/domain/auto-send-rules.ts'
import type { AutoSend, LeadFormSettings } from '../../src/domain/lead.ts'

const FORM = { questions: [{ key: 'full_name' }, { key: 'city' }], checkboxes: [{ key: 'yes' }, { key: 'news' }] }
const TEMPLATE: AnsweringTemplate = {
  source: 'OFFICIAL',
  category: 'MARKETING',
  body: {
    header: { type: 'NONE' },
    body: { text: 'Hello {{name}}, we are in {{place}}.' },
    footer: null,
    buttons: [],
    carousel: null,
  },
}
const NAMED: AutoSend['variables'] = { name: { field: 'full_name' }, place: { field: 'city' } }

function settings(variables: AutoSend['variables'], fields: Partial<AutoSend> = {}): LeadFormSettings {
  return {
    consentKey: null,
    autoSend: { templateId: 'tpl_1', variables, onlyWithConsent: false, skipRecentConversationDays: 0, ...fields },
  }
}

// [leads.auto-send.2]
test('variables that the template has and the settings do not map are named', (t) => {
  t.is(refusalOfSettings(settings(NAMED), FORM, TEMPLATE), null)
  t.like(refusalOfSettings(settings({}), FORM, TEMPLATE), {
    code: 'MISSING_TEMPLATE_VARIABLES',
    message: 'Say where these variables come from: name, place',
    details: { missing: ['name', 'place'] },
  })
  t.like(refusalOfSettings(settings({ name: { field: 'nobody' } }), FORM, TEMPLATE), {
    code: 'MISSING_TEMPLATE_VARIABLES',
    details: { missing: ['place'] },
  })
})

test('a fixed value that no send would take is refused with its reason', (t) => {
  const fixed = (value: string) => settings({ ...NAMED, place: { value } })
  t.is(refusalOfSettings(fixed('Lisbon'), FORM, TEMPLATE), null)
  t.like(refusalOfSettings(fixed('a\tb'), FORM, TEMPLATE), {
    code: 'INVALID_TEMPLATE_VARIABLE_VALUE',
    message: 'These values cannot be sent: place (TAB)',
    details: { missing: [], invalid: [{ key: 'place', reason: 'TAB' }] },
  })
  t.like(refusalOfSettings(settings({ name: { value: 'a\tb' }, place: { value: 'a\nb' } }), FORM, TEMPLATE), {
    message: 'These values cannot be sent: name (TAB), place (LINE_BREAK)',
  })
})

// [leads.auto-send.3] [leads.stored.11]
test('fields and the checkbox for consent must be parts of the form', (t) => {
  const faultsOf = (given: LeadFormSettings) => {
    const refusal = refusalOfSettings(given, FORM, TEMPLATE)
    return refusal?.code === 'VALIDATION' ? refusal.details : refusal
  }
  t.is(faultsOf({ consentKey: 'news', autoSend: null }), null)
  t.deepEqual(faultsOf({ consentKey: 'full_name', autoSend: null }), [
    { path: 'consentKey', message: 'is no checkbox of the form' },
  ])
  t.is(faultsOf({ ...settings(NAMED, { onlyWithConsent: true }), consentKey: 'yes' }), null)
  t.deepEqual(faultsOf(settings({ name: { field: 'yes' }, place: { field: 'city' } }, { onlyWithConsent: true })), [
    { path: 'autoSend.variables.name.field', message: 'is no question of the form' },
    { path: 'autoSend.onlyWithConsent', message: 'needs consentKey, the checkbox that says yes' },
  ])
})

test('settings without a template are checked against the form alone', (t) => {
  t.is(refusalOfSettings(settings({}), FORM, null), null)
  t.is(refusalOfSettings({ consentKey: null, autoSend: null }, FORM, TEMPLATE), null)
  t.like(refusalOfSettings(settings({ any: { field: 'nobody' } }), FORM, null), { code: 'VALIDATION' })
})
