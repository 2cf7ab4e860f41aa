import test, { type ExecutionContext } from 'ava'
import { png } from '../files/make-media.ts'
import { freePort } from '../helpers/free-port.ts'
import { KILLS, killsOf, killThrough, killWhile } from '../helpers/kills.ts'
import { FAST } from '../helpers/message-service.ts'
import { seededRandom } from '../helpers/receiver-zoo.ts'
import { Service } from '../helpers/service.ts'
import { sideBySide } from '../helpers/side-by-side.ts'
import { counted, IS_FULL, LEDGER_MS, sized } from '../helpers/size.ts'
import { countsOf, untilNoFaults } from '../helpers/storm.ts'
import {
  connectTemplates,
  createTemplate,
  failTemplates,
  givenTemplate,
  readTemplate,
  readyTemplate,
  taken,
  templateRequests,
  templatesHere,
  templatesUpstream,
  type TemplateNumber,
} from '../helpers/template-service.ts'
import { failAFifth, faultsOfEnds, refusalOf, untilEnded } from '../helpers/template-ends.ts'
import { prepareSender, TemplateSends, type Sender } from '../helpers/template-sends.ts'
import { TemplateStorm } from '../helpers/template-storm.ts'
import { until } from '../helpers/until.ts'

const ACCOUNTS = counted(20, 3)
const STEPS = 10
/**
 * Statuses are later when more is in progress. A message that is sent again before its status may be refused, although
 * the first one arrived.
 */
const RECONCILE_SECONDS = String(IS_FULL ? 40 : 10)
const NUMBERS_OF_A_KIND = sized(10, 2)
const PEERS = sized(5, 2)
const EACH = counted(30, 13)
/** LEDGER_SEED repeats an earlier run. */
const SEED = Number(process.env['LEDGER_SEED'] ?? Math.floor(Math.random() * 1e9))
/** In ms: longer than any story. */
const NEVER_MS = 600_000
/** Messages that may be accepted while the gateway is being killed. */
const WHILE_AWAY = 30
let service: Service
let header: { readonly type: 'IMAGE'; readonly base64: string }

test.before(async (t) => {
  t.timeout(LEDGER_MS)
  header = { type: 'IMAGE', base64: `data:image/png;base64,${(await png()).toString('base64')}` }
  service = await Service.start({
    isSplit: true,
    env: { ...FAST, OFFICIAL_RECONCILE_SECONDS: RECONCILE_SECONDS, PORT: String(await freePort()) },
  })
  // The upstream posts callbacks in parallel. One at a time, it would fall behind by more than the tests wait for a
  // status.
  taken(await service.control('POST', '/official/webhooks', { parallel: true }), 200)
  taken(await service.control('POST', '/official/review', { delayMs: 50 }), 200)
})

test.after.always(async () => {
  await service?.stop()
})

const story = sideBySide(
  test,
  killsOf(() => service, 'templates'),
)

/** When the gateway is killed, and whether the write has been done by then. */
const MOMENTS = [
  { when: 'before the request', isDone: false },
  { when: 'after the request', isDone: false },
  { when: 'after its effect, before it is stored', isDone: true },
] as const
type Moment = (typeof MOMENTS)[number]

/** Holds a request back at the moment of the kill. `op` is the request itself, which follows the upload of its file. */
async function hold({ when, isDone }: Moment, op: string, { appId }: TemplateNumber, id: string): Promise<void> {
  if (when === 'before the request') return failTemplates(service, 'upload.start', appId, { delayMs: NEVER_MS })
  return failTemplates(service, op, id, isDone ? { answerDelayMs: NEVER_MS } : { delayMs: NEVER_MS })
}

/** `before`: how many such requests there were earlier. */
async function untilHeld(
  { when }: Moment,
  op: string,
  { appId }: TemplateNumber,
  id: string,
  before = 0,
): Promise<void> {
  if (when === 'before the request')
    await until('its file is held', async () => (await templateRequests(service, 'upload.start', appId)).length > 0)
  else await until(`${op} is held`, async () => (await templateRequests(service, op, id)).length > before)
}

/** Asserts that the upstream and the service have the same templates, each once. */
async function assertSame(t: ExecutionContext, number: TemplateNumber, names: readonly string[]): Promise<void> {
  const [upstream, here] = [await templatesUpstream(service, number), await templatesHere(service, number)]
  t.deepEqual(upstream.map(({ name }) => name).toSorted(), names.toSorted())
  t.deepEqual(
    here.map(({ name, externalId }) => [name, externalId]).toSorted(),
    upstream.map(({ name, id }) => [name, id]).toSorted(),
  )
}

async function untilSettled(number: TemplateNumber, name: string, isThere: boolean): Promise<any> {
  return await until(`${name} is ${isThere ? 'there' : 'gone'}`, async () => {
    const template = await readTemplate(service, number, name)
    return isThere ? template.externalId && template : template.code === 'TEMPLATE_NOT_FOUND'
  })
}

