import test from 'ava'
import type { Frame } from 'playwright-core'
import { newId } from '../../src/domain/ids.ts'
import { inBrowser } from '../helpers/browser.ts'
import { ALL_ON } from '../helpers/features.ts'
import { openHostPage } from '../helpers/scripted-embed.ts'
import type { HostPage } from '../helpers/scripted-embed.ts'
import { sdkWorld } from '../helpers/sdk-world.ts'
import { until } from '../helpers/until.ts'

const LINK = newId('rp')
const CHAT = `${newId('emb')}.${'a'.repeat(43)}`
const NEXT_CHAT = `${newId('emb')}.${'b'.repeat(43)}`

const sdk = sdkWorld(test, ({ host }) => [host])

const mountConnect = `globalThis.handle = Channel.connect.mount('#target', recorded({ token: '${LINK}' }))`
const mountChat = `globalThis.handle = Channel.chat.mount('#target', recorded({ token: '${CHAT}', height: 400, title: 'Support', features: { archive: false } }))`
const ENVELOPE = `{ source: 'channel-embed', v: 1 }`

/** The source code of the message that hands a token to a frame. */
function init(token: string): string {
  return `{ ...${ENVELOPE}, type: 'init', payload: { v: 1, token: '${token}', locale: null, theme: { mode: 'auto', primary: null, background: null, radius: null, density: null }, options: {} } }`
}

async function heard(frame: Frame, count: number): Promise<unknown[]> {
  return until(`the frame hears ${count}`, async () => {
    const all: unknown[] = await frame.evaluate('heard')
    return all.length >= count ? all : null
  })
}

async function sees(host: HostPage, ...wanted: string[]): Promise<void> {
  await until(`the host is called: ${wanted.join(', ')}`, async () => (await host.seen()).length >= wanted.length)
}

// [inbox.frame.5] [inbox.frame.10] [inbox.frame.12] [sdk.calls.2] [sdk.calls.8] [sdk.calls.12]
inBrowser('the host hears that a frame is ready, then its unread count, then the rest as it comes', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(mountChat)
  const frame = await host.met()
  t.deepEqual(await frame.evaluate('[host.init.token, host.init.options]'), [
    CHAT,
    { mode: null, isModal: false, title: 'Support', conversationId: null, features: { ...ALL_ON, archive: false } },
  ])
  await frame.evaluate(
    `host.tell('chat:unread-count', { count: 3 }); host.tell('ready', {}); host.tell('chat:unread-count', { count: 4 }); host.tell('chat:conversation-opened', { conversationId: 'conv_1', channelNumberId: 'num_1' }); host.tell('ready', {})`,
  )
  await sees(host, 'four')
  await until('all is told', async () => (await host.seen()).length === 4)
  t.deepEqual(await host.seen(), [
    'onReady',
    'onUnreadCount 3',
    'onUnreadCount 4',
    'onConversationOpened {"conversationId":"conv_1","channelNumberId":"num_1"}',
  ])
  await host.page.evaluate(`handle.openConversation('conv_2'); handle.focus()`)
  t.deepEqual(await heard(frame, 2), [
    { type: 'chat:open-conversation', payload: { conversationId: 'conv_2' } },
    { type: 'focus', payload: {} },
  ])
})

inBrowser('calls of the host before the frame is ready are kept for it', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(`${mountChat}; handle.openConversation('conv_9')`)
  t.deepEqual(await heard(await host.met(), 1), [
    { type: 'chat:open-conversation', payload: { conversationId: 'conv_9' } },
  ])
})

