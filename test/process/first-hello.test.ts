import test from 'ava'
import { sayHelloSoon } from '../../src/process/first-hello.ts'

function handshake() {
  const due: { readonly act: () => void; readonly ms: number }[] = []
  const said: string[] = []
  const end = { connect: async () => void said.push('hello') }
  return { due, said, end, after: (act: () => void, ms: number) => void due.push({ act, ms }) }
}

test('a client says hello after 20 ms, and what the stack says later is the same hello', async (t) => {
  const { due, said, end, after } = handshake()
  sayHelloSoon(end, () => true, after)
  t.deepEqual([due.map(({ ms }) => ms), said], [[20], []])
  due[0]?.act()
  await end.connect()
  t.deepEqual(said, ['hello'])
})

test('a handshake that is over by then says nothing, and one of a server has nothing to say', (t) => {
  const { due, said, end, after } = handshake()
  sayHelloSoon(end, () => false, after)
  sayHelloSoon({}, () => true, after)
  for (const { act } of due) act()
  t.deepEqual([due.length, said], [1, []])
})

test('a hello that fails is told by the call of the stack alone', async (t) => {
  const { due, end, after } = handshake()
  end.connect = () => Promise.reject(new Error('closed'))
  sayHelloSoon(end, () => true, after)
  due[0]?.act()
  await t.throwsAsync(end.connect(), { message: 'closed' })
})
