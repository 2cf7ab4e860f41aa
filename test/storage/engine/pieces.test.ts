import test from 'ava'
import { newId } from '../../../src/domain/ids.ts'
import type { OfficialChange } from '../../../src/ports/official/changes.ts'
import { openChanges } from '../../../src/storage/changes/store.ts'
import { AesCipher } from '../../../src/storage/engine/cipher.ts'
import type { Engine } from '../../../src/storage/engine/engine.ts'
import { inPieces } from '../../../src/storage/engine/pieces.ts'
import { openLeadNotices } from '../../../src/storage/lead-pages/notices.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'

test('pieces contain as many items as fit, in order, and a heavier item goes alone', (t) => {
  t.deepEqual(inPieces([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]])
  t.deepEqual(
    inPieces([1, 9, 1, 1, 1], 3, (weight) => weight),
    [[1], [9], [1, 1, 1]],
  )
  t.deepEqual(inPieces([], 2), [])
})

/** Stores that record the parameters of each statement. */
function overStatements() {
  const given: (readonly unknown[])[] = []
  const queryKept = async (_statement: unknown, parameters: readonly unknown[]) => (given.push(parameters), [])
  const engine = {
    database: { queryKept },
    cipher: new AesCipher(Buffer.alloc(32, 1)),
    clock: new FakeClock(),
    onEvents: () => {},
  } as unknown as Engine
  return { given, leadNotices: openLeadNotices(engine).leadNotices, inbound: openChanges(engine).inbound }
}

test('a large post is stored in several statements, and other writes run between them', async (t) => {
  const { given, leadNotices } = overStatements()
  const notices = (pageId: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ leadgenId: String(at), pageId, formId: null, adId: null }))
  await Promise.all([
    leadNotices.accept('1', 's', notices('large', 2_000)),
    leadNotices.accept('2', 's', notices('small', 1)),
  ])
  const pages = given.map(([rows]) => (JSON.parse(String(rows)) as { page_id: string }[]).map((row) => row.page_id))
  t.deepEqual(
    pages.map((of) => [of.length, of.includes('small')]),
    [
      [500, false],
      [1, true],
      [500, false],
      [500, false],
      [500, false],
    ],
  )
})

test('changes are stored in pieces by what they weigh', async (t) => {
  const { given, inbound } = overStatements()
  const changes: OfficialChange[] = Array.from({ length: 20 }, (_, at) => ({
    object: 'x',
    accountId: '1',
    field: 'messages',
    phoneId: '2',
    at: null,
    value: 'v'.repeat(100_000),
    envelope: 'e'.repeat(100_000),
    key: String(at),
  }))
  const target = { tenantId: newId('ten'), numberId: newId('num'), accountId: '1', appSecret: 's', verifyToken: 'v' }
  t.deepEqual(await inbound.accept(target, changes), { stored: 0, numbers: [], accounts: [] })
  t.deepEqual(
    given.map(([posts]) => (posts as string[]).length),
    [4, 4, 4, 4, 4],
  )
})
