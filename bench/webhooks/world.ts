import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { newId } from '../../src/domain/ids.ts'
import { DEFAULT_SETTINGS } from '../../src/domain/number.ts'
import type { ChannelNumber } from '../../src/domain/number.ts'
import { RowDeliveries } from '../../src/jobs/delivery-rows.ts'
import { openJobs } from '../../src/jobs/jobs.ts'
import type { Log } from '../../src/ports/log.ts'
import { systemClock } from '../../src/process/clock.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { eventCtes, toOutboxParameter } from '../../src/storage/engine/outbox.ts'
import { openStores } from '../../src/storage/stores.ts'
import { makeSecret } from '../../src/domain/webhook-secret.ts'
import type { TestDatabase } from '../../test/helpers/database.ts'

export interface Receiver {
  readonly origin: string
  /** Requests since the last call, and the ages of their events. */
  take(): Promise<{ count: number; agesMs: number[] }>
  stop(): void
}

export async function startReceiver(): Promise<Receiver> {
  const child: ChildProcess = fork(new URL('receiver.ts', import.meta.url), [], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    origin: `http://127.0.0.1:${port}`,
    async take() {
      const answer = once(child, 'message') as Promise<[{ count: number; agesMs: number[] }]>
      child.send('take')
      return (await answer)[0]
    },
    stop: () => void child.disconnect(),
  }
}

/** Prints faults, because a bench that fails silently measures nothing. */
export const loudLog: Log = {
  debug: () => {},
  info: () => {},
  warn: (fields, message) => console.error(message, fields),
  error: (fields, message) => console.error(message, fields),
  child: () => loudLog,
}

/** Event data as long as that of a call. */
export const DATA = {
  id: 'call_01kb3v9a000000000000000000',
  externalCallId: 'c-8f2e',
  direction: 'OUTBOUND',
  status: 'COMPLETED',
  peerNumber: '+5511990000001',
  fromNumber: '+5511988887777',
  conversationId: null,
  bizOpaqueCallbackData: 'order-42',
  startedAt: '2026-01-05T11:59:20.114Z',
  connectedAt: '2026-01-05T11:59:23.870Z',
  endedAt: '2026-01-05T12:00:00.000Z',
  durationSeconds: 36,
  duration: 36,
  errorCode: null,
  errorMessage: null,
  createdAt: '2026-01-05T11:59:20.114Z',
  updatedAt: '2026-01-05T12:00:00.000Z',
}

export interface BenchWorld {
  readonly deliveries: RowDeliveries
  readonly database: Database
  /** Stores events in one transaction, `count` of each number in turn. */
  store(count: number): Promise<void>
  logCount(): Promise<number>
  close(): Promise<void>
}

/** Opens a database with `numbers` numbers of one tenant, each with a webhook at the receiver. */
export async function openWorld(opened: TestDatabase, receiver: Receiver, numbers: number): Promise<BenchWorld> {
  const { database } = opened
  const cipher = new AesCipher(randomBytes(32))
  const stores = openStores({ database, cipher, clock: systemClock })
  const jobs = await openJobs(database, loudLog)
  const { tenantId } = await stores.tenants.create('Bench')
  const made: ChannelNumber[] = []
  for (let i = 0; i < numbers; i++) {
    const id = newId('num')
    const created = await stores.numbers.create({
      id,
      tenantId,
      name: 'Bench',
      number: String(490_000_000_000 + i),
      provider: 'UNOFFICIAL',
      settings: DEFAULT_SETTINGS,
      piiMode: 'STORE_INDEFINITE',
      piiRetentionDays: null,
    })
    if (!created.ok) throw new Error(created.error.message)
    made.push(created.value.number)
    await stores.webhooks.create(
      {
        tenantId,
        numberId: id,
        name: null,
        url: `${receiver.origin}/${id}`,
        events: ['call.ended'],
        secret: makeSecret(),
      },
      1,
    )
  }
  let turn = 0
  const storing = `with source as (select $1::text as tenant_id, $2::text as number_id), ${eventCtes('source', '$3', '$4')} select 1`
  return {
    database,
    deliveries: new RowDeliveries({ database, jobs, cipher, clock: systemClock, nodeId: newId('node') }),
    async store(count) {
      const number = made[turn++ % made.length]
      if (!number) return
      const events = Array.from({ length: count }, () => ({ event: 'call.ended' as const, data: DATA }))
      await database.query(storing, [tenantId, number.id, toOutboxParameter(events), new Date().toISOString()])
    },
    async logCount() {
      const rows = await database.query<{ count: string }>(
        "select count(*)::text as count from webhook_logs where status = 'SUCCESS'",
      )
      return Number(rows[0]?.count ?? 0)
    },
    async close() {
      await jobs.close()
      if (database.kind === 'postgres') {
        const [schema] = await database.query<{ name: string }>('select current_schema() as name')
        await database.query(`drop schema if exists "${schema?.name ?? ''}_jobs" cascade`)
      }
      await opened.close()
    },
  }
}