// [inbox.frame.8] [inbox.frame.12]
inBrowser('the end of a session is told once, and a new token goes on in place', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(mountChat)
  const frame = await host.met()
  await frame.evaluate(
    `host.tell('session-expired', { reason: 'REVOKED' }); host.tell('session-expired', { reason: 'EXPIRED' }); host.tell('ready', {})`,
  )
  await until('it is ready', async () => (await host.seen()).includes('onReady'))
  t.deepEqual(await host.seen(), ['onSessionExpired {"reason":"REVOKED"}', 'onReady'])
  t.deepEqual(await host.page.evaluate(`[codeOf(() => handle.setToken('')), codeOf(() => handle.setToken('other'))]`), [
    'TOKEN_MISSING',
    'TOKEN_INVALID',
  ])
  await host.page.evaluate(`handle.setToken('${NEXT_CHAT}')`)
  t.deepEqual(await heard(frame, 1), [{ type: 'set-token', payload: { token: NEXT_CHAT } }])
  await frame.evaluate(`host.tell('session-expired', { reason: 'EXPIRED' })`)
  await until('it is told again', async () => (await host.seen()).length === 3)
  t.is(host.page.frames().length, 2)
})

inBrowser('with fetchToken the host hears of no end, unless that fails', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(
    `globalThis.tokens = ['${CHAT}', '${NEXT_CHAT}']; globalThis.handle = Channel.chat.mount('#target', recorded({ height: 300, fetchToken: async () => tokens.shift() ?? Promise.reject(new Error('no')) }))`,
  )
  const frame = await host.met()
  t.is(await frame.evaluate('host.init.token'), CHAT)
  await frame.evaluate(`host.tell('session-expired', { reason: 'EXPIRED' })`)
  t.deepEqual(await heard(frame, 1), [{ type: 'set-token', payload: { token: NEXT_CHAT } }])
  t.deepEqual(await host.seen(), [])
  await frame.evaluate(`host.tell('session-expired', { reason: 'EXPIRED' })`)
  await until('it is told', async () => (await host.seen()).length === 1)
  t.deepEqual(await host.seen(), ['onSessionExpired {"reason":"EXPIRED"}'])
})

// [inbox.frame.7]
inBrowser('a frame that is loaded anew is handed the token it was given last', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(mountChat)
  const refreshed = `${CHAT.split('.')[0]}.${'c'.repeat(43)}`
  await (
    await host.met()
  ).evaluate(
    `host.tell('token-refreshed', { token: '${refreshed}', expiresAt: '2030-01-01T00:00:00.000Z' }); host.tell('ready', {})`,
  )
  await until('it is ready', async () => (await host.seen()).includes('onReady'))
  await host.page.evaluate(
    `globalThis.moved = document.createElement('section'); document.body.append(moved); moved.append(handle.iframe)`,
  )
  const again = await until('it is handed over again', async () => {
    const frame = host.page.frames()[1]
    return frame
      && (await frame.evaluate('globalThis.heard && globalThis.host?.init.token').catch(() => null)) === refreshed
      ? frame
      : null
  })
  await again.evaluate(`host.tell('ready', {}); host.tell('chat:unread-count', { count: 1 })`)
  await until('the new document is heard', async () => (await host.seen()).includes('onUnreadCount 1'))
  t.deepEqual(await host.seen(), ['onReady', 'onUnreadCount 1'])
})

// [inbox.frame.9] [inbox.frame.12] [sdk.errors.1] [sdk.errors.3]
inBrowser('a token that the frame refuses is told as an error once, by its code', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(mountConnect)
  const frame = await host.met()
  await frame.evaluate(`globalThis.refusal = { code: 'ORIGIN_NOT_ALLOWED', message: 'Add it' }`)
  await host.page.evaluate(`handle.setToken('${newId('rp')}')`)
  await until('it is told', async () => (await host.seen()).length === 1)
  t.deepEqual(await host.seen(), ['onError {"code":"ORIGIN_NOT_ALLOWED","message":"Add it","hint":"Add it"}'])
  t.deepEqual(await frame.evaluate('heard'), [])
  t.is(host.written.filter((line) => line.includes('ORIGIN_NOT_ALLOWED')).length, 1)
})

