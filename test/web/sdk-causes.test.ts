import test, { type ExecutionContext } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { inBrowser } from '../helpers/browser.ts'
import { openHostPage } from '../helpers/scripted-embed.ts'
import type { HostPage } from '../helpers/scripted-embed.ts'
import { sdkWorld } from '../helpers/sdk-world.ts'
import { until } from '../helpers/until.ts'

const LINK = newId('rp')
const CHAT = `${newId('emb')}.${'a'.repeat(43)}`
const NEXT_CHAT = `${newId('emb')}.${'b'.repeat(43)}`

const sdk = sdkWorld(test, () => null)

const mountConnect = `globalThis.handle = Channel.connect.mount('#target', recorded({ token: '${LINK}' }))`

interface Told {
  readonly code: string
  readonly message: string
  readonly hint: string
}

/** Lets the time pass in which a frame should say hello. Resolves to the single error that is told then. */
async function toldError(host: HostPage): Promise<Told> {
  const call = await until('an error is told', async () => {
    await host.page.clock.runFor(1_000)
    return (await host.seen()).find((one) => one.startsWith('onError '))
  })
  return JSON.parse(call.slice('onError '.length)) as Told
}

/** Whether an error was told once by the callback and once on the console, and is shown in place of the frame. */
async function isTold(host: HostPage, { code, hint }: Told): Promise<boolean> {
  const note = await host.page.evaluate<string>(`document.querySelector('#target > [role=alert]')?.textContent ?? ''`)
  const [calls, lines] = [
    (await host.seen()).filter((one) => one.startsWith('onError')),
    host.written.filter((line) => line.includes(`[Channel] ${code}`)),
  ]
  return note.includes(hint) && note.includes(code) && calls.length === 1 && lines.length === 1
}

// [sdk.errors.3] [sdk.errors.4]
inBrowser('a page that is not allowed is told which origin to add', async (t) => {
  sdk.world.script.diagnose = (origin) => ({ ok: false, reason: 'ORIGIN_NOT_ALLOWED', hint: origin })
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(mountConnect)
  const error = await toldError(host)
  t.is(error.code, 'ORIGIN_NOT_ALLOWED')
  t.true(error.hint.includes(sdk.world.host))
  t.true(await isTold(host, error))
  t.is(await host.page.evaluate(`document.querySelectorAll('iframe').length`), 0)
})

/**
 * The error of a connect embed whose host page is itself in a frame of another host. `attributes` are those of the
 * frame between the two.
 */
async function toldWithin(t: ExecutionContext, attributes = ''): Promise<string> {
  const outer = await openHostPage(t, sdk.browser, `${sdk.world.otherHost}/?bare`)
  await outer.page.evaluate(
    `document.getElementById('target').innerHTML = '<iframe ${attributes} src="${sdk.world.host}/"></iframe>'`,
  )
  const inner = await until('the page inside is there', async () => {
    const frame = outer.page.frames()[1]
    return frame && (await frame.evaluate('!!globalThis.Channel').catch(() => false)) ? frame : null
  })
  await inner.evaluate(
    `globalThis.told = []; Channel.connect.mount('#target', { token: '${LINK}', onError: ({ code, hint }) => told.push(code + ' ' + hint) })`,
  )
  return await until('an error is told', async () => {
    await outer.page.clock.runFor(1_000)
    return await inner.evaluate<string | undefined>('told[0]')
  })
}

inBrowser('with several pages around a frame, the one that is not allowed is named', async (t) => {
  sdk.world.script.allowedOrigins = [sdk.world.host]
  sdk.world.script.diagnose = (origin) =>
    origin === sdk.world.host
      ? { ok: true, reason: null, hint: null }
      : { ok: false, reason: 'ORIGIN_NOT_ALLOWED', hint: '' }
  const told = await toldWithin(t)
  t.regex(told, /^ORIGIN_NOT_ALLOWED /)
  t.true(told.includes(sdk.world.otherHost))
})

inBrowser(
  'a page in a sandbox that takes its origin away is told that no session can allow it, and what would do (case 26)',
  async (t) => {
    sdk.world.script.allowedOrigins = [sdk.world.host, sdk.world.otherHost]
    const told = await toldWithin(t, 'sandbox="allow-scripts"')
    t.regex(told, /^ORIGIN_NOT_ALLOWED .*allow-same-origin/)
  },
)

