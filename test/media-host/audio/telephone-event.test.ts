import test from 'ava'
import { DigitReceiver, DigitSender } from '../../../media-host/audio/telephone-event.ts'

interface Sent {
  readonly slot: number
  readonly payload: Uint8Array
  readonly timestamp: number
  readonly isFirst: boolean
}

function sent(digits: string, clockHz: number): Sent[] {
  const sender = new DigitSender()
  sender.queue(digits)
  const packets: Sent[] = []
  for (let slot = 0; sender.isBusy; slot++) {
    const packet = sender.next(clockHz)
    if (packet)
      packets.push({
        slot,
        payload: packet.payload,
        timestamp: (slot - packet.startSlots) * 960,
        isFirst: packet.isFirst,
      })
  }
  return packets
}

function heard(packets: readonly Sent[], clockHz: number): string[] {
  const digits: string[] = []
  const receiver = new DigitReceiver((digit, durationMs) => void digits.push(`${digit}${durationMs}`))
  const last = packets.at(-1)?.slot ?? 0
  for (let slot = 0; slot <= last + 10; slot++) {
    for (const packet of packets.filter((candidate) => candidate.slot === slot))
      receiver.push({ payload: packet.payload, ssrc: 1, timestamp: packet.timestamp, clockHz })
    receiver.tick()
  }
  return digits
}

test('a digit is 100 ms of growing durations under one timestamp, its end three times', (t) => {
  const packets = sent('5', 48_000)
  t.is(packets.length, 7)
  t.is(new Set(packets.map((packet) => packet.timestamp)).size, 1)
  t.deepEqual(
    packets.map(({ payload }) => ((payload[2] ?? 0) << 8) | (payload[3] ?? 0)),
    [960, 1_920, 2_880, 3_840, 4_800, 4_800, 4_800],
  )
  t.deepEqual(
    packets.map(({ payload }) => ((payload[1] ?? 0) & 0x80) > 0),
    [false, false, false, false, true, true, true],
  )
  t.deepEqual(
    packets.map((packet) => packet.isFirst),
    [true, false, false, false, false, false, false],
  )
})

test('digits follow each other with 60 ms between them', (t) => {
  const packets = sent('12', 8_000)
  t.deepEqual([...new Set(packets.map((packet) => packet.timestamp))], [0, 8 * 960])
})

test('all sixteen digits are heard once each, at both clocks', (t) => {
  for (const clockHz of [8_000, 48_000]) {
    t.deepEqual(
      heard(sent('0123456789*#abcd', clockHz), clockHz),
      [...'0123456789*#ABCD'].map((digit) => `${digit}100`),
    )
  }
})

test('a digit is heard once though its end packets are lost', (t) => {
  const packets = sent('77', 48_000).filter(({ payload }) => ((payload[1] ?? 0) & 0x80) === 0)
  t.deepEqual(heard(packets, 48_000), ['780', '780'])
})

test('a digit is heard once though only one of its packets arrives', (t) => {
  t.deepEqual(heard(sent('9', 48_000).slice(6), 48_000), ['9100'])
  t.deepEqual(heard(sent('9', 48_000).slice(1, 2), 48_000), ['940'])
})

test('a digit that a stall interrupts still tells its end, under the timestamp it began with', (t) => {
  for (const stalled of [1, 3, 4, 5, 8, 100]) {
    const sender = new DigitSender()
    sender.queue('*')
    const packets: Sent[] = []
    for (let slot = 0; sender.isBusy; slot++) {
      const packet = sender.next(48_000)
      if (packet)
        packets.push({
          slot,
          payload: packet.payload,
          timestamp: (slot - packet.startSlots) * 960,
          isFirst: packet.isFirst,
        })
      if (slot === 1) {
        sender.skip(stalled)
        slot += stalled
      }
    }
    t.deepEqual([...new Set(packets.map(({ timestamp }) => timestamp))], [0], `stalled for ${stalled} slots`)
    t.is(packets.filter(({ payload }) => ((payload[1] ?? 0) & 0x80) > 0).length, 3, `stalled for ${stalled} slots`)
  }
})

test('packets that are no digits are ignored', (t) => {
  const receiver = new DigitReceiver(() => t.fail())
  for (const [timestamp, payload] of [
    new Uint8Array(0),
    Uint8Array.of(5, 0x80),
    Uint8Array.of(16, 0x80, 1, 1),
  ].entries())
    receiver.push({ payload, ssrc: 1, timestamp, clockHz: 8_000 })
  for (let i = 0; i < 10; i++) receiver.tick()
  t.pass()
})

