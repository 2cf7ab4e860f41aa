import { randomUUID } from 'node:crypto'
import type { TestFn } from 'ava'
import type { Broadcast } from '../../src/ports/broadcast.ts'
import { until } from '../helpers/until.ts'

/** What every Broadcast does. `nodes` join one cluster; a single-process one gives the same twice. */
export function broadcastSuite(test: TestFn, name: string, nodes: () => readonly [Broadcast, Broadcast]): void {
  test(`${name}: every node gets a message of any node once, on its topic only`, async (t) => {
    const [here, there] = nodes()
    const topic = randomUUID()
    const heard: string[] = []
    const strays: string[] = []
    here.subscribe(topic, (text) => heard.push(`here ${text}`))
    there.subscribe(topic, (text) => heard.push(`there ${text}`))
    there.subscribe(randomUUID(), (text) => strays.push(text))
    // Subscribing is not acknowledged, so the message is repeated until both nodes heard it.
    let n = 0
    await until('both nodes heard', async () => {
      await here.publish(topic, `text with spaces ${++n}`)
      return heard.some((line) => line.startsWith('here')) && heard.some((line) => line.startsWith('there'))
    })
    await until('the last has arrived everywhere', () => heard.includes(`there text with spaces ${n}`))
    t.deepEqual(strays, [])
    t.is(new Set(heard).size, heard.length)
  })

  test(`${name}: a listener that throws hinders nobody`, async (t) => {
    const [here] = nodes()
    const topic = randomUUID()
    const heard: string[] = []
    here.subscribe(topic, () => {
      throw new Error('bad listener')
    })
    here.subscribe(topic, (text) => heard.push(text))
    await t.notThrowsAsync(here.publish(topic, 'x'))
    t.deepEqual(heard, ['x'])
  })
}
