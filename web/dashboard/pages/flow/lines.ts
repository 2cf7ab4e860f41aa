import { lineOfFault } from './json-fault.ts'

/** What upstream finds wrong with a document, in its own words ([flows.object.1]). */
export interface DocumentFault {
  readonly error?: string
  readonly message?: string
  readonly line_start?: number
  readonly column_start?: number
}

/** Something wrong at a line of a document. */
export interface LineFault {
  /** From 1; null when it is of no line. */
  readonly line: number | null
  readonly message: string
  /** True when the words are those of the page, not of the network. */
  readonly isWorded: boolean
}

/** What the network finds wrong, in its words. */
export function lineFaultsOf(faults: readonly DocumentFault[]): readonly LineFault[] {
  return faults.map(({ line_start: line, message, error }) => ({
    line: line ?? null,
    message: message ?? error ?? '',
    isWorded: false,
  }))
}

/**
 * The line, from 1, at which a text stops being a document, which is a JSON object; null when it is one
 * ([flows.document.2]).
 */
export function lineOfNoDocument(text: string): number | null {
  const line = lineOfFault(text)
  if (line !== null) return line
  const begin = text.search(/[^ \t\r\n]/)
  return text[begin] === '{' ? null : text.slice(0, begin).split('\n').length
}

/** The lines of a text, counted by its line breaks. */
export function linesOf(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

/** Where a line, from 1, begins and ends in a text; the last line for one that the text does not have. */
export function rangeOfLine(text: string, line: number): readonly [from: number, to: number] {
  let from = 0
  for (let at = 1; at < line; at += 1) {
    const next = text.indexOf('\n', from)
    if (next < 0) break
    from = next + 1
  }
  const end = text.indexOf('\n', from)
  return [from, end < 0 ? text.length : end]
}
