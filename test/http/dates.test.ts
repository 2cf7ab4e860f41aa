import test from 'ava'
import type { ExecutionContext } from 'ava'
import { randomBytes } from 'node:crypto'
import { unofficial } from '../../src/domain/kinds/unofficial.ts'
import { isOfTenant } from '../../src/http/request/access.ts'
import { describedRoutes } from '../../src/http/described-routes.ts'
import { createCaches } from '../../src/http/caches.ts'
import type { RefusalCode } from '../../src/domain/errors.ts'
import type { Route } from '../../src/http/request/route.ts'
import { shownCode } from '../../src/http/request/refusal-body.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import { openStores } from '../../src/storage/stores.ts'
import { madeFlow } from '../contracts/flow-world.ts'
import { newOfficial, officialNumber } from '../contracts/official-store.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

const database = sharedDatabase(test, openTestDatabase)

/** Dates that PostgreSQL cannot hold, and texts that are no date. */
const HOSTILE = [
  '0000-01-01',
  '0000-12-31',
  '0000-01-01T00:00:00Z',
  '0000-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00+00:01',
  '0001-01-01T12:00:00+23:59',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-23:59',
  '9999-12-31T23:59:59-00:01',
  '9999-12-31T12:00:00-14:00',
  '+010000-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '10000-01-01',
  '10000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '99999999999999999999',
  '2026-02-30',
  '2026-13-01',
  '2026-01-01T25:00:00Z',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:60Z',
  '2026-01-01 00:00:00',
  'infinity',
  '-infinity',
  'now',
  'epoch',
  'today',
  '',
  ' ',
  '0',
  'NaN',
  'null',
  'J2451187',
  '4713-01-01 BC',
  '2026-01-01T00:00:00.1e5Z',
]
/** The earliest and latest dates, and every accepted form. */
const KIND = [
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '2026-01-05T12:00:00Z',
  '2026-01-05T12:00:00.123456789Z',
  '2026-01-05T23:30:00-23:59',
  '0001-01-01T23:59:00+23:59',
]

interface DateField {
  readonly route: Route
  readonly part: 'query' | 'body'
  readonly name: string
  readonly schema: unknown
}

/** All date fields of all routes, as the API document declares them, so that a new route is covered too. */
function dateFields(document: any, routes: readonly Route[]): DateField[] {
  const resolve = (schema: any): any =>
    schema?.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1)]) : schema
  const isDate = (schema: any): boolean => {
    const { format, anyOf, oneOf } = resolve(schema) ?? {}
    return format === 'date-time' || format === 'date' || [...(anyOf ?? []), ...(oneOf ?? [])].some(isDate)
  }
  return routes
    .filter(({ isHidden }) => !isHidden)
    .flatMap((route) => {
      const { parameters = [], requestBody } = document.paths[route.path][route.method]
      const inQuery = parameters
        .map(resolve)
        .filter((field: any) => field.in === 'query' && isDate(field.schema))
        .map(({ name, schema }: any) => ({ route, part: 'query', name, schema }))
      const properties = resolve(requestBody?.content?.['application/json']?.schema)?.properties ?? {}
      const inBody = Object.keys(properties)
        .filter((name) => isDate(properties[name]))
        .map((name) => ({ route, part: 'body', name, schema: properties[name] }))
      return [...inQuery, ...inBody]
    })
}

