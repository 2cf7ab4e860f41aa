import test from 'ava'
import { chooseTemplate } from '../../src/domain/template-choice.ts'
import type { Outcome } from '../../src/domain/errors.ts'
import { storedTemplate } from '../helpers/scripted-templates.ts'

const official = (fields: Parameters<typeof storedTemplate>[2] = {}, body: unknown = 'Hi.') =>
  storedTemplate('OFFICIAL', body, fields)
const refusalOf = (outcome: Outcome<unknown>) => (outcome.ok ? null : [outcome.error.code, outcome.error.details])

// [templates.scope.3]
test('the one template of a name is chosen without its language, and by it in any form', (t) => {
  const only = official({ language: 'en_US' })
  t.deepEqual(chooseTemplate([only], 'welcome', null), { ok: true, value: only })
  for (const language of ['en_US', 'en-US', 'en_us'])
    t.deepEqual(chooseTemplate([only], 'welcome', language), { ok: true, value: only })
})

// [templates.scope.4]
test('a name that languages share needs one of them', (t) => {
  const [english, other] = [official({ language: 'en_US' }), official({ language: 'pt_BR' })]
  t.deepEqual(refusalOf(chooseTemplate([english, other], 'welcome', null)), [
    'TEMPLATE_NAME_AMBIGUOUS',
    { languages: ['en_US', 'pt_BR'] },
  ])
  t.deepEqual(chooseTemplate([english, other], 'welcome', 'pt-BR'), { ok: true, value: other })
  t.deepEqual(refusalOf(chooseTemplate([english, other], 'welcome', 'pt')), ['NOT_FOUND', undefined])
})

// [templates.send.2]
test('an unknown or unapproved template is not found, whatever else is wrong with it', (t) => {
  t.deepEqual(refusalOf(chooseTemplate([], 'welcome', null)), ['NOT_FOUND', undefined])
  for (const officialStatus of ['PENDING', 'REJECTED', 'DISABLED', null] as const) {
    t.deepEqual(
      refusalOf(chooseTemplate([official({ officialStatus, unsupported: ['CATALOG'] })], 'welcome', null)),
      ['NOT_FOUND', undefined],
      String(officialStatus),
    )
  }
})

// [templates.send.2]
test('a template with a part that cannot be sent is refused with the name of the part', (t) => {
  t.deepEqual(refusalOf(chooseTemplate([official({ unsupported: ['LOCATION', 'CATALOG'] })], 'welcome', null)), [
    'TEMPLATE_COMPONENT_NOT_SUPPORTED',
    { component: 'LOCATION', components: ['LOCATION', 'CATALOG'] },
  ])
})

// [templates.object.8]
test('a local template is sendable at once, unless it has orders', (t) => {
  const local = storedTemplate('UNOFFICIAL', 'Hi {{name}}.')
  t.deepEqual(chooseTemplate([local], local.id, null), { ok: true, value: local })
  const orders = storedTemplate('UNOFFICIAL', { body: 'Hi.', buttons: [{ type: 'ORDER_DETAILS', text: 'Pay' }] })
  t.like(refusalOf(chooseTemplate([orders], 'welcome', null)), { 0: 'TEMPLATE_COMPONENT_NOT_SUPPORTED' })
})

test('a template that is being deleted is not sent any more; one that is being changed is', (t) => {
  t.deepEqual(refusalOf(chooseTemplate([official({ ask: { kind: 'DELETE' } })], 'welcome', null)), [
    'NOT_FOUND',
    undefined,
  ])
  const { files, parameters, submitted, unsupported, body, examples } = official()
  const edited = official({
    ask: { kind: 'EDIT', category: 'UTILITY', wording: { files, parameters, submitted, unsupported, body, examples } },
  })
  t.deepEqual(chooseTemplate([edited], 'welcome', null), { ok: true, value: edited })
})
