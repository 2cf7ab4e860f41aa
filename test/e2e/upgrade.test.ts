import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { loadEmbedded, loadPostgres, readLeft } from '../fixtures/upgrade/load.ts'
import { Installation, OFFICIAL } from '../fixtures/upgrade/world.ts'
import { Receiver, verified } from '../helpers/receiver.ts'
import { makeDatabase } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'

/** Starts the service on the rows that an earlier version left when it was killed. */
async function startOnOldRows(t: ExecutionContext): Promise<{ service: Installation, receiver: Receiver }> {
  const receiver = await Receiver.open()
  for (const path of ['/OFFICIAL', '/UNOFFICIAL', '/other']) receiver.endpoint(path)
  const dataDir = await mkdtemp(join(tmpdir(), 'cms-upgrade-'))
  const database = await makeDatabase()
  if (database) await loadPostgres(database.url, receiver.origin)
  else await loadEmbedded(dataDir, receiver.origin)
  const service = await Installation.start({ DATA_DIR: dataDir, ...(database ? { DATABASE_URL: database.url } : {}) })
  t.teardown(async () => {
    await service.stop()
    await receiver.close()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { service, receiver }
}

test('rows of an earlier version: messages, changes, deliveries and kept answers that waited in them are finished', async (t) => {
  const left = await readLeft()
  const { service, receiver } = await startOnOldRows(t)
  for (const { kind, idempotencyKey, request, answer, id } of left.sends) {
    const { key, peer } = left.numbers[kind]
    const repeated = await service.api('POST', '/v1/messages/send', key, request, { 'idempotency-key': idempotencyKey })
    t.is(repeated.text, answer)
    t.is(repeated.headers.get('idempotency-replayed'), 'true')
    await service.untilMessage(key, id, ['SENT', 'DELIVERED', 'READ'])
    const reached = (await service.control('GET', `/peers/${peer}/inbox`)).body.messages as { text: string | null, from: string }[]
    t.is(reached.filter(({ text }) => text === (request as { text: string }).text).length, 1, 'once')
  }
  for (const { key, path, idempotencyKey, request, status, answer } of left.kept) {
    const repeated = await service.api('POST', path, key, request, { 'idempotency-key': idempotencyKey })
    t.deepEqual([repeated.status, repeated.text, repeated.headers.get('idempotency-replayed')], [status, answer, 'true'])
  }
  const { OFFICIAL: official } = left.numbers
  for (const externalMessageId of left.pendingMessages) {
    await until(`${externalMessageId} is stored`, async () => {
      const { body } = await service.api('GET', '/v1/messages/history?pageSize=100', official.key)
      return body.messages.some((message: { externalMessageId: string }) => message.externalMessageId === externalMessageId)
    })
  }
  // Statuses of messages that were sent may have been waiting too.
  for (const { kind, id } of left.done) await service.untilMessage(left.numbers[kind].key, id, ['SENT', 'DELIVERED', 'READ'])
  await until('every event that waited is delivered', () => left.undelivered.every((id) => receiver.arrivals.some((arrival) => arrival.id === id)))
  for (const kind of ['OFFICIAL', 'UNOFFICIAL'] as const) {
    for (const arrival of receiver.at(`/${kind}`)) t.notThrows(() => verified(arrival, left.numbers[kind].webhook.secret))
  }
  t.is((await service.api('GET', `/v1/numbers/${official.id}`, left.tenantKey)).body.number, OFFICIAL.number)
})
