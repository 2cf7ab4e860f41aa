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
  const checkList = [{ state: 3, remoteAddr: CHECKED }, { state: 2, remoteAddr: UNANSWERED }]
  keepToChecked({ protocols: [socket], checkList })
  for (const from of [CHECKED, UNANSWERED, UNKNOWN]) for (const datagram of [HELLO, AUDIO, CHECK]) socket.transport.onData(datagram, from)
  t.deepEqual(taken.filter(([first]) => first === HELLO[0]), [[HELLO[0], CHECKED]])
  t.is(taken.length, 7)
  checkList.push({ state: 3, remoteAddr: UNKNOWN })
  socket.transport.onData(HELLO, UNKNOWN)
  t.is(taken.length, 8)
})
