import test from 'ava'
import type { UpdateInput } from '../../../src/commands/templates/update.ts'
import { newMessage } from '../../contracts/message-world.ts'
import { openTestPglite, sharedDatabase } from '../../helpers/database.ts'
import { approved, given, openTemplateWorld, settleLater } from '../../helpers/template-world.ts'
import type { TemplateWorld } from '../../helpers/template-world.ts'
import { until } from '../../helpers/until.ts'
import { codeOf, valueOf } from '../outcomes.ts'

const database = sharedDatabase(test, openTestPglite)
const NEW = 'Dear {{customer}}, your parcel is on its way.'

function update({ templates, official }: TemplateWorld, idOrName: string, fields: Partial<UpdateInput> = {}) {
  return templates.update({
    number: official,
    idOrName,
    languageAsked: null,
    name: null,
    category: null,
    language: null,
    body: NEW,
    examples: { customer: 'Ana' },
    ...fields,
  })
}

const remove = ({ templates, official }: TemplateWorld, idOrName: string, language: string | null = null) =>
  templates.remove(official, idOrName, language)

async function rowOf({ stores, official }: TemplateWorld, idOrName: string) {
  const [row] = await stores.templates.find(official, idOrName)
  return row ?? null
}

// [templates.update.5] [templates.update.6]
test('an edit that upstream took waits for its review with the new words; one that it refused changes nothing', async (t) => {
  const world = await openTemplateWorld(database())
  const { id } = await approved(world)
  t.like(valueOf(await update(world, id)), {
    id,
    officialStatus: 'PENDING',
    sendable: false,
    ask: null,
    body: { body: { text: NEW } },
  })
  world.platform.change((await rowOf(world, id))?.externalId ?? '', { status: 'APPROVED' })

  const other = await approved(world, { name: 'other' })
  world.platform.fault('edit', { code: 100, subcode: 2388039, message: 'Once a day' })
  t.like(await update(world, 'other'), {
    error: { code: 'OFFICIAL_TEMPLATE_SUBMIT_FAILED', message: 'Once a day', details: { upstreamSubcode: 2388039 } },
  })
  t.like(await rowOf(world, other.id), { officialStatus: 'APPROVED', sendable: true, ask: null, body: other.body })
})

// [templates.update.1] [templates.update.2] [templates.update.3] [templates.object.2]
test('category, name and language are fixed; what upstream takes no change of is not editable', async (t) => {
  const world = await openTemplateWorld(database())
  const { id } = await approved(world)
  t.is(codeOf(await update(world, id, { category: 'MARKETING' })), 'TEMPLATE_CATEGORY_FIXED')
  t.is(codeOf(await update(world, id, { name: 'another' })), 'TEMPLATE_IDENTITY_FIXED')
  t.is(codeOf(await update(world, id, { language: 'pt_BR' })), 'TEMPLATE_IDENTITY_FIXED')
  t.true((await update(world, id, { name: 'Order Shipped', category: 'UTILITY', language: 'en' })).ok)
  t.like(await update(world, id), {
    error: { code: 'TEMPLATE_NOT_EDITABLE', details: { officialStatus: 'PENDING', upstreamStatus: 'PENDING' } },
  })
  t.is(codeOf(await update(world, 'nobody')), 'TEMPLATE_NOT_FOUND')
  t.deepEqual(
    world.platform.asked.filter((op) => op === 'edit'),
    ['edit'],
  )
})

// [templates.update.1]
test('a category that upstream put it into, and the one that was asked for, may both be named', async (t) => {
  const world = await openTemplateWorld(database())
  const { id } = await approved(world)
  await world.stores.templates.change(id, () => ({ kind: 'CHANGE', patch: { category: 'MARKETING' } }))
  const { externalId } = valueOf(await update(world, id, { category: 'UTILITY' }))
  t.like(
    world.platform.templates.get(externalId ?? ''),
    { status: 'PENDING' },
    'of an approved one upstream takes no category',
  )
  for (const status of ['FLAGGED', 'PAUSED']) {
    await world.stores.templates.change(id, () => ({
      kind: 'CHANGE',
      patch: { officialStatus: 'APPROVED', upstreamStatus: status },
    }))
    world.platform.change(externalId ?? '', { status })
    t.true((await update(world, id, { category: 'UTILITY' })).ok, status)
  }
})

test('after a rejection the category that was first asked for is submitted again', async (t) => {
  const world = await openTemplateWorld(database())
  const { id, externalId } = await approved(world)
  await world.stores.templates.change(id, () => ({
    kind: 'CHANGE',
    patch: { category: 'MARKETING', officialStatus: 'REJECTED', upstreamStatus: 'REJECTED' },
  }))
  world.platform.change(externalId ?? '', { category: 'MARKETING', status: 'REJECTED' })
  t.true((await update(world, id, { category: 'UTILITY' })).ok)
  t.like(world.platform.templates.get(externalId ?? ''), { category: 'UTILITY', status: 'PENDING' })
})

