/**
 * Ogg files of streams one behind the other (RFC 3533 section 4), for a decoder that misses those of a single page when
 * it is given all at once.
 */
import { closeSync, createReadStream, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pagesOf } from './ogg-page.ts'

/** Our choice: songs of an evening. A file of more is given to the decoder as it is. */
const MOST_LINKS = 100
const BLOCK_BYTES = 1_024 * 1_024

/** Where a link of a chain lies in its file, in bytes. */
export interface Link {
  readonly from: number
  readonly to: number
}

/**
 * The links of a file; one at most where it is no chain. What stands behind a page that cannot be read belongs to the
 * link before.
 */
export async function linksOf(path: string): Promise<readonly Link[]> {
  const starts: number[] = []
  let at = 0
  // Streams beside each other begin together.
  let isBeginning = false
  try {
    for await (const { isFirst, bytes } of pagesOf(createReadStream(path))) {
      if (isFirst && !isBeginning) starts.push(at)
      isBeginning = isFirst
      at += bytes.length
    }
  } catch {
    // The rest is for the decoder to see to.
  }
  const { size } = await stat(path)
  return starts.length > MOST_LINKS ? [] : starts.map((from, link) => ({ from, to: starts[link + 1] ?? size }))
}

/**
 * Paths of what a decoder is to be given one after another: the file, or each link of a chain, which is written for it.
 *
 * @param linkPath Where links are written, each in the place of the one before; nothing is there before and after.
 */
export function* filesOf(path: string, links: readonly Link[], linkPath: string): Generator<string> {
  if (links.length < 2) return yield path
  for (const link of links) {
    try {
      copy(path, link, linkPath)
      yield linkPath
    } finally {
      rmSync(linkPath, { force: true })
    }
  }
}

function copy(path: string, { from, to }: Link, linkPath: string): void {
  const [source, target] = [openSync(path, 'r'), openSync(linkPath, 'wx', 0o600)]
  try {
    const block = Buffer.alloc(Math.min(BLOCK_BYTES, to - from))
    for (let at = from; at < to;) {
      const read = readSync(source, block, 0, Math.min(block.length, to - at), at)
      if (read === 0) return
      writeSync(target, block, 0, read)
      at += read
    }
  } finally {
    closeSync(source)
    closeSync(target)
  }
}
