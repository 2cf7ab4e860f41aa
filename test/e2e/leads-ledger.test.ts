import test, { type ExecutionContext } from 'ava'
import { SKIP_REASONS } from '../../src/domain/lead.ts'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { allLeadsOf } from '../helpers/answered-leads.ts'
import { freePort } from '../helpers/free-port.ts'
import { failReads, importAll, LeadStorm, prepareParty, replaceToken, type Party } from '../helpers/lead-storm.ts'
import { FAST, inboxOf } from '../helpers/message-service.ts'
import { storedEvents } from '../helpers/receiver-ledger.ts'
import { seededRandom } from '../helpers/receiver-zoo.ts'
import { Service, type Program } from '../helpers/service.ts'
import { counted, LEDGER_MS, sized } from '../helpers/size.ts'
import { taken } from '../helpers/template-service.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'

const LEADS = counted(500, 60)
const PAGES = sized(5, 3)
const TENANTS = sized(3, 2)
const KILLS = counted(5, 1)
const PEOPLE = 6
/** Leads that may be submitted while no gateway runs. */
const WHILE_AWAY = 10
/**
 * In seconds, longer than the test. While gateways are killed the upstream's statuses may be late by any time, so
 * nothing in doubt may be sent again before they arrive.
 */
const NEVER = '3600'
/** LEDGER_SEED repeats an earlier run. */
const SEED = Number(process.env['LEDGER_SEED'] ?? Math.floor(Math.random() * 1e9))
const REASONS: ReadonlySet<string> = new Set(SKIP_REASONS)

/**
 * Kills the gateway with SIGKILL and starts it again. The notices that it had taken become due at once, because the
 * test would otherwise wait a minute for their leases.
 */
async function killAndForget(service: Service): Promise<void> {
  await service.gateway.kill('SIGKILL')
  await service.rows('update lead_notices set due_at = least(due_at, now())')
  await service.rows('update leads set auto_send_due_at = now() where auto_send_due_at > now()')
  await service.rows('update lead_backfills set due_at = now() where due_at > now()')
  await service.startGateway()
}

/** On PostgreSQL a second gateway works on the same rows. It is not killed. */
async function startBeside(t: ExecutionContext, service: Service): Promise<Program | null> {
  if (TEST_DATABASE_URL === null) return null
  const files = await temporaryDirectory()
  t.teardown(files.remove)
  const beside = await service.startBeside(files.path)
  t.teardown(() => beside.kill('SIGTERM'))
  return beside
}

async function assertHelped(t: ExecutionContext, beside: Program | null): Promise<void> {
  if (beside === null) return
  const { port } = await beside.listening
  t.regex(
    await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
    /lead_fetches_total\{outcome="stored"\} [1-9]/,
    'both gateways fetched',
  )
}

async function prepare(service: Service): Promise<Party[]> {
  const keys = [service.tenantKey]
  while (keys.length < TENANTS)
    keys.push((await askToCreateTenant(service.dataDir, `Tenant ${keys.length}`))?.key ?? '')
  const parties: Party[] = []
  for (let at = 0; at < PAGES; at++)
    parties.push(
      await prepareParty(service, keys[at % keys.length] ?? '', at % 2 === 0 ? 'OFFICIAL' : 'UNOFFICIAL', at),
    )
  return parties
}

test(`${LEADS} leads over ${PAGES} Pages of ${TENANTS} tenants, told of up to five times while reads fail and the gateway is killed ${KILLS} times, and imported beside: each is here once, told of once, answered at most once`, async (t) => {
  t.timeout(LEDGER_MS)
  t.log(`seed ${SEED}`)
  const random = seededRandom(SEED)
  const service = await Service.start({
    isSplit: true,
    env: {
      ...FAST,
      PORT: String(await freePort()),
      OFFICIAL_RECONCILE_SECONDS: NEVER,
      LEAD_RETRY_SECONDS: '0.3,0.5,1,1,2',
      LOG_LEVEL: 'warn',
    },
  })
  t.teardown(() => service.stop())
  const beside = await startBeside(t, service)
  const parties = await prepare(service)
  taken(await service.control('POST', '/official/webhooks', { parallel: true }), 200)
  await failReads(service)
  const storm = new LeadStorm(service, parties, random)
  const running = storm.run(LEADS, PEOPLE)
  running.catch(() => {})
  await stormThrough(service, storm, parties)
  await running
  await importAll(service, parties)
  // A lead that told no notice and was submitted after its import began needs another import.
  await service.control('DELETE', '/faults')
  await importOnceMore(service, parties)
  await assertHelped(t, beside)
  await beside?.kill('SIGTERM')
  await settleDoubts(service, storm, parties)
  await untilSettled(service, parties, storm)
  await assertLeads(t, service, storm, parties)
  await assertTold(t, service, storm, parties)
  await assertAnswered(t, service, storm)
})

/**
 * Kills the gateway at even intervals. One Page's token is invalid for a while, and imports run from the first kill on.
 */
async function stormThrough(service: Service, storm: LeadStorm, parties: readonly Party[]): Promise<void> {
  const [first] = parties
  const beside: Promise<void>[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const point = Math.round((LEADS * (kill + 0.5)) / KILLS)
    storm.allow(point)
    await storm.untilSubmitted(point)
    if (kill === 0 && first) beside.push(importAll(service, parties), replaceToken(service, first))
    storm.allow(point + WHILE_AWAY)
    await killAndForget(service)
  }
  storm.allow(LEADS)
  await Promise.all(beside)
}

