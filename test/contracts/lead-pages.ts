import type { TestFn } from 'ava'
import type { LeadFormSettings } from '../../src/domain/lead.ts'
import type { LeadPageScope } from '../../src/ports/stores/lead-page-store.ts'
import { toDate } from '../../src/storage/engine/rows.ts'
import {
  captured,
  HOUR_MS,
  linked,
  madeNumber,
  MINUTE_MS,
  newNotice,
  newPage,
  NOON,
  rowsOf,
  SECOND_MS,
  stored,
  upstreamDigits,
} from './lead-world.ts'
import type { MakeWorld } from './world.ts'

const NOTHING_SET: LeadFormSettings = { consentKey: null, autoSend: null }

/** Pages, and the settings of their forms. */
export function leadPageSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  // [leads.scope.2]
  test(`${name}: a Page is linked once in the whole installation, and to a number that is there`, async (t) => {
    const world = makeWorld(NOON)
    const { leadPages } = world.stores
    const [one, stranger] = [await madeNumber(world), await madeNumber(world)]
    const page = newPage(one)
    const made = await leadPages.create(page)
    const { accessToken: _token, appSecret: _secret, ...shown } = page
    const expected = {
      ...shown,
      isTokenValid: true,
      pendingLeads: 0,
      lastLeadAt: null,
      createdAt: new Date(NOON),
      updatedAt: new Date(NOON),
    }
    t.deepEqual(made, { kind: 'created', page: expected })
    t.deepEqual(await leadPages.load(page.pageId), {
      page: expected,
      secrets: { accessToken: page.accessToken, tokenVersion: 1, appSecret: page.appSecret },
    })
    for (const owner of [one, stranger])
      t.deepEqual(await leadPages.create(newPage(owner, { pageId: page.pageId })), { kind: 'taken' })
    t.deepEqual(await leadPages.create(newPage(one, { tenantId: stranger.tenantId })), { kind: 'gone' })
    await world.stores.numbers.remove(stranger.tenantId, stranger.number.id)
    t.deepEqual(await leadPages.create(newPage(stranger)), { kind: 'gone' })
    const both = await Promise.all([1, 2, 3].map(() => leadPages.create(newPage(one, { pageId: `${page.pageId}9` }))))
    t.deepEqual(both.map(({ kind }) => kind).toSorted(), ['created', 'taken', 'taken'])
  })

  test(`${name}: a tenant sees its own Pages, and of a number those of that`, async (t) => {
    const world = makeWorld(NOON)
    const { leadPages } = world.stores
    const first = await linked(world)
    const second = await linked(world, {}, await madeNumber(world, {}, first.tenantId))
    world.clock.advance(SECOND_MS)
    const third = await linked(world, {}, first)
    const stranger = await linked(world)
    const of = (tenantId: LeadPageScope['tenantId'], numberId: LeadPageScope['numberId'] = null): LeadPageScope => ({
      tenantId,
      numberId,
    })
    const ids = async (scope: LeadPageScope) => (await leadPages.list(scope)).map(({ pageId }) => pageId)
    t.deepEqual(await ids(of(first.tenantId)), [
      ...[first, second].map(({ page }) => page.pageId).toSorted(),
      third.page.pageId,
    ])
    t.deepEqual(await ids(of(first.tenantId, first.number.id)), [first.page.pageId, third.page.pageId])
    t.deepEqual(await ids(of(stranger.tenantId, first.number.id)), [])
    const none = [of(stranger.tenantId), of(first.tenantId, second.number.id), of(stranger.tenantId, first.number.id)]
    for (const scope of none) {
      t.is(await leadPages.find(scope, first.page.pageId), null)
      t.is(await leadPages.patch(scope, first.page.pageId, { pageName: 'Mine' }), null)
      t.false(await leadPages.setForm(scope, first.page.pageId, '77', { ...NOTHING_SET, consentKey: 'x' }))
      t.false(await leadPages.remove(scope, first.page.pageId))
    }
    t.like(await leadPages.find(of(first.tenantId, first.number.id), first.page.pageId), { pageName: 'Bakery' })
    t.deepEqual(await leadPages.formSettings(first.page.pageId, '77'), NOTHING_SET)
    t.is(await leadPages.load('404'), null)
  })

  test(`${name}: a patch changes what it names; a dead token stays dead until there is another`, async (t) => {
    const world = makeWorld(NOON)
    const { leadPages } = world.stores
    const { tenantId, number, page } = await linked(world)
    const [scope, stranger] = [{ tenantId, numberId: null }, await madeNumber(world)]
    world.clock.advance(MINUTE_MS)
    t.like(await leadPages.patch(scope, page.pageId, { pageName: null, webhookStatus: 'OTHER_CALLBACK' }), {
      pageName: null,
      webhookStatus: 'OTHER_CALLBACK',
      updatedAt: new Date(NOON + MINUTE_MS),
    })
    await leadPages.tokenDied(page.pageId, 1)
    t.like(await leadPages.patch(scope, page.pageId, { appSecret: 'second secret' }), { isTokenValid: false })
    t.like((await leadPages.load(page.pageId))?.secrets, {
      accessToken: page.accessToken,
      tokenVersion: 1,
      appSecret: 'second secret',
    })
    t.deepEqual([await leadPages.appSecretsOf(page.appId)], [['second secret']])
    t.like(await leadPages.patch(scope, page.pageId, { accessToken: 'EAAsecond' }), {
      isTokenValid: true,
      channelNumberId: number.id,
    })
    t.like((await leadPages.load(page.pageId))?.secrets, { accessToken: 'EAAsecond', tokenVersion: 2 })
    await leadPages.tokenDied(page.pageId, 1)
    t.like(
      await leadPages.find(scope, page.pageId),
      { isTokenValid: true },
      'what was said of the token before counts for nothing',
    )
    t.is(await leadPages.patch(scope, page.pageId, { channelNumberId: stranger.number.id, pageName: 'Stolen' }), 'gone')
    t.is(await leadPages.patch(scope, page.pageId, { channelNumberId: 'num_unknown' }), 'gone')
    t.like(await leadPages.find(scope, page.pageId), { pageName: null, channelNumberId: number.id })
    t.is(await leadPages.patch(scope, '404', { channelNumberId: number.id }), null)
  })

  test(`${name}: a token that is taken again is good again, and what waits for it is due, unless it was replaced meanwhile`, async (t) => {
    const world = makeWorld(NOON)
    const { leadPages, leadNotices } = world.stores
    const { page } = await linked(world)
    const notice = newNotice(page)
    await leadNotices.acceptFound(page.pageId, [notice])
    const dueAt = async () =>
      (await rowsOf(world, 'lead_notices', 'leadgen_id', notice.leadgenId)).map(
        ({ due_at: at }) => toDate(String(at)).getTime() - NOON,
      )
    world.clock.advance(MINUTE_MS)
    await leadPages.tokenLives(page.pageId, 1)
    t.deepEqual(
      [await dueAt(), (await leadPages.load(page.pageId))?.secrets.tokenVersion],
      [[0], 1],
      'one that is good stays as it is',
    )
    await leadPages.tokenDied(page.pageId, 1)
    await leadPages.tokenLives(page.pageId, 0)
    t.false((await leadPages.load(page.pageId))?.page.isTokenValid)
    await leadPages.tokenLives(page.pageId, 1)
    t.like(await leadPages.load(page.pageId), {
      page: { isTokenValid: true },
      secrets: { accessToken: page.accessToken, tokenVersion: 2 },
    })
    t.deepEqual(await dueAt(), [MINUTE_MS])
    await leadPages.tokenDied(page.pageId, 1)
    t.true((await leadPages.load(page.pageId))?.page.isTokenValid, 'what was said of it before counts for nothing')
    await leadPages.tokenLives('404', 1)
  })

  test(`${name}: secrets of an app are those of all its Pages, each once`, async (t) => {
    const world = makeWorld(NOON)
    const { leadPages } = world.stores
    const appId = upstreamDigits()
    for (const appSecret of ['one', 'two', 'one']) await linked(world, { appId, appSecret })
    await linked(world, { appSecret: 'three' })
    t.deepEqual((await leadPages.appSecretsOf(appId)).toSorted(), ['one', 'two'])
    t.deepEqual(await leadPages.appSecretsOf('404'), [])
  })

  // [leads.pages.4]
  test(`${name}: tokens and secrets are sealed at rest, each for its own Page, and no digest of a secret is that of another app`, async (t) => {
    const world = makeWorld(NOON)
    const [one, other] = [await linked(world), await linked(world)]
    const raw = await world.rawTable('lead_pages')
    for (const secret of [one.page.accessToken, one.page.appSecret]) t.false(raw.includes(secret))
    const rows = await Promise.all(
      [one, other].map(async ({ page }) => (await rowsOf(world, 'lead_pages', 'page_id', page.pageId))[0]),
    )
    t.not(rows[0]?.['app_secret_digest'], rows[1]?.['app_secret_digest'])
    t.not(rows[0]?.['app_secret_digest'], undefined)
  })

  // [leads.routes.9]
  test(`${name}: settings of a form are replaced as a whole, and are of one Page`, async (t) => {
    const world = makeWorld(NOON)
    const { leadPages } = world.stores
    const [one, other] = [await linked(world), await linked(world)]
    const scope = { tenantId: one.tenantId, numberId: one.number.id }
    const settings: LeadFormSettings = {
      consentKey: 'yes',
      autoSend: {
        templateId: 'tpl_x',
        variables: { 1: { field: 'a', fallback: 'b"\u0000' }, 2: { value: '🙂' } },
        onlyWithConsent: true,
        skipRecentConversationDays: 7,
      },
    }
    t.true(await leadPages.setForm(scope, one.page.pageId, '77', settings))
    t.true(await leadPages.setForm(scope, one.page.pageId, '78', { ...NOTHING_SET, consentKey: 'also' }))
    t.deepEqual(await leadPages.formSettings(one.page.pageId, '77'), settings)
    t.deepEqual(
      await leadPages.allFormSettings(one.page.pageId),
      new Map([
        ['77', settings],
        ['78', { ...NOTHING_SET, consentKey: 'also' }],
      ]),
    )
    t.deepEqual(
      [
        await leadPages.formSettings(other.page.pageId, '77'),
        (await leadPages.allFormSettings(other.page.pageId)).size,
      ],
      [NOTHING_SET, 0],
    )
    t.true(await leadPages.setForm(scope, one.page.pageId, '77', NOTHING_SET))
    t.deepEqual(await leadPages.formSettings(one.page.pageId, '77'), NOTHING_SET)
    t.false(await leadPages.setForm(scope, '404', '77', settings))
  })

  test(`${name}: a Page goes with its notices and its settings, alone or with its number, and may be linked again by anybody`, async (t) => {
    const world = makeWorld(NOON)
    const { leadPages, leadNotices, numbers } = world.stores
    const [one, stranger] = [await linked(world), await madeNumber(world)]
    const scope = { tenantId: one.tenantId, numberId: null }
    const fill = async (page: typeof one.page) => {
      await leadPages.setForm({ tenantId: page.tenantId, numberId: null }, page.pageId, '77', {
        ...NOTHING_SET,
        consentKey: 'yes',
      })
      t.is(await leadNotices.accept(page.appId, page.appSecret, [newNotice(page)]), 1)
    }
    await fill(one.page)
    t.true(await leadPages.remove(scope, one.page.pageId))
    t.false(await leadPages.remove(scope, one.page.pageId))
    const left = async () =>
      (
        await Promise.all(
          ['lead_pages', 'lead_forms', 'lead_notices'].map((table) => rowsOf(world, table, 'page_id', one.page.pageId)),
        )
      ).flat()
    t.deepEqual(await left(), [])
    const again = await linked(world, { pageId: one.page.pageId }, stranger)
    t.deepEqual(await leadPages.formSettings(one.page.pageId, '77'), NOTHING_SET)
    await fill(again.page)
    await numbers.remove(stranger.tenantId, stranger.number.id)
    t.deepEqual(await left(), [])
  })
}

