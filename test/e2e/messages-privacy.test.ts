import test from 'ava'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jpeg } from '../files/make-media.ts'
import {
  FAST,
  historyOf,
  KINDS,
  newPeer,
  reachablePeer,
  sendText,
  untilInHistory,
  untilStatus,
  write,
  type Kind,
} from '../helpers/message-service.ts'
import { connectOfficial, type OfficialNumber } from '../helpers/official-service.ts'
import { Receiver } from '../helpers/receiver.ts'
import { killAndRestart } from '../helpers/receiver-calls.ts'
import { call, Service } from '../helpers/service.ts'
import { sideBySide } from '../helpers/side-by-side.ts'
import { until } from '../helpers/until.ts'
import { openWorld, converse, setMode, answerFlows } from '../helpers/private-world.ts'
import type { World } from '../helpers/private-world.ts'

const DAY_MS = 86_400_000
/** The chores that remove what messages leave behind. */
const PURGES = ['idempotency', 'flow-keys', 'changes', 'messages', 'deliveries']
let service: Service
let receiver: Receiver
/** The rows of each table as text, once all stories are over. */
let left: ReadonlyMap<string, readonly string[]>
/** The log of every gateway of this file. */
let logged = ''

test.before(async () => {
  receiver = await Receiver.open()
  service = await Service.start({ env: FAST })
})

test.after.always(async () => {
  await service?.stop()
  await receiver?.close()
})

/** The stories share one outage, one hour after which files expire, the purges after it, and the rows that are left. */
const story = sideBySide(test, {
  settled: async () => {},
  back: () => keepingLog(() => killAndRestart(service)),
  purged: () => keepingLog(purge),
  stopped: () =>
    keepingLog(async () => {
      await service.gateway.kill('SIGTERM')
      left = await allRows()
    }),
})

/** Calls `end`, which ends the running gateway, and keeps the gateway's log. */
async function keepingLog(end: () => Promise<unknown>): Promise<void> {
  const { output } = service.gateway
  await end()
  logged += output.join('')
}

function bodiesOf({ name }: World, kind: Kind): string {
  return receiver
    .at(`/${name}/${kind}`)
    .map(({ body }) => String(body))
    .join('\n')
}

/** Lets an hour pass for files and restarts the gateway, which begins with a purge. */
async function purge(): Promise<void> {
  await service.gateway.kill('SIGTERM')
  await service.rows(`update message_files set created_at = created_at - interval '1 hour'`)
  await service.startGateway()
  await until('it has purged', async () => {
    const { text } = await call('GET', `${service.base}/metrics`)
    return PURGES.every((purged) => text.includes(`chore_runs_total{chore="purge-${purged}"`))
  })
}