async function importOnceMore(service: Service, parties: readonly Party[]): Promise<void> {
  for (const { page, tenantKey } of parties) {
    const path = `/v1/lead-pages/${page.pageId}/forms/${page.formId}/backfill`
    const { id } = taken(await service.api('POST', path, tenantKey), 202)
    await until('the last import has ended', async () => {
      const { body } = await service.api('GET', path, tenantKey)
      return body.id === id && body.status === 'DONE'
    })
  }
}

/** Whether statuses have arrived for every answer to these leads that reached upstream. */
async function areNamed(service: Service, storm: LeadStorm, unanswered: ReadonlySet<string>): Promise<boolean> {
  const inboxes = await Promise.all(
    storm.submitted
      .filter(({ leadgenId }) => unanswered.has(leadgenId))
      .map(({ peer, party }) => inboxOf(service, peer, party.page.number)),
  )
  return inboxes.every((inbox) => inbox.length === 0)
}

/**
 * Waits for all statuses, however late they arrive. A message without one never reached the upstream and is sent again.
 */
async function settleDoubts(service: Service, storm: LeadStorm, parties: readonly Party[]): Promise<void> {
  for (let isOver = false; !isOver;) {
    await until('statuses have named every answer that arrived', async () => {
      const leads = (await Promise.all(parties.map(({ page }) => allLeadsOf(service, page.number)))).flat()
      return await areNamed(
        service,
        storm,
        new Set(leads.filter(({ autoSendStatus }) => autoSendStatus === 'pending').map(({ leadgenId }) => leadgenId)),
      )
    })
    // Only a stopped gateway has nothing in progress.
    await service.gateway.kill('SIGTERM')
    const rows = await service.rows<{ leadgen_id: string }>(
      "select leadgen_id from leads where auto_send_status = 'pending'",
    )
    isOver = await areNamed(service, storm, new Set(rows.map((row) => row.leadgen_id)))
    await service.startGateway(isOver ? { OFFICIAL_RECONCILE_SECONDS: '1' } : {})
  }
}

async function untilSettled(service: Service, parties: readonly Party[], storm: LeadStorm): Promise<void> {
  for (const party of parties) {
    const wanted = storm.submitted.filter((lead) => lead.party === party).length
    let last: unknown = null
    await until('every lead has come to its end', async () => {
      const leads = await allLeadsOf(service, party.page.number)
      const page = taken(await service.api('GET', `/v1/lead-pages/${party.page.pageId}`, party.tenantKey), 200)
      last = {
        wanted,
        here: leads.length,
        pending: page.pendingLeads,
        isTokenValid: page.isTokenValid,
        unanswered: leads.filter(({ autoSendStatus }) => autoSendStatus === 'pending').length,
      }
      return (
        leads.length >= wanted
        && page.pendingLeads === 0
        && leads.every(({ autoSendStatus }) => autoSendStatus !== 'pending')
      )
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify(last)}`)
    })
  }
}

async function assertLeads(
  t: ExecutionContext,
  service: Service,
  storm: LeadStorm,
  parties: readonly Party[],
): Promise<void> {
  for (const party of parties) {
    const wanted = storm.submitted.filter((lead) => lead.party === party)
    const leads = await allLeadsOf(service, party.page.number)
    t.deepEqual(
      leads.map(({ leadgenId }) => leadgenId).toSorted(),
      wanted.map(({ leadgenId }) => leadgenId).toSorted(),
      'each once',
    )
    const bySource = new Map(leads.map(({ leadgenId, source }) => [leadgenId, source]))
    for (const { leadgenId, isSilent } of wanted) t.is(bySource.get(leadgenId), isSilent ? 'backfill' : 'webhook')
    for (const { source, autoSendStatus, autoSendReason, fullName } of leads) {
      t.is(fullName, 'Ana Lima')
      const isOfTable =
        source === 'backfill'
          ? autoSendStatus === 'none'
          : autoSendStatus === 'sent'
            ? autoSendReason === null
            : autoSendStatus === 'skipped' && REASONS.has(autoSendReason)
      t.true(isOfTable, `${source} ${autoSendStatus} ${autoSendReason}`)
    }
  }
}

/**
 * Asserts that each live lead has one `lead.received` event, in its own tenant only, and that imported leads have none.
 */
async function assertTold(
  t: ExecutionContext,
  service: Service,
  storm: LeadStorm,
  parties: readonly Party[],
): Promise<void> {
  for (const tenantKey of new Set(parties.map((party) => party.tenantKey))) {
    const told = (await storedEvents(service, tenantKey))
      .filter(({ event }) => event === 'lead.received')
      .map(({ data }) => data.leadgenId)
    const live = storm.submitted
      .filter(({ isSilent, party }) => !isSilent && party.tenantKey === tenantKey)
      .map(({ leadgenId }) => leadgenId)
    t.deepEqual(told.toSorted(), live.toSorted())
  }
}

async function assertAnswered(t: ExecutionContext, service: Service, storm: LeadStorm): Promise<void> {
  const states = new Map<string, string>()
  for (const { page } of new Set(storm.submitted.map(({ party }) => party))) {
    for (const { leadgenId, autoSendStatus } of await allLeadsOf(service, page.number))
      states.set(leadgenId, autoSendStatus)
  }
  for (const { leadgenId, peer, party } of storm.submitted) {
    const inbox = await inboxOf(service, peer, party.page.number)
    t.is(inbox.length, states.get(leadgenId) === 'sent' ? 1 : 0, `${leadgenId} is ${states.get(leadgenId)}`)
  }
  t.log(
    `states: ${JSON.stringify(Object.fromEntries([...Map.groupBy(states.values(), (state) => state)].map(([state, its]) => [state, its.length])))}`,
  )
}
