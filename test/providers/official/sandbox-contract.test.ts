import { fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'ava'
import { loadOpus } from '../../../media-host/audio/opus.ts'
import type { Leg } from '../../../media-host/legs/leg.ts'
import { newId } from '../../../src/domain/ids.ts'
import { createWebRtcLegs } from '../../../media-host/legs/webrtc.ts'
import type { OfficialChange } from '../../../src/ports/official/changes.ts'
import { lateClock } from '../../helpers/late-clock.ts'
import { readAccountEvents } from '../../../src/providers/official/inbound/account-events.ts'
import { readCallEvents } from '../../../src/providers/official/inbound/call-events.ts'
import { splitChanges } from '../../../src/providers/official/inbound/changes.ts'
import { readMessageEvents } from '../../../src/providers/official/inbound/message-events.ts'
import { isSignedBy } from '../../../src/providers/official/inbound/signature.ts'
import { createOfficial } from '../../../src/providers/official/official.ts'
import { testCalling } from '../../contracts/official/calling.ts'
import { testCalls } from '../../contracts/official/calls.ts'
import { testFlows } from '../../contracts/official/flows.ts'
import { testMarketing } from '../../contracts/official/marketing.ts'
import { testHealth } from '../../contracts/official/health.ts'
import { testMedia } from '../../contracts/official/media.ts'
import { testMessages } from '../../contracts/official/messages.ts'
import { testPermissions } from '../../contracts/official/permissions.ts'
import { testSession } from '../../contracts/official/session.ts'
import { testSubscription } from '../../contracts/official/subscription.ts'
import { testTemplates } from '../../contracts/official/templates.ts'
import { storiesOf } from '../../contracts/official/world.ts'
import type { FreshNumber, OfficialWorld } from '../../contracts/official/world.ts'
import { noMetrics, silentLog } from '../../helpers/silent.ts'
import { NODE_ARGUMENTS } from '../../helpers/short-lived.ts'
import { PATIENCE_MS, within } from '../../helpers/until.ts'

/** The sandbox runs as a program of its own, as it does beside a gateway. */
const sandbox = fork('sandbox/main.ts', {
  env: { SANDBOX: 'on', SANDBOX_PORT: '0', LOG_LEVEL: 'error' },
  execArgv: NODE_ARGUMENTS,
})
const listening = within('the sandbox listens', once(sandbox, 'message')).then(async ([message]) => {
  const { port } = message as { port: number }
  // Every webhook is posted three times, so the suite must recognise repetitions by the keys of the changes.
  await ask(port, 'POST', 'official/webhooks', { duplicate: 2 })
  await ask(port, 'POST', 'official/review', { mode: 'manual' })
  return port
})
test.after.always(() => void sandbox.kill())

const suites = [
  testHealth,
  testSubscription,
  testCalling,
  testPermissions,
  testMedia,
  testSession,
  testCalls,
  testMessages,
  testTemplates,
  testMarketing,
  testFlows,
]
for (const suite of suites) suite(storiesOf(test, 'the sandbox', startWorld))

async function ask(port: number, method: string, path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`http://127.0.0.1:${port}/control/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`control ${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Record<string, unknown>
}

/** A receiver that answers the challenge and accepts signed posts. It keeps each change once. */
async function openReceiver(number: FreshNumber) {
  const verifyToken = `verify-${number.credentials.phoneId}`
  const seen = new Set<string>()
  const changes: OfficialChange[] = []
  const server = createServer({ keepAliveTimeout: PATIENCE_MS }, (request, response) => {
    const url = new URL(request.url ?? '', 'http://receiver')
    if (request.method === 'GET') {
      const isKnown = url.searchParams.get('hub.verify_token') === verifyToken
      response.writeHead(isKnown ? 200 : 403).end(isKnown ? url.searchParams.get('hub.challenge') : '')
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const isSigned = isSignedBy(
        number.credentials.appSecret ?? '',
        body,
        request.headers['x-hub-signature-256'] as string | undefined,
      )
      const splitting = splitChanges(body)
      const fresh = isSigned && splitting.ok ? splitting.changes.filter(({ key }) => !seen.has(key)) : []
      for (const { key } of fresh) seen.add(key)
      changes.push(...fresh)
      response.writeHead(isSigned && splitting.ok ? 200 : 401).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    server,
    changes,
    verifyToken,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/official/1`,
  }
}

async function startWorld(): Promise<OfficialWorld> {
  const port = await listening
  const official = createOfficial({
    apiUrl: `http://127.0.0.1:${port}/official/v24.0`,
    clock: lateClock,
    log: silentLog,
    metrics: noMetrics,
    tuning: { backoffMs: [10, 10, 10] },
    marketing: { isOpen: async (_, ask) => (await ask()) === true, refused: async () => {} },
  })
  const openLeg = createWebRtcLegs({ opus: await loadOpus(), log: silentLog, iceAddress: '127.0.0.1' })
  const legs: Leg[] = []
  const closing: (() => void)[] = []
  const leg = (): Leg => {
    const opened = openLeg({ flowing: () => {}, digit: () => {}, lost: () => {} }, newId('call'))
    legs.push(opened)
    return opened
  }
  return {
    officialOf: official.officialOf,
    driver: official.driver,
    async freshNumber({ tier = 'TIER_2K' } = {}) {
      const digits = `1555${randomInt(1_000_000, 9_999_999)}`
      const made = (await ask(port, 'POST', 'official/numbers', {
        number: digits,
        messagingLimitTier: tier,
      })) as Record<string, string>
      const { phoneId = '', accountId = '', accessToken = '', appId = '', appSecret = '' } = made
      return { number: digits, credentials: { phoneId, accountId, accessToken, appId, appSecret } }
    },
    offerCallsField: async ({ credentials }, isOffered) =>
      void (await ask(port, 'PATCH', `official/accounts/${credentials.accountId}`, {
        subscribedFields: isOffered ? ['messages', 'calls'] : ['messages'],
      })),
    expireToken: async ({ credentials }) =>
      void (await ask(port, 'PATCH', `official/numbers/${credentials.phoneId}`, { isTokenExpired: true })),
    failOnce: async ({ credentials }, edge, status, body) =>
      void (await ask(port, 'POST', 'faults', {
        match: { path: `/official/v24.0/${credentials.phoneId}/${edge}` },
        status,
        body,
      })),
    async callback(number) {
      const receiver = await openReceiver(number)
      closing.push(() => {
        receiver.server.closeAllConnections()
        receiver.server.close()
      })
      return receiver
    },
    events: (changes) => changes.flatMap(({ field, value }) => readCallEvents(field, value)),
    accountEvents: (changes) => changes.flatMap(({ field, value }) => readAccountEvents(field, value)),
    turnTemplate: async (externalId, turn) => void (await ask(port, 'POST', `official/templates/${externalId}`, turn)),
    onboard: async ({ credentials }, marketingStatus) =>
      void (await ask(port, 'PATCH', `official/accounts/${credentials.accountId}`, { marketingStatus })),
    approve: async ({ credentials: { accountId } }, name, category) =>
      void (await ask(port, 'POST', 'official/templates', {
        accountId,
        name,
        category,
        components: [{ type: 'BODY', text: 'Hello there' }],
      })),
    seedTemplates: async ({ credentials }, count) =>
      void (await ask(port, 'POST', 'official/templates/seed', { count, account: credentials.accountId })),
    turnFlow: async (externalId, status) =>
      void (await ask(port, 'POST', `official/flows/${externalId}/status`, { status })),
    loseAnswerOnce: async ({ credentials }, method, edge, of = credentials.accountId) =>
      void (await ask(port, 'POST', 'faults', {
        match: { method, path: `/official/v24.0/${of}/${edge}` },
        drop: 'after',
      })),
    answeringUser: '5511988880001',
    decliningUser: '5511988880002',
    async writeIn({ number }, user, message = { type: 'text', text: 'Hello' }) {
      const { externalMessageId } = await ask(port, 'POST', `peers/${user}/messages`, { to: number, ...message })
      return { externalMessageId: String(externalMessageId) }
    },
    echo: async ({ credentials }, to, text) =>
      void (await ask(port, 'POST', `official/numbers/${credentials.phoneId}/echoes`, { to, text })),
    messages: (changes) => changes.flatMap(({ field, value }) => readMessageEvents(field, value)),
    readingUser: `55119${randomInt(1_000, 9_999)}0006`,
    unknownUser: '5511988880004',
    async inbox(user) {
      const response = await fetch(`http://127.0.0.1:${port}/control/peers/${user}/inbox`)
      return ((await response.json()) as { messages: Record<string, unknown>[] }).messages
    },
    permit: async ({ number }, user, response, isPermanent = false) =>
      void (await ask(port, 'POST', `peers/${user}/permissions`, { to: number, response, isPermanent })),
    async callIn({ number }, user) {
      const { callId } = await ask(port, 'POST', `peers/${user}/calls`, { to: number })
      return { externalCallId: String(callId) }
    },
    hangUp: async (callId) => void (await ask(port, 'POST', `calls/${callId}/hangup`, {})),
    offerSdp: () => leg().offer(),
    answerSdp: (offer) => leg().answer(offer),
    async close() {
      for (const close of closing) close()
      for (const opened of legs) opened.close()
      await official.close()
    },
  }
}
