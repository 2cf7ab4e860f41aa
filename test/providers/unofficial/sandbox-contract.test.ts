import { fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'ava'
import { createWebRtcLegs } from '../../../media-host/legs/webrtc.ts'
import type { Leg } from '../../../media-host/legs/leg.ts'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import { newId } from '../../../src/domain/ids.ts'
import { lateClock } from '../../helpers/late-clock.ts'
import { createUnofficialDriver } from '../../../src/providers/unofficial/driver.ts'
import { oneEngine } from '../../../src/providers/unofficial/engines.ts'
import { testProviderSession } from '../../contracts/provider-session.ts'
import type { ProviderWorld } from '../../contracts/provider-world.ts'
import { noMetrics, silentLog } from '../../helpers/silent.ts'
import { QUICK, specOf } from '../session-probe.ts'
import { NODE_ARGUMENTS } from '../../helpers/short-lived.ts'
import { PATIENCE_MS, within } from '../../helpers/until.ts'

const TOKEN = 'bridge-token'
/** The sandbox runs as a program of its own, as it does beside a gateway. */
const sandbox = fork('sandbox/main.ts', {
  env: { SANDBOX: 'on', SANDBOX_PORT: '0', DEVICE_BRIDGE_TOKEN: TOKEN, LOG_LEVEL: 'error' },
  execArgv: NODE_ARGUMENTS,
})
const listening = within('the sandbox listens', once(sandbox, 'message')).then(
  ([message]) => (message as { port: number }).port,
)
/** The files that the engine fetches. */
const files = createServer(
  { keepAliveTimeout: PATIENCE_MS },
  (_request, response) => void response.setHeader('content-type', 'image/png').end('\x89PNG'),
).listen(0, '127.0.0.1')
const serving = once(files, 'listening')
test.after.always(() => {
  sandbox.kill()
  files.closeAllConnections()
  files.close()
})

testProviderSession(test, 'device bridge to the sandbox', startWorld)

async function startWorld(): Promise<ProviderWorld> {
  const port = await listening
  await serving
  const driver = createUnofficialDriver({
    engines: oneEngine(`ws://127.0.0.1:${port}/devices`),
    bridgeToken: TOKEN,
    clock: lateClock,
    log: silentLog,
    metrics: noMetrics,
    tuning: QUICK,
  })
  const control = async (path: string, body: object = {}): Promise<Record<string, unknown>> => {
    const response = await fetch(`http://127.0.0.1:${port}/control/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`control ${path} answered ${response.status}`)
    return (await response.json()) as Record<string, unknown>
  }
  const openLeg = createWebRtcLegs({ opus: await loadOpus(), log: silentLog, iceAddress: '127.0.0.1' })
  const legs: Leg[] = []
  const leg = (): Leg => {
    const opened = openLeg({ flowing: () => {}, digit: () => {}, lost: () => {} }, newId('call'))
    legs.push(opened)
    return opened
  }
  return {
    driver,
    freshSpec: () => specOf(newId('num'), { number: `55113${randomInt(10_000_000, 99_999_999)}` }),
    scan: async ({ number }) => void (await control(`devices/${number}/scan`)),
    dropLink: async ({ number }) => void (await control(`devices/${number}/drop`)),
    unlink: async ({ number }) => void (await control(`devices/${number}/logout`)),
    ringingPeer: '5511988880001',
    decliningPeer: '5511988880002',
    unreachablePeer: '5511988880004',
    // Each world uses peers of its own, because all stories share the inboxes.
    readingPeer: `55119${randomInt(1_000, 9_999)}0006`,
    echoingPeer: '5511988880005',
    imageUrl: `http://127.0.0.1:${(files.address() as AddressInfo).port}/a.png`,
    async writeIn({ number }, from, message) {
      const { externalMessageId } = await control(`peers/${from}/messages`, { to: number, ...message })
      return { externalMessageId: String(externalMessageId) }
    },
    async writeElsewhere({ number }, to, message) {
      const { externalMessageId } = await control(`devices/${number}/messages`, { to, ...message })
      return { externalMessageId: String(externalMessageId) }
    },
    vote: async (peer, messageId, options) => void (await control(`peers/${peer}/votes`, { messageId, options })),
    tellHealth: async ({ number }, health) => void (await control(`devices/${number}/health`, health)),
    async inbox(peer) {
      const response = await fetch(`http://127.0.0.1:${port}/control/peers/${peer}/inbox`)
      return ((await response.json()) as { messages: Record<string, unknown>[] }).messages
    },
    async callIn({ number }) {
      const from = '5511977770001'
      const { callId } = await control(`peers/${from}/calls`, { to: number })
      return { externalCallId: String(callId), from }
    },
    hangUp: async (callId) => void (await control(`calls/${callId}/hangup`)),
    offerSdp: () => leg().offer(),
    answerSdp: (offer) => leg().answer(offer),
    async close() {
      for (const opened of legs) opened.close()
    },
  }
}
