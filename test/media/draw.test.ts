import test from 'ava'
import { drawHost } from '../../src/media/draw.ts'

interface Host {
  readonly name: string
  readonly load: { readonly calls: number; readonly tickLateP99Ms: number }
}

function host(name: string, calls: number, tickLateP99Ms = 1): Host {
  return { name, load: { calls, tickLateP99Ms } }
}

/** A random source that returns these numbers in turn, forever. */
function scripted(...numbers: readonly number[]): () => number {
  let i = 0
  return () => numbers[i++ % numbers.length] ?? 0
}

// [media-hosts.placement.1]
test('of two drawn hosts the one with fewer calls gets the call, in either order', (t) => {
  const hosts = [host('a', 5), host('b', 3)]
  for (const random of [scripted(0, 0), scripted(0.99, 0.99)]) t.is(drawHost(hosts, random)?.name, 'b')
})

// [media-hosts.placement.1]
test('a late host is taken only against one that is late too', (t) => {
  t.is(drawHost([host('late', 0, 8), host('busy', 90, 5.5)], scripted(0))?.name, 'busy')
  t.is(drawHost([host('late', 0, 8), host('later', 90, 20)], scripted(0))?.name, 'late')
})

test('of hosts with equally many calls the less late one gets the call, and of equally late ones the first drawn', (t) => {
  t.is(drawHost([host('a', 5, 2), host('b', 5, 1)], scripted(0))?.name, 'b')
  t.is(drawHost([host('a', 5), host('b', 5)], scripted(0.99, 0))?.name, 'b')
  t.is(drawHost([host('a', 5), host('b', 5)], scripted(0, 0))?.name, 'a')
})

test('a single host is always drawn, and without hosts there is none', (t) => {
  t.is(drawHost([host('a', 5)], Math.random)?.name, 'a')
  t.is(drawHost([], Math.random), null)
})

test('calls spread over hosts: after 1,000 on ten of them none has a tenth more than its share', (t) => {
  const calls = Array.from({ length: 10 }, () => 0)
  let seed = 1
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  for (let i = 0; i < 1_000; i++) {
    const drawn = drawHost(
      calls.map((held, index) => ({ index, load: { calls: held, tickLateP99Ms: 0 } })),
      random,
    )
    if (drawn) calls[drawn.index] = (calls[drawn.index] ?? 0) + 1
  }
  t.true(Math.max(...calls) <= 110, calls.join())
})