// [inbox.frame.11]
inBrowser('outcomes of a link are told once each, and again for another link', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(mountConnect)
  const frame = await host.met()
  const tell = `for (const time of [1, 2]) { host.tell('connect:paired', { numberId: 'num_1', redirectUrl: 'https://a.example/' }); host.tell('connect:expired', {}); host.tell('connect:error', { code: 'BANNED', message: 'The number is banned' }) }`
  await frame.evaluate(tell)
  await until('all is told', async () => (await host.seen()).length === 3)
  await host.page.evaluate(`handle.setToken('${newId('rp')}')`)
  await heard(frame, 1)
  await frame.evaluate(tell)
  await until('all is told again', async () => (await host.seen()).length === 6)
  const told = [
    'onPaired {"numberId":"num_1","redirectUrl":"https://a.example/"}',
    'onExpired',
    'onError {"code":"BANNED","message":"The number is banned","hint":"The number is banned"}',
  ]
  t.deepEqual(await host.seen(), [...told, ...told])
})

// [inbox.frame.13]
inBrowser('window messages after the handshake, from wherever, change nothing at the host', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(mountChat)
  const frame = await host.met()
  const forged = `window.FORGED = ['session-expired', 'chat:unread-count', 'connect:paired', 'error', 'ready'].map((type) => ({ ...${ENVELOPE}, type, payload: { reason: 'REVOKED', count: 9, numberId: 'x', redirectUrl: null, code: 'A', message: 'B' } }))`
  // Senders that must be ignored: another frame of the same host, the host itself, and the embed's own frame.
  await host.page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<iframe id="other" src="/?bare"></iframe>')`)
  const other = await until('the other frame is there', () =>
    host.page.frames().find((one) => one.url().endsWith('/?bare')),
  )
  await other.evaluate(`${forged}; for (const message of FORGED) parent.postMessage(message, '*')`)
  await host.page.evaluate(`${forged}; for (const message of FORGED) postMessage(message, '*')`)
  await frame.evaluate(
    `${forged}; for (const message of FORGED) parent.postMessage(message, '*'); host.tell('ready', {})`,
  )
  await until('it is ready', async () => (await host.seen()).includes('onReady'))
  t.deepEqual(await host.seen(), ['onReady'])
})

// [inbox.frame.2]
inBrowser('messages through the port that are not of the form are dropped', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(mountChat)
  const frame = await host.met()
  await frame.evaluate(
    `for (const [type, payload] of [['chat:unread-count', { count: '3' }], ['chat:unread-count', {}], ['session-expired', { reason: 'BORED' }], ['constructor', {}], ['set-token', { token: 'x' }]]) host.tell(type, payload); host.tell('ready', {})`,
  )
  await until('it is ready', async () => (await host.seen()).includes('onReady'))
  t.deepEqual(await host.seen(), ['onReady'])
})

// [inbox.frame.4] [inbox.frame.13]
inBrowser(
  'a frame takes its token from its parent alone, of an allowed origin, in the right envelope, once',
  async (t) => {
    const host = await openHostPage(t, sdk.browser, sdk.world.host)
    await host.page
      .evaluate(`document.getElementById('target').innerHTML = '<iframe id="embed" src="${sdk.world.embed}/connect"></iframe><iframe id="evil" src="${sdk.world.otherHost}/?bare"></iframe><iframe id="evil2" src="/?bare"></iframe>'
    globalThis.embed = document.getElementById('embed'); globalThis.hellos = 0; globalThis.lasts = []
    addEventListener('message', ({ source, data }) => { if (source === embed.contentWindow) data.type === 'hello' ? hellos++ : lasts.push(data.type) })
    globalThis.send = (message, target = '${sdk.world.embed}') => embed.contentWindow.postMessage(message, target, [new MessageChannel().port2])`)
    await until('the frame says hello', () => host.page.evaluate('hellos > 0'))
    for (const place of ['/?bare', `${sdk.world.otherHost}/?bare`]) {
      const evil = await until('the other frame is there', () =>
        host.page.frames().find((one) => one.url().endsWith(place) && one !== host.page.mainFrame()),
      )
      await evil.evaluate(`parent.frames[0].postMessage(${init('forged')}, '*', [new MessageChannel().port2])`)
    }
    await host.page
      .evaluate(`send({ ...${init('version')}, v: 2 }); send({ ...${init('source')}, source: 'other' }); send({ ...${init('type')}, type: 'Init' }); const missing = ${init('missing')}; delete missing.payload.token; send(missing)
    embed.contentWindow.postMessage(${init('portless')}, '${sdk.world.embed}')`)
    await host.page.evaluate(`send(${init('first')}); send(${init('second')})`)
    const frame = await host.met()
    t.is(await frame.evaluate('host.init.token'), 'first')
    // Everything that the frame has sent so far arrives before this message.
    const last = async (text: string): Promise<unknown> => {
      await frame.evaluate(`parent.postMessage({ type: '${text}' }, '*')`)
      return await until(`${text} is heard`, () => host.page.evaluate(`lasts.includes('${text}')`))
    }
    await last('met')
    const said = await host.page.evaluate('hellos')
    await host.page.clock.runFor(3_000)
    await last('later')
    t.is(await host.page.evaluate('hellos'), said, 'it says hello no more')
  },
)

