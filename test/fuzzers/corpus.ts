import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Our choice: so many inputs are kept for a target, each of so many bytes at most. */
const MOST_KEPT = 64
const LONGEST_KEPT = 768

function pathOf(name: string): URL {
  return new URL(`corpus/${name}.txt`, import.meta.url)
}

/** The inputs that are kept for a target, each a line in Base64. */
export function readCorpus(name: string): Buffer[] {
  if (!existsSync(pathOf(name))) return []
  const lines = readFileSync(pathOf(name), 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => Buffer.from(line, 'base64'))
}

/** Keeps inputs for the runs to come: of many some of each length. */
export function writeCorpus(name: string, inputs: Iterable<Buffer>): void {
  const lines = [...new Set([...inputs].filter(({ length }) => length <= LONGEST_KEPT).map(lineOf))].toSorted(
    (a, b) => a.length - b.length || (a < b ? -1 : 1),
  )
  const step = Math.max(1, lines.length / MOST_KEPT)
  const kept = lines.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
  writeFileSync(pathOf(name), `${kept.join('\n')}\n`)
}

function lineOf(bytes: Buffer): string {
  return bytes.toString('base64')
}