// [sdk.errors.3] [sdk.errors.4]
inBrowser('a session that is over is told, and a new token puts the frame back', async (t) => {
  sdk.world.script.diagnose = () => ({ ok: false, reason: 'SESSION_NOT_LIVE', hint: 'mint one' })
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(mountConnect)
  const error = await toldError(host)
  t.is(error.code, 'SESSION_NOT_LIVE')
  t.true(await isTold(host, error))
  sdk.world.script.allowedOrigins = [sdk.world.host]
  const next = newId('rp')
  await host.page.evaluate(`handle.setToken('${next}')`)
  t.is(await (await host.met()).evaluate('host.init.token'), next)
  t.is(await host.page.evaluate(`document.querySelectorAll('[role=alert]').length`), 0)
  await host.page.evaluate('handle.destroy()')
})

inBrowser('with fetchToken a session that is over before its frame came is replaced, and nobody is told', async (t) => {
  let isDiagnosed = false
  sdk.world.script.diagnose = () => {
    isDiagnosed = true
    sdk.world.script.allowedOrigins = [sdk.world.host]
    return { ok: false, reason: 'SESSION_NOT_LIVE', hint: '' }
  }
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(
    `Channel.chat.mount('#target', recorded({ token: '${CHAT}', height: 300, fetchToken: async () => '${NEXT_CHAT}' }))`,
  )
  await until('the page asks what is wrong', async () => isDiagnosed || (await host.page.clock.runFor(1_000), false))
  // From now on no time passes, because a slow machine would otherwise give up the frame of the new token too.
  const frame = await host.met()
  t.is(await frame.evaluate('host.init.token'), NEXT_CHAT)
  t.deepEqual(await host.seen(), [])
})

// [sdk.errors.3] [sdk.errors.4]
inBrowser('a frame that should load and stays silent is reported as silent', async (t) => {
  sdk.world.script.allowedOrigins = [sdk.world.host]
  sdk.world.script.isMute = true
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(mountConnect)
  t.is((await toldError(host)).code, 'TIMEOUT')
})

// [sdk.errors.3]
inBrowser('a service that cannot be reached is told', async (t) => {
  sdk.world.script.diagnose = () => null
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(mountConnect)
  t.is((await toldError(host)).code, 'NETWORK')
})

// [sdk.errors.3]
inBrowser('a frame of another version is told', async (t) => {
  sdk.world.script.allowedOrigins = [sdk.world.host]
  sdk.world.script.isMute = true
  const host = await openHostPage(t, sdk.browser, sdk.world.host)
  await host.page.evaluate(mountConnect)
  const frame = await until('the frame is there', () =>
    host.page.frames().find((one) => one.url().startsWith(`${sdk.world.embed}/connect`)),
  )
  await frame.evaluate(
    `parent.postMessage({ source: 'channel-embed', v: 1, type: 'hello', payload: { surface: 'connect', versions: [7, 8] } }, '${sdk.world.host}')`,
  )
  const call = await until('an error is told', async () =>
    (await host.seen()).find((one) => one.startsWith('onError ')),
  )
  t.is((JSON.parse(call.slice('onError '.length)) as Told).code, 'VERSION', 'at once: no time was let pass')
})

const lines = {
  'frame-src': (embed: string) => `script-src ${embed}; connect-src ${embed}; frame-src 'self'`,
  'connect-src': (embed: string) => `script-src ${embed}; connect-src 'self'; frame-src ${embed}`,
}
for (const [directive, policyOf] of Object.entries(lines)) {
  // [sdk.errors.3]
  inBrowser(`a policy of the page without ${directive} is told, with all that it must have (case 25)`, async (t) => {
    const host = await openHostPage(
      t,
      sdk.browser,
      `${sdk.world.host}/?csp=${encodeURIComponent(policyOf(sdk.world.embed))}`,
    )
    await host.page.evaluate(mountConnect)
    const error = await until('it is told without a wait', async () => {
      await host.page.clock.runFor(150)
      const call = (await host.seen()).find((one) => one.startsWith('onError '))
      return call ? (JSON.parse(call.slice('onError '.length)) as Told) : null
    })
    t.is(error.code, 'HOST_CSP')
    t.true(error.hint.endsWith(`connect-src ${sdk.world.embed}; frame-src ${sdk.world.embed}`), error.hint)
    t.true(await isTold(host, error))
  })
}
