import test from 'ava'
import { call, Service } from '../helpers/service.ts'
import { startStandby } from '../helpers/standby.ts'
import { until } from '../helpers/until.ts'

// [configuration.variables.34] [configuration.variables.36]
test('a service reads its lists from a standby, everything else from its primary, and its lists too once the standby is killed', async (t) => {
  const servers = await startStandby()
  if (servers === null) {
    t.pass('there is no PostgreSQL to run here')
    return
  }
  const service = await Service.start({
    env: { DATABASE_URL: servers.primaryUrl, DATABASE_READ_URL: servers.standbyUrl, DATABASE_PATIENCE: '30' },
  })
  t.teardown(async () => {
    await service.stop()
    await servers.close()
  })
  const reads = async (from: 'replica' | 'primary'): Promise<number> => {
    const { text } = await call('GET', `${service.base}/metrics`)
    return Number(new RegExp(`^database_list_reads_total\\{from="${from}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  }
  const {
    body: {
      apiKey: { key },
    },
  } = await service.api('POST', '/v1/numbers', service.tenantKey, { name: 'Device', number: '5511987650000' })
  const sent = await service.api('POST', '/v1/messages/send', key, {
    destinationNumber: '5511987659999',
    text: 'hello',
  })
  t.is(sent.status, 202)
  t.is(
    (await service.api('GET', `/v1/messages/${sent.body.id}`, key)).status,
    200,
    'what was accepted is there at once',
  )
  const history = async () => (await service.api('GET', '/v1/messages/history?direction=OUTBOUND', key)).body
  await until(
    'the standby has the message, and serves',
    async () => (await history()).total === 1 && (await reads('replica')) > 0,
  )
  for (const path of ['conversations', 'events', 'messages/unread'])
    t.is((await service.api('GET', `/v1/${path}`, key)).status, 200, path)
  await servers.killStandby()
  t.is((await history()).total, 1)
  await until(
    'its lists come from the primary',
    async () => (await history()).total === 1 && (await reads('primary')) > 0,
  )
  await until('the log tells why', () => service.gateway.output.join('').includes('the replica is away or behind'))
  t.pass()
})
