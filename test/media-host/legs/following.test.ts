import { once } from 'node:events'
import { createSocket, type Socket } from 'node:dgram'
import { setImmediate as nextTurn } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { classes, Message, methods, parseMessage } from 'werift'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import { openWebRtcPhoneLeg } from '../../../sandbox/devices/phone-webrtc.ts'
import { UnusableDescription } from '../../../media-host/legs/leg.ts'
import { legOpener } from '../../helpers/audio-legs.ts'
import { portOf, relayTo } from '../../helpers/udp-relay.ts'
import { until } from '../../helpers/until.ts'

/** An Opus packet of 20 ms of silence. */
const PACKET = Buffer.from([0xf8, 0xff, 0xfe])
/** 2 s of packets. */
const SOON_SLOTS = 100
/** A candidate, as descriptions have them. */
const CANDIDATE_LINE = /^a=candidate:.*$/m
/** RFC 7983 section 7: first bytes of RTP. */
const isRtp = ([first = 0]: Buffer) => first >= 128 && first <= 191
/** RFC 8489 section 5: the type of a good answer to a binding request. */
const isReply = (datagram: Buffer) => datagram.readUInt16BE(0) === 0x0101

/** A socket of somebody, who keeps what comes. */
async function somebody(t: ExecutionContext): Promise<{ socket: Socket; got: Buffer[] }> {
  const socket = createSocket('udp4')
  const got: Buffer[] = []
  socket.on('message', (datagram) => void got.push(datagram))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => socket.close())
  return { socket, got }
}

const read = (sdp: string, name: string) => new RegExp(`^a=${name}:(\\S+)`, 'm').exec(sdp)?.[1] ?? ''

/** A check that chooses the pair, as the phone would send it; unsigned without a password. */
function check(offer: string, answer: string, password: string | null): Buffer {
  const message = new Message(methods.BINDING, classes.REQUEST)
    .setAttribute('USERNAME', `${read(answer, 'ice-ufrag')}:${read(offer, 'ice-ufrag')}`)
    .setAttribute('PRIORITY', 1)
    .setAttribute('ICE-CONTROLLING', 1n)
    .setAttribute('USE-CANDIDATE', null) as Message
  if (password !== null) message.addMessageIntegrity(Buffer.from(password)).addFingerprint()
  return message.bytes
}

/** The answer to a check; null when it is none. */
function reply(datagram: Buffer, from: number, password: string): Buffer | null {
  const asked = parseMessage(datagram)
  if (asked?.messageClass !== classes.REQUEST) return null
  const message = new Message(methods.BINDING, classes.RESPONSE, asked.transactionId)
  message.setAttribute('XOR-MAPPED-ADDRESS', ['127.0.0.1', from])
  return message.addMessageIntegrity(Buffer.from(password)).addFingerprint().bytes
}

/** A leg of the host in a call with a phone of the sandbox; `caught` takes what goes between them. */
async function inCall(t: ExecutionContext, caught?: Buffer[]) {
  const { leg, notes } = legOpener(await loadOpus(), t)()
  let phoneHeard = 0
  const phone = openWebRtcPhoneLeg({ audio: () => void phoneHeard++, event: () => {}, digit: () => {}, lost: () => {} })
  t.teardown(() => phone.close())
  const offer = await phone.offer()
  const through = async (sdp: string) =>
    caught ? (await relayTo(t, sdp, (datagram) => caught.push(datagram) && 1)).sdp : sdp
  const answer = await leg.answer(await through(offer))
  await phone.connect(await through(answer))
  let timestamp = 0
  /** Has both speak for a slot, and waits for what arrives. */
  const slot = async (): Promise<void> => {
    phone.sendAudio(PACKET, (timestamp += 960), false)
    leg.send({ kind: 'silence' })
    leg.receive([])
    for (let turn = 0; turn < 20; turn++) await nextTurn()
  }
  /** Slots until both have heard each other anew. */
  const slotsUntilHeard = async (): Promise<number> => {
    const before = { phone: phoneHeard, host: leg.stats().receivedFrames }
    for (let slots = 1; ; slots++) {
      await slot()
      if (phoneHeard > before.phone && leg.stats().receivedFrames > before.host) return slots
      if (slots > SOON_SLOTS * 10) throw new Error('they do not hear each other')
    }
  }
  await until('they hear each other', async () => {
    await slot()
    return phoneHeard > 0 && leg.isFlowing
  })
  return { leg, notes, phone, slot, slotsUntilHeard, offer, answer, hostPort: portOf(answer), heard: () => phoneHeard }
}

// [voice.network.1]
test('a phone that goes on from another address is heard and hears within two seconds, twice in a row', async (t) => {
  const { phone, slotsUntilHeard, notes } = await inCall(t)
  for (const time of ['first', 'second']) {
    t.true(await phone.changeAddress())
    const slots = await slotsUntilHeard()
    t.true(slots <= SOON_SLOTS, `${time}: ${slots} slots`)
  }
  t.deepEqual(notes.lost, [])
})

