import test from 'ava'
import { leaseTimesOf } from '../../src/domain/lease-times.ts'
import { LEASE_TTL_MS } from '../../src/domain/limits.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'
import { SessionClient } from '../helpers/session-client.ts'
import { Service, type PairedNumber } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'

const RATE_HZ = 16_000
/** In ms: longer than an owner trusts a lease that it cannot renew. */
const { ttlMs, safetyMs } = leaseTimesOf(LEASE_TTL_MS)
const PAUSE_MS = ttlMs - safetyMs + 1_000

async function talkingCall(service: Service) {
  const number = await service.pairNumber()
  const placed = await service.placeCall(number, '5511990000006')
  const session = await service.api('POST', `/v1/calls/${placed.id}/realtime-session`, number.key)
  const client = await SessionClient.connect(session.body.wsUrl, `rate=${RATE_HZ}`)
  await client.untilStatus('ACCEPTED')
  await service.untilCall(number, placed.id, ['ACCEPTED'])
  await until('audio flows', () => client.samples > RATE_HZ / 2)
  return { number, placed, client }
}

async function untilHeard(client: SessionClient, ms: number): Promise<void> {
  const from = client.samples
  await until('audio goes on', () => client.samples - from >= (ms / 1000) * RATE_HZ)
}

async function eventNames(service: Service, number: PairedNumber): Promise<string[]> {
  return (await service.events(number)).map(({ event }) => event)
}

test('a gateway paused longer than its leases last loses nothing of its own, and gives up without a write what another node took', async (t) => {
  const service = await Service.start({ env: { LEASE_TTL_MS: String(ttlMs) } })
  t.teardown(async () => {
    service.gateway.child.kill('SIGCONT')
    await service.stop()
  })
  const kept = await talkingCall(service)
  // The embedded database is paused with its gateway, so no other node can take a number there.
  const taken = TEST_DATABASE_URL ? await talkingCall(service) : null
  const before = {
    kept: await eventNames(service, kept.number),
    taken: taken && (await eventNames(service, taken.number)),
  }

  service.gateway.child.kill('SIGSTOP')
  await untilHeard(kept.client, PAUSE_MS)
  if (taken) {
    await service.rows(`update number_leases set node_id = 'node_other', token = token + 1, expires_at = now() + interval '1 hour'
      where number_id = '${taken.number.id}'`)
  }
  service.gateway.child.kill('SIGCONT')

  await untilHeard(kept.client, safetyMs + 2_000)
  t.like((await service.api('GET', `/v1/calls/${kept.placed.id}`, kept.number.key)).body, {
    status: 'ACCEPTED',
    errorCode: null,
  })
  t.is(kept.client.closed, null)
  t.is((await service.api('GET', `/v1/numbers/${kept.number.id}/status`, service.tenantKey)).body.state, 'OPEN')
  t.deepEqual(await eventNames(service, kept.number), before.kept)

  if (taken) {
    await taken.client.untilClosed()
    t.is(
      (await service.api('GET', `/v1/calls/${taken.placed.id}`, taken.number.key)).body.status,
      'ACCEPTED',
      "the call is the new owner's to settle",
    )
    t.deepEqual(await eventNames(service, taken.number), before.taken)
    t.like(await service.api('POST', `/v1/calls/${taken.placed.id}/terminate`, taken.number.key), {
      status: 503,
      body: { code: 'NOT_OWNER' },
    })
  }

  t.is((await service.api('POST', `/v1/calls/${kept.placed.id}/terminate`, kept.number.key)).status, 200)
  await service.untilCall(kept.number, kept.placed.id, ['COMPLETED'])
})
