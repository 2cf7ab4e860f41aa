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
    if (packet) packets.push({ slot, payload: packet.payload, timestamp: (slot - packet.startSlots) * 960, isFirst: packet.isFirst })
  }
  return packets
}

function heard(packets: readonly Sent[], clockHz: number): string[] {
  const digits: string[] = []
  const receiver = new DigitReceiver((digit, durationMs) => void digits.push(`${digit}${durationMs}`))
  const last = packets.at(-1)?.slot ?? 0
  for (let slot = 0; slot <= last + 10; slot++) {
    for (const packet of packets.filter((candidate) => candidate.slot === slot)) receiver.push(packet.payload, packet.timestamp, clockHz)
    receiver.tick()
  }
  return digits
}

test('a digit is 100 ms of growing durations under one timestamp, its end three times', (t) => {
  const packets = sent('5', 48_000)
  t.is(packets.length, 7)
  t.is(new Set(packets.map((packet) => packet.timestamp)).size, 1)
  t.deepEqual(packets.map(({ payload }) => (payload[2] ?? 0) << 8 | (payload[3] ?? 0)), [960, 1_920, 2_880, 3_840, 4_800, 4_800, 4_800])
  t.deepEqual(packets.map(({ payload }) => ((payload[1] ?? 0) & 0x80) > 0), [false, false, false, false, true, true, true])
  t.deepEqual(packets.map((packet) => packet.isFirst), [true, false, false, false, false, false, false])
})

test('digits follow each other with 60 ms between them', (t) => {
  const packets = sent('12', 8_000)
  t.deepEqual([...new Set(packets.map((packet) => packet.timestamp))], [0, 8 * 960])
})

test('all sixteen digits are heard once each, at both clocks', (t) => {
  for (const clockHz of [8_000, 48_000]) {
    t.deepEqual(heard(sent('0123456789*#abcd', clockHz), clockHz), [...'0123456789*#ABCD'].map((digit) => `${digit}100`))
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
      if (packet) packets.push({ slot, payload: packet.payload, timestamp: (slot - packet.startSlots) * 960, isFirst: packet.isFirst })
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
  receiver.push(new Uint8Array(0), 1, 8_000)
  receiver.push(Uint8Array.of(5, 0x80), 2, 8_000)
  receiver.push(Uint8Array.of(16, 0x80, 1, 1), 3, 8_000)
  for (let i = 0; i < 10; i++) receiver.tick()
  t.pass()
})

test('text that is no digits is refused as a whole', (t) => {
  const sender = new DigitSender()
  for (const text of ['', '12x', '1 2', '+49', '1'.repeat(1_001)]) t.false(sender.queue(text), text)
  t.false(sender.isBusy)
})
