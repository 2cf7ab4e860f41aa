import test from 'ava'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { connectBody, connectOfficial, seedOfficial } from '../helpers/official-service.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import {
  connectTemplates,
  createTemplate,
  givenTemplate,
  readyTemplate,
  taken,
  untilTemplate,
} from '../helpers/template-service.ts'

const EDIT = { body: { body: { text: 'Good day {{customer}}, it is on its way.' } }, examples: { customer: 'Ana' } }
let service: Service

test.before(async () => {
  service = await joinService()
})

/** Status and code of every route that names a template. */
async function answersOf({ key }: Pick<PairedNumber, 'key'>, idOrName: string): Promise<Record<string, string>> {
  const path = `/v1/templates/${idOrName}`
  const asked: readonly (readonly [method: string, path: string, body?: object])[] = [
    ['GET', path],
    ['GET', `${path}?refresh=1`],
    ['GET', `${path}?language=en`],
    ['PUT', path, EDIT],
    ['DELETE', path],
    [
      'POST',
      '/v1/messages/send',
      { destinationNumber: '5511990000001', templateId: idOrName, variables: { customer: 'Bo' } },
    ],
  ]
  const answers: Record<string, string> = {}
  for (const [method, at, body] of asked) {
    const answer = await service.api(method, at, key, body)
    answers[`${method} ${at.replace(idOrName, '{id}')}`] = `${answer.status} ${answer.body.code}`
  }
  return answers
}

const ABSENT = {
  'GET /v1/templates/{id}': '404 TEMPLATE_NOT_FOUND',
  'GET /v1/templates/{id}?refresh=1': '404 TEMPLATE_NOT_FOUND',
  'GET /v1/templates/{id}?language=en': '404 TEMPLATE_NOT_FOUND',
  'PUT /v1/templates/{id}': '404 TEMPLATE_NOT_FOUND',
  'DELETE /v1/templates/{id}': '404 TEMPLATE_NOT_FOUND',
  'POST /v1/messages/send': '404 undefined',
}

// [templates.scope.1] [templates.scope.2]
test('a template is there for the numbers of its account in its tenant, or for its own UNOFFICIAL number, and for no other key', async (t) => {
  const account = await connectTemplates(service)
  const { accountId, appId, appSecret, accessToken } = account
  const seed = { accountId, appId, appSecret, accessToken }
  const stranger = await askToCreateTenant(service.dataDir, 'Stranger')
  if (!stranger) return t.fail('no second tenant')
  const own = await readyTemplate(service, account, 'secret')
  const [sibling, neighbour] = [await connectOfficial(service, seed), await connectOfficial(service)]
  const elsewhere = taken(
    await service.api('POST', '/v1/numbers/official', stranger.key, connectBody(await seedOfficial(service, seed))),
    201,
  )
  const [phone, otherPhone] = [await service.pairNumber(), await service.pairNumber()]
  const local = await createTemplate(service, phone, 'private')

  t.is(
    (await untilTemplate(service, sibling, 'secret', 'there', ({ sendable }) => sendable)).id,
    own.id,
    'one row for the account',
  )
  for (const idOrName of [own.id, 'secret']) {
    for (const number of [neighbour, phone, otherPhone]) t.deepEqual(await answersOf(number, idOrName), ABSENT)
  }
  const theirs = await untilTemplate(
    service,
    { id: elsewhere.id, digits: '', key: elsewhere.apiKey.key },
    'secret',
    'imported',
    ({ sendable }) => sendable,
  )
  t.not(theirs.id, own.id)
  t.deepEqual(await answersOf(elsewhere.apiKey, own.id), ABSENT)
  t.deepEqual(await answersOf(account, theirs.id), ABSENT)
  for (const idOrName of [local.id, 'private']) {
    for (const number of [account, neighbour, otherPhone]) t.deepEqual(await answersOf(number, idOrName), ABSENT)
  }
  for (const number of [neighbour, otherPhone])
    t.deepEqual((await service.api('GET', '/v1/templates', number.key)).body.templates, [])
  t.is((await createTemplate(service, otherPhone, 'private')).name, 'private', 'the name is free on another number')
  t.like(
    await service.api('GET', `/v1/templates/${local.id}`, phone.key),
    { status: 200, body: local },
    'nothing of all that changed it',
  )
  t.is(
    (await service.api('GET', `/v1/templates/${own.id}?refresh=1`, account.key)).body.body.body.text,
    own.body.body.text,
  )
})

// [keys.scopes.3]
test('a tenant key is told that templates are of numbers', async (t) => {
  const asked: readonly (readonly [method: string, path: string, body?: object])[] = [
    ['GET', '/v1/templates'],
    ['POST', '/v1/templates', givenTemplate('a')],
    ['POST', '/v1/templates/preview', givenTemplate('a')],
    ['POST', '/v1/templates/sync', {}],
    ['GET', '/v1/templates/a'],
    ['PUT', '/v1/templates/a', EDIT],
    ['DELETE', '/v1/templates/a'],
  ]
  for (const [method, path, body] of asked) {
    const answer = await service.api(method, path, service.tenantKey, body)
    t.deepEqual([answer.status, answer.body.code], [403, 'TENANT_SCOPE_NOT_ALLOWED'], `${method} ${path}`)
  }
})