inBrowser('a frame neither greets a page that its document does not name nor takes a token from it', async (t) => {
  const host = await openHostPage(t, sdk.browser, `${sdk.world.host}/?bare`)
  const mount = `globalThis.all = []; addEventListener('message', ({ data }) => all.push(data)); document.getElementById('target').innerHTML = '<iframe src="${sdk.world.embed}/connect"></iframe>'`
  sdk.world.script.namedOrigins = [sdk.world.otherHost, sdk.world.embed]
  await host.page.evaluate(mount)
  await until(
    'the frame runs',
    async () =>
      await host.page
        .frames()[1]
        ?.evaluate('!!globalThis.heard')
        .catch(() => false),
  )
  await host.page.clock.runFor(2_000)
  t.deepEqual(await host.page.evaluate('all'), [])
  const frame = host.page.frames()[1]
  await frame?.evaluate(
    `globalThis.last = new Promise((resolve) => addEventListener('message', ({ data }) => data === 'last' && resolve())); 0`,
  )
  // This sender is the parent, but its origin is not listed. The last message arrives after the token would have been
  // taken, however fast the machine is.
  await host.page.evaluate(
    `const to = document.querySelector('iframe').contentWindow; to.postMessage(${init('unlisted')}, '${sdk.world.embed}', [new MessageChannel().port2]); to.postMessage('last', '${sdk.world.embed}')`,
  )
  await frame?.evaluate('last')
  t.is(await frame?.evaluate('globalThis.host === undefined'), true)
  sdk.world.script.namedOrigins = [sdk.world.otherHost, sdk.world.host]
  await host.page.evaluate(mount)
  await until('a parent that is named is greeted', () => host.page.evaluate('all.length > 0'))
  t.deepEqual(await host.page.evaluate('all[0]'), {
    source: 'channel-embed',
    v: 1,
    type: 'hello',
    payload: { surface: 'connect', versions: [1] },
  })
})

// [inbox.frame.3] [inbox.frame.4]
inBrowser(
  'a frame that was led to another origin gets no token, and a window that hears everything hears none',
  async (t) => {
    const host = await openHostPage(t, sdk.browser, sdk.world.host)
    sdk.world.script.isMute = true
    await host.page.evaluate(
      `globalThis.all = []; addEventListener('message', ({ data }) => all.push(JSON.stringify(data))); ${mountConnect}`,
    )
    const frame = await until('the frame is there', () =>
      host.page.frames().find((one) => one.url().startsWith(`${sdk.world.embed}/connect`)),
    )
    const hello = `parent.postMessage({ ...${ENVELOPE}, type: 'hello', payload: { surface: 'connect', versions: [1] } }, '*')`
    await frame.goto(`${sdk.world.otherHost}/?bare`)
    await frame.evaluate(
      `globalThis.all = []; addEventListener('message', ({ data }) => all.push(JSON.stringify(data))); ${hello}; ${hello}`,
    )
    await until('the host has heard it', () => host.page.evaluate('all.length >= 2'))
    // A message to the frame arrives after everything that the host has sent before.
    await host.page.evaluate(`handle.iframe.contentWindow.postMessage('last', '*')`)
    await until('the last is heard', () => frame.evaluate(`all.includes('"last"')`))
    t.deepEqual(await frame.evaluate('all'), ['"last"'])
    t.false((await host.page.evaluate<string[]>('all')).some((data) => data.includes(LINK)))
  },
)

