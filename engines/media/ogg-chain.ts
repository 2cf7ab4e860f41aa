/**
 * Chained Ogg files (RFC 3533 section 4). A decoder that gets a whole chain misses a stream of a single page, so each
 * stream is given to it alone.
 */
import { closeSync, createReadStream, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pagesOf } from './ogg-page.ts'

/** Our choice: as many as the songs of an evening. A file with more links goes to the decoder whole. */
const MOST_LINKS = 100
const BLOCK_BYTES = 1_024 * 1_024

/** The position of a link of a chain in its file, in bytes. */
export interface Link {
  readonly from: number
  readonly to: number
}

/**
 * The links of a file; at most one when it is no chain. The rest of the file from an unreadable page on belongs to the
 * link before that page.
 */
export async function linksOf(path: string): Promise<readonly Link[]> {
  const starts: number[] = []
  let at = 0
  // Streams that run in parallel begin together, so their first pages follow each other.
  let isBeginning = false
  try {
    for await (const { isFirst, bytes } of pagesOf(createReadStream(path))) {
      if (isFirst && !isBeginning) starts.push(at)
      isBeginning = isFirst
      at += bytes.length
    }
  } catch {
    // The decoder deals with the rest.
  }
  const { size } = await stat(path)
  return starts.length > MOST_LINKS ? [] : starts.map((from, link) => ({ from, to: starts[link + 1] ?? size }))
}

/**
 * The paths that a decoder reads one after another: the file itself, or each link of a chain, written to a file of its
 * own.
 *
 * @param linkPath Where each link is written in turn; nothing is there before and after.
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
