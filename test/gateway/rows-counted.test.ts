/** Tests the metrics that are counted from rows when /metrics is read. */
import test from 'ava'
import { measureWaiting } from '../../src/gateway/measure-waiting.ts'
import { openSetAside } from '../../src/gateway/open-set-aside.ts'
import type { Chore } from '../../src/gateway/upkeep.ts'
import { createMetrics } from '../../src/process/metrics.ts'
import { SET_ASIDE_LINES } from '../../src/domain/set-aside.ts'
import { FakeClock } from '../helpers/fake-clock.ts'

function rig() {
  const [metrics, clock, chores] = [createMetrics(), new FakeClock(), [] as Chore[]]
  const upkeep = {
    add: (chore: Chore) => {
      chores.push(chore)
      return { wake() {} }
    },
  } as never
  const look = async (name: string): Promise<string> => {
    await chores.find((chore) => chore.name === name)?.run(() => true)
    return await metrics.text()
  }
  return { metrics, clock, chores, upkeep, look }
}

test('sends that wait are counted, with the age of the first of them; where none waits both are 0', async (t) => {
  const { metrics, clock, upkeep, look } = rig()
  let waiting: { count: number; since: Date | null } = { count: 3, since: new Date(clock.now() - 90_000) }
  measureWaiting({ clock, metrics, upkeep }, { waiting: async () => waiting })
  const text = await look('count-waiting-messages')
  t.regex(text, /^messages_waiting 3$/m)
  t.regex(text, /^messages_waiting_age_seconds 90$/m)
  waiting = { count: 0, since: null }
  const after = await look('count-waiting-messages')
  t.regex(after, /^messages_waiting 0$/m)
  t.regex(after, /^messages_waiting_age_seconds 0$/m)
})

test('set aside items are counted by line, empty lines as 0, and readiness is told the total', async (t) => {
  const { metrics, upkeep, look } = rig()
  const counts = new Map([
    ['sends', 2],
    ['outbox', 1],
  ] as const)
  const { setAside } = openSetAside({ metrics, upkeep }, {
    counts: async () => counts,
    purge: async () => false,
  } as never)
  t.is(setAside.count(), 0)
  const text = await look('count-set-aside')
  for (const line of SET_ASIDE_LINES)
    t.true(text.includes(`set_aside_items{line="${line}"} ${line === 'sends' ? 2 : line === 'outbox' ? 1 : 0}\n`), line)
  t.is(setAside.count(), 3)
  counts.delete('sends')
  t.true(
    (await look('count-set-aside')).includes('set_aside_items{line="sends"} 0\n'),
    'what was worked off is counted no more',
  )
})