inBrowser(
  'a frame of the service that the host did not mount says hello in vain, though its origin is right',
  async (t) => {
    const host = await openHostPage(t, sdk.browser, sdk.world.host)
    sdk.world.script.isMute = true
    await host.page.evaluate(
      `globalThis.hellos = []; addEventListener('message', ({ source, data }) => hellos.push(data.type)); ${mountConnect}`,
    )
    const mute = await until('the mute frame is there', () =>
      host.page.frames().find((one) => one.url().startsWith(`${sdk.world.embed}/connect`)),
    )
    sdk.world.script.isMute = false
    await host.page.evaluate(
      `document.body.insertAdjacentHTML('beforeend', '<iframe src="${sdk.world.embed}/connect?other"></iframe>')`,
    )
    const other = await until('the other frame runs', async () => {
      const frame = host.page.frames().find((one) => one.url().endsWith('?other'))
      return frame && (await frame.evaluate('!!globalThis.heard').catch(() => false)) ? frame : null
    })
    for (const frame of [mute, other])
      await frame.evaluate(
        `globalThis.all = []; addEventListener('message', ({ data }) => all.push(JSON.stringify(data)))`,
      )
    await host.page.clock.runFor(2_000)
    await until('the host hears it', () => host.page.evaluate('hellos.length > 2'))
    await host.page.evaluate(
      `for (const { contentWindow } of document.querySelectorAll('iframe')) contentWindow.postMessage('last', '*')`,
    )
    for (const frame of [mute, other]) {
      await until('the last is heard', () => frame.evaluate(`all.includes('"last"')`))
      t.deepEqual(await frame.evaluate('all'), ['"last"'])
    }
    t.false(await other.evaluate('!!globalThis.host'))
  },
)

inBrowser('a token stands in no address, no Referer, no storage, no document and on no console', async (t) => {
  const before = sdk.world.requests.length
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(
    `Channel.init({ debug: true }); ${mountConnect}; globalThis.chat = Channel.chat.mount('#target', recorded({ token: '${CHAT}', height: 300 }))`,
  )
  for (const index of [0, 1])
    await (
      await host.met(index)
    ).evaluate(
      `host.tell('ready', {}); host.tell('session-expired', { reason: 'EXPIRED' }); host.tell('connect:error', { code: 'A', message: 'B' })`,
    )
  await host.page.evaluate(`chat.setToken('${NEXT_CHAT}')`)
  await until('both are ready', async () => (await host.seen()).filter((name) => name === 'onReady').length === 2)
  const places: string[] = []
  for (const frame of host.page.frames())
    places.push(
      frame.url(),
      await frame.evaluate(
        `document.documentElement.outerHTML.replace(/<script>.*?<\\/script>/g, '') + document.cookie + (() => { try { return JSON.stringify({ ...localStorage, ...sessionStorage }) } catch { return '' } })()`,
      ),
    )
  const all = [
    ...host.asked,
    ...sdk.world.requests.slice(before),
    ...host.written,
    ...places,
    ...(await host.seen()),
  ].join('\n')
  t.true(
    host.written.some((line) => line.includes('ready')),
    'the console was looked at',
  )
  for (const secret of [LINK, 'a'.repeat(43), 'b'.repeat(43)]) t.false(all.includes(secret), secret)
})
