import test from 'ava'
import { keepToChecked } from '../../src/process/checked-sources.ts'
import type { Source, StackSocket } from '../../src/process/checked-sources.ts'

const HELLO = Buffer.from([22, 254, 253])
const AUDIO = Buffer.from([128, 111])
const CHECK = Buffer.from([0, 1])
const CHECKED: Source = ['192.0.2.1', 5]
const UNANSWERED: Source = ['192.0.2.1', 6]
const UNKNOWN: Source = ['192.0.2.9', 5]

test('a handshake is taken from where a check was answered, everything else from anywhere', (t) => {
  const taken: [number | undefined, Source][] = []
  const socket: StackSocket = { transport: { onData: ([first], from) => void taken.push([first, from]) } }
  const checkList = [
    { state: 3, remoteAddr: CHECKED },
    { state: 2, remoteAddr: UNANSWERED },
  ]
  keepToChecked({ protocols: [socket], checkList })
  for (const from of [CHECKED, UNANSWERED, UNKNOWN])
    for (const datagram of [HELLO, AUDIO, CHECK]) socket.transport.onData(datagram, from)
  t.deepEqual(
    taken.filter(([first]) => first === HELLO[0]),
    [[HELLO[0], CHECKED]],
  )
  t.is(taken.length, 7)
  checkList.push({ state: 3, remoteAddr: UNKNOWN })
  socket.transport.onData(HELLO, UNKNOWN)
  t.is(taken.length, 8)
})

test('a handshake that comes before the answer to a check is taken with it, once, and of few places', async (t) => {
  const taken: [number | undefined, Source][] = []
  const checkList = Array.from({ length: 20 }, (_, port) => ({ state: 2, remoteAddr: ['192.0.2.1', port] as Source }))
  const socket: StackSocket = {
    transport: {
      onData: ([first], from) => {
        taken.push([first, from])
        if (first === CHECK[0]) checkList[from[1]] = { state: 3, remoteAddr: from }
      },
    },
  }
  keepToChecked({ protocols: [socket], checkList })
  for (const { remoteAddr } of checkList) socket.transport.onData(HELLO, remoteAddr)
  t.deepEqual(taken, [], 'nobody has proved who it is')
  for (const first of [AUDIO, CHECK, CHECK])
    for (const { remoteAddr } of checkList) socket.transport.onData(first, remoteAddr)
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  t.deepEqual(
    taken.filter(([first]) => first === HELLO[0]).map(([, [, port]]) => port),
    [0, 1, 2, 3, 4, 5, 6, 7],
  )
})
