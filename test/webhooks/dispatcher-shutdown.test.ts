import test from 'ava'
import { rigWith, GOOD, DEAD } from './dispatcher-rig.ts'

// [nodes.sigterm.3]
test('a shutdown waits for tries under way and gives the jobs back that did not begin', async (t) => {
  const { rig } = rigWith(GOOD, 40)
  rig.behaviour = () => 'hold'
  await rig.started()
  await rig.pass(30)
  const stopping = rig.dispatcher.stop()
  await rig.pass(1_000)
  for (const post of rig.posts) post.answer(200)
  await rig.pass(1_000)
  await stopping
  t.is(rig.store.logs.length, 10)
  t.is(rig.store.open.length, 30)
  t.true(rig.store.open.every(({ isActive, job }) => !isActive && job.attempt === 1))
  await rig.stopped()
})

// [nodes.sigterm.3]
test('a shutdown gives up tries that do not end, and their jobs go back untouched', async (t) => {
  const { rig } = rigWith(DEAD, 5)
  rig.behaviour = () => 'hang'
  await rig.started()
  await rig.pass(30)
  const stopping = rig.dispatcher.stop()
  await rig.pass(6_000)
  await stopping
  t.is(rig.store.logs.length, 0)
  t.is(rig.store.open.length, 5)
  t.true(rig.store.open.every(({ isActive }) => !isActive))
})

test('a shutdown ends although the store is gone', async (t) => {
  const { rig } = rigWith(GOOD, 5)
  rig.store.failing.add('settle')
  await rig.started()
  await rig.pass(100)
  rig.store.failing.add('putBack').add('relay').add('fetch')
  const stopping = rig.dispatcher.stop()
  await rig.pass(12_000)
  await t.notThrowsAsync(stopping)
  t.is(rig.store.open.length, 5, 'they come back by their expiry')
})
