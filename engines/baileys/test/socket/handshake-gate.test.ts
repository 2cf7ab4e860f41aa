import test from 'ava'
import { createHandshakeGate } from '../../socket/handshake-gate.ts'

test('at most the limit of handshakes run at once, and the others get their turn in order of arrival', async (t) => {
  const gate = createHandshakeGate(2)
  const leaves = [await gate.enter(), await gate.enter()]
  const order: number[] = []
  const waiting = [1, 2].map(async (id) => {
    const leave = await gate.enter()
    order.push(id)
    return leave
  })
  t.is(gate.waiting, 2)
  leaves[0]!()
  leaves[0]!()
  await waiting[0]
  t.deepEqual(order, [1])
  t.is(gate.running, 2)
  leaves[1]!()
  await waiting[1]
  t.deepEqual(order, [1, 2])
  t.is(gate.highest, 2)
})

test('a handshake that never ends gives its place to another', async (t) => {
  const gate = createHandshakeGate(1, 1)
  await gate.enter()
  const keepAlive = setInterval(() => {}, 1_000)
  await gate.enter()
  clearInterval(keepAlive)
  t.is(gate.highest, 1)
})