// [templates.update.8]
test('a LOCAL template changes at once, and is gone at once', async (t) => {
  const world = await openTemplateWorld(database())
  const { id } = valueOf(await world.templates.create(world.local, given()))
  const changed = valueOf(
    await world.templates.update({
      number: world.local,
      idOrName: id,
      languageAsked: null,
      name: null,
      category: null,
      language: null,
      body: 'Bye {{x}} now',
      examples: { x: 1 },
    }),
  )
  t.like(changed, { sendable: true, variables: ['x'], body: { body: { text: 'Bye {{x}} now' } } })
  t.is(valueOf(await world.templates.remove(world.local, id, null)), id)
  t.deepEqual(await world.stores.templates.find(world.local, id), [])
})

// [templates.body.3] [templates.files.6]
test('an edit accepts the answer of a read unchanged; kept files are not fetched again, but are uploaded again', async (t) => {
  const world = await openTemplateWorld(database())
  const base64 = 'data:image/png;base64,AAAA'
  const made = await approved(world, {
    name: 'pictures',
    body: { header: { type: 'IMAGE', base64 }, body: { text: 'Hello.' } },
  })
  t.regex(made.body.header.url ?? '', /^https:\/\/files\.example\/file_/)
  const card = (name: string) => ({
    media: { url: `https://cdn.acme.shop/${name}.png` },
    buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }],
  })
  const carousel = await approved(world, {
    name: 'cards',
    category: 'MARKETING',
    body: { body: { text: 'New.' }, carousel: { cards: [card('a'), card('b')] } },
  })
  const before = [...world.templateFiles.asked]
  t.like(valueOf(await update(world, 'pictures', { body: made.body, examples: made.examples })), {
    files: made.files,
    body: made.body,
  })
  const moved = { ...carousel.body, carousel: { cards: carousel.body.carousel?.cards.toReversed() } }
  t.like(valueOf(await update(world, 'cards', { body: moved, examples: {} })), {
    files: { cards: carousel.files.cards.toReversed() },
  })
  t.deepEqual(world.templateFiles.asked, before)
  t.is(world.platform.uploads.length, 6)
  const copied = valueOf(await world.templates.create(world.official, given({ name: 'copy', body: made.body })))
  t.not(copied.files.header, made.files.header)
})

// [templates.create.10] [templates.update.7]
// Serial, because chores take the rows of every test.
test.serial(
  'an edit whose answer is lost is read: it was taken, it was not, or nobody can tell until later',
  async (t) => {
    const world = await openTemplateWorld(database())
    for (const name of ['took', 'not', 'later']) await approved(world, { name })
    world.platform.fault('edit', 'lost after', 'lost before', 'lost after')
    t.like(valueOf(await update(world, 'took')), {
      officialStatus: 'PENDING',
      ask: null,
      body: { body: { text: NEW } },
    })
    t.is(codeOf(await update(world, 'not')), 'OFFICIAL_ERROR')
    t.like(await rowOf(world, 'not'), { officialStatus: 'APPROVED', ask: null })
    world.platform.fault('read', 'lost before')
    t.is(codeOf(await update(world, 'later')), 'OFFICIAL_ERROR')
    t.is(codeOf(await update(world, 'later')), 'TEMPLATE_NOT_EDITABLE')
    t.is(codeOf(await remove(world, 'later')), 'TEMPLATE_NOT_EDITABLE')
    world.clock.advance(3_600_000)
    await world.templates.settleAsked(() => true)
    t.like(await rowOf(world, 'later'), { officialStatus: 'PENDING', ask: null, body: { body: { text: NEW } } })
  },
)

// [templates.delete.1] [templates.delete.3]
test('a deletion is forwarded for one language only; a template that the upstream no longer has is removed', async (t) => {
  const world = await openTemplateWorld(database())
  await approved(world, { name: 'hi' })
  const portuguese = await approved(world, { name: 'hi', language: 'pt-BR' })
  t.like(await remove(world, 'hi'), {
    error: { code: 'TEMPLATE_NAME_AMBIGUOUS', details: { languages: ['en', 'pt_BR'] } },
  })
  t.true((await remove(world, 'hi', 'en')).ok)
  t.deepEqual(
    world.platform.named('hi').map(({ language }) => language),
    ['pt_BR'],
  )
  world.platform.templates.clear()
  t.is(valueOf(await remove(world, portuguese.id)), portuguese.id)
  t.is(await rowOf(world, 'hi'), null)
})

