import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { withFewColours } from './few-colours.ts'
import { until } from './until.ts'

const PICTURES = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))
/** The size at which colours are compared: so coarse that letters of another font are the same grey. Our choice. */
const COARSE = [32, 20] as const
/** So much of 255 colours may differ on average: fonts of machines break lines elsewhere. Our choice. */
const MAY_DIFFER = 5
/** A page whose text is the same at so many looks after one another has come to rest. Our choice. */
const LOOKS = 12
/** The largest picture of a guide in bytes. Our choice: the repository stays small. */
const MAX_BYTES = 60_000

/** What a page says, whatever the fonts of the machine: its texts and what its fields hold. */
async function textOf(page: Page): Promise<string> {
  const parts: string[] = []
  // An inbox draws only as many messages as there is room for, which depends on fonts.
  for (const frame of page.frames().filter((one) => !one.url().includes('/chat?')))
    parts.push(
      await frame.evaluate(() => {
        const { document } = globalThis as any
        const held = [...document.querySelectorAll('input, select, textarea')].map(
          ({ type, name, value, checked }: any) =>
            `${name}=${['checkbox', 'radio'].includes(type) ? `${value} ${checked}` : value}`,
        )
        return [document.body.innerText, ...held].join('\n') as string
      }),
    )
  // The port of the server and the hash of a built script differ from run to run, and from build to build.
  return parts
    .join('\n')
    .replaceAll(new URL(page.url()).origin, 'ORIGIN')
    .replace(/sha384-[\w+/=]+/g, 'sha384-HASH')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The colours of a picture from afar. */
async function coarse(picture: Buffer): Promise<Buffer> {
  return await sharp(picture)
    .removeAlpha()
    .resize(...COARSE, { fit: 'fill' })
    .raw()
    .toBuffer()
}

/** The text that a kept picture holds; empty without a picture. */
async function toldBy(file: string): Promise<string> {
  if (!existsSync(file)) return ''
  const { xmpAsString = '' } = await sharp(file).metadata()
  return Buffer.from(xmpAsString.replace(/<\/?x>/g, ''), 'base64').toString()
}

/** The text of a page once it is the one that is wanted, else the one at which the page comes to rest. */
async function settledText(page: Page, wanted: string | null): Promise<string> {
  let [text, looks] = ['', 0]
  await until('the page comes to rest', async () => {
    const now = await textOf(page)
    looks = now === text ? looks + 1 : 0
    text = now
    return text === wanted || looks === LOOKS
  })
  return text
}

/**
 * Takes the picture of a page and compares it with the one that the documents show; `WRITE_PICTURES=1`, as in
 * `npm run pictures`, keeps the new one instead. The kept picture holds the text of its page, so what a page says is
 * compared word by word, and how it looks only from afar: neither depends on the fonts of the machine. Gives what is
 * wrong.
 */
export async function keptPicture(page: Page, name: string): Promise<string[]> {
  const file = `${PICTURES}${name}.png`
  const isWritten = process.env['WRITE_PICTURES'] === '1'
  const told = await toldBy(file)
  const text = await settledText(page, isWritten ? null : told)
  const shot = await page.screenshot({ animations: 'disabled' })
  if (isWritten)
    await (await withFewColours(shot)).withXmp(`<x>${Buffer.from(text).toString('base64')}</x>`).toFile(file)
  else if (told !== text) return [firstDifference(told, text)]
  const kept = readFileSync(file)
  const [{ width, height }, now] = [await sharp(kept).metadata(), await sharp(shot).metadata()]
  const wrong: string[] = []
  if (width !== now.width || height !== now.height) wrong.push(`it is ${width} × ${height} px`)
  const [was, is] = [await coarse(kept), await coarse(shot)]
  const differs = was.reduce((sum, value, at) => sum + Math.abs(value - (is[at] ?? 0)), 0) / was.length
  if (differs > MAY_DIFFER) wrong.push(`its colours differ by ${differs.toFixed(1)} of 255`)
  if (kept.length > MAX_BYTES) wrong.push(`it has ${kept.length} bytes`)
  return wrong
}

/** Where two texts part, with what is around. */
function firstDifference(was: string, is: string): string {
  let at = 0
  while (was[at] === is[at]) at += 1
  const from = Math.max(0, at - 40)
  return `it says "${was.slice(from, at + 40)}", the page "${is.slice(from, at + 40)}"`
}