/** Sweeps and notices act on all Pages by the clock of one test, so these tests run one after another. */
export function leadSweepSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test.serial(
    `${name}: a Page with a good token is swept an hour after it was linked, then every hour, by one node each time`,
    async (t) => {
      const world = makeWorld(Date.UTC(2012, 0, 1))
      const { leadPages } = world.stores
      const [good, dead] = [await linked(world), await linked(world)]
      await leadPages.tokenDied(dead.page.pageId, 1)
      const swept = async () => {
        const taken = (await Promise.all([1, 2, 3].map(() => leadPages.takeSweeps(1_000, HOUR_MS)))).flat()
        return taken.filter((id) => id === good.page.pageId || id === dead.page.pageId)
      }
      world.clock.advance(HOUR_MS - 1)
      t.deepEqual(await swept(), [])
      world.clock.advance(1)
      t.deepEqual(await swept(), [good.page.pageId])
      t.deepEqual(await swept(), [])
      await leadPages.patch({ tenantId: dead.tenantId, numberId: null }, dead.page.pageId, { accessToken: 'EAAsecond' })
      t.deepEqual(await swept(), [dead.page.pageId])
      world.clock.advance(HOUR_MS)
      t.deepEqual((await swept()).toSorted(), [good.page.pageId, dead.page.pageId].toSorted())
    },
  )

  test.serial(`${name}: a new token makes what waits for it due at once, and nothing of another Page`, async (t) => {
    const now = Date.UTC(2012, 1, 1)
    const world = makeWorld(now)
    const [one, other] = [await linked(world), await linked(world)]
    for (const { page } of [one, other]) {
      const notice = newNotice(page)
      await world.stores.leadNotices.accept(page.appId, page.appSecret, [notice])
      const [taken] = (await world.stores.leadNotices.take(1_000, 1_000, { by: 'taker', leaseMs: MINUTE_MS })).filter(
        ({ leadgenId }) => leadgenId === notice.leadgenId,
      )
      if (!taken) return t.fail('nothing was taken')
      await world.stores.leadNotices.postpone(taken, new Date(now + HOUR_MS), true)
    }
    await world.stores.leadPages.patch({ tenantId: one.tenantId, numberId: null }, one.page.pageId, {
      accessToken: 'EAAsecond',
    })
    const dues = await Promise.all(
      [one, other].map(async ({ page }) =>
        (await rowsOf(world, 'lead_notices', 'page_id', page.pageId)).map((row) =>
          toDate(String(row['due_at'])).getTime(),
        ),
      ),
    )
    t.deepEqual(dues, [[now], [now + HOUR_MS]])
  })

  test(`${name}: a Page says when its last lead came`, async (t) => {
    const world = makeWorld(NOON)
    const { tenantId, page } = await linked(world)
    const at = async () => (await world.stores.leadPages.find({ tenantId, numberId: null }, page.pageId))?.lastLeadAt
    await stored(world, captured(page))
    world.clock.advance(MINUTE_MS)
    await stored(world, captured(page))
    t.deepEqual(await at(), new Date(NOON + MINUTE_MS))
  })
}
