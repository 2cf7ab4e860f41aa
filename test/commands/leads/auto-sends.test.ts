import test from 'ava'
import { createLeads } from '../../../src/commands/leads/leads.ts'
import { createMessages } from '../../../src/commands/messages/messages.ts'
import type { MessagePorts } from '../../../src/commands/messages/ports.ts'
import type { LeadPorts } from '../../../src/commands/leads/ports.ts'
import type { ProviderKind } from '../../../src/domain/number.ts'
import type { TemplateOwner } from '../../../src/ports/stores/template-store.ts'
import {
  FIRST_PAGE,
  HOUR_MS,
  linked as link,
  madeNumber,
  newNotice,
  NOON,
  upstreamDigits,
} from '../../contracts/lead-world.ts'
import { accountOf, created, ownerOf } from '../../contracts/template-world.ts'
import type { Owned, World } from '../../contracts/world.ts'
import { openTestPglite, sharedDatabase } from '../../helpers/database.ts'
import { caseOf } from '../../helpers/messaging-cases.ts'
import { worldsOver } from '../../contracts/sql-worlds.ts'
import { killedAt, LeadWork, read, upstreamForm, upstreamLead } from './lead-rig.ts'

const makeWorld = worldsOver(sharedDatabase(test, openTestPglite))

/** A number, and the owner of its templates. */
async function ownedOf(
  world: World,
  kind: ProviderKind,
): Promise<{ readonly owned: Owned; readonly owner: TemplateOwner }> {
  const owned = await madeNumber(world)
  if (kind === 'UNOFFICIAL') return { owned, owner: ownerOf(owned.number) }
  const { number, owner } = await accountOf(world, owned.tenantId)
  return { owned: { ...owned, number }, owner }
}

/** A lead that a template of its number is to answer. Nothing else is queued on the number. */
async function answering(kind: ProviderKind = 'UNOFFICIAL', phone = '+5511988887777') {
  const world = makeWorld(NOON)
  const work = new LeadWork(world)
  const { owned, owner } = await ownedOf(world, kind)
  const linked = await link(world, {}, owned)
  const {
    number,
    page: { pageId },
  } = linked
  await world.stores.leadNotices.accept(linked.page.appId, linked.page.appSecret, [newNotice(linked.page)])
  const lead = async () => (await world.stores.leads.list(number.id, { ...FIRST_PAGE, pageId })).items[0]
  const { leadPages, messages, templates, flows } = work.world.stores
  const template = await created(
    world,
    owner,
    kind === 'OFFICIAL'
      ? {
          officialStatus: 'APPROVED',
          upstreamStatus: 'APPROVED',
          externalId: upstreamDigits(),
          parameters: { format: 'POSITIONAL', header: [], body: ['name'], cards: [] },
        }
      : {},
  )
  await leadPages.setForm({ tenantId: linked.tenantId, numberId: null }, pageId, '77', {
    consentKey: null,
    autoSend: {
      templateId: template.id,
      variables: { name: { field: 'full_name' } },
      onlyWithConsent: false,
      skipRecentConversationDays: 0,
    },
  })
  work.pages.script = {
    form: async () => read(upstreamForm()),
    lead: async (leadgenId) =>
      read(
        upstreamLead(leadgenId, {
          answers: [
            { key: 'full_name', values: ['Ana'] },
            { key: 'phone_number', values: [phone] },
          ],
        }),
      ),
  }
  await work.fetch()
  // A template without files needs none of the other four methods.
  const untils: (Date | null)[] = []
  const accepting: Pick<typeof messages, 'accept' | 'find'> = {
    accept: (message, claim) => (untils.push(message.deliverUntil), messages.accept(message, claim)),
    find: messages.find.bind(messages),
  }
  const sending = {
    messages: accepting,
    templates,
    flows,
    clock: work.world.clock,
    sendsQueued: () => {},
  } as unknown as MessagePorts
  const ports: LeadPorts = { ...work.ports, messageCommands: createMessages(sending) }
  const queued = async () =>
    (
      await messages.history(number.id, {
        page: 1,
        pageSize: 100,
        startDate: null,
        endDate: null,
        direction: 'OUTBOUND',
        peer: null,
      })
    ).items
  const accept = async (changes: Partial<LeadPorts> = {}) => {
    await createLeads({ ...ports, ...changes }).acceptAutoSends(() => true)
  }
  return { work, template, sending, queued, untils, lead, accept }
}

