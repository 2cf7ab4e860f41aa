import sharp from 'sharp'
import type { Sharp } from 'sharp'

/** As many colours as four bits tell apart: half the size of a picture with more. */
const COLOURS = 16
/** So many of them are the most frequent ones, which are those of surfaces and texts. Our choice. */
const SURFACES = 6

const partsOf = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255] as const

/** How far a colour is from the greys. */
function brightness(colour: number): number {
  const parts = partsOf(colour)
  return Math.max(...parts) - Math.min(...parts)
}

/** How far two colours are apart: a grey and a coloured one further than their parts say. */
function distance(one: number, other: number): number {
  const [[r, g, b], [red, green, blue]] = [partsOf(one), partsOf(other)]
  return Math.hypot(r - red, g - green, b - blue, 2 * (brightness(one) - brightness(other)))
}

/** How much a colour matters: a bright one does more than a grey, or the few dots that tell states turn grey. */
function weight([colour, count]: readonly [number, number]): number {
  return count * (1 + brightness(colour))
}

function chosenOf(counts: ReadonlyMap<number, number>): readonly number[] {
  const chosen: number[] = []
  const take = (colours: readonly number[], most: number, far: number): void => {
    for (const colour of colours) {
      if (chosen.length === most) return
      if (chosen.every((one) => distance(one, colour) > far)) chosen.push(colour)
    }
  }
  const sorted = (by: (one: readonly [number, number]) => number) =>
    [...counts].toSorted((one, other) => by(other) - by(one)).map(([colour]) => colour)
  take(
    sorted(([, count]) => count),
    SURFACES,
    4,
  )
  const weighed = sorted(weight)
  for (const far of [60, 30, 4]) take(weighed, COLOURS, far)
  return chosen
}

/** A screenshot as a PNG of 16 colours: those of its surfaces, of its texts, and the bright ones. */
export async function withFewColours(shot: Buffer): Promise<Sharp> {
  const { data, info } = await sharp(shot).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const counts = new Map<number, number>()
  for (let at = 0; at < data.length; at += 3) {
    const colour = data.readUIntBE(at, 3)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const chosen = chosenOf(counts)
  const nearest = new Map<number, number>()
  for (const colour of counts.keys())
    nearest.set(
      colour,
      chosen.reduce((best, one) => (distance(one, colour) < distance(best, colour) ? one : best)),
    )
  for (let at = 0; at < data.length; at += 3) data.writeUIntBE(nearest.get(data.readUIntBE(at, 3)) ?? 0, at, 3)
  const { width, height, channels } = info
  return sharp(data, { raw: { width, height, channels } }).png({
    palette: true,
    colours: COLOURS,
    dither: 0,
    compressionLevel: 9,
    effort: 10,
  })
}
