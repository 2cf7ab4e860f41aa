import test from 'ava'
import { DIALECTS_BY_NAME } from '../../../media-host/realtime/dialect.ts'
import { Outbox } from '../../../media-host/realtime/session-outbox.ts'
import { ReadBudgets } from '../../../media-host/realtime/read-budget.ts'
import { Session } from '../../../media-host/realtime/session.ts'
import { SessionLimits } from '../../../media-host/realtime/session-limits.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { newCall } from '../../helpers/media-host-rig.ts'
import type { Connection } from '../../../media-host/realtime/connection.ts'
import type { SessionParameters } from '../../../media-host/realtime/protocol.ts'

const PARAMETERS: SessionParameters = {
  codec: 'pcm16',
  inRate: 48_000,
  outRate: 48_000,
  frameMs: 20,
  dialect: 'native',
  statsSeconds: 0,
  onDisconnect: 'keep',
  prebufferMs: 40,
  speech: false,
}

/** A network that accepts only as much as the test allows. */
class SlowConnection implements Connection {
  readonly sent: (string | Uint8Array)[] = []
  bufferedBytes = 0
  closed: number | null = null

  sendText(text: string): void {
    this.sent.push(text)
    this.bufferedBytes += text.length
  }

  sendBinary(bytes: Uint8Array): void {
    this.sent.push(Uint8Array.from(bytes))
    this.bufferedBytes += bytes.length
  }

  ping(): void {}

  pause(): void {}

  cork(work: () => void): void {
    work()
  }

  resume(): void {}

  end(code: number): void {
    this.closed = code
  }

  take(bytes: number): void {
    this.bufferedBytes = Math.max(0, this.bufferedBytes - bytes)
  }
}

test('data for a slow client is kept in order and sent when there is room', (t) => {
  const connection = new SlowConnection()
  const outbox = new Outbox(connection, new FakeClock())
  for (let i = 0; i < 200; i++) outbox.audio(new Uint8Array(640).fill(i))
  outbox.text('end')
  t.true(connection.bufferedBytes < 65_536 + 640)
  for (let i = 0; i < 10; i++) {
    connection.take(65_536)
    outbox.drain()
  }
  t.deepEqual(
    connection.sent.map((item) => (typeof item === 'string' ? item : item[0])),
    [...Array.from({ length: 200 }, (_, i) => i), 'end'],
  )
  t.is(outbox.droppedFrames, 0)
})

// [realtime.closing.11]
test('of audio nobody takes the oldest is dropped and counted, texts never', (t) => {
  const connection = new SlowConnection()
  const outbox = new Outbox(connection, new FakeClock())
  outbox.audio(new Uint8Array(65_536))
  outbox.text('kept')
  let dropped = 0
  for (let i = 0; i < 500; i++) dropped += outbox.audio(new Uint8Array(640).fill(i % 250))
  t.is(outbox.droppedFrames, dropped)
  t.is(dropped, 500 - Math.floor(262_144 / 640))
  connection.take(65_536)
  outbox.drain()
  t.is(connection.sent[1], 'kept')
  t.is((connection.sent[2] as Uint8Array)[0], dropped % 250)
})

// [realtime.closing.11]
test('a client that takes nothing for 10 s is too slow, one that takes a little is not', (t) => {
  const clock = new FakeClock()
  const connection = new SlowConnection()
  const outbox = new Outbox(connection, clock)
  outbox.audio(new Uint8Array(60_000))
  for (let second = 0; second < 30; second++) {
    clock.advance(1_000)
    connection.take(100)
    t.false(outbox.isTooSlow())
  }
  for (let second = 0; second < 9; second++) {
    clock.advance(1_000)
    t.false(outbox.isTooSlow())
  }
  clock.advance(1_000)
  t.true(outbox.isTooSlow())
})

// [realtime.closing.11]
test('a client with more than 1 MiB unsent is too slow', (t) => {
  const outbox = new Outbox(new SlowConnection(), new FakeClock())
  for (let i = 0; i < 11; i++) outbox.text('x'.repeat(100_000))
  t.true(outbox.isTooSlow())
})

// [realtime.closing.11]
test('a session whose client takes nothing for 10 s is closed 4408', (t) => {
  const clock = new FakeClock()
  const connection = new SlowConnection()
  let left = 0
  const session = new Session(
    connection,
    {
      call: newCall(),
      status: 'ACCEPTED',
      hasRoom: true,
      reading: new ReadBudgets(clock).open(),
      hearFromClient: () => null,
      hearPacketFromClient: () => null,
      act: () => {},
      stats: () => {
        throw new Error('unused')
      },
      left: () => void left++,
    },
    {
      id: 'rts_1',
      mode: 'talk',
      clock,
      onClosed: () => {},
      parameters: PARAMETERS,
      codec: DIALECTS_BY_NAME.native.createCodec(PARAMETERS, { sessionId: 'rts_1', tenantId: 'ten_1' }),
    },
  )
  session.start()
  for (let second = 0; second < 10; second++) {
    for (let i = 0; i < 50; i++) session.hear(new Int16Array(960))
    clock.advance(1_000)
    session.alive()
    t.is(connection.closed, null)
    session.everySecond()
  }
  connection.take(Number.POSITIVE_INFINITY)
  t.is(connection.closed, 4408)
  t.is(left, 1)
})

// [realtime.closing.14]
test('abuse is audio still refused 30 s after the first refusal with no ok between', (t) => {
  const clock = new FakeClock()
  const limits = new SessionLimits(clock)
  t.is(limits.buffer('full'), null)
  clock.advance(29_999)
  t.is(limits.buffer('full'), null)
  limits.buffer('ok')
  clock.advance(10_000)
  t.is(limits.buffer('full'), null)
  clock.advance(30_000)
  t.like(limits.buffer('full'), { code: 4413 })
})

test('full is told once a second at most', (t) => {
  const clock = new FakeClock()
  const limits = new SessionLimits(clock)
  t.true(limits.mayTellFull())
  t.false(limits.mayTellFull())
  clock.advance(1_000)
  t.true(limits.mayTellFull())
})