/** All rows of all tables. The gateway must be stopped. */
async function allRows(): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = await service.rows<{ schema: string; name: string }>(
    `select table_schema as schema, table_name as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const looks = tables.map(
    ({ schema, name }) => `select '${name}' as name, r::text as row from "${schema}"."${name}" as r`,
  )
  const rows = await service.rows<{ name: string; row: string }>(looks.join(' union all '))
  return new Map(tables.map(({ name }) => [name, rows.filter((each) => each.name === name).map(({ row }) => row)]))
}

/** The tables with a row that contains the word in any column. The gateway must be stopped. */
function tablesWith(word: string): string[] {
  return [...left]
    .filter(([, rows]) => rows.some((row) => row.includes(word)))
    .map(([name]) => name)
    .toSorted()
}

/** The names of message files on disk that contain these bytes. */
async function filesWith(bytes: Buffer): Promise<string[]> {
  const directory = join(service.dataDir, 'media')
  const entries = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const found = await Promise.all(
    entries.map(async (entry) =>
      (await readFile(join(entry.parentPath, entry.name))).includes(bytes) ? [entry.name] : [],
    ),
  )
  return found.flat()
}

story(
  'RELAY_ONLY: events carry everything once, reads carry nothing of it, and no row or file keeps it',
  async (t, reach) => {
    const world = await openWorld(service, receiver, 'relay', { piiMode: 'RELAY_ONLY' })
    const { numbers } = world
    const words = { OFFICIAL: 'mangrove', UNOFFICIAL: 'quicksilver' }
    const peers = { OFFICIAL: newPeer(), UNOFFICIAL: newPeer() }
    const picture = await jpeg(61, 47)
    for (const kind of KINDS) {
      const number = numbers[kind]
      const word = words[kind]
      const ids = await converse(service, world, kind, peers[kind], word, picture)
      const perMessage = kind === 'OFFICIAL' ? 'messages' : 'message.received'
      await receiver.until(
        `/relay/${kind}`,
        3,
        ({ event, body }) => event === perMessage && (kind === 'UNOFFICIAL' || String(body).includes('"messages":[{')),
      )
      await receiver.until(`/relay/${kind}`, 2, ({ event }) => event === 'message.read')
      for (const text of [`in ${word}`, `caption ${word}`, peers[kind]])
        t.true(bodiesOf(world, kind).includes(text), `${kind}: ${text} is told`)

      for (const query of ['', '&direction=OUTBOUND']) {
        const page = await historyOf(service, number, query)
        t.is(page.notice, 'PII_RELAY_ONLY')
        t.is(page.total, query === '' ? 3 : 2)
        for (const item of page.messages)
          t.like(item, {
            redacted: true,
            content: null,
            from: null,
            to: null,
            fromName: null,
            media: null,
            location: null,
            contacts: null,
          })
      }
      const { body: message } = await service.api('GET', `/v1/messages/${ids[0]}`, number.key)
      t.like(message, { status: 'READ', destinationNumber: null })
      const { body: unread } = await service.api('GET', '/v1/messages/unread', number.key)
      const { body: conversations } = await service.api('GET', '/v1/conversations', number.key)
      const { body: events } = await service.api('GET', '/v1/events?limit=1000', number.key)
      t.is(unread.total, 3)
      t.is(conversations.total, 1)
      for (const [name, body] of Object.entries({ unread, conversations, events })) {
        for (const hidden of [word, peers[kind]])
          t.false(JSON.stringify(body).includes(hidden), `${kind}: ${hidden} in ${name}`)
      }
      // The conversation is known only by its id; later messages still belong to it.
      const { body: read } = await service.api('POST', '/v1/messages/read', number.key, {
        conversationId: conversations.conversations[0].id,
      })
      t.is(read.read, 3)
    }
    await reach('settled')
    await reach('back')
    await reach('purged')
    await reach('stopped')
    for (const kind of KINDS) {
      for (const hidden of [words[kind], peers[kind]]) t.deepEqual(tablesWith(hidden), [], `${kind}: ${hidden}`)
    }
    t.deepEqual(await filesWith(picture), [])
    const isOurs = (row: string): boolean => Object.values(numbers).some(({ id }) => row.includes(id))
    t.is(
      (left.get('messages') ?? []).filter((row) => isOurs(row) && row.includes('READ')).length,
      4,
      'the messages themselves are there',
    )
  },
)

story('RELAY_ONLY set later: what was stored before is withheld at once, and is wiped', async (t, reach) => {
  const world = await openWorld(service, receiver, 'later', { piiMode: 'STORE_INDEFINITE' })
  const { numbers } = world
  const peers = { OFFICIAL: newPeer(), UNOFFICIAL: newPeer() }
  const picture = await jpeg(62, 47)
  for (const kind of KINDS) {
    await converse(service, world, kind, peers[kind], 'heliotrope', picture)
    await setMode(service, numbers[kind], { piiMode: 'RELAY_ONLY' })
    const page = await historyOf(service, numbers[kind])
    t.is(page.notice, 'PII_RELAY_ONLY')
    t.false(JSON.stringify(page).includes('heliotrope'))
  }
  await receiver.until('/later/UNOFFICIAL', 2, ({ event }) => event === 'message.read')
  await receiver.until('/later/OFFICIAL', 2, ({ event }) => event === 'message.read')
  t.true((await filesWith(picture)).length > 0, 'what came in was kept')
  await reach('settled')
  await reach('back')
  await reach('purged')
  await reach('stopped')
  t.deepEqual(await filesWith(picture), [])
  for (const hidden of ['heliotrope', ...Object.values(peers)]) t.deepEqual(tablesWith(hidden), [], hidden)
})

story('RELAY_ONLY: what waits for its turn keeps what it needs, is sent, and then is forgotten', async (t, reach) => {
  const world = await openWorld(service, receiver, 'waiting', { piiMode: 'RELAY_ONLY' })
  const {
    numbers: { UNOFFICIAL: number },
  } = world
  const peer = newPeer()
  await reach('settled')
  const { id } = await sendText(service, number, peer, 'out vermilion', {
    deliverAt: new Date(Date.now() + 4_000).toISOString(),
  })
  const canceled = await sendText(service, number, peer, 'never vermilion', {
    deliverAt: new Date(Date.now() + 3_600_000).toISOString(),
  })
  await reach('back')
  await untilStatus(service, number, id, ['READ'])
  t.like((await service.control('GET', `/peers/${peer}/inbox`)).body.messages, {
    length: 1,
    0: { text: 'out vermilion' },
  })
  t.deepEqual(
    (await service.api('DELETE', '/v1/messages/cancel', number.key, { messageIds: [canceled.id] })).body.cancelled,
    [canceled.id],
  )
  await receiver.until('/waiting/UNOFFICIAL', 1, ({ event }) => event === 'message.read')
  await reach('purged')
  await reach('stopped')
  for (const hidden of ['vermilion', peer]) t.deepEqual(tablesWith(hidden), [], hidden)
})

story(
  'STORE_X_DAYS: past the window items are withheld at once, then gone; within it they are whole',
  async (t, reach) => {
    const world = await openWorld(service, receiver, 'window', { piiMode: 'STORE_X_DAYS', piiRetentionDays: 7 })
    const { numbers } = world
    for (const kind of KINDS) {
      const number = numbers[kind]
      const [ana, ben] = [newPeer(), newPeer()]
      const old = await write(service, ana, number, {
        text: 'old saffron',
        timestamp: Date.now() - 8 * DAY_MS,
        fromName: 'Old Saffron',
      })
      t.like(await untilInHistory(service, number, old), {
        redacted: true,
        content: null,
        from: null,
        to: null,
        fromName: null,
      })
      const edge = await write(service, ben, number, {
        text: 'fresh indigo',
        timestamp: Date.now() - 6 * DAY_MS,
        fromName: 'Ben',
      })
      t.like(await untilInHistory(service, number, edge), {
        redacted: false,
        content: 'fresh indigo',
        from: ben,
        fromName: 'Ben',
      })
      const page = await historyOf(service, number)
      t.is(page.notice, 'PII_RETENTION_WINDOW')
      const { body: conversations } = await service.api('GET', '/v1/conversations', number.key)
      t.false(JSON.stringify(conversations).includes('saffron'))
      t.true(JSON.stringify(conversations).includes('fresh indigo'))
      // With a longer retention the message is visible again, unless it was removed.
      await setMode(service, number, { piiMode: 'STORE_X_DAYS', piiRetentionDays: 30 })
      t.like(await untilInHistory(service, number, old), { redacted: false, content: 'old saffron' })
      await setMode(service, number, { piiMode: 'STORE_X_DAYS', piiRetentionDays: 7 })
    }
    await reach('settled')
    await reach('back')
    await reach('purged')
    for (const kind of KINDS) {
      const page = await historyOf(service, numbers[kind])
      t.deepEqual([page.total, page.notice, page.messages[0].content], [1, undefined, 'fresh indigo'])
    }
    await reach('stopped')
    t.false(tablesWith('old saffron').includes('messages'))
    t.true(tablesWith('fresh indigo').includes('messages'))
  },
)

story('STORE_INDEFINITE: everything stays and is shown, without a notice', async (t, reach) => {
  const world = await openWorld(service, receiver, 'indefinite', { piiMode: 'STORE_INDEFINITE' })
  const { numbers } = world
  const peers = { OFFICIAL: await reachablePeer(service, numbers.OFFICIAL), UNOFFICIAL: newPeer() }
  for (const kind of KINDS) {
    const number = numbers[kind]
    const old = await write(service, peers[kind], number, { text: 'years ago', timestamp: Date.now() - 900 * DAY_MS })
    await untilInHistory(service, number, old)
    await untilStatus(service, number, (await sendText(service, number, peers[kind], 'today')).id, ['READ'])
  }
  await reach('settled')
  await reach('back')
  await reach('purged')
  for (const kind of KINDS) {
    const page = await historyOf(service, numbers[kind])
    t.is(page.notice, undefined)
    t.like(
      page.messages.find(({ content }: any) => content === 'years ago'),
      { redacted: false, from: peers[kind] },
    )
    t.like(await historyOf(service, numbers[kind], '&direction=OUTBOUND'), {
      total: 1,
      messages: { 0: { content: 'today', to: peers[kind], redacted: false } },
    })
  }
  await reach('stopped')
})

story(
  'answers to Flows: RELAY_ONLY tells them once and keeps no byte of them; set later it wipes them; past the window they are gone',
  async (t, reach) => {
    const [relay, later, window] = [
      await connectOfficial(service),
      await connectOfficial(service),
      await connectOfficial(service),
    ]
    await setMode(service, relay, { piiMode: 'RELAY_ONLY' })
    await setMode(service, window, { piiMode: 'STORE_X_DAYS', piiRetentionDays: 7 })
    for (const [name, { key }] of Object.entries({ relay, later, window }))
      await service.api('POST', '/v1/webhooks', key, { url: receiver.endpoint(`/flows/${name}`), events: ['*'] })
    const kept = await answerFlows(service, relay, 'obsidian', [Date.now()])
    const wiped = await answerFlows(service, later, 'malachite', [Date.now()])
    const limited = await answerFlows(service, window, 'turquoise', [Date.now() - 8 * DAY_MS, Date.now()])
    const totalOf = async ({ key }: OfficialNumber, { id }: any) => {
      const {
        body: { responses, total, notice },
      } = await service.api('GET', `/v1/flows/${id}/responses`, key)
      return [responses.length, total, notice]
    }
    t.deepEqual(await totalOf(relay, kept), [0, 0, 'PII_RELAY_ONLY'])
    t.deepEqual(await totalOf(later, wiped), [2, 2, undefined])
    t.deepEqual(await totalOf(window, limited), [2, 2, undefined])
    await setMode(service, later, { piiMode: 'RELAY_ONLY' })
    t.deepEqual(await totalOf(later, wiped), [0, 0, 'PII_RELAY_ONLY'])
    for (const [name, word] of Object.entries({ relay: 'obsidian', later: 'malachite' })) {
      await receiver.until(
        `/flows/${name}`,
        2,
        ({ body }) => String(body).includes('nfm_reply') && String(body).includes(word),
      )
    }
    t.false(JSON.stringify((await service.api('GET', '/v1/events?limit=1000', relay.key)).body).includes('obsidian'))
    await reach('settled')
    await reach('back')
    await reach('purged')
    t.deepEqual(await totalOf(window, limited), [2, 2, undefined])
    await reach('stopped')
    for (const hidden of ['obsidian', 'malachite']) t.deepEqual(tablesWith(hidden), [], hidden)
    const rowsOf = (table: string, { id }: any): number =>
      (left.get(table) ?? []).filter((row) => row.includes(id)).length
    t.deepEqual(
      [kept, wiped, limited].map((flow) => rowsOf('flow_responses', flow)),
      [0, 0, 2],
    )
    t.true(tablesWith('field turquoise').includes('flow_responses'))
    for (const hidden of ['obsidian', 'malachite', 'turquoise'])
      t.false(logged.includes(hidden), `${hidden} in the log`)
    t.true(logged.length > 0)
  },
)