// [voice.network.1]
test('a check from another address that is signed and answered moves a phone that only listens', async (t) => {
  const { leg, slot, offer, answer, hostPort } = await inCall(t)
  await slot()
  const { socket, got } = await somebody(t)
  socket.on('message', (datagram) => {
    const bytes = reply(datagram, hostPort, read(offer, 'ice-pwd'))
    if (bytes) socket.send(bytes, hostPort, '127.0.0.1')
  })
  socket.send(check(offer, answer, read(answer, 'ice-pwd')), hostPort, '127.0.0.1')
  let slots = 0
  await until('audio comes to the new address', async () => {
    slots++
    leg.send({ kind: 'silence' })
    for (let turn = 0; turn < 20; turn++) await nextTurn()
    return got.some(isRtp)
  })
  t.true(slots <= SOON_SLOTS, `${slots} slots`)
})

// [voice.network.2]
test('nobody without the keys moves a call to another address, not even by packets that were caught', async (t) => {
  const caught: Buffer[] = []
  const { slot, offer, answer, hostPort, heard, notes } = await inCall(t, caught)
  const { socket, got } = await somebody(t)
  // Answers that are not signed by the phone are none.
  socket.on('message', (datagram) => {
    const bytes = reply(datagram, hostPort, 'a password that was guessed')
    if (bytes) socket.send(bytes, hostPort, '127.0.0.1')
  })
  const before = heard()
  for (let slots = 0; slots < SOON_SLOTS; slots++) {
    const tries = [
      check(offer, answer, null),
      check(offer, answer, 'a password that was guessed'),
      Buffer.concat([Buffer.from([128, 111]), Buffer.alloc(40, slots)]),
      ...caught.filter(isRtp).slice(-6),
    ]
    for (const datagram of tries) socket.send(datagram, hostPort, '127.0.0.1')
    await slot()
  }
  await until('the last packets come', async () => {
    await slot()
    return heard() - before >= SOON_SLOTS
  })
  t.true(caught.some(isRtp))
  t.true(got.length > 0, 'the caught packets have the address asked')
  t.deepEqual(got.filter(isRtp), [])
  t.deepEqual(got.filter(isReply), [], 'no check of it is answered')
  t.deepEqual(notes.lost, [])
})

// [bridged-calls.bridge.10]
test('a leg goes to an address of a further description when the one in use is named no more', async (t) => {
  const { leg, slot, slotsUntilHeard, offer, notes } = await inCall(t)
  let relayed = 0
  const there = await relayTo(t, offer, (datagram) => (isRtp(datagram) ? ++relayed && 1 : 1))
  // Both addresses: the way in use is as good.
  leg.update(`${offer}${CANDIDATE_LINE.exec(there.sdp)?.[0]}\r\n`)
  for (let slots = 0; slots < SOON_SLOTS / 2; slots++) await slot()
  t.is(relayed, 0)
  const elsewhere = await relayTo(t, offer, (datagram) => (isRtp(datagram) ? ++relayed && 1 : 1))
  leg.update(elsewhere.sdp)
  await until('audio goes there', async () => {
    await slot()
    return relayed > 0
  })
  t.true((await slotsUntilHeard()) <= SOON_SLOTS)
  t.deepEqual(notes.lost, [])
})

// [bridged-calls.bridge.10] [bridged-calls.bridge.14]
test('a further description renumbers packets; another codec, credentials or certificate change nothing', async (t) => {
  const { leg, phone, slotsUntilHeard, offer } = await inCall(t)
  const refused = [
    [offer.replaceAll('opus/48000/2', 'PCMU/8000'), /offers no Opus/],
    [offer.replace(/^a=ice-pwd:/m, '$&again'), /other ICE credentials/],
    [offer.replace(/^(a=fingerprint:sha-256 )..:../m, (_, name: string) => `${name}00:01`), /another certificate/],
    ['hello', /description/],
  ] as const
  for (const [sdp, fault] of refused)
    t.regex(String(t.throws(() => leg.update(sdp), { instanceOf: UnusableDescription })?.message), fault)
  t.true((await slotsUntilHeard()) <= SOON_SLOTS)
  const renumbered = phone.renumber(102)
  t.regex(renumbered ?? '', /^a=rtpmap:102 opus/m)
  leg.update(renumbered ?? '')
  t.true((await slotsUntilHeard()) <= SOON_SLOTS)
})

// [bridged-calls.bridge.10]
test('while a leg has no way to its peer yet, further addresses are tried', async (t) => {
  const { leg } = legOpener(await loadOpus(), t)()
  const phone = openWebRtcPhoneLeg({ audio: () => {}, event: () => {}, digit: () => {}, lost: () => {} })
  t.teardown(() => phone.close())
  const offer = await phone.offer()
  t.throws(() => leg.update(offer), { instanceOf: UnusableDescription })
  const nowhere = await somebody(t)
  const away = (sdp: string) =>
    sdp.replace(CANDIDATE_LINE, (line) => line.replace(` ${portOf(sdp)} `, ` ${nowhere.socket.address().port} `))
  // The phone does not find the leg by itself, so only the leg's checks make a way.
  await phone.connect(away(await leg.answer(away(offer))))
  await until('checks go where nobody is', () => nowhere.got.length > 0)
  t.false(leg.isOpen)
  leg.update(offer)
  await until('a way is found', () => leg.isOpen)
})
