import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { inBrowser } from '../helpers/browser.ts'
import { ALL_ON } from '../helpers/features.ts'
import { openHostPage } from '../helpers/scripted-embed.ts'
import type { HostPage } from '../helpers/scripted-embed.ts'
import { sdkWorld } from '../helpers/sdk-world.ts'
import { until } from '../helpers/until.ts'

const TOKEN = newId('rp')
const EMBED_TOKEN = `${newId('emb')}.${'s'.repeat(43)}`

const sdk = sdkWorld(test, ({ host }) => [host])

const mountConnect = `globalThis.handle = Channel.connect.mount('#target', recorded({ token: '${TOKEN}' }))`
const openConnect = `globalThis.handle = Channel.connect.open(recorded({ token: '${TOKEN}' }))`

/** What the SDK has added to the page. */
const LEFT = `[document.querySelectorAll('iframe, dialog, [role=alert], style').length, document.getElementById('target').childNodes.length, document.documentElement.getAttribute('style')]`

async function left(host: HostPage): Promise<unknown> {
  return host.page.evaluate(LEFT)
}

// [sdk.calls.11] [pages.addresses.4]
inBrowser(
  'a frame is mounted with the attributes the contract names, and is handed token, language, theme and options',
  async (t) => {
    const host = await openHostPage(t, sdk.browser, sdk.world.host)
    await host.page.evaluate(
      `handle = Channel.connect.mount({ target: document.getElementById('target'), token: 'https://connect.example/connect/${TOKEN}', locale: 'pt', theme: { mode: 'dark', primary: '#AABBCC', radius: 4 }, mode: 'button' })`,
    )
    const frame = await host.met()
    t.deepEqual(await frame.evaluate('host.init'), {
      v: 1,
      token: TOKEN,
      locale: 'pt',
      theme: { mode: 'dark', primary: '#AABBCC', background: null, radius: 4, density: null },
      options: { mode: 'button', isModal: false, title: null, conversationId: null, features: ALL_ON },
    })
    t.is(await frame.evaluate('host.origin'), sdk.world.host)
    const attributes = await host.page.evaluate(
      `['sandbox', 'allow', 'referrerpolicy', 'title'].map((name) => handle.iframe.getAttribute(name))`,
    )
    t.deepEqual(attributes, [
      'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads',
      'microphone; clipboard-write; autoplay',
      'no-referrer',
      'Conectar um telefone',
    ])
    t.regex(frame.url(), /\/connect\?h=[\w-]{43}&lang=pt$/)
  },
)

// [sdk.errors.2]
inBrowser('calls that are wrong are refused at once, and leave nothing', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  const codes = await host.page.evaluate(`[
    () => Channel.connect.mount('#nowhere', { token: '${TOKEN}' }), () => Channel.connect.mount('][', { token: '${TOKEN}' }), () => Channel.connect.mount(null, { token: '${TOKEN}' }),
    () => Channel.connect.mount('#target'), () => Channel.connect.mount('#target', { token: '' }), () => Channel.connect.open(), () => Channel.connect.open({ token: 'rp_short' }), () => Channel.connect.open({ token: 5 }),
    () => Channel.chat.mount('#target', {}), () => Channel.chat.mount('#target', { token: '${TOKEN}' }), () => Channel.chat.mount({ target: '#target', token: null }),
  ].map(codeOf)`)
  t.deepEqual(codes, [
    'TARGET_NOT_FOUND',
    'TARGET_NOT_FOUND',
    'TARGET_NOT_FOUND',
    'TOKEN_MISSING',
    'TOKEN_MISSING',
    'TOKEN_MISSING',
    'TOKEN_INVALID',
    'TOKEN_INVALID',
    'TOKEN_MISSING',
    'TOKEN_INVALID',
    'TOKEN_MISSING',
  ])
  t.deepEqual(await left(host), [0, 0, null])
})

// [sdk.calls.6] [sdk.calls.7]
inBrowser('the same options mounted twice on one target are one handle, until it is destroyed', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  const found = await host.page.evaluate(`(() => {
    const options = { token: '${TOKEN}' }
    const [one, two] = [Channel.connect.mount('#target', options), Channel.connect.mount(document.getElementById('target'), options)]
    const whole = { target: '#target', token: '${EMBED_TOKEN}' }
    const [chat, sameChat] = [Channel.chat.mount(whole), Channel.chat.mount(whole)]
    one.destroy(); one.destroy()
    const third = Channel.connect.mount('#target', options)
    const left = document.querySelectorAll('iframe').length
    third.destroy(); chat.destroy()
    return [one === two, chat === sameChat, third !== one, left]
  })()`)
  t.deepEqual(found, [true, true, true, 2])
  t.deepEqual(await left(host), [0, 0, null])
})

