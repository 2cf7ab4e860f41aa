import test, { type ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'
import { inBrowser, openBrowser } from '../helpers/browser.ts'
import { ExampleBot } from '../helpers/example-bot.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

/** Opens the page of a bot that calls for the number, in a browser whose microphone beeps. */
async function openPage(t: ExecutionContext, service: Service, number: PairedNumber): Promise<Page> {
  const bot = await ExampleBot.start('browser', undefined, {
    BASE: service.base,
    KEY: number.key,
    TO: '5511990000001',
  })
  t.teardown(() => bot.stop())
  const browser = await openBrowser(t, [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    '--autoplay-policy=no-user-gesture-required',
  ])
  const page = await browser.newPage()
  await page.goto(bot.address ?? '')
  return page
}

inBrowser(
  'a page calls an echo: the peer hears its microphone, the page hears the peer, keys go both ways, and hanging up ends the call',
  async (t) => {
    const service = await joinService()
    const number = await service.pairNumber()
    const page = await openPage(t, service, number)
    await page.click('#call')
    await page.getByText('ACCEPTED').waitFor()
    t.false(await page.getByText('No microphone').isVisible())
    const { calls } = (await service.control('GET', `/calls?from=${number.digits}`)).body
    const callId = calls.at(-1).callId
    await until(
      'the peer hears it',
      async () => (await service.control('GET', `/calls/${callId}`)).body.heard.rms > 0.001,
    )
    await page.waitForFunction('document.querySelector("meter").value > 0.01')
    await page.getByRole('button', { name: '7' }).click()
    await until('the peer gets the key', async () => {
      const { heard } = (await service.control('GET', `/calls/${callId}`)).body
      return heard.digits === '7'
    })
    t.is((await service.control('POST', `/calls/${callId}/dtmf`, { digits: '3' })).status, 200)
    await page.getByText('The peer pressed 3').waitFor()
    await page.click('#hang-up')
    await page.getByText('The call is over').waitFor()
    await until(
      'the peer is gone',
      async () => (await service.control('GET', `/calls/${callId}`)).body.state === 'ENDED',
    )
  },
)

inBrowser('a page whose socket opens after the answer shows the call as answered', async (t) => {
  const service = await joinService()
  const number = await service.pairNumber()
  const page = await openPage(t, service, number)
  await page.route('**/call', async (route) => {
    const response = await route.fetch()
    const { calls } = (await service.api('GET', '/v1/calls', number.key)).body
    await service.untilCall(number, calls[0].id, ['ACCEPTED'])
    await route.fulfill({ response })
  })
  await page.click('#call')
  await t.notThrowsAsync(page.getByText('ACCEPTED').waitFor())
  await page.click('#hang-up')
  await page.getByText('The call is over').waitFor()
})

test('the server of the page places no call for pages of others, and serves its own files alone', async (t) => {
  const bot = await ExampleBot.start('browser', undefined, { KEY: 'cms_none' })
  t.teardown(() => bot.stop())
  const base = bot.address ?? ''
  for (const origin of [undefined, 'https://example.com', 'null'])
    t.is((await fetch(`${base}call`, { method: 'POST', headers: origin ? { origin } : {} })).status, 403, origin)
  for (const path of ['main.ts', 'package.json', '../run.ts', 'call'])
    t.is((await fetch(base + path)).status, 404, path)
  const page = await (await fetch(base)).text()
  t.true(page.includes('page.js') && !page.includes('cms_none'))
})
