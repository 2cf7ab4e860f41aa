/**
 * Text as phones draw it: `*bold*`, `_italic_`, `~struck~`, code between backticks, and links. Pure. A mark opens when
 * no letter or digit stands before it and no space after it; it closes on the same line by the mirrored rule. Nothing
 * else in a text is markup.
 */
import { linksOf } from './links.ts'
import type { Link } from './links.ts'

export type Style = 'bold' | 'italic' | 'struck'

export type Piece =
  | string
  | { readonly kind: 'link'; readonly text: string; readonly href: string }
  | { readonly kind: 'code' | 'block'; readonly text: string }
  | { readonly kind: Style; readonly of: readonly Piece[] }

const STYLES: Readonly<Record<string, Style>> = { '*': 'bold', _: 'italic', '~': 'struck' }
const FENCED = /```([\s\S]+?)```/g

/** One line of text with an index of its links and marks. */
interface Line {
  readonly text: string
  /** Links by the index at which they begin. */
  readonly links: ReadonlyMap<number, Link>
  /** For each mark, the indexes at which it can close, ascending. */
  readonly closers: Readonly<Record<string, readonly number[]>>
}

/** Splits a text into its pieces. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { 0: whole, 1: code = '', index } of text.matchAll(FENCED)) {
    pieces.push(...linesOf(text.slice(end, index)), { kind: 'block', text: code.replace(/^\n|\n$/g, '') })
    end = index + whole.length
  }
  pieces.push(...linesOf(text.slice(end)))
  return joined(pieces)
}

/** The text without its marks, for previews. */
export function plainOf(text: string): string {
  return piecesOf(text).map(plainPiece).join('')
}

function plainPiece(piece: Piece): string {
  if (typeof piece === 'string') return piece
  return 'of' in piece ? piece.of.map(plainPiece).join('') : piece.text
}

function linesOf(text: string): Piece[] {
  return text
    .split('\n')
    .flatMap((line, at) => [...(at > 0 ? ['\n'] : []), ...span(readLine(line), 0, line.length, '')])
}

function readLine(text: string): Line {
  const links = linksOf(text)
  const closers: Record<string, number[]> = { '*': [], _: [], '~': [], '`': [] }
  let next = 0
  for (let at = 1; at < text.length; at++) {
    while ((links[next]?.end ?? Infinity) <= at) next++
    const isInLink = (links[next]?.start ?? Infinity) <= at
    const mark = text.charAt(at)
    if (isInLink || !(mark in closers)) continue
    if (mark === '`' || (!isSpace(text.charAt(at - 1)) && !isWord(text, at + 1))) closers[mark]?.push(at)
  }
  return { text, links: new Map(links.map((link) => [link.start, link])), closers }
}

/** The pieces between two indexes. `open` lists the marks that are open already and do not open again. */
function span(line: Line, from: number, to: number, open: string): Piece[] {
  const pieces: Piece[] = []
  let begun = from
  let at = from
  const put = (piece: Piece, end: number): void => {
    pieces.push(line.text.slice(begun, at), piece)
    begun = at = end
  }
  while (at < to) {
    const mark = line.text.charAt(at)
    const link = line.links.get(at)
    const close = link ? null : closeOf(line, at, to, open)
    if (link && link.end <= to) put({ kind: 'link', text: line.text.slice(at, link.end), href: link.href }, link.end)
    else if (close !== null && mark === '`') put({ kind: 'code', text: line.text.slice(at + 1, close) }, close + 1)
    else if (close !== null)
      put({ kind: STYLES[mark] ?? 'bold', of: span(line, at + 1, close, open + mark) }, close + 1)
    else at++
  }
  pieces.push(line.text.slice(begun, to))
  return joined(pieces)
}

/** The index at which the mark at `at` closes; null when it does not close, or opens nothing. */
function closeOf({ text, closers }: Line, at: number, to: number, open: string): number | null {
  const mark = text.charAt(at)
  const places = closers[mark]
  if (!places || open.includes(mark)) return null
  const behind = text.charAt(at + 1)
  if (mark !== '`' && (isWord(text, at - 1) || isSpace(behind) || behind === mark)) return null
  const close = firstOver(places, at)
  return close > at + 1 && close < to ? close : null
}

/** The first of ascending numbers that is larger than `least`; Infinity when there is none. */
function firstOver(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) > least) high = middle
    else low = middle + 1
  }
  return numbers[low] ?? Infinity
}

function isSpace(letter: string): boolean {
  return letter === '' || /\s/.test(letter)
}

function isWord(text: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(text.charAt(at))
}

/** Joins adjacent text pieces and drops empty ones. */
function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') all[all.length - 1] = last + piece
    else if (piece !== '') all.push(piece)
  }
  return all
}