async function open(t: ExecutionContext) {
  const world = new World()
  const stores = openStores({ database: database(), cipher: new AesCipher(randomBytes(32)), clock: world.clock })
  const { key, tenantId } = await stores.tenants.create('Acme')
  const client = await serve(t, world, {
    numbers: stores.numbers,
    keys: stores.keys,
    calls: stores.calls,
    pairing: stores.pairing,
    idempotency: stores.idempotency,
    webhooks: stores.webhooks,
    messages: stores.messages,
    events: stores.events,
    flows: stores.flows,
    flowResponses: stores.flowResponses,
    referrals: stores.referrals,
  })
  const number = await client.send('POST', '/v1/numbers', { key, body: { name: 'Desk', number: '5511900001111' } })
  const official = await officialNumber({ stores }, newOfficial(tenantId))
  const flow = await madeFlow(
    { stores, clock: world.clock },
    { tenantId, accountId: official.number.official?.accountId ?? '' },
  )
  const deps = world.deps()
  const routes = describedRoutes({ ...deps, ...createCaches(deps) })
  const fields = dateFields((await client.send('GET', '/openapi.json')).body, routes)
  const ask = ({ route, part, name }: DateField, value: string) => {
    // What was asked before does not count against the limits of a minute.
    world.clock.advance(60_000)
    const needed = route.path === '/v1/messages/group' ? '&groupId=120363000000000000@g.us' : ''
    const isOfFlow = route.path.startsWith('/v1/flows/')
    const isOfficial = isOfFlow || (route.capability !== undefined && !unofficial.can[route.capability])
    const path = route.path.replace('{id}', isOfFlow ? flow.id : number.body.id)
    const tenantKey = isOfTenant(route.access)
    const body = route.bodyExample ?? Object.values(route.bodyExamples ?? {})[0] ?? {}
    return client.send(
      route.method.toUpperCase(),
      part === 'query' ? `${path}?${new URLSearchParams({ [name]: value })}${needed}` : path,
      {
        key: tenantKey ? key : isOfficial ? official.key.raw : number.body.apiKey.key,
        ...(part === 'body' ? { body: { ...body, [name]: value } } : {}),
      },
    )
  }
  return { fields, ask }
}

/** The code that a wrong date is refused with; undefined when the refusal has none of its own. */
function codeOf({ route, part, name }: DateField): RefusalCode | undefined {
  if (part === 'query') return route.queryCodes?.[name]
  return route.refusals?.find((code) => code === 'INVALID_DATE_RANGE')
}

// [rest.dates.1]
test("a date that PostgreSQL cannot hold is 400 with the field's own code, whatever field of whatever route it is in", async (t) => {
  const { fields, ask } = await open(t)
  t.true(fields.length >= 7, fields.map(({ route, name }) => `${route.path} ${name}`).join('\n'))
  for (const field of fields) {
    const code = codeOf(field)
    for (const value of HOSTILE) {
      const { status, body } = await ask(field, value)
      t.is(status, 400, `${field.route.path} ${field.name}=${value}: ${JSON.stringify(body)}`)
      t.is(body.code, code ? (shownCode(code) ?? undefined) : undefined, `${field.route.path} ${field.name}=${value}`)
      t.true(
        body.details.some(({ path }: { path: string }) => path === field.name),
        `${field.route.path} ${field.name}=${value}: ${JSON.stringify(body)}`,
      )
    }
  }
})

// [rest.dates.1]
test('the earliest and latest dates that PostgreSQL holds, and any offset within them, are accepted everywhere', async (t) => {
  const { fields, ask } = await open(t)
  for (const field of fields) {
    for (const value of KIND) {
      const { status, body } = await ask(field, value)
      // A date in a body must also be in the future and not too far away; that rule answers with the same status.
      if (field.part === 'query')
        t.is(status, 200, `${field.route.path} ${field.name}=${value}: ${JSON.stringify(body)}`)
      else t.true(status < 500, `${field.route.path} ${field.name}=${value}: ${JSON.stringify(body)}`)
    }
  }
})

test('the document says of a field that it takes a plain date where it does, and nowhere else', async (t) => {
  const { fields, ask } = await open(t)
  for (const field of fields) {
    const { body } = await ask(field, '2026-01-05')
    const isTaken = !(body.details ?? []).some(({ path }: { path: string }) => path === field.name)
    t.is(
      JSON.stringify(field.schema).includes('"format":"date"'),
      isTaken,
      `${field.route.path} ${field.name}: ${JSON.stringify(field.schema)}`,
    )
  }
})
