import test from 'ava'
import { COUNTED_MS } from '../../../../src/domain/daily-limit.ts'
import { newId, type NumberId, type TenantId } from '../../../../src/domain/ids.ts'
import { DEFAULT_SETTINGS } from '../../../../src/domain/number.ts'
import type { OutgoingContent } from '../../../../src/domain/outgoing.ts'
import { OFFICIAL_FACTS } from '../../../helpers/http-memory-official.ts'
import { addOfficial, officialRig } from '../../official-rig.ts'
import { pass, type Rig } from '../../rig.ts'
import { FAULT } from '../../sending/table.ts'
import { fast, sentTo } from './sends-rig.ts'

const TEMPLATE: OutgoingContent = { mode: 'template', name: 'shop', language: 'en', components: [], files: [] }

/** Stores how many people the number's account may reach. */
function limit(rig: Rig, numberId: NumberId, messagingLimitTier: string): TenantId {
  const number = rig.rows.numbers.get(numberId)
  if (!number) throw new Error('no number')
  rig.rows.numbers.set(numberId, { ...number, official: { ...OFFICIAL_FACTS, messagingLimitTier } })
  return number.tenantId
}

/** A running number whose account may reach three people a day. */
async function limitedNumber(rig: Rig): Promise<{ readonly numberId: NumberId; readonly tenantId: TenantId }> {
  const numberId = addOfficial(rig.rows)
  const tenantId = limit(rig, numberId, 'TIER_3')
  await rig.directory.askNumber(numberId, 'CurrentCode', {})
  return { numberId, tenantId }
}

const queue = { timers: { changesMs: 3_600_000 }, sending: fast }

// [message-verbs.pace.1] [message-verbs.pace.7]
test('templates beyond the limit stay QUEUED without upstream being asked, others go on, and a higher limit lets them go', async (t) => {
  const rig = officialRig(queue)
  const { numberId, tenantId } = await limitedNumber(rig)
  for (const address of ['1', '2', '3', '4', '5']) rig.messages.add(numberId, address, { outgoing: TEMPLATE })
  rig.messages.add(numberId, '6')
  rig.directory.sendsQueued(numberId)
  await pass(rig, 1_000, 100)
  t.deepEqual(sentTo(rig).toSorted(), ['1', '2', '3', '6'])
  const held = [...rig.messages.queued.values()].filter(({ status }) => status === 'QUEUED')
  t.deepEqual(
    held.map(({ message }) => [message.to.address, message.attempts]),
    [
      ['4', 0],
      ['5', 0],
    ],
  )
  rig.messages.add(numberId, '1', { outgoing: TEMPLATE })
  rig.messages.add(numberId, '4')
  rig.directory.sendsQueued(numberId)
  await pass(rig, 1_000, 100)
  t.deepEqual(sentTo(rig).slice(4).toSorted(), ['1', '4'], 'a person who counts, and a text to one who is held')
  limit(rig, numberId, 'TIER_4')
  await rig.directory.tellNumber(numberId, 'ApplySettings', {
    settings: DEFAULT_SETTINGS,
    limits: { messagingLimitTier: 'TIER_4', perSecond: null },
  })
  t.deepEqual(await rig.messages.sendQueue().letGo(tenantId, '2000'), [numberId])
  rig.directory.sendsQueued(numberId)
  await pass(rig, 1_000, 100)
  t.is(sentTo(rig).length, 7)
})

test('a message that is held goes once the first person is over', async (t) => {
  const rig = officialRig({ sending: fast })
  const numberId = addOfficial(rig.rows)
  const tenantId = limit(rig, numberId, 'TIER_3')
  for (const address of ['1', '2', '3'])
    await rig.reach.take({
      tenantId,
      accountId: '2000',
      numberId,
      conversationId: `conv_${address}`,
      messageId: newId('msg'),
      address,
      perDay: 3,
    })
  rig.clock.advance(COUNTED_MS - 600_000)
  await rig.directory.start()
  rig.messages.add(numberId, '4', { outgoing: TEMPLATE })
  rig.directory.sendsQueued(numberId)
  await pass(rig, 590_000)
  t.deepEqual(sentTo(rig), [])
  await pass(rig, 15_000)
  t.deepEqual(sentTo(rig), ['4'])
})

// [message-verbs.pace.6]
test('who was not reached, because upstream refused, takes nobody the place', async (t) => {
  const rig = officialRig(queue)
  const { numberId, tenantId } = await limitedNumber(rig)
  rig.driver.last.sendAnswer = ({ to }) =>
    Number(to.address) < 4
      ? { kind: 'refused', failure: FAULT }
      : { kind: 'sent', externalMessageId: `up.${to.address}` }
  for (const address of ['1', '2', '3']) rig.messages.add(numberId, address, { outgoing: TEMPLATE })
  rig.directory.sendsQueued(numberId)
  await pass(rig, 1_000, 100)
  for (const address of ['4', '5', '6']) rig.messages.add(numberId, address, { outgoing: TEMPLATE })
  rig.directory.sendsQueued(numberId)
  await pass(rig, 1_000, 100)
  t.deepEqual(sentTo(rig).toSorted(), ['1', '2', '3', '4', '5', '6'])
  t.is((await rig.reach.counted(tenantId, '2000')).used, 3)
})
