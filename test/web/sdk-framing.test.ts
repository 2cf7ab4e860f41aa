import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { OwnBranding } from '../../src/domain/branding.ts'
import { newId } from '../../src/domain/ids.ts'
import type { NumberId } from '../../src/domain/ids.ts'
import { inBrowser, sharedBrowser, usesBrowser } from '../helpers/browser.ts'
import { mint } from '../helpers/embeds.ts'
import { World } from '../helpers/world.ts'
import type { Client } from '../helpers/http-app.ts'
import { servePages } from '../helpers/pages.ts'
import { openHostPage, serveHosts } from '../helpers/scripted-embed.ts'
import type { HostPage, Hosts } from '../helpers/scripted-embed.ts'
import { SHOWN_CODE } from '../helpers/scripted-link.ts'
import { until } from '../helpers/until.ts'

const browser = sharedBrowser(test)
let world: World
let client: Client
let hosts: Hosts
const ends: (() => unknown)[] = []

test.before(async () => {
  if (!usesBrowser) return
  const t = { teardown: (end: () => unknown) => void ends.push(end) }
  world = new World()
  client = await servePages(t as ExecutionContext, world)
  hosts = await serveHosts(t, client.url)
})
test.after.always(async () => {
  for (const end of ends) await end()
})

/** A link of a new number, which a connect session with these origins covers. */
async function linkFor(
  allowedOrigins: readonly string[],
  digits: string,
  branding: OwnBranding | null = null,
): Promise<{ readonly token: string; readonly numberId: NumberId }> {
  const { number } = world.addNumber(world.tenantId, digits, {
    state: 'CLOSE',
    isFullyConnected: false,
    isPaired: false,
  })
  if (allowedOrigins.length > 0)
    await mint(client, world, { surface: 'connect', channelNumberIds: [number.id], allowedOrigins })
  const token = await world.pairing.issue({
    tenantId: number.tenantId,
    numberId: number.id,
    branding,
    redirectUrl: 'https://acme.example/done',
    expiresAt: new Date(world.clock.now() + 60_000),
  })
  return { token, numberId: number.id }
}

async function mounted(t: ExecutionContext, token: string, url: string = hosts.host): Promise<HostPage> {
  const host = await openHostPage(t, browser(), url)
  await host.page.evaluate(`globalThis.handle = Channel.connect.mount('#target', recorded({ token: '${token}' }))`)
  return host
}

inBrowser(
  'in a dialog nothing lies below the button that closes it: neither whose page it is, nor what comes into the way',
  async (t) => {
    const { token } = await linkFor([hosts.host], '5511900000011', {
      companyName: 'A company of a name that is as long as it may ever be, 60 of',
    })
    const host = await openHostPage(t, browser(), hosts.host)
    await host.context.route(/\/self\/(?:connect|status)/, (route) =>
      route.fulfill({
        json: { state: 'CONNECTING', isFullyConnected: false, numberId: null, reason: null, ...SHOWN_CODE },
      }),
    )
    await host.page.evaluate(`globalThis.handle = Channel.connect.open(recorded({ token: '${token}' }))`)
    const frame = host.page.frameLocator('dialog iframe')
    const leftOfButton = async (what: string): Promise<boolean> => {
      const [words, button] = [
        await frame.locator(what).boundingBox(),
        await host.page.locator('dialog button').boundingBox(),
      ]
      return words !== null && button !== null && words.x + words.width <= button.x
    }
    await frame.locator('[data-qr]').waitFor()
    t.true(await leftOfButton('.brand > div'))
    await host.context.setOffline(true)
    t.true(await leftOfButton('.notice p'))
    await host.context.setOffline(false)
    await host.page.evaluate('handle.destroy()')
  },
)

async function toldCode(host: HostPage): Promise<string> {
  const call = await until('an error is told', async () => {
    await host.page.clock.runFor(1_000)
    return (await host.seen()).find((one) => one.startsWith('onError '))
  })
  return (JSON.parse(call.slice('onError '.length)) as { code: string }).code
}

inBrowser(
  'the page of a link is shown inside an allowed origin, as high as it is, and nothing of the policy is broken',
  async (t) => {
    const { token } = await linkFor([hosts.host], '5511900000001')
    const host = await mounted(t, token)
    await until('the page is ready', async () => (await host.seen()).includes('onReady'))
    const frame = host.page.frames()[1]
    await until(
      'a state is drawn',
      async () => await frame?.evaluate(`document.querySelector('main[data-view=page][data-state]') !== null`),
    )
    await until('the frame is as high as the page', () =>
      host.page.evaluate(`handle.iframe.offsetHeight !== 560 && handle.iframe.offsetHeight > 100`),
    )
    t.deepEqual(
      host.written.filter((line) => /policy|violates|uncaught/i.test(line)),
      [],
    )
  },
)

inBrowser(
  'an origin that is not listed, one of another port too, is refused by the browser and told by the SDK',
  async (t) => {
    const { token } = await linkFor([hosts.host, 'https://localhost'], '5511900000002')
    const host = await mounted(t, token, hosts.otherHost)
    t.is(await toldCode(host), 'ORIGIN_NOT_ALLOWED')
    const port = await mounted(t, token, hosts.otherPort)
    t.is(await toldCode(port), 'ORIGIN_NOT_ALLOWED')
  },
)

