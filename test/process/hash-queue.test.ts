import test from 'ava'
import { HashQueue } from '../../src/process/hash-queue.ts'

/**
 * A queue in which one hash is being computed. `run` lets all waiting ones have their turn; returns those that had one
 * and those that were sent away.
 */
function busyQueue(limits: Partial<ConstructorParameters<typeof HashQueue>[0]> = {}) {
  const queue = new HashQueue({ atOnce: 1, mostWaiting: 6, mostWaitingOfAddress: 5, ...limits })
  const turns: string[] = []
  const away: string[] = []
  const enter = (name: string, address: string, isKnown = false): void => {
    void queue.enter({ address, isKnown }).then((isTurn) => void (isTurn ? turns : away).push(name))
  }
  enter('at work', 'somebody')
  const run = async () => {
    for (let i = 0; i < 20; i++) {
      queue.leave()
      await Promise.resolve()
      await Promise.resolve()
    }
    return { turns: turns.slice(1), away }
  }
  return { enter, run }
}

test('addresses take turns, each in its own order, however many of one wait', async (t) => {
  const { enter, run } = busyQueue()
  for (const [name, address] of [
    ['a1', 'a'],
    ['a2', 'a'],
    ['a3', 'a'],
    ['b1', 'b'],
    ['c1', 'c'],
    ['b2', 'b'],
  ] as const)
    enter(name, address)
  t.deepEqual(await run(), { turns: ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'], away: [] })
})

test('known browsers go first, and a flood of others does not take their room', async (t) => {
  const { enter, run } = busyQueue({ mostWaiting: 2 })
  for (const name of ['a1', 'b1', 'c1']) enter(name, name)
  enter('known', 'k', true)
  t.deepEqual(await run(), { turns: ['known', 'a1', 'b1'], away: ['c1'] })
})

test('where no more may wait the last of the most crowded address makes room for one of an address with fewer', async (t) => {
  const { enter, run } = busyQueue({ mostWaiting: 4 })
  for (const name of ['a1', 'a2', 'a3', 'a4']) enter(name, 'a')
  enter('b1', 'b')
  enter('b2', 'b')
  enter('b3', 'b')
  enter('c1', 'c')
  t.deepEqual(await run(), { turns: ['a1', 'b1', 'c1', 'b2'], away: ['a4', 'a3', 'b3', 'a2'] })
})

test('an address has no more waiting than it may, though there is room', async (t) => {
  const { enter, run } = busyQueue({ mostWaitingOfAddress: 2 })
  for (const name of ['a1', 'a2', 'a3']) enter(name, 'a')
  t.deepEqual(await run(), { turns: ['a1', 'a2'], away: ['a3'] })
})
