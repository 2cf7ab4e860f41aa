import test from 'ava'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import { legOpener, runSlots } from '../../helpers/audio-legs.ts'
import { relayTo } from '../../helpers/udp-relay.ts'

/**
 * RFC 6347: the content type of handshake messages, and the offset of the message type behind 13 bytes of record
 * header.
 */
const HANDSHAKE = 22
const TYPE_AT = 13
const HELLO_VERIFY_REQUEST = 3

test('a leg whose hello was answered twice, as on a slow network, is connected all the same', async (t) => {
  const open = legOpener(await loadOpus(), t)
  const [caller, callee] = [open(), open()]
  let repeated = 0
  const copies = (datagram: Buffer): number => {
    const isVerifyRequest = datagram[0] === HANDSHAKE && datagram[TYPE_AT] === HELLO_VERIFY_REQUEST
    if (isVerifyRequest) repeated++
    return isVerifyRequest ? 3 : 1
  }
  const through = async (sdp: string): Promise<string> => (await relayTo(t, sdp, copies)).sdp
  await caller.leg.connect(await through(await callee.leg.answer(await through(await caller.leg.offer()))))
  await runSlots({ caller, callee }, Infinity, () => {
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
  t.true(
    candidates.every((candidate) => candidate.includes('typ host')),
    candidates.join('\n'),
  )
})
