import test from 'ava'
import { FAST, historyOf, sendText, untilStatus, untilTold } from '../helpers/message-service.ts'
import { Service, type PairedNumber } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'
import { ScriptedEngine, type EngineNumber } from '../providers/scripted-engine.ts'

/** The flood stops sending while this many bytes wait for the network, or they would fill the test's own memory. */
const BUFFERED_BYTES = 4 * 1024 * 1024
/** Several times the gateway's memory at rest, in bytes. A gateway that keeps the flood would exceed it. */
const MEMORY_BYTES = 1024 * 1024 * 1024
let engine: ScriptedEngine
let service: Service

test.before(async () => {
  engine = await ScriptedEngine.start()
  engine.onRequest = ({ op, messageId }, number) => {
    if (op === 'message.send') return { result: { externalMessageId: `up-${String(messageId)}` } }
    if (op === 'session.start') setImmediate(() => pairs(number))
    return undefined
  }
  service = await Service.start({ env: { ...FAST, DEVICE_BRIDGE_URL: engine.url, DEVICE_BRIDGE_TOKEN: engine.token } })
})

test.after.always(async () => {
  await service?.stop()
  await engine?.close()
})

function pairs(number: EngineNumber): void {
  number.emit({ ev: 'session.credentials', credentials: 'blob' })
  number.emit({ ev: 'session.state', state: 'OPEN' })
}

async function connected(digits: string): Promise<PairedNumber & { readonly at: EngineNumber }> {
  const { status, body, text } = await service.api('POST', '/v1/numbers', service.tenantKey, {
    name: 'Test',
    number: digits,
  })
  if (status !== 201) throw new Error(text)
  await service.untilState(body.id, 'OPEN')
  return { id: body.id, digits, key: body.apiKey.key, at: engine.number(body.id) }
}

/** Frames that no engine should send, one of each kind in turn. */
function hostileFrame(turn: number): string {
  const frames: readonly (() => unknown)[] = [
    () => 'no JSON at all',
    () => '[]',
    () => ({ ev: 'hologram', seq: turn }),
    () => ({ re: `r${turn % 50}`, ok: 'perhaps' }),
    () => ({ ev: 'message.received', seq: turn, from: 'x'.repeat(5_000), externalMessageId: 'm' }),
    () => ({
      ev: 'message.received',
      seq: 7,
      externalMessageId: `flood-${turn}`,
      from: '5511988880001',
      timestamp: 1,
      content: { type: 'text', text: `\0\ud800 ${turn}` },
    }),
    () => ({
      ev: 'call.incoming',
      seq: -turn,
      callId: `c${turn}`,
      from: '5511988880001',
      media: { kind: 'webrtc', sdp: 'v=0' },
    }),
    () => ({
      ev: 'call.incoming',
      seq: turn * 1_000,
      callId: `c${turn}`,
      from: '5511988880001',
      media: { kind: 'webrtc', sdp: 'v=0' },
    }),
    () => ({ ev: 'message.status', seq: turn, externalMessageId: `unknown-${turn}`, status: 'READ', timestamp: 1 }),
    () => ({ ev: 'message.edited', seq: 2 ** 53, externalMessageId: 'm' }),
    () => ({
      ev: 'session.health',
      seq: turn,
      level: turn % 2 ? 'ok' : 'warning',
      code: '\0',
      text: 'x'.repeat(5_000),
    }),
    () => ({ ev: 'session.qr', seq: turn, qr: 'x'.repeat(5_000), expiresInMs: 1 }),
  ]
  const frame = frames[turn % frames.length]?.()
  return typeof frame === 'string' ? frame : JSON.stringify(frame)
}

/**
 * Sends hostile frames as fast as the gateway reads, until it is stopped. Returns a function that stops it and counts
 * the frames.
 */
function floods(number: EngineNumber): () => number {
  let [turn, isOver] = [1_000, false]
  const go = (): void => {
    if (isOver) return
    for (let frame = 0; frame < 500 && (number.socket?.bufferedAmount ?? BUFFERED_BYTES) < BUFFERED_BYTES; frame += 1)
      number.raw(hostileFrame((turn += 1)))
    setImmediate(go)
  }
  go()
  return () => {
    isOver = true
    return turn
  }
}

test('an engine that floods, lies and talks nonsense for one number leaves the others served and the gateway up', async (t) => {
  const [hostile, honest] = [await connected('5511300000001'), await connected('5511300000002')]
  const stop = floods(hostile.at)
  await until('the flood is heard', async () => (await historyOf(service, hostile)).total > 0)
  for (let round = 0; round < 5; round += 1) {
    const { id } = await sendText(service, honest, '5511988880001', `round ${round}`)
    t.is((await untilStatus(service, honest, id, ['SENT'])).externalMessageId, `up-${id}`)
    honest.at.emit({
      ev: 'message.received',
      externalMessageId: `in-${round}`,
      from: '5511988880001',
      fromName: null,
      to: honest.digits,
      historical: false,
      timestamp: Date.now(),
      content: { type: 'text', text: 'hello' },
    })
    await untilTold(service, honest, 'message.received', `in-${round}`)
  }
  const ready = await service.api('GET', '/health/ready', service.tenantKey)
  t.is(ready.status, 200)
  const { body } = await service.api('GET', `/v1/numbers/${honest.id}`, service.tenantKey)
  t.like(body, { state: 'OPEN', health: { level: null } })
  const metrics = (await service.api('GET', '/metrics', service.tenantKey)).text
  const residentBytes = Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1] ?? Number.NaN)
  t.log(`${stop()} frames, resident ${Math.round(residentBytes / 1024 / 1024)} MiB`)
  t.true(residentBytes < MEMORY_BYTES)
  t.is((await historyOf(service, honest)).total, 5)
})
