import test from 'ava'
import { createWebRtcLegs } from '../../../media-host/leg-webrtc.ts'
import type { Leg } from '../../../media-host/leg.ts'
import { loadOpus } from '../../../media-host/opus.ts'
import { startSandbox } from '../../../sandbox/start.ts'
import { systemClock } from '../../../src/process/clock.ts'
import { createUnofficialDriver } from '../../../src/providers/unofficial/driver.ts'
import { testProviderSession } from '../../contracts/provider-session.ts'
import type { ProviderWorld } from '../../contracts/provider-session.ts'
import { noMetrics, silentLog } from '../../helpers/silent.ts'
import { QUICK, specOf } from '../session-probe.ts'

testProviderSession(test, 'device bridge to the sandbox', startWorld)

async function startWorld(): Promise<ProviderWorld> {
  const sandbox = await startSandbox({ host: '127.0.0.1', port: 0, bridgeToken: 'token', autopair: false, log: silentLog })
  const driver = createUnofficialDriver({
    bridgeUrl: `ws://127.0.0.1:${sandbox.port}/devices`, bridgeToken: 'token', clock: systemClock, log: silentLog, metrics: noMetrics, tuning: QUICK,
  })
  const control = async (path: string, body: object = {}): Promise<Record<string, unknown>> => {
    const response = await fetch(`http://127.0.0.1:${sandbox.port}/control/${path}`, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`control ${path} answered ${response.status}`)
    return await response.json() as Record<string, unknown>
  }
  const openLeg = createWebRtcLegs({ opus: await loadOpus(), log: silentLog, iceAddress: '127.0.0.1' })
  const legs: Leg[] = []
  const leg = (): Leg => {
    const opened = openLeg({ flowing: () => {}, digit: () => {}, lost: () => {} })
    legs.push(opened)
    return opened
  }
  return {
    driver,
    freshSpec: () => specOf(),
    scan: async ({ number }) => void await control(`devices/${number}/scan`),
    dropLink: async ({ number }) => void await control(`devices/${number}/drop`),
    unlink: async ({ number }) => void await control(`devices/${number}/logout`),
    ringingPeer: '5511988880001',
    decliningPeer: '5511988880002',
    unreachablePeer: '5511988880004',
    async callIn({ number }) {
      const from = '5511977770001'
      const { callId } = await control(`peers/${from}/calls`, { to: number })
      return { externalCallId: String(callId), from }
    },
    hangUp: async (callId) => void await control(`calls/${callId}/hangup`),
    offerSdp: () => leg().offer(),
    answerSdp: (offer) => leg().answer(offer),
    async close() {
      for (const opened of legs) opened.close()
      await sandbox.close()
    },
  }
}