for (const moment of MOMENTS) {
  const { when, isDone } = moment
  story(
    `kill -9 ${when}: a creation is adopted if upstream has it, else its row goes and it may be asked for again; one whose name only contains it is never taken for it`,
    async (t, reach) => {
      const number = await connectTemplates(service)
      await createTemplate(service, number, 'order_sent')
      await hold(moment, 'template.create', number, number.accountId)
      const before = (await templateRequests(service, 'template.create', number.accountId)).length
      const wanted = givenTemplate(
        'order_sen',
        when === 'before the request' ? { body: { header, body: { text: 'Hello {{customer}}, it is sent.' } } } : {},
      )
      t.is(
        await killWhile(
          reach,
          () => service.api('POST', '/v1/templates', number.key, wanted),
          () => untilHeld(moment, 'template.create', number, number.accountId, before),
        ),
        'killed',
      )
      await untilSettled(number, 'order_sen', isDone)
      await assertSame(t, number, isDone ? ['order_sent', 'order_sen'] : ['order_sent'])
      const again = await service.api('POST', '/v1/templates', number.key, wanted)
      t.deepEqual([again.status, again.body.code], isDone ? [409, 'TEMPLATE_ALREADY_EXISTS'] : [201, undefined])
      await assertSame(t, number, ['order_sent', 'order_sen'])
    },
  )

  story(
    `kill -9 ${when}: an edit stands if upstream took it, else the wording of before, which may be edited again`,
    async (t, reach) => {
      const number = await connectTemplates(service)
      const media = when === 'before the request' ? { header } : {}
      const { externalId } = await readyTemplate(service, number, 'order_sent')
      const edit = {
        body: { ...media, body: { text: 'Good day {{customer}}, it is on its way.' } },
        examples: { customer: 'Ana' },
      }
      await hold(moment, 'template.edit', number, externalId)
      t.is(
        await killWhile(
          reach,
          () => service.api('PUT', '/v1/templates/order_sent', number.key, edit),
          () => untilHeld(moment, 'template.edit', number, externalId),
        ),
        'killed',
      )
      const again = await until('the edit is settled', async () => {
        const answer = await service.api('PUT', '/v1/templates/order_sent', number.key, edit)
        return answer.body.error?.includes('not answered') ? null : answer
      })
      // The upstream accepts one edit a day of an approved template.
      t.is(again.status, isDone ? 422 : 200, again.text)
      const template = await readTemplate(service, number, 'order_sent')
      t.is(template.body.body.text, edit.body.body.text)
      const [upstream] = await templatesUpstream(service, number)
      t.is(upstream.components.find(({ type }: any) => type === 'BODY').text, 'Good day {{1}}, it is on its way.')
      t.is(template.externalId, externalId)
    },
  )
}

for (const moment of MOMENTS.slice(1)) {
  const { when, isDone } = moment
  story(
    `kill -9 ${when}: a deletion is done if upstream did it, else the template stays as it was`,
    async (t, reach) => {
      const number = await connectTemplates(service)
      await createTemplate(service, number, 'order_sen')
      await readyTemplate(service, number, 'order_sent')
      await hold(moment, 'template.delete', number, number.accountId)
      t.is(
        await killWhile(
          reach,
          () => service.api('DELETE', '/v1/templates/order_sent', number.key),
          () => untilHeld(moment, 'template.delete', number, number.accountId),
        ),
        'killed',
      )
      if (!isDone) {
        const answer = await until('it may be deleted again', async () => {
          const { status, body } = await service.api('DELETE', '/v1/templates/order_sent', number.key)
          return status === 200 && body
        })
        t.true(answer.deleted)
      }
      await untilSettled(number, 'order_sent', false)
      await assertSame(t, number, ['order_sen'])
    },
  )
}

interface Shown {
  readonly name: string
  readonly id: string
  readonly text: string
}

/** The text without the names of variables, which the upstream does not have. */
function textOf(text: string): string {
  return text.replaceAll(/\{\{\w+\}\}/g, '{{}}')
}

async function shownHere(number: TemplateNumber): Promise<Shown[]> {
  return (await templatesHere(service, number)).map(({ name, externalId, body }) => ({
    name,
    id: externalId,
    text: textOf(body.body.text),
  }))
}

async function shownUpstream(number: TemplateNumber): Promise<Shown[]> {
  return (await templatesUpstream(service, number)).map(({ name, id, components }) => ({
    name,
    id,
    text: textOf(components.find(({ type }: any) => type === 'BODY').text),
  }))
}

/** Templates that nobody asked for, and templates that differ from the last accepted request. */
function faultsOf({ promised }: TemplateStorm, here: readonly Shown[], upstream: readonly Shown[]): string[] {
  const strange = upstream.filter(({ name }) => !promised.has(name)).map(({ name }) => `nobody asked for ${name}`)
  const broken = [...promised].flatMap(
    ([
      name,
      {
        texts: { values },
      },
    ]) => {
      const [row, shown] = [
        here.find((one) => one.name === name)?.text ?? null,
        upstream.filter((one) => one.name === name).map(({ text }) => text),
      ]
      const allowed = [...values].map((text) => (text === null ? null : textOf(text)))
      if (shown.length > 1) return `${name} is there ${shown.length} times`
      return allowed.includes(shown[0] ?? null) && allowed.includes(row)
        ? []
        : `${name}: here ${row}, upstream ${shown[0]}, promised ${allowed.join(' or ')}`
    },
  )
  return [...strange, ...broken]
}

