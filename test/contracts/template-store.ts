import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import type { FoundTemplate, StoredTemplate } from '../../src/ports/stores/template-store.ts'
import { newTenant, randomId } from './official-store.ts'
import { accountOf, bodyOf, created, EVERYTHING, newTemplate, ownerOf, unofficialNumber } from './template-world.ts'
import type { MakeWorld } from './world.ts'

const HOUR_MS = 3_600_000

const HIDDEN: readonly (keyof StoredTemplate)[] = [
  'owner',
  'parameters',
  'submitted',
  'files',
  'applied',
  'ask',
  'askedUntil',
  'askTries',
]

function idsOf(templates: readonly { readonly id: string }[]): string[] {
  return templates.map(({ id }) => id)
}

/** Templates as they were stored, without the versions of their rows. */
function storedOf(found: readonly FoundTemplate[]): StoredTemplate[] {
  return found.map(({ version: _version, ...template }) => template)
}

/** What every TemplateStore does. */
export function templateStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a template is read as it was stored, and what follows from it`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1))
    const { owner, number } = await accountOf(world, await newTenant(world))
    const wording = {
      body: bodyOf('\0 "{{b}}" \u{1f600}\ud800'),
      examples: { b: 'x', a: 1 },
      unsupported: ['GIF'],
      parameters: null,
      submitted: null,
      files: { header: null, cards: [null] },
    }
    const wanted = newTemplate(world, owner, {
      body: bodyOf('{{b}} and {{a}}, {{b}}'),
      examples: { b: 'two', a: 1 },
      officialStatus: 'APPROVED',
      upstreamStatus: 'APPROVED',
      externalId: '12345678901234567890',
      statusReason: 'NONE',
      statusDescription: 'fine',
      quality: 'GREEN',
      requestedCategory: 'MARKETING',
      correctCategory: 'OTP',
      submittedAt: new Date(Date.UTC(2025, 0, 1)),
      parameters: { format: 'POSITIONAL', header: [], body: ['b', 'a', 'b'], cards: [] },
      submitted: [{ type: 'BODY', text: '{{1}} and {{2}}, {{3}}' }],
      files: { header: null, cards: [] },
      applied: { status: new Date(Date.UTC(2025, 5, 1)), quality: null, category: new Date(1_000) },
      ask: { kind: 'EDIT', category: 'UTILITY', wording },
      askedUntil: new Date(Date.UTC(2026, 0, 2)),
      askTries: 3,
    })
    const stored: StoredTemplate = {
      ...wanted,
      sendable: true,
      variables: ['b', 'a'],
      updatedAt: new Date(Date.UTC(2026, 0, 1)),
    }
    t.deepEqual(await world.stores.templates.create(wanted), { kind: 'created', template: stored })
    t.deepEqual(storedOf(await world.stores.templates.find(number, wanted.id)), [stored])
    t.deepEqual(storedOf(await world.stores.templates.find(number, wanted.name)), [stored])
    const { items, total } = await world.stores.templates.list(number, EVERYTHING)
    t.is(total, 1)
    t.like(stored, items[0] ?? {})
    t.is(
      Object.keys(items[0] ?? {}).length,
      Object.keys(stored).length - HIDDEN.length,
      'lists leave out what clients are not shown',
    )
  })

  test(`${name}: all numbers of an account see its templates, an UNOFFICIAL number has its own, and no other sees either`, async (t) => {
    const world = makeWorld()
    const { templates } = world.stores
    const tenantId = await newTenant(world)
    const one = await accountOf(world, tenantId)
    const two = await accountOf(world, tenantId, one.accountId)
    const elsewhere = await accountOf(world, await newTenant(world), one.accountId)
    const [local, otherLocal] = [await unofficialNumber(world, tenantId), await unofficialNumber(world, tenantId)]
    t.deepEqual(await templates.ownerOf(two.number), one.owner)
    t.deepEqual(await templates.ownerOf(local), ownerOf(local))
    t.is(await templates.ownerOf({ ...local, tenantId: elsewhere.tenantId }), null)
    const ofAccount = await created(world, one.owner, { name: 'hello' })
    const ofLocal = await created(world, ownerOf(local), { name: 'hello' })
    t.true(ofLocal.sendable)
    const sees = async (number: typeof local) => [
      idsOf(await templates.find(number, 'hello')),
      idsOf(await templates.find(number, ofAccount.id)),
      idsOf(await templates.find(number, ofLocal.id)),
      idsOf((await templates.list(number, EVERYTHING)).items),
    ]
    t.deepEqual(await sees(one.number), [[ofAccount.id], [ofAccount.id], [], [ofAccount.id]])
    t.deepEqual(await sees(two.number), await sees(one.number))
    t.deepEqual(await sees(local), [[ofLocal.id], [], [ofLocal.id], [ofLocal.id]])
    for (const stranger of [
      otherLocal,
      elsewhere.number,
      { ...one.number, tenantId: elsewhere.tenantId },
      { ...local, tenantId: elsewhere.tenantId },
    ]) {
      t.deepEqual(await sees(stranger), [[], [], [], []])
    }
  })

  test(`${name}: a name is found in each of its languages, and an id before what is called by it`, async (t) => {
    const world = makeWorld()
    const { templates } = world.stores
    const { owner, number } = await accountOf(world, await newTenant(world))
    const languages = ['pt_BR', 'de', 'en_US']
    for (const language of languages) await created(world, owner, { name: 'shipped', language })
    t.deepEqual(
      (await templates.find(number, 'shipped')).map(({ language }) => language),
      ['de', 'en_US', 'pt_BR'],
    )
    const template = await created(world, owner)
    const namesake = await created(world, owner, { name: template.id })
    t.deepEqual(idsOf(await templates.find(number, template.id)), [template.id])
    t.deepEqual(idsOf(await templates.find(number, namesake.id)), [namesake.id])
    const found = await Promise.all(
      [template.id, 'shipped', 'nothing', template.id, '\0'].map((one) => templates.find(number, one)),
    )
    t.deepEqual(
      found.map(({ length }) => length),
      [1, 3, 0, 1, 0],
      'asked for together each gets its own',
    )
  })

  test(`${name}: a name is taken once for each language and owner, also at once`, async (t) => {
    const world = makeWorld()
    const { templates } = world.stores
    const tenantId = await newTenant(world)
    const [{ owner }, local] = [await accountOf(world, tenantId), await unofficialNumber(world, tenantId)]
    for (const one of [owner, ownerOf(local)]) {
      const made = await Promise.all(
        Array.from({ length: 5 }, () => templates.create(newTemplate(world, one, { name: 'same' }))),
      )
      const winner = made.flatMap((creation) => (creation.kind === 'created' ? [creation.template] : []))
      t.is(winner.length, 1)
      for (const creation of made) t.deepEqual(creation.kind === 'gone' ? null : creation.template, winner[0])
      t.is((await templates.create(newTemplate(world, one, { name: 'same', language: 'de' }))).kind, 'created')
    }
    const known = await created(world, owner, { externalId: '77' })
    t.like(await templates.create(newTemplate(world, owner, { externalId: '77' })), {
      kind: 'taken',
      template: { id: known.id },
    })
  })

  test(`${name}: no template is created for an owner that is gone`, async (t) => {
    const world = makeWorld()
    const tenantId = await newTenant(world)
    const [{ owner, number }, local] = [await accountOf(world, tenantId), await unofficialNumber(world, tenantId)]
    t.is((await world.stores.templates.create(newTemplate(world, { ...owner, accountId: randomId() }))).kind, 'gone')
    for (const one of [number, local]) await world.stores.numbers.remove(tenantId, one.id)
    for (const one of [owner, ownerOf(local)])
      t.is((await world.stores.templates.create(newTemplate(world, one))).kind, 'gone')
    t.is(await world.stores.templates.ownerOf(local), null)
  })

  test(`${name}: lists are newest first, by page, and by each filter, which takes a name literally`, async (t) => {
    const world = makeWorld()
    const { templates } = world.stores
    const { owner, number } = await accountOf(world, await newTenant(world))
    const made: StoredTemplate[] = []
    const names = ['sale_spring', 'saleXspring', 'sale', '100%']
    for (const one of names) {
      made.unshift(
        await created(world, owner, {
          name: one,
          ...(one === 'sale' ? { category: 'OTP', language: 'de', officialStatus: 'APPROVED' } : {}),
        }),
      )
      world.clock.advance(1)
    }
    const list = async (filter: Partial<typeof EVERYTHING>) => {
      const { items, total } = await templates.list(number, { ...EVERYTHING, ...filter })
      return [items.map((item) => item.name), total]
    }
    t.deepEqual(await list({}), [made.map((one) => one.name), 4])
    t.deepEqual(await list({ page: 2, pageSize: 3 }), [['sale_spring'], 4])
    t.deepEqual(await list({ page: 3, pageSize: 3 }), [[], 4])
    t.deepEqual(await list({ name: 'sale_' }), [['sale_spring'], 1])
    t.deepEqual(await list({ name: '%' }), [['100%'], 1])
    t.deepEqual(await list({ name: 'ale' }), [['sale', 'saleXspring', 'sale_spring'], 3])
    for (const filter of [
      { category: 'OTP' },
      { language: 'de' },
      { officialStatus: 'APPROVED' },
      { sendable: true },
    ] as const)
      t.deepEqual(await list(filter), [['sale'], 1])
    t.deepEqual(await list({ sendable: false, name: 'spring' }), [['saleXspring', 'sale_spring'], 2])
    t.deepEqual(await list({ source: 'LOCAL' }), [[], 0])
    t.deepEqual(
      await list({
        source: 'OFFICIAL',
        category: 'OTP',
        language: 'de',
        officialStatus: 'APPROVED',
        sendable: true,
        name: 's',
      }),
      [['sale'], 1],
    )
  })

  test(`${name}: a change is decided on the row as it is, one at a time, and keeps what it does not name`, async (t) => {
    const world = makeWorld(Date.UTC(2026, 0, 1))
    const { templates } = world.stores
    const { owner, number } = await accountOf(world, await newTenant(world))
    const template = await created(world, owner)
    world.clock.advance(HOUR_MS)
    const changes = await Promise.all(
      Array.from({ length: 8 }, () =>
        templates.change(template.id, ({ askTries }) => ({ kind: 'CHANGE', patch: { askTries: askTries + 1 } })),
      ),
    )
    t.deepEqual(changes.map((change) => change?.template.askTries).toSorted(), [1, 2, 3, 4, 5, 6, 7, 8])
    const approved = await templates.change(template.id, () => ({
      kind: 'CHANGE',
      patch: { officialStatus: 'APPROVED', body: bodyOf('{{who}}'), externalId: '9' },
    }))
    const expected = {
      ...template,
      askTries: 8,
      officialStatus: 'APPROVED',
      body: bodyOf('{{who}}'),
      externalId: '9',
      sendable: true,
      variables: ['who'],
      updatedAt: new Date(Date.UTC(2026, 0, 1, 1)),
    }
    t.deepEqual(approved, { template: expected, isRemoved: false } as typeof approved)
    t.deepEqual(storedOf(await templates.find(number, template.id)), [expected] as StoredTemplate[])
    t.deepEqual(await templates.change(template.id, () => ({ kind: 'KEEP' })), approved)
    await t.throwsAsync(
      templates.change(template.id, () => {
        throw new Error('no')
      }),
      { message: 'no' },
    )
    t.deepEqual(await templates.change(template.id, () => ({ kind: 'REMOVE' })), {
      template: expected,
      isRemoved: true,
    } as typeof approved)
    t.is(await templates.change(template.id, () => t.fail() as never), null)
    t.deepEqual(await templates.find(number, template.id), [])
  })

  test(`${name}: rows of an account are found in every tenant, by upstream's id or else by name and language`, async (t) => {
    const world = makeWorld()
    const { templates } = world.stores
    const one = await accountOf(world, await newTenant(world))
    const two = await accountOf(world, await newTenant(world), one.accountId)
    const stranger = await accountOf(world, await newTenant(world))
    t.deepEqual((await templates.tenantsOf(one.accountId)).toSorted(), [one.tenantId, two.tenantId].toSorted())
    const known = await created(world, one.owner, { name: 'a', externalId: '1' })
    const unknown = await created(world, two.owner, { name: 'a' })
    await created(world, two.owner, { name: 'a', language: 'de' })
    await created(world, stranger.owner, { name: 'a', externalId: '1' })
    const found = async (externalId: string | null, called: string | null, language: string | null) =>
      idsOf(await templates.ofAccount(one.accountId, { externalId, name: called, language })).toSorted()
    t.deepEqual(await found('1', 'a', 'en-US'), [known.id, unknown.id].toSorted())
    t.deepEqual(await found('1', 'b', 'en_US'), [known.id])
    t.deepEqual(await found('1', null, null), [known.id])
    t.deepEqual(await found('2', 'a', 'EN_us'), [known.id, unknown.id].toSorted())
    t.deepEqual(await found(null, 'a', null), [])
    t.deepEqual(await found(null, null, 'en_US'), [])
  })

  // [templates.scope.5]
  test(`${name}: the templates of a number go with it, those of an account with its last number in the tenant`, async (t) => {
    const world = makeWorld()
    const { numbers, templates } = world.stores
    const tenantId = await newTenant(world)
    const one = await accountOf(world, tenantId)
    const two = await accountOf(world, tenantId, one.accountId)
    const elsewhere = await accountOf(world, await newTenant(world), one.accountId)
    const local = await unofficialNumber(world, tenantId)
    const rows = [
      await created(world, one.owner),
      await created(world, elsewhere.owner),
      await created(world, ownerOf(local)),
    ] as const
    const isThere = async () =>
      (await Promise.all(rows.map(({ id }) => templates.change(id, () => ({ kind: 'KEEP' }))))).map(
        (row) => row !== null,
      )
    await numbers.remove(tenantId, local.id)
    t.deepEqual(await isThere(), [true, true, false])
    await numbers.remove(tenantId, one.number.id)
    t.deepEqual(await isThere(), [true, true, false])
    await numbers.remove(tenantId, two.number.id)
    t.deepEqual(await isThere(), [false, true, false])
    t.deepEqual(await templates.tenantsOf(one.accountId), [elsewhere.tenantId])
  })

  test(`${name}: an account lasts while numbers of it come and go at once`, async (t) => {
    const world = makeWorld()
    const tenantId = await newTenant(world)
    const accountId = randomId()
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await accountOf(world, tenantId, accountId), await accountOf(world, tenantId, accountId)]
      const remove = ({ number }: typeof one) => world.stores.numbers.remove(tenantId, number.id)
      const [made, , , template] = await Promise.all([
        accountOf(world, tenantId, accountId),
        remove(one),
        remove(two),
        world.stores.templates.create(newTemplate(world, one.owner)),
      ])
      t.true(['created', 'gone'].includes(template.kind))
      t.is((await world.stores.templates.create(newTemplate(world, made.owner))).kind, 'created')
      await remove(made)
      t.deepEqual(await world.stores.templates.tenantsOf(accountId), [])
    }
  })

  test(`${name}: a request to the upstream is taken by one node once its lease has ended`, async (t) => {
    const world = makeWorld(Date.UTC(2007, 0, 1))
    const { templates } = world.stores
    const { owner } = await accountOf(world, await newTenant(world))
    const ask = { ask: { kind: 'CREATE' }, askedUntil: new Date(world.clock.now() + HOUR_MS) } as const
    const mine = [await created(world, owner, ask), await created(world, owner, ask)]
    await created(world, owner, { askedUntil: new Date(0) })
    const take = async () => (await templates.takeAsked(1_000, HOUR_MS)).filter(({ id }) => idsOf(mine).includes(id))
    t.deepEqual(await take(), [])
    world.clock.advance(HOUR_MS)
    const taken = (await Promise.all([take(), take(), take()])).flat()
    t.deepEqual(idsOf(taken).toSorted(), idsOf(mine).toSorted())
    t.true(taken.every(({ askedUntil }) => askedUntil?.getTime() === world.clock.now() + HOUR_MS))
    world.clock.advance(HOUR_MS)
    t.is((await take()).length, 2, 'whoever took them was killed')
    for (const { id } of mine) await templates.change(id, () => ({ kind: 'CHANGE', patch: { ask: null } }))
    world.clock.advance(HOUR_MS)
    t.deepEqual(await take(), [])
    t.is((await templates.change(mine[0]?.id ?? newId('tpl'), () => ({ kind: 'KEEP' })))?.template.askedUntil, null)
  })
}