// [sdk.calls.7]
inBrowser('destroyed during the handshake, nothing is left, nobody is called and nobody is told a token', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(`${mountConnect}; handle.destroy()`)
  await host.page.evaluate(`${openConnect}; handle.iframe.addEventListener('load', () => handle.destroy())`)
  await until('the dialog is gone', () => host.page.evaluate(`!document.querySelector('dialog')`))
  await host.page.clock.runFor(10_000)
  t.deepEqual(await host.seen(), [])
  t.deepEqual(await left(host), [0, 0, null])
  t.deepEqual(host.written, [])
})

inBrowser('a target that the page removes is no error; put back, its frame is handed the token again', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(mountConnect)
  await host.met()
  await host.page.evaluate(`globalThis.target = document.getElementById('target'); target.remove()`)
  await host.page.clock.runFor(20_000)
  t.deepEqual([await host.seen(), host.written], [[], []])
  await host.page.evaluate('document.body.append(target)')
  const frame = await host.met()
  t.is(await frame.evaluate('host.init.token'), TOKEN)
  await host.page.evaluate('target.remove(); handle.destroy()')
  t.deepEqual([await host.seen(), host.written], [[], []])
})

// [sdk.page.1]
inBrowser('calls that were queued before the script loaded run in order, and so do later ones', async (t) => {
  const queue = `(window.channelQueue ||= []).push((Channel) => seen.push('first ' + typeof Channel.init)); channelQueue.push(() => { throw new Error('of the page') }); channelQueue.push(() => seen.push('second'))`
  const host = await openHostPage(t, sdk.browser, sdk.world.host, queue)
  await host.page.evaluate(`channelQueue.push((Channel) => seen.push('third ' + (Channel === window.Channel)))`)
  t.deepEqual(await host.seen(), ['first function', 'second', 'third true'])
  t.deepEqual(host.written, ['uncaught of the page'])
})

inBrowser('wrong values of a theme are left out with a warning, and the rest is told', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(
    `handle = Channel.connect.mount('#target', { token: '${TOKEN}', theme: { mode: 'blue', primary: 'red', background: '#000000', radius: 25, density: 'compact', font: 'x' } })`,
  )
  const frame = await host.met()
  t.deepEqual(await frame.evaluate('host.init.theme'), {
    mode: 'auto',
    primary: null,
    background: '#000000',
    radius: null,
    density: 'compact',
  })
  t.deepEqual(
    host.written.map((line) => /theme: (\w+)/.exec(line)?.[1]),
    ['font', 'mode', 'primary', 'radius'],
  )
  await host.page.evaluate(`handle.setTheme('dark'); handle.setLocale('es')`)
  const heard = await until('the frame hears it', async () => {
    const all: unknown[] = await frame.evaluate('heard')
    return all.length === 2 ? all : null
  })
  t.deepEqual(heard, [
    {
      type: 'set-theme',
      payload: { theme: { mode: 'dark', primary: null, background: null, radius: null, density: null } },
    },
    { type: 'set-locale', payload: { locale: 'es' } },
  ])
})

// [inbox.frame.6] [sdk.calls.4]
inBrowser('an inline frame is as high as what it shows', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(mountConnect)
  const frame = await host.met()
  await frame.evaluate(`host.tell('resize', { height: 321 })`)
  await until('the frame follows', () => host.page.evaluate('handle.iframe.offsetHeight === 321'))
  t.pass()
})

// [inbox.frame.11] [sdk.calls.3] [sdk.calls.4] [pages.addresses.6]
inBrowser('the button opens the page in a dialog, and of both frames the host hears one outcome', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(
    `globalThis.handle = Channel.connect.mount('#target', recorded({ token: '${TOKEN}', mode: 'button' }))`,
  )
  const button = await host.met()
  await button.evaluate(`host.tell('ready', {}); host.tell('connect:open', {}); host.tell('connect:open', {})`)
  const modal = await host.met(1)
  t.deepEqual(await modal.evaluate('host.init.options'), {
    mode: 'page',
    isModal: true,
    title: null,
    conversationId: null,
    features: ALL_ON,
  })
  await modal.evaluate(`host.tell('ready', {}); host.tell('connect:paired', { numberId: 'num_1', redirectUrl: null })`)
  await button.evaluate(`host.tell('connect:paired', { numberId: 'num_1', redirectUrl: null })`)
  await modal.evaluate(`void requestAnimationFrame(() => host.tell('connect:close', {}))`)
  await host.passes('the dialog is gone', () => host.page.evaluate(`!document.querySelector('dialog')`))
  t.deepEqual(await host.seen(), ['onReady', 'onPaired {"numberId":"num_1","redirectUrl":null}', 'onClose'])
  await button.evaluate(`host.tell('connect:open', {})`)
  await until('it opens again', () => host.page.evaluate(`document.querySelectorAll('dialog').length === 1`))
  await host.page.evaluate('handle.destroy()')
  t.deepEqual(await left(host), [0, 0, null])
})

