import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'
import { sine, wavFile } from '../../tools/demo/signal.ts'
import { inBrowser, openBrowser } from '../helpers/browser.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { until, within } from '../helpers/until.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const RATE_HZ = 48_000

/** Words of 700 ms with a second between them, as a microphone would hear them, again and again. */
async function spokenWords(t: ExecutionContext): Promise<string> {
  const folder = await temporaryDirectory()
  t.teardown(() => folder.remove())
  const path = join(folder.path, 'words.wav')
  const samples = Int16Array.from([...sine(400, 700, RATE_HZ), ...new Int16Array(RATE_HZ)])
  await writeFile(path, wavFile(samples, RATE_HZ))
  return path
}

/** Starts an example as a newcomer does; answers what it printed, and the program. */
function startExample(t: ExecutionContext, name: string) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'examples/run.ts', name], {
    cwd: ROOT,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += String(chunk)))
  const ended = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGTERM')
    await within('the example ends', ended)
  })
  return { child, ended, printed: () => said }
}

inBrowser(
  'a newcomer opens the printed link, calls the printed number by the softphone, and the bot says back what it hears',
  async (t) => {
    const { child, ended, printed } = startExample(t, 'openai')
    const [, digits = '', own] = await until('it says what to call', () =>
      /call (\d+) from "You" \((\d+)\)/.exec(printed()),
    )
    const link = /http:\S+\/login#\S+/.exec(printed())?.[0] ?? ''
    const browser = await openBrowser(t, [
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-audio-capture=${await spokenWords(t)}`,
      '--autoplay-policy=no-user-gesture-required',
    ])
    const page = await browser.newPage({ locale: 'en' })
    await page.goto(link)
    await page.getByRole('link', { name: 'Calls', exact: true }).click()
    const phone = page.locator('[data-softphone]')
    await phone.locator('select[name=numberId]').selectOption({ label: `You (+${own})` })
    await page.uncheck('input[name=voiceProcessing]')
    await phone.locator('input[name=to]').fill(digits)
    await page.click('[data-action=dial]')
    await page.locator('[data-softphone][data-status=ACCEPTED]').waitFor()
    await until('the bot hears the microphone', () => printed().includes('model the caller speaks'))
    await until('it says back what was said', () => printed().includes('model says "You said"'))
    await page.click('[data-action=hangup]')
    await until('the bot knows', () => printed().includes('the call is over'))
    child.kill('SIGINT')
    t.deepEqual(await ended, [0, null])
  },
)