inBrowser(
  'a link without a live session and an unknown link can be framed by nobody and are reported alike',
  async (t) => {
    const { token } = await linkFor([], '5511900000003')
    for (const one of [token, newId('rp')]) t.is(await toldCode(await mounted(t, one)), 'SESSION_NOT_LIVE')
  },
)

inBrowser('an allowed page inside one that is not listed shows nothing, and the outer one is named', async (t) => {
  const { token } = await linkFor([hosts.host], '5511900000004')
  const outer = await openHostPage(t, browser(), `${hosts.otherHost}/?bare`)
  await outer.page.evaluate(`document.getElementById('target').innerHTML = '<iframe src="${hosts.host}/"></iframe>'`)
  const inner = await until('the page inside is there', async () => {
    const frame = outer.page.frames()[1]
    return frame && (await frame.evaluate('!!globalThis.Channel').catch(() => false)) ? frame : null
  })
  await inner.evaluate(
    `globalThis.told = []; Channel.connect.mount('#target', { token: '${token}', onReady: () => told.push('ready'), onError: ({ code, hint }) => told.push(code + ' ' + hint) })`,
  )
  const told = await until('an error is told', async () => {
    await outer.page.clock.runFor(1_000)
    return await inner.evaluate<string | undefined>('told[0]')
  })
  t.true(told.startsWith('ORIGIN_NOT_ALLOWED') && told.includes(hosts.otherHost), told)
})

// [sdk.calls.9]
inBrowser(
  'a link that was used is told as paired, with its number; one that is revoked or expired as expired',
  async (t) => {
    const used = await linkFor([hosts.host], '5511900000005')
    await world.pairing.consume(used.numberId)
    const host = await mounted(t, used.token)
    const call = await until('it is told', async () => (await host.seen()).find((one) => one.startsWith('onPaired')))
    t.is(JSON.parse(call.slice('onPaired '.length)).numberId, used.numberId)

    const revoked = await linkFor([hosts.host], '5511900000006')
    await world.pairing.issue({
      tenantId: world.tenantId,
      numberId: revoked.numberId,
      branding: null,
      redirectUrl: null,
      expiresAt: new Date(world.clock.now() + 60_000),
    })
    const expired = await linkFor([hosts.host], '5511900000007')
    world.clock.advance(60_000)
    for (const { token } of [revoked, expired]) {
      const over = await mounted(t, token)
      await until('it is told', async () => (await over.seen()).includes('onExpired'))
    }
  },
)

// [inbox.frame.12] [sdk.errors.3]
inBrowser(
  'another link takes the place of the first where its host may frame it, and is refused by name where not',
  async (t) => {
    const [first, foreign] = [
      await linkFor([hosts.host], '5511900000008'),
      await linkFor([hosts.otherHost], '5511900000009'),
    ]
    const host = await mounted(t, first.token)
    await until('the page is ready', async () => (await host.seen()).includes('onReady'))
    for (const [token, code] of [
      [foreign.token, 'ORIGIN_NOT_ALLOWED'],
      [newId('rp'), 'TOKEN_INVALID'],
    ] as const) {
      await host.page.evaluate(`seen.length = 0; handle.setToken('${token}')`)
      const call = await until('it is refused', async () =>
        (await host.seen()).find((one) => one.startsWith('onError')),
      )
      t.is(JSON.parse(call.slice('onError '.length)).code, code)
    }
  },
)

inBrowser('a number that is paired while the page is shown is told once, and the page stays where it is', async (t) => {
  const { token, numberId } = await linkFor([hosts.host], '5511900000010')
  const host = await mounted(t, token)
  await until('the page is ready', async () => (await host.seen()).includes('onReady'))
  const number = world.numbers.rows.get(numberId)
  if (number) world.numbers.rows.set(numberId, { ...number, state: 'OPEN', isFullyConnected: true, isPaired: true })
  await world.pairing.consume(numberId)
  await until('it is told', async () => {
    await host.page.clock.runFor(1_000)
    return (await host.seen()).some((call) => call.startsWith('onPaired'))
  })
  await host.page.clock.runFor(10_000)
  t.deepEqual(
    (await host.seen()).filter((call) => call.startsWith('onPaired')),
    [`onPaired ${JSON.stringify({ numberId, redirectUrl: 'https://acme.example/done' })}`],
  )
  t.is(new URL(host.page.url()).origin, hosts.host)
  t.true(host.page.frames()[1]?.url().startsWith(`${client.url}/connect?h=`))
  t.true(
    host.asked.some((request) => request.includes('/v1/remote-pairing/self')),
    'requests of the frame were looked at',
  )
  const documents = await Promise.all(
    host.page.frames().map((frame) => frame.evaluate<string>('document.documentElement.outerHTML + document.cookie')),
  )
  t.false([...host.asked, ...host.written, ...documents].join('\n').includes(token))
})
