import { randomBytes } from 'node:crypto'
import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import type { ResealPlace } from '../../src/ports/stores/resealing-store.ts'
import { resealAll } from '../../src/gateway/reseal-desk.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { SEALED_COLUMNS } from '../../src/storage/resealing/columns.ts'
import { openCipher } from '../../src/storage/resealing/installed-cipher.ts'
import { conversationIdOf } from '../../src/storage/conversations/conversation-id.ts'
import { openStores } from '../../src/storage/stores.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { newOfficial } from './official-store.ts'
import { makeWebhook, newWebhook, SECRET } from './webhook-store.ts'
import { newNumber } from './world.ts'

const newKey = () => randomBytes(32).toString('base64')

/**
 * How encryption keys are replaced, on a database of its own. The tests run one after another, because each leaves
 * another key in use.
 */
export function resealingSuite(test: TestFn, name: string, database: () => Database): void {
  const [first, second, third] = [newKey(), newKey(), newKey()]
  const opened = async (keys: string) => {
    const cipher = await openCipher(database(), keys)
    return { cipher, stores: openStores({ database: database(), cipher, clock: new FakeClock() }) }
  }
  type Opened = Awaited<ReturnType<typeof opened>>
  const known = {
    tenantId: newId('ten'),
    numberId: newId('num'),
    officialId: newId('num'),
    key: '',
    peer: '' as string,
  }

  async function fill({ stores, cipher }: Opened): Promise<void> {
    const { tenantId } = await stores.tenants.create('Rotating')
    const made = await stores.numbers.create(newNumber(tenantId))
    const official = await stores.official.create(newOfficial(tenantId))
    if (!made.ok || !official.ok) throw new Error('a number could not be made')
    const { number, key } = made.value
    Object.assign(known, {
      tenantId,
      numberId: number.id,
      officialId: official.value.number.id,
      key: key.raw,
      peer: conversationIdOf(cipher, number.id, '5511990000001'),
    })
    await makeWebhook(stores.webhooks, newWebhook({ tenantId, number }))
    for (let at = 0; at < 450; at++) {
      const request = { ownerId: number.id, key: `key-${at}`, fingerprint: 'f' }
      await stores.idempotency.start(request)
      await stores.idempotency.finish(request, { status: 201, body: `answer ${at}` })
    }
  }

  async function read({ stores, cipher }: Opened): Promise<unknown> {
    const { numberId, officialId, tenantId } = known
    const [webhook] = await database().query<{ id: string; sealed_secret: string }>(
      'select id, sealed_secret from webhooks',
    )
    return {
      answer: await stores.idempotency.start({ ownerId: numberId, key: 'key-449', fingerprint: 'f' }),
      official: (await stores.official.credentials(tenantId, officialId))?.appSecret,
      webhook: cipher.open(webhook?.sealed_secret ?? '', `webhook-secret:${webhook?.id}`),
      conversation: conversationIdOf(cipher, numberId, '5511990000001'),
    }
  }

  const expected = () => ({
    answer: { kind: 'replay', answer: { status: 201, body: 'answer 449' } },
    official: 'app-secret',
    webhook: SECRET,
    conversation: known.peer,
  })

  test.serial(`${name}: the list of sealed columns is that of the tables`, async (t) => {
    const rows = await database().query<{
      found: string
    }>(`select table_name || '.' || column_name as found from information_schema.columns
      where table_schema = current_schema() and column_name like 'sealed%' and column_name <> 'sealed_for'`)
    t.deepEqual(
      SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).toSorted(),
      rows.map(({ found }) => found).toSorted(),
    )
  })

  test.serial(
    `${name}: with several keys each opens its values, the first seals, and after resealing only the first is needed`,
    async (t) => {
      await fill(await opened(first))
      const both = await opened(`${second}, ${first}`)
      t.deepEqual(await read(both), expected())
      const told: string[] = []
      const all = await resealAll(
        (place) => both.stores.resealing.step(place),
        (of, { resealed }) => told.push(`${of} ${resealed}`),
      )
      t.is(all.unopened, 0)
      t.true(all.resealed === all.looked && all.resealed > 450)
      t.true(
        told.includes('idempotent_requests.sealed_body 200') && told.includes('idempotent_requests.sealed_body 450'),
        'it tells how far it is',
      )
      const alone = await opened(second)
      t.deepEqual(await read(alone), expected(), 'ids of conversations stay')
      await t.throwsAsync(opened(first), { message: /ENCRYPTION_KEY/ })
    },
  )

  test.serial(`${name}: interrupted resealing continues and skips what is done`, async (t) => {
    const { stores } = await opened(`${third},${second}`)
    let steps = 0
    const breaking = (place: ResealPlace) =>
      ++steps > 4 ? Promise.reject(new Error('cut')) : stores.resealing.step(place)
    await t.throwsAsync(
      resealAll(breaking, () => {}),
      { message: 'cut' },
    )
    const rest = await resealAll(
      (place) => stores.resealing.step(place),
      () => {},
    )
    t.true(rest.resealed > 450 && rest.resealed < rest.looked)
    t.like(
      await resealAll(
        (place) => stores.resealing.step(place),
        () => {},
      ),
      { resealed: 0, unopened: 0 },
    )
    t.deepEqual(await read(await opened(third)), expected())
  })

  test.serial(`${name}: a value that no key opens is counted and left as it is`, async (t) => {
    await database().query('update webhooks set sealed_secret = $1', [new AesCipher(randomBytes(32)).seal('x', 'y')])
    const { stores } = await opened(third)
    t.like(
      await resealAll(
        (place) => stores.resealing.step(place),
        () => {},
      ),
      { resealed: 0, unopened: 1 },
    )
  })
}
