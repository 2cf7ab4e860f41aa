import { once } from 'node:events'
import { createSocket, type Socket } from 'node:dgram'
import test, { type ExecutionContext } from 'ava'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import { legOpener, runSlots } from '../../helpers/audio-legs.ts'

const CANDIDATE = /^(a=candidate:\S+ \d+ udp \d+) 127\.0\.0\.1 (\d+) (typ host.*)$/m
/** RFC 6347: content type handshake, then 12 bytes of record header, then the type of the message. */
const HANDSHAKE = 22
const TYPE_AT = 13
const HELLO_VERIFY_REQUEST = 3

/** A port that passes datagrams on to another, and what comes back to whoever sent last; `copies` says how often. */
async function relay(t: ExecutionContext, port: number, copies: (datagram: Buffer) => number): Promise<number> {
  const front = createSocket('udp4')
  const back = createSocket('udp4')
  let sender: { port: number } | null = null
  const pass = (socket: Socket, datagram: Buffer, to: number): void => {
    for (let copy = 0; copy < copies(datagram); copy++) socket.send(datagram, to, '127.0.0.1')
  }
  front.on('message', (datagram, from) => {
    sender = from
    pass(back, datagram, port)
  })
  back.on('message', (datagram) => sender && pass(front, datagram, sender.port))
  for (const socket of [front, back]) {
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    t.teardown(() => socket.close())
  }
  return front.address().port
}

test('a leg whose hello was answered twice, as on a slow network, is connected all the same', async (t) => {
  const open = legOpener(await loadOpus(), t)
  const [caller, callee] = [open(), open()]
  let repeated = 0
  const copies = (datagram: Buffer): number => {
    const isVerifyRequest = datagram[0] === HANDSHAKE && datagram[TYPE_AT] === HELLO_VERIFY_REQUEST
    if (isVerifyRequest) repeated++
    return isVerifyRequest ? 3 : 1
  }
  const through = async (sdp: string): Promise<string> => {
    const port = await relay(t, Number(CANDIDATE.exec(sdp)?.[2]), copies)
    return sdp.replace(CANDIDATE, `$1 127.0.0.1 ${port} $3`)
  }
  await caller.leg.connect(await through(await callee.leg.answer(await through(await caller.leg.offer()))))
  await runSlots({ caller, callee }, 2_000, () => {
    for (const { leg } of [caller, callee]) leg.send({ kind: 'silence' })
    return caller.leg.isFlowing && callee.leg.isFlowing
  })
  t.true(caller.leg.isFlowing && callee.leg.isFlowing)
  t.true(repeated > 0, 'the request was seen')
  t.deepEqual([...caller.notes.lost, ...callee.notes.lost], [])
})

test('a description names the addresses it was given and none that a public server was asked for', async (t) => {
  const { leg } = legOpener(await loadOpus(), t)()
  const candidates = (await leg.offer()).match(/^a=candidate:.*$/gm) ?? []
  t.true(candidates.length > 0)
  t.true(candidates.every((candidate) => candidate.includes('typ host')), candidates.join('\n'))
})
