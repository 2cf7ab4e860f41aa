import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { loadEmbedded, loadPostgres, readLeft, type Made } from '../fixtures/upgrade/load.ts'
import { deliveredChange, Installation, OFFICIAL, type Left } from '../fixtures/upgrade/world.ts'
import { asksOver, signInOwner } from '../helpers/oauth-browser.ts'
import { OAuthClient, saidIn } from '../helpers/oauth-client.ts'
import { Receiver, verified } from '../helpers/receiver.ts'
import { call, makeDatabase } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'

/** Starts the service on the rows that a killed earlier version left. */
async function startOnOldRows(t: ExecutionContext, made: Made): Promise<{ service: Installation; receiver: Receiver }> {
  const receiver = await Receiver.open()
  for (const path of ['/OFFICIAL', '/UNOFFICIAL', '/other']) receiver.endpoint(path)
  const dataDir = await mkdtemp(join(tmpdir(), 'cms-upgrade-'))
  const database = await makeDatabase()
  if (database) await loadPostgres(made, database.url, receiver.origin)
  else await loadEmbedded(made, dataDir, receiver.origin)
  const service = await Installation.start({ DATA_DIR: dataDir, ...(database ? { DATABASE_URL: database.url } : {}) })
  t.teardown(async () => {
    await service.stop()
    await receiver.close()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { service, receiver }
}

/** Asserts that an app keeps its grant, and that its unfinished requests can be finished. */
async function finishApp(
  t: ExecutionContext,
  service: Installation,
  { tenantKey, numbers }: Left,
  app: NonNullable<Left['app']>,
): Promise<void> {
  const client = new OAuthClient(asksOver(service), app.clientId, app.redirectUri)
  const opens = async (token: string) => {
    const { status, body } = await call('GET', `${service.base}/v1/numbers`, {
      headers: { authorization: `Bearer ${token}` },
    })
    t.deepEqual(
      [status, body.map(({ id }: { id: string }) => id).toSorted()],
      [
        200,
        Object.values(numbers)
          .map(({ id }) => id)
          .toSorted(),
      ],
    )
  }
  const redeemed = await client.redeem(app.code.code, app.code.verifier)
  await opens(redeemed.body.access_token)
  await opens(app.accessToken)
  await opens((await client.refresh(app.refreshToken)).body.access_token)
  t.is((await client.refresh(app.refreshToken)).status, 400, 'it was used already')
  const {
    body: { redirectTo },
  } = await (await signInOwner(service, tenantKey)).decide(app.asked)
  const { code = '' } = saidIn(redirectTo)
  await opens((await client.redeem(code, app.asked.verifier)).body.access_token)
}

/**
 * Asserts how sends in doubt end. One upstream may have taken the message, so the service waits for a status; to the
 * other it sends again under the same id.
 */
async function finishDoubts(t: ExecutionContext, service: Installation, { doubts, numbers }: Left): Promise<void> {
  for (const { kind, id, text } of doubts) {
    const { id: numberId, key, peer } = numbers[kind]
    if (kind === 'OFFICIAL') t.is(await service.post(numberId, deliveredChange(id, peer)), 200)
    await service.untilMessage(key, id, ['SENT', 'DELIVERED', 'READ'])
    const reached = (await service.control('GET', `/peers/${peer}/inbox`)).body.messages as { text: string | null }[]
    t.is(reached.filter((message) => message.text === text).length, kind === 'OFFICIAL' ? 0 : 1)
  }
}

for (const made of ['0004', '0028'] as const)
  test.serial(
    `rows of version ${made}: messages, changes, deliveries, kept answers, doubts and what apps were let in for are finished`,
    async (t) => {
      const left = await readLeft(made)
      const { service, receiver } = await startOnOldRows(t, made)
      if (left.app) await finishApp(t, service, left, left.app)
      await finishDoubts(t, service, left)
      for (const { kind, idempotencyKey, request, answer, id } of left.sends) {
        const { key, peer } = left.numbers[kind]
        const repeated = await service.api('POST', '/v1/messages/send', key, request, {
          'idempotency-key': idempotencyKey,
        })
        t.is(repeated.text, answer)
        t.is(repeated.headers.get('idempotency-replayed'), 'true')
        await service.untilMessage(key, id, ['SENT', 'DELIVERED', 'READ'])
        const reached = (await service.control('GET', `/peers/${peer}/inbox`)).body.messages as {
          text: string | null
          from: string
        }[]
        t.is(reached.filter(({ text }) => text === (request as { text: string }).text).length, 1, 'once')
      }
      for (const { key, path, idempotencyKey, request, status, answer } of left.kept) {
        const repeated = await service.api('POST', path, key, request, { 'idempotency-key': idempotencyKey })
        t.deepEqual(
          [repeated.status, repeated.text, repeated.headers.get('idempotency-replayed')],
          [status, answer, 'true'],
        )
      }
      const { OFFICIAL: official } = left.numbers
      for (const externalMessageId of left.pendingMessages) {
        await until(`${externalMessageId} is stored`, async () => {
          const { body } = await service.api('GET', '/v1/messages/history?pageSize=100', official.key)
          return body.messages.some(
            (message: { externalMessageId: string }) => message.externalMessageId === externalMessageId,
          )
        })
      }
      // Statuses of sent messages may have been waiting as well.
      for (const { kind, id } of left.done)
        await service.untilMessage(left.numbers[kind].key, id, ['SENT', 'DELIVERED', 'READ'])
      await until('every event that waited is delivered', () =>
        left.undelivered.every((id) => receiver.arrivals.some((arrival) => arrival.id === id)),
      )
      for (const kind of ['OFFICIAL', 'UNOFFICIAL'] as const) {
        for (const arrival of receiver.at(`/${kind}`))
          t.notThrows(() => verified(arrival, left.numbers[kind].webhook.secret))
      }
      t.is((await service.api('GET', `/v1/numbers/${official.id}`, left.tenantKey)).body.number, OFFICIAL.number)
    },
  )
