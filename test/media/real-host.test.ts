import { NO_TRACES } from '../../src/ports/traces.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { startMediaHost } from '../../media-host/start.ts'
import { createMediaClient } from '../../src/media/media-client.ts'
import type { MediaClient } from '../../src/media/media-client.ts'
import type { NodeId } from '../../src/domain/ids.ts'
import type { MediaEvent } from '../../src/ports/media.ts'
import { systemClock } from '../../src/process/clock.ts'
import { noMetrics, silentLog } from '../helpers/silent.ts'
import { until } from '../helpers/until.ts'
import { mediaCall } from './scripted-host.ts'

const SECRET = 'internal-secret'

interface Gateway {
  readonly client: MediaClient
  readonly told: MediaEvent[]
}

async function startHost(
  t: ExecutionContext,
): Promise<{ controlUrl: string; mediaPort: number; close: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'media-client-'))
  const host = await startMediaHost(
    {
      host: '127.0.0.1',
      mediaPort: 0,
      controlHost: '127.0.0.1',
      controlPort: 0,
      publicUrl: null,
      redisUrl: null,
      advertiseControl: null,
      internalSecret: SECRET,
      egressAllow: [],
      iceAddress: '127.0.0.1',
      rtpPorts: null,
      dataDir,
    },
    { log: silentLog, metrics: noMetrics, traces: NO_TRACES },
  )
  t.teardown(async () => {
    await host.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { controlUrl: `ws://127.0.0.1:${host.controlPort}`, mediaPort: host.mediaPort, close: () => host.close() }
}

function gateway(t: ExecutionContext, controlUrl: string, nodeId: NodeId, internalSecret: string = SECRET): Gateway {
  const client = createMediaClient({
    hosts: [{ controlUrl }],
    internalSecret,
    nodeId,
    clock: systemClock,
    log: silentLog,
    metrics: noMetrics,
  })
  const told: MediaEvent[] = []
  client.onEvent((event) => void told.push(event))
  t.teardown(() => client.stop())
  return { client, told }
}

function valueOf<T>(outcome: { ok: true; value: T } | { ok: false; error: { code: string } }): T {
  if (!outcome.ok) throw new Error(`refused: ${outcome.error.code}`)
  return outcome.value
}

test('two calls of a real host talk to each other, and their sessions can be minted until they are closed', async (t) => {
  const host = await startHost(t)
  const { client, told } = gateway(t, host.controlUrl, 'node_a')
  const caller = mediaCall()
  const callee = mediaCall({ direction: 'INBOUND', status: 'RINGING' })
  t.true((await client.announce(callee)).ok)
  const offer = valueOf(await client.offer(caller))
  const answer = valueOf(await client.answer(callee, offer.sdp))
  t.deepEqual(await client.connect(caller.callId, answer.sdp), { ok: true, value: null })
  client.setStatus(caller.callId, 'ACCEPTED')
  client.setStatus(callee.callId, 'ACCEPTED')
  await until('audio flows both ways', () => told.filter((event) => event.type === 'flowing').length === 2)
  const minted = valueOf(await client.mint(caller.callId, 'talk', 'key_1'))
  t.true(minted.wsUrl.startsWith(`ws://localhost:${host.mediaPort}/v1/realtime/${caller.callId}?token=`))
  client.close(caller.callId, { status: 'COMPLETED', durationSeconds: 1 })
  t.like(await client.mint(caller.callId, 'talk', 'key_1'), { ok: false, error: { code: 'MEDIA_UNAVAILABLE' } })
  client.close(callee.callId, { status: 'COMPLETED', durationSeconds: 1 })
})

test('a gateway that starts again under its name finds the calls it had, and the host forgets none that it does not name', async (t) => {
  const host = await startHost(t)
  const before = gateway(t, host.controlUrl, 'node_b')
  const call = { ...mediaCall(), fence: 1 }
  t.true((await before.client.offer(call)).ok)
  before.client.stop()
  const after = gateway(t, host.controlUrl, 'node_b')
  await until('available', () => after.client.isAvailable())
  t.deepEqual(await after.client.adopt({ ...call, fence: 2 }, null), { ok: true, value: { hasLeg: true } })
  t.true((await after.client.mint(call.callId, 'talk', 'key_1')).ok)
  t.true((await after.client.offer(mediaCall())).ok)
})

test('a wrong secret opens no control', async (t) => {
  const host = await startHost(t)
  const { client } = gateway(t, host.controlUrl, 'node_c', 'wrong')
  t.like(await client.offer(mediaCall()), { ok: false, error: { code: 'MEDIA_UNAVAILABLE' } })
})

test('a file a real host may not fetch is refused by its reason', async (t) => {
  const host = await startHost(t)
  const { client } = gateway(t, host.controlUrl, 'node_d')
  const call = mediaCall()
  t.true((await client.offer(call)).ok)
  t.like(await client.play(call.callId, 'play_1', 'http://127.0.0.1:9/a.wav', false), {
    ok: false,
    error: { code: 'MEDIA_URL_FORBIDDEN' },
  })
})
