import test from 'ava'
import { DEAD, GOOD, newNumber, rigWith } from './dispatcher-rig.ts'
import { settled } from './rig.ts'

test('a new event passes the queue by once nothing waits there, and stands behind what does', async (t) => {
  const { rig, target } = rigWith(GOOD, 600)
  await rig.started()
  await rig.pass(5_000)
  t.is(rig.posts.length, 600)
  t.is(rig.store.begunCount, 0, 'nobody had looked at the queue yet')
  const fresh = rig.store.addEvent(target)
  rig.dispatcher.wake()
  await settled()
  await rig.pass(20)
  t.is(rig.posts.at(-1)?.headers['webhook-id'], fresh.id)
  t.is(rig.store.begunCount, 1)
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
