import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { FRAME_SAMPLES, SOCKET_HZ } from '../../web/dashboard/softphone/audio/frame.ts'
import { Recording } from '../../web/dashboard/softphone/audio/recording.ts'
import { dominantHz, toneSource } from '../helpers/audio-signal.ts'
import { inBrowser, openBrowser, usesBrowser } from '../helpers/browser.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { SessionClient } from '../helpers/session-client.ts'
import { until } from '../helpers/until.ts'

/** What the microphone of the browser hears all the time, and its level in RMS of full scale. */
const MINE_HZ = 1_000
const MINE_AMPLITUDE = 8_000
const MINE_RMS = MINE_AMPLITUDE / Math.SQRT2 / 32_768
const ECHOES = '5511990000001'
const RINGS_ONLY = '5511990000003'
const TONE_440 = '5511990000006'
/** In ms: so long nothing may be missing; a machine that is busy elsewhere needs some tries. */
const WHOLE_MS = 10_000
/** Ms that may be missing at once: two frames. */
const GAP_MS = 40

let service: Service
/** BASE_URL, whose pages the sandbox answers. */
let origin: string
let browser: Browser
let number: PairedNumber
const ends: (() => unknown)[] = []
test.before(async () => {
  if (!usesBrowser) return
  service = await joinService()
  origin = `http://localhost:${service.ports['port']}`
  number = await service.pairNumber()
  const file = join(tmpdir(), `softphone-${process.pid}.wav`)
  await writeFile(file, await toneFile())
  browser = await openBrowser({ teardown: (end: () => unknown) => void ends.push(end) }, [
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${file}`,
    '--autoplay-policy=no-user-gesture-required',
  ])
})
test.after.always(async () => {
  for (const end of ends.toReversed()) await end()
})

/** One second of the tone in whole periods, which the browser plays again and again. */
async function toneFile(): Promise<Buffer> {
  const recording = new Recording()
  const tone = toneSource(SOCKET_HZ, MINE_HZ, MINE_AMPLITUDE)
  for (let n = 0; n < 50; n++) {
    const frame = tone(FRAME_SAMPLES)
    recording.said(frame)
    recording.heard(frame)
  }
  return Buffer.from(await recording.wav().arrayBuffer())
}

/** A browser that is signed in and shows the calls; without permission the microphone is refused. */
async function onCalls(t: { teardown(end: () => unknown): void }, mayHear = true): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en' })
  t.teardown(() => context.close())
  if (mayHear) await context.grantPermissions(['microphone'], { origin: origin })
  return await openCalls(context)
}

async function openCalls(context: BrowserContext): Promise<Page> {
  // The sockets of the page, so that a test can break one.
  await context.addInitScript(() => {
    const sockets: WebSocket[] = []
    const Native = WebSocket
    Object.assign(globalThis, {
      sockets,
      WebSocket: class extends Native {
        constructor(url: string) {
          super(url)
          sockets.push(this)
        }
      },
    })
  })
  const page = await context.newPage()
  await page.goto(`${origin}/login`)
  const status = await page.evaluate(async (tenantKey) => {
    const { status: answered } = await fetch('/api/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tenantKey }),
    })
    return answered
  }, service.tenantKey)
  if (status !== 200) throw new Error(`signing in was answered ${status}`)
  await page.goto(`${origin}/dashboard/calls`)
  await page.locator('[data-softphone] select[name=numberId]').waitFor()
  return page
}

async function dial(page: Page, to: string): Promise<void> {
  await page.selectOption('[data-softphone] select[name=numberId]', number.id)
  // What the browser does to a voice takes a steady tone away.
  await page.uncheck('input[name=voiceProcessing]')
  await page.fill('[data-softphone] input[name=to]', to)
  await page.click('[data-action=dial]')
}

async function shows(page: Page, status: string): Promise<void> {
  await page.locator(`[data-softphone][data-status=${status}]`).waitFor()
}

/** The newest call of the number, as the API lists it. */
async function newestCall(): Promise<{
  readonly id: string
  readonly externalCallId: string
  readonly status: string
}> {
  const { body } = await service.api('GET', '/v1/calls?limit=1', number.key)
  return body.calls[0]
}

interface Heard {
  readonly ms: number
  readonly rms: number
  readonly dominantHz: number
  /** Ms since the last sound. */
  readonly silentSinceMs: number
  readonly gaps: readonly { readonly atMs: number; readonly ms: number }[]
}

async function heardBy(externalCallId: string): Promise<Heard> {
  return (await service.control('GET', `/calls/${externalCallId}`)).body.heard
}

/** How long a peer has heard without a gap. */
function wholeMs({ ms, gaps }: Heard): number {
  return ms - Math.max(0, ...gaps.filter((gap) => gap.ms > GAP_MS).map((gap) => gap.atMs + gap.ms))
}

async function hangUp(page: Page): Promise<void> {
  const { id } = await newestCall()
  await page.click('[data-action=hangup]')
  await service.untilCall(number, id, ['COMPLETED'])
  await shows(page, 'ended')
}

// [dashboard.softphone.2] [dashboard.softphone.3] [dashboard.softphone.4] [dashboard.hooks.6]
inBrowser('a peer hears the microphone whole, at its frequency and level, and not while it is muted', async (t) => {
  const page = await onCalls(t)
  await dial(page, ECHOES)
  await shows(page, 'ACCEPTED')
  const { externalCallId } = await newestCall()
  await until('the peer heard it whole for a while', async () => wholeMs(await heardBy(externalCallId)) > WHOLE_MS)
  const { dominantHz: hz, rms } = await heardBy(externalCallId)
  t.true(Math.abs(hz - MINE_HZ) <= 10, `${hz} Hz`)
  t.true(Math.abs(20 * Math.log10(rms / MINE_RMS)) <= 1, `${rms} against ${MINE_RMS} of full scale`)
  await page.click('[data-action=mute]')
  t.is(await page.getAttribute('[data-action=mute]', 'aria-pressed'), 'true')
  await until('the peer hears nothing', async () => (await heardBy(externalCallId)).silentSinceMs > 1_000)
  await page.click('[data-action=mute]')
  await until('the peer hears again', async () => (await heardBy(externalCallId)).silentSinceMs < 1_000)
  await hangUp(page)
})

// [dashboard.softphone.5] [dashboard.softphone.6] [dashboard.softphone.7]
inBrowser('the tone of a peer moves its meter, and a recording has mine left and theirs right', async (t) => {
  const page = await onCalls(t)
  await dial(page, TONE_440)
  await shows(page, 'ACCEPTED')
  await page.locator('[data-meter=peer]').waitFor()
  const levelOf = async (which: string): Promise<number> =>
    Number(await page.getAttribute(`[data-meter=${which}]`, 'aria-valuenow'))
  await until('the meters move', async () => (await levelOf('peer')) > -30 && (await levelOf('mic')) > -30)
  await page.click('[data-action=record]')
  const recorded = async (): Promise<number> => Number(await page.textContent('[data-stat=recordedSeconds]'))
  await until('something is recorded', async () => (await recorded()) >= 2)
  await page.click('[data-action=stop-record]')
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('a[data-recording]')])
  const bytes = await readFile(await download.path())
  const samples = new Int16Array(Uint8Array.from(bytes.subarray(44)).buffer)
  t.is(dominantHz(samples.filter((_, i) => i % 2 === 0).subarray(4_800), SOCKET_HZ), MINE_HZ)
  t.is(dominantHz(samples.filter((_, i) => i % 2 === 1).subarray(4_800), SOCKET_HZ), 440)
  await hangUp(page)
})

// [dashboard.softphone.6]
inBrowser('digits by keys of the page and of the keyboard arrive at the peer', async (t) => {
  const page = await onCalls(t)
  await dial(page, ECHOES)
  await shows(page, 'ACCEPTED')
  const { externalCallId } = await newestCall()
  await page.click('[data-action=keys]')
  await page.click('[data-action=key][data-key="4"]')
  await page.keyboard.press('#')
  await until('the digits arrive', async () => {
    const { body } = await service.control('GET', `/calls/${externalCallId}`)
    return body.heard.dtmf.map(({ digit }: { digit: string }) => digit).join('') === '4#'
  })
  await hangUp(page)
  t.pass()
})

// [dashboard.softphone.4]
inBrowser(
  'where the microphone is refused the page says what to do, and the call goes on with listening',
  async (t) => {
    const page = await onCalls(t, false)
    await dial(page, TONE_440)
    await shows(page, 'ACCEPTED')
    await page.locator('[data-microphone=refused]').waitFor()
    await until(
      'the peer is heard',
      async () => Number(await page.getAttribute('[data-meter=peer]', 'aria-valuenow')) > -30,
    )
    await page.context().grantPermissions(['microphone'], { origin: origin })
    await page.click('[data-microphone] [data-action=retry]')
    await page.locator('[data-microphone]').waitFor({ state: 'detached' })
    await hangUp(page)
    t.pass()
  },
)

// [dashboard.softphone.8]
inBrowser(
  'a call whose socket was killed goes on with a new session, and the peer hears the microphone again',
  async (t) => {
    const page = await onCalls(t, true)
    await dial(page, ECHOES)
    await shows(page, 'ACCEPTED')
    const { id, externalCallId } = await newestCall()
    await page.evaluate(() => (globalThis as unknown as { sockets: WebSocket[] }).sockets.at(-1)?.close(3_000))
    await until('a second socket is open', () =>
      page.evaluate(() => {
        const { sockets } = globalThis as unknown as { sockets: WebSocket[] }
        return sockets.length === 2 && sockets[1]?.readyState === WebSocket.OPEN
      }),
    )
    const { ms } = await heardBy(externalCallId)
    await until('the peer hears on', async () => (await heardBy(externalCallId)).ms > ms + 500)
    t.is((await service.untilCall(number, id, ['ACCEPTED'])).status, 'ACCEPTED')
    await hangUp(page)
  },
)

// [dashboard.softphone.8] [realtime.closing.12]
inBrowser('a page whose call another one took over says so, and takes it back', async (t) => {
  const page = await onCalls(t)
  await dial(page, ECHOES)
  await shows(page, 'ACCEPTED')
  const { id } = await newestCall()
  const other = await service.api('POST', `/v1/calls/${id}/realtime-session`, number.key)
  const session = await SessionClient.connect(other.body.wsUrl)
  await page.locator('[data-link=taken]').waitFor()
  await page.click('[data-action=take-back]')
  await page.locator('[data-link]').waitFor({ state: 'detached' })
  await until('the other is closed', () => session.closed)
  t.is(session.closed?.code, 4409)
  await hangUp(page)
})

// [dashboard.softphone.8]
inBrowser('a call that comes in rings on any page, is answered there, and ends when the page is closed', async (t) => {
  const page = await onCalls(t)
  await page.goto(`${origin}/dashboard`)
  await page.locator('main[data-page=overview]').waitFor()
  await service.control('POST', `/peers/${ECHOES}/calls`, { to: number.digits, audio: 'tone' })
  await shows(page, 'RINGING')
  await page.click('[data-action=accept]')
  await shows(page, 'ACCEPTED')
  const { id } = await newestCall()
  await until(
    'the peer is heard',
    async () => Number(await page.getAttribute('[data-meter=peer]', 'aria-valuenow')) > -30,
  )
  await page.click('nav a[href="/dashboard/calls"]')
  await shows(page, 'ACCEPTED')
  await page.locator(`[data-id=${id}][data-status=ACCEPTED]`).waitFor()
  await page.close({ runBeforeUnload: false })
  t.is((await service.untilCall(number, id, ['COMPLETED'])).status, 'COMPLETED')
})

inBrowser('of two people whose pages ring one answers, and the other page leaves the call alone', async (t) => {
  const [first, second] = [await onCalls(t), await onCalls(t)]
  await service.control('POST', `/peers/${ECHOES}/calls`, { to: number.digits, audio: 'tone' })
  await shows(first, 'RINGING')
  await shows(second, 'RINGING')
  await first.click('[data-action=accept]')
  await shows(first, 'ACCEPTED')
  await shows(second, 'idle')
  t.is(await first.locator('[data-link=taken]').count(), 0)
  await hangUp(first)
})

// [dashboard.softphone.1]
inBrowser('a call that comes in is declined', async (t) => {
  const page = await onCalls(t)
  const { body } = await service.control('POST', `/peers/${RINGS_ONLY}/calls`, { to: number.digits })
  await shows(page, 'RINGING')
  await page.click('[data-action=reject]')
  await shows(page, 'ended')
  await until(
    'the peer knows',
    async () => (await service.control('GET', `/calls/${body.callId}`)).body.state !== 'RINGING',
  )
  t.is((await newestCall()).status, 'REJECTED')
})

// [dashboard.softphone.11]
inBrowser('a person takes the call of a bot over from its page, and gives it back', async (t) => {
  const page = await onCalls(t)
  const { id, externalCallId } = await service.placeCall(number, ECHOES)
  const session = await service.api('POST', `/v1/calls/${id}/realtime-session`, number.key)
  const bot = await SessionClient.connect(session.body.wsUrl)
  t.teardown(() => bot.close())
  await service.untilCall(number, id, ['ACCEPTED'])
  await page.goto(`${origin}/dashboard/calls/${id}`)
  await page.click('[data-action=take-over]')
  await shows(page, 'ACCEPTED')
  await bot.until('takeover', ({ by }) => by === 'person')
  await until(
    'the peer hears the person',
    async () => Math.abs((await heardBy(externalCallId)).dominantHz - MINE_HZ) < 20,
  )
  await page.click('[data-action=give-back]')
  await bot.until('takeover', ({ by }) => by === 'bot')
  await page.locator('[data-softphone]').waitFor({ state: 'detached' })
  t.is((await newestCall()).status, 'ACCEPTED')
  bot.send({ type: 'hangup' })
  await service.untilCall(number, id, ['COMPLETED'])
})

// [dashboard.routes.5]
inBrowser('who has no phone scans a code from the overview, is written to and called, and answers', async (t) => {
  const digits = String(Number(number.digits) + 1)
  const created = await service.api('POST', '/v1/numbers', service.tenantKey, { name: 'Scanned', number: digits })
  t.is(created.status, 201)
  const page = await onCalls(t)
  await page.goto(`${origin}/dashboard`)
  await page.selectOption('select[name=sandboxNumber]', created.body.id)
  await until('the code is there, and scanned', async () => {
    await page.click('[data-action=scan]')
    return (await service.api('GET', `/v1/numbers/${created.body.id}/status`, service.tenantKey)).body.state === 'OPEN'
  })
  await page.fill('input[name=sandboxText]', 'Hello there')
  await page.click('[data-action=write]')
  await until('the message has arrived', async () => {
    const { body } = await service.api('GET', '/v1/conversations', created.body.apiKey.key)
    return JSON.stringify(body).includes('Hello there')
  })
  await page.click('[data-action=ring]')
  await shows(page, 'RINGING')
  await page.click('[data-action=accept]')
  await shows(page, 'ACCEPTED')
  await page.click('[data-action=hangup]')
  await shows(page, 'ended')
  await page.click('[data-action=dismiss]')
  await page.locator('[data-softphone]').waitFor({ state: 'detached' })
})
