import { parseSync, Visitor } from 'oxc-parser'

/** A function with a name: a declaration, a method, or the value of a constant or property. */
export interface NamedFunction {
  readonly name: string
  /** First and last line, from 1. */
  readonly from: number
  readonly to: number
  /**
   * Its lines without those of named functions inside it, so that a function that returns closures counts only its own
   * lines.
   */
  readonly own: number
}

type Span = Omit<NamedFunction, 'own'>

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

interface Syntax {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** Every named function of a source file, found by syntax, so that line breaks do not matter. */
export function namedFunctions(path: string, text: string): NamedFunction[] {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index)
  const lineOf = (offset: number): number => ends.filter((end) => end < offset).length + 1
  const spans: Span[] = []
  const add = (key: unknown, from: Syntax, value: Syntax | null): void => {
    if (value === null || !FUNCTIONS.has(value.type)) return
    const { name } = (key ?? {}) as { readonly name?: string }
    spans.push({ name: name ?? 'unnamed', from: lineOf(from.start), to: lineOf(value.end - 1) })
  }
  new Visitor({
    FunctionDeclaration: (node) => add(node.id, node, node),
    MethodDefinition: (node) => add(node.key, node, node.value),
    PropertyDefinition: (node) => add(node.key, node, node.value),
    Property: (node) => add(node.key, node, node.value),
    VariableDeclarator: (node) => add(node.id, node, node.init),
  }).visit(parseSync(path, text).program)
  return spans.map((span) => ({ ...span, own: span.to - span.from + 1 - linesInside(span, spans) }))
}

/** Lines, from 1, of comments that are wider than `columns`. */
export function wideComments(path: string, text: string, columns: number): number[] {
  return parseSync(path, text).comments.flatMap(({ start, end }) => {
    const first = text.slice(0, start).split('\n').length
    const lines = text.slice(text.lastIndexOf('\n', start) + 1, end).split('\n')
    return lines.flatMap((line, at) => (line.length > columns ? [first + at] : []))
  })
}

function linesInside(outer: Span, spans: readonly Span[]): number {
  const isInside = (inner: Span, around: Span): boolean =>
    inner !== around
    && inner.from >= around.from
    && inner.to <= around.to
    && inner.to - inner.from < around.to - around.from
  const inner = spans.filter((span) => isInside(span, outer))
  const direct = inner.filter((span) => !inner.some((other) => isInside(span, other)))
  return direct.reduce((lines, { from, to }) => lines + to - from + 1, 0)
}
