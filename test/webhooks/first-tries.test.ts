import test from 'ava'
import { DEAD, GOOD, newNumber, rigWith } from './dispatcher-rig.ts'
import { newId, type TenantId } from '../../src/domain/ids.ts'
import { DEFAULT_BREAKER } from '../../src/webhooks/breaker.ts'
import { DEFAULT_LIMITS, Limits } from '../../src/webhooks/limits.ts'
import { WaitingRoom } from '../../src/webhooks/waiting-room.ts'
import { settled } from './rig.ts'

test('new events pass the queue by, however many come at once, and stand behind what waits there', async (t) => {
  const { rig, target, events } = rigWith(GOOD, 1_200)
  const [older, newer] = [events[1_199], events[0]]
  rig.store.outbox.pop()
  await rig.store.enqueue({ eventId: older!.id, webhookId: target.webhookId, tenantId: target.tenantId, attempt: 1 })
  await rig.started()
  await rig.pass(5_000)
  t.is(rig.posts.length, 1_200)
  t.is(rig.store.begunCount, 1_199, 'all but the one that waited in the queue')
  t.deepEqual(
    rig.posts.slice(0, 2).map(({ headers }) => headers['webhook-id']),
    [older!.id, newer!.id],
  )
  await rig.stopped()
})

test('new events of a webhook that is paused for its failures are queued, and those of others go out', async (t) => {
  const { rig, target } = rigWith(DEAD, 40)
  const other = rig.store.addWebhook(GOOD, newNumber())
  rig.behaviour = ({ url }) => (url === DEAD ? 503 : 200)
  await rig.started()
  await rig.pass(5_000)
  const begun = rig.store.begunCount
  const dead = rig.store.addEvent(target)
  const good = rig.store.addEvent(other)
  rig.dispatcher.wake()
  await settled()
  await rig.pass(50)
  t.is(rig.store.begunCount - begun, 1)
  t.is(rig.posts.at(-1)?.headers['webhook-id'], good.id)
  t.like(
    rig.store.open.find(({ job }) => job.eventId === dead.id),
    { isActive: false },
  )
  await rig.stopped()
})

test('a tenant begins as many deliveries at once as half of the room of a node, and the others have the rest', (t) => {
  const room = new WaitingRoom(new Limits(DEFAULT_LIMITS), DEFAULT_BREAKER)
  const jobsOf = (tenantId: TenantId, count: number, webhookId = newId('wh')) =>
    Array.from({ length: count }, (_, at) => ({
      eventId: newId('evt'),
      webhookId,
      tenantId,
      attempt: 1,
      jobId: `job${at}`,
    }))
  const [greedy, second, third] = [newId('ten'), newId('ten'), newId('ten')]
  room.add(jobsOf(greedy, 4_000), 0)
  const asked = [...jobsOf(greedy, 9_000), ...jobsOf(second, 9_000), ...jobsOf(third, 9_000)]
  const chosen = room.choose(asked, 0)
  const begun = asked.filter((job) => chosen.has(job))
  t.deepEqual(
    [greedy, second, third].map((tenant) => begun.filter(({ tenantId }) => tenantId === tenant).length),
    [6_000, 9_000, 1_000],
  )
  t.deepEqual(begun.slice(0, 6_000), asked.slice(0, 6_000), 'those that came first')
})

test('nothing begins at a webhook that is stuck or gave its jobs back, until that has passed', (t) => {
  const room = new WaitingRoom(new Limits(DEFAULT_LIMITS), DEFAULT_BREAKER)
  const [tenantId, webhookId] = [newId('ten'), newId('wh')]
  const jobOf = (of = webhookId) => ({
    eventId: newId('evt'),
    webhookId: of,
    tenantId,
    attempt: 1,
    jobId: newId('log'),
  })
  const begins = (nowMs: number) => room.choose([jobOf(), jobOf(newId('wh'))], nowMs).size - 1
  room.add(
    Array.from({ length: DEFAULT_LIMITS.endpoint + 1 }, () => jobOf()),
    0,
  )
  const [first] = room.takeStartable(0)
  t.is(begins(1_000), 1)
  t.is(begins(1_001), 0, 'all its tries have run for longer than a second')
  room.end(first!, true, 1_100)
  t.is(begins(1_100), 1)
  t.is(room.takeOverdue(5_000).length, 1)
  t.is(begins(5_999), 0)
  t.is(begins(6_000), 1)
})