// [sdk.calls.3]
inBrowser('a dialog gives focus and scrolling back however it is closed, and tells so once', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(
    `document.body.style.height = '5000px'; document.documentElement.style.overflow = 'scroll'; document.getElementById('before').focus({ preventScroll: true }); scrollTo(0, 700)`,
  )
  const ways: readonly [string, () => Promise<unknown>][] = [
    ['Esc in the page', () => host.page.keyboard.press('Escape')],
    ['its button', () => host.page.getByRole('button', { name: 'Close' }).click()],
    ['close()', () => host.page.evaluate('handle.close(); handle.close()')],
    [
      'Esc in the frame',
      async () => (await host.met()).evaluate(`void requestAnimationFrame(() => host.tell('connect:close', {}))`),
    ],
  ]
  for (const [way, close] of ways) {
    await host.page.evaluate(`seen.length = 0; ${openConnect}`)
    t.is(await host.page.evaluate(`document.documentElement.style.overflow`), 'hidden')
    await close()
    await host.passes(`the dialog is gone by ${way}`, () => host.page.evaluate(`!document.querySelector('dialog')`))
    t.deepEqual(await host.seen(), ['onClose'], way)
    t.deepEqual(
      await host.page.evaluate('[document.activeElement.id, scrollY, document.documentElement.style.overflow]'),
      ['before', 700, 'scroll'],
      way,
    )
  }
})

// [inbox.frame.11] [sdk.calls.3]
inBrowser('Esc pressed while the focus is inside the frame of a dialog closes it', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(openConnect)
  const frame = await host.met()
  await frame.evaluate(
    `import('/web/ui/frame/follow.ts').then(({ followEscape }) => { followEscape(host); host.tell('ready', {}) })`,
  )
  await until(
    'the frame has the focus',
    async () =>
      (await host.page.evaluate('document.activeElement === handle.iframe'))
      && (await frame.evaluate(`heard.some(({ type }) => type === 'focus')`)),
  )
  await frame.focus('#inside')
  // A script in the frame presses the key, because a browser that removes a frame during a key press may never report
  // the release.
  await frame.evaluate(
    `void requestAnimationFrame(() => ['keydown', 'keyup'].forEach((type) => document.activeElement.dispatchEvent(new KeyboardEvent(type, { key: 'Escape', bubbles: true, cancelable: true }))))`,
  )
  await host.passes('the dialog is gone', () => host.page.evaluate(`!document.querySelector('dialog')`))
  t.deepEqual(await host.seen(), ['onReady', 'onClose'])
})

inBrowser('two dialogs closed in any order leave the page as it was', async (t) => {
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(
    `globalThis.one = Channel.connect.open({ token: '${TOKEN}' }); globalThis.two = Channel.connect.open({ token: '${TOKEN}' }); one.destroy(); two.destroy()`,
  )
  t.is(await host.page.evaluate('document.documentElement.style.overflow'), '')
  t.is(await host.page.evaluate(`document.querySelectorAll('dialog, iframe').length`), 0)
})

// [sdk.page.3] [sdk.page.2]
inBrowser(
  'a host with a strict policy that names the embed in script-src, connect-src and frame-src alone is enough',
  async (t) => {
    // The host's icon is a data URI, because browsers request icons at any time.
    const policy = `default-src 'none'; img-src data:; script-src ${sdk.world.embed}; connect-src ${sdk.world.embed}; frame-src ${sdk.world.embed}; require-trusted-types-for 'script'`
    const violated = `document.addEventListener('securitypolicyviolation', (event) => seen.push(event.effectiveDirective))`
    const host = await openHostPage(t, sdk.browser, `${sdk.world.host}/?csp=${encodeURIComponent(policy)}`, violated)
    await host.page.evaluate(openConnect)
    const frame = await host.met()
    await frame.evaluate(`host.tell('ready', {})`)
    await until('it is ready', async () => (await host.seen()).includes('onReady'))
    t.is(await host.page.evaluate(`getComputedStyle(document.querySelector('dialog')).position`), 'fixed')
    await host.page.evaluate(`handle.close(); ${mountConnect}`)
    t.is(await (await host.met()).evaluate('host.init.token'), TOKEN)
    t.deepEqual(await host.seen(), ['onReady', 'onClose'])
    t.is(
      await host.page.evaluate(
        `document.querySelectorAll('style').length + document.cookie.length + localStorage.length + sessionStorage.length`,
      ),
      0,
    )
  },
)

inBrowser('a host that isolates itself from other origins shows the frame', async (t) => {
  const host = await openHostPage(t, sdk.browser, `${sdk.world.host}/?coep=require-corp`)
  await host.page.evaluate(mountConnect)
  t.is(await (await host.met()).evaluate('host.init.token'), TOKEN)
})
