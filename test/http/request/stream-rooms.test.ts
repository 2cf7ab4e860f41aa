import test from 'ava'
import type { Refusal, RefusalError } from '../../../src/domain/errors.ts'
import type { EmbedSessionId, TenantId } from '../../../src/domain/ids.ts'
import { newId } from '../../../src/domain/ids.ts'
import { StreamRooms } from '../../../src/http/request/stream-rooms.ts'
import type { StreamBounds } from '../../../src/http/request/stream-rooms.ts'

const BOUNDS: StreamBounds = { mostOfSession: 2, mostOfTenant: 3, most: 5, mostUnsentOfTenant: 100, mostUnsent: 150 }
const [ACME, UMBRELLA, THIRD] = [newId('ten'), newId('ten'), newId('ten')]

/** Rooms for streams, and the names of the streams that they cut. */
function opened(bounds: StreamBounds = BOUNDS) {
  const rooms = new StreamRooms(bounds, { set: () => {} })
  const cut: string[] = []
  const enter = (name: string, tenantId: TenantId = ACME, sessionId: EmbedSessionId = newId('emb')) =>
    rooms.enter(sessionId, tenantId, () => void cut.push(name))
  return { rooms, cut, enter }
}

function refusalOf(enter: () => unknown): Refusal | null {
  try {
    enter()
    return null
  } catch (error) {
    return (error as RefusalError).refusal
  }
}

test('streams are bounded by session, by tenant and in all, each with its own answer, and one that ends makes room once', (t) => {
  const { rooms, enter } = opened()
  const session = newId('emb')
  const [first] = [enter('a', ACME, session), enter('b', ACME, session)]
  t.like(
    refusalOf(() => enter('c', ACME, session)),
    { code: 'RATE_LIMITED', message: 'A session has at most 2 streams', retryAfterSeconds: 3 },
  )
  enter('d')
  t.like(
    refusalOf(() => enter('e')),
    { code: 'RATE_LIMITED', message: 'A tenant has at most 3 streams', retryAfterSeconds: 3 },
  )
  enter('f', UMBRELLA)
  enter('g', UMBRELLA)
  t.like(
    refusalOf(() => enter('h', THIRD)),
    { code: 'BUSY', retryAfterSeconds: 3 },
  )
  t.is(rooms.size, 5)
  first.leave()
  first.leave()
  t.is(rooms.size, 4)
  enter('i', THIRD)
  t.like(
    refusalOf(() => enter('j')),
    { code: 'BUSY' },
  )
})

test('when too much waits for the readers of a tenant, its slowest reader is cut and nobody else', (t) => {
  const { rooms, cut, enter } = opened()
  const [slow, slower, other] = [enter('slow'), enter('slower'), enter('other', UMBRELLA)]
  other.unsent(40)
  slow.unsent(45)
  slower.unsent(50)
  t.deepEqual(cut, [])
  slow.unsent(51)
  t.deepEqual(cut, ['slow'])
  t.is(rooms.size, 2)
  slow.leave()
  t.is(rooms.size, 2)
  slower.unsent(100)
  t.deepEqual(cut, ['slow'], 'what was cut waits no more')
})

test('when too much waits in total, the slowest reader of all is cut; bytes that were read do not count', (t) => {
  const { cut, enter } = opened()
  const [one, two, three] = [enter('one'), enter('two', UMBRELLA), enter('three', THIRD)]
  one.unsent(70)
  two.unsent(60)
  one.unsent(0)
  three.unsent(80)
  t.deepEqual(cut, [])
  one.unsent(20)
  t.deepEqual(cut, ['three'])
  one.unsent(90)
  t.deepEqual(cut, ['three'])
})
