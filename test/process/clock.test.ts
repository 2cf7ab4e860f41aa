import test from 'ava'
import { createServer, connect } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { STALL_MS } from '../../src/domain/limits.ts'
import { systemClock } from '../../src/process/clock.ts'

/** Blocks the thread, as a stopped process or a long turn does. */
function standStill(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs)
}

test.serial(
  'after a stall what came in meanwhile is read before what waited for it times out, and timers keep their order',
  async (t) => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => server.close())
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const [peer] = (await once(server, 'connection')) as [Socket]
    t.teardown(() => socket.destroy())
    const order: string[] = []
    const fired = Promise.withResolvers<void>()
    const cancelled = systemClock.after(100, () => void order.push('cancelled'))
    systemClock.after(200, () => void order.push('timed out'))
    systemClock.after(300, () => {
      order.push('and its successor')
      fired.resolve()
    })
    socket.on('data', () => {
      order.push('read')
      cancelled.cancel()
    })
    peer.write('answer')
    standStill(300 + STALL_MS + 200)
    await fired.promise
    t.deepEqual(order, ['read', 'timed out', 'and its successor'])
  },
)

test('a timer that fires in time does so at once', async (t) => {
  // The clock's timers do not keep the process alive, so this interval does.
  const alive = setInterval(() => {}, 60_000)
  t.teardown(() => clearInterval(alive))
  const beganMs = systemClock.monotonicMs()
  await new Promise<void>((resolve) => {
    systemClock.after(5, resolve)
  })
  t.true(systemClock.monotonicMs() - beganMs >= 4)
})