// [templates.delete.4] [templates.delete.5]
test('a refused deletion keeps the row and names template and reason, whatever upstream calls it', async (t) => {
  const world = await openTemplateWorld(database())
  const { id } = await approved(world, { name: 'kept' })
  for (const fault of [
    { code: 10 },
    { code: 200 },
    { code: 100, subcode: 33 },
    { code: null },
    { code: 100, subcode: 2593002 },
  ] as const) {
    world.platform.fault('remove', { ...fault, message: 'Not allowed' })
    const refused = await remove(world, 'kept')
    t.like(refused, {
      error: {
        code: 'TEMPLATE_DELETION_REFUSED',
        message: 'The official platform did not delete the template kept: Not allowed',
        details: { upstreamCode: fault.code },
      },
    })
  }
  world.platform.fault('remove', 'throttled')
  t.is(codeOf(await remove(world, 'kept')), 'OFFICIAL_THROTTLED')
  t.like(await rowOf(world, id), { officialStatus: 'APPROVED', ask: null })
})

// [templates.delete.3] [templates.delete.2] [templates.delete.5]
test.serial('a deletion whose answer is lost is looked up: gone, still there, or settled later', async (t) => {
  const world = await openTemplateWorld(database())
  for (const name of ['gone', 'there', 'later']) await approved(world, { name })
  world.platform.fault('remove', 'lost after', 'lost before', 'lost after')
  t.true((await remove(world, 'gone')).ok)
  t.is(codeOf(await remove(world, 'there')), 'OFFICIAL_ERROR')
  t.like(await rowOf(world, 'there'), { ask: null, sendable: true })
  world.platform.fault('find', 'lost before')
  t.is(codeOf(await remove(world, 'later')), 'OFFICIAL_ERROR')
  t.like(await rowOf(world, 'later'), { ask: { kind: 'DELETE' } })
  world.clock.advance(3_600_000)
  await world.templates.settleAsked(() => true)
  t.deepEqual([await rowOf(world, 'gone'), await rowOf(world, 'later')], [null, null])
})

test('an edit and a deletion wait for messages that were accepted before, and for no longer than 5 s', async (t) => {
  const world = await openTemplateWorld(database())
  const { clock, platform, stores, official } = world
  for (const [op, ask] of [
    ['edit', () => update(world, 'hi')],
    ['remove', () => remove(world, 'hi')],
  ] as const) {
    for (const isSent of [true, false]) {
      const { id: templateId } = await approved(world, { name: 'hi' })
      const message = newMessage(
        world,
        { tenantId: official.tenantId, number: official },
        { templateId, template: 'hi' },
      )
      t.is((await stores.messages.accept(message, null)).kind, 'accepted')
      let isDone = false
      const asked = ask().finally(() => {
        isDone = true
      })
      await until('upstream is waited with', async () => (await rowOf(world, 'hi'))?.ask)
      clock.advance(4_900)
      t.false(platform.asked.includes(op))
      if (isSent)
        await database().query(`update messages set status = 'SENT', due_at = null where id = $1`, [message.id])
      await until('it is asked', () => {
        clock.advance(100)
        return isDone
      })
      t.true((await asked).ok)
      await database().query('delete from messages where id = $1', [message.id])
      platform.templates.clear()
      platform.asked.length = 0
      const left = await rowOf(world, 'hi')
      if (left) await stores.templates.change(left.id, () => ({ kind: 'REMOVE' }))
    }
  }
})

// Serial, because chores take the rows of every test.
test.serial('an edit in doubt of a template that upstream no longer has ends with the template', async (t) => {
  const world = await openTemplateWorld(database())
  const { id, externalId } = await approved(world)
  world.platform.fault('edit', 'lost before')
  world.platform.fault('read', 'lost before')
  t.is(codeOf(await update(world, id)), 'OFFICIAL_ERROR')
  t.is(codeOf(await update(world, id)), 'TEMPLATE_NOT_EDITABLE')
  world.platform.templates.delete(externalId ?? '')
  await settleLater(world)
  t.is(await rowOf(world, id), null)
})

test('an approval from before an edit, told after it, leaves the template under review', async (t) => {
  const world = await openTemplateWorld(database())
  const { id, externalId } = await approved(world)
  const tell = (event: string, at: Date) =>
    world.templates.told({
      tenantId: world.official.tenantId,
      accountId: world.accountId,
      kind: 'STATUS',
      ref: { externalId, name: null, language: null },
      value: { event },
      at,
    })
  await tell('APPROVED', new Date('2026-01-05T12:00:00Z'))
  valueOf(await update(world, id))
  await tell('APPROVED', new Date('2026-01-05T12:00:01Z'))
  t.like(await rowOf(world, id), { officialStatus: 'PENDING', sendable: false })
})
