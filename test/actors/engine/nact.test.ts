/** The behaviour of the actor library that `actors/engine/runtime.ts` relies on or makes up for. */
import test from 'ava'
import { dispatch, spawn, start, stop } from 'nact'
import { until } from '../../helpers/until.ts'

type Ref = Parameters<typeof dispatch>[0]
const spawnWith = spawn as (
  parent: Ref,
  f: (state: unknown, message: string) => unknown,
  name: string,
  options: object,
) => Ref

test('afterStop does not get the next message, so a stopped actor could not give it back', async (t) => {
  let left: string[] | null = null
  const actor = spawnWith(start(), (state) => state, 'a', {
    afterStop: (_: unknown, { mailbox }: { mailbox: { message: string }[] }) =>
      void (left = mailbox.map(({ message }) => message)),
  })
  for (const message of ['one', 'two', 'three']) dispatch(actor, message)
  stop(actor)
  t.deepEqual(await until('it stopped', () => left), ['two', 'three'])
})

test('a child whose parent stopped receives nothing more, and is never told that it stopped', async (t) => {
  const heard: string[] = []
  const options = (name: string) => ({ afterStop: () => void heard.push(`${name} stopped`) })
  const parent = spawnWith(start(), (state) => state, 'parent', options('parent'))
  const child = spawnWith(parent, (_, message) => void heard.push(message), 'child', options('child'))
  dispatch(child, 'before')
  stop(parent)
  dispatch(child, 'after')
  await until('the parent stopped', () => heard.includes('parent stopped'))
  t.deepEqual(heard, ['before', 'parent stopped'])
})

test('an actor that waits for a promise hears nothing meanwhile: a turn never waits', async (t) => {
  const heard: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const system = start()
  const waiting = spawnWith(
    system,
    async (_, message) => {
      heard.push(message)
      await promise
    },
    'waiting',
    {},
  )
  const other = spawnWith(system, (_, message) => void heard.push(message), 'other', {})
  for (const message of ['one', 'two']) dispatch(waiting, message)
  dispatch(other, 'to another')
  await until('the other has heard', () => heard.includes('to another'))
  t.deepEqual(heard, ['one', 'to another'])
  resolve()
  await until('the second is heard', () => heard.includes('two'))
})