test.serial('a lead is answered once, even if the process ended before it noted the answer', async (t) => {
  const { work, lead, queued, accept, untils } = await answering()
  t.like(await lead(), { autoSendStatus: 'pending', autoSendMessageId: null })
  t.is(work.answersWanted, 1)
  await accept({ leads: killedAt(work.ports.leads, 'autoSendAccepted') })
  t.like(await lead(), { autoSendStatus: 'pending', autoSendMessageId: null })
  await accept()
  t.is((await lead())?.autoSendMessageId, null, "it is somebody else's")
  work.world.clock.advance(60_000)
  await accept()
  const [message, ...others] = await queued()
  t.deepEqual(others, [])
  t.like(await lead(), { autoSendStatus: 'pending', autoSendMessageId: message?.id })
  t.like(message, { correlationId: (await lead())?.id, type: 'template' })
  t.deepEqual(new Set(untils.map(Number)), new Set([NOON + 24 * HOUR_MS]))
  t.like(message?.content, { text: 'Hello Ana!' })
  // A second note of the same lead a day later leaves nothing to do.
  work.world.clock.advance(24 * HOUR_MS)
  await accept()
  t.is((await queued()).length, 1)
})

test.serial(
  'an acceptance that nobody noted within the day is found by its claim, and one that was never made has failed',
  async (t) => {
    const noted = await answering()
    noted.work.world.clock.advance(HOUR_MS)
    await noted.accept({ leads: killedAt(noted.work.ports.leads, 'autoSendAccepted') })
    noted.work.world.clock.advance(23 * HOUR_MS)
    await noted.accept()
    t.like(await noted.lead(), { autoSendMessageId: (await noted.queued())[0]?.id })
    const late = await answering()
    late.work.world.clock.advance(24 * HOUR_MS)
    await late.accept()
    t.like(await late.lead(), {
      autoSendStatus: 'failed',
      autoSendReason: 'template_unavailable',
      autoSendMessageId: null,
    })
    t.deepEqual(await late.queued(), [])
  },
)

test.serial('an answer that cannot be accepted yet is tried again, and one that never can fails', async (t) => {
  const busy = await answering()
  const messages: MessagePorts['messages'] = { ...busy.sending.messages, accept: async () => ({ kind: 'stale' }) }
  await busy.accept({ messageCommands: createMessages({ ...busy.sending, messages }) })
  t.like(await busy.lead(), { autoSendStatus: 'pending', autoSendMessageId: null })
  busy.work.world.clock.advance(4_999)
  await busy.accept()
  t.deepEqual(await busy.queued(), [])
  busy.work.world.clock.advance(1)
  await busy.accept()
  t.is((await busy.queued()).length, 1)
  await busy.work.leads.followAutoSends()
  t.like(await busy.lead(), { autoSendStatus: 'pending' }, 'it is not sent yet')
  const gone = await answering()
  await gone.work.world.stores.templates.change(gone.template.id, () => ({ kind: 'REMOVE' }))
  await gone.accept()
  t.like(await gone.lead(), {
    autoSendStatus: 'failed',
    autoSendReason: 'template_unavailable',
    autoSendMessageId: null,
  })
  t.deepEqual(await gone.queued(), [])
})

test.serial(
  'a template that is paused between storing and sending fails the answer; one that is not is sent',
  async (t) => {
    const paused = await answering('OFFICIAL')
    t.like(await paused.lead(), { autoSendStatus: 'pending', autoSendMessageId: null })
    await paused.work.world.stores.templates.change(paused.template.id, () => ({
      kind: 'CHANGE',
      patch: { officialStatus: 'DISABLED', upstreamStatus: 'PAUSED' },
    }))
    await paused.accept()
    t.like(await paused.lead(), {
      autoSendStatus: 'failed',
      autoSendReason: 'template_unavailable',
      autoSendMessageId: null,
    })
    t.deepEqual(await paused.queued(), [])
    const fine = await answering('OFFICIAL')
    await fine.accept()
    t.is((await fine.queued()).length, 1)
  },
)

test.serial(
  'messaging-06: a lead is answered at the number that was pasted into its form, and not answered if that is no phone number',
  async (t) => {
    const { accept } = caseOf<{ accept: Record<string, string> }>('06-addresses')
    // A number without a plus sign is read in the country of the channel number, so this list keeps those with one.
    const pasted = Object.entries(accept).filter(([typed]) => /[+＋]/.test(typed))
    for (const [phone, right] of [...pasted, ['\u2066(0151) 1234‑5678\u2069', '4915112345678']] as const) {
      const { accept: answer, lead, queued } = await answering('UNOFFICIAL', phone)
      await answer()
      t.deepEqual(
        (await queued()).map(({ to }) => to),
        [right.split(' ')[0]],
        JSON.stringify(phone),
      )
      t.is((await lead())?.phone, phone, 'as it was typed')
    }
    for (const phone of ['+020 7946 0958', '+1 555 000 1000〜1001', '+1 555 000 1000 ext 5']) {
      const { accept: answer, lead, queued } = await answering('UNOFFICIAL', phone)
      await answer()
      t.deepEqual(await queued(), [], phone)
      t.like(await lead(), { autoSendStatus: 'skipped', autoSendReason: 'invalid_phone' })
    }
  },
)