/**
 * The upstream may apply a slow request, also a deletion, after its answer and after the look that settled it. Only a
 * listing shows that.
 */
async function listedFaults({ number }: TemplateStorm): Promise<string[]> {
  taken(await service.api('POST', '/v1/templates/sync', number.key, {}), 200)
  const [here, upstream] = [await shownHere(number), await shownUpstream(number)]
  const missing = upstream.filter(
    (one) => !here.some((row) => row.id === one.id && row.name === one.name && row.text === one.text),
  )
  return [
    ...missing.map(({ name }) => `${name} has no row like it`),
    ...(here.length === upstream.length ? [] : [`${here.length} here, ${upstream.length} upstream`]),
  ]
}

/**
 * The names in doubt. This edit has a body that no template may have: a name in doubt is refused before the body is
 * checked. The edits run one after the other, because another story uses the gateway too.
 */
async function doubtsOf({ number }: TemplateStorm): Promise<string[]> {
  const doubted: string[] = []
  for (const { name } of await templatesHere(service, number)) {
    const { body } = await service.api('PUT', `/v1/templates/${name}`, number.key, { body: '{{edge}}' })
    if (body.error?.includes('has not answered')) doubted.push(name)
  }
  return doubted
}

story(
  `${ACCOUNTS * STEPS} creations, edits and deletions while the upstream loses answers, fails and hangs, and the gateway is killed ${KILLS.length} times: each template exists once upstream and once here, as it was answered`,
  async (t, reach) => {
    t.timeout(LEDGER_MS)
    t.log(`seed ${SEED}`)
    const random = seededRandom(SEED)
    const storms: TemplateStorm[] = []
    for (let at = 0; at < ACCOUNTS; at++)
      storms.push(new TemplateStorm(service, await connectTemplates(service), random, header))
    const running = Promise.all(storms.map((storm) => storm.run(STEPS)))
    running.catch(() => {})
    const doneSteps = (): number => storms.reduce((sum, { done }) => sum + done, 0)
    await killThrough(reach, ACCOUNTS * STEPS, doneSteps)
    await running
    t.log(`answers: ${countsOf(storms)}`)
    // Removes the failures that look-ups did not use up.
    await service.control('DELETE', '/faults')
    await untilNoFaults('all is as it was promised', storms, async (storm) =>
      faultsOf(storm, await shownHere(storm.number), await shownUpstream(storm.number)),
    )
    await untilNoFaults('here and upstream are the same', storms, listedFaults)
    await untilNoFaults('no doubt is left', storms, doubtsOf)
    t.pass('what was promised stands, here and upstream')
    await reach('end')
  },
)

story(
  `${NUMBERS_OF_A_KIND * 2 * PEERS * EACH} templates sent on ${NUMBERS_OF_A_KIND * 2} numbers while upstream fails a fifth, templates change and go, and the gateway is killed ${KILLS.length} times: each ends once, and arrives as it was accepted`,
  async (t, reach) => {
    t.timeout(LEDGER_MS)
    const senders: Sender[] = []
    for (let at = 0; at < NUMBERS_OF_A_KIND * 2; at++) {
      const kind = at % 2 === 0 ? 'OFFICIAL' : 'UNOFFICIAL'
      senders.push(
        await prepareSender(
          service,
          kind === 'OFFICIAL' ? await connectTemplates(service) : await service.pairNumber(),
          kind,
          PEERS,
        ),
      )
    }
    for (const [at, sender] of senders.entries()) await failAFifth(service, sender, refusalOf(Math.floor(at / 2)).error)
    const sends = new TemplateSends(service, senders, EACH, seededRandom(SEED))
    const running = sends.run()
    running.catch(() => {})
    for (const [at, kill] of KILLS.entries()) {
      const point = Math.round((sends.total * (at + 0.5)) / KILLS.length)
      sends.allow(point)
      await sends.untilAccepted(point)
      await reach(`ready ${kill}`)
      sends.allow(point + WHILE_AWAY)
      await reach(`killed ${kill}`)
      await reach(`back ${kill}`)
      if (at === 0) await sends.changeTemplates()
    }
    sends.allow(sends.total)
    await running
    const events = await untilEnded(service, senders)
    const faults = (
      await Promise.all(
        senders.map((sender, at) => faultsOfEnds(service, sender, events, refusalOf(Math.floor(at / 2)).code)),
      )
    ).flat()
    t.deepEqual(faults.slice(0, 10), [], `${faults.length} faults`)
    const codes = Map.groupBy(
      events.filter(({ event }) => event === 'message.failed'),
      ({ data }) => data.code,
    )
    t.log(`refused: ${[...codes].map(([code, its]) => `${code}: ${its.length}`).join(', ')}`)
    t.true(codes.has('OFFICIAL_TEMPLATE_PAUSED') && codes.has('OFFICIAL_TEMPLATE_NOT_APPROVED'))
  },
)