test('text that is no digits is refused as a whole', (t) => {
  const sender = new DigitSender()
  for (const text of ['', '12x', '1 2', '+49', '1'.repeat(1_001)]) t.false(sender.queue(text), text)
  t.false(sender.isBusy)
})

/**
 * A key that is held for `ms`, as a browser sends it: one packet each 20 ms, a new segment when the duration field is
 * full, and the end packet three times.
 */
function held(
  event: number,
  ms: number,
  clockHz: number,
  from: number,
): { slot: number; payload: Uint8Array; timestamp: number; isFirst: boolean }[] {
  const packet = (slot: number, timestamp: number, units: number, isEnd: boolean) => ({
    slot,
    timestamp: timestamp >>> 0,
    isFirst: slot === 0,
    payload: Uint8Array.of(event, isEnd ? 0x8a : 0x0a, units >> 8, units & 0xff),
  })
  const step = clockHz / 50
  const packets = []
  let start = from
  let units = 0
  for (let slot = 0; slot < ms / 20; slot++) {
    units += step
    if (units > 0xffff) {
      packets.push(packet(slot, start, 0xffff, false))
      start += 0xffff
      units -= 0xffff
    }
    packets.push(packet(slot, start, units, false))
  }
  for (let copy = 0; copy < 3; copy++) packets.push(packet(ms / 20 + copy, start, units, true))
  return packets
}

test('dtmf-1-long-press-48k: a digit held longer than a segment is one digit, at both clocks and where timestamps wrap', (t) => {
  for (const from of [53_000, 0xffff_ff00]) {
    t.deepEqual(heard(held(5, 2_020, 48_000, from), 48_000), ['52020'])
    t.deepEqual(heard(held(9, 6_000, 48_000, from), 48_000), ['96000'])
    t.deepEqual(heard(held(9, 20_000, 8_000, from), 8_000), ['920000'])
  }
})

test('a held digit is one digit though packets are lost, doubled, late, or all of them for a while', (t) => {
  const packets = held(9, 6_000, 48_000, 1_000)
  const isFull = ({ payload }: { payload: Uint8Array }) => payload[2] === 0xff && payload[3] === 0xff
  t.deepEqual(
    heard(
      packets.filter((packet) => !isFull(packet)),
      48_000,
    ),
    ['96000'],
  )
  t.deepEqual(
    heard(
      packets.flatMap((packet) => [packet, { ...packet, slot: packet.slot + 7 }]),
      48_000,
    ),
    ['96000'],
  )
  t.deepEqual(
    heard(
      packets.filter(({ slot }) => slot % 5 !== 0),
      48_000,
    ),
    ['96000'],
  )
  // The silence reports the end of the key. The packets after it belong to the same key, so they report no second one.
  t.deepEqual(
    heard(
      packets.filter(({ slot }) => slot < 100 || slot >= 110),
      48_000,
    ),
    ['92000'],
  )
  t.deepEqual(
    heard(
      packets.filter(({ slot }) => slot < 60 || slot >= 150),
      48_000,
    ),
    ['91200'],
  )
})

test('a key pressed twice is two digits, however short the pause', (t) => {
  const first = held(5, 100, 48_000, 0)
  for (const pause of [0, 20, 40]) {
    const from = 100 * 48 + pause * 48
    const second = held(5, 100, 48_000, from).map((packet) => ({ ...packet, slot: packet.slot + 5 + pause / 20 }))
    t.deepEqual(heard([...first, ...second], 48_000), ['5100', '5100'], `${pause} ms`)
  }
})

test('copies of an end that come late, behind several other digits, are no digits', (t) => {
  const packets = sent('12345678', 48_000)
  const ends = packets.filter(({ payload }) => ((payload[1] ?? 0) & 0x80) > 0)
  const late = ends.map((packet) => ({ ...packet, slot: packet.slot + 40 }))
  t.deepEqual(
    heard([...packets, ...late], 48_000),
    [...'12345678'].map((digit) => `${digit}100`),
  )
})

test('a digit of another source is one of its own', (t) => {
  const digits: string[] = []
  const receiver = new DigitReceiver((digit, durationMs) => void digits.push(`${digit}${durationMs}`))
  for (const ssrc of [1, 2])
    for (const { payload, timestamp } of sent('7', 48_000)) receiver.push({ payload, ssrc, timestamp, clockHz: 48_000 })
  t.deepEqual(digits, ['7100', '7100'])
})
